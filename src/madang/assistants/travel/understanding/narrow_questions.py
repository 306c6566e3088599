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
from madang.text.morphemes import telling

# From here a question is surely the one that was asked, from there it may be: read off the development rounds.
SURE, NEAR = 0.47, 0.39
# The same for what is asked beside the questions that were read.
SURE_BESIDE = 0.5
# At most so many of them are told, and how far one may lie behind the best of the same words.
MOST, MOST_NEAR, ALIKE = 3, 2, 0.05
_WINDOWS = 16
_TELLING = 2  # nouns that a question has to say anything by itself
# How much nearer a text is where only texts are looked for: there are few of them.
_OF_FEW = 0.08
_TEXTS = ("wants_text", "letters")
# Topics that are texts themselves.
_WRITTEN = frozenset({"agency_refund_message", "job_scam_refuse", "consent_letter", "food_card"})
GUIDE = (StepRequest("local_guide"),)
# Answers that say nothing but where things stand, what they leave as it was, and what they are right for.
_SMALL, _KEPT = frozenset({"small_talk", "collect_needs"}), frozenset({"pending", "info_collected"})
_SOCIAL, _BRIEF = frozenset({"greet", "thank", "confirm", "deny", "choose", "change", "take_back"}), 7
_PLANNERS = frozenset({"coordinator", "destination_advisor"})
_NOT_NOW = frozenset({"danger", "start_over"})


def with_narrow(
    understood: Understanding, state: MultiAgentTravelState, heard: Heard | None, faq: Faq
) -> Understanding:
    """The understanding with the narrow questions that the message surely asks; what has no answer otherwise also has
    those that it may ask. Each is told once."""
    if heard is None or understood.intent in _NOT_NOW:
        return understood
    asked: Sequence[AskedQuestion] = understood.update.get("asked") or ()
    lost = not asked and _at_a_loss(understood, heard)
    written = _wants_text(heard.message.text) and any(_WRITTEN & {*one["topics"]} for one in asked)
    if not lost and (understood.answer is not None or not asked or written):
        return understood
    found = _nearest(heard, state, faq)
    if lost:
        if not _asks(heard) and not (found and found[0][1].score >= NEAR):
            return understood
        asked = [AskedQuestion(words="", topics=[], cities=[], places=[], rest=True)]
        understood = Understanding(update={"asked": asked}, steps=GUIDE, intent="answer_questions")
    plans = any(step.agent in _PLANNERS for step in understood.steps)
    answered = _answered(asked, found, more=not plans)
    if not any(one.get("faq") for one in answered):
        return understood
    facts = _facts(answered, state, heard, faq)
    answered = [{**one, "told": facts} if one.get("faq") and facts else one for one in answered]
    steps = understood.steps
    if not any(step.agent == "local_guide" for step in steps):
        steps = (*steps, *GUIDE)
    return replace(understood, update={**understood.update, "asked": answered}, steps=steps)


def _answered(asked: Sequence[AskedQuestion], found: Sequence[tuple[str, Near]], *, more: bool) -> list[AskedQuestion]:
    """The questions with those that they are; with `more` then what else is surely asked. What hardly says anything by
    itself is answered with the rest."""
    told: set[str] = set()
    answered: list[AskedQuestion] = []
    for one in asked:
        near = [item for words, item in found if _same(one["words"], words) and item.question.id not in told]
        ids, sure = _chosen(near, len(told), alone=not (one["topics"] or told))
        told |= {*ids}
        answered.append({**one, "faq": ids, "faq_sure": sure} if ids else one)
    for words, item in found if more else ():
        if item.question.id not in told and item.score >= SURE_BESIDE and len(told) < MOST and not item.question.text:
            told.add(item.question.id)
            extra = AskedQuestion(words=words, topics=[], cities=[], places=[])
            answered.append({**extra, "faq": [item.question.id], "faq_sure": True})
    if not any(one.get("faq_sure") for one in answered):
        return answered
    return [one for one in answered if not (one.get("rest") and not one.get("faq") and _vague(one["words"]))]


def _vague(words: str) -> bool:
    """Whether words ask without saying about what: 가도 되는 걸까요?"""
    return bool(words) and sum(one.tag.startswith(("NN", "SL", "XR")) for one in telling(words)) < _TELLING


def _at_a_loss(understood: Understanding, heard: Heard) -> bool:
    """Whether a question or a request would only be answered by asking where to go, or by how to ask."""
    kinds = {act["kind"] for act in heard.acts}
    if understood.answer is None or understood.intent not in _SMALL or {*understood.update} - _KEPT or kinds & _SOCIAL:
        return False
    return len(heard.message.text.strip()) > _BRIEF


def _asks(heard: Heard) -> bool:
    return any(cue(name).search(heard.message.text) for name in ("asks", "wants_text"))


def _chosen(near: Sequence[Near], told: int, *, alone: bool) -> tuple[list[str], bool]:
    """The questions to tell of those near, and whether they surely are the one. `alone`: nothing else is told."""
    if not near:
        return [], False
    most = 1 if near[0].question.text else MOST
    least = max(SURE, near[0].score - ALIKE)
    sure = [item.question.id for item in near if item.score >= least][: most - told]
    may_be = [item.question.id for item in near[: min(most, MOST_NEAR)] if item.score >= NEAR] if alone else []
    return sure or may_be, bool(sure)


def _facts(answered: Sequence[AskedQuestion], state: MultiAgentTravelState, heard: Heard, faq: Faq) -> dict[str, str]:
    """What was told of the trip, if one of the answers has blanks for that."""
    keys = [key for one in answered for key in one.get("faq") or ()]
    blanks = [f"{found.answer}{found.text}" for key in keys if (found := faq.find(key))]
    if not any("{" in text for text in blanks):
        return {}
    return as_words(told_facts([*_before(state), heard.message.text], heard.message.today))


def _nearest(heard: Heard, state: MultiAgentTravelState, faq: Faq) -> list[tuple[str, Near]]:
    """The nearest questions with the words that each is near to, best first."""
    text, before = heard.message.text, _before(state)
    said = "".join("".join([*before, text]).split())
    english = is_english(text)

    def fits(one: Question, text_wanted: bool) -> bool:
        if one.about and not any(name in said for name in one.about):
            return False
        return bool(one.english or not english) and bool(one.text or "{" in one.answer) == text_wanted

    best: dict[str, tuple[str, Near]] = {}
    for words in _windows(heard):
        text_wanted = _wants_text(words)
        asked = Narrow(words, text, before[-1] if before else "")
        for near in faq.near(asked, None, MOST, lambda one, wanted=text_wanted: fits(one, wanted)):  # type: ignore[misc]
            item = replace(near, score=near.score + (_OF_FEW if text_wanted else 0))
            if item.question.id not in best or best[item.question.id][1].score < item.score:
                best[item.question.id] = words, item
    return sorted(best.values(), key=lambda one: -one[1].score)


def _wants_text(words: str) -> bool:
    """Whether a text or a list is to be written."""
    return all(cue(name).search(words) for name in _TEXTS)


def _windows(heard: Heard) -> Iterator[str]:
    """The message, its sentences, and each two that follow each other; of a long one the last."""
    sentences = [heard.message.text[start:end].strip() for start, end in heard.message.sentences]
    pairs = [f"{first} {second}" for first, second in pairwise(sentences)]
    pairs = [pair for pair in pairs if not _wants_text(pair)]
    mixed = len(sentences) > 1 and _wants_text(heard.message.text)
    whole = [] if mixed else [heard.message.text]
    yield from dict.fromkeys([*whole, *sentences[-_WINDOWS:], *pairs[-_WINDOWS:]])


def _same(question: str, words: str) -> bool:
    """Whether words are a question's, or the question is all that was said."""
    return not question or question in words or words in question


def _before(state: Mapping[str, Any]) -> list[str]:
    """What the user wrote before this message."""
    said: list[Any] = [one.text for one in state.get("messages") or () if one.type == "human"]
    return [str(text) for text in said if str(text) != state.get("query")]
