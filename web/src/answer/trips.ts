// Day plans and alternatives, found in an answer's sections by the shape of their tables.

import type { Record_ } from "../api/types";
import { records } from "./figures";

export interface Place {
  day: number;
  name: string;
  lat: number;
  lon: number;
}

export interface Stop {
  name: string;
  /** Its number on the map; meals and ways between cities have none. */
  number: number | null;
  from: number;
  to: number;
  time: string;
  notes: string[];
}

export interface Day {
  title: string;
  stops: Stop[];
}

export interface Alternative {
  title: string;
  facts: [string, string][];
  advised: boolean;
}

const SPAN = /^(\d{1,2}):(\d{2})\s*[–~-]\s*(\d{1,2}):(\d{2})$/;
const text = (value: unknown): string => (value === null || value === undefined ? "" : String(value));

export function placesOf(data: Record_): Place[] {
  return records(data["map"]).map((one) => ({ day: Number(one["day"]), name: text(one["name"]), lat: Number(one["lat"]), lon: Number(one["lon"]) }))
    .filter((one) => Number.isFinite(one.lat) && Number.isFinite(one.lon) && Number.isFinite(one.day));
}

// A table with a column of times and one that groups them before it is a day plan.
export function daysOf(data: Record_): Day[] {
  for (const section of records(data["sections"])) {
    const rows = records(section["table"]);
    const keys = Object.keys(rows[0] ?? {});
    const time = keys.findIndex((key) => rows.every((row) => SPAN.test(text(row[key]))));
    if (rows.length < 2 || time < 1 || time + 1 >= keys.length) continue;
    return grouped(rows, keys, time, new Set(placesOf(data).map((one) => one.name)));
  }
  return [];
}

function grouped(rows: Record_[], keys: string[], time: number, mapped: Set<string>): Day[] {
  const days: Day[] = [];
  for (const row of rows) {
    const title = text(row[keys[0] ?? ""]);
    if (days.at(-1)?.title !== title) days.push({ title, stops: [] });
    const when = text(row[keys[time] ?? ""]);
    const [, a, b, c, d] = (SPAN.exec(when) ?? []).map(Number);
    const rest = keys.slice(time + 2).map((key) => [key, text(row[key])] as const).filter(([, value]) => value && value !== "-");
    const name = text(row[keys[time + 1] ?? ""]);
    const stops = days.at(-1)?.stops ?? [];
    const number = !mapped.size || mapped.has(name) ? stops.filter((one) => one.number !== null).length + 1 : null;
    stops.push({ name, number, from: (a ?? 0) * 60 + (b ?? 0), to: (c ?? 0) * 60 + (d ?? 0), time: when, notes: rest.map(([key, value]) => `${key} ${value}`) });
  }
  return days;
}

// Two to four rows with many columns are alternatives: people compare them side by side.
export function alternativesOf(data: Record_): { title: string; of: Alternative[] } | null {
  for (const section of records(data["sections"])) {
    const rows = records(section["table"]);
    const keys = Object.keys(rows[0] ?? {});
    if (rows.length < 2 || rows.length > 4 || keys.length < 6) continue;
    const said = text(section["content"]).split("\n");
    const advised = (title: string): boolean => said.some((line) => line.includes(title) && /추천|recommended/i.test(line));
    return { title: text(section["title"]), of: rows.map((row) => ({ title: text(row[keys[0] ?? ""]), advised: advised(text(row[keys[0] ?? ""])), facts: keys.slice(1).map((key): [string, string] => [key, text(row[key])]) })) };
  }
  return null;
}
