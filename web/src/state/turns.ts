// What a conversation consists of, as it is shown.

import type { Interrupt, Reading, Record_, Step } from "../api/types";

export type TurnStatus = "sending" | "queued" | "running" | "completed" | "interrupted" | "failed" | "cancelled" | "";

export interface SaidByUser {
  by: "user";
  text: string;
  at: string | null;
  messageId: number | null;
  files?: string[];
}

export interface AskedByAssistant {
  by: "assistant";
  asked: Interrupt;
  at: string | null;
}

export type Said = SaidByUser | AskedByAssistant;

export interface Usage {
  calls?: number;
  tokens?: number;
  input_tokens?: number;
  output_tokens?: number;
  cost?: number | null;
}

export interface Turn {
  id: string;
  runId: string | null;
  status: TurnStatus;
  said: Said[];
  steps: Step[];
  strategy: string;
  estimate: number | null;
  text: string;
  streamed: boolean;
  data: Record_ | null;
  responseType: string;
  reading: Reading | null;
  interrupts: Interrupt[];
  note: string;
  bad: boolean;
  reused: string;
  doing: string;
  startedAt: string | null;
  endedAt: string | null;
  usage: Usage | null;
  branches: string[];
  feedback: { rating: string; reason?: string | null } | null;
  answerId: number | null;
}

export interface Log {
  turns: readonly Turn[];
  last: number;
  before: string | null;
}

export const emptyLog: Log = { turns: [], last: 0, before: null };

export function newTurn(id: string): Turn {
  return {
    id, runId: null, status: "", said: [], steps: [], strategy: "", estimate: null, text: "", streamed: false, data: null, responseType: "",
    reading: null, interrupts: [], note: "", bad: false, reused: "", doing: "", startedAt: null, endedAt: null, usage: null, branches: [],
    feedback: null, answerId: null,
  };
}

export const isOpen = (turn: Turn | undefined): boolean => turn !== undefined && ["sending", "queued", "running"].includes(turn.status);
export const isBusy = (log: Log): boolean => log.turns.some(isOpen);
export const waitingTurn = (log: Log): Turn | undefined => log.turns.find((one) => one.status === "interrupted" && one.interrupts.length > 0);
export const questionOf = (turn: Turn): string => {
  const said = turn.said.find((one): one is SaidByUser => one.by === "user");
  return said?.text ?? "";
};
export const lastSaid = (turn: Turn): string => {
  const said = turn.said.findLast((one): one is SaidByUser => one.by === "user");
  return said?.text ?? "";
};

// What was said goes where its time puts it; what has no time yet was said just now.
export function inserted(all: Said[], part: Said): Said[] {
  const at = part.at === null ? -1 : all.findIndex((one) => one.at !== null && part.at !== null && one.at > part.at);
  return at < 0 ? [...all, part] : [...all.slice(0, at), part, ...all.slice(at)];
}

// Seconds that a turn has worked: waiting for its user is no work.
export function worked(turn: Turn): number {
  if (!turn.startedAt || !turn.endedAt) return 0;
  const waited = turn.said.reduce((sum, part, index) => {
    const answer = part.by === "assistant" && part.at ? turn.said.slice(index + 1).find((one) => one.by === "user" && one.at !== null) : undefined;
    const next = turn.said[index + 1];
    // Several questions that were asked at once waited together.
    return answer?.at && part.at && !(next?.by === "assistant" && next.at === part.at) ? sum + Math.max(0, Date.parse(answer.at) - Date.parse(part.at)) : sum;
  }, 0);
  return Math.max(0, Date.parse(turn.endedAt) - Date.parse(turn.startedAt) - waited) / 1000;
}
