// A state as rows of a tree: what is open, or what a search finds. Pure.

export interface Row {
  path: string;
  name: string;
  depth: number;
  value: unknown;
  kind: "object" | "list" | "text" | "number" | "boolean" | "null";
  count: number;
  open: boolean;
  masked: boolean;
}

// A field that is declared sensitive is shown on request only, whatever lies in it.
export const isMasked = (path: string, sensitive: ReadonlySet<string>): boolean => path.split(".").some((name) => sensitive.has(name));

export const kindOf = (value: unknown): Row["kind"] => {
  if (value === null || value === undefined) return "null";
  if (Array.isArray(value)) return "list";
  if (typeof value === "object") return "object";
  return typeof value === "number" ? "number" : typeof value === "boolean" ? "boolean" : "text";
};

const entriesOf = (value: unknown): [string, unknown][] => (value && typeof value === "object" ? Object.entries(value) : []);
const join = (path: string, name: string): string => (path ? `${path}.${name}` : name);

export function rowsOf(state: unknown, open: ReadonlySet<string>, search: string, hidden: ReadonlySet<string>): Row[] {
  const wanted = search.trim().toLowerCase();
  const rows: Row[] = [];
  const walk = (value: unknown, path: string, depth: number): void => {
    for (const [name, inner] of entriesOf(value)) {
      const here = join(path, name);
      if (hidden.has(name)) {
        if (!wanted || name.toLowerCase().includes(wanted)) rows.push({ path: here, name, depth, value: inner, kind: "null", count: 0, open: false, masked: true });
        continue;
      }
      const parts = entriesOf(inner);
      const isOpen = wanted ? parts.length > 0 && parts.some(([each, one]) => holds(each, one, wanted, hidden)) : open.has(here);
      if (wanted && !holds(name, inner, wanted, hidden)) continue;
      rows.push({ path: here, name, depth, value: inner, kind: kindOf(inner), count: parts.length, open: isOpen, masked: false });
      if (isOpen) walk(inner, here, depth + 1);
    }
  };
  walk(state, "", 0);
  return rows;
}

function holds(name: string, value: unknown, wanted: string, hidden: ReadonlySet<string>): boolean {
  if (name.toLowerCase().includes(wanted)) return true;
  if (hidden.has(name)) return false;
  if (value && typeof value === "object") return entriesOf(value).some(([each, one]) => holds(each, one, wanted, hidden));
  return String(value ?? "").toLowerCase().includes(wanted);
}

export function short(value: unknown, count: number): string {
  const kind = kindOf(value);
  if (kind === "list") return `[${count}]`;
  if (kind === "object") return `{${count}}`;
  if (kind === "null") return "null";
  const text = String(value).replace(/\s+/g, " ");
  return kind === "text" ? `"${text.length > 120 ? `${text.slice(0, 120)}…` : text}"` : text;
}

// The same value with what is hidden left out, at any depth.
export function without(value: unknown, hidden: ReadonlySet<string>, mask: string): unknown {
  if (!hidden.size || !value || typeof value !== "object") return value;
  if (Array.isArray(value)) return value.map((one) => without(one, hidden, mask));
  return Object.fromEntries(entriesOf(value).map(([name, one]) => [name, hidden.has(name) ? mask : without(one, hidden, mask)]));
}

export function valueAt(state: unknown, path: string): unknown {
  return path.split(".").reduce<unknown>((value, name) => (value && typeof value === "object" ? (value as { [key: string]: unknown })[name] : undefined), state);
}

export function sizeOf(value: unknown): string {
  const bytes = new TextEncoder().encode(JSON.stringify(value) ?? "").length;
  return bytes < 1024 ? `${bytes} B` : bytes < 1024 * 1024 ? `${(bytes / 1024).toFixed(1)} kB` : `${(bytes / 1024 / 1024).toFixed(1)} MB`;
}
