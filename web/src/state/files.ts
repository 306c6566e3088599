// Files that wait to go with the next question of their conversation.

import { Refused, call, sessionPath } from "../api/client";
import { newId } from "../api/key";
import { number, t } from "../i18n";
import { createStore } from "./store";
import { flash } from "./toast";

export interface Attached {
  id: string;
  name: string;
  about: string;
}

export const attached = createStore<{ of: { [sessionId: string]: Attached[] }; uploading: string }>({ of: {}, uploading: "" });
export const ACCEPTED = ".txt,.md,.docx,.pdf,.csv,.xlsx";

interface FileMade {
  file_id: string;
  name: string;
  kind?: string;
  characters: number;
  rows: number | null;
}

export async function attach(sessionId: string, file: File): Promise<void> {
  attached.set({ uploading: file.name });
  try {
    const form = new FormData();
    form.append("file", file);
    const made = await call<FileMade>(sessionPath(sessionId, "/files"), { method: "POST", form });
    const about = made.rows === null ? t("characters", { count: number(made.characters) }) : t("rows", { count: number(made.rows) });
    attached.set((now) => ({ of: { ...now.of, [sessionId]: [...(now.of[sessionId] ?? []), { id: made.file_id, name: made.name, about }] } }));
  } catch (error) {
    const wrong = error instanceof Refused && (error.detail as { reason?: string } | null)?.reason === "wrong_type";
    flash(wrong ? t("file_wrong_type", { name: file.name }) : (error as Error).message);
  }
  attached.set({ uploading: "" });
}

export function detach(sessionId: string, id: string): void {
  attached.set((now) => ({ of: { ...now.of, [sessionId]: (now.of[sessionId] ?? []).filter((one) => one.id !== id) } }));
}

export function takeFiles(sessionId: string): { id: string; name: string }[] {
  const taken = attached.get().of[sessionId] ?? [];
  if (taken.length) attached.set((now) => ({ of: { ...now.of, [sessionId]: [] } }));
  return taken.map(({ id, name }) => ({ id, name }));
}

// A file belongs to a session, so one is made for it.
export async function sessionFor(assistant: string): Promise<string> {
  const id = newId();
  await call("/sessions", { method: "POST", body: { assistant, session_id: id } });
  return id;
}
