// The state at a checkpoint as a tree with search; one field with its history, its writer, and a way to change it.

import { useVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useMemo, useRef, useState } from "react";
import { sessionPath } from "../api/client";
import type { StateAt } from "../api/types";
import { t } from "../i18n";
import { goInstead, sessionAddress } from "../state/route";
import { CopyAs } from "./CopyAs";
import { FieldView } from "./FieldView";
import { rowsOf, short, sizeOf } from "./rows";
import type { Row } from "./rows";
import { useMasking } from "./sensitive";
import { useAsked } from "./useAsked";

interface Given {
  sessionId: string;
  assistant: string | null;
  at: string | null;
  path: string | null;
  fresh: string;
}

export default function StateView({ sessionId, assistant, at, path, fresh }: Given) {
  const address = sessionPath(sessionId, `/state${at ? `?checkpoint_id=${encodeURIComponent(at)}` : ""}`);
  const { value: found, why, loading } = useAsked<StateAt>(address, fresh);
  const [search, setSearch] = useState("");
  const [open, setOpen] = useState<ReadonlySet<string>>(() => new Set(parents(path)));
  const masking = useMasking(assistant);
  const { hidden } = masking;
  const rows = useMemo(() => rowsOf(found?.state ?? {}, open, search, hidden), [found, open, search, masking.any, masking.revealed]);
  const select = (to: string | null): void => goInstead(sessionAddress(sessionId, "state", { at, path: to }));
  const toggle = (row: Row): void => setOpen((now) => {
    const next = new Set(now);
    if (!next.delete(row.path)) next.add(row.path);
    return next;
  });
  if (why) return <p className="notice bad">{why}</p>;
  if (!found) return <p className="meta">{loading ? t("loading") : ""}</p>;
  return (
    <div className="state-view">
      <div className="bar-row">
        <input type="search" aria-label={t("search_state")} placeholder={t("search_state")} value={search} onChange={(event) => setSearch(event.target.value)} />
        <CopyAs asked={{ path: address }} />
      </div>
      {at && <p className="meta">{t("at_checkpoint", { id: at.slice(0, 13) })} <button type="button" className="link" onClick={() => goInstead(sessionAddress(sessionId, "state", { path }))}>{t("to_now")}</button></p>}
      {masking.any && <p className="meta"><button type="button" className="link" aria-pressed={masking.revealed} onClick={masking.toggle}>{masking.revealed ? t("hide_masked") : t("show_masked")}</button></p>}
      <Tree rows={rows} chosen={path} select={select} toggle={toggle} />
      {path && <FieldView sessionId={sessionId} at={at} path={path} state={found.state} hidden={hidden} close={() => select(null)} />}
    </div>
  );
}

const parents = (path: string | null): string[] => (path ?? "").split(".").map((_, index, all) => all.slice(0, index).join(".")).filter(Boolean);

interface TreeGiven {
  rows: Row[];
  chosen: string | null;
  select: (path: string) => void;
  toggle: (row: Row) => void;
}

function Tree({ rows, chosen, select, toggle }: TreeGiven) {
  const place = useRef<HTMLDivElement>(null);
  const list = useVirtualizer({ count: rows.length, getScrollElement: () => place.current, estimateSize: () => 28, overscan: 12 });
  const [active, setActive] = useState(0);
  useEffect(() => {
    if (active >= rows.length) setActive(0);
  }, [rows.length]);
  const walk = (event: React.KeyboardEvent): void => {
    const row = rows[active];
    const to = event.key === "ArrowDown" ? Math.min(active + 1, rows.length - 1) : event.key === "ArrowUp" ? Math.max(active - 1, 0) : null;
    if (to !== null) {
      event.preventDefault();
      setActive(to);
      list.scrollToIndex(to);
    } else if (row && ((event.key === "ArrowRight" && !row.open && row.count) || (event.key === "ArrowLeft" && row.open))) toggle(row);
    else if (row && event.key === "Enter") select(row.path);
  };
  if (!rows.length) return <p className="meta">{t("none_in_state")}</p>;
  return (
    <div ref={place} className="tree" role="tree" tabIndex={0} aria-label={t("state")} aria-activedescendant={`row-${active}`} onKeyDown={walk}>
      <div className="tree-rows" role="presentation" style={{ height: list.getTotalSize() }}>
        {list.getVirtualItems().map((item) => {
          const row = rows[item.index];
          if (!row) return null;
          return (
            <div key={row.path} id={`row-${item.index}`} role="treeitem" aria-level={row.depth + 1} aria-selected={row.path === chosen} aria-expanded={row.count ? row.open : undefined}
              className={`tree-row${row.path === chosen ? " chosen" : ""}${item.index === active ? " active" : ""}`} style={{ transform: `translateY(${item.start}px)`, paddingLeft: 6 + row.depth * 15 }}
              onClick={() => { setActive(item.index); select(row.path); if (row.count && !row.open) toggle(row); }}>
              <span className="twist" aria-hidden="true" onClick={(event) => { event.stopPropagation(); toggle(row); }}>{row.count ? (row.open ? "▾" : "▸") : ""}</span>
              <span className="key">{row.name}</span>
              {row.masked ? <span className="value masked">{t("masked")}</span> : <span className={`value ${row.kind}`}>{short(row.value, row.count)}</span>}
              {row.depth === 0 && row.count > 0 && <span className="size">{sizeOf(row.value)}</span>}
            </div>
          );
        })}
      </div>
    </div>
  );
}
