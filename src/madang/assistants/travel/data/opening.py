"""On which days a place is shut: days of the week, dates of every year, the great lunar holidays, months."""

from collections.abc import Sequence
from datetime import date
from functools import lru_cache

from madang.text.calendars import holiday_date

WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
HOLIDAYS = ("설날", "추석", "춘절")
_NAMES = "월화수목금토일"


def closed_on(day: date, closed: Sequence[str], months: Sequence[int] = ()) -> bool:
    """Whether a day is one of `closed` (mon, 12-25, 설날) or lies outside the season, if there is one."""
    if months and day.month not in months:
        return True
    return (
        WEEKDAYS[day.weekday()] in closed
        or f"{day:%m-%d}" in closed
        or any(_holiday(name, day.year) == day for name in HOLIDAYS if name in closed)
    )


@lru_cache(maxsize=64)
def _holiday(name: str, year: int) -> date | None:
    """That holiday's day; China's lunar new year may fall a day before Korea's, as in 2027."""
    if name != "춘절":
        return holiday_date(name, year)
    import holidays

    days = holidays.country_holidays("SG", years=year, language="en_SG")
    return min((day for day, title in days.items() if title.startswith("Chinese New Year")), default=None)


def closing_words(closed: Sequence[str], months: Sequence[int] = ()) -> str:
    """월요일, 1월 1일에 쉬고 4~10월에만 열어요."""
    said = [_word(one) for one in closed]
    shut = f"{', '.join(said)}에 쉬어요." if said else ""
    season = f"{_season(months)}에만 열어요." if months else ""
    return " ".join(part for part in (shut, season) if part)


def _word(token: str) -> str:
    if token in WEEKDAYS:
        return f"{_NAMES[WEEKDAYS.index(token)]}요일"
    if token in HOLIDAYS:
        return "음력설 당일" if token == "춘절" else f"{token} 당일"
    month, day = token.split("-")
    return f"{int(month)}월 {int(day)}일"


def _season(months: Sequence[int]) -> str:
    """11~4월 of the months as they are written, first to last."""
    return f"{months[0]}~{months[-1]}월" if len(months) > 1 else f"{months[0]}월"
