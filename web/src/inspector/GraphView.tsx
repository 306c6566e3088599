// The plan of a turn as it ran, drawn; and which agent reads and writes which field.

import { Suspense, lazy } from "react";
import { t } from "../i18n";
import { questionOf } from "../state/turns";
import type { Log } from "../state/turns";
import { Matrix } from "./Matrix";

const PlanGraph = lazy(() => import("./PlanGraph"));

interface Given {
  log: Log;
  chosen: string | null;
  choose: (turn: string) => void;
  assistant: string | null;
}

export default function GraphView({ log, chosen, choose, assistant }: Given) {
  const planned = log.turns.filter((one) => one.steps.length);
  const turn = planned.find((one) => one.id === chosen) ?? planned.at(-1);
  return (
    <div className="graph-view">
      {planned.length > 1 && turn && (
        <select aria-label={t("plan")} value={turn.id} onChange={(event) => choose(event.target.value)}>
          {planned.map((one) => <option key={one.id} value={one.id}>{questionOf(one).slice(0, 60) || one.id.slice(0, 8)}</option>)}
        </select>
      )}
      {turn ? <Suspense fallback={<p className="meta">{t("loading")}</p>}><PlanGraph steps={turn.steps} waits={turn.status === "interrupted"} /></Suspense> : <p className="meta empty">{t("plan_empty")}</p>}
      {assistant && <Matrix assistant={assistant} />}
    </div>
  );
}
