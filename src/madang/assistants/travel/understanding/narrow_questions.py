"""Questions that no topic of the guide answers, looked up among the narrow ones."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from madang.assistants.travel.data.cues import cue
from madang.assistants.travel.state import MultiAgentTravelState
from madang.assistants.travel.state.results import AskedQuestion
from madang.assistants.travel.tools.guide import is_english
from madang.graph import StepRequest, Understanding
from madang.graph.reading import Heard
from madang.search.faq import NEAR, SURE, Faq, Question
from madang.search.faq import Asked as Narrow

MOST, ALIKE = 2, 0.06
_TEXTS = ("wants_text", "letters")
_NOT_NOW = frozenset({"danger", "start_over"})


def with_narrow(
    understood: Understanding, state: MultiAgentTravelState, heard: Heard | None, faq: Faq
) -> Understanding:
    """The understanding with the narrow questions that each of the message's questions surely is; one without a topic
    also has those that it may be. Each is told once."""
    asked: Sequence[AskedQuestion] = understood.update.get("asked") or ()
    if heard is None or understood.answer is not None or understood.intent in _NOT_NOW or not asked:
        return understood
    text = heard.message.text
    english = is_english(text)
    wants_text = all(cue(name).search(text) for name in _TEXTS)

    def fits(one: Question) -> bool:
        return bool(one.english or not english) and bool(one.text or not wants_text)

    told: set[str] = set()
    found: list[AskedQuestion] = []
    for one in asked:
        near = faq.near(Narrow(one["words"] or text, text, _before(state)), None, MOST, fits)
        sure = bool(near) and near[0].score >= SURE
        least = max(SURE, near[0].score - ALIKE) if sure else NEAR
        ids = [item.question.id for item in near if item.score >= least and item.question.id not in told]
        if not ids or (one["topics"] and not sure):
            found.append(one)
            continue
        told |= {*ids}
        found.append({**one, "faq": ids, "faq_sure": sure})
    if not told:
        return understood
    steps = understood.steps
    if not any(step.agent == "local_guide" for step in steps):
        steps = (*steps, StepRequest("local_guide"))
    return replace(understood, update={**understood.update, "asked": found}, steps=steps)


def _before(state: MultiAgentTravelState) -> str:
    """What the user wrote before this message."""
    said: list[Any] = [one.text for one in state.get("messages") or () if one.type == "human"]
    earlier = [str(text) for text in said if str(text) != state.get("query")]
    return earlier[-1] if earlier else ""
