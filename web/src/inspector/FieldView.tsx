// One field: its value, where it came from, how it changed; changed by hand with a look at what would run again.

import { useEffect, useState } from "react";
import { call, sessionPath } from "../api/client";
import type { Record_ } from "../api/types";
import { t } from "../i18n";
import { goInstead, sessionAddress } from "../state/route";
import { flash } from "../state/toast";
import { Icon } from "../ui/Icon";
import { Redone } from "../understood/Redone";
import type { Preview } from "../understood/Redone";
import { CopyAs } from "./CopyAs";
import { isMasked, short, valueAt, without } from "./rows";
import { useAsked } from "./useAsked";

interface FieldFound {
  value: unknown;
  source: Record_ | null;
  history: { index: number; label: string; kind: string; value: unknown; previous: unknown; by?: string[] }[];
}

interface Given {
  sessionId: string;
  at: string | null;
  path: string;
  state: Record_;
  hidden: ReadonlySet<string>;
  close: () => void;
}

export function FieldView({ sessionId, at, path, state, hidden, close }: Given) {
  const address = sessionPath(sessionId, `/fields/${path.split(".").map(encodeURIComponent).join(".")}`);
  const { value: found } = useAsked<FieldFound>(address, state);
  const [editing, setEditing] = useState(false);
  // A path into a list (`[id]`) is followed by the server only.
  const value = valueAt(state, path) ?? found?.value;
  const masked = isMasked(path, hidden);
  const told = (one: unknown): unknown => (masked ? t("masked") : without(one, hidden, t("masked")));
  useEffect(() => setEditing(false), [path]);
  return (
    <section className="field-view" aria-label={path}>
      <div className="bar-row">
        <h3>{path}</h3>
        <button type="button" className="icon-button" aria-label={t("close")} onClick={close}><Icon name="close" size={15} /></button>
      </div>
      {editing ? <Edit sessionId={sessionId} path={path} value={value} done={() => setEditing(false)} /> : <pre tabIndex={0}><code>{masked ? t("masked") : (JSON.stringify(told(value), null, 2) ?? "—")}</code></pre>}
      {found?.source && <Source source={found.source} />}
      <div className="buttons">
        {!at && !editing && !masked && <button type="button" className="outlined small" onClick={() => setEditing(true)}><Icon name="edit" size={15} />{t("edit_value")}</button>}
        <CopyAs asked={{ path: address }} />
      </div>
      {found && found.history.length > 0 && (
        <>
          <h4>{t("field_history")}</h4>
          <ol className="field-history">
            {found.history.map((one) => (
              <li key={`${one.index}`}>
                <a href={sessionAddress(sessionId, "state", { at: one.label, path })}>#{one.index}</a>
                <span className="meta">{t(one.kind === "added" ? "was_added" : one.kind === "removed" ? "was_removed" : "was_changed")}{one.by?.length ? ` · ${t("written_by", { names: one.by.join(", ") })}` : ""}</span>
                <code>{masked ? t("masked") : short(one.value, Array.isArray(one.value) ? one.value.length : Object.keys((one.value as object | null) ?? {}).length)}</code>
              </li>
            ))}
          </ol>
        </>
      )}
    </section>
  );
}

function Source({ source }: { source: Record_ }) {
  const known = Object.entries(source).filter(([, value]) => value !== null && typeof value !== "object");
  return <dl className="facts">{known.map(([name, value]) => <div key={name}><dt>{name}</dt><dd>{String(value)}</dd></div>)}</dl>;
}

function Edit({ sessionId, path, value, done }: { sessionId: string; path: string; value: unknown; done: () => void }) {
  const [text, setText] = useState(() => JSON.stringify(value, null, 2) ?? "null");
  const [preview, setPreview] = useState<Preview | null>(null);
  const [why, setWhy] = useState("");
  const parsed = read(text);
  const address = sessionPath(sessionId, "/state");
  useEffect(() => {
    setPreview(null);
    setWhy(parsed.ok ? "" : t("not_json"));
    if (!parsed.ok || text === JSON.stringify(value, null, 2)) return;
    const timer = setTimeout(() => {
      call<Preview>(`${address}?preview=true`, { method: "POST", body: { changes: { [path]: parsed.value } } }).then(
        setPreview, (error: Error) => setWhy(error.message));
    }, 250);
    return () => clearTimeout(timer);
  }, [text]);
  const save = async (run: boolean): Promise<void> => {
    try {
      await call(address, { method: "POST", body: { changes: { [path]: parsed.value }, run } });
      done();
      goInstead(sessionAddress(sessionId, "state", { path }));
    } catch (error) {
      setWhy((error as Error).message);
    }
  };
  const branch = async (): Promise<void> => {
    try {
      const made = await call<{ session_id: string }>(sessionPath(sessionId, "/fork"), { method: "POST", body: {} });
      await call(sessionPath(made.session_id, "/state"), { method: "POST", body: { changes: { [path]: parsed.value } } });
      location.hash = `#/compare/${encodeURIComponent(sessionId)}/${encodeURIComponent(made.session_id)}`;
    } catch (error) {
      flash((error as Error).message);
    }
  };
  return (
    <form className="edit" onSubmit={(event) => { event.preventDefault(); void save(true); }}>
      <textarea className="code" aria-label={path} rows={Math.min(14, text.split("\n").length + 1)} value={text} spellCheck={false} onChange={(event) => setText(event.target.value)} />
      {why && <p className="notice bad" role="alert">{why}</p>}
      <Redone preview={preview} />
      <div className="buttons">
        <button type="submit" className="filled small" disabled={!parsed.ok}>{t("save_and_run")}</button>
        <button type="button" className="outlined small" disabled={!parsed.ok} onClick={() => void save(false)}>{t("save_only")}</button>
        <button type="button" className="outlined small" disabled={!parsed.ok} onClick={() => void branch()}><Icon name="fork" size={15} />{t("in_a_branch")}</button>
        <button type="button" className="quiet small" onClick={done}>{t("cancel")}</button>
      </div>
    </form>
  );
}

function read(text: string): { ok: boolean; value: unknown } {
  try {
    return { ok: true, value: JSON.parse(text) };
  } catch {
    return { ok: false, value: null };
  }
}
