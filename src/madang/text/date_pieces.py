"""What the date rules share: a piece of text read as a span of days, and how an unsaid year is settled."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import Literal, TypedDict

from madang.text.calendars import Days, add_months, month_days
from madang.text.data import load
from madang.text.numerals import sino_value
from madang.text.spans import DateSpan, Direction, Kind


@dataclass(frozen=True)
class Piece:
    """A span found at a place. `step` says by what it may still move: the year, month or week was not said."""

    start: int
    end: int
    span: DateSpan
    step: Literal["year", "month", "week"] | None = None
    confidence: float = 0.95
    readings: tuple[DateSpan, ...] = ()


@dataclass(frozen=True)
class Clock:
    """What relative words are relative to."""

    today: date
    direction: Direction


class Words(TypedDict):
    """Words and what they stand for: years, weeks or days from today, months, ordinals, lengths of time."""

    years: dict[str, int]
    relative: dict[str, int]
    days: dict[str, int]
    months: dict[str, int]
    ordinals: dict[str, int]
    lengths: dict[str, tuple[int, str]]


Rule = tuple[re.Pattern[str], Callable[[re.Match[str], Clock], Piece | None]]
WORDS: Words = load("date_words")

_YEAR_WORD = (
    r"재작년도?|지지난\s?해|전전년|작년도?|지난\s?해|전년도?|올\s?해|올|금년도?|이번\s?해|내년도?|다다음\s?해|다음\s?해"
    r"|내후년|후년"
)
YEAR = (
    rf"(?:(?<![가-힣])(?P<yword>{_YEAR_WORD})의?\s?"
    r"|(?<!\d)(?P<yfull>(?:19|20)\d{2})\s?(?:년도?|\.|-|/)\s?|(?<!\d)'?(?P<yshort>\d{2})\s?(?:년도?|\.)\s?"
    r"|(?<![가-힣])(?P<yspelt>(?:이천|천구백)[일이삼사오육칠팔구십]{0,4})\s?년\s?)"
)
MONTH = (
    r"(?P<month>(?<!\d)(?:1[0-2]|0?[1-9])"
    r"|(?<![가-힣])(?:십일|십이|일|이|삼|사|오|육|유|칠|팔|구|시|십))\s?월"
)
DAY_NUMBER = r"(?:[12]\d|3[01]|0?[1-9]|(?:이|삼)?십[일이삼사오육칠팔구]?(?=\s?일)|[일이삼사오육칠팔구](?=\s?일))"
RELATIVE = r"(?<![가-힣])(?P<rel>지지난|저저번|전전|지난|저번|이번|요번|다다음|다담|다음|담|돌아오는|다가오는|오는)\s?"


def century_of(year: int) -> int:
    """The year that two digits mean: 74 is 1974, 26 is 2026."""
    return year + (0 if year > 99 else 2000 if year < 60 else 1900)


def year_of(match: re.Match[str], today: date) -> int | None:
    """The year a match names, or `None` when it names none."""
    groups = match.groupdict()
    if groups.get("yold"):
        return int(groups["yold"])
    if groups.get("yafter"):
        return int(groups["yafter"])
    if groups.get("yfull"):
        return int(groups["yfull"])
    if spelt := groups.get("yspelt") or groups.get("yspelt2"):
        return sino_value(spelt)
    if groups.get("yshort"):
        return century_of(int(groups["yshort"]))
    word = (groups.get("yword") or "").replace(" ", "")
    return today.year + WORDS["years"][word.removesuffix("도")] if word else None


def month_of(match: re.Match[str]) -> int:
    """The month a match of `MONTH` names."""
    word: str = match["month"]
    return int(word) if word.isdigit() else WORDS["months"][word]


def relative_of(match: re.Match[str]) -> int:
    """How many weeks, months or quarters from now the word of `RELATIVE` points."""
    return WORDS["relative"][match["rel"].replace(" ", "") or "이번"]


def yearly(
    match: re.Match[str], clock: Clock, days: Callable[[int], Days | None], kind: Kind, exact: bool = True
) -> Piece | None:
    """A span that recurs each year: in the year said, else the nearest in the clock's direction."""
    year = year_of(match, clock.today)
    if year is not None:
        found = days(year)
        return Piece(*match.span(), DateSpan(*found, exact, kind)) if found else None
    past = clock.direction == "past" or bool(match.groupdict().get("last"))
    order = (0, -1, -2, -3, -4) if past else (0, 1, 2, 3, 4)
    for shift in order:
        found = days(clock.today.year + shift)
        if found and (found[0] <= clock.today if past else found[1] >= clock.today):
            return Piece(*match.span(), DateSpan(*found, exact, kind), "year", 0.9)
    return None


def moved(piece: Piece, steps: int) -> Piece:
    """The same words a number of years, months or weeks later."""
    if piece.step == "week":
        shift = timedelta(weeks=steps)
        return replace(piece, span=replace(piece.span, start=piece.span.start + shift, end=piece.span.end + shift))
    months = 12 * steps if piece.step == "year" else steps
    start, end = add_months(piece.span.start, months), add_months(piece.span.end, months)
    if piece.span.kind in {"month", "quarter", "half"}:
        end = month_days(end.year, end.month)[1]
    return replace(piece, span=replace(piece.span, start=start, end=end))


def apply(rules: list[Rule], text: str, clock: Clock) -> Iterator[Piece]:
    """Every span the rules find, overlapping ones included; a day the calendar doesn't have is none."""
    for pattern, read in rules:
        for match in pattern.finditer(text):
            try:
                piece = read(match, clock)
            except (ValueError, OverflowError):
                continue
            if piece:
                yield piece
