"""What a text is like, among labelled examples: for wordings that no rule foresees.

A ridge regression over hashed letter groups, one column a label. A score near 1 means "as the examples with this
label", near -1 "as the others".
"""

import re
from collections.abc import Collection, Sequence
from typing import Any

_SIZE_BITS = 13
_GROUPS = (1, 2, 3)
_RIDGE = 0.1
_NUMBER = re.compile(r"\d[\d,.]*")
_NO_LETTER = re.compile(r"[\W_]+")


class Likeness:
    """Made from examples, each a text and its labels; 3,700 of them take about a second."""

    def __init__(self, examples: Sequence[tuple[str, Collection[str]]]) -> None:
        import numpy as np

        self.labels = sorted({label for _, labels in examples for label in labels})
        rows = np.stack([_letters(text) for text, _ in examples])
        self._rarity = np.log(1 + len(rows) / (1 + (rows > 0).sum(axis=0))).astype(np.float32)
        rows *= self._rarity
        rows /= np.linalg.norm(rows, axis=1, keepdims=True)
        wanted = [[1 if label in labels else -1 for label in self.labels] for _, labels in examples]
        alike = rows @ rows.T
        alike[np.diag_indices_from(alike)] += _RIDGE
        self._weights = rows.T @ np.linalg.solve(alike, np.array(wanted, dtype=np.float32))

    def of(self, text: str) -> dict[str, float]:
        """The score of each label; empty for a text without letters."""
        import numpy as np

        vector = _letters(text) * self._rarity
        length = float(np.linalg.norm(vector))
        return dict(zip(self.labels, map(float, vector @ self._weights / length), strict=True)) if length else {}


def _letters(text: str) -> Any:
    """How often each group of letters is there, hashed; which number it is, blanks and punctuation don't count."""
    import numpy as np

    bare = _NO_LETTER.sub("", _NUMBER.sub("0", text))
    counts = np.zeros(1 << _SIZE_BITS, dtype=np.float32)
    if not bare:
        return counts
    codes = np.frombuffer(f"^{bare}$".encode("utf-32-le"), dtype=np.uint32).astype(np.uint64)
    for size in _GROUPS:
        mixed = np.full(len(codes) - size + 1, size, dtype=np.uint64)
        for place in range(size):
            mixed = mixed * np.uint64(1000003) + codes[place : len(codes) - size + 1 + place]
        places = (mixed * np.uint64(0x9E3779B97F4A7C15)) >> np.uint64(64 - _SIZE_BITS)
        counts += np.bincount(places.astype(np.int64), minlength=len(counts)).astype(np.float32)
    return np.where(counts > 0, 1 + np.log(np.maximum(counts, 1)), 0).astype(np.float32)
