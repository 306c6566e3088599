"""How much of a query each row holds, by the weight of the tokens; how often they stand there doesn't count."""

from collections.abc import Iterable, Mapping

import numpy as np

from madang.search.statistics import Counts, Floats, Weights, summed
from madang.search.vocabulary import Ids, Vocabulary

Query = Mapping[str, Mapping[str, float]]


class Overlap:
    """The rows of `counts`, compared with queries."""

    def __init__(self, counts: Counts, weights: Weights, vocabulary: Vocabulary) -> None:
        self.rows = counts.rows
        self._weights = weights
        self._vocabulary = vocabulary
        self._places, self._starts = counts.places.astype(np.int32), counts.starts

    def asked(self, query: Query) -> float:
        """The weight of the whole query."""
        return sum(self._weights.of(token) for token in query)

    def common(self, query: Query) -> Floats:
        """For every row the weight of what it has of the query. A token counts by itself or by its best expansion."""
        plain = [(token, self._weights.of(token)) for token, others in query.items() if not others]
        common = self._accumulated(plain)
        for token, others in query.items():
            if others:
                common += self._best_of({**others, token: 1.0}) * self._weights.of(token)
        return common

    def share(self, query: Query) -> Floats:
        """For every row how much of the query it has, 0 to 1."""
        asked = self.asked(query)
        return np.minimum(self.common(query) / asked, 1.0) if asked else np.zeros(self.rows)

    def _accumulated(self, terms: Iterable[tuple[str, float]]) -> Floats:
        places, weights = [np.zeros(0, dtype=np.int32)], [np.zeros(0)]
        for token, weight in terms:
            found = self._holding(token)
            places.append(found)
            weights.append(np.full(len(found), weight))
        return summed(np.concatenate(places), np.concatenate(weights), self.rows)

    def _best_of(self, shares: Mapping[str, float]) -> Floats:
        best = np.zeros(self.rows)
        for token, share in shares.items():
            places = self._holding(token)
            best[places] = np.maximum(best[places], share)
        return best

    def _holding(self, token: str) -> Ids:
        number = self._vocabulary.find(token)
        if number is None or number + 1 >= len(self._starts):
            return self._places[:0]
        return self._places[self._starts[number] : self._starts[number + 1]]
