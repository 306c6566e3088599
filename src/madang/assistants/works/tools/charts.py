"""Charts drawn as SVG: bars for comparison, a line for time, a ring for shares."""

import base64
import math
from collections.abc import Sequence
from html import escape

from madang.assistants.works.data.semantics import semantics
from madang.assistants.works.state.agents import ChartData, ChartSeries, Column, Row, Visualization
from madang.assistants.works.tools.analysis import Analysis
from madang.assistants.works.tools.analysis_text import compact, heading

WIDTH, HEIGHT, MARGIN = 640, 320, 56
MOST_BARS = 20
COLORS = ("#2f6f5e", "#c9812e", "#5b6fb5", "#a4485f", "#7a8b3c", "#3c8ba0", "#8a5ca0", "#b59b3c", "#5c7a6f", "#a06a4a")


def chart_of(analysis: Analysis) -> Visualization | None:
    """The chart that fits the result, drawn; None when a table of one row says it all."""
    dimensions = [c for c in analysis.columns if not c["unit"]]
    metrics = [c for c in analysis.metric_columns if c["unit"] != "날짜"]
    if not dimensions or not metrics or len(analysis.rows) < 2:
        return None
    first, metric = dimensions[0], metrics[0]
    drawn = [(row, float(v)) for row in analysis.rows if isinstance(v := row[metric["name"]], int | float)][:MOST_BARS]
    if len(drawn) < 2:
        return None
    labels = [" · ".join(str(row[c["name"]]) for c in dimensions) for row, _ in drawn]
    values = [value for _, value in drawn]
    kind = _kind(first, metric, values)
    both = _both_periods(analysis, metric, [row for row, _ in drawn], values)
    data = ChartData(labels=labels, values=values, metric=metric["name"], label=metric["label"], unit=metric["unit"])
    if both:
        data["series"] = both
    svg = {"line_chart": _line, "share_chart": _ring, "bar_chart": _bars}[kind](labels, values, metric)
    title = heading(analysis)
    return Visualization(
        type=kind,
        title=title,
        data=data,
        config={"width": WIDTH, "height": HEIGHT, "shown": len(drawn), "of": len(analysis.rows)},
        image_url="data:image/svg+xml;base64," + base64.b64encode(_svg(svg, title).encode()).decode(),
    )


def _both_periods(analysis: Analysis, metric: Column, rows: Sequence[Row], values: list[float]) -> list[ChartSeries]:
    """The values beside those of the period that they are compared with, where each has one."""
    other = next((c for c in analysis.columns if c["name"] == f"{metric['name']}_compare"), None)
    if other is None:
        return []
    before = [float(value) for row in rows if isinstance(value := row[other["name"]], int | float)]
    now = ChartSeries(name=metric["label"], values=values)
    return [now, ChartSeries(name=other["label"], values=before)] if len(before) == len(values) else []


def waterfall(
    title: str, labels: Sequence[str], before: float, steps: Sequence[float], after: float, metric: str, label: str,
    unit: str,
) -> Visualization:  # fmt: skip
    """A change drawn as steps from what was before to what is after."""
    tops, at = [(0.0, before)], before
    for step in steps:
        tops.append((at, at + step))
        at += step
    tops.append((0.0, after))
    low, high = _scale([value for pair in tops for value in pair])
    width, zero = (WIDTH - 2 * MARGIN) / len(tops), _y(0, low, high)
    parts = [f'<line x1="{MARGIN}" x2="{WIDTH - MARGIN}" y1="{zero:.1f}" y2="{zero:.1f}" stroke="#999"/>']
    for i, (name, (start, end)) in enumerate(zip(labels, tops, strict=True)):
        x, upper, lower = MARGIN + i * width, _y(max(start, end), low, high), _y(min(start, end), low, high)
        color = COLORS[2] if i in (0, len(tops) - 1) else COLORS[0] if end >= start else COLORS[3]
        parts.append(
            f'<rect x="{x + width * 0.15:.1f}" y="{upper:.1f}" width="{width * 0.7:.1f}" '
            f'height="{max(1.0, lower - upper):.1f}" fill="{color}"><title>{escape(name)}</title></rect>'
        )
        parts.append(_text(x + width / 2, upper - 4, compact(end - start, unit)))
        parts.append(_text(x + width / 2, HEIGHT - MARGIN + 16 + 12 * (i % 2), name[:9]))
    return Visualization(
        type="waterfall_chart",
        title=title,
        data={
            "labels": list(labels),
            "values": [before, *steps, after],
            "metric": metric,
            "label": label,
            "unit": unit,
        },
        config={"width": WIDTH, "height": HEIGHT, "shown": len(tops), "of": len(tops)},
        image_url="data:image/svg+xml;base64," + base64.b64encode(_svg("".join(parts), title).encode()).decode(),
    )


def _kind(dimension: Column, metric: Column, values: Sequence[float]) -> str:
    if semantics().dimensions[dimension["name"]].time:
        return "line_chart"
    if metric["name"] == "sales_share" and len(values) <= 10 and min(values) >= 0:
        return "share_chart"
    return "bar_chart"


def _svg(body: str, title: str) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" '
        f'font-size="11" '
        f'role="img" aria-label="{escape(title, quote=True)}"><title>{escape(title)}</title>{body}</svg>'
    )


def _scale(values: Sequence[float]) -> tuple[float, float]:
    low, high = min(0.0, *values), max(0.0, *values)
    return low, high if high > low else low + 1.0


def _y(value: float, low: float, high: float) -> float:
    return HEIGHT - MARGIN - (value - low) / (high - low) * (HEIGHT - 2 * MARGIN + 20)


def _text(x: float, y: float, words: str, anchor: str = "middle") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(words)}</text>'


def _bars(labels: Sequence[str], values: Sequence[float], metric: Column) -> str:
    low, high = _scale(values)
    step = (WIDTH - 2 * MARGIN) / len(values)
    zero = _y(0, low, high)
    parts = [f'<line x1="{MARGIN}" x2="{WIDTH - MARGIN}" y1="{zero:.1f}" y2="{zero:.1f}" stroke="#999"/>']
    for i, (label, value) in enumerate(zip(labels, values, strict=True)):
        x, top = MARGIN + i * step, _y(value, low, high)
        parts.append(
            f'<rect x="{x + step * 0.15:.1f}" y="{min(top, zero):.1f}" width="{step * 0.7:.1f}" '
            f'height="{max(1.0, abs(zero - top)):.1f}" fill="{COLORS[0]}"/>'
        )
        parts.append(
            _text(x + step / 2, min(top, zero) - 4, compact(value, metric["unit"])) if len(values) <= 12 else ""
        )
        parts.append(_text(x + step / 2, HEIGHT - MARGIN + 16 + 12 * (i % 2), label[:8]))
    return "".join(parts)


def _line(labels: Sequence[str], values: Sequence[float], metric: Column) -> str:
    low, high = _scale(values)
    step = (WIDTH - 2 * MARGIN) / max(1, len(values) - 1)
    points = [(MARGIN + i * step, _y(value, low, high)) for i, value in enumerate(values)]
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    every = math.ceil(len(values) / 8)
    parts = [f'<polyline fill="none" stroke="{COLORS[0]}" stroke-width="2" points="{path}"/>']
    for i, (x, y) in enumerate(points):
        parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="2.5" fill="{COLORS[0]}"/>')
        if i % every == 0:
            parts.append(_text(x, HEIGHT - MARGIN + 16, labels[i]))
            parts.append(_text(x, y - 8, compact(values[i], metric["unit"])))
    return "".join(parts)


def _ring(labels: Sequence[str], values: Sequence[float], _metric: Column) -> str:
    total = sum(values) or 1.0
    at, parts = 0.0, []
    cx, cy, r = 170, HEIGHT / 2, 95
    around = 2 * math.pi * r
    for i, (label, value) in enumerate(zip(labels, values, strict=True)):
        part = value / total * around
        parts.append(
            f'<circle cx="{cx}" cy="{cy}" r="{r}" fill="none" stroke="{COLORS[i % len(COLORS)]}" stroke-width="42" '
            f'stroke-dasharray="{part:.2f} {around - part:.2f}" stroke-dashoffset="{-at:.2f}"/>'
        )
        parts.append(f'<rect x="330" y="{30 + i * 22}" width="12" height="12" fill="{COLORS[i % len(COLORS)]}"/>')
        parts.append(_text(350, 41 + i * 22, f"{label} {value:.1%}", "start"))
        at += part
    return "".join(parts)
