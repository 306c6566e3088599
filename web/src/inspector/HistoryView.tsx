// The checkpoints in time, grouped by turn. One shows its state, two their difference; any of them can be forked.

import { useEffect, useMemo, useRef, useState } from "react";
import { call, sessionPath } from "../api/client";
import type { Checkpoint, Page, Session } from "../api/types";
import { dateTime, t, time } from "../i18n";
import { go, goInstead, sessionAddress } from "../state/route";
import { flash } from "../state/toast";
import { questionOf } from "../state/turns";
import type { Log } from "../state/turns";
import { Icon } from "../ui/Icon";
import { CopyAs } from "./CopyAs";
import { DiffView } from "./DiffView";

interface Given {
  sessionId: string;
  assistant: string | null;
  log: Log;
  from: string | null;
  to: string | null;
  fresh: string;
}

export default function HistoryView({ sessionId, assistant, log, from, to, fresh }: Given) {
  const [items, setItems] = useState<Checkpoint[]>([]);
  const [next, setNext] = useState<string | null>(null);
  const [why, setWhy] = useState("");
  const place = useRef<HTMLDivElement>(null);
  const path = (cursor: string | null): string => sessionPath(sessionId, `/history?limit=100${cursor ? `&cursor=${encodeURIComponent(cursor)}` : ""}`);
  useEffect(() => {
    let here = true;
    call<Page<Checkpoint>>(path(null)).then((page) => {
      if (!here) return;
      setItems(page.items);
      setNext(page.next_cursor);
    }, (error: Error) => here && setWhy(error.message));
    return () => {
      here = false;
    };
  }, [sessionId, fresh]);
  const more = async (): Promise<void> => {
    const page = await call<Page<Checkpoint>>(path(next)).catch((error: Error) => flash(error.message));
    if (!page) return;
    setItems((now) => [...now, ...page.items]);
    setNext(page.next_cursor);
  };
  const turns = useMemo(() => grouped(items), [items]);
  // The first click chooses one; the second, with another, the difference.
  const choose = (id: string): void => {
    const chosen = from && !to && from !== id ? { from, to: id } : { from: id, to: null };
    goInstead(sessionAddress(sessionId, "history", chosen));
  };
  const walk = (event: React.KeyboardEvent): void => {
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (!step) return;
    event.preventDefault();
    const buttons = [...(place.current?.querySelectorAll<HTMLButtonElement>("button.checkpoint") ?? [])];
    buttons[Math.max(0, Math.min(buttons.length - 1, buttons.indexOf(document.activeElement as HTMLButtonElement) + step))]?.focus();
  };
  if (why) return <p className="notice bad">{why}</p>;
  const ordered = inOrder(items, from, to);
  return (
    <div className="history-view">
      {from && (
        <section className="chosen-checkpoints">
          <div className="buttons">
            <a className="outlined small" href={sessionAddress(sessionId, "state", { at: from })}><Icon name="eye" size={15} />{t("show_state")}</a>
            <button type="button" className="outlined small" onClick={() => void fork(sessionId, from)}><Icon name="fork" size={15} />{t("fork_here")}</button>
            <CopyAs asked={{ path: to ? sessionPath(sessionId, `/diff?from=${ordered[0]}&to=${ordered[1]}`) : sessionPath(sessionId, `/state?checkpoint_id=${from}`) }} />
          </div>
          {to ? <DiffView sessionId={sessionId} assistant={assistant} from={ordered[0]} to={ordered[1]} /> : <p className="meta">{t("pick_second")}</p>}
        </section>
      )}
      <div ref={place} className="timeline" role="group" aria-label={t("history")} onKeyDown={walk}>
        {turns.map((group) => {
          const turn = log.turns.find((one) => one.id === group.request || (group.run !== null && one.runId === group.run));
          return (
            <section key={group.key} className="timeline-turn">
              <h3 title={group.items[0]?.created_at ? dateTime(group.items[0].created_at) : ""}>{(turn && questionOf(turn)) || t("turn")}</h3>
              <ol>
                {group.items.map((one) => (
                  <li key={one.checkpoint_id}>
                    <button type="button" className="checkpoint" aria-pressed={one.checkpoint_id === from || one.checkpoint_id === to} onClick={() => choose(one.checkpoint_id)}>
                      <span className="dot" aria-hidden="true" />
                      <span className="node">{one.next.includes("__start__") ? t("start_of_turn") : one.next.length ? `→ ${[...new Set(one.next)].join(", ")}` : t("end_of_turn")}</span>
                      <span className="meta">{(one.step ?? -1) >= 0 ? `#${one.step} · ` : ""}{one.created_at ? time(one.created_at) : ""}</span>
                    </button>
                  </li>
                ))}
              </ol>
            </section>
          );
        })}
        {!items.length && <p className="meta">{t("no_checkpoints")}</p>}
        {next && <button type="button" className="quiet small" onClick={() => void more()}>{t("more")}</button>}
      </div>
    </div>
  );
}

interface Group {
  key: string;
  request: string | null;
  run: string | null;
  items: Checkpoint[];
}

function grouped(items: Checkpoint[]): Group[] {
  const groups: Group[] = [];
  for (const one of items) {
    const last = groups.at(-1);
    // What a turn begins with still holds the turn before, and a plain graph's checkpoints know their run only.
    const begins = one.next.includes("__start__") || one.request_id === null;
    const same = begins ? one.run_id === null || last?.items.at(-1)?.run_id === one.run_id : last?.request === one.request_id;
    if (last && same) last.items.push(one);
    else groups.push({ key: one.checkpoint_id, request: one.request_id, run: one.run_id, items: [one] });
  }
  return groups;
}

// From the older to the newer, whichever was clicked first.
function inOrder(items: Checkpoint[], from: string | null, to: string | null): [string, string] {
  const place = (id: string | null): number => items.findIndex((one) => one.checkpoint_id === id);
  return place(from) >= place(to) ? [from ?? "", to ?? ""] : [to ?? "", from ?? ""];
}

async function fork(sessionId: string, checkpoint: string): Promise<void> {
  try {
    const made = await call<Session>(sessionPath(sessionId, "/fork"), { method: "POST", body: { checkpoint_id: checkpoint } });
    go(`#/compare/${encodeURIComponent(sessionId)}/${encodeURIComponent(made.session_id)}`);
  } catch (error) {
    flash((error as Error).message);
  }
}
