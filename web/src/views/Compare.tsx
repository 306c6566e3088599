// Two branches of a conversation side by side, and what their states differ in.

import { useEffect, useState } from "react";
import { Markdown } from "../answer/Markdown";
import { call, sessionPath } from "../api/client";
import type { Session, StateAt } from "../api/types";
import { t } from "../i18n";
import { isMasked, short } from "../inspector/rows";
import { useMasking } from "../inspector/sensitive";
import { sessionAddress } from "../state/route";
import { nameOf } from "../state/sessions";
import { questionOf } from "../state/turns";
import type { Turn } from "../state/turns";
import { loadWindow } from "../state/window";

interface Side {
  session: Session;
  turns: readonly Turn[];
  state: { [name: string]: unknown };
}

export default function Compare({ ids }: { ids: [string, string] }) {
  const [sides, setSides] = useState<Side[] | null>(null);
  const [why, setWhy] = useState("");
  const { hidden } = useMasking(sides?.[0]?.session.assistant ?? null);
  useEffect(() => {
    let here = true;
    const read = (): Promise<void> => Promise.all(ids.map(sideOf)).then((found) => void (here && setSides(found)), (error: Error) => void (here && setWhy(error.message)));
    void read();
    // A branch that was just made is still running.
    const timer = setInterval(read, 3000);
    return () => {
      here = false;
      clearInterval(timer);
    };
  }, [ids[0], ids[1]]);
  if (why) return <div id="conversation"><p className="notice bad" role="alert">{why}</p></div>;
  if (!sides) return <div id="conversation"><p className="notice">{t("loading")}</p></div>;
  const differing = differences(sides[0]?.state ?? {}, sides[1]?.state ?? {});
  return (
    <div id="conversation" className="compare">
      <div className="sides">
        {sides.map((side, index) => (
          <section key={side.session.session_id} aria-label={nameOf(side.session)}>
            <h2><a href={sessionAddress(side.session.session_id)}>{index ? t("the_branch") : t("the_original")}: {nameOf(side.session)}</a></h2>
            {side.turns.slice(-3).map((one) => (
              <article key={one.id} className="turn">
                {questionOf(one) && <div className="asked-row"><div className="asked">{questionOf(one)}</div></div>}
                <div className="answer"><Markdown text={one.text} /></div>
              </article>
            ))}
          </section>
        ))}
      </div>
      <section className="differences">
        <h2>{t("differences")}</h2>
        {!differing.length && <p className="meta">{t("no_difference")}</p>}
        <table><tbody>{differing.map((one) => <tr key={one.path}><th scope="row">{one.path}</th><td>{isMasked(one.path, hidden) ? t("masked") : one.left}</td><td>{isMasked(one.path, hidden) ? t("masked") : one.right}</td></tr>)}</tbody></table>
      </section>
    </div>
  );
}

async function sideOf(id: string): Promise<Side> {
  const [{ session, log }, state] = await Promise.all([loadWindow(id, null, null, 5), call<StateAt>(sessionPath(id, "/state"))]);
  return { session, turns: log.turns, state: state.state };
}

const OWN = new Set(["session_id", "chat_session_id", "messages", "request_id", "step_records", "provenance"]);

function differences(left: { [name: string]: unknown }, right: { [name: string]: unknown }): { path: string; left: string; right: string }[] {
  const told = (value: unknown): string => short(value, value && typeof value === "object" ? Object.keys(value).length : 0);
  return [...new Set([...Object.keys(left), ...Object.keys(right)])].filter((name) => !OWN.has(name) && JSON.stringify(left[name]) !== JSON.stringify(right[name]))
    .map((path) => ({ path, left: told(left[path]), right: told(right[path]) }));
}
