"""Questions that no topic of the guide answers, looked up among the narrow ones."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

from madang.assistants.travel.data.cues import cue
from madang.assistants.travel.state import MultiAgentTravelState
from madang.assistants.travel.state.results import AskedQuestion
from madang.assistants.travel.tools.guide import is_english
from madang.assistants.travel.understanding.told_facts import as_words, told_facts
from madang.graph import StepRequest, Understanding
from madang.graph.reading import Heard
from madang.search.faq import Asked as Narrow
from madang.search.faq import Faq, Near, Question

# From here a question is surely the one that was asked, from there it may be: read off the development rounds.
SURE, NEAR = 0.47, 0.39
# At most so many of them are told, and how far one may lie behind the best of the same words.
MOST, MOST_NEAR, ALIKE = 3, 2, 0.05
_WINDOWS = 16
# How much nearer a text is where only texts are looked for: there are few of them.
_OF_FEW = 0.08
_TEXTS = ("wants_text", "letters")
# Topics that are texts themselves.
_WRITTEN = frozenset({"agency_refund_message", "job_scam_refuse", "consent_letter", "food_card"})
_NOT_NOW = frozenset({"danger", "start_over"})


def with_narrow(
    understood: Understanding, state: MultiAgentTravelState, heard: Heard | None, faq: Faq
) -> Understanding:
    """The understanding with the narrow questions that the message surely asks; what has no answer otherwise also has
    those that it may ask. Each is told once."""
    asked: Sequence[AskedQuestion] = understood.update.get("asked") or ()
    if heard is None or understood.answer is not None or understood.intent in _NOT_NOW or not asked:
        return understood
    wants_text = all(cue(name).search(heard.message.text) for name in _TEXTS)
    most = 1 if wants_text else MOST
    if wants_text and any(_WRITTEN & {*one["topics"]} for one in asked):
        return understood
    found = _nearest(heard, state, faq, wants_text=wants_text)
    told: set[str] = set()
    answered: list[AskedQuestion] = []
    for one in asked:
        near = [item for words, item in found if _same(one["words"], words) and item.question.id not in told]
        sure = [item.question.id for item in near if item.score >= max(SURE, near[0].score - ALIKE)][: most - len(told)]
        may_be = (
            []
            if one["topics"] or told
            else [item.question.id for item in near[: min(most, MOST_NEAR)] if item.score >= NEAR]
        )
        ids = sure or may_be
        told |= {*ids}
        answered.append(_with_told(one, ids, bool(sure), state, heard, faq) if ids else one)
    if not told:
        return understood
    steps = understood.steps
    if not any(step.agent == "local_guide" for step in steps):
        steps = (*steps, StepRequest("local_guide"))
    return replace(understood, update={**understood.update, "asked": answered}, steps=steps)


def _with_told(
    one: AskedQuestion, ids: list[str], sure: bool, state: MultiAgentTravelState, heard: Heard, faq: Faq
) -> AskedQuestion:
    """The question with those that it is, and with what was told of the trip if one of them has blanks for that."""
    with_faq: AskedQuestion = {**one, "faq": ids, "faq_sure": sure}
    blanks = [f"{found.answer}{found.text}" for key in ids if (found := faq.find(key))]
    if not any("{" in text for text in blanks):
        return with_faq
    return {**with_faq, "told": as_words(told_facts([*_before(state), heard.message.text], heard.message.today))}


def _nearest(heard: Heard, state: MultiAgentTravelState, faq: Faq, *, wants_text: bool) -> list[tuple[str, Near]]:
    """The nearest questions with the words that each is near to, best first."""
    text, before = heard.message.text, _before(state)
    said = "".join("".join([*before, text]).split())
    english = is_english(text)

    def fits(one: Question) -> bool:
        if one.about and not any(name in said for name in one.about):
            return False
        return bool(one.english or not english) and bool(one.text or "{" in one.answer or not wants_text)

    best: dict[str, tuple[str, Near]] = {}
    for words in _windows(heard):
        for near in faq.near(Narrow(words, text, before[-1] if before else ""), None, MOST, fits):
            item = replace(near, score=near.score + (_OF_FEW if wants_text else 0))
            if item.question.id not in best or best[item.question.id][1].score < item.score:
                best[item.question.id] = words, item
    return sorted(best.values(), key=lambda one: -one[1].score)


def _windows(heard: Heard) -> Iterator[str]:
    """The message, its sentences, and each two that follow each other; of a long one the last."""
    sentences = [heard.message.text[start:end].strip() for start, end in heard.message.sentences]
    pairs = [f"{first} {second}" for first, second in pairwise(sentences)] if len(sentences) > 2 else []
    yield from dict.fromkeys([heard.message.text, *sentences[-_WINDOWS:], *pairs[-_WINDOWS:]])


def _same(question: str, words: str) -> bool:
    """Whether words are a question's, or the question is all that was said."""
    return not question or question in words or words in question


def _before(state: Mapping[str, Any]) -> list[str]:
    """What the user wrote before this message."""
    said: list[Any] = [one.text for one in state.get("messages") or () if one.type == "human"]
    return [str(text) for text in said if str(text) != state.get("query")]
