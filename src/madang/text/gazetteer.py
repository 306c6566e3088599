"""Finding the names of a list in a text: aliases, spacing, particles and typos allowed for."""

import re
from collections.abc import Iterable, Mapping
from typing import Generic, TypeVar

from madang.text.morphemes import is_longer_noun, known_as
from madang.text.normalise import jamo_distance, squeeze, to_jamo
from madang.text.parsed import Parsed, make, on_folded
from madang.text.particles import ONLY_PARTICLES, strip_particles

T = TypeVar("T")

_WORD = re.compile(r"[가-힣a-zA-Z0-9]+")
_AFTER = re.compile(
    r"(?:에서|에|의|은|는|이고|인데)?(?:보증금|상가|가게|점포|투룸|반지하|다가구|전세|월세|원룸|빌라|자취)|(?:시내|지점|지사|영업소|본부|남부|북부|동부|서부|여행|시세|전세|월세|매매|아파트|원룸|오피스텔|빌라"
    r"|집|부동산|지역|일대|주변|근처|쪽|출발"
    r"|사는|살고|살아|거주|도착|행|공항|호텔|숙소|맛집|관광|투어|한달살기|날씨|가는|가고|갈|갔|이랑|하고)"
)
_COPULA = re.compile(r"이?(?:고요?|며|지만|라서|라)|인데요?|이?ㅇㅇ|이?임")


class Gazetteer(Generic[T]):
    """Names and what they stand for. `entries` maps each surface (name or alias) to its value.

    A surface of one letter is ignored. Where several surfaces fit, the longest wins; a value given for one
    surface twice keeps every reading, the first being the best.
    """

    def __init__(self, entries: Mapping[str, T] | Iterable[tuple[str, T]]) -> None:
        pairs = entries.items() if isinstance(entries, Mapping) else entries
        self._values: dict[str, list[T]] = {}
        for surface, value in pairs:
            key = squeeze(surface)
            if len(key) > 1:
                readings = self._values.setdefault(key, [])
                if value not in readings:
                    readings.append(value)
        self._lengths = sorted({len(key) for key in self._values}, reverse=True)
        self._firsts = {key[0] for key in self._values}
        self._by_shape: dict[str, list[str]] = {}
        for key in self._values:
            for shape in _shapes(to_jamo(key)):
                self._by_shape.setdefault(shape, []).append(key)

    def find(self, text: str, typos: bool = True) -> list[Parsed[T]]:
        """The names in order of appearance; a name with a typo is less sure (0.6 to 0.75).

        A typo is a word that the dictionary doesn't have, one letter from one name alone (two in a long one). What was
        typed is the `text` of what is found, so that a reader sees what was changed.
        """
        return on_folded(text, lambda folded: self._find(folded, typos))

    def _find(self, text: str, typos: bool) -> list[Parsed[T]]:
        found = self._exact(text)
        if typos:
            taken = {at for item in found for at in range(*item.span)}
            for word in _WORD.finditer(text):
                if not any(at in taken for at in range(*word.span())) and (near := self._near(text, word)):
                    found.append(near)
        return sorted(found, key=lambda item: item.span)

    def _exact(self, text: str) -> list[Parsed[T]]:
        letters = [(char, at) for at, char in enumerate(text) if not char.isspace()]
        squeezed = "".join(char.lower() if len(char.lower()) == 1 else char for char, _ in letters)
        places = [at for _, at in letters]
        found: list[Parsed[T]] = []
        at = 0
        last_end = -1
        while at < len(squeezed):
            key = self._match(text, squeezed, places, at, last_end) if squeezed[at] in self._firsts else None
            if key is None:
                at += 1
                continue
            values = self._values[key]
            end = places[at + len(key) - 1] + 1
            readings = values if len(values) > 1 else ()
            found.append(make(text, places[at], end, values[0], 0.8 if readings else 0.95, readings))
            at += len(key)
            last_end = end
        return found

    def _match(self, text: str, squeezed: str, places: list[int], at: int, last_end: int) -> str | None:
        start = places[at]
        begins = start in {0, last_end} or not _is_letter(text[start - 1])
        for length in self._lengths:
            key = squeezed[at : at + length]
            if len(key) < length or key not in self._values:
                continue
            end = places[at + length - 1] + 1
            if (begins or length >= 4) and self._ends(text, squeezed, end, at + length, length):
                return key
        return None

    def _ends(self, text: str, squeezed: str, end: int, after: int, length: int) -> bool:
        """A name ends where its word does, or before particles, a telling noun or another name."""
        if end >= len(text) or not _is_letter(text[end]):
            return True
        word = _WORD.match(text, end)
        rest = word.group() if word else ""
        if ONLY_PARTICLES.fullmatch(rest) or _COPULA.fullmatch(rest) or _AFTER.match(rest):
            return not is_longer_noun(squeezed[after - length : after], rest)
        if length >= 4 and not squeezed[after - length : after].isascii():
            return True
        return any(squeezed[after : after + size] in self._values for size in self._lengths)

    def _near(self, text: str, word: re.Match[str]) -> Parsed[T] | None:
        whole = word.group()
        if len(whole) > 14:
            return None
        for stem in dict.fromkeys((whole, strip_particles(whole))):
            jamo = to_jamo(stem.lower())
            if len(jamo) < 6 or len(stem) < 2 or _NUMERAL.fullmatch(stem):
                continue
            keys = {key for shape in _shapes(jamo) for key in self._by_shape.get(shape, ())}
            limit = 2 if len(jamo) >= 12 else 1
            near = sorted((jamo_distance(stem.lower(), key, limit), key) for key in keys)
            near = [
                pair for pair in near if pair[0] <= limit and len(to_jamo(pair[1])) >= 6 and _same_start(stem, pair[1])
            ]
            near = [pair for pair in near if pair[0] == near[0][0]]
            meant = {id(self._values[key][0]) for _, key in near}
            if len(meant) == 1 and _misspelt(whole, stem, near[0][1]):  # between two names as near nothing is chosen
                values = self._values[near[0][1]]
                start = word.start()
                return make(text, start, start + len(stem), values[0], 0.75 if near[0][0] == 1 else 0.6)
        return None


# A sum in words is no misspelt name: 삼천 is not 삼척.
_NUMERAL = re.compile("[일이삼사오육칠팔구십백천만억]+")


# Letters that one sound is written with: 오사까 and 오사카 are one name.
_SOUNDS = str.maketrans("ㄲㅋㄸㅌㅃㅍㅉㅊㅆㅔㅖㅒㅞㅚㅛㅠ", "ㄱㄱㄷㄷㅂㅂㅈㅈㅅㅐㅐㅐㅙㅙㅗㅜ")


def _misspelt(whole: str, stem: str, key: str) -> bool:
    """Whether a word is the name with a typo: no word of the dictionary, and no other name unless it sounds alike."""
    known = known_as(whole) or known_as(stem)
    alike = to_jamo(stem.lower()).translate(_SOUNDS) == to_jamo(key).translate(_SOUNDS)
    return known is None or (known == "name" and alike)


def _is_letter(char: str) -> bool:
    return char.isalnum()


def _same_start(word: str, key: str) -> bool:
    """People rarely mistype the first letter of a name."""
    return to_jamo(word)[:1] == to_jamo(key.lower())[:1]


def _shapes(jamo: str) -> set[str]:
    """The word, and the word with each one letter left out: words one edit apart share a shape."""
    return {jamo} | {jamo[:at] + jamo[at + 1 :] for at in range(min(len(jamo), 40))}
