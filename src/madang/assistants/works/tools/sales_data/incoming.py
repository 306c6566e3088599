"""Rows that were read and are good, with the keys by which they are known again; and putting them into the tables."""

from typing import Any

from madang.assistants.works.data.tables import COLUMNS, DATE_COLUMN, KEYS
from madang.assistants.works.tools.sales_data.mapping import Source
from madang.assistants.works.tools.sales_data.report import Note
from madang.assistants.works.tools.sales_data.staging import Staging

MATCH = {"targets": ("date", "rep_id", "product_id"), "attendees": ("seminar_id",)}
"""Tables without a key: what an added load puts its rows in the place of."""


def make_incoming(staging: Staging, source: Source) -> list[Note]:
    """The temporary table `incoming`: good rows as they will be stored.

    A row without a key of its own gets one from its contents and, for rows that are the same within one file, their
    number there. So a sale that stands in two files is one, and two equal sales of one file are two.
    """
    table, key = source.table, KEYS.get(source.table)
    columns = ", ".join(f'"v_{c}" AS "{c}"' for c in source.columns)
    good = (
        f"SELECT p, line, {columns} FROM rows_{table} "  # noqa: S608
        f"ANTI JOIN (SELECT p, line FROM problems WHERE tbl = '{table}') AS bad USING (p, line)"
    )
    staging.execute("DROP TABLE IF EXISTS incoming")
    if key is None:
        staging.execute(f"CREATE TEMP TABLE incoming AS {good}")
        return []
    if key in source.columns:
        staging.execute(
            f"CREATE TEMP TABLE incoming AS SELECT * FROM ({good}) "  # noqa: S608
            f"QUALIFY row_number() OVER (PARTITION BY {key} ORDER BY p, line) = 1"
        )
        return _left_out_once(staging, source, good)
    contents = ", ".join(f"coalesce(CAST(\"{c}\" AS VARCHAR), '')" for c in source.columns)
    staging.execute(
        f"CREATE TEMP TABLE incoming AS SELECT *, h || '-' || n AS {key} FROM (SELECT *, row_number() OVER "  # noqa: S608
        f"(PARTITION BY p, h ORDER BY line) AS n FROM (SELECT *, left(md5(concat_ws(chr(31), {contents})), 20) AS h "
        f"FROM ({good})))"
    )
    return [*_equal_rows(staging, source), *_other_files(staging, source, key)]


def _left_out_once(staging: Staging, source: Source, good: str) -> list[Note]:
    count = staging.count(f"SELECT (SELECT count(*) FROM ({good})) - (SELECT count(*) FROM incoming)")  # noqa: S608
    return [Note("repeated", source.table, count, f"똑같은 행이라 한 번만 센 행: {count:,}")] if count else []


def _equal_rows(staging: Staging, source: Source) -> list[Note]:
    rows = staging.execute("SELECT p, line FROM incoming WHERE n > 1 ORDER BY p, line LIMIT 5").fetchall()
    if not rows:
        return []
    count = staging.count("SELECT count(*) FROM incoming WHERE n > 1")
    shown = ", ".join(f"{staging.places[p].label} {line}행" for p, line in rows) + (" …" if count > len(rows) else "")
    text = f"한 파일에 똑같은 행이 또 있어 따로 센 행: {count:,} ({shown})"
    return [Note("equal", source.table, count, text)]


def _other_files(staging: Staging, source: Source, key: str) -> list[Note]:
    if len(source.places) == 1:
        return []
    before = staging.count("SELECT count(*) FROM incoming")
    staging.execute(
        f"DELETE FROM incoming WHERE (p, line) NOT IN (SELECT (first(p ORDER BY p), first(line ORDER BY p)) "  # noqa: S608
        f"FROM incoming GROUP BY {key})"
    )
    count = before - staging.count("SELECT count(*) FROM incoming")
    return [Note("in_other_file", source.table, count, f"다른 파일에도 있어 한 번만 센 행: {count:,}")] if count else []


def add_incoming(staging: Staging, source: Source, company_id: str, *, adding: bool) -> list[Note]:
    """Put `incoming` into its table, in the place of what it names."""
    table = source.table
    columns = [c for c in COLUMNS[table] if c in source.columns or c == KEYS.get(table)]
    notes = _make_room(staging, source, columns) if adding else []
    names = ", ".join(f'"{c}"' for c in columns)
    staging.execute(
        f"INSERT INTO {table} (company_id, {names}) SELECT ?, {names} FROM incoming",  # noqa: S608
        [company_id],
    )
    return notes


def _make_room(staging: Staging, source: Source, columns: list[str]) -> list[Note]:
    table = source.table
    match = MATCH.get(table) or (KEYS[table],)
    known = " AND ".join(f't."{c}" IS NOT DISTINCT FROM i."{c}"' for c in match if c in columns)
    equal = " AND ".join(f't."{c}" IS NOT DISTINCT FROM i."{c}"' for c in columns)
    counted: dict[str, Any] = {
        "same": staging.count(f"SELECT count(*) FROM incoming i SEMI JOIN {table} t ON {equal}"),  # noqa: S608
        "known": staging.count(f"SELECT count(*) FROM incoming i SEMI JOIN {table} t ON {known}"),  # noqa: S608
        "all": staging.count("SELECT count(*) FROM incoming"),
    }
    texts = {"same": "이미 있는 것과 같은 행", "replaced": "이미 있는 것을 바꾼 행", "new": "새 행"}
    counts = {
        "same": counted["same"],
        "replaced": counted["known"] - counted["same"],
        "new": counted["all"] - counted["known"],
    }
    notes = [Note(kind, table, counts[kind], f"{text}: {counts[kind]:,}") for kind, text in texts.items()]
    in_it = f"EXISTS (SELECT 1 FROM incoming i WHERE {known})"  # noqa: S608
    on_its_days = f"t.date IN (SELECT date FROM incoming) AND NOT {in_it}"  # noqa: S608
    if table in DATE_COLUMN:
        left = staging.count(f"SELECT count(*) FROM {table} t WHERE {on_its_days}")  # noqa: S608
        if source.replace == "days":
            staging.execute(f"DELETE FROM {table} t WHERE {on_its_days}")  # noqa: S608
            notes += (
                [Note("removed", table, left, f"같은 날짜에 있었으나 이번 자료에 없어 지운 행: {left:,}")]
                if left
                else []
            )
        elif left:
            text = f'같은 날짜에 이미 있고 이번 자료에 없는 행: {left:,} (그대로 둡니다. 지우려면 replace = "days")'
            notes.append(Note("left", table, left, text))
    staging.execute(f"DELETE FROM {table} t WHERE {in_it}")  # noqa: S608
    return notes
