"""What was found in a company's files before they are loaded, for people and for programs."""

from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from typing import Any

from madang.errors import FieldProblem

MOST_PROBLEMS = 50
SHOWN = 10


@dataclass(frozen=True)
class SheetReport:
    """One place that was read: how many rows under its headings, and how many of them could not be read."""

    label: str
    encoding: str
    rows: int
    unreadable: int


@dataclass(frozen=True)
class Note:
    """Something that a person should know about a table: nothing is wrong, or it was put right."""

    kind: str
    table: str
    count: int
    text: str


@dataclass
class LoadReport:
    """Everything that was found. `problems` are the first ones; `problem_count` is how many there are."""

    sheets: list[SheetReport] = field(default_factory=list)
    rows: dict[str, int] = field(default_factory=dict)
    notes: list[Note] = field(default_factory=list)
    problems: list[FieldProblem] = field(default_factory=list)
    problem_count: int = 0
    bad_rows: int = 0

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)

    def lines(self) -> Iterator[str]:
        """The report as people read it."""
        for sheet in self.sheets:
            coded = f", {sheet.encoding}" if sheet.encoding else ""
            yield f"{sheet.label}: {sheet.rows:,}행{coded}" + (
                f", 읽지 못한 행 {sheet.unreadable:,}" if sheet.unreadable else ""
            )
        for table, count in self.rows.items():
            yield f"  {table} {count:,}행"
            yield from (f"    - {note.text}" for note in self.notes if note.table == table)
        if self.problem_count:
            yield f"문제 {self.problem_count:,}건 ({self.bad_rows:,}행):"
            yield from (f"  - {problem}" for problem in self.problems[:SHOWN])
            if self.problem_count > SHOWN:
                yield f"  … 그 밖에 {self.problem_count - SHOWN:,}건"
