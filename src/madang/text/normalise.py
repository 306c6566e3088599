"""Making typed Korean comparable: composed, half-width, without filler, and how far apart two words are."""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from madang.text.data import load

_DASHES = {0x2013: "-", 0x2014: "-", 0x2212: "-", 0x301C: "~", 0x223C: "~", 0x3000: " ", 0xA0: " "}
_DASHES |= {0x2007: " ", 0x2009: " ", 0x202F: " "}
_INVISIBLE = frozenset("\u200b\u200c\u200d\u2060\ufeff\u00ad")
_FILLER = re.compile(r"[ㅋㅎㅠㅜㅡ]{2,}|[ㅠㅜ]+|[~!.^?]{3,}")
_SPACES = re.compile(r"\s+")
# Characters that folding leaves as they are: nearly all of what is typed.
_FOLDED = re.compile("[\x00-\x7f\u00b7\u2018\u2019\u201c\u201d\u2026\u3131-\u318e\u4e00-\u9fff\uac00-\ud7a3]*")

_INITIALS = "ㄱㄲㄴㄷㄸㄹㅁㅂㅃㅅㅆㅇㅈㅉㅊㅋㅌㅍㅎ"
_VOWELS = "ㅏㅐㅑㅒㅓㅔㅕㅖㅗㅘㅙㅚㅛㅜㅝㅞㅟㅠㅡㅢㅣ"
_FINALS = ("", *"ㄱㄲㄳㄴㄵㄶㄷㄹㄺㄻㄼㄽㄾㄿㅀㅁㅂㅄㅅㅆㅇㅈㅊㅋㅌㅍㅎ")


@dataclass(frozen=True)
class Folded:
    """Folded text, and for each of its characters where it came from."""

    text: str
    starts: Sequence[int]
    ends: Sequence[int]

    def original_span(self, start: int, end: int) -> tuple[int, int]:
        """Where `text[start:end]` stood in the text that was folded."""
        if start >= end:
            at = self.starts[start] if start < len(self.starts) else (self.ends[-1] if self.ends else 0)
            return at, at
        return self.starts[start], self.ends[end - 1]


def fold(text: str) -> Folded:
    """Compose decomposed Hangul, make digits and signs half-width and drop invisible characters."""
    if _FOLDED.fullmatch(text):
        return Folded(text, range(len(text)), range(1, len(text) + 1))
    out: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    for start, end in _clusters(text):
        for char in unicodedata.normalize("NFC", text[start:end]):
            if char not in _INVISIBLE:
                out.append(_fold_char(char))
                starts.append(start)
                ends.append(end)
    return Folded("".join(out), tuple(starts), tuple(ends))


def _clusters(text: str) -> Iterable[tuple[int, int]]:
    start = 0
    for index in range(1, len(text) + 1):
        if index == len(text) or not _joins(text[index]):
            if start < index:
                yield start, index
            start = index


def _joins(char: str) -> bool:
    return "\u1160" <= char <= "\u11ff" or (char > "\u02ff" and unicodedata.combining(char) != 0)


def _fold_char(char: str) -> str:
    code = ord(char)
    if 0xFF01 <= code <= 0xFF5E:
        return chr(code - 0xFEE0)
    return _DASHES.get(code, char)


@lru_cache(maxsize=1)
def _misspellings() -> tuple[re.Pattern[str], dict[str, str]]:
    table: dict[str, str] = load("misspellings")
    pattern = re.compile("|".join(map(re.escape, sorted(table, key=len, reverse=True))))
    return pattern, table


def normalise(text: str) -> str:
    """Folded text with common misspellings put right, laughter and tears removed and blanks collapsed.

    Its length may differ from the text given: use `fold` where positions matter.
    """
    pattern, table = _misspellings()
    plain = _FILLER.sub(" ", fold(text).text)
    spelled = pattern.sub(lambda match: table[match.group()], plain)
    return _SPACES.sub(" ", spelled).strip()


def squeeze(text: str) -> str:
    """Without any blanks and in lower case: the form in which spacing makes no difference."""
    return _SPACES.sub("", fold(text).text).lower()


def to_jamo(text: str) -> str:
    """Hangul syllables written out letter by letter (강 → ㄱㅏㅇ); everything else stays."""
    return "".join(map(_letters, text))


@lru_cache(maxsize=12000)
def _letters(char: str) -> str:
    code = ord(char) - 0xAC00
    if not 0 <= code < 11172:
        return char
    letters: tuple[str, str, str] = (_INITIALS[code // 588], _VOWELS[code % 588 // 28], _FINALS[code % 28])
    return "".join(letters)


def jamo_distance(left: str, right: str, limit: int | None = None) -> int:
    """Edits (insert, delete, replace, swap neighbours) between two words, letter by letter.

    With `limit`, any distance beyond it is reported as `limit + 1`.
    """
    return _edits(to_jamo(left), to_jamo(right), limit)


def _edits(left: str, right: str, limit: int | None) -> int:
    if limit is not None and abs(len(left) - len(right)) > limit:
        return limit + 1
    before: list[int] = []
    above = list(range(len(right) + 1))
    for row, one in enumerate(left, 1):
        line = [row]
        for column, other in enumerate(right, 1):
            cost = min(above[column] + 1, line[-1] + 1, above[column - 1] + (one != other))
            if row > 1 and column > 1 and one == right[column - 2] and left[row - 2] == other:
                cost = min(cost, before[column - 2] + 1)
            line.append(cost)
        if limit is not None and min(line) > limit:
            return limit + 1
        before, above = above, line
    return above[-1]


def closest(word: str, candidates: Iterable[str], cutoff: float = 0.75) -> str | None:
    """The candidate most like `word` letter by letter, or `None` when none reaches `cutoff` (0 to 1)."""
    jamo = to_jamo(squeeze(word))
    best: str | None = None
    best_score = cutoff
    for candidate in candidates:
        other = to_jamo(squeeze(candidate))
        longest = max(len(jamo), len(other))
        if not longest:
            continue
        score = 1 - _edits(jamo, other, int(longest * (1 - cutoff)) + 1) / longest
        if score >= best_score and (best is None or score > best_score):
            best, best_score = candidate, score
    return best
