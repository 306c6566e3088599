"""Which column a heading names: by what it is called and by what stands under it."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from madang.assistants.works.data import load
from madang.assistants.works.data.tables import COLUMNS, KEYS
from madang.assistants.works.tools.sales_data.mapping import REQUIRED, UNITS

MOSTLY = 0.8
MASTERS = ("customers", "products", "reps")
_BRACKETS = re.compile(r"[(\[（][^()\[\]（）]{0,40}[)\]）]")
_JOINTS = re.compile(r"[\s_.·/\-]")
_DATE = re.compile(r"(?:19|20)\d{2}(?:\s?[-./년]\s?\d{1,2}(?:\s?[-./월]\s?\d{1,2})?|\d{2}(?:\d{2})?)\D?.{0,20}")
_TWO_DIGIT_DATE = re.compile(r"\d{2}[-./]\d{1,2}[-./]\d{1,2}")
_SLASHED = re.compile(r"(\d{1,2})/(\d{1,2})/\d{4}")
_NUMBER = re.compile(r"[-+(△₩￦]{0,2}\d[\d,]*(?:\.\d+)?\s?(?:원|개|EA)?\)?-?")
_CODE = re.compile(r"[A-Za-z0-9_.\-]{1,30}")
_UNIT = re.compile(r"천원|만원|백만원|억원")


@dataclass(frozen=True)
class Sample:
    """The headings of a sheet, its first rows, and the words above the headings."""

    headings: list[str]
    rows: list[list[str]]
    above: list[str]

    def values(self, heading: str) -> list[str]:
        """What stands under a heading, without empty cells."""
        return self._values.get(heading, [])

    @cached_property
    def _values(self) -> dict[str, list[str]]:
        return {name: [row[i] for row in self.rows if row[i]] for i, name in enumerate(self.headings) if name}

    def looks_like(self, heading: str, kind: str) -> bool:
        """Whether most of the values may be of a kind: DATE, BIGINT or VARCHAR."""
        patterns = {"DATE": (_DATE, _TWO_DIGIT_DATE, _SLASHED), "BIGINT": (_NUMBER,)}.get(kind)
        values = self.values(heading)
        if patterns is None or not values:
            return patterns is None
        return sum(any(p.fullmatch(v) for p in patterns) for v in values) >= MOSTLY * len(values)

    def are_codes(self, heading: str) -> bool:
        values = self.values(heading)
        return bool(values) and sum(bool(_CODE.fullmatch(v)) and not v.isalpha() for v in values) >= MOSTLY * len(
            values
        )

    def unit(self, table: str, column: str, heading: str) -> str:
        """천원 or the like, if the heading or a line above says so of a sum of money; else empty."""
        if COLUMNS[table][column] != "BIGINT" or column in ("quantity", "people", "attendee_count"):
            return ""
        told = [heading, *(words for words in self.above if "단위" in words)]
        return next((m[0] for words in told for m in [_UNIT.search(words)] if m and m[0] in UNITS), "")

    def date_format(self, table: str, column: str, heading: str) -> str:
        """The order of day and month, where the year stands last; else empty."""
        if COLUMNS[table][column] != "DATE":
            return ""
        parts = [m for value in self.values(heading) if (m := _SLASHED.fullmatch(value))]
        if len(parts) < MOSTLY * max(1, len(self.values(heading))):
            return ""
        return "%d/%m/%Y" if any(int(m[1]) > 12 for m in parts) else "%m/%d/%Y"

    def is_ambiguous_date(self, heading: str) -> bool:
        parts = [m for value in self.values(heading) if (m := _SLASHED.fullmatch(value))]
        return bool(parts) and all(int(m[1]) <= 12 and int(m[2]) <= 12 for m in parts)


@dataclass(frozen=True)
class HeadingMatch:
    """Our column → the heading; and which other headings were possible."""

    columns: dict[str, str]
    others: dict[str, list[str]]


def plain(text: str) -> str:
    """A heading as it is compared: 매출 금액(천원) → 매출금액."""
    return _JOINTS.sub("", _BRACKETS.sub("", text)).lower()


def match_columns(sample: Sample, table: str, *, bare: bool = True) -> HeadingMatch:
    """The headings that may be the columns of a table; each heading is one column, the best known word first."""
    ranked: dict[str, list[tuple[float, str]]] = {
        column: sorted(_ranked(sample, table, column, bare=bare)) for column in load("headings")["columns"][table]
    }
    taken: dict[str, str] = {}
    for rank, column, heading in sorted((r, c, h) for c, found in ranked.items() for r, h in found):
        if column not in taken and heading not in taken.values() and rank < 1e9:
            taken[column] = heading
    others = {column: [heading for _, heading in found] for column, found in ranked.items()}
    return HeadingMatch({c: taken[c] for c in ranked if c in taken}, others)


def _ranked(sample: Sample, table: str, column: str, *, bare: bool) -> Iterator[tuple[float, str]]:
    """Headings that fit, with how far down the list of words they are; a word that only ends a heading is worse."""
    words = [plain(word) for word in load("headings")["columns"][table][column]]
    alone = load("headings")["bare"]["key" if column == KEYS.get(table) else "name"]
    if not (bare and table in MASTERS and column in REQUIRED[table]):
        alone = []
    kind = COLUMNS[table][column]
    for heading in filter(None, sample.headings):
        called = plain(heading)
        rank = next((i for i, word in enumerate([*words, *alone]) if word == called), None)
        if rank is None:
            ending = [i for i, word in enumerate(words) if len(word) > 1 and called.endswith(word)]
            rank = 1000 + ending[0] if ending else None
        if rank is None or not sample.looks_like(heading, kind):
            continue
        if (
            column.endswith("_id")
            and column == KEYS.get(table)
            and table in MASTERS
            and not _may_be_key(sample, heading)
        ):
            rank += 500
        yield rank, heading


def _may_be_key(sample: Sample, heading: str) -> bool:
    return sample.are_codes(heading) or not sample.values(heading)


def own_columns(sample: Sample, table: str) -> HeadingMatch | None:
    """What a sheet of sales says of a master's things; None when it names none of them."""
    found = match_columns(sample, table, bare=False)
    columns = {c: theirs for c, theirs in found.columns.items() if c != "registered_on"}
    if table == "reps" and columns.get("region") == match_columns(sample, "customers", bare=False).columns.get(
        "region"
    ):
        columns.pop("region", None)
    if table != "reps" and "rep_id" in columns:
        rep = match_columns(sample, "reps", bare=False).columns
        columns["rep_id"] = rep.get("rep_id") or rep.get("rep") or columns["rep_id"]
    return HeadingMatch(columns, found.others) if set(REQUIRED[table]) & set(columns) else None


def best_table(sample: Sample, name: str) -> str | None:
    """What a sheet is: by its name and by how many columns of each table it has; None when it fits none."""
    called = plain(name)
    scores: dict[str, float] = {}
    for table, words in load("headings")["tables"].items():
        columns = match_columns(sample, table).columns
        if not all(column in columns for column in _telling(table)):
            continue
        named = any(plain(word) in called for word in words)
        headed = any(plain(word) in plain(heading) for word in words for heading in sample.headings)
        dated = table not in MASTERS
        scores[table] = 10 * named + 4 * dated + 2 * headed + len(columns) / len(COLUMNS[table])
        if table in ("targets", "visits", "seminars", "attendees", "benefits") and not (named or headed):
            scores[table] -= 10
    return max(scores, key=scores.__getitem__, default=None)


def _telling(table: str) -> tuple[str, ...]:
    """Without these a sheet is no such table. A master may have names only."""
    return REQUIRED[table][1:] if table in MASTERS else REQUIRED[table]
