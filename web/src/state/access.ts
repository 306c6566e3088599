// Signing in: asked for once, however many requests wait for it.

import { dropKey, keepKey } from "../api/key";
import { onKeyNeeded } from "../api/client";
import { createStore } from "./store";

export const access = createStore<{ asking: boolean; wrong: boolean }>({ asking: false, wrong: false });
let waiting: (() => void)[] = [];

export function askForKey(wrong: boolean): Promise<void> {
  access.set({ asking: true, wrong });
  return new Promise((resolve) => waiting.push(resolve));
}

export function giveKey(key: string): void {
  keepKey(key);
  access.set({ asking: false });
  const told = waiting;
  waiting = [];
  for (const one of told) one();
}

onKeyNeeded(askForKey);

// Another tab has signed in, or out, or in as somebody else.
addEventListener("storage", (event) => {
  if (event.key !== "key") return;
  if (event.newValue && access.get().asking) giveKey(event.newValue.split("\n")[1] ?? "");
  else if (event.oldValue) {
    if (!event.newValue) dropKey();
    location.reload();
  }
});
