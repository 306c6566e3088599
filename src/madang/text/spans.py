"""The values of the date parsers: a span of days, a length of stay, a comparison."""

from dataclasses import dataclass
from datetime import date
from typing import Literal

Direction = Literal["past", "future"]
Kind = Literal[
    "day", "range", "week", "weekend", "month", "part_of_month", "quarter", "half", "year", "holiday", "season",
    "rolling",
]  # fmt: skip
Comparison = Literal["year_ago", "previous_month", "previous_quarter", "previous_week", "previous_period", "target"]


@dataclass(frozen=True)
class DateSpan:
    """From `start` to `end`, both included. `exact` is false when the words were vague (쯤, 말, 때, 휴가철).

    A period is always whole: 이번 분기 runs to its last day.
    """

    start: date
    end: date
    exact: bool = True
    kind: Kind = "day"

    @property
    def days(self) -> int:
        return (self.end - self.start).days + 1


@dataclass(frozen=True)
class Nights:
    """The length of a stay; or, with `delta`, a change to one said earlier (하루 더: +1), both figures being 0 then."""

    nights: int
    days: int
    delta: int | None = None
