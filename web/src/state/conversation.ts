// The conversation that is open: loaded, followed, talked to. Everything shown of it is in this one store.

import { Refused, Unreachable, call, sessionPath } from "../api/client";
import { newId } from "../api/key";
import type { Frame, Session, StateAt } from "../api/types";
import { askForKey } from "./access";
import { reduce } from "./log";
import type { Change } from "./log";
import { isBeingMade, onHeard, put, tryAgainNow, unsentOf, withdraw } from "./outbox";
import type { Unsent } from "./outbox";
import { go, sessionAddress } from "./route";
import { listSoon } from "./sessions";
import { openLine } from "./socket";
import type { Line } from "./socket";
import { createStore } from "./store";
import { flash } from "./toast";
import { emptyLog, isBusy } from "./turns";
import type { Log } from "./turns";
import { loadWindow } from "./window";
import { t } from "../i18n";

export interface Answer {
  turn: string;
  interrupt: string;
  value: unknown;
}

export interface Conversation {
  id: string | null;
  phase: "none" | "new" | "loading" | "open" | "failed";
  why: string;
  session: Session | null;
  log: Log;
  lostSince: number | null;
  live: boolean;
  cancelling: boolean;
  unanswered: Answer[];
  branch: string | null;
}

const nothing: Conversation = {
  id: null, phase: "none", why: "", session: null, log: emptyLog, lostSince: null, live: false, cancelling: false, unanswered: [], branch: null,
};
export const conversation = createStore<Conversation>(nothing);
let line: Line | null = null;
let again = 0;
let tries = 0;
const LONGEST = 8000;

const apply = (change: Change): void => conversation.set((now) => ({ log: reduce(now.log, change) }));
const isHere = (id: string): boolean => conversation.get().id === id;

export function close(): void {
  line?.close();
  line = null;
  clearTimeout(again);
  conversation.set(nothing);
}

export async function open(id: string): Promise<void> {
  if (isHere(id) && conversation.get().phase !== "failed") return;
  close();
  const begun = isBeingMade(id);
  conversation.set({ id, phase: begun ? "new" : "loading" });
  showUnsent(id);
  if (!begun) await load(id);
}

export const rated = (turn: string, rating: string | null, reason: string | null): void => apply({ kind: "rated", turn, rating, reason });

const showUnsent = (id: string): void => {
  for (const one of unsentOf(id)) if (!one.inputs) apply({ kind: "said", turn: one.id, text: one.text, files: one.files?.map((file) => file.name) ?? [] });
};

// The same conversation once more, as the server has it now; or the branch of it that goes through a run.
export async function reload(id: string, branch: string | null = null): Promise<void> {
  if (isHere(id)) await load(id, branch);
}

// What was asked for before another branch was chosen belongs to that one: it comes too late.
let loads = 0;

async function load(id: string, branch: string | null = null): Promise<void> {
  const mine = ++loads;
  try {
    const { session, log } = await loadWindow(id, null, branch);
    if (!isHere(id) || mine !== loads) return;
    tries = 0;
    // What was said while this was being read may not be in it.
    const said = conversation.get().log.turns.filter((one) => ["sending", "queued"].includes(one.status) && !log.turns.some((other) => other.id === one.id));
    conversation.set({ session, log: { ...log, turns: [...log.turns, ...said] }, phase: "open", why: "", branch });
    showUnsent(id);
    follow(id);
  } catch (error) {
    if (!isHere(id) || mine !== loads) return;
    if (error instanceof Refused && error.status === 404) return leave(t("session_not_found"));
    conversation.set({ phase: "failed", why: (error as Error).message });
    if (error instanceof Unreachable) again = window.setTimeout(() => void reload(id, branch), Math.min(LONGEST, 300 * 2 ** tries++));
  }
}

let reachingBack = "";

export async function loadEarlier(): Promise<void> {
  const { id, log } = conversation.get();
  if (!id || !log.before || reachingBack === log.before) return;
  reachingBack = log.before;
  const older = await loadWindow(id, log.before).catch((error: Error) => flash(error.message));
  reachingBack = "";
  if (older && isHere(id)) apply({ kind: "earlier", turns: older.log.turns, before: older.log.before });
}

function follow(id: string): void {
  line?.close();
  line = openLine(id, {
    after: () => conversation.get().log.last,
    frame: (frame) => isHere(id) && onFrame(frame),
    caughtUp: (hello) => isHere(id) && onCaughtUp(hello),
    lost: (since) => isHere(id) && conversation.set((now) => ({ lostSince: now.lostSince ?? since, live: false })),
    gone: () => isHere(id) && leave(t("session_gone")),
    refused: () => askForKey(true),
  });
}

function onFrame(frame: Frame): void {
  if (frame.seq === null) return onOwnFrame(frame);
  const known = conversation.get().log.turns.find((one) => one.id === frame.request_id);
  apply({ kind: "frame", frame });
  if (!known || known.status === "interrupted") readSoon();
  if (["response", "workflow_interrupted", "error", "cancelled"].includes(frame.type)) {
    conversation.set({ cancelling: false });
    listSoon();
    readSoon();
  }
}

// A frame for this socket only says what was wrong with what we sent.
function onOwnFrame(frame: Frame): void {
  conversation.set({ cancelling: false });
  if (frame.error === "not_found" || frame.error === "conflict") flash(t("already_answered"));
  else flash(frame.message ?? t("refused_500"));
}

async function onCaughtUp(hello: Frame): Promise<void> {
  conversation.set({ lostSince: null, live: true });
  tryAgainNow();
  const now = conversation.get();
  if (now.cancelling && isBusy(now.log)) line?.send({ type: "cancel" });
  if (!now.unanswered.length) return;
  if (hello.running && now.unanswered.some((one) => one.turn === hello.running?.request_id)) return conversation.set({ unanswered: [] });
  const state = await call<StateAt>(sessionPath(now.id ?? "", "/state")).catch(() => null);
  for (const one of now.unanswered) {
    if (state?.interrupts.some((asked) => asked.interrupt_id === one.interrupt)) sendAnswer(one);
  }
}

// What was said elsewhere (another tab, another program) isn't in the events; nor are an answer's number and cost.
let reading = 0;

function readSoon(): void {
  clearTimeout(reading);
  const { id } = conversation.get();
  reading = window.setTimeout(async () => {
    if (!id || !isHere(id)) return;
    const before = loads;
    const found = await loadWindow(id, null, conversation.get().branch, 5).catch(() => null);
    if (found && isHere(id) && before === loads) {
      apply({ kind: "window", turns: found.log.turns, last: found.log.last });
      conversation.set({ session: found.session });
    }
  }, 100);
}

function leave(words: string): void {
  const { id } = conversation.get();
  close();
  if (id) handBack(id);
  go("#/");
  flash(words);
}

// Questions for a conversation that isn't there are given back to whoever typed them.
function handBack(id: string): void {
  const texts = withdraw(id).map((one) => one.text).filter(Boolean);
  if (texts.length) dispatchEvent(new CustomEvent("madang:handback", { detail: texts.join("\n") }));
}

// --- talking ---

export interface Extra {
  files?: { id: string; name: string }[];
  editOf?: number;
}

export function say(sessionId: string, text: string, extra: Extra = {}, assistant: string | null = null): string {
  const id = newId();
  if (isHere(sessionId)) apply({ kind: "said", turn: id, text, files: extra.files?.map((one) => one.name) ?? [] });
  const { branch, log } = conversation.get();
  // From a branch that isn't the newest, the talk goes on there.
  const from = isHere(sessionId) && branch ? (log.turns.findLast((one) => one.id !== id && one.runId)?.runId ?? null) : null;
  put({ id, sessionId, assistant, text, ...extra, ...(from && extra.editOf === undefined ? { branch: from } : {}) });
  return id;
}

export function resend(sessionId: string, turn: string, messageId: number, text: string): void {
  if (isHere(sessionId)) apply({ kind: "rewound", turn });
  say(sessionId, text, { editOf: messageId });
}

// A new session is made by its first question: opening the page, or choosing an assistant, writes nothing.
export function begin(assistant: string, text: string, extra: Extra = {}): void {
  const sessionId = newId();
  say(sessionId, text, extra, assistant);
  go(sessionAddress(sessionId));
}

export function beginWithInputs(assistant: string, inputs: { [field: string]: unknown }): void {
  const sessionId = newId();
  put({ id: newId(), sessionId, assistant, text: "", inputs });
  go(sessionAddress(sessionId, "understood"));
}

export function setInputs(sessionId: string, inputs: { [field: string]: unknown }): void {
  put({ id: newId(), sessionId, assistant: null, text: "", inputs });
}

export function answer(turn: string, interrupt: string, value: unknown, words: string): void {
  const asked = conversation.get().log.turns.find((one) => one.id === turn)?.interrupts.some((one) => one.interrupt_id === interrupt);
  if (!asked) return;
  apply({ kind: "answered", turn, interrupt, words });
  const given = { turn, interrupt, value };
  conversation.set((now) => ({ unanswered: [...now.unanswered, given] }));
  sendAnswer(given);
}

const sendAnswer = (given: Answer): void => {
  line?.send({ type: "interrupt_response", interrupt_id: given.interrupt, value: given.value });
};

export function cancel(): void {
  if (conversation.get().cancelling) return;
  conversation.set({ cancelling: true });
  if (!line?.send({ type: "cancel" })) flash(t("cancel_later"));
}

export const skipStep = (stepId: string): void => {
  line?.send({ type: "todo_skip", step_id: stepId });
};

export const hurry = (): void => {
  const { id, phase } = conversation.get();
  tries = 0;
  if (id && phase === "failed") void open(id);
  line?.hurry();
  tryAgainNow();
};

onHeard({
  made(item) {
    if (isHere(item.sessionId)) void load(item.sessionId);
    listSoon();
  },
  taken(item, run) {
    if (!isHere(item.sessionId)) return;
    if (item.inputs) return void (run.request_id && apply({ kind: "ran", turn: run.request_id, status: "queued", runId: run.run_id }));
    if (item.editOf !== undefined || item.branch) return void reload(item.sessionId);
    if (run.request_id && run.request_id !== item.id) apply({ kind: "placed", turn: item.id, under: run.request_id });
    else apply({ kind: "ran", turn: item.id, status: "queued", runId: run.run_id });
    listSoon();
  },
  refused: onRefused,
});

function onRefused(item: Unsent, why: Error): void {
  if (!isHere(item.sessionId)) return flash(`${t("not_sent")} ${why.message}`);
  if (why instanceof Refused && why.status === 404) {
    apply({ kind: "forgotten", turn: item.id });
    dispatchEvent(new CustomEvent("madang:handback", { detail: item.text }));
    return leave(t("session_not_found"));
  }
  if (item.inputs) return flash(why.message);
  apply({ kind: "unsent", turn: item.id, why: why.message });
}

// An answer that the server has heard needn't be given again.
conversation.subscribe(() => {
  const { unanswered, log } = conversation.get();
  if (!unanswered.length) return;
  const left = unanswered.filter((one) => log.turns.find((turn) => turn.id === one.turn)?.status === "sending");
  if (left.length !== unanswered.length) conversation.set({ unanswered: left });
});

