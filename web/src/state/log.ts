// The event log and the messages, reduced into what is shown: one pure function.

import type { Frame, Step } from "../api/types";
import { inserted, newTurn } from "./turns";
import type { Log, Said, SaidByUser, Turn, TurnStatus } from "./turns";

export type Change =
  | { kind: "frame"; frame: Frame }
  | { kind: "window"; turns: readonly Turn[]; last: number }
  | { kind: "earlier"; turns: readonly Turn[]; before: string | null }
  | { kind: "said"; turn: string; text: string; files?: string[] }
  | { kind: "answered"; turn: string; interrupt: string; words: string }
  | { kind: "placed"; turn: string; under: string }
  | { kind: "unsent"; turn: string; why: string }
  | { kind: "forgotten"; turn: string }
  | { kind: "rewound"; turn: string }
  | { kind: "ran"; turn: string; status: TurnStatus; runId: string | null }
  | { kind: "rated"; turn: string; rating: string | null; reason: string | null };

const ENDS: { [type: string]: TurnStatus } = {
  response: "completed", workflow_interrupted: "interrupted", error: "failed", cancelled: "cancelled",
};

export function reduce(log: Log, change: Change): Log {
  switch (change.kind) {
    case "frame":
      return onFrame(log, change.frame);
    case "window":
      return onWindow(log, change.turns, change.last);
    case "earlier":
      return { ...log, turns: [...change.turns.filter((one) => !find(log, one.id)), ...log.turns], before: change.before };
    case "said":
      // What the server knows already isn't being sent any more.
      if (find(log, change.turn)) return log;
      return with_(log, change.turn, (turn) => ({ ...turn, status: "sending", said: [said(change.text, change.files)] }));
    case "answered":
      return with_(log, change.turn, (turn) => {
        const left = turn.interrupts.filter((one) => one.interrupt_id !== change.interrupt);
        return { ...turn, interrupts: left, status: left.length ? "interrupted" : "sending", said: [...turn.said, said(change.words)] };
      });
    case "placed":
      return placed(log, change.turn, change.under);
    case "unsent":
      return with_(log, change.turn, (turn) => ({ ...turn, status: turn.steps.length ? "interrupted" : "failed", note: change.why, bad: true }));
    case "forgotten":
      return { ...log, turns: log.turns.filter((one) => one.id !== change.turn) };
    case "rewound":
      // Asked differently from here on: what followed is in the other branch.
      return { ...log, turns: log.turns.slice(0, Math.max(0, log.turns.findIndex((one) => one.id === change.turn))) };
    case "ran":
      return with_(log, change.turn, (turn) => ({ ...turn, status: turn.status === "" ? change.status : turn.status, runId: turn.runId ?? change.runId }));
    case "rated":
      return with_(log, change.turn, (turn) => ({ ...turn, feedback: change.rating === null ? null : { rating: change.rating, reason: change.reason } }));
  }
}

const find = (log: Log, id: string): Turn | undefined => log.turns.find((one) => one.id === id);
const said = (text: string, files?: string[]): SaidByUser => ({ by: "user", text, at: null, messageId: null, ...(files?.length ? { files } : {}) });

function with_(log: Log, id: string, change: (turn: Turn) => Turn): Log {
  if (!find(log, id)) return { ...log, turns: [...log.turns, change(newTurn(id))] };
  return { ...log, turns: log.turns.map((one) => (one.id === id ? change(one) : one)) };
}

// A text that answered what was asked belongs to the turn that had asked: the server decided so.
function placed(log: Log, id: string, under: string): Log {
  const own = find(log, id);
  if (!own || id === under || !find(log, under)) return log;
  const kept = { ...log, turns: log.turns.filter((one) => one.id !== id) };
  const parts = own.said.filter((one) => one.by === "user");
  return with_(kept, under, (turn) => ({
    ...turn, interrupts: turn.status === "interrupted" ? [] : turn.interrupts, status: turn.status === "interrupted" ? "sending" : turn.status,
    said: [...turn.said, ...parts.filter((part) => !turn.said.some((one) => one.by === "user" && one.text === part.text && one.at !== null))],
  }));
}

// The last turns as the server has them: what was said elsewhere, numbers of messages, what it cost. Events that came meanwhile stay.
function onWindow(log: Log, turns: readonly Turn[], last: number): Log {
  return turns.reduce((now, theirs) => {
    if (!find(now, theirs.id)) return { ...now, turns: [...now.turns, theirs] };
    return with_(now, theirs.id, (ours) => merged(ours, theirs, last >= log.last));
  }, log);
}

function merged(ours: Turn, theirs: Turn, current: boolean): Turn {
  const spoken = saidAs(ours.said, theirs.said);
  const waits = ours.status === "sending" && ours.steps.length > 0;
  if (current && !waits && theirs.status !== "running") return { ...theirs, said: spoken, reused: ours.reused, doing: ours.doing, reading: theirs.reading ?? ours.reading };
  const { runId, answerId, usage, branches, feedback } = theirs;
  return { ...ours, said: spoken, runId, answerId: answerId ?? ours.answerId, usage: usage ?? ours.usage, branches, feedback: feedback ?? ours.feedback };
}

// Our own words stay as they were said; theirs have numbers and times.
function saidAs(ours: Said[], theirs: Said[]): Said[] {
  const spoken = theirs.filter((one): one is SaidByUser => one.by === "user");
  const own = ours.filter((one): one is SaidByUser => one.by === "user");
  if (spoken.length > own.length) return spoken.reduce<Said[]>((all, part) => inserted(all, part), ours.filter((one) => one.by === "assistant"));
  return ours.map((one) => {
    const same = one.by === "user" ? spoken[own.indexOf(one)] : undefined;
    return one.by === "user" && same ? { ...one, at: same.at, messageId: same.messageId } : one;
  });
}

function onFrame(log: Log, frame: Frame): Log {
  if (frame.seq === null || frame.seq <= log.last) return log;
  const next = with_(log, frame.request_id, (turn) => {
    const steps = frame.execution_steps ? stepsAfter(turn.steps, frame.execution_steps) : turn.steps;
    const now: Turn = {
      ...turn, steps, startedAt: turn.startedAt ?? frame.timestamp,
      status: ENDS[frame.type] ?? "running",
      interrupts: frame.type === "workflow_interrupted" ? (frame.interrupts ?? []) : [],
    };
    const applied = APPLY[frame.type]?.(now, frame) ?? now;
    return frame.type in ENDS ? { ...applied, streamed: false, endedAt: frame.timestamp } : { ...applied, endedAt: null };
  });
  return { ...next, last: frame.seq };
}

// Progress that was shown is never taken back while the step goes on.
function stepsAfter(before: Step[], given: Step[]): Step[] {
  const reached = new Map(before.map((step) => [step.step_id, step.progress_percentage ?? 0]));
  return given.map((step) =>
    step.status === "in_progress" ? { ...step, progress_percentage: Math.max(step.progress_percentage ?? 0, reached.get(step.step_id) ?? 0) } : step,
  );
}

const APPLY: { [type: string]: (turn: Turn, frame: Frame) => Turn } = {
  planning_start: (turn, frame) => ({ ...turn, doing: frame.message ?? "" }),
  plan_ready: (turn, frame) => ({
    ...turn, estimate: frame.estimated_total_time ?? null, strategy: frame.execution_strategy ?? "", reading: frame.reading ?? turn.reading,
  }),
  data_reuse_notification: (turn, frame) => ({ ...turn, reused: frame.message ?? "" }),
  token: (turn, frame) => ({ ...turn, text: (turn.streamed && !frame.restart ? turn.text : "") + (frame.text ?? ""), streamed: true }),
  response: (turn, frame) => ({
    ...turn, text: frame.answer ?? "", data: frame.structured_data ?? null, responseType: frame.response_type ?? "",
  }),
  workflow_interrupted: (turn, frame) => ({
    ...turn, said: (frame.interrupts ?? []).reduce((all, asked) => inserted(all, { by: "assistant", asked, at: frame.timestamp }), turn.said),
  }),
  error: (turn, frame) => ({ ...turn, note: frame.message ?? "", bad: true }),
  cancelled: (turn, frame) => ({ ...turn, note: frame.message ?? "" }),
};
