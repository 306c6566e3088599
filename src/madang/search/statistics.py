"""Token counts over documents, and how telling a token is: few documents have it, and it doesn't frame questions."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from madang.search.vocabulary import Ids, Vocabulary

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]

FILLER_WEIGHT = 0.15


@dataclass(frozen=True)
class Counts:
    """How often each token stands in each row, sorted by token, then row; only where it does."""

    rows: int
    size: int
    tokens: Integers
    places: Integers
    times: Integers
    lengths: Integers

    @property
    def starts(self) -> Integers:
        """Where each token's entries begin; one more entry marks the end."""
        return np.concatenate([[0], np.cumsum(self.frequency)])

    @property
    def frequency(self) -> Integers:
        """In how many rows each token of the vocabulary stands."""
        return np.asarray(np.bincount(self.tokens, minlength=self.size), dtype=np.int64)


def count(rows: Sequence[Ids], size: int) -> Counts:
    """The counts of `rows` over a vocabulary of `size` tokens."""
    lengths = np.array([len(row) for row in rows], dtype=np.int64)
    tokens = np.concatenate([*rows, np.zeros(0, dtype=np.int32)]).astype(np.int64)
    keys = tokens * max(len(rows), 1) + np.repeat(np.arange(len(rows)), lengths)
    distinct, times = np.unique(keys, return_counts=True)
    found, places = np.divmod(distinct, max(len(rows), 1))
    return Counts(len(rows), size, found, places, times, lengths)


class Weights:
    """The weight of any token, also of one that no document has: BM25's idf (Lucene's form, never negative)."""

    def __init__(self, counts: Counts, vocabulary: Vocabulary, fillers: frozenset[str]) -> None:
        self._documents = counts.rows
        self._frequency = counts.frequency
        self._vocabulary = vocabulary
        self._fillers = fillers

    def of(self, token: str) -> float:
        number = self._vocabulary.find(token)
        having = float(self._frequency[number]) if number is not None and number < len(self._frequency) else 0.0
        return self.factor(token) * math.log(1 + (self._documents - having + 0.5) / (having + 0.5))

    def factor(self, token: str) -> float:
        """What is left of a token's weight because of what it is."""
        return FILLER_WEIGHT if token in self._fillers else 1.0

    def plain(self) -> Floats:
        """The idf of the whole vocabulary, by number."""
        return np.asarray(np.log(1 + (self._documents - self._frequency + 0.5) / (self._frequency + 0.5)))

    def all(self) -> Floats:
        """The weights of the whole vocabulary, by number."""
        weights = self.plain()
        for token in self._fillers:
            number = self._vocabulary.find(token)
            if number is not None and number < len(weights):
                weights[number] *= FILLER_WEIGHT
        return weights


def summed(places: Integers | Ids, weights: Floats, rows: int) -> Floats:
    """For every row the sum of the weights put there."""
    return np.asarray(np.bincount(places, weights=weights, minlength=rows), dtype=np.float64)
