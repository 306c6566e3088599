"""Answers as a reader's client shows them."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from markdown_it import MarkdownIt


def glued(markdown: str) -> list[str]:
    """Blocks that a CommonMark client shows as one although they were written as several lines."""
    tokens = MarkdownIt("commonmark").enable("table").parse(markdown)
    return [token.content for token in tokens if token.type == "inline" and "\n" in token.content]


def raw_cells(table: Sequence[Mapping[str, Any]]) -> list[str]:
    """Column titles and cells of a table that aren't Korean titles and text for people."""
    titles = [name for row in table for name in row if not re.search(r"[가-힣]", name)]
    return [*titles, *(f"{name}: {cell!r}" for row in table for name, cell in row.items() if not _readable(cell))]


def _readable(cell: Any) -> bool:
    return isinstance(cell, str) and not re.fullmatch(r"[a-z_.]+|\d{4,}", cell)


def tables_in(value: Any) -> Iterator[Sequence[Mapping[str, Any]]]:
    """Every `table` in structured data."""
    if isinstance(value, Mapping):
        for name, inner in value.items():
            if name == "table":
                yield inner
            else:
                yield from tables_in(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from tables_in(inner)
