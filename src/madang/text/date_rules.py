"""The rules by which one piece of text becomes a span of days. `dates.py` joins pieces into ranges."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import Literal, TypedDict

from madang.text.calendars import (
    DAY,
    Days,
    add_months,
    half_days,
    month_days,
    quarter_days,
    safe_date,
    week_days,
    year_days,
)
from madang.text.data import load
from madang.text.numbers import parse_number
from madang.text.spans import DateSpan, Direction, Kind


@dataclass(frozen=True)
class Piece:
    """A span found at a place. `step` says by what it may still move: the year or week was not said."""

    start: int
    end: int
    span: DateSpan
    step: Literal["year", "week"] | None = None
    confidence: float = 0.95
    readings: tuple[DateSpan, ...] = ()


@dataclass(frozen=True)
class Clock:
    """What relative words are relative to."""

    today: date
    direction: Direction


class _Words(TypedDict):
    """Words and what they stand for: years, weeks or days from today, months, ordinals, lengths of time."""

    years: dict[str, int]
    relative: dict[str, int]
    days: dict[str, int]
    months: dict[str, int]
    ordinals: dict[str, int]
    lengths: dict[str, tuple[int, str]]


_WORDS: _Words = load("date_words")
Rule = tuple[re.Pattern[str], Callable[[re.Match[str], Clock], Piece | None]]

YEAR = (
    r"(?:(?<![가-힣])(?P<yword>재작년도?|지지난\s?해|전전년|작년도?|지난\s?해|전년도?|올해|올|금년도?"
    r"|이번\s?해|내년도?|다음\s?해|내후년|후년)의?\s?"
    r"|(?<!\d)(?P<yfull>(?:19|20)\d{2})\s?(?:년도?|\.|-|/)\s?|(?<!\d)'?(?P<yshort>\d{2})\s?(?:년도?|\.)\s?)"
)
MONTH = r"(?P<month>(?<!\d)(?:1[0-2]|0?[1-9])|(?<![가-힣])(?:일|이|삼|사|오|육|유|칠|팔|구|시|십|십일|십이))\s?월"
DAY_NUMBER = r"(?:[12]\d|3[01]|0?[1-9]|(?:이|삼)?십[일이삼사오육칠팔구]?|[일이삼사오육칠팔구])"
_WEEKDAYS = "월화수목금토일"
_PART_DAYS = {"초": (1, 10), "초순": (1, 10), "중순": (11, 20), "중반": (11, 20), "말": (21, 31), "하순": (21, 31)}
_PARTS = (
    r"(?P<part>초순|초(?![가-힣])|초(?=쯤|에|로|경|부터|까지|나)|중순|중반|하순|말일|말(?![가-힣])|말(?=쯤"
    r"|에|로|경|부터|까지|이나|즈음))"
)
_WEEK_OF_MONTH = (
    r"(?P<nth>첫째|첫|둘째|셋째|넷째|다섯째|두\s?번째|세\s?번째|네\s?번째|마지막|[1-5])\s?(?:째)?\s?주(?![가-힣]{2}|말)"
)


def year_of(match: re.Match[str], today: date) -> int | None:
    """The year a match names, or `None` when it names none."""
    groups = match.groupdict()
    if groups.get("yfull"):
        return int(groups["yfull"])
    if groups.get("yshort"):
        return 2000 + int(groups["yshort"])
    word = (groups.get("yword") or "").replace(" ", "")
    return today.year + _WORDS["years"][word.removesuffix("도")] if word else None


def _month(match: re.Match[str]) -> int:
    word = match["month"]
    return int(word) if word.isdigit() else _WORDS["months"][word]


def _yearly(
    match: re.Match[str], clock: Clock, days: Callable[[int], Days | None], kind: Kind, exact: bool = True
) -> Piece | None:
    """A span that recurs each year: in the year said, else the nearest in the clock's direction."""
    year = year_of(match, clock.today)
    if year is not None:
        found = days(year)
        return Piece(*match.span(), DateSpan(*found, exact, kind)) if found else None
    this = days(clock.today.year)
    shift = 0
    if this and clock.direction == "future" and this[1] < clock.today:
        shift = 1
    if this and clock.direction == "past" and this[0] > clock.today:
        shift = -1
    found = days(clock.today.year + shift) if shift else this
    found = found or days(clock.today.year + 1)
    return Piece(*match.span(), DateSpan(*found, exact, kind), "year", 0.9) if found else None


def _day(match: re.Match[str], clock: Clock) -> Piece | None:
    month, number = _month(match), parse_number(match["day"])

    def days(year: int) -> Days | None:
        first = safe_date(year, month, int(number or 0))
        last = safe_date(year, month, int(parse_number(match["until"] or "") or 0)) if match["until"] else first
        return (first, last) if first and last and first <= last else None

    return _yearly(match, clock, days, "range" if match["until"] else "day")


def _slash(match: re.Match[str], clock: Clock) -> Piece | None:
    month, number = int(match["m"]), int(match["d"])

    def days(year: int) -> Days | None:
        day = safe_date(year, month, number)
        return (day, day) if day else None

    return _yearly(match, clock, days, "day")


def _full(match: re.Match[str], _: Clock) -> Piece | None:
    year = int(match["yy"])
    day = safe_date(year if year > 99 else 2000 + year, int(match["m"]), int(match["d"]))
    return Piece(*match.span(), DateSpan(day, day), None, 0.99) if day else None


def _part_of(year: int, month: int, part: str) -> Days:
    first, last = month_days(year, month)
    if part == "말일":
        return last, last
    low, high = _PART_DAYS[part]
    return first.replace(day=low), first.replace(day=min(high, last.day))


def _month_part(match: re.Match[str], clock: Clock) -> Piece | None:
    part = match["part"]
    kind: Kind = "day" if part == "말일" else "part_of_month"
    return _yearly(match, clock, lambda year: _part_of(year, _month(match), part), kind, part == "말일")


def _nth_week(first: date, last: date, word: str) -> Days | None:
    if word == "마지막":
        return last - 6 * DAY, last
    start = first + timedelta(weeks=_WORDS["ordinals"][word.replace(" ", "")] - 1)
    return (start, min(start + 6 * DAY, last)) if start <= last else None


def _month_week(match: re.Match[str], clock: Clock) -> Piece | None:
    return _yearly(match, clock, lambda year: _nth_week(*month_days(year, _month(match)), match["nth"]), "week")


def _month_whole(match: re.Match[str], clock: Clock) -> Piece | None:
    return _yearly(match, clock, lambda year: month_days(year, _month(match)), "month")


def _months(match: re.Match[str], clock: Clock) -> Piece | None:
    first, last = int(match["from"]), int(match["month"])
    if first > last:
        return None
    piece = _yearly(match, clock, lambda year: (date(year, first, 1), month_days(year, last)[1]), "range")
    unsaid = piece is not None and piece.step is not None
    # In a report the last month too has begun: 3월~5월 said in March is last year's.
    if piece and unsaid and clock.direction == "past" and piece.span.end.replace(day=1) > clock.today:
        return moved(piece, -1)
    return piece


def _relative(match: re.Match[str]) -> int:
    return _WORDS["relative"][match["rel"].replace(" ", "")]


def _relative_month(match: re.Match[str], clock: Clock) -> Piece | None:
    there = add_months(clock.today.replace(day=1), _relative(match))
    groups = match.groupdict()
    if groups.get("day"):
        day = safe_date(there.year, there.month, int(parse_number(groups["day"] or "") or 0))
        return Piece(*match.span(), DateSpan(day, day)) if day else None
    if groups.get("part"):
        part = groups["part"] or ""
        exact = part == "말일"
        return Piece(
            *match.span(),
            DateSpan(*_part_of(there.year, there.month, part), exact, "day" if exact else "part_of_month"),
        )
    if groups.get("nth"):
        week = _nth_week(*month_days(there.year, there.month), groups["nth"] or "")
        return Piece(*match.span(), DateSpan(*week, True, "week")) if week else None
    return Piece(*match.span(), DateSpan(*month_days(there.year, there.month), True, "month"))


def _relative_week(match: re.Match[str], clock: Clock) -> Piece | None:
    monday, sunday = week_days(clock.today, _relative(match))
    groups = match.groupdict()
    if groups.get("weekday"):
        day = monday + _WEEKDAYS.index(groups["weekday"] or "") * DAY
        return Piece(*match.span(), DateSpan(day, day))
    if groups.get("weekend"):
        return Piece(*match.span(), DateSpan(sunday - DAY, sunday, True, "weekend"))
    if groups.get("workdays"):
        return Piece(*match.span(), DateSpan(monday, monday + 4 * DAY, True, "week"))
    return Piece(*match.span(), DateSpan(monday, sunday, True, "week"))


def _weekday(match: re.Match[str], clock: Clock) -> Piece | None:
    """A bare weekday is the nearest one in the clock's direction; "다음 금요일" may also be next week's."""
    number = _WEEKDAYS.index(match["weekday"])
    ahead = (number - clock.today.weekday()) % 7
    word = (match["which"] or "").strip()
    nearest = clock.today + ahead * DAY
    if word in {"지난", "저번"} or (not word and clock.direction == "past"):
        behind = (clock.today.weekday() - number) % 7 or (7 if word else 0)
        day = clock.today - behind * DAY
        return Piece(*match.span(), DateSpan(day, day), None if word else "week", 0.85)
    if word in {"다음", "담"}:
        nextweek = week_days(clock.today, 1)[0] + number * DAY
        soon = nearest if ahead else nearest + 7 * DAY
        both = tuple(dict.fromkeys((DateSpan(nextweek, nextweek), DateSpan(soon, soon))))
        return Piece(*match.span(), both[0], None, 0.7, both if len(both) > 1 else ())
    return Piece(*match.span(), DateSpan(nearest, nearest), "week" if not word else None, 0.85)


def _weekend(_match: re.Match[str], clock: Clock) -> Piece | None:
    sunday = week_days(clock.today, -1 if clock.direction == "past" and clock.today.weekday() < 5 else 0)[1]
    return Piece(*_match.span(), DateSpan(sunday - DAY, sunday, True, "weekend"), "week", 0.7)


def _day_word(match: re.Match[str], clock: Clock) -> Piece | None:
    day = clock.today + _WORDS["days"][match["word"].replace(" ", "")] * DAY
    return Piece(*match.span(), DateSpan(day, day), None, 0.97)


def _quarter(match: re.Match[str], clock: Clock) -> Piece | None:
    number = int(parse_number(match["quarter"]) or 0)
    return _yearly(match, clock, lambda year: quarter_days(year, number), "quarter") if 1 <= number <= 4 else None


def _relative_quarter(match: re.Match[str], clock: Clock) -> Piece | None:
    there = add_months(clock.today.replace(day=1), 3 * _relative(match))
    return Piece(*match.span(), DateSpan(*quarter_days(there.year, (there.month + 2) // 3), True, "quarter"))


def _half(match: re.Match[str], clock: Clock) -> Piece | None:
    return _yearly(match, clock, lambda year: half_days(year, 1 if match["half"] == "상" else 2), "half")


def _year(match: re.Match[str], clock: Clock) -> Piece | None:
    year = year_of(match, clock.today)
    return Piece(*match.span(), DateSpan(*year_days(year), True, "year")) if year else None


def _back(today: date, count: int, unit: str) -> date:
    """The first day of the `count` units that end with today."""
    if unit in {"개월", "달", "달치", "개월치"}:
        return add_months(today, -count) + DAY
    if unit == "년":
        return add_months(today, -12 * count) + DAY
    if unit == "분기":
        return add_months(today, -3 * count) + DAY
    return today - timedelta(days=count * (7 if unit.startswith("주") else 1)) + DAY


def _length(match: re.Match[str]) -> tuple[int, str] | None:
    if match["length"]:
        count, unit = _WORDS["lengths"][match["length"].replace(" ", "")]
        return count, unit
    number = parse_number(match["count"])
    return (int(number), match["unit"]) if number and 0 < number <= 1000 else None


def _rolling(match: re.Match[str], clock: Clock) -> Piece | None:
    found = _length(match)
    if not found:
        return None
    count, unit = found
    span = DateSpan(_back(clock.today, count, unit), clock.today, True, "rolling")
    if match["word"] == "최근" or unit not in {"개월", "달"}:
        return Piece(*match.span(), span, None, 0.92)
    first = add_months(clock.today.replace(day=1), -count)
    whole = DateSpan(first, clock.today.replace(day=1) - DAY, True, "range")
    return Piece(*match.span(), span, None, 0.8, (span, whole))


def _distance(match: re.Match[str], clock: Clock) -> Piece | None:
    found = _length(match)
    if not found:
        return None
    count, unit = found
    sign = -1 if match["side"] == "전" else 1
    if unit in {"개월", "달", "년", "분기"}:
        months = {"년": 12, "분기": 3}.get(unit, 1)
        day = add_months(clock.today, sign * count * months)
    else:
        day = clock.today + timedelta(days=sign * count * (7 if unit.startswith("주") else 1))
    return Piece(*match.span(), DateSpan(day, day, unit not in {"년", "분기", "개월", "달"}), None, 0.85)


_REL = r"(?<![가-힣])(?P<rel>지지난|저저번|전전|지난|저번|이번|요번|다다음|다담|다음|담|돌아오는|오는)\s?"
_LENGTH = (
    r"(?:(?P<length>일주일|한\s?주|보름|열흘|반년|사흘|나흘|이틀|닷새|하루|며칠)|(?P<count>\d{1,4}"
    r"|[한두세네석넉]|다섯|여섯|일곱|여덟|아홉|열|열두|[일이삼사오육칠팔구십]{1,2})\s?(?P<unit>개월|달"
    r"|주일|주|일|년|분기))"
)
_NOT_MONEY = r"(?!세|급|임대|소득|\s?\d+\s?만)"

RULES: list[Rule] = [
    (
        re.compile(
            r"(?<![\d.])(?P<yy>(?:19"
            r"|20)\d{2})\s?[.\-/년]\s?(?P<m>\d{1,2})\s?[.\-/월]\s?(?P<d>\d{1,2})(?!\d)(?:\s?일)?\.?"
        ),
        _full,
    ),
    (re.compile(r"(?<![\d.])'?(?P<yy>\d{2})[.\-/](?P<m>\d{1,2})[.\-/](?P<d>\d{1,2})(?![\d.])"), _full),
    (
        re.compile(
            rf"{YEAR}?{MONTH}\s?(?P<day>{DAY_NUMBER})\s?일?\s?(?:~|-|부터|에서)\s?(?P<until>{DAY_NUMBER})\s?일(?:까지)?"
        ),
        _day,
    ),
    (re.compile(rf"{YEAR}?{MONTH}\s?(?P<day>{DAY_NUMBER})\s?일(?P<until>(?!))?"), _day),
    (
        re.compile(
            r"(?<![\d/.])(?P<m>1[0-2]|0?[1-9])/(?P<d>[12]\d|3[01]|0?[1-9])(?![\d/]"
            r"|\s?만)(?:\s?일)?(?:\s?\([월화수목금토일]\))?"
        ),
        _slash,
    ),
    (re.compile(rf"{YEAR}?{MONTH}\s?{_PARTS}"), _month_part),
    (re.compile(rf"{YEAR}?{MONTH}\s?{_WEEK_OF_MONTH}"), _month_week),
    (re.compile(rf"{YEAR}?(?<!\d)(?P<from>1[0-2]|[1-9])\s?월?\s?(?:~|-|에서)\s?(?P<month>1[0-2]|[1-9])\s?월"), _months),
    (re.compile(rf"{YEAR}?{MONTH}{_NOT_MONEY}"), _month_whole),
    (re.compile(rf"{_REL}달(?:\s?(?P<day>{DAY_NUMBER})\s?일|\s?{_PARTS}|\s?{_WEEK_OF_MONTH})?"), _relative_month),
    (
        re.compile(
            rf"(?<![가-힣])(?P<rel>이|금|당|전|내)(?:월|달)(?:\s?(?P<day>{DAY_NUMBER})\s?일|\s?{_PARTS})?(?!세)"
        ),
        _relative_month,
    ),
    (
        re.compile(
            rf"{_REL}주\s?(?:(?P<weekday>[{_WEEKDAYS}])(?:요일|욜|욜날)|(?P<weekend>말)|(?P<workdays>\s?(?:주중"
            rf"|평일)))?"
        ),
        _relative_week,
    ),
    (re.compile(r"(?<![가-힣])(?P<rel>금|차)주(?![가-힣]{2})"), _relative_week),
    (
        re.compile(
            rf"(?<![가-힣])(?P<which>지난|저번|이번|다음|담|돌아오는|오는)?\s?(?P<weekday>[{_WEEKDAYS}])(?:요일|욜)"
        ),
        _weekday,
    ),
    (re.compile(r"(?<![가-힣])주말"), _weekend),
    (
        re.compile(
            r"(?<![가-힣])(?P<word>그끄저께|엊그저께|엊그제|그저께|그제(?!서)|어저께|어제|오늘|금일|내일\s?모레"
            r"|낼\s?모레|내일|낼|모레|그글피|글피|전일|익일|명일)"
        ),
        _day_word,
    ),
    (
        re.compile(
            rf"{YEAR}?(?P<quarter>(?<!\d)[1-4]|(?<![가-힣])[일이삼사])\s?(?:/4\s?)?(?:사?분기|[qQ](?![a-zA-Z]))"
        ),
        _quarter,
    ),
    (re.compile(rf"{YEAR}?(?<![a-zA-Z])[qQ](?P<quarter>[1-4])(?!\d)"), _quarter),
    (
        re.compile(r"(?<![가-힣])(?P<rel>지지난|전전|지난|저번|직전|이전|전|이번|금|당|다음|차)\s?분기"),
        _relative_quarter,
    ),
    (re.compile(rf"{YEAR}?(?P<half>[상하])반기"), _half),
    (
        re.compile(
            r"(?<![가-힣])(?P<yword>재작년|지지난\s?해|작년|지난\s?해|전년도?|올해|금년|내년|다음\s?해"
            r"|내후년)(?!\s?동기)|(?<!\d)(?P<yfull>(?:19|20)\d{2})\s?년도?"
        ),
        _year,
    ),
    (re.compile(rf"(?P<word>최근|지난|직전|과거|요)\s?{_LENGTH}(?:\s?(?:간|동안|치))?"), _rolling),
    (re.compile(rf"(?<![가-힣\d]){_LENGTH}\s?(?P<side>전(?!체|부|세)|후|뒤|있다가)"), _distance),
]


def pieces(text: str, clock: Clock) -> Iterator[Piece]:
    """Every span any calendar rule finds, overlapping ones included."""
    for pattern, read in RULES:
        for match in pattern.finditer(text):
            try:
                piece = read(match, clock)
            except (ValueError, OverflowError):
                continue
            if piece:
                yield piece


def moved(piece: Piece, steps: int) -> Piece:
    """The same words a number of years or weeks later."""
    if piece.step == "week":
        shift = timedelta(weeks=steps)
        return replace(piece, span=replace(piece.span, start=piece.span.start + shift, end=piece.span.end + shift))
    start, end = add_months(piece.span.start, 12 * steps), add_months(piece.span.end, 12 * steps)
    if piece.span.kind in {"month", "quarter", "half"}:
        end = month_days(end.year, end.month)[1]
    return replace(piece, span=replace(piece.span, start=start, end=end))
