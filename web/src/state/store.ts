// A value that components follow. What is shown is derived from it by pure functions.

import { useSyncExternalStore } from "react";

export interface Store<S> {
  get(): S;
  set(change: Partial<S> | ((now: S) => Partial<S>)): void;
  subscribe(heard: () => void): () => void;
}

export function createStore<S extends object>(initial: S): Store<S> {
  let now = initial;
  const listeners = new Set<() => void>();
  return {
    get: () => now,
    set(change) {
      now = { ...now, ...(typeof change === "function" ? change(now) : change) };
      for (const heard of [...listeners]) heard();
    },
    subscribe(heard) {
      listeners.add(heard);
      return () => listeners.delete(heard);
    },
  };
}

export function useStore<S extends object, T>(store: Store<S>, pick: (now: S) => T): T {
  return useSyncExternalStore(store.subscribe, () => pick(store.get()));
}
