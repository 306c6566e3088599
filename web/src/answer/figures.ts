// The forms in which assistants give tables and charts, as one.

import type { Record_ } from "../api/types";
import { number, t } from "../i18n";

export interface Figures {
  kind: "bar" | "line";
  title: string;
  note: string;
  unit: string;
  labels: string[];
  series: { name: string; values: number[] }[];
}

const isRecord = (value: unknown): value is Record_ => typeof value === "object" && value !== null && !Array.isArray(value);
const text = (value: unknown): string => (typeof value === "string" || typeof value === "number" ? String(value) : "");
export const records = (value: unknown): Record_[] => (Array.isArray(value) ? value.filter(isRecord) : []);

export function figuresOf(given: Record_, title = text(given["title"])): Figures | null {
  const data = isRecord(given["data"]) || Array.isArray(given["data"]) ? given["data"] : given;
  const isList = Array.isArray(data);
  const unit = text(isList ? given["unit"] : (data["unit"] ?? given["unit"])) || (isList && given["type"] ? "원" : "");
  const labels = isList ? records(data).map((one) => text(one["label"])) : ((data["labels"] as unknown[] | undefined) ?? []).map(text);
  const series = isList ? [{ name: "", values: records(data).map((one) => Number(one["value"])) }] : seriesOf(data);
  const values = series.flatMap((one) => one.values);
  if (!labels.length || !values.length || !values.every(Number.isFinite) || values.every((one) => one === 0)) return null;
  return { kind: /line/.test(text(given["type"])) ? "line" : "bar", title, note: text(given["note"]), unit, labels, series };
}

function seriesOf(data: Record_): Figures["series"] {
  if (Array.isArray(data["series"])) return records(data["series"]).map((one) => ({ name: text(one["name"]), values: ((one["values"] as unknown[]) ?? []).map(Number) }));
  return Array.isArray(data["values"]) ? [{ name: "", values: data["values"].map(Number) }] : [];
}

export function compact(value: number, unit: string): string {
  const size = Math.abs(value);
  if (unit === "비율" || (unit === "%" && size <= 1)) return `${(value * 100).toFixed(1)}%`;
  if (unit !== "원") return number(value) + unit;
  if (size >= 1e8) return `${number(value / 1e8)}억`;
  return size >= 1e4 ? `${number(value / 1e4, 0)}만` : `${number(value)}원`;
}

export function shown(value: unknown, unit = ""): string {
  if (value === null || value === undefined) return "";
  if (typeof value === "boolean") return value ? t("yes") : t("no");
  if (typeof value === "number") return unit === "비율" ? `${(value * 100).toFixed(1)}%` : number(value);
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

const isPlain = (value: unknown): boolean => value === null || ["string", "number", "boolean"].includes(typeof value);

// Rows as a table, if they have names that people read: labelled columns, or keys in Korean.
export function tableOf(given: unknown, columns?: unknown): { columns: string[]; rows: string[][] } | null {
  const rows = records(given);
  if (!rows.length) return null;
  const named = columns
    ? records(columns).map((one) => ({ name: text(one["name"]), label: text(one["label"]) || text(one["name"]), unit: text(one["unit"]) }))
    : [...new Set(rows.flatMap((row) => Object.keys(row).filter((key) => isPlain(row[key]) && /[가-힣]/.test(key))))].map((name) => ({ name, label: name, unit: "" }));
  if (!named.length) return null;
  return { columns: named.map((one) => one.label), rows: rows.slice(0, 1000).map((row) => named.map((one) => shown(row[one.name], one.unit))) };
}
