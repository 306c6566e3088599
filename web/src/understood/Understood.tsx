// What I understood: the assistant's inputs as a form. Setting one shows what will be redone, and only that is redone.

import { useEffect, useMemo, useState } from "react";
import { Refused, call, sessionPath } from "../api/client";
import type { InputSchema, InputValue } from "../api/types";
import { t, useLanguage } from "../i18n";
import { beginWithInputs, conversation, setInputs } from "../state/conversation";
import { detailsOf } from "../state/details";
import { useStore } from "../state/store";
import { isBusy } from "../state/turns";
import { Field } from "./Field";
import { Redone } from "./Redone";
import type { Preview } from "./Redone";
import { fromText, toText } from "./values";

const FIRST = 9;

interface Given {
  assistant: string;
  sessionId: string | null;
  field: string | null;
  whole: boolean;
}

export default function Understood({ assistant, sessionId, field, whole }: Given) {
  const [schema, setSchema] = useState<{ [name: string]: InputSchema } | null>(null);
  // Null until it is there: nobody should type into a field whose value is about to come.
  const [read, setRead] = useState<{ of: string | null; values: InputValue[] } | null>(null);
  const loaded = read?.of === sessionId ? read.values : null;
  const known = useMemo(() => loaded ?? [], [loaded]);
  const [texts, setTexts] = useState<{ [name: string]: string }>({});
  const [all, setAll] = useState(whole);
  const spoken = useLanguage();
  const last = useStore(conversation, (now) => now.log.turns.at(-1)?.endedAt ?? "");
  const busy = useStore(conversation, (now) => isBusy(now.log));
  useEffect(() => {
    let here = true;
    void detailsOf(assistant).then((one) => here && setSchema(one.inputs.properties ?? {}));
    return () => {
      here = false;
    };
  }, [assistant, spoken]);
  useEffect(() => {
    let here = true;
    const keep = (values: InputValue[]): void => {
      if (here) setRead({ of: sessionId, values });
    };
    if (sessionId) call<InputValue[]>(sessionPath(sessionId, "/inputs")).then(keep, () => here && setRead((now) => (now?.of === sessionId ? now : { of: sessionId, values: [] })));
    else keep([]);
    return () => {
      here = false;
    };
  }, [sessionId, last, spoken]);
  useEffect(() => setTexts({}), [sessionId]);
  useEffect(() => setAll((now) => now || whole), [whole]);

  const values = useMemo(() => new Map(known.map((one) => [one.field, one])), [known]);
  const changes = useMemo(() => changed(schema ?? {}, values, texts), [schema, values, texts]);
  const { preview, problems } = usePreview(sessionId, changes, busy);
  if (!schema || !loaded) return <p className="meta">{t("loading")}</p>;
  if (!Object.keys(schema).length) return <p className="meta empty">{t("no_inputs")}</p>;

  const task = texts["task"] ?? toText(values.get("task")?.value, {});
  const filled = (name: string): boolean => name in texts || toText(values.get(name)?.value, {}) !== "";
  const invited = (name: string): boolean => Boolean(task && schema[name]?.["x-serves"]?.includes(task));
  const names = Object.keys(schema);
  const begun = names.some((name) => filled(name));
  // Where nothing was said yet, the first ones invite; they are declared in the order of their weight.
  const shown = names.filter((name, index) => name === "task" || all || filled(name) || invited(name) || name === field || (!begun && index < FIRST));
  const hidden = names.length - shown.length;
  const apply = (): void => {
    setTexts({});
    if (sessionId) setInputs(sessionId, changes);
    else beginWithInputs(assistant, changes);
  };
  return (
    <form className="understood" onSubmit={(event) => { event.preventDefault(); if (Object.keys(changes).length) apply(); }}>
      {!known.some((one) => toText(one.value, {})) && <p className="meta">{t("fill_in")}</p>}
      {shown.map((name) => (
        <Field key={name} name={name} schema={schema[name] ?? {}} known={values.get(name)} text={texts[name]} marked={name === field}
          problem={problems[name]} empty={begun ? t("not_said") : ""} change={(text) => setTexts((now) => ({ ...now, [name]: text }))} />
      ))}
      {(hidden > 0 || all) && <button type="button" className="quiet small" onClick={() => setAll(!all)}>{all ? t("fewer") : t("all_inputs", { count: hidden })}</button>}
      {Object.keys(changes).length > 0 && (
        <div className="apply">
          <Redone preview={preview} />
          <div className="buttons">
            <button type="submit" className="filled" disabled={busy || Object.keys(problems).length > 0}>{sessionId ? t("redo") : t("begin")}</button>
            <button type="button" className="quiet" onClick={() => setTexts({})}>{t("undo")}</button>
          </div>
        </div>
      )}
    </form>
  );
}

function changed(schema: { [name: string]: InputSchema }, values: Map<string, InputValue>, texts: { [name: string]: string }): { [name: string]: unknown } {
  const given = Object.entries(texts).filter(([name, text]) => text !== toText(values.get(name)?.value, schema[name] ?? {}));
  return Object.fromEntries(given.map(([name, text]) => [name, value(text, schema[name] ?? {})]));
}

const value = (text: string, schema: InputSchema): unknown => (schema.type === "boolean" && text ? text === "true" : fromText(text, schema));

interface Previewed {
  preview: Preview | null;
  problems: { [name: string]: string };
}

// What a change would make run again, asked for once it has stood for a moment.
function usePreview(sessionId: string | null, changes: { [name: string]: unknown }, busy: boolean): Previewed {
  const [preview, setPreview] = useState<Previewed>({ preview: null, problems: {} });
  const key = JSON.stringify(changes);
  useEffect(() => {
    setPreview({ preview: null, problems: {} });
    if (!sessionId || key === "{}" || busy) return;
    let here = true;
    const timer = setTimeout(() => {
      call<Preview>(sessionPath(sessionId, "/inputs?preview=true"), { method: "PATCH", body: changes }).then(
        (found) => here && setPreview({ preview: found, problems: {} }),
        (error: unknown) => here && setPreview({ preview: null, problems: problemsOf(error) }),
      );
    }, 250);
    return () => {
      here = false;
      clearTimeout(timer);
    };
  }, [sessionId, key, busy]);
  return preview;
}

function problemsOf(error: unknown): { [name: string]: string } {
  const listed = error instanceof Refused ? (error.detail as { problems?: { field: string; reason: string; allowed?: string }[] } | null)?.problems : null;
  return Object.fromEntries((listed ?? []).map((one) => [one.field, one.allowed ? `${one.reason} (${one.allowed})` : one.reason]));
}
