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
// Making one takes longer than using it a hundred times.
const formats = new Map<string, Intl.NumberFormat>();

export function number(value: number, digits = 2): string {
  const key = `${locale()} ${digits}`;
  const format = formats.get(key) ?? new Intl.NumberFormat(locale(), { maximumFractionDigits: digits });
  formats.set(key, format);
  return format.format(value);
}

const clocks = new Map<string, Intl.DateTimeFormat>();

function clock(name: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${locale()} ${name}`;
  const format = clocks.get(key) ?? new Intl.DateTimeFormat(locale(), options);
  clocks.set(key, format);
  return format;
}

export function duration(seconds: number): string {
  const whole = Math.round(seconds);
  if (whole < 60) return t("took", { seconds: seconds < 10 ? seconds.toFixed(1) : whole });
  const parts = [[Math.floor(whole / 3600), "took_hours"], [Math.floor(whole / 60) % 60, "took_minutes"], [whole < 3600 ? whole % 60 : 0, "took"]] as const;
  return parts.filter(([count]) => count > 0).map(([count, name]) => t(name, { hours: count, minutes: count, seconds: count })).join(" ");
}
export const time = (text: string): string => clock("time", { hour: "2-digit", minute: "2-digit", second: "2-digit" }).format(new Date(text));
export const dateTime = (text: string): string => clock("both", { dateStyle: "medium", timeStyle: "short" }).format(new Date(text));

export function dayOf(text: string): string {
  const day = new Date(text);
  const start = (date: Date): number => new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime();
  const days = Math.round((start(new Date()) - start(day)) / 86_400_000);
  if (days <= 0) return t("today");
  if (days === 1) return t("yesterday");
  return days < 7 ? t("this_week") : day.toLocaleDateString(locale(), { year: "numeric", month: "long" });
}

export type { Key };
