"""Messages typed without blanks."""

import re

from madang.assistants.travel.understanding.slots.city_names import find_names_anywhere
from madang.text.morphemes import spaced

_GLUED = re.compile(r"[가-힣0-9]{8,}")
_SPLIT_NUMBER = re.compile(r"(?<=\d) (?=[만천백원명박일월인살년개달시분주])|(?<=[만천백]) (?=원)")


_NUMERAL = re.compile(r"(?:[일이삼사오육칠팔구]?[십백천만])[일이삼사오육칠팔구십백천만]+원?")


def respaced(text: str) -> str:
    """The message with blanks put into its long runs of letters; others come back as they are."""
    if not _GLUED.search(text):
        return text
    return _GLUED.sub(lambda run: _run(run.group()), text)


def _run(run: str) -> str:
    names = sorted({*find_names_anywhere(run), *_NUMERAL.findall(run)}, key=len, reverse=True)
    for name in names:
        run = re.sub(rf"(?<=[가-힣0-9])(?={name})", " ", run)
    apart = _SPLIT_NUMBER.sub("", spaced(run))
    for name in names:
        apart = re.sub(" ?".join(name), name, apart)
    return apart
