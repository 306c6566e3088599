// What an assistant can be told, asked for once.

import { call } from "../api/client";
import type { AssistantDetails } from "../api/types";

const details = new Map<string, Promise<AssistantDetails>>();

export function detailsOf(name: string): Promise<AssistantDetails> {
  const found = details.get(name) ?? call<AssistantDetails>(`/assistants/${encodeURIComponent(name)}`);
  details.set(name, found);
  found.catch(() => details.delete(name));
  return found;
}
