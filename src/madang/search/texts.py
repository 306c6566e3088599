"""The full-text part: BM25 over whole documents, scaled so that 1 would be a document made of the query alone."""

from collections.abc import Mapping, Sequence

import numpy as np

from madang.search.statistics import Floats, Weights, document_frequency

K1, B = 1.2, 0.75
# A document of mean length that has every query word once reaches 1 / (1 + K1); this brings it to about 0.7.
HALF = 0.45

Query = Mapping[str, Mapping[str, float]]


class TextPart:
    """BM25 (by bm25s) over one kind of token."""

    def __init__(self, documents: Sequence[Sequence[str]], fillers: frozenset[str]) -> None:
        self._size = len(documents)
        self._weights = Weights(self._size, document_frequency(documents), fillers)
        self._ranker = None
        if any(documents):
            import bm25s

            self._ranker = bm25s.BM25(k1=K1, b=B, method="lucene")
            self._ranker.index([list(tokens) or [""] for tokens in documents], show_progress=False)

    def scores(self, query: Query) -> Floats:
        """Every document's score, 0 to 1. Each query token counts once, by itself or by its best expansion."""
        reached, possible = np.zeros(self._size), 0.0
        for token, alternatives in query.items():
            weight = self._weights.of(token)
            possible += weight
            best = self._one(token)
            for other, share in alternatives.items():
                best = np.maximum(best, np.minimum(share * self._one(other), weight))
            reached += best
        if not possible:
            return reached
        part = reached / possible
        return np.asarray((1 + HALF) * part / (part + HALF), dtype=np.float64)

    def _one(self, token: str) -> Floats:
        if self._ranker is None or token not in self._ranker.vocab_dict or not token:
            return np.zeros(self._size)
        return np.asarray(self._ranker.get_scores([token]), dtype=np.float64) * self._weights.factor(token)
