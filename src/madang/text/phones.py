"""Telephone numbers, kept as they are written so that nothing counts with them."""

import re

from madang.text.parsed import Parsed, make, on_folded

_PHONE = re.compile(
    r"(?<![\d-])(?:\+?82[-\s]?|0)\d{1,2}[-\s.]\d{3,4}[-\s.]\d{4}(?![\d-])|(?<![\d-])1[5-9]\d{2}-\d{4}(?![\d-])"
)


def find_phones(text: str) -> list[Parsed[str]]:
    """Korean telephone numbers in order of appearance; the value is their digits."""
    return on_folded(text, lambda folded: [_phone(folded, match) for match in _PHONE.finditer(folded)])


def _phone(text: str, match: re.Match[str]) -> Parsed[str]:
    return make(text, *match.span(), re.sub(r"\D", "", match.group()), 0.95)
