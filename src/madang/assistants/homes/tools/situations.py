"""Which situation a question is about, as far as its words tell."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from madang.assistants.homes.data.situation_base import Situation, load_situations
from madang.assistants.homes.tools.figure_facts import names_shop
from madang.assistants.homes.tools.legal_search import telling_words
from madang.assistants.homes.tools.situation_topics import NONE, topics_of
from madang.text.morphemes import bigrams

# Calibrated on the development rounds of bench/data/people, each left out in turn: `madang bench eval-homes-topics`.
CLEAR, NEAR = 0.2, 0.14
# Few situations are told in English: a message is like those for its language alone.
CLEAR_IN_ENGLISH = 0.23
# What was answered last answers again only what is surely about it, or goes on with it.
AGAIN = 0.31
# Where one of these is said a shop may be meant.
SHOPS, OF_SHOPS = "상가", ("장사", "건물주", "권리금", "영업", "고깃집", "업종")
# A story is nearly always of something: what is near is offered also where none is nearer.
STORY, OF_A_STORY = 70, 0.6
# A few words are like many topics.
FEW_WORDS, CLEAR_FOR_FEW = 4, 0.33
SHORT, CLEAR_FOR_SHORT, APART = 40, 0.22, 0.06
# What follows the last answer, if it is about as near as the nearest.
SAME, SAME_GOING_ON, SAME_TOPIC = 0.05, 0.2, 0.02


@dataclass(frozen=True)
class Match:
    """A situation with how much the question is about it: `clear` ones answer, others are offered."""

    situation: Situation
    score: float
    clear: bool


@dataclass(frozen=True)
class Telling:
    """What a question is asked with: its own words, the message without its other questions, what was told before, the
    last situations; `goes_on` if it says that it goes on with them."""

    question: str
    message: str
    before: Sequence[str] = ()
    last: Sequence[str] = ()
    goes_on: bool = False


class SituationTool:
    """The situations, ranked for a question."""

    def __init__(self, situations: Sequence[Situation] | None = None) -> None:
        self._all = {one.id: one for one in (load_situations() if situations is None else situations)}

    def find(self, key: str) -> Situation | None:
        """The situation of that name."""
        return self._all.get(key)

    def suits(self, one: Situation, told: Telling) -> bool:
        """Whether a situation of shops is looked at: where one is spoken of, or was."""
        last = self.find(told.last[0]) if told.last else None
        words = " ".join([told.message, *told.before])
        return (
            one.topic != SHOPS
            or names_shop(words)
            or any(word in words for word in OF_SHOPS)
            or (last is not None and last.topic == SHOPS)
        )

    def match(self, told: Telling, k: int = 3) -> list[Match]:
        """The situations that fit a question, best first; none if nothing does or it belongs to none."""
        scores = dict(topics_of(told.question, told.message, told.before, goes_on=told.goes_on))
        nothing = scores.pop(NONE, 0.0)
        topics = {one.topic for key in told.last if (one := self.find(key)) is not None}
        same = SAME_GOING_ON if told.goes_on else SAME
        found = [
            (score + (same if key in told.last[:1] else SAME_TOPIC if one.topic in topics else 0.0), one)
            for key, score in scores.items()
            if (one := self.find(key)) is not None and self.suits(one, told)
        ]
        few = len(telling_words(told.message)) < FEW_WORDS and not told.before
        english = len(re.findall("[a-zA-Z]", told.message)) > len(re.findall("[가-힣]", told.message))
        clear = max(CLEAR_FOR_FEW if few else CLEAR_IN_ENGLISH if english else CLEAR, nothing)
        best = sorted(found, key=lambda item: -item[0])[:k]
        if best and len(told.message) <= SHORT:
            next_ = best[1][0] if len(best) > 1 else 0.0
            clear = max(clear, CLEAR_FOR_SHORT, min(CLEAR_FOR_FEW, next_ + APART))
        repeated = set() if told.goes_on else set(told.last[:1])
        return [
            Match(one, round(score, 3), score >= clear and (one.id not in repeated or scores[one.id] >= AGAIN))
            for score, one in best
            if score >= max(NEAR, nothing * (OF_A_STORY if len(told.message) > STORY else 1.0))
        ]


def bearing_on(question: str, situation: Situation, most: int = 4) -> str:
    """What of an answer that was given before bears on the question asked after it, in its own order."""
    asked = set(bigrams(question))
    said = [*re.split(r"(?<=[요다]\.) ", situation.answer), *situation.steps]
    ranked = sorted(said, key=lambda line: -len(asked & set(bigrams(line))) / (30 + len(line)))
    kept = set(ranked[:most])
    return " ".join(line for line in said if line in kept)
