// What the server told, as it told it: the log of events, each with its number and its frame. The newest is first.

import { useEffect, useMemo, useState } from "react";
import { request, sessionPath } from "../api/client";
import type { Frame } from "../api/types";
import { t, time } from "../i18n";
import { goInstead, sessionAddress } from "../state/route";
import { CopyAs } from "./CopyAs";

const MOST = 400;

export default function EventsView({ sessionId, last, chosen }: { sessionId: string; last: number; chosen: string | null }) {
  const [frames, setFrames] = useState<Frame[] | null>(null);
  const [why, setWhy] = useState("");
  const [type, setType] = useState("");
  const from = Math.max(0, last - MOST);
  const path = sessionPath(sessionId, `/events?follow=false&after=${from}`);
  useEffect(() => {
    let here = true;
    // Tokens come by the dozen: what is read next has them all.
    const timer = setTimeout(() => {
      request(path, { accept: "text/event-stream" }).then((answer) => answer.text()).then((text) => here && setFrames(framesOf(text)), (error: Error) => here && setWhy(error.message));
    }, frames ? 300 : 0);
    return () => {
      here = false;
      clearTimeout(timer);
    };
  }, [sessionId, last]);
  const types = useMemo(() => [...new Set((frames ?? []).map((one) => one.type))].sort(), [frames]);
  if (why) return <p className="notice bad">{why}</p>;
  if (!frames) return <p className="meta">{t("loading")}</p>;
  const shown = frames.filter((one) => !type || one.type === type).reverse();
  return (
    <div className="events-view">
      <div className="bar-row">
        <select aria-label={t("filter_events")} value={type} onChange={(event) => setType(event.target.value)}>
          <option value="">{t("all_types")}</option>
          {types.map((one) => <option key={one} value={one}>{one}</option>)}
        </select>
        <CopyAs asked={{ path }} />
      </div>
      <ol className="events">
        {shown.map((one) => {
          const open = String(one.seq) === chosen;
          return (
            <li key={one.seq}>
              <button type="button" className="event" aria-expanded={open} onClick={() => goInstead(sessionAddress(sessionId, "events", { seq: open ? null : String(one.seq) }))}>
                <span className="meta">#{one.seq}</span><span className="node">{one.type}</span><span className="meta">{time(one.timestamp)}</span>
              </button>
              {open && <pre tabIndex={0}><code>{JSON.stringify(one, null, 2)}</code></pre>}
            </li>
          );
        })}
      </ol>
      {!shown.length && <p className="meta">{t("no_events")}</p>}
      {from > 0 && <p className="meta">{t("events_before", { count: from })}</p>}
    </div>
  );
}

// A stream that has ended: each event's `data` is its frame.
function framesOf(text: string): Frame[] {
  return text.split(/\r?\n\r?\n/).map((event) => event.split(/\r?\n/).filter((line) => line.startsWith("data:")).map((line) => line.slice(5).trimStart()).join("\n"))
    .filter(Boolean).map((data) => JSON.parse(data) as Frame);
}
