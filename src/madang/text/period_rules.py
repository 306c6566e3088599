"""Rules for months, quarters, halves, years and rolling periods: 3월 말, 작년 2분기, 최근 3개월."""

import re
from datetime import date, timedelta

from madang.text.calendars import (
    DAY,
    Days,
    add_months,
    half_days,
    month_days,
    quarter_days,
    safe_date,
    year_days,
)
from madang.text.date_pieces import (
    DAY_NUMBER,
    MONTH,
    RELATIVE,
    WORDS,
    YEAR,
    Clock,
    Piece,
    Rule,
    moved,
    relative_of,
    year_of,
    yearly,
)
from madang.text.date_pieces import month_of as _month
from madang.text.day_rules import LENGTH, length_of
from madang.text.numbers import parse_number
from madang.text.spans import DateSpan, Kind

_PART_DAYS = {"초": (1, 10), "초순": (1, 10), "중순": (11, 20), "중반": (11, 20), "말": (21, 31), "하순": (21, 31)}
_PART = (
    r"(?P<part>초순|초(?![가-힣])|초(?=쯤|에|로|경|부터|까지|나)|중순|중반|하순|말일|말(?![가-힣])"
    r"|말(?=쯤|에|로|경|부터|까지|이나|즈음))"
)
_WEEK_OF_MONTH = (
    r"(?P<nth>첫째|첫\s?번째|첫|둘째|셋째|넷째|다섯째|두\s?번째|세\s?번째|네\s?번째|마지막|[1-5])\s?(?:째)?\s?"
    r"주(?:(?P<weekend>\s?주말|말(?![고구]))|(?![가-힣]{2})|(?=에|로|쯤|이?요|정도|중))"
)
_NOT_MONEY = r"(?!세|급|임대|소득|별|평균|간|\s?\d+\s?만)"


def _part_of(year: int, month: int, part: str) -> DateSpan:
    first, last = month_days(year, month)
    if part == "말일":
        return DateSpan(last, last)
    low, high = _PART_DAYS[part]
    return DateSpan(first.replace(day=low), first.replace(day=min(high, last.day)), False, "part_of_month")


def _nth_week(first: date, last: date, match: re.Match[str]) -> Days | None:
    word: str = match["nth"].replace(" ", "")
    start = last - 6 * DAY if word == "마지막" else first + timedelta(weeks=WORDS["ordinals"][word] - 1)
    if start > last:
        return None
    if match["weekend"]:
        saturday = start + ((5 - start.weekday()) % 7) * DAY
        return saturday, saturday + DAY
    return start, min(start + 6 * DAY, last)


def _month_part(match: re.Match[str], clock: Clock) -> Piece | None:
    part: str = match["part"]
    kind: Kind = "day" if part == "말일" else "part_of_month"

    def days(year: int) -> Days:
        span = _part_of(year, _month(match), part)
        return span.start, span.end

    return yearly(match, clock, days, kind, part == "말일")


def _month_parts(match: re.Match[str], clock: Clock) -> Piece | None:
    """9월 초나 중순: from the first part to the last."""

    def days(year: int) -> Days:
        first, last = (_part_of(year, _month(match), match[name]) for name in ("part", "until"))
        return min(first.start, last.start), max(first.end, last.end)

    return yearly(match, clock, days, "part_of_month", False)


def _month_week(match: re.Match[str], clock: Clock) -> Piece | None:
    kind: Kind = "weekend" if match["weekend"] else "week"
    return yearly(match, clock, lambda year: _nth_week(*month_days(year, _month(match)), match), kind)


def _month_whole(match: re.Match[str], clock: Clock) -> Piece | None:
    return yearly(match, clock, lambda year: month_days(year, _month(match)), "month")


def _months(match: re.Match[str], clock: Clock) -> Piece | None:
    first, last = int(match["from"]), int(match["month"])
    if first > last:
        return None
    piece = yearly(match, clock, lambda year: (date(year, first, 1), month_days(year, last)[1]), "range")
    unsaid = piece is not None and piece.step is not None
    # In a report the last month too has begun: 3월~5월 said in March is last year's.
    if piece and unsaid and clock.direction == "past" and piece.span.end.replace(day=1) > clock.today:
        return moved(piece, -1)
    return piece


def _relative_month(match: re.Match[str], clock: Clock) -> Piece | None:
    there = add_months(clock.today.replace(day=1), relative_of(match))
    groups = match.groupdict()
    if groups.get("day"):
        day = safe_date(there.year, there.month, int(parse_number(str(groups["day"])) or 0))
        return Piece(*match.span(), DateSpan(day, day)) if day else None
    if groups.get("part"):
        return Piece(*match.span(), _part_of(there.year, there.month, str(groups["part"])))
    if groups.get("nth"):
        week = _nth_week(*month_days(there.year, there.month), match)
        return Piece(*match.span(), DateSpan(*week, True, "weekend" if match["weekend"] else "week")) if week else None
    return Piece(*match.span(), DateSpan(*month_days(there.year, there.month), True, "month"))


def _this_month_part(match: re.Match[str], clock: Clock) -> Piece | None:
    span = _part_of(clock.today.year, clock.today.month, match["part"])
    if clock.direction == "future" and span.end < clock.today:
        there = add_months(clock.today.replace(day=1), 1)
        span = _part_of(there.year, there.month, match["part"])
    return Piece(*match.span(), span, "month", 0.75)


def _nth_weekday(match: re.Match[str], clock: Clock) -> Piece | None:
    """4월 셋째 금요일, 이번 달 마지막 금요일."""
    word = match["nth"].replace(" ", "")
    wanted = "월화수목금토일".index(match["weekday"])

    def days(year: int, month: int) -> Days | None:
        first, last = month_days(year, month)
        if word == "마지막":
            day = last - ((last.weekday() - wanted) % 7) * DAY
        else:
            day = first + ((wanted - first.weekday()) % 7) * DAY + timedelta(weeks=WORDS["ordinals"][word] - 1)
        return (day, day) if day <= last else None

    if match.groupdict().get("rel"):
        there = add_months(clock.today.replace(day=1), relative_of(match))
        found = days(there.year, there.month)
        return Piece(*match.span(), DateSpan(*found)) if found else None
    return yearly(match, clock, lambda year: days(year, _month(match)), "day")


def _quarter(match: re.Match[str], clock: Clock) -> Piece | None:
    number = int(parse_number(match["quarter"]) or 0)
    return yearly(match, clock, lambda year: quarter_days(year, number), "quarter") if 1 <= number <= 4 else None


def _relative_quarter(match: re.Match[str], clock: Clock) -> Piece | None:
    there = add_months(clock.today.replace(day=1), 3 * relative_of(match))
    return Piece(*match.span(), DateSpan(*quarter_days(there.year, (there.month + 2) // 3), True, "quarter"))


def _half(match: re.Match[str], clock: Clock) -> Piece | None:
    return yearly(match, clock, lambda year: half_days(year, 1 if match["half"] == "상" else 2), "half")


def _year(match: re.Match[str], clock: Clock) -> Piece | None:
    year = year_of(match, clock.today)
    return Piece(*match.span(), DateSpan(*year_days(year), True, "year")) if year else None


def _back(today: date, count: int, unit: str) -> date:
    """The first day of the `count` units that end with today."""
    months = {"개월": 1, "달": 1, "분기": 3, "년": 12}.get(unit)
    if months:
        return add_months(today, -count * months) + DAY
    return today - timedelta(days=count * (7 if unit.startswith("주") else 1)) + DAY


def _rolling(match: re.Match[str], clock: Clock) -> Piece | None:
    found = length_of(match)
    if not found:
        return None
    count, unit = found
    span = DateSpan(_back(clock.today, count, unit), clock.today, True, "rolling")
    if match["word"] == "최근" or unit not in {"개월", "달"}:
        return Piece(*match.span(), span, None, 0.92)
    first = add_months(clock.today.replace(day=1), -count)
    whole = DateSpan(first, clock.today.replace(day=1) - DAY, True, "range")
    return Piece(*match.span(), span, None, 0.8, (span, whole))


_NTH_WEEKDAY = (
    r"\s?(?P<nth>첫째|첫\s?번째|첫|둘째|셋째|넷째|다섯째|두\s?번째|세\s?번째|네\s?번째|마지막)\s?"
    r"(?P<weekday>[월화수목금토일])(?:요일|욜)"
)
_MORE_PART = r"\s?(?:이나|나|에서|부터|~|-|,)\s?(?P<until>초순|초(?![가-힣])|중순|중반|하순|말(?![가-힣]))"
PERIOD_RULES: list[Rule] = [
    (re.compile(rf"{YEAR}?{MONTH}\s?{_PART}{_MORE_PART}"), _month_parts),
    (re.compile(rf"{YEAR}?{MONTH}{_NTH_WEEKDAY}"), _nth_weekday),
    (re.compile(rf"{RELATIVE}달{_NTH_WEEKDAY}"), _nth_weekday),
    (re.compile(rf"{YEAR}?{MONTH}\s?{_PART}"), _month_part),
    (re.compile(rf"{YEAR}?{MONTH}\s?{_WEEK_OF_MONTH}"), _month_week),
    (
        re.compile(rf"{YEAR}?(?<!\d)(?P<from>1[0-2]|[1-9])\s?월?\s?(?:~|-|에서)\s?(?P<month>1[0-2]|[1-9])\s?월"),
        _months,
    ),
    (re.compile(rf"(?:{YEAR}|(?P<last>지난)\s)?{MONTH}{_NOT_MONEY}"), _month_whole),
    (re.compile(rf"{RELATIVE}달(?:\s?(?P<day>{DAY_NUMBER})\s?일|\s?{_PART}|\s?{_WEEK_OF_MONTH})?"), _relative_month),
    (
        re.compile(
            rf"(?<![가-힣])(?P<rel>전전|이|금|당|전|내|익|차)(?:월|달)(?:\s?(?P<day>{DAY_NUMBER})\s?일"
            rf"|\s?{_PART})?(?!세)"
        ),
        _relative_month,
    ),
    (re.compile(rf"(?<![가-힣\d])(?<!\d\s)월\s?{_PART}"), _this_month_part),
    (
        re.compile(
            rf"{YEAR}?(?P<quarter>(?<!\d)[1-4]|(?<![가-힣])[일이삼사])\s?(?:/4\s?)?(?:사?분기|[qQ](?![a-zA-Z]))"
        ),
        _quarter,
    ),
    (re.compile(rf"{YEAR}?(?<![a-zA-Z])[qQ](?P<quarter>[1-4])(?!\d)"), _quarter),
    (re.compile(r"(?<!\d)(?P<yfull>20\d{2})\s?[-,]?\s?(?:[qQ](?P<quarter>[1-4])(?!\d))"), _quarter),
    (re.compile(r"(?<!\d)(?P<yfull>20\d{2})\s(?P<quarter>[1-4])\s?(?:분기|[qQ])"), _quarter),
    (re.compile(r"(?<![a-zA-Z])[qQ](?P<quarter>[1-4])\s?[-,/]?\s?(?P<yfull>20\d{2})(?!\d)"), _quarter),
    (
        re.compile(r"(?<![가-힣])(?P<rel>지지난|전전|지난|저번|직전|이전|전|이번|금|당|다음|차)\s?분기"),
        _relative_quarter,
    ),
    (re.compile(rf"{YEAR}?(?P<half>[상하])반기"), _half),
    (
        re.compile(
            r"(?<![가-힣])(?P<yword>재작년|지지난\s?해|작년|지난\s?해|전년도?|올해|금년|내년|다음\s?해"
            r"|내후년)(?!\s?동기)"
            r"|(?<!\d)(?P<yfull>(?:19|20)\d{2})\s?년도?"
            r"|(?<!\d)'?(?P<yshort>[12]\d)년도?(?=\s?(?:대비|매출|실적|목표|과|이랑|부터|~|전체|도\b))"
        ),
        _year,
    ),
    (re.compile(rf"(?<![가-힣])(?P<word>최근|지난|직전|과거|요)\s?{LENGTH}(?:\s?(?:간|동안|치))?"), _rolling),
]
