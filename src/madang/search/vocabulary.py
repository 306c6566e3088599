"""Tokens as numbers. One vocabulary is shared by all versions of an index and only ever grows."""

import threading
from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

Ids = npt.NDArray[np.int32]


class Vocabulary:
    """Numbers for tokens, handed out in the order they are first seen. Safe from several threads."""

    def __init__(self) -> None:
        self._ids: dict[str, int] = {}
        self._tokens: list[str] = []
        self._lock = threading.Lock()

    def __len__(self) -> int:
        return len(self._tokens)

    def ids(self, tokens: Iterable[str]) -> Ids:
        """The tokens' numbers, new ones made as needed."""
        with self._lock:
            return np.array([self._id(token) for token in tokens], dtype=np.int32)

    def _id(self, token: str) -> int:
        number = self._ids.get(token)
        if number is None:
            number = self._ids[token] = len(self._tokens)
            self._tokens.append(token)
        return number

    def find(self, token: str) -> int | None:
        """The token's number if it has one."""
        return self._ids.get(token)

    def tokens(self, ids: Iterable[int]) -> list[str]:
        return [self._tokens[number] for number in ids]
