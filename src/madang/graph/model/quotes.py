"""Where a quotation stands in a message: compared folded and without white space, mapped back to the text as sent."""

from functools import lru_cache

from madang.text.normalise import fold

Span = tuple[int, int]
SHORTEST = 1


@lru_cache(maxsize=64)
def _bare(text: str) -> tuple[str, tuple[int, ...], tuple[int, ...]]:
    """The text without white space in lower case, and for each character where it came from."""
    folded = fold(text)
    kept = [
        (char, start, end)
        for char, start, end in zip(folded.text.lower(), folded.starts, folded.ends, strict=False)
        if not char.isspace()
    ]
    return "".join(c for c, _, _ in kept), tuple(s for _, s, _ in kept), tuple(e for _, _, e in kept)


def places_of(quote: str, text: str) -> list[Span]:
    """Every place where the quotation stands, in order."""
    wanted, _, _ = _bare(quote.strip(" \t\n\"'“”‘’…"))
    bare, starts, ends = _bare(text)
    found: list[Span] = []
    at = bare.find(wanted) if len(wanted) >= SHORTEST else -1
    while at >= 0:
        found.append((starts[at], ends[at + len(wanted) - 1]))
        at = bare.find(wanted, at + 1)
    return found


def place_of(quote: str, text: str, near: Span | None = None) -> Span | None:
    """Where the quotation stands; of several places the one nearest `near`."""
    found = places_of(quote, text)
    if not found:
        return None
    if near is None:
        return found[0]
    return min(found, key=lambda span: 0 if near[0] <= span[0] < near[1] else min(abs(span[0] - n) for n in near))
