"""The day to plan with when the user has named a window or no day at all."""

from collections.abc import Mapping
from datetime import date, timedelta

_LEAD_DAYS = 28
_FRIDAY = 4


def departure_for(
    depart_date: str | None, depart_window: Mapping[str, str] | None, today: date
) -> tuple[date, str | None]:
    """The departure, and a note when it was assumed: the first Friday of the window, or of four weeks from today.

    A window without a Friday begins on its first day; days before today are never taken.
    """
    if depart_date:
        return date.fromisoformat(depart_date), None
    if depart_window:
        first = max(today, date.fromisoformat(depart_window["from"]))
        last = max(first, date.fromisoformat(depart_window["to"]))
        day = _friday(first)
        day = day if day <= last else first
        return day, f"말씀하신 기간 중 {_spoken(day)} 출발로 잡았습니다. 다른 날을 원하시면 알려 주세요."
    day = _friday(today + timedelta(days=_LEAD_DAYS))
    return day, f"출발일을 말씀하지 않아 {_spoken(day)} 출발로 가정했습니다. 날짜를 알려 주시면 다시 계산합니다."


def _friday(day: date) -> date:
    return day + timedelta(days=(_FRIDAY - day.weekday()) % 7)


def _spoken(day: date) -> str:
    return f"{day.year}년 {day.month}월 {day.day}일({'월화수목금토일'[day.weekday()]})"
