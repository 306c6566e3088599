// What a source's name stands for: looked up in the answer's own data, then in the state as that turn left it.

import { useEffect, useState } from "react";
import { Markdown } from "../answer/Markdown";
import { marked } from "../answer/supporting";
import { call, sessionPath } from "../api/client";
import type { Checkpoint, Page, Record_, StateAt } from "../api/types";
import { t } from "../i18n";
import { sessionAddress } from "../state/route";
import type { Log, Turn } from "../state/turns";

export function SourcePanel({ sessionId, log, turn: id, name }: { sessionId: string; log: Log; turn: string; name: string }) {
  const turn = log.turns.find((one) => one.id === id);
  const [found, setFound] = useState<Record_ | null | undefined>(undefined);
  useEffect(() => {
    let here = true;
    setFound(undefined);
    void supports(sessionId, turn, name).then((one) => here && setFound(one));
    return () => {
      here = false;
    };
    // The turn's data doesn't change once it is answered.
  }, [sessionId, turn?.id, turn?.data, name]);
  return (
    <section className="source-body">
      <h3>{name}</h3>
      {found === undefined ? <p className="meta">{t("looking")}</p> : found ? <Found found={found} answer={turn?.text ?? ""} sessionId={sessionId} /> : <p>{own(turn, name) || t("only_name")}</p>}
    </section>
  );
}

// Where a source was given with words of its own, those are its words.
function own(turn: Turn | undefined, name: string): string {
  const listed = (turn?.data?.["metadata"] as Record_ | undefined)?.["sources"];
  const given = (Array.isArray(listed) ? listed : []).find((one) => (one as Record_)?.["title"] === name) as Record_ | undefined;
  return String(given?.["content"] ?? given?.["description"] ?? "");
}

// What is written in Markdown is shown so; of plain sentences the one that the answer leans on is marked.
function Found({ found, answer, sessionId }: { found: Record_; answer: string; sessionId: string }) {
  const words = (key: string): string => (typeof found[key] === "string" ? String(found[key]) : "");
  const text = words("content") || words("details") || words("text") || words("summary") || words("note");
  const field = words("gave");
  const when = words("effective_date") || words("as_of");
  const facts = [
    words("title") !== text ? words("title") : "", when && t("as_of", { date: when }),
    found["is_statute_text"] === false ? t("summary_text") : found["is_statute_text"] ? t("full_text") : "",
    words("agent") && t("by_agent", { name: words("agent") }), words("tool") && t("by_tool", { name: words("tool") }),
  ].filter(Boolean);
  const conditions = Array.isArray(found["conditions"]) ? found["conditions"].map(String) : [];
  return (
    <>
      {facts.length > 0 && <p className="meta">{facts.join(" · ")}</p>}
      {text && <blockquote className="quoted">{/[*_`#|[\n]/.test(text) ? <Markdown text={text} /> : <p>{marked(text, first(answer)).map((one, index) => (one.marks ? <mark key={index} title={t("leans_on")}>{one.text}</mark> : one.text))}</p>}</blockquote>}
      {field && <p>{t("gave")} <a className="link" href={sessionAddress(sessionId, "state", { path: field })}><code>{field}</code></a></p>}
      {conditions.length > 0 && <ul>{conditions.map((one) => <li key={one}>{one}</li>)}</ul>}
    </>
  );
}

// The answer proper: what comes before its reasons, which quote the source whole.
const first = (answer: string): string => answer.split("\n").find((line) => line.trim()) ?? "";

async function supports(sessionId: string, turn: Turn | undefined, name: string): Promise<Record_ | null> {
  const here = lookUp(turn?.data?.["sections"], name);
  if (here || !turn) return here;
  try {
    const history = (await call<Page<Checkpoint>>(sessionPath(sessionId, "/history?limit=200"))).items;
    const at = history.find((one) => one.request_id === turn.id)?.checkpoint_id;
    const { state } = await call<StateAt>(sessionPath(sessionId, `/state${at ? `?checkpoint_id=${encodeURIComponent(at)}` : ""}`));
    return lookUp(state, name);
  } catch {
    return null;
  }
}

// The source's own words before a quotation of them, and that before the note of who used it.
const ABOUT = [["content", "details"], ["text"], ["tool"]];

function lookUp(value: unknown, name: string): Record_ | null {
  for (const keys of ABOUT) {
    const found = lookFor(value, name, keys);
    if (found) return found;
  }
  return null;
}

function lookFor(value: unknown, name: string, keys: string[], depth = 0): Record_ | null {
  if (!value || typeof value !== "object" || depth > 8) return null;
  const one = value as Record_;
  if (!Array.isArray(value)) {
    const named = [one["source"], one["citation"], one["law_name"] && `${String(one["law_name"])} ${String(one["article"])}`];
    const about = keys.some((key) => one[key]);
    if (about && named.some((each) => typeof each === "string" && each.length > 2 && (each === name || name.startsWith(each)))) return one;
  }
  for (const [key, inner] of Object.entries(one)) {
    const found = lookFor(inner, name, keys, depth + 1);
    // Where a value came from is noted under the value's own name.
    if (found) return found === inner && found["step_id"] ? { ...found, gave: key } : found;
  }
  return null;
}
