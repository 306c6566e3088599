"""Particles and endings that follow a noun, read and written: 오사카로, 부산은, 제주도에서, 송파구요."""

import re

from madang.text.data import load

# From the outside in: polite endings, then topic and focus, then case, then "around". None comes inside the next.
_LEVELS: list[list[str]] = load("particles")
_LEVEL_OF = {particle: level for level, particles in enumerate(_LEVELS) for particle in particles}
_LONGEST = max(map(len, _LEVEL_OF))
ONLY_PARTICLES = re.compile("(?:" + "|".join(sorted(_LEVEL_OF, key=len, reverse=True)) + "){0,3}")


def strip_particles(word: str, least: int = 2) -> str:
    """The word without the particles at its end; at least `least` characters are always left.

    오사카에서는 → 오사카, 제주도에서 → 제주도, 송파구요 → 송파구. A word that merely ends like one may lose a
    letter (제주도 → 제주): try the whole word first.
    """
    stem = word.strip().rstrip("?!.,~")
    level = -1
    while ending := _ending(stem, level, least):
        level = _LEVEL_OF[ending]
        stem = stem[: -len(ending)]
    return stem


def _ending(stem: str, level: int, least: int) -> str | None:
    for size in range(min(_LONGEST, len(stem) - least), 0, -1):
        if _LEVEL_OF.get(stem[-size:], -1) > level:
            return stem[-size:]
    return None


def with_object(word: str) -> str:
    """The word with 을 or 를, by its last sound."""
    return word + ("을" if ends_in_consonant(word) else "를")


def with_subject(word: str) -> str:
    """The word with 이 or 가, by its last sound."""
    return word + ("이" if ends_in_consonant(word) else "가")


def with_topic(word: str) -> str:
    """The word with 은 or 는, by its last sound."""
    return word + ("은" if ends_in_consonant(word) else "는")


def with_companion(word: str) -> str:
    """The word with 과 or 와, by its last sound."""
    return word + ("과" if ends_in_consonant(word) else "와")


def with_direction(word: str) -> str:
    """The word with 으로 or 로, which also follows ㄹ: 서울로, 부산으로."""
    last = word[-1:]
    rieul = "가" <= last <= "힣" and (ord(last) - ord("가")) % 28 == 8
    return word + ("으로" if ends_in_consonant(word) and not rieul and last not in "18" else "로")


def ends_in_consonant(word: str) -> bool:
    """Whether a particle follows a final consonant: 부산은, 오사카는; digits by how they are read."""
    last = next((letter for letter in reversed(word) if letter.isalnum()), "")
    if "가" <= last <= "힣":
        return (ord(last) - ord("가")) % 28 != 0
    return last in tuple("013678lmnrLMNR")
