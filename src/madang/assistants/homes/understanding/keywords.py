"""The words of a question, sorted by what they are searched in."""

import re
from collections.abc import Sequence

from madang.text.morphemes import morphemes

_MONEY_WORDS = re.compile(r"대출|금리|이자|LTV|DSR|DTI|버팀목|디딤돌|보금자리|지원금")
_PRICE_WORDS = re.compile(r"시세|매물|평|㎡|가격|아파트|오피스텔|빌라|원룸")
MOST = 10


def keywords_of(question: str, words: Sequence[str], kinds: Sequence[str]) -> dict[str, list[str]]:
    """The telling words of a question for each kind of search; the rest is general."""
    found: dict[str, list[str]] = {"legal": [], "real_estate": [], "loan": [], "general": []}
    nouns = [word.form for word in morphemes(question) if word.tag in ("NNG", "NNP", "SL") and len(word.form) > 1]
    for word in dict.fromkeys([*words, *nouns]):
        kind = "loan" if _MONEY_WORDS.search(word) else "real_estate" if _PRICE_WORDS.search(word) else "legal"
        found[kind if kind in kinds else "general"].append(word)
    return {kind: listed[:MOST] for kind, listed in found.items()}
