"""What a figure is called where it stands (교통 530,600원, 숙박 427,700원), so that it isn't called another's name."""

import re
from collections.abc import Iterable, Sequence

from madang.llm.figures import Figure

NEAR = 26
_STOP = re.compile(r"[;,·|\n→⇒=≈+×÷]|(?<=[가-힣\d)])\.\s|\s[-−–]\s|(?:이고|이며|에서|보다|으로|는데|지만|하고)\s")
_WORD = re.compile(r"[가-힣]{2,}|[A-Za-z]{3,}")
_PARTICLE = re.compile(r"(?<=[가-힣]{2})(?:은|는|이|가|을|를|도|의|만|에|과|와|로|까지|부터|에는)$")
_BEHIND = re.compile(r"[*\s]{0,4}\(([가-힣\s]{2,12})\)")
_TURN = re.compile(r"\d[\d,.]*\s?[가-힣%㎡]*")
_PLAIN = re.compile(r"(?<![가-힣])([가-힣]{2,8})[*\s]{0,3}[▲▼+-]?$")
_VERBAL = ("면", "고", "서", "며", "니", "든", "려", "해", "게", "지", "한", "할", "된", "될", "인", "던")
_IDLE = frozenset(
    {"약", "합계", "모두", "전체", "그래서", "지금", "이번", "하루", "한달", "매달", "대략", "가운데", "최대", "최소"}
)


def labels_of(text: str, figure: Figure, names: Iterable[str] = ()) -> frozenset[str]:
    """The words that say what a figure is, right before it or in brackets behind it, without names."""
    before = text[max(0, figure.span[0] - NEAR) : figure.span[0]]
    for name in names:
        before = before.replace(name, ",")
    before = _TURN.split(_STOP.split(before)[-1])[-1]
    behind = _BEHIND.match(text, figure.span[1])
    found = _WORD.findall(before) + (_WORD.findall(behind[1]) if behind else [])
    return frozenset(_PARTICLE.sub("", word) for word in found) - _IDLE


def plain_label(text: str, figure: Figure) -> str:
    """The one noun that stands right before a figure without a particle (목표 182,570,000원), or nothing."""
    match = _PLAIN.search(text, max(0, figure.span[0] - NEAR), figure.span[0])
    return match[1] if match and not _PARTICLE.search(match[1]) and not match[1].endswith(_VERBAL) else ""


def is_called_another(stated: frozenset[str], own: Sequence[frozenset[str]], others: Sequence[frozenset[str]]) -> bool:
    """Whether a figure is called what other figures are called where it stands, and by none of its own words."""
    if not stated or any(not one or _alike(stated, one) for one in own):
        return False
    return any(_alike(stated, one) for one in others)


def _alike(one: frozenset[str], other: frozenset[str]) -> bool:
    return any(a in b or b in a for a in one for b in other)
