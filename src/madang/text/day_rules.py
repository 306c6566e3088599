"""Rules for days, weeks and weekends: 4월 5일, 12/24, 다다음주 금요일, 이번 주말, 내일모레, 2주 뒤."""

import re
from dataclasses import replace
from datetime import date

from madang.text.calendars import DAY, Days, add_months, safe_date, week_days
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
    relative_of,
    yearly,
)
from madang.text.date_pieces import month_of as _month
from madang.text.numbers import parse_number
from madang.text.spans import DateSpan

_WEEKDAYS = "월화수목금토일"
_RUNS = "월화수목금|수목금토일|목금토일|목금토|금토일|금토|토일"
LENGTH = (
    r"(?:(?P<length>일주일|한\s?주|보름|열흘|반년|사흘|나흘|이틀|닷새|하루|며칠)"
    r"|(?P<count>\d{1,4}|[한두세네석넉]|다섯|여섯|일곱|여덟|아홉|열|열두|[일이삼사오육칠팔구십]{1,2})\s?"
    r"(?P<unit>개월|달|주일|주|일|년|분기))"
)


def length_of(match: re.Match[str]) -> tuple[int, str] | None:
    """The count and unit that a match of `LENGTH` spells."""
    if match["length"]:
        count, unit = WORDS["lengths"][match["length"].replace(" ", "")]
        return count, unit
    number = parse_number(match["count"])
    return (int(number), match["unit"]) if number and 0 < number <= 1000 else None


def _number(word: str | None) -> int:
    return int(parse_number(word or "") or 0)


def _day(match: re.Match[str], clock: Clock) -> Piece | None:
    until = match.groupdict().get("until")

    def days(year: int) -> Days | None:
        first = safe_date(year, _month(match), _number(match["day"]))
        last = safe_date(year, _month(match), _number(until)) if until else first
        return (first, last) if first and last and first <= last else None

    return yearly(match, clock, days, "range" if until else "day")


def _native_day(match: re.Match[str], clock: Clock) -> Piece | None:
    """8월 스무하룻날, 시월 초사흘."""
    tens = {"초": 0, "열": 10, "스무": 20}
    if match["round"]:
        number = {"열흘": 10, "보름": 15, "스무": 20}[match["round"]]
    else:
        number = tens[match["tens"] or "초"] + _NATIVE_DAYS[match["unit"] or match["alone"]]

    def days(year: int) -> Days | None:
        day = safe_date(year, _month(match), number)
        return (day, day) if day else None

    return yearly(match, clock, days, "day")


def _slash(match: re.Match[str], clock: Clock) -> Piece | None:
    """12/24; what could also be written the other way round (11/12) keeps that as its second reading."""
    month, day = int(match["m"]), int(match["d"])

    def days(year: int) -> Days | None:
        first = safe_date(year, month, day)
        last = safe_date(year, month, int(match["until"])) if match["until"] else first
        return (first, last) if first and last and first <= last else None

    def swapped(year: int) -> Days | None:
        there = safe_date(year, day, month)
        return (there, there) if there else None

    piece = yearly(match, clock, days, "range" if match["until"] else "day")
    other = yearly(match, clock, swapped, "day") if day <= 12 and day != month and not match["until"] else None
    return replace(piece, readings=(piece.span, other.span)) if piece and other else piece


def _dotted(match: re.Match[str], clock: Clock) -> Piece | None:
    def days(year: int) -> Days | None:
        first = safe_date(year, int(match["m"]), int(match["d"]))
        last = safe_date(year, int(match["m2"]), int(match["d2"]))
        if first and last and last < first:
            last = safe_date(year + 1, last.month, last.day)
        return (first, last) if first and last else None

    return yearly(match, clock, days, "range")


def _full(match: re.Match[str], _: Clock) -> Piece | None:
    day = safe_date(century_of(int(match["yy"])), int(match["m"]), int(match["d"]))
    return Piece(*match.span(), DateSpan(day, day), None, 0.99) if day else None


def _year_last(match: re.Match[str], _: Clock) -> Piece | None:
    """02/22/2016, 21-04-2016: the month first, as Americans write, unless it can only be the day."""
    one, two = int(match["a"]), int(match["b"])
    year = century_of(int(match["yy"]))
    written = [(one, two), (two, one)]
    days = [day for month, number in written if (day := safe_date(year, month, number))]
    if len(match["yy"]) == 2 and (day := safe_date(century_of(one), two, int(match["yy"]))):
        days.insert(0, day)
    spans = tuple(dict.fromkeys(DateSpan(day, day) for day in days))
    if not spans:
        return None
    return Piece(*match.span(), spans[0], None, 0.9 if len(spans) == 1 else 0.6, spans if len(spans) > 1 else ())


def _day_of_month(match: re.Match[str], clock: Clock) -> Piece | None:
    """28일에: the nearest 28th in the clock's direction."""
    if match["weekday"]:
        return _dated_weekday(match, clock)
    sign = 1 if clock.direction == "future" else -1
    first = clock.today.replace(day=1)
    for months in range(4):
        there = add_months(first, sign * months)
        day = safe_date(there.year, there.month, _number(match["day"]))
        if day and sign * (day - clock.today).days >= 0:
            return Piece(*match.span(), DateSpan(day, day), "month", 0.7)
    return None


def _dated_weekday(match: re.Match[str], clock: Clock) -> Piece | None:
    """15일 금요일: this month's if that is a Friday, else the nearest that is; the day alone if none is."""
    number, sign = _number(match["day"]), 1 if clock.direction == "future" else -1
    first = clock.today.replace(day=1)
    days = [safe_date(there.year, there.month, number) for there in (add_months(first, sign * n) for n in range(15))]
    fitting = [day for day in days if day and day.weekday() == _WEEKDAYS.index(match["weekday"])]
    day = next(iter(fitting), None) or next((day for day in days if day), None)
    return Piece(*match.span(), DateSpan(day, day), "month", 0.9 if fitting else 0.5) if day else None


def _week(match: re.Match[str], clock: Clock) -> Piece | None:
    monday, sunday = week_days(clock.today, relative_of(match))
    groups = match.groupdict()
    weekday = groups.get("weekday") or groups.get("letter")
    if weekday:
        day = monday + _WEEKDAYS.index(weekday) * DAY
        return Piece(*match.span(), DateSpan(day, day))
    if groups.get("run"):
        return Piece(*match.span(), _run(monday, str(groups["run"])))
    if groups.get("weekend"):
        return Piece(*match.span(), DateSpan(sunday - DAY, sunday, True, "weekend"))
    if groups.get("workdays"):
        return Piece(*match.span(), DateSpan(monday, monday + 4 * DAY, True, "week"))
    if groups.get("late"):
        return Piece(*match.span(), DateSpan(monday + 3 * DAY, sunday, False, "week"), None, 0.8)
    if groups.get("early"):
        return Piece(*match.span(), DateSpan(monday, monday + 2 * DAY, False, "week"), None, 0.8)
    return Piece(*match.span(), DateSpan(monday, sunday, True, "week"))


def _run(monday: date, letters: str) -> DateSpan:
    first, last = (_WEEKDAYS.index(letter) for letter in (letters[0], letters[-1]))
    return DateSpan(monday + first * DAY, monday + last * DAY, True, "range")


def _weekday_run(match: re.Match[str], clock: Clock) -> Piece | None:
    span = _run(week_days(clock.today)[0], match["run"])
    late = clock.direction == "future" and span.end < clock.today
    monday = week_days(clock.today, 1 if late else -1 if clock.direction == "past" and span.start > clock.today else 0)[
        0
    ]
    return Piece(*match.span(), _run(monday, match["run"]), "week", 0.8)


def _weekday(match: re.Match[str], clock: Clock) -> Piece | None:
    """A bare weekday is the nearest one in the clock's direction; "다음 금요일" may also be next week's."""
    number = _WEEKDAYS.index(match["weekday"])
    word = (match["which"] or "").strip()
    ahead = (number - clock.today.weekday()) % 7 or (7 if word in {"다가오는", "돌아오는"} else 0)
    nearest = clock.today + ahead * DAY
    if word in {"지난", "저번"} or (not word and clock.direction == "past"):
        behind = (clock.today.weekday() - number) % 7 or (7 if word else 0)
        day = clock.today - behind * DAY
        return Piece(*match.span(), DateSpan(day, day), None if word else "week", 0.85)
    if word in {"다음", "담"}:
        next_week = week_days(clock.today, 1)[0] + number * DAY
        soon = nearest if ahead else nearest + 7 * DAY
        both = tuple(dict.fromkeys((DateSpan(next_week, next_week), DateSpan(soon, soon))))
        return Piece(*match.span(), both[0], None, 0.7, both if len(both) > 1 else ())
    return Piece(*match.span(), DateSpan(nearest, nearest), None if word else "week", 0.85)


def _weekend(match: re.Match[str], clock: Clock) -> Piece | None:
    sunday = week_days(clock.today, -1 if clock.direction == "past" and clock.today.weekday() < 5 else 0)[1]
    return Piece(*match.span(), DateSpan(sunday - DAY, sunday, True, "weekend"), "week", 0.7)


def _day_word(match: re.Match[str], clock: Clock) -> Piece | None:
    day = clock.today + WORDS["days"][match["word"].replace(" ", "")] * DAY
    return Piece(*match.span(), DateSpan(day, day), None, 0.97)


_WEEKDAY_AFTER = rf"(?:\s?\([{_WEEKDAYS}]\)|[\s,]{{0,2}}\(?[{_WEEKDAYS}](?:요일|욜)\)?)?"
_YEAR_AFTER = r"(?:[\s,]{1,2}(?:(?P<yafter>(?:19|20)\d\d)(?!\d)년?|(?P<yspelt2>이천[일이삼사오육칠팔구십]{0,4})\s?년))?"
_LINK = r"\s?(?:~|-|부터|에서|과(?=.{0,14}사이)|와(?=.{0,14}사이))\s?"
_MD = r"(?P<m>1[0-2]|0?[1-9])[.](?P<d>[12]\d|3[01]|0?[1-9])"

_NATIVE_DAYS = {
    "하루": 1, "하룻": 1, "이틀": 2, "이튿": 2, "사흘": 3, "사흗": 3, "나흘": 4, "나흗": 4, "닷새": 5, "닷샛": 5,
    "엿새": 6, "엿샛": 6, "이레": 7, "이렛": 7, "여드레": 8, "여드렛": 8, "아흐레": 9, "아흐렛": 9,
}  # fmt: skip
_NATIVE_DAY = (
    rf"(?:(?P<tens>초|열|스무)(?P<unit>{'|'.join(_NATIVE_DAYS)})날?"
    r"|(?P<alone>하룻|사흗|나흗|닷샛|엿샛|이렛|여드렛|아흐렛)날|(?P<round>열흘|보름|스무)날)"
)

DAY_RULES: list[Rule] = [
    (re.compile(rf"{YEAR}?{MONTH}\s?{_NATIVE_DAY}"), _native_day),
    (
        re.compile(
            (
                r"(?<![\d.])(?P<yy>(?:19|20)\d{2}(?=\s?[.\-/년])|1[0-8]\d{2}(?=\s?년))\s?[.\-/년]\s?(?P<m>\d{1,2})\s?[.\-/월]\s?(?P<d>\d{1,2})(?!\d)(?:\s?일)?\.?"
            )
            + _WEEKDAY_AFTER
        ),
        _full,
    ),
    (re.compile(r"(?<![\d./-])'(?P<yy>\d{2})[.\-/](?P<m>\d{1,2})[.\-/](?P<d>\d{1,2})(?![\d.])"), _full),
    (
        re.compile(
            r"(?<![\d./-])(?P<a>\d{1,2})[.\-/](?P<b>\d{1,2})(?:[.\-/]|,\s?(?=\d{4}))(?P<yy>(?:19|20)\d{2}|\d{2})(?![\d/-]|\.\d)"
        ),
        _year_last,
    ),
    (
        re.compile(
            rf"{YEAR}?{MONTH}\s?(?P<day>{DAY_NUMBER}|\d{{1,2}})\s?일?{_WEEKDAY_AFTER}{_LINK}"
            rf"(?P<until>{DAY_NUMBER})\s?일{_WEEKDAY_AFTER}(?:까지|\s?사이)?"
        ),
        _day,
    ),
    (re.compile(rf"{YEAR}?{MONTH}[\s-]?(?P<day>{DAY_NUMBER})\s?일{_WEEKDAY_AFTER}{_YEAR_AFTER}"), _day),
    (
        re.compile(
            rf"{YEAR}?{MONTH}\s?(?P<day>[이삼]?십|[이삼]?십[일이삼사오육칠팔구])일?(?![가-힣\s])(?!$){_YEAR_AFTER}"
        ),
        _day,
    ),
    (
        re.compile(
            r"(?<![\d/.])(?P<m>1[0-2]|0?[1-9])/(?P<d>[12]\d|3[01]|0?[1-9])(?![\d/]|\s?만)(?:\s?일)?"
            + _WEEKDAY_AFTER
            + r"(?:\s?[~-]\s?(?P<until>[12]\d|3[01]|0?[1-9])(?![\d/.월])(?:\s?일)?(?:까지)?)?"
        ),
        _slash,
    ),
    (
        re.compile(
            rf"(?<![\d.]){_MD}{_WEEKDAY_AFTER}\s?[~-]\s?"
            r"(?P<m2>1[0-2]|0?[1-9])[.](?P<d2>[12]\d|3[01]|0?[1-9])(?![\d.%]|\s?(?:억|만|천|평|배|프로|퍼))"
            + _WEEKDAY_AFTER
        ),
        _dotted,
    ),
    (
        re.compile(
            rf"(?<![\d가-힣월달개년.])(?<!월\s)(?<!달\s)(?<!박\s)(?P<day>{DAY_NUMBER})\s?일"
            rf"(?:\s?\(?(?P<weekday>[{_WEEKDAYS}])(?:요일|욜)\)?"
            r"|(?=에(?!\s?한\s?번)|부터(?!\s?\d{1,3}일\s?(?:간|동안))|까지|날|\s?(?:출발|도착|출국|귀국)|\s?[~-]\s?\d))"
        ),
        _day_of_month,
    ),
    (
        re.compile(
            rf"{RELATIVE}주\s?(?:(?P<weekday>[{_WEEKDAYS}])(?:요일|욜날?)|(?P<run>{_RUNS})(?![가-힣])"
            rf"|(?P<weekend>주?말(?![고구]))"
            rf"|(?P<workdays>주중|평일)|(?P<early>초반?)(?![가-힣](?<![에로쯤까부]))|(?P<late>후반)|(?P<letter>[{_WEEKDAYS}])(?![가-힣]))?"
        ),
        _week,
    ),
    (re.compile(r"(?<![가-힣])(?P<rel>금|차|이\s)주(?:\s(?P<early>초)(?=$|[^가-힣]|에))?(?![가-힣]{2})"), _week),
    (re.compile(r"(?<![가-힣])(?P<rel>)주\s?(?:(?P<early>초)|(?P<late>후반))(?=$|[^가-힣]|에)"), _week),
    (
        re.compile(
            rf"(?:(?<![가-힣])|(?<=부터))(?:(?P<which>지난|저번|이번|다음|담|돌아오는"
            rf"|다가오는|오는)\s?)?(?P<weekday>[{_WEEKDAYS}])(?:요일|욜)"
        ),
        _weekday,
    ),
    (re.compile(rf"(?<![가-힣])(?P<run>{_RUNS})(?=$|[^가-힣]|로|에)"), _weekday_run),
    (re.compile(r"(?<![가-힣])(?<!좋은\s)(?<!즐거운\s)(?<!행복한\s)주말"), _weekend),
    (
        re.compile(
            r"(?<![가-힣])(?P<word>그끄저께|엊그저께|엊그제|그저께|그제(?!서)|어저께|어젯밤|어제|오늘|금일|내일\s?모[레래]"
            r"|낼\s?모[레래]|내일|낼(?!\s?(?:수|게|거|까|만|돈|예정|생각))|모레|그글피|글피|전일|익일|명일)"
        ),
        _day_word,
    ),
]
