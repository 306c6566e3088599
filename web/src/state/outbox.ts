// What the user said and the server may not have heard. A question belongs to the session it was typed in, has an id that makes it one
// question however often it is sent, and is kept over a reload of the tab.

import { Refused, Unreachable, call, sessionPath } from "../api/client";
import type { Run } from "../api/types";
import { createStore } from "./store";

export interface Unsent {
  id: string;
  sessionId: string;
  assistant: string | null;
  text: string;
  files?: { id: string; name: string }[];
  editOf?: number;
  branch?: string;
  inputs?: { [field: string]: unknown };
}

const PLACE = "outbox";
const LONGEST = 8000;

function kept(): Unsent[] {
  try {
    return JSON.parse(sessionStorage.getItem(PLACE) ?? "[]") as Unsent[];
  } catch {
    return [];
  }
}

export const outbox = createStore<{ items: Unsent[]; failing: boolean }>({ items: kept(), failing: false });
const listeners = new Set<Heard>();
const working = new Set<string>();
let wake: (() => void)[] = [];

export interface Heard {
  made?(item: Unsent): void;
  taken(item: Unsent, run: Run): void;
  refused(item: Unsent, why: Error): void;
}

export function onHeard(heard: Heard): () => void {
  listeners.add(heard);
  return () => listeners.delete(heard);
}

function keep(items: Unsent[]): void {
  sessionStorage.setItem(PLACE, JSON.stringify(items));
  outbox.set({ items });
}

export function put(item: Unsent): void {
  keep([...outbox.get().items, item]);
  void work(item.sessionId);
}

export const unsentOf = (sessionId: string): Unsent[] => outbox.get().items.filter((one) => one.sessionId === sessionId);
// A session that this tab is making isn't known to the server yet; there is nothing to load.
export const isBeingMade = (sessionId: string): boolean => unsentOf(sessionId).some((one) => one.assistant !== null);

// Takes back what hasn't been heard of a session that isn't there.
export function withdraw(sessionId: string): Unsent[] {
  const found = unsentOf(sessionId);
  keep(outbox.get().items.filter((one) => one.sessionId !== sessionId));
  return found;
}

export function tryAgainNow(): void {
  for (const one of wake) one();
  wake = [];
}

export function resumeOutbox(): void {
  for (const id of new Set(outbox.get().items.map((one) => one.sessionId))) void work(id);
}

async function work(sessionId: string): Promise<void> {
  if (working.has(sessionId)) return;
  working.add(sessionId);
  let tries = 0;
  for (let item = unsentOf(sessionId)[0]; item; item = unsentOf(sessionId)[0]) {
    try {
      const run = await deliver(item);
      tries = 0;
      drop(item);
      outbox.set({ failing: false });
      for (const one of listeners) one.taken(item, run);
    } catch (error) {
      if (passes(error)) {
        outbox.set({ failing: true });
        await pause(Math.min(LONGEST, 300 * 2 ** tries++));
      } else if (outbox.get().items.some((one) => one.id === item.id)) {
        drop(item);
        for (const one of listeners) one.refused(item, error as Error);
      }
    }
  }
  working.delete(sessionId);
}

const drop = (item: Unsent): void => keep(outbox.get().items.filter((one) => one.id !== item.id));
const passes = (error: unknown): boolean => error instanceof Unreachable || (error instanceof Refused && [429, 502, 503, 504].includes(error.status));

async function deliver(item: Unsent): Promise<Run> {
  if (item.assistant !== null) {
    await make(item);
    keep(outbox.get().items.map((one) => (one.sessionId === item.sessionId ? { ...one, assistant: null } : one)));
    for (const one of listeners) one.made?.(item);
  }
  if (item.inputs) return call<Run>(sessionPath(item.sessionId, "/inputs"), { method: "PATCH", body: item.inputs });
  const body = {
    query: item.text, request_id: item.id,
    ...(item.files?.length ? { files: item.files.map((one) => one.id) } : {}), ...(item.editOf !== undefined ? { edit_of: item.editOf } : {}), ...(item.branch ? { branch: item.branch } : {}),
  };
  return call<Run>(sessionPath(item.sessionId, "/messages"), { method: "POST", body });
}

async function make(item: Unsent): Promise<void> {
  try {
    await call("/sessions", { method: "POST", body: { assistant: item.assistant, session_id: item.sessionId } });
  } catch (error) {
    // The id is ours: it was made by an answer that never came back.
    if (!(error instanceof Refused && error.status === 409)) throw error;
  }
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    wake.push(resolve);
    setTimeout(resolve, milliseconds);
  });
}
