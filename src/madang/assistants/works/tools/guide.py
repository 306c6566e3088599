"""What the house knows without figures: rules in plain words, whom to ask, words of the trade. Found by named signs."""

import re
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from itertools import accumulate
from typing import Any

from madang.text.normalise import squeeze

FILES = ("benefits", "safety", "people", "work")
SHOWN, BESIDE = 3, 2
ADDING = 2
SURE = 5


@dataclass(frozen=True)
class Topic:
    """A matter with its answer. It is found where each group of `signs` has a word and none of `unless` is said."""

    id: str
    title: str
    signs: tuple[tuple[str, ...], ...]
    answer: str
    basis: str
    examples: tuple[str, ...]
    unless: tuple[str, ...] = ()
    over: tuple[str, ...] = ()
    computes: str | None = None
    rank: int = 1
    """0 answers before others, 2 only adds to them."""

    def score(self, said: "Spoken") -> int:
        """How many letters of the text speak of it; 0 when it is not spoken of."""
        if any(word in said for word in self.unless):
            return 0
        found = [max((len(word) for word in group if word in said), default=0) for group in self.signs]
        several = sum(word in said for word in self.signs[0])
        return sum(found) + several if all(found) else 0


_SIGNS = re.compile(r"[()\[\]‘’'\"“”,?!~·…]")


class Spoken:
    """A text to look for words in, whatever its blanks: a short word never reaches over one, a longer one only from the
    beginning of a word ("의원 두 군데" says nothing of 원두)."""

    def __init__(self, text: str) -> None:
        words = [squeeze(word) for word in _SIGNS.sub(" ", text).split()]
        self.text = "".join(words)
        self._starts = set(accumulate((len(word) for word in words), initial=0))

    def __contains__(self, word: str) -> bool:
        at = self.text.find(word)
        while at >= 0:
            if at in self._starts or len(word) >= SURE or not self._starts & set(range(at + 1, at + len(word))):
                return True
            at = self.text.find(word, at + 1)
        return False


@cache
def topics() -> tuple[Topic, ...]:
    """Every topic of the data."""
    return tuple(_read())


def _read() -> Iterator[Topic]:
    shared: dict[str, list[str]] = {}
    for name in FILES:
        data = _load(name)
        shared |= data.get("groups", {})
        for one in data["topics"]:
            signs = tuple(tuple(_words(group, shared)) for group in one["signs"])
            yield Topic(
                one["id"], one["title"], signs, one["answer"].strip(), one["basis"], tuple(one["examples"]),
                tuple(map(squeeze, one.get("unless", ()))), tuple(one.get("over", ())), one.get("computes"),
                one.get("rank", 1),
            )  # fmt: skip


def _words(group: Sequence[str], shared: dict[str, list[str]]) -> Iterator[str]:
    for word in group:
        for one in shared[word[1:]] if word.startswith("@") else [word]:
            yield squeeze(one)


@cache
def _load(name: str) -> dict[str, Any]:
    path = files("madang.assistants.works.data").joinpath("guide", f"{name}.toml")
    return tomllib.loads(path.read_text("utf-8"))


def topics_in(text: str) -> list[Topic]:
    """The topics that a text speaks of, the plainest first; at most `SHOWN`
    and `BESIDE` that add to them, none that another makes needless."""
    said = Spoken(text)
    scored = sorted(((topic.score(said), topic) for topic in topics()), key=lambda one: (one[1].rank, -one[0]))
    found = [topic for score, topic in scored if score]
    needless = {name for topic in found for name in topic.over}
    kept = [topic for topic in found if topic.id not in needless]
    return [*(t for t in kept if t.rank < ADDING)][:SHOWN] + [t for t in kept if t.rank == ADDING][:BESIDE]


def topics_about(text: str, most: int) -> list[Topic]:
    """The topics whose matter a text names at all, for a reader who judges whether they fit: those that more of it
    speaks of first."""
    said = Spoken(text)
    found = [(sum(any(word in said for word in group) for group in topic.signs), topic) for topic in topics()]
    named = [(groups / len(topic.signs), topic.score(said), topic) for groups, topic in found if _names(topic, said)]
    return [topic for _, _, topic in sorted(named, key=lambda one: one[:2], reverse=True)][:most]


def _names(topic: Topic, said: Spoken) -> bool:
    return any(word in said for word in topic.signs[0]) and not any(word in said for word in topic.unless)


def topic_of(name: str) -> Topic:
    """The topic of that id."""
    return next(topic for topic in topics() if topic.id == name)


def in_english(topic: Topic) -> Topic | None:
    """The topic as it is told in English; None where it isn't."""
    told = _load("english").get(topic.id)
    if told is None:
        return None
    return replace(topic, title=told["title"], answer=told["answer"], basis=topic.basis)


def english(name: str) -> str:
    """A fixed English text of the guide."""
    return str(_load("english")[name])


def topic_titled(text: str) -> Topic | None:
    """The topic whose title is all that a text says."""
    said = squeeze(text).strip(".?!'\"‘’“”")
    told = [(topic, told) for topic in topics() for told in (topic, in_english(topic)) if told]
    return next((topic for topic, one in told if squeeze(one.title) == said), None)


def terms_in(text: str) -> dict[str, str]:
    """Words of the trade whose meaning is asked for, with what they mean."""
    data = _load("terms")
    said = Spoken(text)
    if not any(word in said for word in data["asks"]):
        return {}
    return {term: meaning for term, meaning in data["terms"].items() if _has_term(term, text)}


_LATIN = re.compile(r"[A-Za-z]{1,20}")


def _has_term(term: str, text: str) -> bool:
    if term.isascii():
        return term.casefold() in {word.casefold() for word in _LATIN.findall(text)}
    return squeeze(term) in squeeze(text)
