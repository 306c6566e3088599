// The conversations: found by their content, renamed, archived, deleted with a way back.

import { useRef, useState } from "react";
import type { Session } from "../api/types";
import { dayOf, t } from "../i18n";
import { close, conversation } from "../state/conversation";
import { go, sessionAddress } from "../state/route";
import { archive, list, nameOf, remove, rename, searchFor, sessions, showArchived } from "../state/sessions";
import { useStore } from "../state/store";
import { Icon } from "../ui/Icon";
import { Mark } from "../ui/Mark";
import { ModelLine } from "./Model";

export function Sidebar({ open, dismiss }: { open: boolean; dismiss: () => void }) {
  const { items, next, loaded, search, archived } = useStore(sessions, (now) => now);
  const current = useStore(conversation, (now) => now.id);
  // A conversation in which nobody has said anything is no entry, unless it is this one.
  const shown = items.filter((one) => one.message_count !== 0 || one.title || one.session_id === current);
  let day = "";
  return (
    <nav id="sessions" className={`side${open ? " open" : ""}`} aria-label={t("conversation")}>
      <div className="side-top">
        <a className="brand" href="#/" onClick={dismiss}><Mark name="" />{t("app")}</a>
        <button type="button" className="icon-button phone" aria-label={t("close_sessions")} onClick={dismiss}><Icon name="close" /></button>
      </div>
      <button type="button" id="new" className="outlined wide" onClick={() => { go("#/"); dismiss(); document.getElementById("question")?.focus(); }}><Icon name="plus" />{t("new_conversation")}</button>
      <label className="find"><Icon name="search" size={16} /><input type="search" aria-label={t("find")} placeholder={t("find")} value={search} onChange={(event) => searchFor(event.target.value)} /></label>
      <ul id="session-list">
        {shown.map((session) => {
          const heading = dayOf(session.updated_at);
          const first = heading !== day;
          day = heading;
          return [
            first && <li key={`day ${heading}`} className="day">{heading}</li>,
            <Row key={session.session_id} session={session} current={session.session_id === current} dismiss={dismiss} />,
          ];
        })}
        {loaded && !shown.length && <li className="day">{search.trim() ? t("none_found") : t("none_yet")}</li>}
      </ul>
      {next && <button type="button" className="quiet" onClick={() => void list(true)}>{t("more")}</button>}
      <div className="side-bottom">
        <button type="button" className="quiet row-link" aria-pressed={archived} onClick={() => showArchived(!archived)}><Icon name="box" />{archived ? t("all_conversations") : t("archived")}</button>
        <a className="quiet row-link" href="#/settings" onClick={dismiss}><Icon name="gear" />{t("settings")}</a>
        <ModelLine />
      </div>
    </nav>
  );
}

function Row({ session, current, dismiss }: { session: Session; current: boolean; dismiss: () => void }) {
  const [renaming, setRenaming] = useState(false);
  const menu = useRef<HTMLDivElement>(null);
  const name = nameOf(session);
  const id = `menu-${session.session_id}`;
  const act = (run: () => void) => () => {
    menu.current?.hidePopover();
    run();
  };
  const forget = async (): Promise<void> => {
    if (current) close();
    if (await remove(session) && current) go("#/");
  };
  if (renaming) return <li className="row"><Rename session={session} done={() => setRenaming(false)} /></li>;
  return (
    <li className="row">
      <a className="open" href={sessionAddress(session.session_id)} title={name} aria-current={current ? "true" : undefined} onClick={dismiss}>
        <Mark name={session.assistant ?? ""} /><span>{name}{session.snippet && <small>{session.snippet}</small>}</span>
      </a>
      <button type="button" className="icon-button more" popoverTarget={id} aria-label={t("row_menu", { name })}><Icon name="more" /></button>
      <div ref={menu} id={id} popover="auto" className="menu">
        <button type="button" onClick={act(() => setRenaming(true))}><Icon name="edit" />{t("rename")}</button>
        <button type="button" onClick={act(() => void archive(session, !session.archived))}><Icon name="box" />{session.archived ? t("unarchive") : t("archive")}</button>
        <button type="button" className="warning" onClick={act(() => void forget())}><Icon name="trash" />{t("delete")}</button>
      </div>
    </li>
  );
}

export function Rename({ session, done }: { session: Session; done: () => void }) {
  const [name, setName] = useState(session.title ?? "");
  const over = useRef(false);
  const finish = async (keep: boolean): Promise<void> => {
    if (over.current) return;
    over.current = true;
    if (keep && name.trim() && name.trim() !== session.title) {
      const changed = await rename(session.session_id, name.trim());
      if (changed && conversation.get().id === session.session_id) conversation.set((now) => ({ session: now.session && { ...now.session, title: changed.title } }));
    }
    done();
  };
  return (
    <form className="rename" onSubmit={(event) => { event.preventDefault(); void finish(true); }}>
      <input autoFocus aria-label={t("new_name")} value={name} maxLength={500} onFocus={(event) => event.target.select()} onChange={(event) => setName(event.target.value)}
        onBlur={() => void finish(true)} onKeyDown={(event) => { if (event.key === "Escape") { event.stopPropagation(); void finish(false); } }} />
    </form>
  );
}
