// The last turns of a conversation, or those before one, in one request.

import { call, sessionPath } from "../api/client";
import type { Interrupt, Reading, Record_, Session, Step } from "../api/types";
import { inserted, newTurn } from "./turns";
import type { Log, Said, Turn, TurnStatus, Usage } from "./turns";

interface MessageShown {
  message_id: number;
  role: string;
  content: string;
  structured_data: Record_ | null;
  created_at: string;
}

export interface TurnShown {
  run_id: string | null;
  request_id: string | null;
  status: string;
  started_at: string | null;
  ended_at: string | null;
  messages: MessageShown[];
  asked?: (Interrupt & { created_at: string })[];
  reading: Reading | null;
  plan: { execution_steps: Step[]; strategy?: string; estimated_total_time?: number | null } | null;
  response: { message_id: number; type: string; answer: string; structured_data: Record_ } | null;
  text: string;
  error: { code: string | null; message: string | null } | null;
  note: string | null;
  usage: Usage | null;
  branches: string[];
  feedback: { rating: string; reason?: string | null } | null;
}

export interface ConversationShown {
  session: Session;
  turns: TurnShown[];
  pending: Interrupt[];
  running: { request_id: string } | null;
  last_seq: number;
  has_more: boolean;
}

export interface Window {
  session: Session;
  log: Log;
}

export async function loadWindow(id: string, before: string | null = null, branch: string | null = null, limit = 50): Promise<Window> {
  const query = new URLSearchParams({ limit: String(limit), ...(before ? { before } : {}), ...(branch ? { branch } : {}) });
  return windowOf(await call<ConversationShown>(sessionPath(id, `/conversation?${query}`)));
}

export function windowOf(found: ConversationShown): Window {
  const turns = found.turns.map((one) => turnOf(one, found.pending));
  const first = found.turns[0];
  const before = found.has_more && first ? (first.run_id ?? String(first.messages[0]?.message_id ?? "")) || null : null;
  return { session: found.session, log: { turns, last: found.last_seq, before } };
}

function turnOf(shown: TurnShown, pending: Interrupt[]): Turn {
  const status = shown.status as TurnStatus;
  const answer = shown.response?.message_id ?? null;
  const waits = status === "interrupted";
  return {
    ...newTurn(shown.request_id ?? shown.run_id ?? `message ${shown.messages[0]?.message_id ?? 0}`),
    runId: shown.run_id,
    status,
    said: spoken(shown, answer).concat(waits ? pending.map((asked): Said => ({ by: "assistant", asked, at: shown.ended_at })) : []),
    steps: shown.plan?.execution_steps ?? [],
    strategy: shown.plan?.strategy ?? "",
    estimate: shown.plan?.estimated_total_time ?? null,
    text: shown.response?.answer ?? shown.text,
    streamed: status === "running" && shown.text !== "",
    data: shown.response?.structured_data ?? null,
    responseType: shown.response?.type ?? "",
    reading: shown.reading,
    interrupts: waits ? pending : [],
    note: shown.error?.message ?? shown.note ?? "",
    bad: shown.error !== null,
    startedAt: shown.started_at,
    endedAt: shown.ended_at,
    usage: shown.usage,
    branches: shown.branches,
    feedback: shown.feedback,
    answerId: answer,
  };
}

// What was said and what was asked back, in the order of time; what still waits comes last, with its form.
function spoken(shown: TurnShown, answer: number | null): Said[] {
  const open = shown.status === "interrupted" ? (shown.asked ?? []).at(-1)?.created_at : undefined;
  const asked = (shown.asked ?? []).filter((one) => one.created_at !== open).map((one): Said => ({ by: "assistant", asked: one, at: one.created_at }));
  return asked.reduce(inserted, shown.messages.filter((one) => one.message_id !== answer).map(saidOf));
}

function saidOf(message: MessageShown): Said {
  const files = Array.isArray(message.structured_data?.["files"]) ? (message.structured_data["files"] as { name: string }[]).map((one) => one.name) : [];
  if (message.role === "user") return { by: "user", text: message.content, at: message.created_at, messageId: message.message_id, files };
  const asked: Interrupt = { interrupt_id: `message ${message.message_id}`, kind: "clarification", question: message.content };
  return { by: "assistant", asked, at: message.created_at };
}
