// A table that sorts by a column, is copied as cells and saved as CSV.

import { useMemo, useState } from "react";
import { t } from "../i18n";
import { copyText, saveText } from "../ui/files";
import { Icon } from "../ui/Icon";

export interface Cells {
  columns: string[];
  rows: string[][];
  title?: string;
}

const FIGURE = /^[-+−₩]?[\d,]+(\.\d+)?\s*(원|만원|억원|억|%|%p|명|박|일|㎡|건|회|개)?$/;
const WON = /^[-+−]?(?:([\d,.]+)억)?\s*(?:([\d,.]+)만)?\s*([\d,]+)?원?$/;

// What a cell is worth for sorting: money in words counts as money.
export function worth(text: string): number | null {
  const bare = text.trim().replace(/\(.*\)$/, "").trim();
  if (!bare) return null;
  const won = /[억만]/.test(bare) ? WON.exec(bare) : null;
  const plain = (part: string | undefined): number => Number((part ?? "0").replaceAll(",", "")) || 0;
  if (won) return (/^[-−]/.test(bare) ? -1 : 1) * (plain(won[1]) * 1e8 + plain(won[2]) * 1e4 + plain(won[3]));
  if (!FIGURE.test(bare)) return null;
  return Number(bare.replace("−", "-").replace(/[^\d.-]/g, ""));
}

export function Table({ columns, rows, title }: Cells) {
  const [by, setBy] = useState<{ column: number; down: boolean } | null>(null);
  const numeric = useMemo(
    () => columns.map((_, i) => rows.some((row) => worth(row[i] ?? "") !== null) && rows.every((row) => !(row[i] ?? "").trim() || worth(row[i] ?? "") !== null)),
    [columns, rows],
  );
  const shown = useMemo(() => (by ? sorted(rows, by.column, by.down) : rows), [rows, by]);
  const sort = (column: number): void => setBy(by?.column === column ? (by.down ? { column, down: false } : null) : { column, down: true });
  const lines = (separator: string): string => [columns, ...shown].map((row) => row.map((one) => quoted(one, separator)).join(separator)).join("\n");
  return (
    <div className="table">
      <div className="scroll" tabIndex={0} role="group" aria-label={title ?? t("table")}>
        <table>
          <thead>
            <tr>
              {columns.map((name, i) => (
                <th key={i} scope="col" className={numeric[i] ? "number" : ""} aria-sort={by?.column === i ? (by.down ? "descending" : "ascending") : "none"}>
                  <button type="button" onClick={() => sort(i)} title={t("sort_by", { name })}>
                    {name}<span className="sort" aria-hidden="true">{by?.column === i ? (by.down ? "▾" : "▴") : ""}</span>
                  </button>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.map((row, r) => (
              <tr key={r}>{columns.map((_, i) => <td key={i} className={numeric[i] ? "number" : (row[i] ?? "").length <= 16 ? "short" : ""}>{row[i] ?? ""}</td>)}</tr>
            ))}
          </tbody>
        </table>
      </div>
      <div className="tools">
        <button type="button" className="quiet small" onClick={() => copyText(lines("\t"))}><Icon name="copy" />{t("copy")}</button>
        <button type="button" className="quiet small" onClick={() => saveText(`\ufeff${lines(",")}`, `${title ?? t("table")}.csv`, "text/csv")}><Icon name="down" />{t("csv")}</button>
      </div>
    </div>
  );
}

function sorted(rows: string[][], column: number, down: boolean): string[][] {
  const value = (row: string[]): string => row[column] ?? "";
  const order = (a: string[], b: string[]): number => {
    const [x, y] = [worth(value(a)), worth(value(b))];
    return x !== null && y !== null ? x - y : value(a).localeCompare(value(b), "ko");
  };
  return [...rows].sort((a, b) => (down ? order(b, a) : order(a, b)));
}

// A spreadsheet runs what begins like a formula; an apostrophe keeps it text.
function quoted(text: string, separator: string): string {
  const safe = /^[=+@]|^-(?![\d,.])/.test(text) ? `'${text}` : text;
  return separator === "," && /[",\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe.replaceAll("\t", " ");
}
