"""Cues of conversation: negation, correction, removal, agreement, refusal, references back, greetings, small talk."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from madang.text.cue_words import (
    AGREEMENT,
    CHANGE,
    DENIAL,
    DISLIKE,
    FALSE_START,
    GREETING,
    INSTEAD,
    NOT_VERB,
    OPENING_NO,
    REFERENCE,
    REFUSAL,
    REMOVAL,
    SMALLTALK,
    THANKS,
    WITHOUT,
)
from madang.text.parsed import Parsed, make, on_folded
from madang.text.particles import strip_particles

CueKind = Literal[
    "negation", "correction", "removal", "agreement", "refusal", "reference", "greeting", "thanks", "smalltalk"
]

_LAST_WORD = re.compile(r"([^\s,.!?]{1,20})[\s,]*$")
_NEXT_WORD = re.compile(r"[\s,]*([^\s,.!?]{1,20})")
_POINTER = re.compile(r"(?:그게|그건|그거|이게|이건|그런\s?게|내\s?말은|제\s?말은)$")
_ONE_LETTER = frozenset("은는을를도이가만로요")


@dataclass(frozen=True)
class Cue:
    """A cue and what it attaches to: `about` is what is dropped or denied, `instead` what takes its place.

    Both are single words without their particles, `None` when the text names nothing.
    """

    kind: CueKind
    about: str | None = None
    instead: str | None = None


def find_cues(text: str) -> list[Parsed[Cue]]:
    """Cues in order of appearance; the span is the cue's own words. Neighbouring cues of agreement are one.

    "됐어요" and "싫어요" refuse when they stand alone and remove or deny what stands before them otherwise.
    """
    return on_folded(text, lambda folded: _tidy(folded, sorted(_find(folded), key=lambda item: item.span)))


def cue_kinds(text: str) -> set[CueKind]:
    """The kinds of cue in a text."""
    return {item.value.kind for item in find_cues(text)}


def _find(text: str) -> Iterator[Parsed[Cue]]:
    yield from _corrections(text)
    yield from _removals(text)
    yield from _negations(text)
    simple: tuple[tuple[CueKind, re.Pattern[str], float], ...] = (
        ("agreement", AGREEMENT, 0.9),
        ("refusal", REFUSAL, 0.9),
        ("reference", REFERENCE, 0.85),
        ("greeting", GREETING, 0.95),
        ("thanks", THANKS, 0.95),
        ("smalltalk", SMALLTALK, 0.7),
    )
    for kind, pattern, confidence in simple:
        for match in pattern.finditer(text):
            yield make(text, *match.span(), Cue(kind), confidence)


def _corrections(text: str) -> Iterator[Parsed[Cue]]:
    for match in INSTEAD.finditer(text):
        about, instead = _before(text, match.start()), _after(text, match.end())
        if about or instead:
            yield make(text, *match.span(), Cue("correction", about, instead), 0.9 if instead else 0.7)
    for match in DENIAL.finditer(text):
        denied = _LAST_WORD.search(text, max(0, match.start() - 25), match.start())
        about = None if denied and _POINTER.search(denied[1]) else _before(text, match.start())
        instead = _after(text, match.end())
        if instead:
            yield make(text, *match.span(), Cue("correction", about, instead), 0.9)
    for match in OPENING_NO.finditer(text):
        about, instead = _before(text, match.start()), _after(text, match.end())
        if instead and not FALSE_START.match(text, match.end()):
            yield make(text, *match.span(), Cue("correction", about, instead), 0.85)
    for match in CHANGE.finditer(text):
        about = _bare(match["about"]) if match["about"] else None
        yield make(text, *match.span("verb"), Cue("correction", about, _bare(match["instead"])), 0.9)


def _removals(text: str) -> Iterator[Parsed[Cue]]:
    for match in REMOVAL.finditer(text):
        about = _before(text, match.start())
        if about or not match["needs"]:
            yield make(text, *match.span(), Cue("removal", about), 0.9 if about else 0.7)


def _negations(text: str) -> Iterator[Parsed[Cue]]:
    for match in WITHOUT.finditer(text):
        yield make(text, *match.span(), Cue("negation", _before(text, match.start())), 0.85)
    for match in DISLIKE.finditer(text):
        about = _before(text, match.start())
        if about:
            yield make(text, *match.span(), Cue("negation", about), 0.85)
    for match in NOT_VERB.finditer(text):
        yield make(text, *match.span("no"), Cue("negation", match["verb"].rstrip("?!.,~")), 0.8)


def _before(text: str, at: int) -> str | None:
    match = _LAST_WORD.search(text, max(0, at - 25), at)
    return _bare(match[1]) if match else None


def _after(text: str, at: int) -> str | None:
    match = _NEXT_WORD.match(text, at)
    return _bare(match[1]) if match else None


def _bare(word: str) -> str:
    """Without particles; a noun of one letter loses only a particle of one letter (차는 → 차)."""
    if len(word) == 2 and word[1] in _ONE_LETTER:
        return word[0]
    bare = strip_particles(word)
    return bare[0] if len(bare) == 2 and bare != word and bare[1] in "이" else bare


def _tidy(text: str, found: list[Parsed[Cue]]) -> list[Parsed[Cue]]:
    """One cue per place: a refusal inside a correction or removal is that; agreement after agreement is one."""
    strong = [item.span for item in found if item.value.kind in {"correction", "removal", "negation"}]
    kept: list[Parsed[Cue]] = []
    for item in found:
        kind = item.value.kind
        if kind in {"refusal", "agreement"} and any(start <= item.span[0] < end for start, end in strong):
            continue
        previous = kept[-1] if kept else None
        if (
            previous
            and previous.value.kind == kind
            and kind in {"agreement", "refusal", "greeting", "thanks", "smalltalk"}
        ):
            kept[-1] = make(
                text, previous.span[0], max(previous.span[1], item.span[1]), previous.value, previous.confidence
            )
            continue
        if previous and previous.value.kind == "refusal" and kind == "agreement":
            continue
        kept.append(item)
    return kept
