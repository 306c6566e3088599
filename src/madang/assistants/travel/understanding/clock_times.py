"""Times of day in a message: 밤 11시, 오후 2시 반, 19:45, 1시~3시."""

import re
from dataclasses import dataclass

from madang.text.clauses import Span

_PART = r"(?:(?P<{0}part>오전|오후|새벽|아침|낮|점심|저녁|밤|am|pm)\s?)?"
_HOUR = (
    r"(?:(?P<{0}h>\d{{1,2}}):(?P<{0}m>\d{{2}})"
    r"|(?P<{0}hour>\d{{1,2}})\s?시(?!간)(?:\s?(?P<{0}half>반)|\s?(?P<{0}minute>\d{{1,2}})\s?분)?)"
)
_FIRST = r"(?:(?P<ah>\d{1,2}):(?P<am>\d{2})|(?P<ahour>\d{1,2})(?:\s?시(?!간))?(?P<ahalf>\s?반)?(?P<aminute>(?!x)x)?)"
_ONE = re.compile((_PART + _HOUR).format("a"), re.IGNORECASE)
_RANGE = re.compile(
    _PART.format("a") + _FIRST + r"\s?(?:~|-|–|부터|에서)\s?" + (_PART + _HOUR).format("b"), re.IGNORECASE
)
_LATE_PARTS = frozenset({"오후", "저녁", "밤", "낮", "점심", "pm"})
_NOON = 12


@dataclass(frozen=True)
class ClockTime:
    """A time of day, "HH:MM", and where it stands; `until` closes a range. `certain`: morning or evening was said."""

    at: str
    span: Span
    certain: bool
    until: str | None = None


def find_clock_times(text: str) -> list[ClockTime]:
    """Times and ranges of times in order; hours that no day has are left out."""
    found: list[ClockTime] = []
    taken = 0
    for match in _RANGE.finditer(text):
        start, end = _clock(match, "a"), _clock(match, "b")
        if start and end:
            if match["bpart"] is None and match["apart"] and end < start:
                end = _later(end)
            found.append(ClockTime(start, match.span(), bool(match["apart"]), end))
    spans = [one.span for one in found]
    for match in _ONE.finditer(text):
        at = _clock(match, "a")
        taken = match.start()
        if at and not any(first <= taken < last for first, last in spans):
            found.append(ClockTime(at, match.span(), bool(match["apart"] or match["ah"])))
    return sorted(found, key=lambda one: one.span)


def afternoon(clock: str) -> str:
    """The time meant by 1시~3시 of a nap: before seven it is after noon."""
    return _later(clock) if int(clock[:2]) < 7 else clock


def _clock(match: re.Match[str], name: str) -> str | None:
    hour = int(match[f"{name}h"] or match[f"{name}hour"] or 99)
    minute = int(match[f"{name}m"] or match[f"{name}minute"] or 0) if not match[f"{name}half"] else 30
    part = (match[f"{name}part"] or "").lower()
    if part in _LATE_PARTS and hour < _NOON and not (part == "밤" and hour < 5):
        hour += _NOON
    elif part == "밤" and hour == _NOON:
        hour = 0
    return f"{hour:02d}:{minute:02d}" if hour < 24 and minute < 60 else None


def _later(clock: str) -> str:
    hour = int(clock[:2])
    return f"{hour + _NOON:02d}{clock[2:]}" if hour < _NOON else clock
