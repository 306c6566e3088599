"""What a clause is like: labelled example clauses, for wordings that the rules' grammar doesn't foresee.

A ridge regression over hashed letter groups, one column a rule, made from the packaged examples when it is first
needed (about a second). A score near 1 means "as the clauses that break this rule", near -1 "as any other".
"""

import json
import re
from functools import cache
from importlib import resources
from typing import Any

LIKE, LIKE_THOUGH_SEEN, UNLIKE = 0.1, 0.45, -0.9
_FEWEST_LETTERS = 12
_SIZE_BITS = 13
_GROUPS = (1, 2, 3)
_RIDGE = 0.1
_SAME = (("세입자", "임차인"), ("집주인", "임대인"), ("건물주", "임대인"))
_NUMBER = re.compile(r"\d[\d,.]*")
_HANGUL = re.compile("[가-힣]")
_NO_LETTER = re.compile(r"[\W_]+")


def likeness(clause: str) -> dict[str, float]:
    """How much a clause is like those that break each rule, by rule id; a title or a scrap is like nothing."""
    import numpy as np

    if len(_HANGUL.findall(clause)) < _FEWEST_LETTERS:
        return {}
    rules, weights, rarity = _model()
    vector = _letters(clause) * rarity
    length = float(np.linalg.norm(vector))
    return dict(zip(rules, map(float, vector @ weights / length), strict=True)) if length else {}


def examples() -> list[dict[str, Any]]:
    """The packaged clauses: `clause`, and in `findings` the ids of the rules that it breaks."""
    text = resources.files("madang.assistants.homes").joinpath("data/contract_examples.jsonl").read_text("utf-8")
    return [json.loads(line) for line in text.splitlines() if line.strip()]


@cache
def _model() -> tuple[list[str], Any, Any]:
    """The rules, a column of weights for each, and how much each letter group tells."""
    import numpy as np

    known = examples()
    rules = sorted({rule for example in known for rule in example["findings"]})
    rows = np.stack([_letters(example["clause"]) for example in known])
    rarity = np.log(1 + len(rows) / (1 + (rows > 0).sum(axis=0))).astype(np.float32)
    rows *= rarity
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    breaks = np.array([[1 if rule in one["findings"] else -1 for rule in rules] for one in known], dtype=np.float32)
    alike = rows @ rows.T
    alike[np.diag_indices_from(alike)] += _RIDGE
    return rules, rows.T @ np.linalg.solve(alike, breaks), rarity


def _letters(clause: str) -> Any:
    """Counts of letter groups, hashed; numbers and punctuation don't tell clauses apart, names of the parties do."""
    import numpy as np

    text = _NUMBER.sub("0", clause)
    for name, usual in _SAME:
        text = text.replace(name, usual)
    codes = np.frombuffer(f"^{_NO_LETTER.sub('', text)}$".encode("utf-32-le"), dtype=np.uint32).astype(np.uint64)
    counts = np.zeros(1 << _SIZE_BITS, dtype=np.float32)
    for size in _GROUPS:
        mixed = np.full(max(0, len(codes) - size + 1), size, dtype=np.uint64)
        for place in range(size):
            mixed = mixed * np.uint64(1000003) + codes[place : len(codes) - size + 1 + place]
        places = (mixed * np.uint64(0x9E3779B97F4A7C15)) >> np.uint64(64 - _SIZE_BITS)
        counts += np.bincount(places.astype(np.int64), minlength=len(counts)).astype(np.float32)
    return np.where(counts > 0, 1 + np.log(np.maximum(counts, 1)), 0).astype(np.float32)
