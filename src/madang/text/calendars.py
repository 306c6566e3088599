"""Calendar arithmetic: months, quarters, weeks from Monday; Korea's public holidays and the days off around them."""

import calendar
from datetime import date, timedelta
from functools import lru_cache

from madang.errors import needs_extra

DAY = timedelta(days=1)
Days = tuple[date, date]


def safe_date(year: int, month: int, day: int) -> date | None:
    """That day, or `None` if the calendar has no such day."""
    try:
        return date(year, month, day)
    except (ValueError, OverflowError):
        return None


def add_months(day: date, months: int) -> date:
    """The same day of another month, or that month's last day; kept within the years 1 to 9999."""
    index = min(max(day.year * 12 + day.month - 1 + months, 12), 9999 * 12 + 11)
    year, month = divmod(index, 12)
    return date(year, month + 1, min(day.day, calendar.monthrange(year, month + 1)[1]))


def month_days(year: int, month: int) -> Days:
    return date(year, month, 1), date(year, month, calendar.monthrange(year, month)[1])


def quarter_days(year: int, quarter: int) -> Days:
    return date(year, 3 * quarter - 2, 1), month_days(year, 3 * quarter)[1]


def half_days(year: int, half: int) -> Days:
    return date(year, 6 * half - 5, 1), month_days(year, 6 * half)[1]


def year_days(year: int) -> Days:
    return date(year, 1, 1), date(year, 12, 31)


def week_days(day: date, weeks: int = 0) -> Days:
    """Monday to Sunday of the week `weeks` after the one that holds `day`."""
    monday = day - timedelta(days=day.weekday()) + timedelta(weeks=weeks)
    return monday, monday + 6 * DAY


@lru_cache(maxsize=64)
def public_holidays(year: int) -> dict[date, str]:
    """Korea's public holidays of a year by day, with their Korean names; substitute days included."""
    with needs_extra("korean", "knowing public holidays"):
        import holidays

    return {day: str(name) for day, name in holidays.country_holidays("KR", years=year, language="ko").items()}


def is_day_off(day: date) -> bool:
    """Whether that day is a weekend or a public holiday in Korea."""
    return day.weekday() >= 5 or day in public_holidays(day.year)


def days_off_around(day: date) -> Days:
    """The unbroken run of days off that holds `day`."""
    start = end = day
    while is_day_off(start - DAY):
        start -= DAY
    while is_day_off(end + DAY):
        end += DAY
    return start, end


@lru_cache(maxsize=256)
def holiday_date(name: str, year: int) -> date | None:
    """The day of a public holiday (설날, 추석, 부처님오신날 …) in a year; `None` if that year has none."""
    for day, names in sorted(public_holidays(year).items()):
        if name in names.split("; "):
            return day
    return None
