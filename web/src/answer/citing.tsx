// Names of sources in an answer open what they name; what is estimated is labelled quietly.

import type { ReactNode } from "react";
import type { Record_ } from "../api/types";
import { nameOfSource } from "../views/Extras";

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

const canBeCited = (name: string): boolean => name.length > 2 && name.length < 80;

// Whether an answer's own words open a source, so that it needn't be listed under them. Tables and code open nothing.
export function isCited(name: string, when: string, text: string): boolean {
  const words = text.replace(/```[\s\S]*?(```|$)|^\s*\|.*$/gm, "");
  return canBeCited(name) && words.includes(name) && words.includes(when);
}

export function citing(data: Record_ | null, open: (name: string) => void): ((words: string) => ReactNode) | null {
  const listed = (data?.["metadata"] as Record_ | undefined)?.["sources"];
  const names = (Array.isArray(listed) ? listed : []).map((one) => nameOfSource(one).name).filter(canBeCited);
  const known = new Set(names);
  const pattern = new RegExp(`(${[...names].sort((a, b) => b.length - a.length).map(escaped).concat("\\(추정\\)").join("|")})`, "g");
  return (words) => {
    const parts = words.split(pattern);
    if (parts.length === 1) return words;
    return parts.map((part, index) => {
      if (part === "(추정)") return <span key={index} className="label">추정</span>;
      if (!known.has(part)) return part;
      return <button key={index} type="button" className="cite" onClick={() => open(part)}>{part}</button>;
    });
  };
}
