// What is typed into a form, as the value its schema asks for.

import type { InputSchema } from "../api/types";
import { number } from "../i18n";

export const isList = (schema: InputSchema): boolean => schema.type === "array";
export const isNumber = (schema: InputSchema): boolean => schema.type === "integer" || schema.type === "number";

// Money as people write it: 250만원, 1억 2,000만, 2500000.
export function readNumber(text: string): number | null {
  const bare = text.replace(/[\s,원]/g, "");
  if (/^-?\d+(\.\d+)?$/.test(bare)) return Number(bare);
  const won = /^(?:(\d+(?:\.\d+)?)억)?(?:(\d+(?:\.\d+)?)만)?(\d+)?$/.exec(bare);
  if (!bare || !won || (!won[1] && !won[2])) return null;
  return Number(won[1] ?? 0) * 1e8 + Number(won[2] ?? 0) * 1e4 + Number(won[3] ?? 0);
}

export function inWords(value: number, unit: string): string {
  if (unit !== "원" || Math.abs(value) < 10_000) return unit ? `${number(value)}${unit}` : "";
  const eok = Math.trunc(value / 1e8);
  const man = Math.round((value % 1e8) / 1e4);
  return `${eok ? `${number(eok)}억` : ""}${eok && man ? " " : ""}${man ? `${number(man)}만` : ""}원`;
}

export const toText = (value: unknown): string => {
  if (value === null || value === undefined) return "";
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
