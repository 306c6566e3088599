"""The period of a question, and what it is compared with."""

import re
from dataclasses import dataclass, replace
from datetime import date

from madang.assistants.works.state.semantic_query import Compare
from madang.assistants.works.tools.periods import Days, standard_comparison
from madang.text.calendars import DAY, half_days, month_days, quarter_days, week_days, year_days
from madang.text.dates import find_comparisons, find_periods
from madang.text.english import find_english_dates
from madang.text.parsed import Parsed, blanked, outside
from madang.text.spans import DateSpan

_YEAR_SAID = re.compile(r"년|해|작|올|금|\d{4}|^'?\d{2}[./-]")
_SMALLER = {"half", "quarter", "month", "range", "part_of_month", "season", "holiday", "day", "week"}
_VERSUS = re.compile(r"대비|보다|비교|vs\.?|VS|비해|차이|견줘|견주|늘었|줄었|증감|달라")
_LENGTH = re.compile(
    r"(?<!최근)(?<!최근 )(?<!지난)(?<!지난 )"
    r"(?P<length>(?:\d{1,3}|한|두|세|석|네|넉|다섯|여섯|열)\s?(?:개월|달|주|일|년)|반년|보름|일주일|열흘|한\s?주)"
    r"\s?(?:동안|간|넘게|이상|째|내내|사이)"
)
_TARGET = re.compile(
    r"(?:목표액?|타깃|타겟|계획|KPI|플랜)\s?(?:에\s?)?(?:대비|보다|비교|와|과|랑|이랑|하고|비해)", re.IGNORECASE
)
_VAGUE = re.compile(
    r"(?:최근|요즘|요새|근래|요\s?근래|얼마\s?전|근간|최신|근자)(?!\s?(?:에\s?)?방문\s?(?:일|날|한\s?날))"
)
_YTD = re.compile(r"YTD|연초\s?부터|연초\s?이후|올해\s?(?:현재|지금)까지|금년\s?누계", re.IGNORECASE)
_MONTHS = re.compile(
    r"(?P<y1>20\d\d)[.\-/]\s?(?P<m1>\d{1,2})\s?(?:~|-|부터|에서)\s?(?P<y2>20\d\d)[.\-/]\s?(?P<m2>\d{1,2})(?![\d.\-/])"
)
_YEAR_MONTH = re.compile(r"(?<![\d.])(?P<y>20\d\d)[.\-/](?P<m>0?[1-9]|1[0-2])(?![\d.\-/])")
_BEFORE_THAT = re.compile(
    r"(?:그|바로)\s?(?:직)?전\s?(?:달|월|주|분기|해|년|기간)(?:이?랑|하고|과|와|보다|에\s?비해|대비|으?로)?"
)
_RATIO = re.compile(r"(?P<than>전년|작년|전월|전분기|전주|전년\s?동기|전년\s?동월)\s?(?:비|比)(?![가-힣])")
_THAN = {"전월": "previous_month", "전분기": "previous_quarter", "전주": "previous_week"} | dict.fromkeys(
    ("전년", "작년", "전년동기", "전년동월"), "year_ago"
)
_LAST_HALF = re.compile(r"(?:지난|저번|직전|전)\s?반기|(?:이번|금|당)\s?반기")


@dataclass(frozen=True)
class Times:
    """What a question says about time. `spans` are the places already understood."""

    days: Days | None
    compare: Compare | None
    spans: tuple[tuple[int, int], ...]
    vague: bool = False
    before_that: bool = False
    """Compared with the time just before (그 전주랑): of the period that is meant, whichever that is."""


def read_times(text: str, today: date) -> Times:
    """Period and comparison of a question; a comparison without a period is of the running one."""
    ratio = _RATIO.search(text)
    if ratio:
        # 전년비: the time it is compared with, no period of its own.
        text = blanked(text, [ratio.span()])
    earlier = _BEFORE_THAT.search(text)
    if earlier:
        text = blanked(text, [earlier.span()])
    found, spans = _periods(text, today)
    vague = _VAGUE.search(text)
    if earlier:
        days = found[0] if found else None
        compare = compare_before(days) if days else None
        return Times(days, compare, (*spans, earlier.span()), before_that=True)
    comparisons = find_comparisons(text)
    spans += [item.span for item in comparisons if item.value != "target"]
    kind = next((item for item in comparisons if item.value != "target"), None)
    target = _TARGET.search(text)
    if target:
        spans.append(target.span())
    if kind is not None:
        days = found[-1] if found else _running(kind.value, kind.text, today)
        return Times(days, _compare(kind.value, days), tuple(spans), False)
    if ratio:
        than = _THAN[ratio["than"].replace(" ", "")]
        days = found[-1] if found else _running(than, ratio["than"], today)
        return Times(days, _compare(than, days), (*spans, ratio.span()), False)
    if len(found) >= 2 and _VERSUS.search(text):
        main, other = _pair(text, found, spans)
        return Times(main, standard_comparison(main, other), tuple(spans), False)
    if target:
        return Times(found[0] if found else None, {"type": "vs_target", "period": None}, tuple(spans), False)
    if vague and not found:
        spans.append(vague.span())
        return Times(None, None, tuple(spans), True)
    return Times(_union(found), None, tuple(spans), False)


def _periods(text: str, today: date) -> tuple[list[Days], list[tuple[int, int]]]:
    spans: list[tuple[int, int]] = []
    if match := _MONTHS.search(text):
        first = month_days(int(match["y1"]), int(match["m1"]))[0]
        last = month_days(int(match["y2"]), int(match["m2"]))[1]
        return [Days(first, last)], [match.span()]
    if match := _YTD.search(text):
        return [Days(date(today.year, 1, 1), today)], [match.span()]
    if match := _LAST_HALF.search(text):
        half = 1 if today.month <= 6 else 2
        year = today.year
        if not match.group().startswith(("이번", "금", "당")):
            year, half = (year - 1, 2) if half == 1 else (year, 1)
        return [Days(*half_days(year, half))], [match.span()]
    korean = find_periods(text, today)
    english = outside(find_english_dates(text, today, "past"), [item.span for item in korean])
    said = sorted([*korean, *english], key=lambda item: item.span)
    items = _within_year(said)
    for match in _YEAR_MONTH.finditer(text):
        if not any(a < match.end() and match.start() < b for a, b in (i.span for i in items if i.value.kind != "year")):
            items = [i for i in items if not (i.span[0] < match.end() and match.start() < i.span[1])]
            return [Days(*month_days(int(match["y"]), int(match["m"])))], [match.span()]
    spans += [item.span for item in said]
    if not items and (match := _LENGTH.search(text)):
        rolled = find_periods(f"최근 {match['length']}", today)
        if rolled:
            return [Days(rolled[0].value.start, rolled[0].value.end)], [match.span()]
    return [Days(item.value.start, item.value.end) for item in items], spans


def _within_year(items: list[Parsed[DateSpan]]) -> list[Parsed[DateSpan]]:
    """ "상반기 … 작년꺼": a period without a year takes the year that stands elsewhere in the question."""
    years = [item for item in items if item.value.kind == "year"]
    others = [
        item
        for item in items
        if item.value.kind in _SMALLER and not _YEAR_SAID.search(item.text) and not _relative(item.text)
    ]
    if len(years) == 1 and not others:
        return _same_part(items, years[0])
    if len(years) != 1:
        return items
    year = years[0].value.start.year
    moved = []
    for item in items:
        if item is years[0]:
            continue
        moved.append(_in_year(item, year) if item in others else item)
    return moved


def _same_part(items: list[Parsed[DateSpan]], year: Parsed[DateSpan]) -> list[Parsed[DateSpan]]:
    """ "올해랑 작년 1분기": the part that is named with one year is meant of the other too."""
    parts = [item for item in items if item.value.kind in {"quarter", "half", "month"} and _YEAR_SAID.search(item.text)]
    if len(items) != 2 or len(parts) != 1 or parts[0].value.start.year == year.value.start.year:
        return items
    moved = replace(_in_year(parts[0], year.value.start.year), span=year.span, text=year.text)
    return [moved if item is year else item for item in items]


def _relative(text: str) -> bool:
    return bool(re.match(r"이번|지난|저번|다음|전|금|당|이달|요번|오늘|어제|그제|그저께", text))


def _in_year(item: Parsed[DateSpan], year: int) -> Parsed[DateSpan]:
    span = item.value
    shift = year - span.start.year
    start = _same_day(span.start, shift)
    end = _same_day(span.end, shift)
    if span.kind in {"month", "quarter", "half", "range"} and span.end == month_days(span.end.year, span.end.month)[1]:
        end = month_days(end.year, end.month)[1]
    return replace(item, value=replace(span, start=start, end=end))


def _same_day(day: date, years: int) -> date:
    try:
        return day.replace(year=day.year + years)
    except ValueError:
        return day.replace(year=day.year + years, day=28)


def _pair(text: str, found: list[Days], spans: list[tuple[int, int]]) -> tuple[Days, Days]:
    """Which of two periods is meant and which it is compared with: "A 대비 B" and "B, A 대비" are B against A."""
    first, second = found[0], found[1]
    cue = re.search(r"보다|대비|에\s?비해", text)
    if cue and len(found) == len(spans) == 2:
        # What stands just before the word is what is compared with.
        return (first, second) if spans[1][1] <= cue.start() else (second, first)
    if re.search(r"보다|대비|에\s?비해", text):
        return second, first
    return (first, second) if first.start > second.start else (second, first)


def _union(found: list[Days]) -> Days | None:
    """Two neighbouring periods named together are one."""
    if not found:
        return None
    ordered = sorted(found, key=lambda days: days.start)
    joined = ordered[0]
    for days in ordered[1:]:
        if (days.start - joined.end).days == 1:
            joined = Days(joined.start, days.end)
        else:
            return found[0]
    return joined


def _running(kind: str, text: str, today: date) -> Days:
    if kind == "previous_month" or re.search(r"동월|같은\s?달|같은\s?월", text):
        return Days(*month_days(today.year, today.month))
    if kind == "previous_quarter" or "분기" in text:
        return Days(*quarter_days(today.year, (today.month + 2) // 3))
    if kind == "previous_week":
        return Days(*week_days(today))
    if kind == "previous_period":
        return Days(*month_days(today.year, today.month))
    return Days(*year_days(today.year))


def compare_before(days: Days) -> Compare:
    """A comparison with the time just before `days`: the week, month, quarter or as many days."""
    if (days.end - days.start).days == 6:
        return {"type": "wow", "period": None}
    return _compare("previous_period", days)


def _compare(kind: str, days: Days) -> Compare:
    names = {"year_ago": "yoy", "previous_month": "mom", "previous_quarter": "qoq", "previous_week": "wow"}
    if kind in names:
        return {"type": names[kind], "period": None}  # type: ignore[typeddict-item]
    months = days.months
    if months in {1, 3, 12}:
        return {"type": {1: "mom", 3: "qoq", 12: "yoy"}[months], "period": None}  # type: ignore[typeddict-item]
    end = days.start - DAY
    return {"type": "period", "period": Days(end - (days.end - days.start), end).as_period()}
