// A question that waits for an answer: choices and free text, or a draft to approve, change or reject.

import { useId, useRef, useState } from "react";
import { Markdown } from "../answer/Markdown";
import { shown, tableOf } from "../answer/figures";
import { Table } from "../answer/Table";
import type { Interrupt, Record_ } from "../api/types";
import { t } from "../i18n";
import { answer } from "../state/conversation";
import { flash } from "../state/toast";
import { Chips } from "../ui/Chips";
import { isSend } from "../ui/keys";
import { AskForm, filled } from "./AskForm";
import type { Form, Texts } from "./AskForm";

const isPlain = (value: unknown): boolean => value === null || ["string", "number", "boolean"].includes(typeof value);
const draftText = (draft: unknown): string | null =>
  typeof draft === "string" ? draft : typeof (draft as Record_ | null)?.["markdown"] === "string" ? String((draft as Record_)["markdown"]) : null;

// A draft that is repeated in its question is shown once, on its sheet.
export function questionText(asked: Interrupt): string {
  const text = String(asked.question || asked.value || t("check_please"));
  const draft = draftText(asked.draft);
  return draft ? text.replace(draft.trim(), "").trim() : text;
}

export function AskCard({ turn, asked }: { turn: string; asked: Interrupt }) {
  return asked.kind === "approval" ? <Approval turn={turn} asked={asked} /> : <Clarification turn={turn} asked={asked} />;
}

function Clarification({ turn, asked }: { turn: string; asked: Interrupt }) {
  const [text, setText] = useState("");
  const [texts, setTexts] = useState<Texts>({});
  const form = formOf(asked);
  const send = (value: unknown): void => answer(turn, asked.interrupt_id, value, typeof value === "object" ? JSON.stringify(value) : String(value));
  const submit = (): void => {
    const { values, words } = filled(form ?? {}, texts);
    const note = text.trim();
    const said = [words, note].filter(Boolean).join(", ");
    if (words) answer(turn, asked.interrupt_id, { fields: values, said, ...(note ? { note } : {}) }, said);
    else if (note) send(note);
    else place.current?.focus();
  };
  const place = useRef<HTMLTextAreaElement>(null);
  return (
    <section className="sheet" aria-label={t("asked_of_you")}>
      <div className="asks"><Markdown text={questionText(asked)} /></div>
      <Known draft={asked.draft} />
      {asked.choices?.length ? <Chips choices={asked.choices} pick={send} /> : null}
      <form onSubmit={(event) => { event.preventDefault(); submit(); }}>
        {form && <AskForm form={form} texts={texts} set={setTexts} all={false} />}
        <textarea ref={place} rows={2} aria-label={t("your_answer")} placeholder={form ? t("or_in_words") : t("answer_here")} value={text} onChange={(event) => setText(event.target.value)}
          onKeyDown={(event) => { if (isSend(event)) { event.preventDefault(); submit(); } }} />
        <div className="buttons"><button type="submit" className="filled">{t("give_answer")}</button></div>
      </form>
    </section>
  );
}

// What a form has already, where the assistant shows it under names that people read.
function Known({ draft }: { draft: unknown }) {
  const text = draftText(draft);
  if (text) return <Sheet text={text} />;
  const named = Object.entries((draft ?? {}) as Record_).filter(([name, value]) => /[가-힣]/.test(name) && isPlain(value));
  const table = named.length ? tableOf([Object.fromEntries(named)]) : null;
  return table && <Table {...table} />;
}

const formOf = (asked: Interrupt): Form | null => (Object.keys((asked.form as Form | null)?.properties ?? {}).length ? (asked.form as Form) : null);

const Sheet = ({ text }: { text: string }) => <div className="draft" tabIndex={0} role="region" aria-label={t("draft")}><Markdown text={text} /></div>;

function Approval({ turn, asked }: { turn: string; asked: Interrupt }) {
  const [changed, setChanged] = useState<{ [name: string]: unknown }>({});
  const [note, setNote] = useState("");
  const [texts, setTexts] = useState<Texts>({});
  const form = formOf(asked);
  const typed = filled(form ?? {}, texts);
  const place = useRef<HTMLTextAreaElement>(null);
  const text = draftText(asked.draft);
  const decide = (decision: string, label: string): void => {
    const all = { ...changed, ...typed.values };
    const words = [...Object.entries(changed).map(([name, value]) => `${name} ${shown(value)}`), typed.words, note.trim()].filter(Boolean).join(", ");
    if (decision === "modify" && !words) {
      place.current?.focus();
      return flash(t("say_what"));
    }
    const changes = decision === "modify" && Object.keys(all).length ? { changes: all } : {};
    // With a form the fields say what is changed; the note is only what was written beside it.
    answer(turn, asked.interrupt_id, { decision, note: form ? note.trim() : words, ...(form ? { said: words } : {}), ...changes }, words ? `${label}: ${words}` : label);
  };
  const set = (name: string, value: unknown, same: boolean): void =>
    setChanged(({ [name]: _, ...others }) => (same ? others : { ...others, [name]: value }));
  return (
    <section className="sheet" aria-label={t("approval")}>
      <div className="asks"><Markdown text={questionText(asked)} /></div>
      {text && <Sheet text={text} />}
      {form ? <AskForm form={form} texts={texts} set={setTexts} all /> : !text && asked.draft && typeof asked.draft === "object" ? <Fields draft={asked.draft as Record_} set={set} /> : null}
      <textarea ref={place} rows={2} placeholder={t("note_hint")} aria-label={t("note")} value={note} onChange={(event) => setNote(event.target.value)} />
      <div className="buttons">
        <button type="button" className="filled" onClick={() => decide("approve", t("approve"))}>{t("approve")}</button>
        <button type="button" className="outlined" onClick={() => decide("modify", t("modified"))}>{t("modify")}</button>
        <button type="button" className="outlined warning" onClick={() => decide("reject", t("reject"))}>{t("reject")}</button>
      </div>
    </section>
  );
}

function Fields({ draft, set }: { draft: Record_; set: (name: string, value: unknown, same: boolean) => void }) {
  return (
    <div className="fields">
      {Object.entries(draft).map(([name, value]) =>
        isPlain(value) && String(value ?? "").length < 200 ? (
          <DraftField key={name} name={name} value={value} set={set} />
        ) : (
          <div key={name} className="field">
            <span className="name">{name}</span>
            <div>{typeof value === "string" ? <Markdown text={value} /> : <Known draft={value} />}</div>
          </div>
        ),
      )}
    </div>
  );
}

function DraftField({ name, value, set }: { name: string; value: unknown; set: (name: string, value: unknown, same: boolean) => void }) {
  const id = useId();
  const before = String(value ?? "");
  const [text, setText] = useState(before);
  const change = (now: string): void => {
    setText(now);
    set(name, typeof value === "number" && /^-?[\d,.]+$/.test(now) ? Number(now.replaceAll(",", "")) : now, now === before);
  };
  return (
    <div className="field">
      <label htmlFor={id}>{name}</label>
      <input id={id} value={text} className={text === before ? "" : "changed"} inputMode={typeof value === "number" ? "decimal" : "text"} onChange={(event) => change(event.target.value)} />
    </div>
  );
}
