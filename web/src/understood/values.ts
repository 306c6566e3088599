// What is typed into a form, as the value its schema asks for.

import type { InputSchema } from "../api/types";
import { number } from "../i18n";

export const isList = (schema: InputSchema): boolean => schema.type === "array";
export const isNumber = (schema: InputSchema): boolean => schema.type === "integer" || schema.type === "number";

const LARGE: { [name: string]: number } = { k: 1e3, thousand: 1e3, m: 1e6, million: 1e6, billion: 1e9 };

// Money as people write it: 250만원, 1억 2,000만, 2500000, 2.5 million won.
export function readNumber(text: string): number | null {
  const bare = text.replace(/[\s,원]|won$/g, "");
  const large = /^(-?\d+(?:\.\d+)?)(k|thousand|m|million|billion)$/i.exec(bare);
  if (large) return Math.round(Number(large[1]) * (LARGE[(large[2] ?? "").toLowerCase()] ?? 1));
  if (/^-?\d+(\.\d+)?$/.test(bare)) return Number(bare);
  const won = /^(?:([\d.천백]+)억)?(?:([\d.천백]+)만)?([\d.천백]+)?$/.exec(bare);
  if (!bare || !won) return null;
  const parts = [below(won[1]), below(won[2]), below(won[3])];
  if (parts.includes(null)) return null;
  // "3억 5천" is 3억 5천만: what follows 억 without a unit of its own counts ten thousands.
  const rest = won[1] && !won[2] && /[천백]$/.test(won[3] ?? "") ? 1e4 : 1;
  return (parts[0] ?? 0) * 1e8 + (parts[1] ?? 0) * 1e4 + (parts[2] ?? 0) * rest;
}

// A number below ten thousand as it is written: 5천, 1천2백, 350, 2.5.
function below(text: string | undefined): number | null {
  if (!text) return 0;
  const found = /^(?:(\d*(?:\.\d+)?)천)?(?:(\d*(?:\.\d+)?)백)?(\d+(?:\.\d+)?)?$/.exec(text);
  if (!found) return null;
  const times = (part: string | undefined, unit: number): number => (part === undefined ? 0 : Number(part || 1) * unit);
  return times(found[1], 1000) + times(found[2], 100) + Number(found[3] ?? 0);
}

export function inWords(value: number, unit: string): string {
  if (unit !== "원" || Math.abs(value) < 10_000) return unit ? `${number(value)}${/^[a-z]/i.test(unit) ? " " : ""}${unit}` : "";
  const eok = Math.trunc(value / 1e8);
  const man = Math.trunc((value % 1e8) / 1e4);
  const rest = value % 1e4;
  return `${[eok && `${number(eok)}억`, man && `${number(man)}만`, rest && number(rest)].filter(Boolean).join(" ")}원`;
}

// A value as it stands in its field: sums in groups of three, as they may be typed.
export const toText = (value: unknown, schema: InputSchema): string => {
  if (value === null || value === undefined) return "";
  if (typeof value === "number" && schema["x-kind"] === "money") return number(value, 6);
  if (Array.isArray(value)) return value.map(String).join(", ");
  return typeof value === "object" ? JSON.stringify(value) : String(value);
};

// The value to send: null clears. What can't be read is sent as it is, so that the server says what is wrong with it.
export function fromText(text: string, schema: InputSchema): unknown {
  const bare = text.trim();
  if (!bare) return null;
  if (isNumber(schema)) return readNumber(bare) ?? bare;
  if (isList(schema)) return bare.split(/[,、]/).map((one) => one.trim()).filter(Boolean);
  return bare;
}
