"""Which situation a question is about: the words that must be said, and the likeness to how people tell of it."""

import math
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from madang.assistants.homes.data.situation_base import Situation, load_situations
from madang.assistants.homes.tools.legal_search import reworded, telling_words
from madang.search import Document, HybridIndex
from madang.text.morphemes import bigrams
from madang.text.normalise import squeeze

# What a word counts where it is said: in the question, elsewhere in the message, in an earlier message.
_ASKED, _TOLD, _BEFORE = 1.0, 0.8, 0.5
_LIKE, _SAME_TOPIC = 2.0, 0.3
_CANDIDATES = 30
# Calibrated on the development rounds of bench/data/people: see bench/data/homes-situations.dev.jsonl.
CLEAR, NEAR = 1.7, 1.2
LEAST_LIKE = 0.2
# A question so like a phrase needs not say all, if it says enough itself.
NEARLY_SAID, TELLING = 0.85, 3
HERE, LIKE_ALONE = 0.4, 0.6
LONGEST = 1500


@dataclass(frozen=True)
class Match:
    """A situation with how well it fits: `clear` ones answer, others are offered; `whole` if all was said that must."""

    situation: Situation
    score: float
    clear: bool
    whole: bool


@dataclass(frozen=True)
class Telling:
    """What a question is asked with: its own words, the whole message, what was told before, the last topics."""

    question: str
    message: str
    before: Sequence[str] = ()
    topics: Sequence[str] = ()


class SituationTool:
    """The situations, ranked for a question."""

    def __init__(self, situations: Sequence[Situation] | None = None, stored_in: Path | None = None) -> None:
        self._all = {one.id: one for one in (load_situations() if situations is None else situations)}
        documents = (
            Document(id=one.id, title=one.title, text=f"{one.title} {one.answer}", phrases=(*one.phrases, one.title))
            for one in self._all.values()
        )
        self._index = HybridIndex.kept(stored_in, documents)
        uses = Counter(stem for one in self._all.values() for group in one.keys for stem in set(group))
        self._rarity = {stem: math.log(1 + len(self._all) / count) for stem, count in uses.items()}

    def find(self, key: str) -> Situation | None:
        """The situation of that name."""
        return self._all.get(key)

    def match(self, told: Telling, k: int = 3) -> list[Match]:
        """The situations that fit a question, best first; none if nothing does."""
        likeness = self._likeness(told)
        places = [(_ASKED, _plain(told.question)), (_TOLD, _plain(told.message))]
        places += [(_BEFORE, _plain(" ".join(told.before)))]
        found = [
            match
            for one in self._all.values()
            if (match := self._matched(one, places, likeness.get(one.id, 0.0), told.topics)) is not None
        ]
        if len(telling_words(told.question)) < TELLING:
            # A few words are like many phrases: what must be said decides.
            found = [replace(one, clear=one.clear and one.whole) for one in found]
        return sorted(found, key=lambda match: -match.score)[:k]

    def _likeness(self, told: Telling) -> dict[str, float]:
        found: dict[str, float] = {}
        for share, words in ((1.0, told.question), (0.9, told.message[-LONGEST:])):
            for hit in self._index.search(reworded(words), _CANDIDATES):
                found[hit.document.id] = max(found.get(hit.document.id, 0.0), share * hit.score)
        return found

    def _matched(
        self, one: Situation, places: Sequence[tuple[float, str]], likeness: float, topics: Sequence[str]
    ) -> Match | None:
        here = places[:2]
        if any(word in text for word in one.unless for _, text in here):
            return None
        weights, credits_ = [], []
        for group in one.keys:
            weight, credit = self._said(group, places)
            weights.append(weight)
            credits_.append(credit)
        missing = sum(not credit for credit in credits_)
        if max(credits_, default=0) < _TOLD or missing > 1:
            return None
        # A group that is missing weighs as much as the rarest that was said.
        heavy = max((weight for weight in weights if weight), default=1.0)
        weighed = sum(w * c for w, c in zip(weights, credits_, strict=True))
        whole = sum(weight or heavy for weight in weights)
        newest = sum(w for w, c in zip(weights, credits_, strict=True) if c >= _TOLD)
        score = weighed / whole + _LIKE * likeness + 0.04 * weighed
        score += _SAME_TOPIC if one.topic in topics else 0.0
        score *= 0.6 if missing else 1.0
        clear = score >= CLEAR and likeness >= LEAST_LIKE if not missing else likeness >= NEARLY_SAID
        # What an earlier message said may add to this one, not stand for it.
        clear = clear and (newest >= HERE * whole or likeness >= LIKE_ALONE)
        return Match(one, round(score, 3), clear, not missing) if score >= NEAR else None

    def _said(self, group: Sequence[str], places: Sequence[tuple[float, str]]) -> tuple[float, float]:
        """The rarest word of a group that was said, and what it counts where it was."""
        best = (0.0, 0.0)
        for share, text in places:
            for stem in group:
                if stem in text and share * self._rarity[stem] > best[0] * best[1]:
                    best = (self._rarity[stem], share)
        return best


def bearing_on(question: str, situation: Situation, most: int = 4) -> str:
    """What of an answer that was given before bears on the question asked after it, in its own order."""
    asked = set(bigrams(question))
    said = [*re.split(r"(?<=[요다]\.) ", situation.answer), *situation.steps]
    ranked = sorted(said, key=lambda line: -len(asked & set(bigrams(line))) / (30 + len(line)))
    kept = set(ranked[:most])
    return " ".join(line for line in said if line in kept)


def _plain(text: str) -> str:
    """Without blanks, so that spacing makes no difference; but 인상 가능 is no 상가."""
    return squeeze(text).replace("상가능", "상 가능")
