// The turns of a plain graph: which nodes ran, one after the other or together.

import { t } from "../i18n";
import { isOpen } from "../state/turns";
import type { Log } from "../state/turns";
import type { AgentMap } from "../api/types";
import { Measures, PickTurn, Steps } from "../views/PlanPanel";
import { useRan } from "./ran";
import { useAsked } from "./useAsked";

interface Given {
  sessionId: string;
  assistant: string;
  log: Log;
  chosen: string | null;
  choose: (turn: string) => void;
}

export default function RanPanel({ sessionId, assistant, log, chosen, choose }: Given) {
  const { value: map } = useAsked<AgentMap>(`/assistants/${encodeURIComponent(assistant)}/map`);
  const turns = log.turns.filter((one) => one.runId);
  const turn = turns.find((one) => one.id === chosen) ?? turns.at(-1);
  const steps = useRan(sessionId, map?.edges?.length ? turn : undefined);
  if (!map) return null;
  if (!turn || (!steps.length && isOpen(turn))) return <p className="meta empty">{t("plan_empty")}</p>;
  return (
    <>
      <PickTurn turns={turns} turn={turn} choose={choose} />
      {steps.length ? <Steps turn={{ ...turn, steps }} /> : <p className="meta empty">{t("plan_none")}</p>}
      <Measures turn={turn} />
    </>
  );
}
