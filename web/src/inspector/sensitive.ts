// Fields that the assistant declares sensitive: masked until one asks to see them, on this page only.

import { createStore, useStore } from "../state/store";
import { useAsked } from "./useAsked";

const shown = createStore<{ all: boolean }>({ all: false });
const none: ReadonlySet<string> = new Set();

export interface Masking {
  hidden: ReadonlySet<string>;
  any: boolean;
  revealed: boolean;
  toggle: () => void;
}

export function useMasking(assistant: string | null): Masking {
  const { value } = useAsked<{ sensitive?: string[] }>(assistant && `/assistants/${encodeURIComponent(assistant)}/map`);
  const revealed = useStore(shown, (now) => now.all);
  const names = value?.sensitive ?? [];
  return { hidden: revealed || !names.length ? none : new Set(names), any: names.length > 0, revealed, toggle: () => shown.set({ all: !revealed }) };
}
