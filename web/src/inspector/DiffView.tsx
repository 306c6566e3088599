// What changed between two checkpoints, by path.

import { sessionPath } from "../api/client";
import type { Record_ } from "../api/types";
import { t } from "../i18n";
import { sessionAddress } from "../state/route";
import { isMasked, short } from "./rows";
import { useMasking } from "./sensitive";
import { useAsked } from "./useAsked";

interface Diff {
  added: Record_;
  removed: Record_;
  changed: { [path: string]: { before: unknown; after: unknown } };
}

const told = (value: unknown): string => short(value, Array.isArray(value) ? value.length : Object.keys((value as object | null) ?? {}).length);

export function DiffView({ sessionId, assistant, from, to }: { sessionId: string; assistant: string | null; from: string; to: string }) {
  const { hidden } = useMasking(assistant);
  const { value: diff, why, loading } = useAsked<Diff>(sessionPath(sessionId, `/diff?from=${encodeURIComponent(from)}&to=${encodeURIComponent(to)}`));
  if (why) return <p className="notice bad">{why}</p>;
  if (!diff) return <p className="meta">{loading ? t("loading") : ""}</p>;
  const seen = (path: string, value: unknown): string => (isMasked(path, hidden) ? t("masked") : told(value));
  const rows = [
    ...Object.entries(diff.added).map(([path, value]) => ({ path, mark: "+", before: null, after: seen(path, value) })),
    ...Object.entries(diff.removed).map(([path, value]) => ({ path, mark: "−", before: seen(path, value), after: null })),
    ...Object.entries(diff.changed).map(([path, { before, after }]) => ({ path, mark: "~", before: seen(path, before), after: seen(path, after) })),
  ].sort((a, b) => a.path.localeCompare(b.path));
  if (!rows.length) return <p className="meta">{t("no_difference")}</p>;
  return (
    <ul className="diff">
      {rows.map((row) => (
        <li key={row.path}>
          <span className="mark" aria-hidden="true">{row.mark}</span>
          <a className="path" href={sessionAddress(sessionId, "state", { at: to, path: row.path })}>{row.path}</a>
          {row.before !== null && <del>{row.before}</del>}
          {row.after !== null && <ins>{row.after}</ins>}
        </li>
      ))}
    </ul>
  );
}
