"""Periods as dates: whole as named, cut at today when computed, and what they are compared with."""

from dataclasses import dataclass
from datetime import date, timedelta

from madang.assistants.works.state.semantic_query import Compare, CompareType, Period
from madang.errors import InvalidInput
from madang.text.calendars import add_months, month_days

STEPS = {"yoy": 12, "qoq": 3, "mom": 1}


@dataclass(frozen=True)
class Days:
    """From `start` to `end`, both included."""

    start: date
    end: date

    def as_period(self) -> Period:
        return {"from": self.start.isoformat(), "to": self.end.isoformat()}

    @property
    def months(self) -> int | None:
        """How many whole calendar months this is, or None."""
        if self.start.day != 1 or self.end != month_days(self.end.year, self.end.month)[1]:
            return None
        return (self.end.year - self.start.year) * 12 + self.end.month - self.start.month + 1


def days_of(period: Period) -> Days:
    """The days of a period. Raises `InvalidInput` for dates that aren't any or run backwards."""
    try:
        days = Days(date.fromisoformat(period["from"]), date.fromisoformat(period["to"]))
    except (ValueError, TypeError, KeyError) as error:
        raise InvalidInput(f"기간을 읽을 수 없습니다: {period!r}") from error
    if days.start > days.end:
        raise InvalidInput(f"기간의 시작({days.start})이 끝({days.end})보다 늦습니다")
    return days


def cut(days: Days, today: date) -> Days:
    """Without the days after today; a period that begins later stays as it is."""
    return days if days.end <= today or days.start > today else Days(days.start, today)


def compared(days: Days, compare: Compare) -> tuple[Days, tuple[str, int]]:
    """The period compared with, and the shift that leads from it back to `days` (a unit and how many).

    Raises `InvalidInput` when a comparison with another period doesn't name it.
    """
    kind = compare["type"]
    if kind == "wow":
        week = timedelta(days=7)
        return Days(days.start - week, days.end - week), ("day", 7)
    if kind in STEPS:
        months = STEPS[kind]
        return _earlier(days, months), ("month", months)
    if kind != "period" or compare["period"] is None:
        raise InvalidInput("비교할 기간이 필요합니다")
    other = days_of(compare["period"])
    if days.start.day == other.start.day == 1:
        months = (days.start.year - other.start.year) * 12 + days.start.month - other.start.month
        return other, ("month", months)
    return other, ("day", (days.start - other.start).days)


def _earlier(days: Days, months: int) -> Days:
    end = add_months(days.end, -months)
    # A whole month stays whole: February's end is January's 31st.
    if days.start.day == 1 and days.end == month_days(days.end.year, days.end.month)[1]:
        end = month_days(end.year, end.month)[1]
    return Days(add_months(days.start, -months), end)


def standard_comparison(days: Days, other: Days) -> Compare:
    """yoy, qoq, mom or wow if `other` is just that to `days`, else `period` with its dates."""
    by_months: dict[int | None, list[CompareType]] = {1: ["mom", "yoy"], 3: ["qoq", "yoy"]}
    names: list[CompareType] = by_months.get(days.months) or ["yoy"]
    if (days.end - days.start).days == 6:
        names.append("wow")
    for name in names:
        standard: Compare = {"type": name, "period": None}
        if compared(days, standard)[0] == other:
            return standard
    return {"type": "period", "period": other.as_period()}
