"""Labelled example clauses, for wordings that the rules' grammar doesn't foresee."""

import re
from functools import cache
from pathlib import Path
from typing import Any

from madang.assistants.homes import data
from madang.text.likeness import Likeness

LEARNT = Path(data.__file__).parent / "clauses.zip"
LIKE, LIKE_THOUGH_SEEN, UNLIKE = 0.1, 0.45, -0.9
_FEWEST_LETTERS = 12
_HANGUL = re.compile("[가-힣]")
_SAME = (("세입자", "임차인"), ("집주인", "임대인"), ("건물주", "임대인"))


def likeness(clause: str) -> dict[str, float]:
    """How much a clause is like those that break each rule, by rule id; a title or a scrap is like nothing."""
    return _model().of(_usual(clause)) if len(_HANGUL.findall(clause)) >= _FEWEST_LETTERS else {}


def examples() -> list[dict[str, Any]]:
    """The packaged clauses: `clause`, and in `findings` the ids of the rules that it breaks."""
    return data.examples("contract_examples.jsonl")


def labelled() -> list[tuple[str, list[str]]]:
    """What the model learns from."""
    return [(_usual(example["clause"]), example["findings"]) for example in examples()]


@cache
def _model() -> Likeness:
    return Likeness.load(LEARNT)


def _usual(clause: str) -> str:
    """The parties by the names that most contracts use."""
    for name, usual in _SAME:
        clause = clause.replace(name, usual)
    return clause
