"""How telling a token is, and tokens' places: the small numerics that the parts share."""

import math
from collections.abc import Callable, Iterable, Sequence

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]

FILLER_WEIGHT = 0.15


def inverse_frequency(documents: int, containing: int) -> float:
    """BM25's idf (Lucene's form, never negative) of a token that `containing` of `documents` have."""
    return math.log(1 + (documents - containing + 0.5) / (containing + 0.5))


class Weights:
    """The weight of any token, also of one that no document has; words that frame questions weigh little."""

    def __init__(self, documents: int, frequency: dict[str, int], fillers: frozenset[str]) -> None:
        self._documents = documents
        self._frequency = frequency
        self._fillers = fillers

    def of(self, token: str) -> float:
        return inverse_frequency(self._documents, self._frequency.get(token, 0)) * self.factor(token)

    def factor(self, token: str) -> float:
        """What is left of a token's weight because of what it is."""
        return FILLER_WEIGHT if token in self._fillers else 1.0


def document_frequency(tokens_by_document: Iterable[Iterable[str]]) -> dict[str, int]:
    """In how many documents each token stands."""
    counts: dict[str, int] = {}
    for tokens in tokens_by_document:
        for token in set(tokens):
            counts[token] = counts.get(token, 0) + 1
    return counts


class Postings:
    """Which rows hold a token (once per row, however often it stands there), and every row's total weight."""

    def __init__(self, rows: Sequence[Sequence[str]], weight: Callable[[str], float]) -> None:
        self.rows = len(rows)
        places: dict[str, list[int]] = {}
        self.weight = np.zeros(self.rows)
        for number, tokens in enumerate(rows):
            for token in dict.fromkeys(tokens):
                places.setdefault(token, []).append(number)
                self.weight[number] += weight(token)
        self._places = {token: np.array(numbers, dtype=np.int32) for token, numbers in places.items()}

    def holding(self, token: str) -> npt.NDArray[np.int32] | None:
        return self._places.get(token)
