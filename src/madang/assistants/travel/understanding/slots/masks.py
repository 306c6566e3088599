"""Letters that one reader has taken, hidden from the next; the message keeps its length and its places."""

from collections.abc import Iterable

NAME = "□"
PERSON = "◇"
SUM = "▫"


def masked(text: str, spans: Iterable[tuple[int, int]], mark: str) -> str:
    """The message with each letter of the spans replaced by the mark."""
    letters = list(text)
    for start, end in spans:
        letters[start:end] = mark * (end - start)
    return "".join(letters)
