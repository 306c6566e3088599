"""A message read into slots: the rules first, then a model's readings, each checked by the same rules."""

import re
from dataclasses import replace
from datetime import date
from functools import cache
from typing import Literal

from pydantic import BaseModel, Field

from madang.assistants.travel.answering.phrases import trip_summary
from madang.assistants.travel.services import TravelTurn
from madang.assistants.travel.state.slots import SLOTS, Slots
from madang.assistants.travel.understanding.slots import SlotUpdate, apply, read_slots
from madang.assistants.travel.understanding.slots.questions import next_question
from madang.llm import Budget, CallPoint, read_prompt

Slot = Literal[
    "destination", "duration", "budget", "budget_per_person", "num_people", "travel_style", "depart_date", "origin",
    "preferred_airline", "accommodation_preference", "must_visit_places", "pace",
]  # fmt: skip
# How each reading is said so that the rules can check it and derive what follows from it.
_PLAINLY: dict[Slot, str] = {
    "destination": "{}",
    "duration": "{}박",
    "budget": "총예산 {}원",
    "budget_per_person": "1인당 예산 {}원",
    "num_people": "{}명",
    "travel_style": "{}",
    "depart_date": "{} 출발",
    "origin": "{}에서 출발",
    "preferred_airline": "{}",
    "accommodation_preference": "{}",
    "must_visit_places": "{} 꼭",
    "pace": "{}",
}
_NUMBERS = ("duration", "budget", "budget_per_person", "num_people")


class QuotedValue(BaseModel):
    """One condition of the trip, and the words it was read from."""

    slot: Slot
    value: str = Field(max_length=60)
    quote: str = Field(max_length=200)


class QuotedValues(BaseModel):
    readings: list[QuotedValue] = Field(default_factory=list, max_length=16)


@cache
def slots_point() -> CallPoint[QuotedValues]:
    """The call point for understanding. Its twin adds nothing: the rules have read the message already."""
    return CallPoint(
        name="travel.slots",
        prompt=read_prompt("madang.assistants.travel", "prompts/slots.md"),
        schema=QuotedValues,
        inputs=("today", "known", "question", "message"),
        twin=lambda _inputs: QuotedValues(),
        budget=Budget(1500, 500),
        timeout=12.0,
    )


async def with_model(ctx: TravelTurn, message: str, ours: SlotUpdate, slots: Slots) -> SlotUpdate:
    """What the message changes. A model may fill what the rules left unread, and read words otherwise than they did;
    a figure in digits is always the rules'."""
    if not getattr(ctx.models, "configured", False):
        return ours
    question = ours.next_question.text if ours.next_question else ""
    inputs = {"today": ctx.today.isoformat(), "known": trip_summary(slots), "question": question, "message": message}
    outcome = await ctx.call(slots_point(), inputs)
    return with_quoted_values(ours, outcome.value.readings, message, slots, ctx.today)


def with_quoted_values(
    ours: SlotUpdate, readings: list[QuotedValue], message: str, slots: Slots, today: date
) -> SlotUpdate:
    """The rules' update with those of the model's readings that quote the message and that the rules accept."""
    after, problems, questions = apply(slots, ours), list(ours.problems), list(ours.questions)
    taken = False
    for reading in readings:
        slot = "budget" if reading.slot == "budget_per_person" else reading.slot
        if not _may_fill(reading, slot, ours, message):
            continue
        plainly = _PLAINLY[reading.slot].format(_value(reading))
        checked = read_slots(plainly, after, today, slot)
        if any(problem.field == slot for problem in checked.problems):
            problems += [p for p in checked.problems if p.field not in {known.field for known in problems}]
        elif slot in checked.changes:
            after, taken = apply(after, checked), True
            problems = [problem for problem in problems if problem.field != slot]
            questions = [question for question in questions if question.slot != slot]
    if not taken and problems == list(ours.problems):
        return ours
    changes = {name: after[name] for name in SLOTS if after.get(name) != slots.get(name) and after.get(name)}
    asked = next_question(after, problems, questions)
    return replace(ours, changes=changes, problems=tuple(problems), questions=tuple(questions), next_question=asked)


def _may_fill(reading: QuotedValue, slot: str, ours: SlotUpdate, message: str) -> bool:
    quote = _squeezed(reading.quote)
    if not quote or quote not in _squeezed(message):
        return False
    ours_too = slot in ours.changes or any(problem.field == slot for problem in ours.problems)
    return not (ours_too and re.search(r"\d", quote))


def _value(reading: QuotedValue) -> str:
    return re.sub(r"[^\d]", "", reading.value) if reading.slot in _NUMBERS else reading.value.strip()


def _squeezed(text: str) -> str:
    return re.sub(r"\s+", "", text)
