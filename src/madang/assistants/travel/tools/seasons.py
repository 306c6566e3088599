"""How the calendar moves prices: month, Korean holidays, day of the week."""

from collections.abc import Iterable
from datetime import date
from functools import lru_cache
from typing import Literal

from madang.assistants.travel.data.estimates import estimates

PriceKind = Literal["flight", "lodging"]
_MAJOR_HOLIDAYS = ("Lunar New Year", "Korean New Year", "Chuseok", "설날", "추석")


@lru_cache(maxsize=8)
def korean_holidays(year: int) -> dict[date, str]:
    """Public holidays of Korea with their names, substitute days included."""
    import holidays

    return dict(holidays.country_holidays("KR", years=year, language="ko").items())


def holiday_name(day: date) -> str | None:
    """The Korean public holiday on that day."""
    return korean_holidays(day.year).get(day)


def season_factor(day: date, kind: PriceKind) -> float:
    """By month."""
    return float(estimates()["season"][kind][day.month - 1])


def weekday_factor(day: date, kind: PriceKind) -> float:
    """By day of the week."""
    return float(estimates()["weekday"][kind][day.weekday()])


def holiday_factor(days: Iterable[date]) -> float:
    """The dearest holiday the days touch; 1 without any."""
    table = estimates()["holiday"]
    factor = 1.0
    for day in days:
        if name := holiday_name(day):
            great = any(word in name for word in _MAJOR_HOLIDAYS)
            factor = max(factor, float(table["great" if great else "public"]))
    return factor
