"""Rows of every place put into DuckDB as text, with the line they stand in."""

import csv
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from madang.assistants.works.data.tables import DATE_COLUMN, KEYS
from madang.assistants.works.tools.sales_data.mapping import REQUIRED, Place, Source
from madang.assistants.works.tools.sales_data.records import Line
from madang.assistants.works.tools.sales_data.report import SheetReport
from madang.assistants.works.tools.sales_data.rows import is_total, open_sheet
from madang.assistants.works.tools.sales_data.values import typed
from madang.errors import FieldProblem, InvalidState

LONGEST_LINE = 10_000_000
LATER = 10**12


@dataclass
class Staging:
    """Temporary tables of one load: `sheet_N` is a place's text, `rows_TABLE` what our table is made of (place `p`,
    `line`, and what `typed` gives of each column), `totals_N` lines that add up others, `problems` what can't
    be loaded.
    """

    connection: Any
    sources: tuple[Source, ...]
    places: list[Place] = field(default_factory=list)
    columns: list[list[str]] = field(default_factory=list)
    reports: list[SheetReport] = field(default_factory=list)

    def execute(self, sql: str, values: list[Any] | None = None) -> Any:
        return self.connection.execute(sql, values or [])

    def count(self, sql: str, values: list[Any] | None = None) -> int:
        return int(self.execute(sql, values).fetchone()[0])


def stage(connection: Any, sources: tuple[Source, ...], scratch: Path, progress: Callable[[int, int], None]) -> Staging:
    """Read each place once. Raises `InvalidState` naming columns that aren't there, `InvalidInput` for a bad place."""
    staging = Staging(connection, sources)
    dated_first = sorted(sources, key=lambda source: (source.table not in DATE_COLUMN, source.distinct))
    staging.execute(
        "CREATE TEMP TABLE problems (tbl VARCHAR, p INTEGER, line BIGINT, col VARCHAR, words VARCHAR, reason VARCHAR)"
    )
    places = list(dict.fromkeys(place for source in sources for place in source.places))
    for done, place in enumerate(places):
        progress(done, len(places) + 1)
        _stage_place(staging, place, scratch)
    progress(len(places), len(places) + 1)
    for source in dated_first:
        _settle_totals(staging, source)
    for source in dated_first:
        _make_rows(staging, source)
    for number in range(len(places)):
        totals = f"SELECT line FROM sheet_{number} WHERE total ORDER BY line"  # noqa: S608
        staging.execute(f"CREATE TEMP TABLE totals_{number} AS {totals}")
        staging.execute(f"DROP TABLE sheet_{number}")
    return staging


def _stage_place(staging: Staging, place: Place, scratch: Path) -> None:
    named = [theirs for source in staging.sources if place in source.places for theirs in source.columns.values()]
    wanted = list(dict.fromkeys(named))
    sheet = open_sheet(place, wanted)
    if missing := [name for name in wanted if name not in sheet.headings]:
        have = "있는 열: " + ", ".join(filter(None, sheet.headings))
        raise InvalidState([FieldProblem(f"{place.label}: {name}", "열이 없습니다", have) for name in missing])
    at = [sheet.headings.index(name) for name in wanted]
    number, path, rows = len(staging.places), scratch / "rows.csv", 0
    troubled: list[Line] = []
    with path.open("w", encoding="utf-8", newline="") as opened:
        write = csv.writer(opened, lineterminator="\n").writerow
        for rows, line in enumerate(sheet.rows, 1):  # noqa: B007 - how many there were
            if line.trouble:
                troubled.append(line)
            else:
                cells = line.cells
                write((line.number, int(is_total(cells)), *[cells[i].strip() for i in at]))
    _read_back(staging, number, path, len(at))
    if troubled:
        staging.connection.executemany(
            "INSERT INTO problems VALUES ('', ?, ?, '', ?, ?)",
            [[number, line.number, _readable(line.cells), line.trouble] for line in troubled],
        )
    staging.places.append(place)
    staging.columns.append(wanted)
    staging.reports.append(SheetReport(place.label, sheet.encoding, rows, len(troubled)))


def _read_back(staging: Staging, number: int, path: Path, width: int) -> None:
    columns = "".join(f", 'c{i}': 'VARCHAR'" for i in range(width))
    staging.execute(
        f"CREATE TEMP TABLE sheet_{number} AS SELECT * FROM read_csv(?, header=false, auto_detect=false, delim=',', "  # noqa: S608
        f"quote='\"', escape='\"', parallel=false, max_line_size={LONGEST_LINE}, "
        f"columns={{'line': 'BIGINT', 'total': 'BOOLEAN'{columns}}})",
        [str(path)],
    )
    path.unlink()


def _readable(cells: list[str]) -> str:
    return ",".join(cells).encode("utf-8", "replace").decode()[:120]


def _settle_totals(staging: Staging, source: Source) -> None:
    """A row with 합계 in it adds up others only if it has no date (or whatever else each row of the table needs)."""
    lacking = " OR ".join(f'"v_{column}" IS NULL' for column in REQUIRED[source.table])
    for place in source.places:
        number = staging.places.index(place)
        if source.table in DATE_COLUMN or _dated_source(staging, place) is None:
            rows = typed(source, f"{_cells(staging, source, place)} WHERE total")
            staging.execute(
                f"UPDATE sheet_{number} SET total = false WHERE total AND line NOT IN "  # noqa: S608
                f"(SELECT line FROM ({rows}) WHERE {lacking})"
            )


def _dated_source(staging: Staging, place: Place) -> Source | None:
    return next((s for s in staging.sources if place in s.places and s.table in DATE_COLUMN), None)


def _cells(staging: Staging, source: Source, place: Place) -> str:
    number = staging.places.index(place)
    at = staging.columns[number]
    named = "".join(f", nullif(c{at.index(theirs)}, '') AS \"r_{ours}\"" for ours, theirs in source.columns.items())
    return f"SELECT {number} AS p, line{named} FROM sheet_{number}"  # noqa: S608


def _make_rows(staging: Staging, source: Source) -> None:
    """The table `rows_TABLE`; of a flat export one row a key, each column with the newest row's that has it."""
    every = " UNION ALL ".join(f"({_ordered(staging, source, place)})" for place in source.places)
    if not source.distinct:
        staging.execute(f"CREATE TEMP TABLE rows_{source.table} AS {typed(source, every)}")
        return
    columns = ", ".join(
        f'arg_max("r_{c}", newest) AS "r_{c}", count(DISTINCT "r_{c}") AS "n_{c}"' for c in source.columns
    )
    key = f'nfc_normalize("r_{KEYS[source.table]}")'
    each = f"SELECT min(p) AS p, min(line) AS line, {columns} FROM ({every}) WHERE {key} IS NOT NULL GROUP BY {key}"  # noqa: S608
    counts = "".join(f', "n_{c}"' for c in source.columns)
    staging.execute(f"CREATE TEMP TABLE rows_{source.table} AS {typed(source, each, counts)}")


def _ordered(staging: Staging, source: Source, place: Place) -> str:
    """A place's rows; for a row a key with `newest`, which grows with their day and then with their line."""
    cells = f"{_cells(staging, source, place)} WHERE NOT total"
    if not source.distinct:
        return cells
    dated = _dated_source(staging, place)
    if dated is None:
        return f"SELECT *, p * {LATER} + line AS newest FROM ({cells})"  # noqa: S608
    day = f"coalesce(v_date - DATE '1990-01-01', 0) * {LATER} + line"
    return f"SELECT c.*, {day} AS newest FROM ({cells}) c LEFT JOIN rows_{dated.table} USING (p, line)"  # noqa: S608
