"""Which queries a piece of work makes, in whatever threads it makes them."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_made: ContextVar[list[str]] = ContextVar("works_queries")


@contextmanager
def noted_queries() -> Iterator[list[str]]:
    """The queries that are made inside."""
    queries: list[str] = []
    token = _made.set(queries)
    try:
        yield queries
    finally:
        _made.reset(token)


def note_query(sql: str) -> None:
    """One more query is sent to a database."""
    _made.get([]).append(sql)
