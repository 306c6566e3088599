"""Vectors of morphemes, recovered from what Kiwi's own language model tells: how alike two morphemes are.

A morpheme's likenesses to some hundred others, its `anchors`, times one matrix are its vector. What all words have in
common is taken out, so that unrelated words are near 0.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from madang.text.morphemes import likenesses

ANCHORS, SIZE = 320, 128
# Directions in which nearly all words lie, and axes of which nothing but rounding is left.
_COMMON, _LEAST_AXIS = 2, 1e-3
_KEPT = 20_000
# Words that the model can't know have numbers from here on.
_FOREIGN = 1 << 31


@dataclass(frozen=True, eq=False)
class WordVectors:
    """Learnt from the words of a collection of texts."""

    anchors: tuple[int, ...]
    centre: Any
    basis: Any
    _known: dict[int, Any] = field(default_factory=dict)

    @classmethod
    def learn(cls, words: Iterable[int]) -> "WordVectors":
        """From the numbers of a collection's words, of which the model knows thousands."""
        import numpy as np

        known = [word for word in sorted(set(words)) if word < _FOREIGN and likenesses(word, [word])[0] > 0]
        anchors = known[:: max(1, len(known) // ANCHORS)][:ANCHORS]
        values, axes = np.linalg.eigh(np.array([likenesses(one, anchors) for one in anchors]))
        whole = axes[:, values > _LEAST_AXIS] / np.sqrt(values[values > _LEAST_AXIS])
        vectors = np.array([likenesses(word, anchors) for word in known]) @ whole
        centre = vectors.mean(axis=0)
        _, _, directions = np.linalg.svd(vectors - centre, full_matrices=False)
        chosen = directions[_COMMON : _COMMON + SIZE].T
        return cls(tuple(anchors), (centre @ chosen).astype(np.float32), np.asarray(whole @ chosen, dtype=np.float32))

    def of(self, word: int) -> Any:
        """A word's vector of length 1; None for one that the model doesn't know."""
        import numpy as np

        if word >= _FOREIGN:
            return None
        if word not in self._known:
            alike = np.array(likenesses(word, self.anchors), dtype=np.float32)
            vector = alike @ self.basis - self.centre
            length = float(np.linalg.norm(vector))
            if len(self._known) >= _KEPT:
                self._known.clear()
            self._known[word] = vector / length if length > 0 else None
        return self._known[word]

    def meaning(self, words: Sequence[int], rarity: Mapping[int, float], otherwise: float) -> Any:
        """The direction in which a text's words point together, each by its rarity; all 0 if none is known."""
        import numpy as np

        whole = np.zeros(self.basis.shape[1], dtype=np.float32)
        for word in set(words):
            vector = self.of(word)
            if vector is not None:
                whole += rarity.get(word, otherwise) * vector
        length = float(np.linalg.norm(whole))
        return whole / length if length > 0 else whole
