"""A change explained in words and drawn: how large, what made it, and that it is arithmetic, not a cause."""

from madang.assistants.works.data.semantics import semantics
from madang.assistants.works.state.agents import Contribution, Visualization
from madang.assistants.works.tools.analysis_text import (
    compact,
    figure,
    filter_words,
    note_words,
    period_words,
    with_means,
    won,
)
from madang.assistants.works.tools.charts import waterfall
from madang.assistants.works.tools.decomposition import MOST, Decomposition
from madang.text.particles import with_topic

FEW = 3
ENOUGH = 0.8


def change_heading(found: Decomposition) -> str:
    """What is explained, in one line."""
    scope = ", ".join(filter_words(one) for one in found.whole.query["filters"])
    return f"{scope} {semantics().metrics[found.metric].label} 증감 분해".strip()


def change_words(found: Decomposition) -> str:
    """The whole change in a sentence, the few that explain most by each dimension, and a table of each."""
    metric, whole = semantics().metrics[found.metric], found.whole.compiled
    head = f"**{change_heading(found)}** — {period_words(whole.period)} (비교: {period_words(whole.compare_period)})"
    lines = [head, "", change_sentence(found)]
    if effects := effects_sentence(found):
        lines += ["", effects]
    for name, parts in found.parts.items():
        if not parts:
            continue
        label = semantics().dimensions[name].label
        lines += ["", f"{label}별로 가장 많이 움직인 것:", "", _table(label, parts, metric.unit)]
    lines += [
        "",
        "- 비중은 전체 증감 가운데 차지하는 몫입니다. 무엇이 움직였는지를 나눈 계산이며, 원인을 단정하지는 않습니다.",
    ]
    return "\n".join([*lines, *(f"- {note}" for note in note_words(found.whole))])


def change_sentence(found: Decomposition) -> str:
    """How much it moved and what explains most of it."""
    metric = semantics().metrics[found.metric]
    rate = f" ({found.change / found.before:+.1%})" if found.before else ""
    moved = "줄었습니다" if found.change < 0 else "늘었습니다" if found.change > 0 else "그대로입니다"
    size = won(abs(found.change)) if metric.unit == "원" else f"{abs(found.change):,.0f}{metric.unit}"
    before, after = figure(found.before, metric.unit), with_means(figure(found.after, metric.unit))
    told = f"{with_topic(metric.label)} {before}에서 {after} {size}{rate} {moved}."
    if not found.change:
        return told
    few = [f"{semantics().dimensions[name].label} {_few(parts)}" for name, parts in found.parts.items() if parts]
    fell = any(parts and parts[0]["change"] < 0 < found.change for parts in found.parts.values())
    what = "그 가운데 가장 많이 줄어든 것은" if fell else "가장 많이 움직인 것은"
    return f"{told} {what} {' / '.join(few)}입니다." if few else told


def effects_sentence(found: Decomposition) -> str:
    """What quantities and what prices made of the change; nothing where there are no quantities."""
    if found.effects is None or not found.change:
        return ""
    volume, price = found.effects.volume, found.effects.price
    return (
        f"수량과 단가로 나누면 수량 효과(수량 변화 × 이전 단가) {volume:+,}원, "
        f"단가 효과(단가 변화 × 이번 수량) {price:+,}원이고, 더하면 {volume + price:+,}원입니다."
    )


def _few(parts: list[Contribution]) -> str:
    """The few values that make most of the change."""
    kept, share = [], 0.0
    for one in parts[:FEW]:
        if one["change"] * parts[0]["change"] <= 0:
            break
        part = f", {one['share']:.0%}" if (one["share"] or 0) > 0 else ""
        kept.append(f"{one['value']}({compact(one['change'], '원')}{part})")
        share += max(0.0, one["share"] or 0)
        if share >= ENOUGH:
            break
    return ", ".join(kept) or f"{parts[0]['value']}"


def _table(label: str, parts: list[Contribution], unit: str) -> str:
    lines = [f"| {label} | 이전({unit}) | 이번({unit}) | 증감({unit}) | 비중 |", "|---|---|---|---|---|"]
    for one in parts[:MOST]:
        share = f"{one['share']:.1%}" if one["share"] is not None else "-"
        name = one["value"].replace("|", "\\|")
        lines.append(f"| {name} | {one['before']:,.0f} | {one['after']:,.0f} | {one['change']:+,.0f} | {share} |")
    if len(parts) > MOST:
        rest = sum(one["change"] for one in parts[MOST:])
        lines.append(f"| 나머지 {len(parts) - MOST}개 | | | {rest:+,.0f} | |")
    return "\n".join(lines)


def change_chart(found: Decomposition) -> Visualization | None:
    """A waterfall from before to after over the products (or what else there is) that moved most."""
    parts = next((parts for parts in found.parts.values() if parts), [])
    if not parts:
        return None
    shown = parts[:MOST]
    rest = found.change - sum(one["change"] for one in shown)
    labels = ["이전", *(one["value"] for one in shown), *(["나머지"] if rest else []), "이번"]
    steps = [*(one["change"] for one in shown), *([rest] if rest else [])]
    metric = semantics().metrics[found.metric]
    return waterfall(
        change_heading(found), labels, found.before, steps, found.after, found.metric, metric.label, metric.unit
    )
