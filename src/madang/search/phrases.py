"""The issue layer: what people say, phrase by phrase. A document is as good as the best of its phrases."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from madang.search.statistics import Floats, Postings, Weights, document_frequency
from madang.search.texts import Query


@dataclass(frozen=True)
class Likeness:
    """How two phrases are compared: `common / (common + extra * only in the query + missing * only in the phrase)`."""

    extra: float = 0.35
    missing: float = 0.5


class PhrasePart:
    """Rows of phrases over one kind of token, each row belonging to a document."""

    def __init__(
        self,
        rows: Sequence[Sequence[str]],
        owners: npt.NDArray[np.int32],
        documents: int,
        fillers: frozenset[str] = frozenset(),
        likeness: Likeness | None = None,
    ) -> None:
        together: list[list[str]] = [[] for _ in range(documents)]
        for owner, row in zip(owners, rows, strict=True):
            together[owner].extend(row)
        # A word is telling when few documents use it, however many of one document's phrases do.
        self._weights = Weights(documents, document_frequency(together), fillers)
        self._postings = Postings(rows, self._weights.of)
        self._likeness = likeness or Likeness()

    def scores(self, query: Query) -> Floats:
        """Every row's likeness to the query, 0 to 1."""
        common, asked = np.zeros(self._postings.rows), 0.0
        for token, alternatives in query.items():
            weight = self._weights.of(token)
            asked += weight
            hit = np.zeros(self._postings.rows)
            for other, share in {**alternatives, token: 1.0}.items():
                places = self._postings.holding(other)
                if places is not None:
                    hit[places] = np.maximum(hit[places], share)
            common += hit * weight
        extra = self._likeness.extra * (asked - common)
        missing = self._likeness.missing * np.maximum(self._postings.weight - common, 0)
        whole = common + extra + missing
        return np.divide(common, whole, out=np.zeros_like(common), where=whole > 0)
