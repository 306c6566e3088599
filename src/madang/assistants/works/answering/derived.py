"""Figures that a question needs beside its rows: totals, what is left of a target, working days of the periods."""

import re
from collections.abc import Iterator, Sequence
from datetime import date, timedelta

from madang.assistants.works.data.semantics import semantics
from madang.assistants.works.state.agents import Column, Row
from madang.assistants.works.tools.analysis_text import figure
from madang.text.calendars import is_day_off, month_days

SUMMED = ("원", "개", "회", "명", "곳")
_PERIOD = re.compile(r"(\d{4}-\d{2}-\d{2}) ~ (\d{4}-\d{2}-\d{2})")
DAY = timedelta(days=1)
LONGEST = 400


def totals(columns: Sequence[Column], rows: Sequence[Row]) -> str:
    """Every column that can be added up over all rows, with the change and the share of the target that follow."""
    sums = {one["name"]: _sum(one, rows) for one in columns if one["unit"] in SUMMED and _adds_up(one["name"])}
    if len(rows) < 2 or not sums:
        return ""
    said = [f"{one['label']} {_signed(one, sums[one['name']])}" for one in columns if one["name"] in sums]
    for name, label in (("sales_amount", "매출"), ("quantity", "판매 수량")):
        before, after = sums.get(f"{name}_compare"), sums.get(name)
        if before and after is not None:
            said.append(f"{label} 증감률 {after / before - 1:+.1%}")
    sold, target = sums.get("sales_amount"), sums.get("target_amount")
    if target and sold is not None:
        gap = target - sold
        left = f"목표까지 {figure(gap, '원')} 남음" if gap > 0 else f"목표보다 {figure(-gap, '원')} 많음"
        said.append(f"달성률 {sold / target:.1%}, {left}")
    return f"{len(rows)}줄을 모두 더하면 {', '.join(said)}"


def _adds_up(name: str) -> bool:
    """Sums and counts do, means and ratios don't."""
    metric = semantics().metrics.get(name.removesuffix("_change").removesuffix("_compare"))
    return metric is not None and metric.additive


def _sum(column: Column, rows: Sequence[Row]) -> float:
    return sum(value for row in rows if isinstance(value := row[column["name"]], int | float))


def _signed(column: Column, value: float) -> str:
    return f"{'+' if column['name'].endswith('_change') and value > 0 else ''}{figure(value, column['unit'])}"


def working_days(texts: Sequence[str], today: date) -> Iterator[str]:
    """The working days of every period that results name, and how many are left of one that goes on."""
    for start, end in dict.fromkeys(found for text in texts for found in _PERIOD.findall(text)):
        first, last = date.fromisoformat(start), date.fromisoformat(end)
        if (last - first).days > LONGEST:
            continue
        said = f"{start} ~ {end}의 영업일(주말·공휴일 제외) {_count(first, last)}일"
        begun, whole = month_days(today.year, today.month)
        if first <= today <= last or last == today:
            done, left = _count(first, min(today, last)), _count(today + DAY, whole)
            said += f": 오늘({today})까지 {done}일, 이달 말({whole})까지 남은 영업일 {left}일"
            said += f", 이달 전체 {_count(begun, whole)}일"
        yield said


def _count(first: date, last: date) -> int:
    days = (first + DAY * n for n in range((last - first).days + 1))
    return sum(not is_day_off(day) for day in days)
