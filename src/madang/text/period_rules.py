"""Rules for months, quarters, halves, years and rolling periods: 3월 말, 작년 2분기, 최근 3개월."""

import re
from collections.abc import Callable
from dataclasses import replace
from datetime import date, timedelta

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
from madang.text.date_pieces import (
    DAY_NUMBER,
    MONTH,
    RELATIVE,
    WORDS,
    YEAR,
    Clock,
    Piece,
    Rule,
    century_of,
    moved,
    relative_of,
    year_of,
    yearly,
)
from madang.text.date_pieces import month_of as _month
from madang.text.day_rules import LENGTH, length_of
from madang.text.numbers import parse_number
from madang.text.spans import DateSpan, Kind

_PART_DAYS = {
    "후반": (16, 31),
    "초반": (1, 10),
    "초": (1, 10),
    "초순": (1, 10),
    "중순": (11, 20),
    "중반": (11, 20),
    "말": (21, 31),
    "하순": (21, 31),
}
_PART = (
    r"(?P<part>후반|초반|초순|초(?![가-힣])|초(?=쯤|에|로|경|부터|까지|나)|중순|중반|하순|말일|말(?![가-힣])"
    r"|말(?=쯤|에|로|경|부터|까지|이나|즈음))"
)
_WEEK_OF_MONTH = (
    r"(?P<nth>첫째|첫\s?번째|첫|둘째|셋째|넷째|다섯째|두\s?번째|세\s?번째|네\s?번째|마지막|[1-5])\s?(?:째)?\s?"
    r"주(?:(?P<weekend>\s?주말|말(?![고구]))|(?![가-힣]{2})|(?=에|로|쯤|이?요|정도|중))"
)
_NOT_MONEY = r"(?!세|급|임대|소득|별|평균|간|\s?\d+\s?만)"


def _part_of(year: int, month: int, part: str) -> DateSpan:
    first, last = month_days(year, month)
    if part.replace(" ", "") in {"말일", "마지막날"}:
        return DateSpan(last, last)
    low, high = _PART_DAYS[part]
    return DateSpan(first.replace(day=low), first.replace(day=min(high, last.day)), False, "part_of_month")


def _nth_week(first: date, last: date, match: re.Match[str]) -> Days | None:
    """The week that has the month's n-th Thursday in it, as ISO 8601 counts; its weekend is the n-th one."""
    word: str = match["nth"].replace(" ", "")
    if match["weekend"]:
        block = _nth_block(first, last, word)
        saturday = block[0] + ((5 - block[0].weekday()) % 7) * DAY if block else None
        return (saturday, saturday + DAY) if saturday else None
    if word == "마지막":
        thursday = last - ((last.weekday() - 3) % 7) * DAY
    else:
        thursday = first + ((3 - first.weekday()) % 7) * DAY + timedelta(weeks=WORDS["ordinals"][word] - 1)
    return (thursday - 3 * DAY, thursday + 3 * DAY) if thursday <= last else None


def _nth_block(first: date, last: date, word: str) -> Days | None:
    """The 1st to 7th, the 8th to 14th …: what 첫째 주 also means."""
    start = last - 6 * DAY if word == "마지막" else first + timedelta(weeks=WORDS["ordinals"][word] - 1)
    return (start, min(start + 6 * DAY, last)) if start <= last else None


def _month_part(match: re.Match[str], clock: Clock) -> Piece | None:
    part: str = match["part"]
    whole_day = part.replace(" ", "") in {"말일", "마지막날"}
    kind: Kind = "day" if whole_day else "part_of_month"

    def days(year: int) -> Days:
        span = _part_of(year, _month(match), part)
        return span.start, span.end

    return yearly(match, clock, days, kind, whole_day)


def _month_parts(match: re.Match[str], clock: Clock) -> Piece | None:
    """9월 초나 중순: from the first part to the last."""

    def days(year: int) -> Days:
        first, last = (_part_of(year, _month(match), match[name]) for name in ("part", "until"))
        return min(first.start, last.start), max(first.end, last.end)

    return yearly(match, clock, days, "part_of_month", False)


def _month_week(match: re.Match[str], clock: Clock) -> Piece | None:
    kind: Kind = "weekend" if match["weekend"] else "week"
    piece = yearly(match, clock, lambda year: _nth_week(*month_days(year, _month(match)), match), kind)
    if not piece or match["weekend"]:
        return piece
    middle = piece.span.start + 3 * DAY
    block = _nth_block(*month_days(middle.year, middle.month), match["nth"].replace(" ", ""))
    both = tuple(dict.fromkeys([piece.span, *([DateSpan(*block, True, kind)] if block else [])]))
    return replace(piece, readings=both if len(both) > 1 else ())


def _year_week(match: re.Match[str], clock: Clock) -> Piece | None:
    """2027년 셋째 주: weeks as ISO 8601 counts them."""
    year = year_of(match, clock.today)
    if not year:
        return None
    week = _nth_week(*year_days(year), match)
    return Piece(*match.span(), DateSpan(*week, True, "week"), None, 0.85) if week else None


def _week_around(match: re.Match[str], clock: Clock) -> Piece | None:
    """9월 16일의 주, 4월 10일이 있는 주."""

    def days(year: int) -> Days | None:
        day = safe_date(year, _month(match), int(parse_number(match["day"]) or 0))
        return (month_days(day.year, day.month) if match["whole"] == "달" else week_days(day)) if day else None

    return yearly(match, clock, days, "month" if match["whole"] == "달" else "week")


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
        until = groups.get("until")
        last = safe_date(there.year, there.month, int(parse_number(str(until)) or 0)) if until else day
        if not day or not last or last < day:
            return None
        return Piece(*match.span(), DateSpan(day, last, True, "range" if until else "day"))
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
    if "month" not in match.groupdict():
        return _nth_weekday_alone(match, clock, days)
    return yearly(match, clock, lambda year: days(year, _month(match)), "day")


def _nth_weekday_alone(match: re.Match[str], clock: Clock, days: Callable[[int, int], Days | None]) -> Piece | None:
    """셋째 주 화요일: this month's, or if that is over the next month's."""
    months = [clock.today.replace(day=1), add_months(clock.today.replace(day=1), 1)]
    spans = [DateSpan(*found) for there in months if (found := days(there.year, there.month))]
    late = clock.direction == "future" and len(spans) == 2 and spans[0].end < clock.today
    readings = tuple(spans[::-1] if late else spans[:1])
    return Piece(*match.span(), readings[0], "month", 0.6, readings if late else ()) if readings else None


_YEAR_PARTS = {"초": (1, 3), "초반": (1, 4), "중반": (5, 8), "후반": (7, 12), "말": (11, 12)}


def _year_part(match: re.Match[str], clock: Clock) -> Piece | None:
    """내년 초, 올해 말: some months of it, roughly."""
    year = year_of(match, clock.today)
    first, last = _YEAR_PARTS[match["part"]]
    if not year:
        return None
    span = DateSpan(date(year, first, 1), month_days(year, last)[1], False, "range")
    return Piece(*match.span(), span, None, 0.75)


def _era(match: re.Match[str], _: Clock) -> Piece | None:
    """1970년대, 70년대, 21세기."""
    if match["century"]:
        first, length = 100 * int(match["century"]) - 100, 100
    else:
        first, length = century_of(int(match["decade"])), 10
    span = DateSpan(date(max(first, 1), 1, 1), date(first + length - 1, 12, 31), True, "range")
    return Piece(*match.span(), span, None, 0.85)


def _years(match: re.Match[str], _: Clock) -> Piece | None:
    first, last = int(match["a"]), int(match["b"])
    span = DateSpan(date(first, 1, 1), date(last, 12, 31), True, "range") if first < last else None
    return Piece(*match.span(), span, None, 0.6) if span else None


def _this_month_named(match: re.Match[str], clock: Clock) -> Piece | None:
    """이번 9월: this year's, past or not."""
    return Piece(*match.span(), DateSpan(*month_days(clock.today.year, _month(match)), True, "month"), None, 0.8)


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
    if match["word"] == "지난" and unit == "분기" and count <= 4:
        return None  # 지난 3분기 names the third
    if match["word"] == "지난" and unit.startswith("주"):
        weeks = DateSpan(week_days(clock.today, -count)[0], week_days(clock.today, -1)[1], True, "range")
        return Piece(*match.span(), span, None, 0.8, tuple(dict.fromkeys((span, weeks))))
    if match["word"] == "최근" or unit not in {"개월", "달"}:
        return Piece(*match.span(), span, None, 0.92)
    first = add_months(clock.today.replace(day=1), -count)
    whole = DateSpan(first, clock.today.replace(day=1) - DAY, True, "range")
    return Piece(*match.span(), span, None, 0.8, (span, whole))


_NTH_WEEKDAY = (
    r"의?\s?(?P<nth>첫째|첫\s?번째|첫|둘째|셋째|넷째|다섯째|두\s?번째|세\s?번째|네\s?번째|다섯\s?번째|마지막)\s?(?:주\s?)?"
    r"(?P<weekday>[월화수목금토일])(?:요일|욜)"
)
_THE_WEEK = r"\s?일?(?:의|이\s있는|이\s?들어\s?있는|이\s?낀)\s(?P<whole>주|달)(?![가-힣](?<![에로은는]))"
_UNTIL_DAY = (
    rf"(?:\s?(?:~|-|부터|에서|과(?=.{{0,9}}사이)|와(?=.{{0,9}}사이))\s?(?P<until>{DAY_NUMBER})\s?일(?:까지|\s?사이)?)?"
)
_MORE_PART = r"\s?(?:이나|나|에서|부터|~|-|,)\s?(?P<until>초순|초(?![가-힣])|중순|중반|하순|말(?![가-힣]))"
PERIOD_RULES: list[Rule] = [
    (re.compile(rf"{YEAR}?{MONTH}\s?{_PART}{_MORE_PART}"), _month_parts),
    (re.compile(rf"{YEAR}?{MONTH}{_NTH_WEEKDAY}"), _nth_weekday),
    (re.compile(rf"(?<![가-힣])(?<![월달]\s)(?<!월의\s){_NTH_WEEKDAY.removeprefix('의?')}"), _nth_weekday),
    (re.compile(rf"{RELATIVE}달{_NTH_WEEKDAY}"), _nth_weekday),
    (re.compile(rf"{YEAR}?{MONTH}\s?{_PART}"), _month_part),
    (re.compile(rf"{YEAR}?{MONTH}의?\s?{_WEEK_OF_MONTH}"), _month_week),
    (re.compile(rf"(?:{YEAR})의?\s?{_WEEK_OF_MONTH.replace('[1-5]', '(?!)')}"), _year_week),
    (re.compile(rf"{YEAR}?{MONTH}\s?(?P<day>{DAY_NUMBER}){_THE_WEEK}"), _week_around),
    (re.compile(rf"{YEAR}?{MONTH}의?\s?(?P<part>마지막\s?날)"), _month_part),
    (re.compile(rf"(?<![가-힣])이번\s{MONTH}{_NOT_MONEY}"), _this_month_named),
    (
        re.compile(
            r"(?<![가-힣\d])(?P<yword>작년|지난\s?해|올\s?해|금년|내년|다음\s?해|내후년)\s?(?P<part>초반?|중반|후반|말)(?=$|[^가-힣]|에|쯤|까지|부터|이나|경|즈음|로)"
        ),
        _year_part,
    ),
    (re.compile(r"(?<!\d)(?:(?P<decade>(?:1\d|20)\d0|[1-9]0)\s?년대|(?P<century>1?\d|2[01])\s?세기)"), _era),
    (re.compile(r"(?<![\d+-])(?<!\d\s)(?P<a>(?:19|20)\d\d)\s?[-~]\s?(?P<b>(?:19|20)\d\d)(?![\d-])"), _years),
    (
        re.compile(rf"{YEAR}?(?<!\d)(?P<from>1[0-2]|[1-9])\s?월?\s?(?:~|-|에서)\s?(?P<month>1[0-2]|[1-9])\s?월"),
        _months,
    ),
    (re.compile(rf"(?:{YEAR}|(?P<last>지난)\s)?{MONTH}{_NOT_MONEY}"), _month_whole),
    (
        re.compile(rf"{RELATIVE}달(?:\s?(?P<day>{DAY_NUMBER})\s?일{_UNTIL_DAY}|\s?{_PART}|의?\s?{_WEEK_OF_MONTH})?"),
        _relative_month,
    ),
    (
        re.compile(
            rf"(?<![가-힣])(?P<rel>전전|이\s?(?=달)|금|당|전(?!달\s?(?!에|의|까지|부터|보다|대비|매출|실적|초|말|\d|$|[^가-힣]))|내|익|차|이)(?:월|달)(?:\s?(?P<day>{DAY_NUMBER})\s?일{_UNTIL_DAY}"
            rf"|\s?{_PART})?(?!세|러|라|력|성)"
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
            r"(?<![가-힣])(?P<yword>재작년|지지난\s?해|작년|지난\s?해|전년도?|올\s?해|금년|내년|다다음\s?해|다음\s?해"
            r"|내후년)(?!\s?동기)"
            r"|(?<!\d)(?P<yfull>(?:19|20)\d{2})\s?년도?(?!대|\s?\d{1,2}\s?월)"
            r"|(?<!\d)(?P<yold>[1-9]\d{2}|1[0-8]\d{2})\s?년(?=에|도에)"
            r"|(?<!\d)'?(?P<yshort>[12]\d)년도?(?=\s?(?:대비|매출|실적|목표|과|이랑|부터|~|전체|도\b))"
        ),
        _year,
    ),
    (re.compile(rf"(?<![가-힣])(?P<word>최근|지난|직전|과거|요)\s?{LENGTH}(?:\s?(?:간|동안|치))?"), _rolling),
]
