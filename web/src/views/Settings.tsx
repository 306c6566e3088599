// Yours: who one is, what is remembered, preferences, language, colours, and which model answers.

import { useEffect, useState } from "react";
import { call } from "../api/client";
import { dropKey, readKey } from "../api/key";
import type { AssistantDetails, InputSchema, Record_ } from "../api/types";
import { dateTime, speak, t, useLanguage } from "../i18n";
import { useAsked } from "../inspector/useAsked";
import { sessions } from "../state/sessions";
import { useStore } from "../state/store";
import { paint, theme } from "../state/theme";
import type { Theme } from "../state/theme";
import { flash } from "../state/toast";
import { Keys } from "./Keys";
import { Model } from "./Model";

export default function Settings() {
  return (
    <div id="conversation">
      <div className="settings">
        <Me />
        <Looks />
        <section aria-labelledby="model-title"><h2 id="model-title">{t("model")}</h2><Model /></section>
        <Memory />
        <Numbers />
      </div>
    </div>
  );
}

interface Who {
  name?: string | null;
  company_id?: string | null;
  role?: string;
  local?: boolean;
  method?: "local" | "api_key" | "token";
}

function Me() {
  const { value: me } = useAsked<Who>("/me");
  const out = (): void => {
    dropKey();
    location.hash = "#/";
    location.reload();
  };
  return (
    <>
      <section aria-labelledby="me-title">
        <h2 id="me-title">{t("who_am_i")}</h2>
        {me ? <p>{me.local ? t("local_user") : [me.name, me.company_id, me.role].filter(Boolean).join(" · ")}{me.method && me.method !== "local" && <span className="label">{t(`method_${me.method}`)}</span>}</p> : <p className="meta">{readKey() ? t("signed_in") : t("local_user")}</p>}
        {readKey() && <button type="button" className="outlined" onClick={out}>{t("sign_out")}</button>}
      </section>
      {me && !me.local && <Keys mayMake={me.method === "api_key"} leave={out} />}
    </>
  );
}

function Looks() {
  const language = useLanguage();
  const chosen = useStore(theme, (now) => now.chosen);
  return (
    <section aria-labelledby="looks-title">
      <h2 id="looks-title">{t("looks")}</h2>
      <div className="field"><label htmlFor="language">{t("language")}</label>
        <select id="language" value={language} onChange={(event) => speak(event.target.value as "ko" | "en")}><option value="ko">한국어</option><option value="en">English</option></select></div>
      <div className="field"><label htmlFor="theme">{t("theme")}</label>
        <select id="theme" value={chosen} onChange={(event) => paint(event.target.value as Theme)}>
          <option value="system">{t("theme_system")}</option><option value="light">{t("theme_light")}</option><option value="dark">{t("theme_dark")}</option>
        </select></div>
    </section>
  );
}

interface Remembered {
  sessions: Record_[];
  preferences: Record_;
}

function Memory() {
  const [known, setKnown] = useState<Remembered | null>(null);
  const [asking, setAsking] = useState(false);
  const declared = useDeclared();
  const read = (): void => void call<Remembered>("/memory").then(setKnown, (error: Error) => flash(error.message));
  useEffect(read, []);
  const forget = async (id?: string): Promise<void> => {
    await call(`/memory${id ? `?session_id=${encodeURIComponent(id)}` : ""}`, { method: "DELETE" }).catch((error: Error) => flash(error.message));
    setAsking(false);
    read();
  };
  const set = async (name: string, value: unknown): Promise<void> => {
    await call("/memory/preferences", { method: "PUT", body: { [name]: value } }).catch((error: Error) => flash(error.message));
    read();
  };
  if (!known) return null;
  const preferences = Object.entries(known.preferences);
  return (
    <section aria-labelledby="memory-title">
      <h2 id="memory-title">{t("memory")}</h2>
      <h3>{t("preferences")}</h3>
      {preferences.map(([name, value]) => <Preference key={`${name} ${JSON.stringify(value)}`} name={name} schema={declared[name]} value={value} set={set} />)}
      <NewPreference set={set} />
      <h3>{t("remembered")}</h3>
      {!known.sessions.length && <p className="meta">{t("nothing_remembered")}</p>}
      <ul className="memories">
        {known.sessions.map((one, index) => (
          <li key={index}>
            <span>{String(one["summary"] ?? one["text"] ?? one["content"] ?? JSON.stringify(one))}<small>{one["updated_at"] || one["created_at"] ? dateTime(String(one["updated_at"] ?? one["created_at"])) : ""}</small></span>
            {typeof one["session_id"] === "string" && <button type="button" className="quiet small" onClick={() => void forget(String(one["session_id"]))}>{t("forget")}</button>}
          </li>
        ))}
      </ul>
      {known.sessions.length > 0 && (asking ? (
        <div className="buttons"><button type="button" className="outlined warning" onClick={() => void forget()}>{t("forget_really")}</button><button type="button" className="quiet" onClick={() => setAsking(false)}>{t("cancel")}</button></div>
      ) : <button type="button" className="outlined warning" onClick={() => setAsking(true)}>{t("forget_all")}</button>)}
    </section>
  );
}

// What assistants call their inputs: a preference that bears the name of one is shown as that one is.
function useDeclared(): { [name: string]: InputSchema } {
  const assistants = useStore(sessions, (now) => now.assistants);
  const [found, setFound] = useState<{ [name: string]: InputSchema }>({});
  useEffect(() => {
    const asked = assistants.map((one) => call<AssistantDetails>(`/assistants/${encodeURIComponent(one.name)}`).catch(() => null));
    void Promise.all(asked).then((all) => setFound(Object.assign({}, ...all.map((one) => one?.inputs.properties ?? {})) as typeof found));
  }, [assistants]);
  return found;
}

const told = (value: unknown): string => (Array.isArray(value) ? value.join(", ") : typeof value === "object" ? JSON.stringify(value) : String(value ?? ""));

// A list stays a list, a number a number.
function like(text: string, before: unknown): unknown {
  if (Array.isArray(before)) return text.split(",").map((one) => one.trim()).filter(Boolean);
  return typeof before === "number" && text.trim() !== "" && !Number.isNaN(Number(text)) ? Number(text) : text;
}

interface Preferred {
  name: string;
  schema: InputSchema | undefined;
  value: unknown;
  set: (name: string, value: unknown) => Promise<void>;
}

function Preference({ name, schema, value, set }: Preferred) {
  const [text, setText] = useState(told(value));
  const title = schema?.title ?? name;
  const shared = { id: `preference-${name}`, value: text };
  const choices = schema?.oneOf?.some((one) => one.const === value) ? schema.oneOf : null;
  return (
    <form className="field preference" onSubmit={(event) => { event.preventDefault(); void set(name, like(text, value)); }}>
      <label htmlFor={shared.id}>{title}</label>
      <span>
        {choices ? (
          <select {...shared} onChange={(event) => setText(event.target.value)}>{choices.map((one) => <option key={one.const} value={one.const}>{one.title}</option>)}</select>
        ) : <input {...shared} onChange={(event) => setText(event.target.value)} />}
        {text !== told(value) && <button type="submit" className="filled small">{t("save")}</button>}
        <button type="button" className="quiet small" aria-label={`${t("delete")}: ${title}`} onClick={() => void set(name, null)}>{t("delete")}</button>
      </span>
    </form>
  );
}

function NewPreference({ set }: { set: (name: string, value: unknown) => Promise<void> }) {
  const [name, setName] = useState("");
  const [value, setValue] = useState("");
  return (
    <form className="new-preference" onSubmit={(event) => { event.preventDefault(); if (name.trim() && value.trim()) { void set(name.trim(), value.trim()); setName(""); setValue(""); } }}>
      <input aria-label={t("preference_name")} placeholder={t("preference_name")} value={name} onChange={(event) => setName(event.target.value)} />
      <input aria-label={t("preference_value")} placeholder={t("preference_value")} value={value} onChange={(event) => setValue(event.target.value)} />
      <button type="submit" className="outlined" disabled={!name.trim() || !value.trim()}>{t("add")}</button>
    </form>
  );
}

function Numbers() {
  const { value } = useAsked<{ sessions: number; running: number; database: { backend: string; total_bytes: number } | null }>("/stats");
  if (!value) return null;
  return (
    <section aria-labelledby="numbers-title">
      <h2 id="numbers-title">{t("numbers")}</h2>
      <p className="meta">{t("number_of_sessions", { count: value.sessions })}{value.database ? ` · ${value.database.backend} ${(value.database.total_bytes / 1e6).toFixed(1)} MB` : ""}</p>
      <p className="meta"><a href="/docs">API</a></p>
    </section>
  );
}
