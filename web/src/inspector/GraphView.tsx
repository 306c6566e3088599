// The plan of a turn as it ran, drawn; and which agent reads and writes which field.

import { Suspense, lazy } from "react";
import { t } from "../i18n";
import type { AgentMap } from "../api/types";
import { isOpen } from "../state/turns";
import type { Log } from "../state/turns";
import { PickTurn } from "../views/PlanPanel";
import { Matrix } from "./Matrix";
import { drawn, useRan } from "./ran";
import { useAsked } from "./useAsked";

const PlanGraph = lazy(() => import("./PlanGraph"));

interface Given {
  sessionId: string;
  log: Log;
  chosen: string | null;
  choose: (turn: string) => void;
  assistant: string | null;
}

export default function GraphView({ sessionId, log, chosen, choose, assistant }: Given) {
  const { value: map } = useAsked<AgentMap>(assistant && `/assistants/${encodeURIComponent(assistant)}/map`);
  // Of a plain graph all of it is drawn, with what ran of it.
  const whole = Boolean(map?.edges?.length);
  const planned = log.turns.filter((one) => (whole ? one.runId : one.steps.length));
  const turn = planned.find((one) => one.id === chosen) ?? planned.at(-1);
  const ran = useRan(sessionId, whole ? turn : undefined);
  const steps = whole && map ? drawn(map, ran, turn !== undefined && !isOpen(turn)) : (turn?.steps ?? []);
  return (
    <div className="graph-view">
      {turn && <PickTurn turns={planned} turn={turn} choose={choose} />}
      {steps.length ? <Suspense fallback={<p className="meta">{t("loading")}</p>}><PlanGraph steps={steps} waits={turn?.status === "interrupted"} whole={whole} /></Suspense> : map && <p className="meta empty">{t("plan_empty")}</p>}
      {map && <Matrix map={map} />}
    </div>
  );
}
