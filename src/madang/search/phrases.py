"""The issue layer: what people say, phrase by phrase. A document is as good as the best of its phrases."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from madang.search.statistics import Floats, Weights, accumulate, count, summed
from madang.search.texts import Query
from madang.search.vocabulary import Ids, Vocabulary


@dataclass(frozen=True)
class Likeness:
    """How two phrases are compared: `common / (common + extra * only in the query + missing * only in the phrase)`."""

    extra: float = 0.5
    missing: float = 0.2


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
        together = [np.concatenate(rows) if rows else np.zeros(0, dtype=np.int32) for rows in phrases]
        self._vocabulary = vocabulary
        self._weights = Weights(count(together, len(vocabulary)), vocabulary, fillers)
        flat = [row for rows in phrases for row in rows]
        counts = count(flat, len(vocabulary))
        self._rows, self._places, self._starts = counts.rows, counts.places.astype(np.int32), counts.starts
        # In the rows' own order: the numbers of tokens depend on the index's past, a sum's last bit must not.
        weights = self._weights.all()[np.concatenate([*flat, np.zeros(0, dtype=np.int32)])]
        self._row_weights = summed(np.repeat(np.arange(counts.rows), counts.lengths), weights, counts.rows)
        self._likeness = likeness or Likeness()

    def scores(self, query: Query) -> Floats:
        """Every row's likeness to the query, 0 to 1."""
        asked = sum(self._weights.of(token) for token in query)
        common = accumulate(self._plain(query), self._holding, self._rows)
        for token, others in query.items():
            if others:
                common += self._best_of({**others, token: 1.0}, self._weights.of(token))
        extra = self._likeness.extra * np.maximum(asked - common, 0)
        missing = self._likeness.missing * np.maximum(self._row_weights - common, 0)
        whole = common + extra + missing
        return np.divide(common, whole, out=np.zeros_like(common), where=whole > 0)

    def _plain(self, query: Query) -> Iterator[tuple[str, float]]:
        return ((token, self._weights.of(token)) for token, others in query.items() if not others)

    def _best_of(self, shares: dict[str, float], weight: float) -> Floats:
        best = np.zeros(self._rows)
        for token, share in shares.items():
            places = self._holding(token)
            best[places] = np.maximum(best[places], share)
        return best * weight

    def _holding(self, token: str) -> Ids:
        number = self._vocabulary.find(token)
        if number is None or number + 1 >= len(self._starts):
            return self._places[:0]
        return self._places[self._starts[number] : self._starts[number + 1]]
