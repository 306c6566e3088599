"""What a figure is compared with: 전년 동기 대비, 지난달보다, 목표 대비."""

import re

from madang.text.parsed import Parsed, make, on_folded, without_overlaps
from madang.text.spans import Comparison

_THAN = r"\s?(?:에\s?비해서?|대비|보다|와\s?비교|과\s?비교|이?랑\s?비교|하고\s?비교|에서\s?얼마나|비교|동기간?\s?대비)"
_RULES: list[tuple[Comparison, str]] = [
    ("year_ago", (
        r"(?:전년|작년|지난\s?해|전년도)\s?(?:동기간?|동월|동분기|같은\s?(?:기간|달|시기|분기|월)|이맘\s?때"
        r"|동일\s?기간)(?:\s?(?:대비|보다|비교|(?:와|과|이?랑|하고)\s?비교))?"
    )),
    ("year_ago", rf"(?:전년도?|작년|지난\s?해|1년\s?전){_THAN}|(?<![a-zA-Z])[yY][oO][yY](?![a-zA-Z])|동기\s?대비"),
    ("previous_month", rf"(?:전월|지난\s?달|저번\s?달|전\s?달|직전\s?월){_THAN}|(?<![a-zA-Z])[mM][oO][mM](?![a-zA-Z])"),
    ("previous_quarter", rf"(?:(?:전|지난|저번|직전)\s?분기){_THAN}|(?<![a-zA-Z])[qQ][oO][qQ](?![a-zA-Z])"),
    ("previous_week", rf"(?:전주|지난\s?주|저번\s?주){_THAN}|(?<![a-zA-Z])[wW][oO][wW](?![a-zA-Z])"),
    ("previous_period", rf"(?:직전\s?기간?|전기|이전\s?기간|이전|직전){_THAN}"),
    ("target", (
        rf"(?:목표액?|타깃|타겟|계획|KPI){_THAN}|목표\s?달성[률율도]?|달성[률율도]|목표를?\s?(?:못"
        rf"|얼마나)\s?(?:채|달성)"
    )),
]  # fmt: skip
_COMPILED = [(kind, re.compile(pattern)) for kind, pattern in _RULES]


def find_comparisons(text: str) -> list[Parsed[Comparison]]:
    """Comparisons in order of appearance; a period alone (지난달 매출) is not one."""
    return on_folded(text, _find)


def _find(text: str) -> list[Parsed[Comparison]]:
    found: list[Parsed[Comparison]] = []
    for kind, pattern in _COMPILED:
        found += [make(text, *match.span(), kind, 0.9) for match in pattern.finditer(text)]
    return without_overlaps(found)
