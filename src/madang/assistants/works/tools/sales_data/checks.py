"""What can't be loaded, and what a person should know, of the rows that were read."""

from madang.assistants.works.data.tables import COLUMNS, KEYS, REFERENCES
from madang.assistants.works.tools.sales_data.mapping import REQUIRED, Source
from madang.assistants.works.tools.sales_data.report import MOST_PROBLEMS, LoadReport, Note
from madang.assistants.works.tools.sales_data.staging import Staging
from madang.errors import FieldProblem

WRONG = {
    "DATE": "날짜가 아닙니다",
    "BIGINT": "정수로 읽을 수 없습니다",
    "VARCHAR": "값이 아니라 오류 표시입니다",
}


def find_problems(staging: Staging) -> None:
    """Fill `problems`: cells that can't be read or are missing, keys used twice, names that lead nowhere."""
    for source in staging.sources:
        for column in source.columns:
            _unread(staging, source, column)
        if KEYS.get(source.table) in source.columns and not source.distinct:
            _repeated_keys(staging, source)
    for source in staging.sources:
        for column, target in REFERENCES.items():
            if column in source.columns and target != source.table:
                _lost_references(staging, source, column, target)


def _unread(staging: Staging, source: Source, column: str) -> None:
    found = f"INSERT INTO problems SELECT '{source.table}', p, line, '{column}', \"w_{column}\","
    wrong = WRONG[COLUMNS[source.table][column]]
    rows = f'FROM rows_{source.table} WHERE "v_{column}" IS NULL AND "w_{column}" IS'
    staging.execute(f"{found} '{wrong}' {rows} NOT NULL")
    if column in REQUIRED[source.table]:
        staging.execute(f"{found} '비어 있습니다' {rows} NULL")


def _repeated_keys(staging: Staging, source: Source) -> None:
    """The same key with other values; the same row twice is no problem."""
    key = KEYS[source.table]
    others = ", ".join(f"coalesce(CAST(\"v_{c}\" AS VARCHAR), '')" for c in source.columns)
    staging.execute(
        f"INSERT INTO problems SELECT '{source.table}', p, line, '{key}', k, '같은 값이 또 있습니다' FROM "  # noqa: S608
        f'(SELECT p, line, "v_{key}" AS k, concat_ws(chr(31), {others}) AS v FROM rows_{source.table}) '
        "WHERE k IS NOT NULL QUALIFY v <> first_value(v) OVER (PARTITION BY k ORDER BY p, line)"
    )


def _lost_references(staging: Staging, source: Source, column: str, target: str) -> None:
    known = f"SELECT {KEYS[target]} FROM {target}"  # noqa: S608
    if any(source.table == target for source in staging.sources):
        known += f' UNION SELECT "v_{KEYS[target]}" FROM rows_{target}'  # noqa: S608
    staging.execute(
        f"INSERT INTO problems SELECT '{source.table}', p, line, '{column}', v, '{target}에 없는 값입니다' FROM "  # noqa: S608
        f'(SELECT p, line, "v_{column}" AS v FROM rows_{source.table}) '
        f"ANTI JOIN ({known}) AS known(v) USING (v) WHERE v IS NOT NULL"
    )


def report_on(staging: Staging) -> LoadReport:
    """What was found, the first problems in the order of the files among it."""
    report = LoadReport(sheets=list(staging.reports))
    columns = {(s.table, ours): theirs for s in staging.sources for ours, theirs in s.columns.items()}
    rows = staging.execute(
        f"SELECT tbl, p, line, col, words, reason FROM problems ORDER BY p, line, tbl LIMIT {MOST_PROBLEMS}"  # noqa: S608
    ).fetchall()
    for table, place, line, column, words, reason in rows:
        where = f"{staging.places[place].label} {line}행"
        named = f" '{columns[table, column]}'" if column else ""
        report.problems.append(FieldProblem(f"{where}{named}", f"{reason} ({words!r})" if words else reason))
    report.problem_count = staging.count("SELECT count(*) FROM problems")
    report.bad_rows = staging.count("SELECT count(*) FROM (SELECT DISTINCT p, line FROM problems)")
    for source in staging.sources:
        report.rows[source.table] = staging.count(f"SELECT count(*) FROM rows_{source.table}")  # noqa: S608
        report.notes += _notes(staging, source)
    return report


def _notes(staging: Staging, source: Source) -> list[Note]:
    notes = [*_totals(staging, source)]
    for column, theirs in source.columns.items():
        kind = COLUMNS[source.table][column]
        if kind == "BIGINT":
            notes += _rounded(staging, source, column, theirs)
        if kind == "DATE":
            notes += _counted(staging, source, "month_only", f'"m_{column}"', f"'{theirs}'에 달만 있어 1일로 읽은 행")
        if column not in REQUIRED[source.table] and not source.distinct:
            notes += _counted(
                staging, source, "empty", f'"v_{column}" IS NULL AND "w_{column}" IS NULL', f"'{theirs}'이(가) 빈 행"
            )
        if source.distinct and column != KEYS[source.table]:
            what = f"행마다 '{theirs}' 값이 달라 가장 늦은 것을 쓴 {source.columns[KEYS[source.table]]}"
            notes += _counted(staging, source, "differing", f'"n_{column}" > 1', what)
    return notes


def _counted(staging: Staging, source: Source, kind: str, condition: str, what: str) -> list[Note]:
    count = staging.count(f"SELECT count(*) FROM rows_{source.table} WHERE {condition}")  # noqa: S608
    return [Note(kind, source.table, count, f"{what}: {count:,}")] if count else []


def _rounded(staging: Staging, source: Source, column: str, theirs: str) -> list[Note]:
    count, difference = staging.execute(
        f'SELECT count("f_{column}"), sum("f_{column}") FROM rows_{source.table}'  # noqa: S608
    ).fetchone()
    text = f"'{theirs}'을(를) 반올림한 행: {count:,} (합계가 {float(difference or 0):+,.2f} 달라짐)"
    return [Note("rounded", source.table, count, text)] if count else []


def _totals(staging: Staging, source: Source) -> list[Note]:
    if source.distinct:
        return []
    lines = [
        (staging.places[number].label, line)
        for number in (staging.places.index(place) for place in source.places)
        for (line,) in staging.execute(f"SELECT line FROM totals_{number}").fetchall()  # noqa: S608
    ]
    shown = ", ".join(f"{label} {line}행" for label, line in lines[:5]) + (" …" if len(lines) > 5 else "")
    return (
        [Note("totals", source.table, len(lines), f"합계라서 세지 않은 행: {len(lines):,} ({shown})")] if lines else []
    )
