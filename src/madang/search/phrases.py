"""The issue layer: what people say, phrase by phrase. A document is as good as the best of its phrases."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from madang.search.overlaps import Overlap, Query
from madang.search.statistics import Floats, Weights, count, summed
from madang.search.vocabulary import Ids, Vocabulary


@dataclass(frozen=True)
class Likeness:
    """How two phrases are compared: `common / (common + extra * only in the query + missing * only in the phrase)`."""

    extra: float = 0.7
    missing: float = 0.1


class PhrasePart:
    """Rows of phrases over one kind of token. A token's weight goes by documents: a word is telling when few of them
    use it, however many of one document's phrases do.
    """

    def __init__(
        self,
        phrases: Sequence[Sequence[Ids]],
        vocabulary: Vocabulary,
        fillers: frozenset[str] = frozenset(),
        likeness: Likeness | None = None,
    ) -> None:
        nothing = np.zeros(0, dtype=np.int32)
        together = [np.concatenate([*rows, nothing]) for rows in phrases]
        weights = Weights(count(together, len(vocabulary)), vocabulary, fillers)
        flat = [row for rows in phrases for row in rows]
        counts = count(flat, len(vocabulary))
        self._overlap = Overlap(counts, weights, vocabulary)
        # In the rows' own order: the numbers of tokens depend on the index's past, a sum's last bit must not.
        by_token = weights.all()[np.concatenate([*flat, nothing])]
        self._row_weights = summed(np.repeat(np.arange(counts.rows), counts.lengths), by_token, counts.rows)
        self._likeness = likeness or Likeness()

    def scores(self, query: Query) -> Floats:
        """Every row's likeness to the query, 0 to 1."""
        common = self._overlap.common(query)
        extra = self._likeness.extra * np.maximum(self._overlap.asked(query) - common, 0)
        missing = self._likeness.missing * np.maximum(self._row_weights - common, 0)
        whole = common + extra + missing
        return np.divide(common, whole, out=np.zeros_like(common), where=whole > 0)
