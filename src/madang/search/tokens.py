"""Texts cut into the units that are compared: morphemes, syllable bigrams, jamo trigrams."""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

Tokenize = Callable[[str], Iterable[str]]
Expand = Callable[[str], Mapping[str, float]]

NOT_WORD = re.compile(r"[\W_]+")
CONTRACTED = {"려": "리", "겨": "기", "쳐": "치", "져": "지", "켜": "키", "여": "이", "꿔": "꾸", "줘": "주"}
COMPOUND = re.compile(rf"(?P<root>[가-힣]+)(?P<link>[{''.join(CONTRACTED)}])(?P<second>주|받|보내|놓|두|가|오)")
HANGUL = range(0xAC00, 0xD7A4)
LEADS = "ㄱㄲㄴㄷㄸㄹㅁㅂㅃㅅㅆㅇㅈㅉㅊㅋㅌㅍㅎ"
VOWELS = "ㅏㅐㅑㅒㅓㅔㅕㅖㅗㅘㅙㅚㅛㅜㅝㅞㅟㅠㅡㅢㅣ"
TAILS: tuple[str, ...] = ("", *"ㄱㄲㄳㄴㄵㄶㄷㄹㄺㄻㄼㄽㄾㄿㅀㅁㅂㅄㅅㅆㅇㅈㅊㅋㅌㅍㅎ")


def morphemes(text: str) -> list[str]:
    """The content words of `text` as stems. Loads the Korean analyser on first use."""
    from madang.text.morphemes import content_words

    return [stem for word in content_words(text) for stem in plain_stems(word)]


def plain_stems(word: str) -> list[str]:
    """A compound verb in its parts: the analyser gives 돌려주 for 돌려줘요, but 돌리 for 돌려주는."""
    match = COMPOUND.fullmatch(word)
    if match is None:
        return [word]
    first = match["root"] + CONTRACTED[match["link"]]
    return [first] if match["second"] == "주" else [first, match["second"]]


def syllable_bigrams(text: str) -> list[str]:
    """Pairs of neighbouring letters, spaces left out: a wrong space changes nothing."""
    letters = NOT_WORD.sub("", text.lower())
    return [letters[i : i + 2] for i in range(len(letters) - 1)] or ([letters] if letters else [])


def jamo_trigrams(text: str) -> list[str]:
    """Runs of three single sounds: one mistyped vowel leaves most of a word's trigrams whole."""
    sounds = "".join(map(_sounds, NOT_WORD.sub("", text.lower())))
    return [sounds[i : i + 3] for i in range(len(sounds) - 2)] or ([sounds] if sounds else [])


def _sounds(letter: str) -> str:
    code = ord(letter)
    if code not in HANGUL:
        return letter
    offset = code - HANGUL.start
    return LEADS[offset // 588] + VOWELS[offset % 588 // 28] + TAILS[offset % 28]


@cache
def fillers() -> frozenset[str]:
    """Words that frame any question ("어떻게", "알려주다") and say little about its subject."""
    lines = files("madang.search").joinpath("fillers.txt").read_text("utf-8").splitlines()
    return frozenset(line.strip() for line in lines if line.strip() and not line.startswith("#"))


@dataclass(frozen=True)
class Tokenizers:
    """How texts are cut. `name` is stored with an index: one made with another name is cut anew when loaded."""

    terms: Tokenize = morphemes
    bigrams: Tokenize = syllable_bigrams
    jamo: Tokenize = jamo_trigrams
    name: str = "kiwi-2"
