"""Proposing a mapping from what headings are called and what stands under them."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path

from madang.assistants.works.data.tables import REFERENCES
from madang.assistants.works.tools.sales_data.headings import (
    HeadingMatch,
    Sample,
    best_table,
    match_columns,
    own_columns,
)
from madang.assistants.works.tools.sales_data.mapping import REQUIRED, Mapping, Place, Source
from madang.assistants.works.tools.sales_data.rows import Sheet, is_total, open_sheet, places_in
from madang.errors import InvalidInput

SAMPLED = 2_000
MASTER_ROWS = 100_000
FILES = (".csv", ".tsv", ".txt", ".xlsx", ".xlsm", ".duckdb", ".db", ".sqlite", ".sqlite3")
MASTERS = {"customers": "customer_id", "products": "product_id", "reps": "rep_id"}


@dataclass(frozen=True)
class Guess:
    """A proposed mapping; and by table why, what else was possible and what was left (under "": whole places)."""

    mapping: Mapping
    notes: dict[str, list[str]]


@dataclass
class _Guessing:
    sources: dict[str, Source] = field(default_factory=dict)
    notes: dict[str, list[str]] = field(default_factory=lambda: {"": []})
    samples: dict[Place, Sample] = field(default_factory=dict)

    def note(self, table: str, text: str) -> None:
        self.notes.setdefault(table, []).append(text)


def guess_mapping(given: Iterable[Place], company_id: str | None = None) -> Guess:
    """A mapping for the places given (files, databases). Raises `InvalidInput` when none of them holds sales."""
    guessing = _Guessing()
    for place in (one for whole in given for one in places_in(whole)):
        _add_place(guessing, place)
    if "sales" not in guessing.sources:
        seen = "; ".join(f"{place.label}: {', '.join(s.headings)}" for place, s in guessing.samples.items())
        raise InvalidInput(
            f"날짜와 금액이 있는 매출 자료를 찾지 못했습니다 ({seen or '자료 없음'}). 매핑 파일을 직접 써 주세요"
        )
    for table, key in MASTERS.items():
        _settle_master(guessing, table, key)
    _drop_lost_references(guessing)
    for source in guessing.sources.values():
        _say_columns(guessing, source)
    order = [*MASTERS, *(t for t in REQUIRED if t not in MASTERS)]
    mapping = Mapping(company_id, tuple(guessing.sources[t] for t in order if t in guessing.sources))
    return Guess(mapping, guessing.notes)


def places_of(given: Path) -> list[Place]:
    """The files that a path names: itself, or those of a folder. Raises `InvalidInput` for none."""
    files = sorted(f for f in given.iterdir() if f.suffix.lower() in FILES) if given.is_dir() else [given]
    if not files:
        raise InvalidInput(f"{given}: 읽을 수 있는 자료 파일이 없습니다 ({', '.join(FILES)})")
    return [Place(file) for file in files]


def _sample(sheet: Sheet, rows: int) -> Sample:
    lines = (line.cells for line in islice(sheet.rows, rows) if not (line.trouble or is_total(line.cells)))
    cells = [[cell.strip() for cell in line] for line in lines]
    return Sample(sheet.headings, cells, [cell for line in sheet.above for cell in line.cells if cell])


def _add_place(guessing: _Guessing, place: Place) -> None:
    try:
        sheet = open_sheet(place)
        place = replace(place, encoding=sheet.encoding)
        sample = _sample(sheet, SAMPLED)
    except InvalidInput as error:
        guessing.note("", f"건너뜀: {error}")
        return
    guessing.samples[place] = sample
    name = f"{place.table} {place.file.stem if place.file else ''}"
    table = best_table(sample, name)
    if table is None:
        guessing.note(
            "", f"건너뜀: {place.label} (무엇의 표인지 알 수 없습니다: {', '.join(filter(None, sample.headings))})"
        )
        return
    have = guessing.sources.get(table)
    if have and sample.headings == guessing.samples[have.places[0]].headings:
        guessing.sources[table] = _source_like(have, (*have.places, place))
    elif have:
        guessing.note("", f"건너뜀: {place.label} ({table}은(는) {have.places[0].label}에서 읽습니다)")
    else:
        guessing.sources[table] = _source(table, place, sample, match_columns(sample, table))


def _source_like(source: Source, places: tuple[Place, ...]) -> Source:
    return replace(source, places=places, distinct=source.distinct or source.table in MASTERS)


def _source(table: str, place: Place, sample: Sample, found: HeadingMatch, *, distinct: bool = False) -> Source:
    units = {c: unit for c, theirs in found.columns.items() if (unit := sample.unit(table, c, theirs))}
    formats = {c: form for c, theirs in found.columns.items() if (form := sample.date_format(table, c, theirs))}
    return Source(table, (place,), found.columns, distinct, units=units, formats=formats)


def _settle_master(guessing: _Guessing, table: str, key: str) -> None:
    """What the codes of the sales lead to: a master of its own if it has them, else the sales file itself."""
    sales = guessing.sources["sales"]
    sample = guessing.samples[sales.places[0]]
    told = own_columns(sample, table)
    master = guessing.sources.get(table)
    if master is None and told is None:
        return
    if master is not None:
        fitting = _fitting_key(master, sample, told)
        if fitting:
            theirs, ours = fitting
            guessing.sources[table] = _with(master, {key: ours})
            guessing.sources["sales"] = _with(sales, {key: theirs})
            _refer(guessing, table, key, ours)
            return
        guessing.note(table, f"{master.places[0].label}의 값이 매출의 값과 맞지 않아 매출 자료에서 뽑습니다")
    if told is None:
        guessing.sources.pop(table, None)
        return
    name = REQUIRED[table][1]
    known = told.columns.get(key) or told.columns[name]
    columns = {key: known, name: told.columns.get(name) or known, **told.columns}
    guessing.sources[table] = _source_like(
        _source(table, sales.places[0], sample, HeadingMatch(columns, told.others), distinct=True), sales.places
    )
    guessing.sources["sales"] = _with(sales, {key: columns[key]})
    _refer(guessing, table, key, columns[key])


def _fitting_key(master: Source, sample: Sample, told: HeadingMatch | None) -> tuple[str, str] | None:
    """The column of the sales and that of the master whose values meet most often."""
    if told is None:
        return None
    key, name = REQUIRED[master.table]
    whole = _sample(open_sheet(master.places[0]), MASTER_ROWS)
    pairs = [
        (share, theirs, ours)
        for theirs in dict.fromkeys(told.columns[c] for c in (key, name) if c in told.columns)
        for ours in dict.fromkeys(master.columns[c] for c in (key, name) if c in master.columns)
        if (share := _share(sample.values(theirs), set(whole.values(ours)))) >= 0.5
    ]
    best = max(pairs, key=lambda pair: pair[0], default=None)
    return (best[1], best[2]) if best else None


def _share(values: list[str], known: set[str]) -> float:
    return sum(value in known for value in values) / len(values) if values else 0.0


def _refer(guessing: _Guessing, table: str, key: str, ours: str) -> None:
    """Other tables refer to a master by the column that holds the same kind of value as its key."""
    referring = [s for s in guessing.sources.values() if s.table not in (table, "sales") and key in s.columns]
    master = guessing.sources[table]
    if all(other.places == master.places for other in referring):
        return
    known = set(_sample(open_sheet(master.places[0]), MASTER_ROWS).values(ours))
    for other in referring:
        sample = guessing.samples[other.places[0]]
        told = own_columns(sample, table)
        choices = dict.fromkeys([other.columns[key], *(told.columns.values() if told else ())])
        best = max(choices, key=lambda theirs: _share(sample.values(theirs), known))
        if _share(sample.values(best), known) >= 0.5:
            guessing.sources[other.table] = _with(other, {key: best})
        else:
            guessing.sources[other.table] = _without(other, key)
            guessing.note(other.table, f"{key}: '{other.columns[key]}'의 값이 {table}에 없어 뺐습니다")


def _drop_lost_references(guessing: _Guessing) -> None:
    for source in list(guessing.sources.values()):
        for key, table in REFERENCES.items():
            if key in source.columns and table not in guessing.sources:
                guessing.sources[source.table] = _without(guessing.sources[source.table], key)
                guessing.note(source.table, f"{key}: '{source.columns[key]}'을(를) 풀 {table} 표가 없어 뺐습니다")


def _with(source: Source, columns: dict[str, str]) -> Source:
    return replace(source, columns={**source.columns, **columns})


def _without(source: Source, column: str) -> Source:
    return replace(source, columns={c: theirs for c, theirs in source.columns.items() if c != column})


def _say_columns(guessing: _Guessing, source: Source) -> None:
    sample = guessing.samples[source.places[0]]
    others = match_columns(sample, source.table, bare=not source.distinct).others
    for column, theirs in source.columns.items():
        shown = ", ".join(dict.fromkeys(sample.values(theirs)[:20]))[:60]
        also = [name for name in others.get(column, ()) if name != theirs]
        other = f" (다른 후보: {', '.join(also)})" if also else ""
        guessing.note(source.table, f"{column} ← '{theirs}' 예: {shown}{other}")
    for column, form in source.formats.items():
        if sample.is_ambiguous_date(source.columns[column]):
            guessing.note(source.table, f"확인해 주세요: {column}의 날짜를 {form} 순서로 보았습니다")
    for column, unit in source.units.items():
        guessing.note(source.table, f"{column}의 단위를 {unit}으로 보았습니다")
    if not source.distinct:
        used = {theirs for s in guessing.sources.values() if s.places == source.places for theirs in s.columns.values()}
        unused = [name for name in sample.headings if name and name not in used]
        if unused:
            guessing.note(source.table, f"쓰지 않은 열: {', '.join(unused)}")
