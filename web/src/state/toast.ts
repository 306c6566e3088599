// One line at the top that passes; it may carry something to do (undo).

import { createStore } from "./store";

export interface Toast {
  text: string;
  action: { label: string; run: () => void } | null;
}

export const toast = createStore<Toast>({ text: "", action: null });
let timer = 0;

export function flash(text: string, action: Toast["action"] = null, milliseconds = 6000): void {
  clearTimeout(timer);
  toast.set({ text, action });
  if (text) timer = window.setTimeout(() => toast.set({ text: "", action: null }), milliseconds);
}
