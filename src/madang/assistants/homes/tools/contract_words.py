"""Concepts of contracts: classes of words with one meaning, found in a text reduced to the stems of its words.

A noun is written as it is (전입신고) and found however it is spaced or inflected. A stem ends with a hyphen (비우-),
so that it is a word of its own. Parts set apart by a blank may have two other words between them, by " .. " any number.
"@name" stands for another concept, "re:" begins an expression over the stems.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

from madang.assistants.homes import data
from madang.caches import remembered
from madang.errors import UnreadableData
from madang.text.morphemes import Morpheme

_KEPT = ("NN", "NR", "NP", "XR", "XPN", "XSN", "SL", "SN", "MM", "MAG", "VV", "VA", "VCN")
# Auxiliaries that matter: denials, and "~해 드리다", which says that the landlord does it.
_AUXILIARIES = frozenset({"않", "못하", "말", "아니하", "드리", "나가", "내"})
# "안 간다" is put as "가지 않는다".
_ADVERBS = {"안": "않", "못": "못하"}
_EMPTY = frozenset({"하", "되", "것", "그", "이"})
_ANCHOR = 4
# About the bytes that all remembered clauses may take, and one run of letters does.
KEPT, EACH = 8 << 20, 150
# The rest of a word and up to two words more.
_NEAR = r"\S{0,20}?(?: (?:\S{1,20} ){0,2}\S{0,20}?)?"
_RECIPIENT = frozenset({"에게", "한테", "께"})


@dataclass(frozen=True)
class Concept:
    """Words of one meaning, each an expression, by letters that must be there for it to fit at all."""

    words: dict[str, list[re.Pattern[str]]]

    def is_in(self, text: str) -> bool:
        """Whether the text, as `stems` gives it, has one of the words."""
        there = _letter_runs(text) & self.words.keys()
        return any(pattern.search(text) for anchor in there for pattern in self.words[anchor])


def _weight(text: str, runs: frozenset[str]) -> int:
    return 2 * len(text) + EACH * len(runs)


@remembered("letter runs of clauses", KEPT, _weight)
def _letter_runs(text: str) -> frozenset[str]:
    """Every run of letters as long as an anchor can be, the empty one too."""
    letters = text.replace(" ", "")
    return frozenset(letters[at : at + size] for size in range(_ANCHOR + 1) for at in range(len(letters)))


def stems(tokens: Iterable[Morpheme]) -> str:
    """The words that carry meaning, each as its stem between blanks; particles and endings are left out."""
    kept: list[str] = []
    before = denial = ""
    for token in tokens:
        if token.tag == "MAG" and token.form in _ADVERBS:
            denial = _ADVERBS[token.form]
            continue
        # An auxiliary that follows no ending is a verb taken for one (짐을 버려도).
        if _carries_meaning(token) or (token.tag == "VX" and before != "EC" and token.form not in _EMPTY):
            kept.append(_stem(token))
        elif token.form == "것" and before in {"NNG", "MM", "JKG"}:
            kept.append("것")
        if denial and token.tag.startswith(("V", "XSV")):
            kept.append(denial)
            denial = ""
        before = token.tag
    return f" {' '.join(kept)} "


@cache
@data.well_formed("contract_words.toml")
def concepts() -> dict[str, Concept]:
    """Every packaged concept by its name. Raises `UnreadableData` if the file is wrong."""
    table = data.load("contract_words.toml")
    return {name: _compiled(name, table) for name in table}


def _compiled(name: str, table: dict[str, list[str]]) -> Concept:
    words: dict[str, list[re.Pattern[str]]] = {}
    for word in _words(name, table, ()):
        words.setdefault(_anchor(word), []).append(re.compile(_phrase(word)))
    return Concept(words)


def _words(name: str, table: dict[str, list[str]], above: tuple[str, ...]) -> list[str]:
    """A concept's words; a word "@other" stands for all words of that concept."""
    if name in above:
        raise UnreadableData(f"contract_words.toml: {name} contains itself")
    found: list[str] = []
    for word in table[name]:
        if word.startswith("@"):
            found += _words(word[1:], table, (*above, name))
        else:
            found.append(word)
    return found


def _anchor(word: str) -> str:
    """The longest part of a word, or as much of it as is looked for; nothing for an expression."""
    parts = [part.removesuffix("-") for part in word.split() if part not in _ADVERBS and part not in {"..", "아니하-"}]
    return "" if word.startswith("re:") else max(parts, key=len, default="")[:_ANCHOR]


def _phrase(word: str) -> str:
    if word.startswith("re:"):
        return f"(?:{word[3:]})"
    far = [_NEAR.join(map(_part, _denied_after(near.split()))) for near in word.split(" .. ")]
    # What comes before isn't looked for again on the way to what follows: the work grows as the text does.
    return far[0] + "".join(f"(?:(?!{left}).)*?{right}" for left, right in pairwise(far))


def _denied_after(parts: list[str]) -> list[str]:
    """The parts with a denying adverb put behind its verb, as `stems` does."""
    for at, part in enumerate(parts[:-1]):
        if part in _ADVERBS:
            parts[at : at + 2] = [parts[at + 1], f"{_ADVERBS[part]}-"]
    return ["않-" if part == "아니하-" else part for part in parts]


def _part(word: str) -> str:
    letters = word.removesuffix("-")
    spaced = "없이?" if letters == "없" else " ?".join(map(re.escape, letters))
    if word.endswith("-") or len(letters) == 1:
        return rf"(?<= ){spaced}(?= )"
    return rf"(?:{re.escape(letters)}|(?<= ){spaced})"


def _stem(token: Morpheme) -> str:
    """The form; an adjective on -하 is its root (정당하 is 정당), as nouns on -하 already are."""
    if token.form == "아니하":
        return "않"
    return token.form[:-1] if token.tag.startswith("VA") and token.form.endswith("하") else token.form


def _carries_meaning(token: Morpheme) -> bool:
    if token.tag == "VX":
        return token.form in _AUXILIARIES
    if token.tag == "JKB":
        return token.form in _RECIPIENT
    return token.tag.startswith(_KEPT) and token.form not in _EMPTY
