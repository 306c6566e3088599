"""The full-text part: BM25 over whole documents, scaled so that 1 would be a document made of the query alone."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from madang.search.overlaps import Query
from madang.search.statistics import Counts, Floats, Weights, count
from madang.search.vocabulary import Ids, Vocabulary

if TYPE_CHECKING:
    from bm25s import BM25

K1, B = 1.2, 0.75
# A document of mean length that has every query word once reaches 1 / (1 + K1); this brings it to about 0.7.
HALF = 0.45


def bm25(counts: Counts, weights: Floats) -> "BM25":
    """A bm25s ranker for `counts`, the same as its own `index` makes, but in a few array operations.

    bm25s counts document by document in Python; an update of one document shouldn't take that long.
    """
    import bm25s

    mean = counts.lengths.mean() if counts.rows else 0.0
    norm = K1 * (1 - B + B * counts.lengths[counts.places] / (mean or 1.0))
    ranker = bm25s.BM25(k1=K1, b=B, method="lucene")
    ranker.scores = {
        "data": (weights[counts.tokens] * counts.times / (norm + counts.times)).astype(np.float32),
        "indices": counts.places.astype(np.int32),
        "indptr": counts.starts,
        "num_docs": counts.rows,
    }
    ranker.nonoccurrence_array = None
    return ranker


class TextPart:
    """BM25 over one kind of token."""

    def __init__(self, documents: Sequence[Ids], vocabulary: Vocabulary, fillers: frozenset[str]) -> None:
        counts = count(documents, len(vocabulary))
        self._size, self._known = counts.rows, counts.size
        self._vocabulary = vocabulary
        self._weights = Weights(counts, vocabulary, fillers)
        self._ranker = bm25(counts, self._weights.plain())

    def scores(self, query: Query) -> Floats:
        """Every document's score, 0 to 1. Each query token counts once, by itself or by its best expansion."""
        possible = sum(self._weights.of(token) for token in query)
        if not possible:
            return np.zeros(self._size)
        reached = np.zeros(self._size)
        for factor in sorted({self._weights.factor(token) for token in query}):
            alike = [token for token in query if not query[token] and self._weights.factor(token) == factor]
            reached += factor * self._bm25(alike)
        for token, others in query.items():
            if others:
                reached += self._best_of(token, others)
        part = reached / possible
        return np.asarray((1 + HALF) * part / (part + HALF), dtype=np.float64)

    def _best_of(self, token: str, others: Mapping[str, float]) -> Floats:
        weight = self._weights.of(token)
        best = self._weights.factor(token) * self._bm25([token])
        for other, share in others.items():
            best = np.maximum(best, share * np.minimum(self._bm25([other]), weight))
        return best

    def _bm25(self, tokens: Sequence[str]) -> Floats:
        numbers = (self._vocabulary.find(token) for token in tokens)
        known = [number for number in numbers if number is not None and number < self._known]
        if not known:
            return np.zeros(self._size)
        return np.asarray(self._ranker.get_scores_from_ids(known), dtype=np.float64)
