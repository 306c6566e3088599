"""Rows of any place, as text with their numbers: CSV, Excel, a database; found under their headings."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from itertools import chain, islice
from pathlib import Path
from typing import Any
from unicodedata import normalize

from madang.assistants.works.tools.sales_data.databases import as_text, table_lines, table_names
from madang.assistants.works.tools.sales_data.mapping import Place
from madang.assistants.works.tools.sales_data.records import Line, csv_lines, encoding_of
from madang.errors import InvalidInput, needs_extra

TITLE_LINES = 30
"""How far down the headings may stand, under a title."""

DATABASE_FILES = (".duckdb", ".db", ".sqlite", ".sqlite3")
EXCEL_FILES = (".xlsx", ".xlsm")
_TOTAL = re.compile(r"(?:합 ?계|소 ?계|총 ?계|누 ?계)$|^(?:계|(?:grand |sub)?total)$", re.IGNORECASE)


@dataclass(frozen=True)
class Sheet:
    """A place that was opened: its headings, the lines above them, the rows below them."""

    headings: list[str]
    encoding: str
    above: list[Line]
    rows: Iterator[Line]


def open_sheet(place: Place, wanted: Iterable[str] = ()) -> Sheet:
    """The rows of a place. The headings are where the mapping says, else the first line that has all of `wanted`,
    else the line that looks most like headings. A row with more or fewer cells than headings is in trouble.

    Raises `InvalidInput` for what can't be read.
    """
    kind = _kind(place)
    encoding = (place.encoding or encoding_of(_file(place))) if kind == ".csv" else ""
    lines = _lines(place, kind, encoding)
    start = list(islice(lines, TITLE_LINES))
    if not start:
        raise InvalidInput(f"{place.label}: 비어 있습니다")
    at = _header(place, start, {_heading(name) for name in wanted})
    headings = _distinct([_heading(cell) for cell in start[at].cells])
    while headings and not headings[-1]:
        headings.pop()
    return Sheet(headings, encoding, start[:at], _fitted(chain(start[at + 1 :], lines), len(headings)))


def _header(place: Place, start: list[Line], wanted: set[str]) -> int:
    if start[0].number == 0:
        return 0
    if place.header:
        found = next((i for i, line in enumerate(start) if line.number == place.header), None)
        if found is None:
            raise InvalidInput(f"{place.label} {place.header}행에 머리글이 없습니다")
        return found
    have = [len(wanted.intersection(map(_heading, line.cells))) for line in start]
    if any(have):
        return have.index(max(have))
    words = [sum(1 for cell in line.cells if cell.strip() and not _is_number(cell.strip())) for line in start]
    most = max(words)
    return next(i for i, count in enumerate(words) if count >= 0.8 * most)


def _heading(cell: str) -> str:
    return " ".join(normalize("NFC", cell).split())


def _is_number(cell: str) -> bool:
    return cell.replace(",", "").replace(".", "").replace("-", "").isdigit()


def _distinct(headings: list[str]) -> list[str]:
    """The second 코드 of one line of headings is 코드 (2)."""
    seen: Counter[str] = Counter()
    found = []
    for name in headings:
        seen[name] += 1
        found.append(f"{name} ({seen[name]})" if name and seen[name] > 1 else name)
    return found


def _fitted(lines: Iterator[Line], width: int) -> Iterator[Line]:
    for line in lines:
        if len(line.cells) == width:
            yield line
        elif len(line.cells) > width and not "".join(line.cells[width:]).strip():
            yield line._replace(cells=line.cells[:width])
        else:
            trouble = line.trouble or f"칸이 {len(line.cells)}개입니다 (머리글은 {width}개)"
            yield line._replace(cells=[*line.cells, *[""] * width][:width], trouble=trouble)


def is_total(cells: list[str]) -> bool:
    """Whether a row says of itself that it adds up others."""
    text = "".join(cells)
    if "계" not in text and "otal" not in text and "OTAL" not in text:
        return False
    return any(_TOTAL.search(cell.strip()) for cell in cells if len(cell) <= 40)


def places_in(place: Place) -> list[Place]:
    """Each sheet or table of a place that has several; the place itself otherwise."""
    kind = _kind(place)
    if place.table or kind == ".csv":
        return [place]
    if kind == ".xlsx":
        with closing(_workbook(place)) as book:
            names = [sheet.title for sheet in book.worksheets if sheet.sheet_state == "visible"]
        return [replace(place, table=name) for name in names] if len(names) > 1 else [place]
    return [replace(place, table=name) for name in table_names(place)]


def _kind(place: Place) -> str:
    """How a place is read: as `.csv`, `.xlsx` or a database (empty). Raises `InvalidInput`."""
    if place.database:
        return ""
    assert place.file is not None
    if not place.file.is_file():
        raise InvalidInput(f"파일이 없습니다: {place.file}")
    suffix = place.file.suffix.lower()
    if suffix == ".xls":
        raise InvalidInput(f"{place.file.name}: 옛 엑셀 파일(xls)은 읽을 수 없습니다. xlsx나 CSV로 저장해 주세요")
    return "" if suffix in DATABASE_FILES else ".xlsx" if suffix in EXCEL_FILES else ".csv"


def _lines(place: Place, kind: str, encoding: str) -> Iterator[Line]:
    if kind == ".xlsx":
        return _xlsx(place)
    return csv_lines(_file(place), encoding, place.delimiter) if kind else table_lines(place)


def _file(place: Place) -> Path:
    assert place.file is not None
    return place.file


def _workbook(place: Place) -> Any:
    with needs_extra("files", "reading xlsx files"):
        import openpyxl
    try:
        return openpyxl.load_workbook(place.file, read_only=True, data_only=True)
    except (OSError, KeyError, ValueError, openpyxl.utils.exceptions.InvalidFileException) as error:
        raise InvalidInput(f"{place.label} 파일을 읽을 수 없습니다: {error}") from error


def _xlsx(place: Place) -> Iterator[Line]:
    with closing(_workbook(place)) as book:
        names = [sheet.title for sheet in book.worksheets]
        if place.table and place.table not in names:
            raise InvalidInput(f"{place.label}: 시트가 없습니다 (있는 시트: {', '.join(names)})")
        sheet = book[place.table] if place.table else book.worksheets[0]
        sheet.reset_dimensions()
        width = 0
        for number, row in enumerate(sheet.iter_rows(values_only=True), 1):
            cells = [as_text(value) for value in row]
            width = max(width, len(cells))
            if any(cells):
                yield Line(number, [*cells, *[""] * (width - len(cells))])
