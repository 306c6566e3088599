// What the user said, with how it was read: claimed words underlined, words that nobody could use marked.

import { useState } from "react";
import type { Reading, Record_ } from "../api/types";
import { t } from "../i18n";
import { records } from "../answer/figures";
import { Icon } from "../ui/Icon";
import { isSend } from "../ui/keys";

interface Piece {
  text: string;
  field: string | null;
  left: boolean;
}

// Offsets count code points of the message as it was sent.
export function pieces(text: string, reading: Reading | null): Piece[] {
  const letters = Array.from(text);
  const marks = [
    ...(reading?.claims ?? []).map((one) => ({ span: one.span, words: one.words, field: one.field, left: false })),
    ...(reading?.left ?? []).map((one) => ({ span: one.span, words: one.words, field: null, left: true })),
  ].filter((one) => one.span && one.field !== "aside" && letters.slice(one.span[0], one.span[1]).join("") === one.words);
  marks.sort((a, b) => (a.span?.[0] ?? 0) - (b.span?.[0] ?? 0) || (b.span?.[1] ?? 0) - (a.span?.[1] ?? 0));
  const made: Piece[] = [];
  let at = 0;
  for (const { span, field, left } of marks) {
    if (!span || span[0] < at) continue;
    if (span[0] > at) made.push({ text: letters.slice(at, span[0]).join(""), field: null, left: false });
    made.push({ text: letters.slice(span[0], span[1]).join(""), field, left });
    at = span[1];
  }
  if (at < letters.length) made.push({ text: letters.slice(at).join(""), field: null, left: false });
  return made;
}

interface Given {
  text: string;
  files: string[] | undefined;
  reading: Reading | null;
  data: Record_ | null;
  openField: (field: string) => void;
  ended: boolean;
  resend?: ((text: string) => void) | undefined;
}

// A contract that was pasted shouldn't stand between a question and its answer.
const LONG = { letters: 700, lines: 14 };
const isLong = (text: string): boolean => text.length > LONG.letters || text.split("\n").length > LONG.lines;

export function UserMessage({ text, files, reading, data, openField, ended, resend }: Given) {
  const [editing, setEditing] = useState(false);
  const [whole, setWhole] = useState(false);
  const long = isLong(text);
  if (editing && resend) return <Edit text={text} send={(now) => { setEditing(false); resend(now); }} stop={() => setEditing(false)} />;
  const left = ended ? pieces(text, reading).filter((one) => one.left).map((one) => one.text.trim()) : [];
  const read = new Map(records(data?.["read"]).map((one) => [String(one["field"]), String(one["text"] ?? "")]));
  return (
    <div className="asked-row">
      {resend && <button type="button" className="icon-button edit-asked" aria-label={t("edit_question")} title={t("edit_question")} onClick={() => setEditing(true)}><Icon name="edit" size={15} /></button>}
      <div className={long && !whole ? "asked folded" : "asked"} onFocus={() => setWhole(true)}>
        {pieces(text, reading).map((one, index) => {
          if (one.left) return <mark key={index} className="left" title={t("not_read")}>{one.text}</mark>;
          if (!one.field) return one.text;
          const field = one.field;
          return <span key={index} role="button" tabIndex={0} className="claim" title={read.get(field) || field}
            onClick={() => openField(field)} onKeyDown={(event) => { if (event.key === "Enter" || event.key === " ") { event.preventDefault(); openField(field); } }}>{one.text}</span>;
        })}
      </div>
      {long && <button type="button" className="quiet small" aria-expanded={whole} onClick={() => setWhole(!whole)}>{t(whole ? "show_less" : "show_all")}</button>}
      {left.length > 0 && <button type="button" className="quiet small" onClick={() => askAgain(left.join(" "))}><Icon name="edit" size={13} />{t("ask_left")}</button>}
      {files?.map((name) => <span key={name} className="file"><Icon name="clip" size={14} />{name}</span>)}
    </div>
  );
}

// Into the line one types in, to be said in other words.
function askAgain(words: string): void {
  dispatchEvent(new CustomEvent("madang:handback", { detail: words }));
  document.getElementById("question")?.focus();
}

function Edit({ text, send, stop }: { text: string; send: (text: string) => void; stop: () => void }) {
  const [now, setNow] = useState(text);
  const submit = (): void => {
    if (now.trim()) send(now.trim());
  };
  return (
    <form className="edit-question" onSubmit={(event) => { event.preventDefault(); submit(); }}>
      <textarea autoFocus rows={3} aria-label={t("edit_question")} value={now} onChange={(event) => setNow(event.target.value)}
        onKeyDown={(event) => { if (isSend(event)) { event.preventDefault(); submit(); } else if (event.key === "Escape") { event.stopPropagation(); stop(); } }} />
      <div className="buttons"><button type="submit" className="filled small">{t("resend")}</button><button type="button" className="quiet small" onClick={stop}>{t("cancel")}</button></div>
    </form>
  );
}
