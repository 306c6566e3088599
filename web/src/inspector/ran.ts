// A plain graph tells no steps: what a turn of it ran is read from its checkpoints.

import { useEffect, useMemo, useState } from "react";
import { call, sessionPath } from "../api/client";
import type { AgentMap, Checkpoint, Page, Step, StepStatus } from "../api/types";
import { isOpen } from "../state/turns";
import type { Turn } from "../state/turns";

const PAGES = 20;
const EVERY = 1000;

async function checkpointsOf(sessionId: string, runId: string): Promise<Checkpoint[]> {
  const found: Checkpoint[] = [];
  let cursor: string | null = null;
  for (let page = 0; page < PAGES; page++) {
    const query: string = cursor ? `&cursor=${encodeURIComponent(cursor)}` : "";
    const next: Page<Checkpoint> = await call(sessionPath(sessionId, `/history?limit=100${query}`));
    found.push(...next.items.filter((one) => one.run_id === runId));
    cursor = next.next_cursor;
    if (!cursor || (found.length && next.items.at(-1)?.run_id !== runId)) break;
  }
  return found.reverse();
}

// How what comes next ended that no later checkpoint tells of.
function ending(turn: Turn): { status: StepStatus; error?: string } {
  if (turn.status === "failed") return { status: "failed", error: turn.note };
  if (turn.status === "cancelled") return { status: "skipped", error: "cancelled" };
  return { status: turn.status === "completed" ? "pending" : "in_progress" };
}

export function stepsOf(checkpoints: Checkpoint[], turn: Turn): Step[] {
  const asked = turn.said.flatMap((one) => (one.by === "assistant" && one.at ? [Date.parse(one.at)] : []));
  let before: string[] = [];
  return checkpoints.flatMap((one, index): Step[] => {
    const after = checkpoints[index + 1];
    const nodes = one.next.filter((name) => !name.startsWith("__"));
    const from = Date.parse(one.created_at ?? "");
    const until = Date.parse(after?.created_at ?? "");
    // A node that asked has waited, perhaps for hours.
    const waited = asked.some((at) => at >= from && at <= until);
    const made = nodes.map((name, place): Step => ({
      step_id: `${one.checkpoint_id}/${place}`, agent_name: name, task: name, depends_on: before,
      ...(after ? { status: "completed", ...(waited ? {} : { execution_time: (until - from) / 1000 }) } : ending(turn)),
    }));
    if (made.length) before = made.map((step) => step.step_id);
    return made;
  });
}

export function useRan(sessionId: string, turn: Turn | undefined): Step[] {
  const [found, setFound] = useState<{ run: string; items: Checkpoint[] }>({ run: "", items: [] });
  const run = turn?.runId ?? "";
  const open = isOpen(turn);
  useEffect(() => {
    if (!run) return;
    let timer = 0;
    let here = true;
    const look = async (): Promise<void> => {
      const items = await checkpointsOf(sessionId, run).catch(() => null);
      if (!here) return;
      if (items) setFound({ run, items });
      if (open) timer = window.setTimeout(() => void look(), EVERY);
    };
    void look();
    return () => {
      here = false;
      clearTimeout(timer);
    };
  }, [sessionId, run, open, turn?.status]);
  return useMemo(() => (turn && found.run === run ? stepsOf(found.items, turn) : []), [found, turn]);
}

// The nodes of the graph, each with how it fared in these steps.
export function drawn(map: AgentMap, steps: Step[], over: boolean): Step[] {
  const nodes = map.agents.map((one) => one.name);
  const before = (name: string): string[] => (map.edges ?? []).filter((one) => one.to === name && one.from !== name && nodes.includes(one.from)).map((one) => one.from);
  return nodes.map((name): Step => {
    const own = steps.filter((step) => step.agent_name === name);
    const last = own.at(-1);
    const took = own.reduce((sum, step) => sum + (step.execution_time ?? 0), 0);
    return { ...(last ?? { agent_name: name, status: over ? "skipped" : "pending" }), step_id: name, task: name, depends_on: before(name), execution_time: took, attempts: own.length };
  });
}
