// Light, dark, or as the system is.

import { createStore, useStore } from "./store";

export type Theme = "system" | "light" | "dark";
const dark = matchMedia("(prefers-color-scheme: dark)");
const chosen = (): Theme => (["light", "dark"].includes(localStorage.getItem("theme") ?? "") ? (localStorage.getItem("theme") as Theme) : "system");

export const theme = createStore<{ chosen: Theme; now: "light" | "dark" }>({ chosen: chosen(), now: "light" });

function settle(): void {
  const wanted = theme.get().chosen;
  const now = wanted === "system" ? (dark.matches ? "dark" : "light") : wanted;
  document.documentElement.dataset["theme"] = now;
  theme.set({ now });
}

export function paint(wanted: Theme): void {
  localStorage.setItem("theme", wanted);
  theme.set({ chosen: wanted });
  settle();
}

dark.addEventListener("change", settle);
settle();

export const useTheme = (): "light" | "dark" => useStore(theme, (one) => one.now);
