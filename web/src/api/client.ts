// Requests to the server's public API, and nothing else: every call of the app goes through here.

import { language, t } from "../i18n";
import { readKey } from "./key";

export class Refused extends Error {
  constructor(readonly status: number, readonly code: string, message: string, readonly detail: unknown = null) {
    super(message);
  }
}

export class Unreachable extends Error {
  constructor() {
    super(t("unreachable"));
  }
}

let needKey: ((wrong: boolean) => Promise<void>) | null = null;

export function onKeyNeeded(ask: (wrong: boolean) => Promise<void>): void {
  needKey = ask;
}

export interface Sent {
  method?: "GET" | "POST" | "PATCH" | "PUT" | "DELETE";
  body?: unknown;
  form?: FormData;
  accept?: string;
  signal?: AbortSignal;
}

export async function request(path: string, sent: Sent = {}): Promise<Response> {
  const { method = "GET", body, form, accept, signal } = sent;
  // Titles, choices and units come in the language of the page.
  const headers: { [name: string]: string } = { "Accept-Language": language.get().now };
  const key = readKey();
  if (key) headers["Authorization"] = `Bearer ${key}`;
  if (body !== undefined) headers["Content-Type"] = "application/json";
  if (accept) headers["Accept"] = accept;
  const payload = form ?? (body === undefined ? null : JSON.stringify(body));
  let answer: Response;
  try {
    answer = await fetch(`/api/v1${path}`, { method, headers, body: payload, signal: signal ?? null });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new Unreachable();
  }
  if (answer.status === 401 && needKey) {
    await needKey(key !== null);
    return request(path, sent);
  }
  if (!answer.ok) throw await refusal(answer);
  return answer;
}

async function refusal(answer: Response): Promise<Refused> {
  const problem = (await answer.json().catch(() => ({}))) as { code?: string; detail?: string; errors?: unknown };
  return new Refused(answer.status, problem.code ?? "", words(answer.status, problem.detail), problem);
}

function words(status: number, detail: string | undefined): string {
  const known: { [status: number]: string } = {
    401: t("refused_401"), 403: t("refused_403"), 404: t("refused_404"), 413: t("refused_413"), 429: t("refused_429"), 503: t("refused_503"),
  };
  return known[status] ?? detail ?? (status === 409 ? t("refused_409") : t("refused_500"));
}

export async function call<T>(path: string, sent: Sent = {}): Promise<T> {
  const answer = await request(path, sent);
  return (answer.status === 204 ? null : await answer.json()) as T;
}

export const sessionPath = (id: string, rest = ""): string => `/sessions/${encodeURIComponent(id)}${rest}`;
