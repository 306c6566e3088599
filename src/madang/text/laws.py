"""Law names with their everyday aliases, and article references: 주임법 7조의2, 시행령 10조 1항 2호."""

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from madang.text.data import load
from madang.text.numerals import sino_value
from madang.text.parsed import Parsed, make, on_folded

LawKind = Literal["법률", "시행령", "시행규칙", "규약"]


@dataclass(frozen=True)
class LawRef:
    """A law or one of its articles. `law` is the official title, `None` when only an article was named.

    `article` is written 제7조의2; `paragraph`, `item` and `subitem` are 항, 호 and 목.
    """

    law: str | None
    kind: LawKind = "법률"
    article: str | None = None
    paragraph: int | None = None
    item: int | None = None
    subitem: str | None = None

    @property
    def key(self) -> str | None:
        """The title without blanks, as statute folders are named."""
        return self.law.replace(" ", "") if self.law else None


_NUMBER = r"(?:\d{1,4}|[일이삼사오육칠팔구십백천]{1,7})"
_ARTICLE = (
    rf"(?:제\s?)?(?P<article>{_NUMBER})\s?조(?!원|\s?\d?\s?교대"
    rf"|[\s\d천백,]*억)(?:\s?의\s?(?P<branch>{_NUMBER})(?!\s?[조항호]))?"
    rf"(?:\s?,?\s?(?:제\s?)?(?P<paragraph>{_NUMBER})\s?항|\s?(?P<circled>[①-⑮]))?"
    rf"(?:\s?,?\s?(?:제\s?)?(?P<item>{_NUMBER})\s?호(?!선|실"
    rf"|텔))?(?:\s?(?P<subitem>[가나다라마바사아자차카타파하])\s?목)?"
)
_ARTICLE_RE = re.compile(rf"(?<![\d가-힣])(?:{_ARTICLE})")
_ATTACHED_RE = re.compile(_ARTICLE)
_DECREE = re.compile(
    r"\s?(?:의\s?)?(?P<kind>시행\s?령|시행\s?규칙|시행\s?세칙|대통령령|령(?=\s?제?\s?\d)|규칙(?=\s?제?\s?\d))"
)
_BARE_DECREE = re.compile(r"(?<![가-힣])(?P<kind>시행\s?령|시행\s?규칙)")
_BETWEEN = re.compile(r"[」』\"'’”)\]]?\s?(?:상|의|에서|에|은|는|이|가|을|를)?\s?")
_SENTENCE_END = re.compile(r"[.!?\n]")


@lru_cache(maxsize=1)
def law_titles() -> dict[str, str]:
    """Every surface (title or alias, without blanks) and the official title it stands for."""
    table: dict[str, list[str]] = load("laws")
    surfaces = {}
    for title, aliases in table.items():
        for name in (title, *aliases):
            surfaces[name.replace(" ", "")] = title
    return surfaces


@lru_cache(maxsize=1)
def _names() -> re.Pattern[str]:
    """Any law's name, with blanks allowed between its letters; a short one must begin a word."""
    surfaces = sorted(law_titles(), key=len, reverse=True)
    spaced = [r"\s?".join(map(re.escape, surface)) for surface in surfaces]
    return re.compile(rf"(?<![가-힣])(?:{'|'.join(spaced)})")


def find_laws(text: str) -> list[Parsed[LawRef]]:
    """Laws and articles in order of appearance; an article without a law belongs to the law named before it in
    the same sentence (민법 618조랑 623조)."""
    return on_folded(text, _find)


def _find(text: str) -> list[Parsed[LawRef]]:
    found: list[Parsed[LawRef]] = []
    law: str | None = None
    kind: LawKind = "법률"
    heads = _Mentions(text)
    at = 0
    while head := heads.next(at):
        if _SENTENCE_END.search(text, at, head.start()):
            law, kind = None, "법률"
        if head.re is _ARTICLE_RE:
            found += _reference(text, head.start(), head, law, kind)
            at = max(head.end(), at + 1)
            continue
        end = head.end()
        if head.re is _BARE_DECREE:
            kind = _kind(head["kind"])
        else:
            law = law_titles()[re.sub(r"\s", "", head.group())]
            decree = _DECREE.match(text, end)
            kind = _kind(decree["kind"]) if decree else "규약" if law.endswith("규약") else "법률"
            end = decree.end() if decree else end
        between = _BETWEEN.match(text, end)
        article = _ATTACHED_RE.match(text, between.end() if between else end)
        if article:
            found += _reference(text, head.start(), article, law, kind)
            at = article.end()
        else:
            found.append(make(text, head.start(), end, LawRef(law, kind), 0.9 if law else 0.6))
            at = end
    return found


class _Mentions:
    """The law names, decrees and articles of a text, each pattern searched once from left to right."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._ahead = {pattern: pattern.search(text) for pattern in (_names(), _BARE_DECREE, _ARTICLE_RE)}

    def next(self, at: int) -> re.Match[str] | None:
        """The nearest one that begins at `at` or later; where two begin together, the longer."""
        for pattern, match in self._ahead.items():
            if match and match.start() < at:
                self._ahead[pattern] = pattern.search(self._text, at)
        heads = [match for match in self._ahead.values() if match]
        return min(heads, key=lambda match: (match.start(), -match.end()), default=None)


def _kind(word: str) -> LawKind:
    return "시행규칙" if "규칙" in word or "세칙" in word else "시행령"


def _int(word: str | None) -> int | None:
    if not word:
        return None
    return int(word) if word.isdigit() else sino_value(word)


def _reference(text: str, start: int, match: re.Match[str], law: str | None, kind: LawKind) -> list[Parsed[LawRef]]:
    number, branch = _int(match["article"]), _int(match["branch"])
    plain = law is None and kind == "법률"
    bare = match.group().startswith("제") or match["branch"] or match["paragraph"]
    if not number or (plain and not bare and not match["article"].isdigit()):
        return []
    circled = ord(match["circled"]) - ord("①") + 1 if match["circled"] else None
    reference = LawRef(
        law,
        kind,
        f"제{number}조" + (f"의{branch}" if branch else ""),
        _int(match["paragraph"]) or circled,
        _int(match["item"]),
        match["subitem"],
    )
    return [make(text, start, match.end(), reference, 0.6 if plain and not bare else 0.8 if plain else 0.97)]
