"""Particles and endings that follow a noun in speech: 오사카로, 부산은, 제주도에서, 송파구요."""

import re

from madang.text.data import load

_PARTICLES: list[str] = load("particles")
_LONGEST = max(map(len, _PARTICLES))
_SET = frozenset(_PARTICLES)
ONLY_PARTICLES = re.compile("(?:" + "|".join(sorted(_PARTICLES, key=len, reverse=True)) + "){0,3}")


def strip_particles(word: str, least: int = 2, rounds: int = 3) -> str:
    """The word without the particles at its end; at least `least` characters are always left.

    오사카에서는 → 오사카, 송파구요 → 송파구. A word that merely ends like one may lose a letter: try the whole first.
    """
    stem = word.strip().rstrip("?!.,~")
    for _ in range(rounds):
        ending = next(
            (size for size in range(_LONGEST, 0, -1) if stem[-size:] in _SET and len(stem) - size >= least), 0
        )
        if not ending or len(stem) - ending < least:
            break
        stem = stem[:-ending]
    return stem
