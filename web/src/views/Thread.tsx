// The turns of a conversation in a window over them: only what is near is drawn. It stays at the end while one is there.

import { useVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useRef, useState } from "react";
import type { ReactNode } from "react";
import { t } from "../i18n";
import { loadEarlier } from "../state/conversation";
import { isOpen } from "../state/turns";
import type { Log, Turn } from "../state/turns";
import { Icon } from "../ui/Icon";
import { TurnView } from "./TurnView";

interface Given {
  log: Log;
  sessionId: string;
  actions?: (turn: Turn, last: boolean) => ReactNode;
}

export function Thread({ log, sessionId, actions }: Given) {
  const place = useRef<HTMLDivElement>(null);
  const [away, setAway] = useState(false);
  const turns = log.turns;
  const list = useVirtualizer({
    count: turns.length,
    getScrollElement: () => place.current,
    estimateSize: () => 260,
    getItemKey: (index) => turns[index]?.id ?? index,
    overscan: 4,
    anchorTo: "end",
    followOnAppend: true,
    scrollEndThreshold: 120,
  });
  useEffect(() => {
    list.scrollToEnd();
    // Only when another conversation is shown.
  }, [sessionId]);
  const count = turns.length;
  const own = turns.at(-1)?.status === "sending";
  // Until one turns to something else by hand. A chart or a table makes an answer far longer at once: where the end is says nothing.
  const follows = useRef(true);
  const turnedAway = (): void => {
    follows.current = false;
  };
  useEffect(() => {
    if (!own) return;
    follows.current = true;
    // A scroll to the last answer's beginning may still be settling: the own question wins.
    list.scrollToEnd();
    const later = [0, 120].map((wait) => window.setTimeout(() => list.scrollToEnd(), wait));
    return () => later.forEach(clearTimeout);
  }, [count, own]);
  // A long answer is read from its beginning.
  const last = turns.at(-1);
  const ended = last !== undefined && !isOpen(last);
  const before = useRef(ended);
  useEffect(() => {
    const due = ended && !before.current && follows.current;
    before.current = ended;
    return due ? fromItsBeginning(place.current, turns.length - 1, () => list.scrollToIndex(turns.length - 1, { align: "start" })) : undefined;
  }, [ended]);
  const busy = turns.findIndex(isOpen);
  const scrolled = (): void => {
    // The list hears of it after this: a jump would be judged by where one was.
    const { scrollHeight = 0, scrollTop = 0, clientHeight = 0 } = place.current ?? {};
    const end = scrollHeight - scrollTop - clientHeight <= 160;
    if (end) follows.current = true;
    setAway(!end);
    if (log.before && (place.current?.scrollTop ?? 0) < 300) void loadEarlier();
  };
  return (
    <div id="conversation" ref={place} tabIndex={-1} onScroll={scrolled} onWheel={turnedAway} onTouchMove={turnedAway} onPointerDown={turnedAway}>
      {log.before && <button type="button" id="earlier" className="quiet" onClick={() => void loadEarlier()}>{t("earlier")}</button>}
      <div className="turns" style={{ height: list.getTotalSize() }}>
        {list.getVirtualItems().map((item) => {
          const turn = turns[item.index];
          if (!turn) return null;
          const last = item.index === turns.length - 1;
          return (
            <div key={item.key} ref={list.measureElement} data-index={item.index} className="slot" style={{ transform: `translateY(${item.start}px)` }}>
              <TurnView turn={turn} last={last} behind={busy >= 0 && busy < item.index} sessionId={sessionId} actions={actions} />
            </div>
          );
        })}
      </div>
      {away && <button type="button" className="to-end" aria-label={t("jump_down")} title={t("jump_down")} onClick={() => list.scrollToEnd()}><Icon name="end" /></button>}
    </div>
  );
}

// Its height is known when it has been drawn, tables and all: a few frames later. Whoever scrolls meanwhile stays where they are.
function fromItsBeginning(place: HTMLElement | null, index: number, scroll: () => void): () => void {
  let frame = 0;
  let left = 90;
  let begun = false;
  const stop = (): void => cancelAnimationFrame(frame);
  const look = (): void => {
    const slot = place?.querySelector<HTMLElement>(`[data-index="${index}"]`);
    if (place && slot && slot.offsetHeight > place.clientHeight) {
      // The list goes to its end once more when it has measured what grew. Anywhere else somebody went on purpose.
      const off = Math.abs(slot.getBoundingClientRect().top - place.getBoundingClientRect().top) > 60;
      const end = place.scrollHeight - place.scrollTop - place.clientHeight < 160;
      if (begun && off && !end) return;
      left = begun ? left : Math.min(left, 15);
      begun = true;
      scroll();
    }
    if (left-- > 0) frame = requestAnimationFrame(look);
  };
  frame = requestAnimationFrame(look);
  for (const by of ["wheel", "touchmove", "pointerdown", "keydown"]) place?.addEventListener(by, stop, { once: true, passive: true });
  return stop;
}
