"""Answers to questions and suggestions of cities, in words."""

from madang.assistants.travel.state import MultiAgentTravelState
from madang.assistants.travel.state.results import AskedQuestion, Suggestion
from madang.assistants.travel.understanding.slots.slot_update import SlotQuestion
from madang.text.particles import with_direction

_SHORT = 40


def answers(state: MultiAgentTravelState) -> str:
    """What was asked, answered in turn; a question that the data has nothing for is named."""
    found = state.get("guide_answers") or []
    said = [one["answer"] for one in found]
    answered = {one["question"] for one in found}
    said += [_unknown(one) for one in state.get("asked") or () if one["words"] not in answered]
    return "\n\n".join([*said, *(state.get("said_first") or ())])


def _unknown(asked: AskedQuestion) -> str:
    words = " ".join(asked["words"].split())
    short = words if len(words) <= _SHORT else f"{words[: _SHORT - 1]}…"
    return f"“{short}”은 가진 자료로 답하지 못했어요."


def advice(state: MultiAgentTravelState) -> tuple[str, SlotQuestion]:
    """The suggested cities with their reasons, and the question which one it should be."""
    found = state.get("suggestions") or []
    if not found:
        text = "말씀하신 조건에 모두 맞는 도시가 자료에 없어요. 비행 시간이나 날씨 조건을 조금 넓혀 볼까요?"
        return text, SlotQuestion("destination", "어느 도시로 갈까요?")
    cities = tuple(one["city"] for one in found)
    question = f"어디로 할까요? 정하시면 바로 계획을 짤게요: {', '.join(cities)}"
    if not (state.get("duration") or state.get("num_people") or state.get("depart_window") or state.get("depart_date")):
        question += ". 언제, 며칠, 누구와 가시는지와 바라는 것을 알려 주시면 더 맞춰 골라 드려요."
    lines = [f"- **{one['city']}**: {_reasons(one)}" for one in found]
    head = (
        f"{with_direction(cities[0])} 가시는 것을 먼저 권해요."
        if len(cities) > 1
        else f"{with_direction(cities[0])} 가시는 것을 권해요."
    )
    return "\n".join([head, "", *lines]), SlotQuestion("destination", question, "narrow", cities)


def _reasons(one: Suggestion) -> str:
    return "; ".join(reason for reason in one["reasons"] if reason)
