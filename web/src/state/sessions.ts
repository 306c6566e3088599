// The list of conversations, as searched for. An older answer never replaces a newer one.

import { call, sessionPath } from "../api/client";
import type { Assistant, Page, Session } from "../api/types";
import { createStore } from "./store";
import { flash } from "./toast";
import { t } from "../i18n";

export interface Sessions {
  assistants: Assistant[];
  ready: boolean;
  unreachable: boolean;
  search: string;
  archived: boolean;
  items: Session[];
  next: string | null;
  loaded: boolean;
}

export const sessions = createStore<Sessions>({
  assistants: [], ready: false, unreachable: false, search: "", archived: false, items: [], next: null, loaded: false,
});
let asked = 0;
let timer = 0;

export function listSoon(): void {
  clearTimeout(timer);
  timer = window.setTimeout(() => void list(), 250);
}

export function searchFor(search: string): void {
  sessions.set({ search });
  listSoon();
}

export function showArchived(archived: boolean): void {
  sessions.set({ archived, items: [], loaded: false });
  void list();
}

export async function list(more = false): Promise<void> {
  const mine = ++asked;
  const { search, archived, next, items } = sessions.get();
  const query = new URLSearchParams({ limit: "40", archived: String(archived) });
  if (search.trim()) query.set("q", search.trim());
  if (more && next) query.set("cursor", next);
  const page = await call<Page<Session>>(`/sessions?${query}`).catch(() => null);
  if (!page || mine !== asked) return;
  sessions.set({ items: more ? [...items, ...page.items] : page.items, next: page.next_cursor, loaded: true });
}

export async function rename(id: string, title: string): Promise<Session | null> {
  const changed = await call<Session>(sessionPath(id), { method: "PATCH", body: { title } }).catch((error: Error) => {
    flash(error.message);
    return null;
  });
  if (changed) void list();
  return changed;
}

export async function remove(session: Session): Promise<boolean> {
  try {
    await call(sessionPath(session.session_id), { method: "DELETE" });
  } catch (error) {
    flash((error as Error).message);
    return false;
  }
  sessions.set((now) => ({ items: now.items.filter((one) => one.session_id !== session.session_id) }));
  flash(t("deleted", { name: nameOf(session) }), { label: t("undo"), run: () => void restore(session.session_id) }, 25_000);
  void list();
  return true;
}

async function restore(id: string): Promise<void> {
  try {
    await call(sessionPath(id, "/restore"), { method: "POST" });
    flash(t("restored"), null, 3000);
  } catch (error) {
    flash((error as Error).message);
  }
  void list();
}

export async function archive(session: Session, archived: boolean): Promise<void> {
  await call(sessionPath(session.session_id), { method: "PATCH", body: { archived } }).catch((error: Error) => flash(error.message));
  void list();
}

export async function start(): Promise<void> {
  for (let tries = 0; ; tries += 1) {
    try {
      const assistants = await call<Assistant[]>("/assistants");
      sessions.set({ assistants, ready: true, unreachable: false });
      return void list();
    } catch {
      sessions.set({ unreachable: true });
      await new Promise((resolve) => setTimeout(resolve, Math.min(8000, 300 * 2 ** tries)));
    }
  }
}

// Who there is, in the language that is spoken now.
export async function introduce(): Promise<void> {
  if (!sessions.get().ready) return;
  const assistants = await call<Assistant[]>("/assistants").catch(() => null);
  if (assistants) sessions.set({ assistants });
}

export const assistantOf = (name: string | null | undefined): Assistant | undefined => sessions.get().assistants.find((one) => one.name === name);
export const plainText = (text: string): string => text.replace(/[*`#|>_]+/g, " ").replace(/\s+/g, " ").trim();
export const nameOf = (session: Session): string =>
  session.title || plainText(session.last_message ?? "").slice(0, 60) || assistantOf(session.assistant)?.title || t("conversation");
