"""Lines of an answer as Markdown whose blocks stay apart in every client."""

import re
from collections.abc import Iterable

_ITEM = re.compile(r"\s*(?:[-*+]|\d{1,9}[.)])\s")
_RUNS = frozenset({"item", "table"})


def spaced(lines: Iterable[str]) -> str:
    """The lines as Markdown: items and table rows stay together, everything else is a block of its own.

    Without the blank lines CommonMark glues a paragraph to the list or the quotation before it. Lines of a quotation
    become paragraphs within it. Applying it again changes nothing.
    """
    made: list[str] = []
    before = ""
    for line in (piece for text in lines for piece in text.splitlines()):
        if not line.strip() or line.strip() == ">":
            continue
        kind = _kind(line)
        if before == kind == "quote":
            made.append(">")
        elif before and not (kind in _RUNS and kind == before) and not (before == "item" and kind == "more"):
            made.append("")
        made.append(line)
        before = "item" if kind == "more" and before == "item" else kind
    return "\n".join(made)


def _kind(line: str) -> str:
    if _ITEM.match(line):
        return "item"
    if line.startswith("|"):
        return "table"
    if line.startswith(">"):
        return "quote"
    return "more" if line.startswith("  ") else "text"
