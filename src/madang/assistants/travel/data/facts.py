"""What travellers ask beside their plan, as dated notes: topics with the words that bring them up."""

import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from importlib.resources import files
from typing import Any

FILES = ("facts.toml", "guide.toml", "situations.toml", "drafts.toml")
_MOST = 3  # topics of one sentence; whoever asks more asks in several


@dataclass(frozen=True)
class Topic:
    """Something that is asked about. `made_from` names the data it is worked out from, else `text` or `by` says it.

    A topic is brought up by one of its words and one of each group in `needs`, unless a word of `unless` stands beside
    them. `always`: told as a fact it matters too, not only in a question. `whole`: its words may stand anywhere in the
    message. `stops`: it comes before any planning. `once`: it isn't said twice. `after`: only when one of those topics
    was spoken of before. `en` is the answer to who writes in English.
    """

    id: str
    title: str
    words: tuple[str, ...]
    text: str = ""
    check: str = ""
    made_from: str = ""
    by: dict[str, str] = field(default_factory=dict, hash=False)
    needs: tuple[tuple[str, ...], ...] = ()
    unless: tuple[str, ...] = ()
    after: tuple[str, ...] = ()
    always: bool = False
    whole: bool = False
    stops: bool = False
    en: str = ""
    once: bool = False

    def answer(self, country: str | None, city: str | None = None) -> str:
        """The answer for a city or country, with where to check it; empty where nothing is known."""
        said = self.by.get(city or "") or self.by.get(country or "", self.text)
        if not said:
            return ""
        closed = said if said.endswith((".", ")", "!", "?", "”", "」", "\n", "_")) else f"{said}."
        return f"{closed} ({self.check})" if self.check else closed

    def found_in(self, text: "Squeezed") -> tuple[int, list[tuple[int, int]]] | None:
        """How surely the words bring it up, and where those words are."""
        if any(word in text.plain for word in self.unless):
            return None
        groups = [text.all_of(group) for group in (self.words, *self.needs)]
        if not all(groups):
            return None
        spans = [span for found in groups for span in found]
        if not any(start < text.said for start, _ in spans):
            return None
        longest = sum(max(end - start for start, end in found) for found in groups)
        return longest + 2 * len(self.needs), spans


@dataclass(frozen=True)
class Squeezed:
    """A text without its blanks, and where its words begin."""

    plain: str
    starts: frozenset[int]
    said: int  # what stands after it is known from before

    @classmethod
    def of(cls, text: str, known: str = "") -> "Squeezed":
        said = sum(len(word) for word in text.split())
        words = [*text.lower().split(), *known.lower().split()]
        starts, at = [], 0
        for word in words:
            starts.append(at)
            at += len(word)
        return cls("".join(words), frozenset(starts), said)

    def all_of(self, group: Sequence[str]) -> list[tuple[int, int]]:
        return [(at, at + len(word)) for word in group if (at := self.find(word)) >= 0]

    def find(self, word: str) -> int:
        """Where the word stands; one that reaches over a blank must begin where a word does (하면 허리 is no 면허)."""
        at = self.plain.find(word)
        while at >= 0:
            crosses = any(at < start < at + len(word) for start in self.starts)
            if not crosses or at in self.starts:
                return at
            at = self.plain.find(word, at + 1)
        return -1


@lru_cache(maxsize=1)
def _facts() -> dict[str, Any]:
    return tomllib.loads((files(__package__) / FILES[0]).read_text("utf-8"))


def _rows() -> Iterator[dict[str, Any]]:
    for name in FILES:
        path = files(__package__) / name
        yield from tomllib.loads(path.read_text("utf-8"))["topic"] if path.is_file() else ()


@lru_cache(maxsize=1)
def topics() -> dict[str, Topic]:
    """Every topic by its id."""
    return {row["id"]: _topic(row) for row in _rows()}


def _topic(row: dict[str, Any]) -> Topic:
    flags = {name: bool(row.get(name)) for name in ("always", "whole", "stops", "once")}
    return Topic(
        row["id"],
        row["title"],
        tuple(row["words"]),
        row.get("text", "").strip(),
        row.get("check", ""),
        row.get("from", ""),
        row.get("by", {}),
        tuple(tuple(group) for group in row.get("needs", ())),
        tuple(row.get("unless", ())),
        tuple(row.get("after", ())),
        **flags,
        en=row.get("en", ""),
    )


def facts_source() -> tuple[str, str]:
    """What the notes are, and as of when they hold."""
    return _facts()["source"], _facts()["as_of"]


def topics_in(words: str, spoken: Sequence[str] = (), known: str = "", *, whole: bool = False) -> list[Topic]:
    """The topics that a sentence (`whole`: a message) brings up, in the order of their words; of topics that share
    words the surest. `spoken` are those spoken of before, `known` what is known of the travellers."""
    plain = Squeezed.of(words, known)
    found = []
    for topic in topics().values():
        if topic.whole != whole or (topic.after and not set(topic.after) & set(spoken)):
            continue
        if topic.once and topic.id in spoken:
            continue
        if hit := topic.found_in(plain):
            found.append((hit[0], topic, hit[1]))
    kept: list[tuple[Topic, list[tuple[int, int]]]] = []
    for _, topic, spans in sorted(found, key=lambda one: -one[0]):
        taken = [span for _, others in kept for span in others]
        if not any(start < other[1] and other[0] < end for start, end in spans for other in taken):
            kept.append((topic, spans))
    return [topic for topic, _ in sorted(kept[:_MOST], key=lambda one: one[1][0])]
