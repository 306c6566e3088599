"""Cues of conversation: negation, correction, removal, agreement, refusal, references back, greetings, small talk."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from madang.text.cue_words import (
    AGREEMENT,
    BARE_CHANGE,
    CHANGE,
    DENIAL,
    DISLIKE,
    GREETING,
    INSTEAD,
    NOT_A_CORRECTION,
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
_LEADING = frozenset({"다른", "딴", "더", "좀", "새로운"})
_EVERYTHING = frozenset({"다", "전부", "모두", "싹", "전체", "다시"})
_ONE_LETTER = frozenset("은는을를도이가만로요")


_MERGED = frozenset({"agreement", "refusal", "greeting", "thanks", "smalltalk"})


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
            # "괜찮아요" alone can decline or accept.
            either = kind == "refusal" and match.group().strip().startswith("괜찮")
            readings = (Cue("refusal"), Cue("agreement")) if either else ()
            yield make(text, *match.span(), Cue(kind), 0.5 if either else confidence, readings)


def _corrections(text: str) -> Iterator[Parsed[Cue]]:
    for match in INSTEAD.finditer(text):
        about, instead = _before(text, match.start()), _after(text, match.end())
        if (about or instead) and not (about or "").endswith("지"):
            yield make(text, *match.span(), Cue("correction", about, instead), 0.9 if instead else 0.7)
    for match in DENIAL.finditer(text):
        denied = _LAST_WORD.search(text, max(0, match.start() - 25), match.start())
        about = None if denied and _POINTER.search(denied[1]) else _before(text, match.start())
        instead = _after(text, match.end())
        if instead:
            yield make(text, *match.span(), Cue("correction", about, instead), 0.9)
    for match in OPENING_NO.finditer(text):
        about, instead = _before(text, match.start()), _after(text, match.end())
        if instead and not NOT_A_CORRECTION.match(text, match.end()):
            yield make(text, *match.span(), Cue("correction", about, instead), 0.85)
    yield from _changes(text)


def _changes(text: str) -> Iterator[Parsed[Cue]]:
    said: set[int] = set()
    for match in CHANGE.finditer(text):
        about = _bare(match["about"]) if match["about"] else None
        said.add(match.start("verb"))
        yield make(text, *match.span("verb"), Cue("correction", about, _bare(match["instead"])), 0.9)
    for match in BARE_CHANGE.finditer(text):
        if match.start() not in said:
            yield make(text, *match.span(), Cue("correction", _before(text, match.start())), 0.7)


def _removals(text: str) -> Iterator[Parsed[Cue]]:
    for match in REMOVAL.finditer(text):
        about = _before(text, match.start())
        if about in _EVERYTHING:
            about = None
        following = _NEXT_WORD.match(text, match.end()) if match.group().endswith("고") else None
        instead = _bare(following[1]) if following and following[1].rstrip("요").endswith("로") else None
        if about or not match["needs"]:
            yield make(text, *match.span(), Cue("removal", about, instead), 0.9 if about else 0.7)


def _negations(text: str) -> Iterator[Parsed[Cue]]:
    for match in WITHOUT.finditer(text):
        yield make(text, *match.span(), Cue("negation", _before(text, match.start())), 0.85)
    for match in DISLIKE.finditer(text):
        about = _before(text, match.start())
        if about:
            yield make(text, *match.span(), Cue("negation", about), 0.85)
    for match in NOT_VERB.finditer(text):
        part = "no" if match["no"] else "long"
        yield make(text, *match.span(part), Cue("negation", match["verb"] or match["stem"]), 0.8)


def _before(text: str, at: int) -> str | None:
    match = _LAST_WORD.search(text, max(0, at - 25), at)
    return _bare(match[1]) if match else None


def _after(text: str, at: int) -> str | None:
    match = _NEXT_WORD.match(text, at)
    if not match:
        return None
    following = _NEXT_WORD.match(text, match.end()) if match[1] in _LEADING else None
    return f"{match[1]} {_bare(following[1])}" if following else _bare(match[1])


def _bare(word: str) -> str:
    """Without particles; a noun of one letter loses only a particle of one letter (차는 → 차)."""
    if len(word) == 2 and word[1] in _ONE_LETTER:
        return word[0]
    bare = word[:-1] if word.endswith(("도요", "만요")) and len(word) > 3 else strip_particles(word)
    return bare[0] if len(bare) == 2 and bare != word and bare[1] in "이" else bare


def _tidy(text: str, found: list[Parsed[Cue]]) -> list[Parsed[Cue]]:
    """One cue per place: 아니 before a correction belongs to it, agreement after agreement is one."""
    kept: list[Parsed[Cue]] = []
    for index, item in enumerate(found):
        if _is_part(item, found[max(0, index - 6) : index + 7]):
            continue
        previous = kept[-1] if kept else None
        if previous and previous.value.kind == item.value.kind in _MERGED:
            end = max(previous.span[1], item.span[1])
            kept[-1] = make(text, previous.span[0], end, previous.value, previous.confidence, previous.readings)
        elif not (previous and previous.value.kind == "refusal" and item.value.kind == "agreement"):
            kept.append(item)
    return kept


def _is_part(item: Parsed[Cue], neighbours: list[Parsed[Cue]]) -> bool:
    """Whether an item only repeats or introduces one of its neighbours."""
    return any(_belongs(item, other) for other in neighbours if other is not item)


def _belongs(item: Parsed[Cue], other: Parsed[Cue]) -> bool:
    kind, (start, end) = item.value.kind, item.span
    inside = other.span[0] <= start < other.span[1]
    if kind == "negation":
        return other.value.kind == "refusal" and inside
    if kind == "refusal" and other.value.kind in {"correction", "removal"}:
        return inside or 0 <= other.span[0] - end < 8
    if kind == "agreement":
        return inside and other.value.kind in {"correction", "removal"}
    if kind != "correction" or other.value.kind != kind:
        return False
    if item.value.instead is None:
        return inside and other.value.instead is not None
    return other.value.instead == item.value.instead and other.span < item.span
