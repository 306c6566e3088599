// Words, numbers and dates in the reader's language.

import { createStore, useStore } from "../state/store";
import { en } from "./en";
import { ko } from "./ko";
import type { Key } from "./ko";

export type Language = "ko" | "en";
const WORDS: { [language in Language]: { [key in Key]: string } } = { ko, en };

function preferred(): Language {
  const chosen = localStorage.getItem("language");
  if (chosen === "ko" || chosen === "en") return chosen;
  return navigator.language.toLowerCase().startsWith("ko") ? "ko" : "en";
}

export const language = createStore<{ now: Language }>({ now: preferred() });
document.documentElement.lang = language.get().now;

export function speak(now: Language): void {
  localStorage.setItem("language", now);
  document.documentElement.lang = now;
  language.set({ now });
}

export const useLanguage = (): Language => useStore(language, (one) => one.now);

export function t(key: Key, values: { [name: string]: string | number } = {}): string {
  return WORDS[language.get().now][key].replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
}

const locale = (): string => (language.get().now === "ko" ? "ko-KR" : "en-GB");
export const number = (value: number, digits = 2): string => value.toLocaleString(locale(), { maximumFractionDigits: digits });
export const seconds = (value: number): string => (value < 10 ? value.toFixed(1) : number(value, 0));
export const time = (text: string): string => new Date(text).toLocaleTimeString(locale(), { hour: "2-digit", minute: "2-digit", second: "2-digit" });
export const dateTime = (text: string): string => new Date(text).toLocaleString(locale(), { dateStyle: "medium", timeStyle: "short" });

export function dayOf(text: string): string {
  const day = new Date(text);
  const start = (date: Date): number => new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime();
  const days = Math.round((start(new Date()) - start(day)) / 86_400_000);
  if (days <= 0) return t("today");
  if (days === 1) return t("yesterday");
  return days < 7 ? t("this_week") : day.toLocaleDateString(locale(), { year: "numeric", month: "long" });
}

export type { Key };
