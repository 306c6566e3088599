"""The mapping file: which of our tables and columns are which of a company's."""

import json
import re
import tomllib
from collections.abc import Iterator
from collections.abc import Mapping as Entries
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from madang.assistants.works.data.tables import COLUMNS
from madang.errors import FieldProblem, InvalidInput, InvalidState

REQUIRED = {
    "reps": ("rep_id", "rep"),
    "customers": ("customer_id", "customer"),
    "products": ("product_id", "product"),
    "sales": ("date", "amount"),
    "targets": ("date", "amount"),
    "visits": ("date", "customer_id"),
    "seminars": ("seminar_id", "date"),
    "attendees": ("seminar_id", "name"),
    "benefits": ("date", "customer_id", "amount"),
}
"""What every row must have; what else isn't mapped or is empty is counted under 미지정."""

UNITS = {"원": 1, "천원": 1_000, "만원": 10_000, "백만원": 1_000_000, "억원": 100_000_000}
REPLACE = ("rows", "days")
_OPTIONS = {
    "file": (str, list), "database": str, "table": str, "encoding": str, "delimiter": str, "header": int,
    "columns": dict, "distinct": bool, "replace": str, "units": dict, "formats": dict,
}  # fmt: skip
_VARIABLE = re.compile(r"\$([A-Za-z_][A-Za-z0-9_]*)")


@dataclass(frozen=True)
class Place:
    """Where rows are: a file or a database, and the sheet or table in it. Empty means: find out."""

    file: Path | None = None
    database: str = ""
    table: str = ""
    encoding: str = ""
    delimiter: str = ""
    header: int = 0

    @property
    def label(self) -> str:
        """What people call it; never the secret in a database's address."""
        name = self.file.name if self.file else urlsplit(self.database).path.strip("/") or "database"
        return f"{name} [{self.table}]" if self.table else name


@dataclass(frozen=True)
class Source:
    """Where one of our tables comes from.

    `columns` is our column → theirs. `distinct`: a row a key, the newest one, as when masters are read out of one
    flat export. `replace`: what an added load puts its rows in the place of, rows of the same key or whole days.
    """

    table: str
    places: tuple[Place, ...]
    columns: Entries[str, str]
    distinct: bool = False
    replace: str = "rows"
    units: Entries[str, str] = field(default_factory=dict)
    formats: Entries[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Mapping:
    """A whole mapping file."""

    company_id: str | None
    sources: tuple[Source, ...]


def read_mapping(path: Path, folder: Path | None = None, environ: Entries[str, str] | None = None) -> Mapping:
    """What a mapping file says. `$NAME` as a database is taken from `environ`.

    Raises `InvalidInput` for a file that can't be read, `InvalidState` naming each field that makes no sense.
    """
    try:
        raw = tomllib.loads(path.read_text("utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise InvalidInput(f"매핑 파일을 읽을 수 없습니다 ({path}): {error}") from error
    tables = raw.get("tables")
    if not isinstance(tables, dict) or not tables:
        raise InvalidState([FieldProblem("tables", "없습니다", "[tables.sales] …")])
    problems = [problem for table, one in tables.items() for problem in _problems(table, one)]
    if problems:
        raise InvalidState(problems)
    sources = tuple(_source(table, one, folder or path.parent, environ or {}) for table, one in tables.items())
    company = raw.get("company_id")
    return Mapping(str(company) if company else None, sources)


def _problems(table: str, one: Any) -> Iterator[FieldProblem]:
    where = f"tables.{table}"
    if table not in COLUMNS:
        yield FieldProblem(where, "모르는 표입니다", ", ".join(COLUMNS))
        return
    if not isinstance(one, dict) or not isinstance(one.get("columns"), dict):
        yield FieldProblem(where, "file(또는 database)과 columns가 필요합니다")
        return
    for name, value in one.items():
        if name not in _OPTIONS:
            yield FieldProblem(f"{where}.{name}", "모르는 설정입니다", ", ".join(_OPTIONS))
        elif not isinstance(value, _OPTIONS[name]):  # type: ignore[arg-type]  # a type or a tuple of types
            yield FieldProblem(f"{where}.{name}", f"쓸 수 없는 값입니다: {value!r}")
    if bool(one.get("file")) == bool(one.get("database")):
        yield FieldProblem(where, "file과 database 가운데 하나가 필요합니다")
    if one.get("replace", "rows") not in REPLACE:
        yield FieldProblem(f"{where}.replace", f"쓸 수 없는 값입니다: {one['replace']!r}", ", ".join(REPLACE))
    yield from _column_problems(where, table, one)


def _column_problems(where: str, table: str, one: dict[str, Any]) -> Iterator[FieldProblem]:
    columns, kinds = one["columns"], {name: kind for name, kind in COLUMNS[table].items() if name != "company_id"}
    for name, value in columns.items():
        if name not in kinds:
            yield FieldProblem(f"{where}.columns.{name}", "모르는 열입니다", ", ".join(sorted(kinds)))
        elif not isinstance(value, str) or not value.strip():
            yield FieldProblem(f"{where}.columns.{name}", f"열 이름으로 쓸 수 없습니다: {value!r}")
    for name in REQUIRED[table]:
        if name not in columns:
            yield FieldProblem(f"{where}.columns.{name}", "없습니다")
    for name, unit in one.get("units", {}).items():
        if kinds.get(name) != "BIGINT" or unit not in UNITS:
            yield FieldProblem(f"{where}.units.{name}", f"쓸 수 없는 단위입니다: {unit!r}", ", ".join(UNITS))
    for name, form in one.get("formats", {}).items():
        if kinds.get(name) != "DATE" or not isinstance(form, str) or "%" not in form:
            yield FieldProblem(f"{where}.formats.{name}", f"쓸 수 없는 날짜 형식입니다: {form!r}", "%m/%d/%Y")


def _source(table: str, one: dict[str, Any], base: Path, environ: Entries[str, str]) -> Source:
    known = {name: one[name] for name in ("table", "encoding", "delimiter", "header") if name in one}
    if "database" in one:
        places: tuple[Place, ...] = (Place(database=_address(one["database"], environ), **known),)
    else:
        named = one["file"] if isinstance(one["file"], list) else [one["file"]]
        places = tuple(Place(file, **known) for name in named for file in _files(base, str(name)))
    more = {name: one[name] for name in ("distinct", "replace", "units", "formats") if name in one}
    return Source(table, places, {name: " ".join(theirs.split()) for name, theirs in one["columns"].items()}, **more)


def _files(base: Path, name: str) -> list[Path]:
    """One file, or those that a name with `*` finds, in the order of their names. Raises `InvalidInput` for none."""
    if not any(sign in name for sign in "*?["):
        return [base / name]
    found = sorted(base.glob(name))
    if not found:
        raise InvalidInput(f"파일이 없습니다: {base / name}")
    return found


def _address(given: str, environ: Entries[str, str]) -> str:
    variable = _VARIABLE.fullmatch(given)
    if variable is None:
        return given
    if not (found := environ.get(variable[1], "")):
        raise InvalidInput(f"환경 변수 {variable[1]}에 데이터베이스 주소가 없습니다")
    return found


def mapping_text(mapping: Mapping, base: Path, notes: Entries[str, list[str]] | None = None) -> str:
    """The mapping as a file that people can edit; `notes` by table are written above it as comments."""
    said = notes or {}
    lines = [f"# {note}" for note in said.get("", [])]
    lines.append(
        f"company_id = {_quoted(mapping.company_id)}" if mapping.company_id else '# company_id = "…"  (또는 --company)'
    )
    for source in mapping.sources:
        lines += ["", *(f"# {note}" for note in said.get(source.table, [])), f"[tables.{source.table}]"]
        lines += [f"{name} = {_quoted(value)}" for name, value in _place_options(source.places, base)]
        if source.distinct:
            lines.append("distinct = true")
        if source.replace != "rows":
            lines.append(f"replace = {_quoted(source.replace)}")
        for name, entries in (("units", source.units), ("formats", source.formats)):
            if entries:
                lines.append(f"{name} = {{ {', '.join(f'{k} = {_quoted(v)}' for k, v in entries.items())} }}")
        lines.append(f"[tables.{source.table}.columns]")
        lines += [f"{name} = {_quoted(theirs)}" for name, theirs in source.columns.items()]
    return "\n".join(lines) + "\n"


def _place_options(places: tuple[Place, ...], base: Path) -> Iterator[tuple[str, Any]]:
    first = places[0]
    if first.database:
        yield "database", first.database
    else:
        names = [_relative(place.file, base) for place in places if place.file]
        yield "file", names[0] if len(names) == 1 else names
    for name in ("table", "encoding", "delimiter", "header"):
        if value := getattr(first, name):
            yield name, value


def _relative(file: Path, base: Path) -> str:
    return str(file.relative_to(base)) if file.is_relative_to(base) else str(file)


def _quoted(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
