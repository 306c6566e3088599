// ⌘K: conversations found by their content, and commands.

import { useEffect, useLayoutEffect, useRef, useState } from "react";
import { call } from "../api/client";
import type { Page, Session } from "../api/types";
import { speak, language, t } from "../i18n";
import { go, routing, sessionAddress } from "../state/route";
import { nameOf, sessions } from "../state/sessions";
import { paint, theme } from "../state/theme";
import { Mark } from "../ui/Mark";

interface Entry {
  key: string;
  label: string;
  note: string;
  mark: string | null;
  run: () => void;
}

export function Palette({ close }: { close: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [text, setText] = useState("");
  const [found, setFound] = useState<Session[]>([]);
  const [at, setAt] = useState(0);
  useLayoutEffect(() => dialog.current?.showModal(), []);
  useEffect(() => {
    let here = true;
    const timer = setTimeout(() => {
      const query = new URLSearchParams({ limit: "8", ...(text.trim() ? { q: text.trim() } : {}) });
      call<Page<Session>>(`/sessions?${query}`).then((page) => here && setFound(page.items), () => null);
    }, text ? 150 : 0);
    return () => {
      here = false;
      clearTimeout(timer);
    };
  }, [text]);
  const wanted = text.trim().toLowerCase();
  const entries = [...commands().filter((one) => one.label.toLowerCase().includes(wanted)), ...found.map(entryOf)];
  const run = (entry: Entry | undefined): void => {
    if (!entry) return;
    dialog.current?.close();
    close();
    entry.run();
    // A dialog gives the focus back to where it was; the command has led elsewhere.
    setTimeout(() => document.getElementById("question")?.focus());
  };
  const key = (event: React.KeyboardEvent): void => {
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (step) {
      event.preventDefault();
      setAt((now) => Math.max(0, Math.min(entries.length - 1, now + step)));
    } else if (event.key === "Enter" && !event.nativeEvent.isComposing) {
      event.preventDefault();
      run(entries[at]);
    }
  };
  return (
    <dialog ref={dialog} className="palette" aria-label={t("commands")} onClose={close} onClick={(event) => event.target === dialog.current && close()}>
      <input autoFocus role="combobox" aria-expanded="true" aria-controls="palette-list" aria-activedescendant={`entry-${at}`} aria-label={t("commands_hint")} placeholder={t("commands_hint")} value={text} onChange={(event) => { setText(event.target.value); setAt(0); }} onKeyDown={key} />
      <ul id="palette-list" role="listbox" aria-label={t("commands")}>
        {entries.map((entry, index) => (
          <li key={entry.key} id={`entry-${index}`} role="option" aria-selected={index === at} onClick={() => run(entry)} onPointerMove={() => setAt(index)}>
            {entry.mark !== null && <Mark name={entry.mark} />}<span>{entry.label}{entry.note && <small>{entry.note}</small>}</span>
          </li>
        ))}
        {!entries.length && <li className="meta">{t("no_commands")}</li>}
      </ul>
    </dialog>
  );
}

const entryOf = (session: Session): Entry => ({
  key: session.session_id, label: nameOf(session), note: session.snippet ?? "", mark: session.assistant ?? "", run: () => go(sessionAddress(session.session_id)),
});

function commands(): Entry[] {
  const { route } = routing.get();
  const plain = (key: string, label: string, run: () => void): Entry => ({ key, label, note: "", mark: null, run });
  const inside = route.page === "session" && route.id ? ["understood", "plan", "state", "history", "graph", "events"] as const : [];
  return [
    plain("new", t("new_conversation"), () => go("#/")),
    ...sessions.get().assistants.map((one) => ({ ...plain(`new ${one.name}`, `${t("new_conversation")}: ${one.title}`, () => go(`#/new/${encodeURIComponent(one.name)}`)), mark: one.name })),
    ...inside.map((view) => plain(view, `${t("open")}: ${t(view)}`, () => go(sessionAddress(route.id ?? "", view)))),
    plain("settings", t("settings"), () => go("#/settings")),
    plain("theme", theme.get().now === "dark" ? t("theme_light") : t("theme_dark"), () => paint(theme.get().now === "dark" ? "light" : "dark")),
    plain("language", language.get().now === "ko" ? "English" : "한국어", () => speak(language.get().now === "ko" ? "en" : "ko")),
  ];
}
