"""Counting the queries that a piece of work makes, in whatever threads it makes them."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass


@dataclass
class QueryCount:
    number: int = 0


_current: ContextVar[QueryCount | None] = ContextVar("works_queries", default=None)


@contextmanager
def count_queries() -> Iterator[QueryCount]:
    """Count the queries made inside."""
    count = QueryCount()
    token = _current.set(count)
    try:
        yield count
    finally:
        _current.reset(token)


def query_made() -> None:
    """One more query was sent to a database."""
    if (count := _current.get()) is not None:
        count.number += 1
