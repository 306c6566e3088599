"""Results in words: what was computed, over which period, and the table."""

import operator
import re
import statistics
from collections.abc import Sequence
from typing import Any

from madang.assistants.works.data.semantics import semantics
from madang.assistants.works.state.agents import Cell, Column, Row, UnknownName
from madang.assistants.works.state.documents import AnalysisView
from madang.assistants.works.state.semantic_query import Filter
from madang.assistants.works.tools.analysis import Analysis
from madang.assistants.works.tools.periods import Days
from madang.text.particles import with_object, with_subject, with_topic

SHOWN = 20
_OPS = {"gt": "초과", "gte": "이상", "lt": "미만", "lte": "이하", "eq": "", "ne": "제외", "in": "", "contains": "포함"}
_SELF_TOLD = ("branch", "team", "customer", "product", "product_class", "region", "specialty")
_COUNTERS = {"customer": "곳", "branch": "곳", "region": "곳", "rep": "명"}
_COMPARE = {
    "yoy": "전년 동기 대비", "qoq": "전분기 대비", "mom": "전월 대비", "wow": "전주 대비", "vs_target": "목표 대비",
    "period": "다른 기간 대비",
}  # fmt: skip


def compact(value: float, unit: str) -> str:
    """A short form for charts: 4.1억, 83.2%."""
    if unit == "비율":
        return f"{value:.1%}"
    size = abs(value)
    if size >= 1e8:
        return f"{value / 1e8:,.1f}억"
    if size >= 1e4:
        return f"{value / 1e4:,.0f}만"
    return f"{value:,.0f}"


def figure(value: Any, unit: str) -> str:
    """A value as it is read: 413,620,600원(4억 1,362만원), 83.2%."""
    if value is None:
        return "없음"
    if unit == "비율":
        return f"{value:.1%}"
    if unit == "날짜":
        return str(value)
    number = plain_figure(value, unit)
    return f"{number}({won(value)})" if unit == "원" and abs(value) >= 1e6 else number


def plain_figure(value: Any, unit: str) -> str:
    """A value to the last won, without its short form."""
    if value is None or unit in ("비율", "날짜"):
        return figure(value, unit)
    return f"{value:,.0f}{unit}"


def won(value: float) -> str:
    """Won in 억 and 만, as people say it."""
    sign, rest = ("-" if value < 0 else ""), abs(round(value / 1e4))
    eok, man = divmod(rest, 10_000)
    words = " ".join(part for part in (f"{eok:,}억" if eok else "", f"{man:,}만" if man else "") if part)
    return f"{sign}{words or '0'}원"


def with_means(figure: str) -> str:
    """A figure with 으로 or 로, by how its unit is read."""
    closed = with_object(figure.rstrip(")")[-1:]).endswith("을")
    return figure + ("으로" if closed else "로")


def period_words(days: Days | None) -> str:
    return f"{days.start.isoformat()} ~ {days.end.isoformat()}" if days else "전체 기간"


def filter_words(one: Filter) -> str:
    layer = semantics()
    field, op, value = one["field"], one["op"], one["value"]
    if field in layer.metrics:
        metric = layer.metrics[field]
        return f"{metric.label} {figure(value, metric.unit)}{'인' if op == 'eq' else f' {_OPS[op]}'}"
    words = ", ".join(map(str, value)) if isinstance(value, list) else str(value)
    label = "" if field in _SELF_TOLD else f"{layer.dimensions[field].label} "
    return f"{label}{words} {_OPS[op]}".strip()


def heading(analysis: Analysis) -> str:
    """What was computed, in one line."""
    layer, query = semantics(), analysis.query
    parts = [", ".join(filter_words(f) for f in query["filters"])]
    if query["dimensions"]:
        parts.append("·".join(layer.dimensions[d].label for d in query["dimensions"]) + "별")
    parts.append(", ".join(layer.metrics[m].label for m in query["metrics"]))
    if analysis.compiled.compare:
        parts.append(f"({_COMPARE[analysis.compiled.compare['type']]})")
    if query["limit"] and query["sort"]:
        parts.append(f"{'상위' if query['sort']['order'] == 'desc' else '하위'} {query['limit']}")
    return " ".join(part for part in parts if part)


def answer_words(analysis: Analysis, view: AnalysisView | None = None) -> str:
    """The answer: what and when, the result, the table, and what to know about it."""
    compiled, view = analysis.compiled, view or {}
    lines = [f"**{heading(analysis)}** — {period_words(compiled.period)}"]
    if compiled.compare_period:
        lines[0] += f" (비교: {period_words(compiled.compare_period)})"
    lines += ["", viewed_words(analysis, view)]
    if len(analysis.rows) > 1 or (analysis.rows and analysis.query["dimensions"]):
        lines += ["", table_words(*marked(analysis, view))]
    notes = note_words(analysis)
    return "\n".join([*lines, *(["", *(f"- {note}" for note in notes)] if notes else [])])


def finding_words(analysis: Analysis, view: AnalysisView | None = None) -> str:
    """The result in a sentence that stands alone: what, when, and what came out."""
    return f"{heading(analysis)}({period_words(analysis.compiled.period)}): {viewed_words(analysis, view or {})}"


def viewed_words(analysis: Analysis, view: AnalysisView) -> str:
    """The result in a sentence, as it is looked at: one beside the others, rows marked, two metrics together."""
    if not analysis.rows or no_coverage(analysis):
        return result_words(analysis)
    if focus := view.get("focus"):
        return _beside_words(analysis, focus) or result_words(analysis)
    if view.get("relate"):
        return f"{result_words(analysis)} {_related_words(analysis)}".strip()
    if mark := view.get("mark"):
        name = analysis.query["dimensions"][-1]
        hits, counter = _hits(analysis, mark), _COUNTERS.get(name, "개")
        names = ", ".join(str(row[name]) for row in hits[:6])
        told = f"{filter_words(mark)}은 {len(hits)}{counter}입니다" + (f": {names} (표에 ▼ 표시)." if hits else ".")
        return f"{result_words(analysis)} {told}"
    return result_words(analysis)


def _hits(analysis: Analysis, mark: Filter) -> list[Row]:
    tests = {"lt": operator.lt, "lte": operator.le, "gt": operator.gt, "gte": operator.ge, "eq": operator.eq}
    test, limit = tests.get(mark["op"], operator.eq), mark["value"]
    if not isinstance(limit, int | float):
        return []
    return [row for row in analysis.rows if isinstance(v := row.get(mark["field"]), int | float) and test(v, limit)]


def marked(analysis: Analysis, view: AnalysisView) -> tuple[list[Column], list[Row]]:
    """Columns and rows of the table, those that were to be marked with a sign."""
    mark, focus, names = view.get("mark"), view.get("focus"), [c for c in analysis.columns if not c["unit"]]
    if not names or not (mark or focus):
        return analysis.columns, analysis.rows
    last = names[-1]["name"]
    hits = {id(row) for row in _hits(analysis, mark)} if mark else set()
    hits |= {id(row) for row in analysis.rows if focus and row.get(last) == focus["value"]}
    return analysis.columns, [{**row, last: f"▼ {row[last]}"} if id(row) in hits else row for row in analysis.rows]


def _beside_words(analysis: Analysis, focus: Filter) -> str:
    """One beside the average of the others."""
    metric = next(c for c in analysis.columns if c["unit"])
    own = [row for row in analysis.rows if row.get(focus["field"]) == focus["value"]]
    others = [v for row in analysis.rows if row not in own and isinstance(v := row[metric["name"]], int | float)]
    value = own[0][metric["name"]] if own else 0
    if not others or not isinstance(value, int | float):
        return ""
    mean = sum(others) / len(others)
    gap = f"{abs(value / mean - 1):.0%} {'많습니다' if value >= mean else '적습니다'}" if mean else ""
    counter = _COUNTERS.get(focus["field"], "개")
    average = with_means(f"{mean:,.1f}{metric['unit']}")
    told = f"{with_topic(str(focus['value']) + '의 ' + metric['label'])} {figure(value, metric['unit'])}"
    place = f"{len(others) + 1}{counter} 가운데 {1 + sum(other > value for other in others)}번째입니다."
    return f"{told}, 나머지 {len(others)}{counter} 평균은 {average} 평균보다 {gap}. {place}"


def _related_words(analysis: Analysis) -> str:
    """Whether two metrics moved together; never that one caused the other."""
    query = analysis.query
    names = [m for m in query["metrics"] if any(c["name"] == m for c in analysis.columns)]
    labels = semantics().metrics
    if len(names) < 2:
        return ""
    changes = {m: f"{m}_change_rate" for m in names if any(c["name"] == f"{m}_change_rate" for c in analysis.columns)}
    if not query["dimensions"]:
        row = analysis.rows[0]
        rates = {m: row.get(column) for m, column in changes.items()}
        if any(not isinstance(rate, int | float) for rate in rates.values()) or len(rates) < 2:
            return ""
        told = ", ".join(f"{with_topic(labels[m].label)} {rate:+.1%}" for m, rate in rates.items())
        signs = {rate > 0 for rate in rates.values() if isinstance(rate, int | float) and rate}
        together = "같은 방향으로" if len(signs) == 1 else "다른 방향으로"
        return f"비교 기간보다 {told}로 {together} 움직였습니다. 원인이라고 단정할 수는 없습니다."
    one, other = names[0], changes.get(names[1], names[1])
    pairs = [(row[one], row[other]) for row in analysis.rows]
    known = [(float(a), float(b)) for a, b in pairs if isinstance(a, int | float) and isinstance(b, int | float)]
    if len(known) < 4 or len({a for a, _ in known}) < 2 or len({b for _, b in known}) < 2:
        return ""
    r = statistics.correlation(*map(list, zip(*known, strict=True)))
    strength = (
        "뚜렷한 경향이 보이지 않습니다"
        if abs(r) < 0.3
        else f"{'함께 커지는' if r > 0 else '반대로 가는'} 경향이 {'약하게 ' if abs(r) < 0.6 else ''}보입니다"
    )
    second = labels[names[1]].label + (" 증감률" if other != names[1] else "")
    return (
        f"{labels[one].label}와 {second}의 상관계수는 {r:.2f}({len(known)}곳)로, {strength}. 인과를 뜻하지는 않습니다."
    )


def no_coverage(analysis: Analysis) -> bool:
    """Whether the period asked about lies wholly outside the data."""
    days, held = analysis.compiled.period, analysis.coverage
    return bool(days and held and (days.end < held.start or days.start > held.end))


def result_words(analysis: Analysis) -> str:
    """The result in a sentence."""
    rows, columns = analysis.rows, analysis.columns
    if no_coverage(analysis) and analysis.coverage:
        return f"그 기간의 자료가 없습니다. 자료는 {period_words(analysis.coverage)}까지 있습니다."
    if not rows:
        return "조건에 맞는 자료가 없습니다."
    metrics = [c for c in columns if c["unit"]]
    if analysis.unknown and not any(row.get(c["name"]) for row in rows for c in metrics):
        named = ", ".join(f"'{one['value']}'" for one in analysis.unknown)
        return f"{named}: 자료에 없는 이름이라 계산할 값이 없습니다."
    if not analysis.query["dimensions"] and analysis.compiled.compare_period:
        return " ".join(_moved_words(rows[0], c, metrics) for c in metrics if _is_own(c, metrics)).strip()
    if not analysis.query["dimensions"]:
        return ", ".join(f"{c['label']} {figure(rows[0][c['name']], c['unit'])}" for c in metrics) + "입니다."
    first, names = metrics[0], [c for c in columns if not c["unit"]]
    top = " · ".join(str(rows[0][c["name"]]) for c in names)
    if len(rows) == 1:
        told = f"{top}, {first['label']} {figure(rows[0][first['name']], first['unit'])}입니다."
        return _superlative(analysis, first, names[-1]) + told
    if semantics().dimensions[names[0]["name"]].time:
        most = max(rows, key=lambda row: _number(row[first["name"]]))
        value = with_means(figure(most[first["name"]], first["unit"]))
        when = f"{len(rows)}개 구간 가운데 {most[names[0]['name']]}"
        return f"{when}의 {with_subject(first['label'])} {value} 가장 {_most(first)}."
    if told := _by_change_words(analysis, names[-1]):
        return told
    counter = _COUNTERS.get(names[-1]["name"], "개")
    found = f"{names[-1]['label']} {len(rows):,}{counter}" + (" 이상" if analysis.truncated else "")
    ties, told = _standing_out(rows, first)
    if not told:
        return f"{found}입니다."
    others = f" 등 {ties}{counter}" if ties > 1 else ""
    value = with_means(figure(rows[0][first["name"]], first["unit"]))
    whole = _whole_words(analysis, first)
    return f"{found} 가운데 {top}{others}의 {with_subject(first['label'])} {value} 가장 {told}.{whole}"


def _whole_words(analysis: Analysis, column: Column) -> str:
    """What the rows come to together, and against the period compared with; nothing where rows were left out or a sum
    says nothing."""
    query, name = analysis.query, column["name"]
    if query["limit"] or analysis.truncated or name not in _SUMMED or len(query["dimensions"]) > 1:
        return ""
    total = sum(_number(row[name]) for row in analysis.rows)
    told = f" 모두 더하면 {figure(total, column['unit'])}"
    before = sum(_number(row.get(f"{name}_compare")) for row in analysis.rows)
    if analysis.compiled.compare_period and before:
        told += f", 비교 기간의 {figure(before, column['unit'])}보다 {(total - before) / before:+.1%}"
    return f"{told}입니다."


_SUMMED = ("sales_amount", "quantity", "visit_count", "target_amount", "seminar_count", "promo_cost", "seminar_cost")


def _by_change_words(analysis: Analysis, name: Column) -> str:
    """The first of a table that is sorted by change, each with how much it moved."""
    sort = analysis.query["sort"]
    match = re.fullmatch(r"(?P<metric>\w+?)_(?:change_rate|change|difference)", sort["by"]) if sort else None
    if match is None:
        return ""
    unit = semantics().metrics[match["metric"]].unit
    moved = [(str(row[name["name"]]), row.get(f"{match['metric']}_change")) for row in analysis.rows[:3]]
    told = [f"{who}({compact(change, unit)})" for who, change in moved if isinstance(change, int | float) and change]
    counter = _COUNTERS.get(name["name"], "개")
    if not told:
        return ""
    return f"{name['label']} {len(analysis.rows):,}{counter} 가운데 {', '.join(told)} 순으로 많이 움직였습니다."


def _is_own(column: Column, columns: Sequence[Column]) -> bool:
    """A metric itself, not what tells its change."""
    return not re.search(r"_(?:compare|change|change_rate)$", column["name"]) or not columns


def _moved_words(row: Row, column: Column, columns: Sequence[Column]) -> str:
    """A figure beside that of the period compared with: how much it moved, and by what part."""
    name, unit = column["name"], column["unit"]
    value, before, change = row[name], row.get(f"{name}_compare"), row.get(f"{name}_change")
    told = f"{with_topic(column['label'])} {figure(value, unit)}"
    if not isinstance(before, int | float) or not isinstance(change, int | float) or not columns:
        return f"{told}입니다."
    rate = row.get(f"{name}_change_rate")
    part = f"({rate:+.1%}) " if isinstance(rate, int | float) else ""
    moved = "늘었습니다" if change > 0 else "줄었습니다" if change < 0 else "그대로입니다"
    size = "" if not change else f"{figure(abs(change), unit)} "
    return f"{with_means(told)}, 비교 기간의 {figure(before, unit)}보다 {size}{part}{moved}."


def _superlative(analysis: Analysis, column: Column, name: Column) -> str:
    """What a single row was asked for as: 방문 횟수가 가장 적은 담당자는."""
    sort = analysis.query["sort"]
    if not sort or analysis.query["limit"] != 1 or sort["by"] != column["name"]:
        return ""
    high, low = ("높은", "낮은") if column["unit"] == "비율" else ("많은", "적은")
    least = low if sort["order"] == "asc" else high
    return f"{with_subject(column['label'])} 가장 {least} {with_topic(name['label'])} "


def _most(column: Column, *, least: bool = False) -> str:
    high, low = ("높습니다", "낮습니다") if column["unit"] == "비율" else ("많습니다", "적습니다")
    return low if least else high


def _number(value: Cell) -> float:
    return value if isinstance(value, int | float) else float("-inf")


def _standing_out(rows: Sequence[Row], column: Column) -> tuple[int, str]:
    """How many rows share the first one's place, and what they have most or least of; nothing if all are alike."""
    values = [value for row in rows if isinstance(value := row[column["name"]], int | float)]
    first = _number(rows[0][column["name"]])
    ties = values.count(first)
    if not ties or ties == len(values) or first not in (max(values), min(values)):
        return 0, ""
    return ties, _most(column, least=first == min(values))


def table_words(columns: Sequence[Column], rows: Sequence[Row], most: int = SHOWN) -> str:
    """A Markdown table of the first rows."""
    lines = ["| " + " | ".join(_cell(_titled(c)) for c in columns) + " |", "|" + "---|" * len(columns)]
    for row in rows[:most]:
        cells = [_cell(_short(row[c["name"]], c["unit"])) for c in columns]
        lines.append("| " + " | ".join(cells) + " |")
    if len(rows) > most:
        lines += ["", f"(전체 {len(rows):,}건 가운데 {most}건)"]
    return "\n".join(lines)


def titled(label: str, unit: str) -> str:
    """A column's title with its unit: 매출(원), 매출 (비교 기간, 원)."""
    return label if not unit else f"{label[:-1]}, {unit})" if label.endswith(")") else f"{label}({unit})"


def _titled(column: Column) -> str:
    """Without the unit where each cell tells it."""
    return titled(column["label"], "" if column["unit"] in ("비율", "날짜") else column["unit"])


def _short(value: Any, unit: str) -> str:
    if not unit:
        return str(value)
    if value is None:
        return "-"
    return f"{value:.1%}" if unit == "비율" else str(value) if unit == "날짜" else f"{value:,.0f}"


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")


def note_words(analysis: Analysis) -> list[str]:
    """What to know about the figures."""
    layer = semantics()
    notes = [_unknown_words(one, layer.dimensions[one["field"]].label) for one in analysis.unknown]
    notes += [f"{note}." for note in analysis.compiled.notes]
    held, days = analysis.coverage, analysis.compiled.period
    if held and days and not no_coverage(analysis) and days.start < held.start:
        notes.append(f"자료는 {held.start.isoformat()}부터 있습니다.")
    if days and {"achievement_rate", "target_amount"} & {c["name"] for c in analysis.columns}:
        months = f"{days.start:%Y-%m}" + (
            f"부터 {days.end:%Y-%m}까지" if f"{days.start:%Y-%m}" != f"{days.end:%Y-%m}" else ""
        )
        notes.append(f"목표는 {months}의 월 목표를 더한 것입니다.")
    if analysis.query["period"] is None and analysis.compiled.period is None:
        notes.append("기간을 말하지 않아 자료 전체로 계산했습니다.")
    if analysis.truncated:
        notes.append("행이 많아 1,000건에서 잘랐습니다.")
    if analysis.sample:
        notes.append("가상의 표본 회사 자료입니다.")
    return notes


def _unknown_words(name: UnknownName, label: str) -> str:
    quoted, nearest = with_topic(f"'{name['value']}'"), name["nearest"]
    return f"{quoted} 자료의 {label}에 없습니다." + (f" 가장 가까운 이름은 '{nearest}'입니다." if nearest else "")
