"""Token counts without a tokenizer file, and inputs cut to a budget.

The estimate is on the high side for Korean, so that a budget is kept with any provider's tokenizer.
"""

import re
from collections.abc import Mapping

WORD = re.compile(r"[A-Za-z0-9]+|[^\sA-Za-z0-9]")
ELLIPSIS = "\n… (중략) …\n"


def estimate_tokens(text: str) -> int:
    """About how many tokens a model sees in `text`: one per Hangul syllable or mark, one per four Latin letters."""
    return sum(1 if not match.group().isascii() else (len(match.group()) + 3) // 4 for match in WORD.finditer(text))


def trim(text: str, limit: int) -> str:
    """`text` if it fits in `limit` tokens; otherwise its beginning and end around a mark that says it was cut."""
    if estimate_tokens(text) <= limit:
        return text
    room = limit - estimate_tokens(ELLIPSIS)
    if room <= 0:
        return ""
    head = _prefix(text, room - room // 3)
    tail = _prefix(text[::-1], room // 3)[::-1]
    return head + ELLIPSIS + tail


def _prefix(text: str, limit: int) -> str:
    low, high = 0, len(text)
    while low < high:
        middle = (low + high + 1) // 2
        if estimate_tokens(text[:middle]) <= limit:
            low = middle
        else:
            high = middle - 1
    return text[:low]


def fit(values: Mapping[str, str], limit: int) -> tuple[dict[str, str], tuple[str, ...]]:
    """The values cut so that together they fit in `limit` tokens, and the names of those that were cut.

    The longest are cut first, to one common length: a short input is never cut to make room for a long one.
    """
    sizes = {name: estimate_tokens(text) for name, text in values.items()}
    cap = _common_cap(sorted(sizes.values()), limit)
    cut = tuple(name for name, size in sizes.items() if size > cap)
    return {name: trim(text, cap) if name in cut else text for name, text in values.items()}, cut


def _common_cap(ascending: list[int], limit: int) -> int:
    left = max(0, limit)
    for position, size in enumerate(ascending):
        share = left // (len(ascending) - position)
        if size > share:
            return share
        left -= size
    return ascending[-1] if ascending else 0
