"""One shared Kiwi, loaded when first asked for (about a second), and what is read off it."""

import re
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.util import find_spec
from math import isnan
from typing import TYPE_CHECKING, Literal

from madang.caches import remembered
from madang.errors import needs_extra
from madang.text.normalise import fold, squeeze
from madang.text.particles import strip_particles

if TYPE_CHECKING:
    from kiwipiepy import Kiwi

__all__ = ["Morpheme", "bigrams", "content_words", "is_loaded", "known_as", "morphemes", "strip_particles"]

_CONTENT = ("NN", "NR", "NP", "SL", "SH", "SN", "XR", "VV", "VA", "MAG")
_TELLING = ("NN", "NR", "SL", "XR", "XP", "VV", "VA", "VX", "VC", "MA")
_LIGHT = frozenset(
    {
        "하",
        "되",
        "있",
        "없",
        "이",
        "것",
        "수",
        "거",
        "줄",
        "데",
        "등",
        "때",
        "안",
        "못",
        "좀",
        "더",
        "그",
        "저",
        "나",
        "제",
    }
)
# About the bytes that all remembered texts may take, and one morpheme does.
KEPT, EACH = 32 << 20, 200
_lock = threading.Lock()
_shared: "list[Kiwi]" = []


@dataclass(frozen=True)
class Morpheme:
    """A morpheme, its Sejong tag, where it stood in the text, and Kiwi's number for it."""

    form: str
    tag: str
    start: int
    end: int
    number: int = 0


def _kiwi() -> "Kiwi":
    with _lock:
        if not _shared:
            with needs_extra("korean", "analysing Korean words"):
                from kiwipiepy import Kiwi

            # Without the dictionary of names of several words: it takes four fifths of the loading and a third of the
            # memory, and 2 of 876 strangers' messages have one.
            _shared.append(Kiwi(num_workers=1, load_multi_dict=False))
    return _shared[0]


def is_loaded() -> bool:
    """Whether a call answers at once. Loading keeps every other thread of the process waiting."""
    return bool(_shared)


def morphemes(text: str) -> list[Morpheme]:
    """The text's morphemes in order. Safe from several threads; the first call loads the model."""
    return list(_analyse(text))


def telling(text: str) -> list[Morpheme]:
    """The text's morphemes that tell what it is about: nouns, numerals, verbs, adjectives, adverbs, foreign words."""
    return [one for one in morphemes(text) if one.tag.startswith(_TELLING)]


def likenesses(number: int, others: Sequence[int]) -> list[float]:
    """How alike a morpheme is to each of the others by Kiwi's language model, -1 to 1; 0 for what it doesn't know."""
    like = _kiwi().morpheme_similarity
    return [0.0 if isnan(found) else found for found in (like(number, other) for other in others)]


def _weight(text: str, found: tuple[Morpheme, ...]) -> int:
    return 2 * len(text) + EACH * len(found) + EACH


@remembered("morphemes", KEPT, _weight)
def _analyse(text: str) -> tuple[Morpheme, ...]:
    folded = fold(text)
    if not folded.text.strip():
        return ()
    kiwi = _kiwi()
    with _lock:
        tokens = kiwi.tokenize(folded.text)
    found = []
    for token in tokens:
        start, end = folded.original_span(token.start, token.start + token.len)
        found.append(Morpheme(token.form, str(token.tag), start, end, int(token.id)))
    return tuple(found)


_UNKNOWN = 2  # Kiwi's number for a noun that it only guesses


@lru_cache(maxsize=4096)
def known_as(word: str) -> Literal["name", "word"] | None:
    """What the dictionary has this word as: a proper name, or any other word or form of one, with or without particles.

    What can only be cut into single letters (오사가: 오+사+가) is `None`, and without the analyser everything is.
    """
    if find_spec("kiwipiepy") is None or not word:
        return None
    kiwi = _kiwi()
    with _lock:
        tokens = [(str(token.tag), int(token.id), int(token.len)) for token in kiwi.tokenize(word)]
    if any(number == _UNKNOWN for _, number, _ in tokens):
        return None
    nouns = [(tag, size) for tag, _, size in tokens if tag.startswith(("N", "MM", "XR", "IC"))]
    if any(size == 1 for _, size in nouns):
        return None
    if nouns:
        return "name" if all(tag == "NNP" for tag, _ in nouns) else "word"
    return "word" if any(tag.startswith(("VV", "VA", "MAG")) for tag, _, _ in tokens) else None


def is_longer_noun(name: str, rest: str) -> bool:
    """Whether a name and the letters after it are one ordinary noun of the dictionary: 고양 + 이 is a cat."""
    if find_spec("kiwipiepy") is None:
        return False
    first = next(iter(morphemes(name + rest)), None)
    return first is not None and first.tag == "NNG" and len(first.form) > len(name)


def spaced(text: str) -> str:
    """The text with the blanks its writer left out."""
    kiwi = _kiwi()
    with _lock:
        return str(kiwi.space(text))


def joined(parts: "list[tuple[str, str]]") -> str:
    """Morphemes with their tags, put together as they are written."""
    kiwi = _kiwi()
    with _lock:
        return str(kiwi.join(parts))


def content_words(text: str) -> list[str]:
    """The words that carry meaning (nouns, verb and adjective stems, numbers, foreign words), in order.

    Verbs come as their stems; auxiliaries and light words (하다, 것, 수 …) are left out. Without the analyser: the
    words themselves, particles taken off.
    """
    if find_spec("kiwipiepy") is None:
        return [strip_particles(word).lower() for word in re.findall(r"\w+", text)]
    return [
        item.form.lower()
        for item in morphemes(text)
        if item.tag.startswith(_CONTENT) and item.form not in _LIGHT and item.tag not in {"NNB", "NP"}
    ]


def bigrams(text: str) -> list[str]:
    """Pairs of neighbouring letters of each word, spacing and case aside; a word of one letter is itself."""
    pairs: list[str] = []
    for word in text.split():
        letters = "".join(char for char in squeeze(word) if char.isalnum())
        pairs += [letters] if len(letters) == 1 else [letters[at : at + 2] for at in range(len(letters) - 1)]
    return pairs
