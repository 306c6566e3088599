"""Dates and periods relative to a given today: 다다음주 금요일, 추석 때, 3월 말쯤, 최근 3개월, 작년 2분기.

Conventions, the same everywhere:
- a week runs from Monday to Sunday; 초 is the 1st to 10th, 중순 the 11th to 20th, 말 the 21st to the end;
- "최근 3개월" is the three months that end with today (2026-03-11: from 2025-12-12); "지난 3개월" is read the same,
  with the three whole calendar months before this one as its second reading;
- periods are whole: 이번 분기 ends with the quarter;
- a bare month, day, quarter, half or holiday is the nearest in `direction`: a past one has begun by today, a
  future one hasn't ended before today. In a range both ends are read together (3월~5월, past, in March: last year's).
"""

import re
from collections.abc import Iterable
from dataclasses import replace
from datetime import date, timedelta

from madang.text.comparisons import find_comparisons
from madang.text.date_pieces import Clock, Piece, apply, moved
from madang.text.day_rules import DAY_RULES
from madang.text.distances import distance_pieces
from madang.text.named_days import named_pieces
from madang.text.nights import find_nights
from madang.text.parsed import Parsed, make, on_folded, outside
from madang.text.period_rules import PERIOD_RULES
from madang.text.spans import Comparison, DateSpan, Direction, Kind, Nights

__all__ = [
    "Comparison",
    "DateSpan",
    "Direction",
    "Kind",
    "Nights",
    "find_comparisons",
    "find_dates",
    "find_nights",
    "find_periods",
]

_TO = re.compile(r"\s?(?:~|-|에서|부터|(?:에\s?)?(?:출발|출국|가서|떠나)[가-힣]{0,3}[,\s])\s?")
_UNTIL_NOW = re.compile(
    r"\s?(?:~|-|에서|부터|이후로?)\s?(?:지금|현재|여태|오늘|현시점)\s?(?:까지)?|\s?(?:누적|들어서?"
    r"|지금까지|현재까지)(?![가-힣])"
)
_FOR = re.compile(
    r"\s?(?:부터|출발)\s?(?:(?P<nights>\d{1,2})\s?박(?:\s?\d{1,2}\s?일)?|(?P<days>\d{1,2})\s?일\s?(?:간"
    r"|동안)|(?P<week>일주일))"
)
_BEFORE_AFTER = re.compile(
    r"\s?(?:연휴\s?)?(?:(?P<before>전(?:에|쯤)?|직전(?:에)?)|(?P<after>지나[가-힣]*|이후|끝나[가-힣]*"
    r"|다음에|후에?))(?![가-힣])"
)
_SINCE = re.compile(r"\s?(?:부터|이후|이래)(?!\s?\d)")
_AND = re.compile(r"\s?(?:과|와)\s?")
_UNTIL = re.compile(r"\s?(?:까지|사이)")
_BETWEEN = re.compile(r"\s?사이")
_APART = re.compile(r"[\s,]{1,2}")
_VAGUE = re.compile(r"\s?(?:쯤|경(?![가-힣])|즈음|무렵|때(?!문)|께(?![가-힣])|정도|언저리|전후|근처)")
_AGAINST = re.compile(r"대비|보다|비교|비해")


def find_dates(text: str, today: date, direction: Direction = "future") -> list[Parsed[DateSpan]]:
    """Days and spans of days in order of appearance, read as plans unless `direction` says otherwise."""
    return on_folded(text, lambda folded: _find(folded, Clock(today, direction)))


def find_periods(text: str, today: date, direction: Direction = "past") -> list[Parsed[DateSpan]]:
    """Periods of a report in order of appearance, read as past; what is only compared with (전월 대비) is left out."""
    return on_folded(text, lambda folded: _periods(folded, Clock(today, direction)))


def _periods(text: str, clock: Clock) -> list[Parsed[DateSpan]]:
    compared = [item for item in find_comparisons(text) if item.value != "target"]
    against = [item.span for item in compared if _AGAINST.search(item.text) or "동" in item.text]
    return outside(_find(text, clock), against)


def _find(text: str, clock: Clock) -> list[Parsed[DateSpan]]:
    single = _best(
        [*apply([*DAY_RULES, *PERIOD_RULES], text, clock), *named_pieces(text, clock), *distance_pieces(text, clock)]
    )
    joined = _joined(text, single, clock)
    found = []
    for piece in joined:
        vague = _VAGUE.match(text, piece.end)
        span = replace(piece.span, exact=False) if vague else piece.span
        readings = tuple(replace(one, exact=span.exact) for one in piece.readings)
        end = vague.end() if vague else piece.end
        found.append(make(text, piece.start, end, span, piece.confidence, readings))
    return found


def _best(found: Iterable[Piece]) -> list[Piece]:
    """Without overlaps: the longest first, then the surest."""
    kept: list[Piece] = []
    last_end = -1
    for piece in sorted(found, key=lambda piece: (piece.start, -piece.end, -piece.confidence)):
        if piece.start >= last_end:
            kept.append(piece)
        elif piece.end - piece.start > kept[-1].end - kept[-1].start:
            kept[-1] = piece
        last_end = kept[-1].end
    return kept


def _joined(text: str, single: list[Piece], clock: Clock) -> list[Piece]:
    out: list[Piece] = []
    index = 0
    while index < len(single):
        piece = single[index]
        following = single[index + 1] if index + 1 < len(single) else None
        if following and _dates_weekday(text, piece, following):
            single[index + 1] = replace(following, start=piece.start)
            index += 1
            continue
        if following and (_linked(text, piece, following) or _touch(text, piece, following)):
            until = _UNTIL.match(text, following.end)
            joined = _range(piece, following, clock)
            out.append(replace(joined, end=until.end() if until else joined.end))
            index += 2
            continue
        if out and _narrows(text, out[-1], piece):
            out[-1] = replace(piece, start=out[-1].start)
        else:
            out.append(_open(text, piece, clock))
        index += 1
    return out


def _dates_weekday(text: str, left: Piece, right: Piece) -> bool:
    """월요일, 1월 22일: a weekday said before its date."""
    weekday = left.span.kind == "day" and left.step == "week"
    dated = right.span.kind == "day" and right.step in (None, "year") and "월" in text[right.start : right.end]
    return weekday and dated and _APART.fullmatch(text[left.end : right.start]) is not None


def _linked(text: str, left: Piece, right: Piece) -> bool:
    link = _TO.match(text, left.end)
    if link and link.end() == right.start:
        return True
    link = _AND.match(text, left.end)
    return bool(link and link.end() == right.start and _BETWEEN.match(text, right.end))


def _touch(text: str, left: Piece, right: Piece) -> bool:
    """7월말 8월초: two parts of months that follow one another are one span."""
    parts = left.span.kind == right.span.kind == "part_of_month"
    return parts and not text[left.end : right.start].strip(" ,") and (right.span.start - left.span.end).days == 1


def _narrows(text: str, left: Piece, right: Piece) -> bool:
    """6월 6일 현충일, 내년 2월 설 연휴: the second names the same days, or some of the first's."""
    if text[left.end : right.start].strip(" ,()") or left.span.kind == "rolling":
        return False
    return left.span.start <= right.span.start and right.span.end <= left.span.end


def _open(text: str, piece: Piece, clock: Clock) -> Piece:
    """올 1월부터 지금까지; and in reports 3월부터, which runs until today."""
    stay = _FOR.match(text, piece.end)
    if stay and piece.span.kind in {"day", "holiday"}:
        return _stay(piece, stay)
    side = _BEFORE_AFTER.match(text, piece.end) if piece.span.kind == "holiday" else None
    if side:
        return _beside(piece, side)
    now = _UNTIL_NOW.match(text, piece.end)
    since = now or (_SINCE.match(text, piece.end) if clock.direction == "past" else None)
    if not since or piece.span.start > clock.today:
        return piece
    span = replace(piece.span, end=clock.today, kind="range")
    return replace(piece, end=since.end(), span=span, confidence=0.95 if now else 0.8, readings=())


def _stay(piece: Piece, stay: re.Match[str]) -> Piece:
    """내일부터 3일간, 4월 5일부터 3박: the stay gives the last day."""
    nights = int(stay["nights"]) if stay["nights"] else int(stay["days"]) - 1 if stay["days"] else 6
    end = piece.span.start + timedelta(days=max(nights, 0))
    return replace(piece, span=replace(piece.span, end=end, kind="range"), readings=())


def _beside(piece: Piece, side: re.Match[str]) -> Piece:
    """추석 전에, 추석 지나고: the two weeks before or after, roughly."""
    span = piece.span
    if side["before"]:
        start, end = span.start - timedelta(days=14), span.start - timedelta(days=1)
    else:
        start, end = span.end + timedelta(days=1), span.end + timedelta(days=14)
    return replace(piece, end=side.end(), span=DateSpan(start, end, False, "range"), confidence=0.6)


def _range(first: Piece, last: Piece, clock: Clock) -> Piece:
    if last.step and not (first.step and clock.direction == "past"):
        last = _after(first, last)
    elif first.step:
        first = _before(first, last, clock)
    if first.step == last.step == "year" and clock.direction == "future":
        first, last = _running(first, last, clock)
    start, end = first.span.start, max(last.span.end, first.span.start)
    exact = first.span.exact and last.span.exact
    span = DateSpan(start, end, exact, "range")
    return Piece(first.start, last.end, span, None, min(first.confidence, last.confidence))


def _running(first: Piece, last: Piece, clock: Clock) -> tuple[Piece, Piece]:
    """10월 1일부터 11월 7일까지, said on the 24th of October, has begun."""
    begun = moved(first, -1)
    ends = _after(begun, last)
    return (begun, ends) if begun.span.start <= clock.today <= ends.span.end else (first, last)


def _after(first: Piece, last: Piece) -> Piece:
    years = first.span.start.year - last.span.start.year if last.step == "year" else 0
    for steps in (years - 1, years, years + 1, years + 2):
        candidate = moved(last, steps)
        if candidate.span.end >= first.span.start and (steps >= 0 or candidate.span.start >= first.span.start):
            return candidate
    return last


def _before(first: Piece, last: Piece, clock: Clock) -> Piece:
    """The beginning of a range whose end names its year (12월 1일부터 2028년 11월 30일까지): the next to come, or in a
    report the last before it."""
    if clock.direction == "future" and first.span.start <= last.span.end:
        return first
    years = last.span.start.year - first.span.start.year if first.step == "year" else 0
    for steps in (years + 1, years, years - 1, years - 2):
        candidate = moved(first, steps)
        if candidate.span.start <= last.span.end:
            return candidate
    return first
