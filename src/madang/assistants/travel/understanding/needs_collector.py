"""Consultant and Needs Collector: from a message to slots, a question, or a plan to make."""

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, cast

from madang.assistants.travel.answering import follow_up_answers as answers
from madang.assistants.travel.services import TravelTurn
from madang.assistants.travel.state import MultiAgentTravelState
from madang.assistants.travel.state.initial import forgotten_trip
from madang.assistants.travel.state.slots import SLOTS, Slots
from madang.assistants.travel.state.trip_facts import cities_of
from madang.assistants.travel.understanding import wishes
from madang.assistants.travel.understanding.assumptions import assume, certainty
from madang.assistants.travel.understanding.clarification import (
    ask,
    nothing_changed,
    open_question,
    remembered_styles,
    waived_slots,
)
from madang.assistants.travel.understanding.follow_ups import FollowUp, follow_up
from madang.assistants.travel.understanding.model_slots import read_message
from madang.assistants.travel.understanding.slots import SlotUpdate, apply, read_slots
from madang.graph import Answer, StepRequest, Understanding
from madang.threads import in_thread

PLAN = (StepRequest("coordinator"),)
_START_OVER = re.compile(
    r"처음부터|리셋|초기화|다\s?(?:지우|지워|잊)|새(?:로운)?\s?여행\s?(?:계획|으로|짜|시작)|(?:아예|완전)\s?(?:새로|다시)"
    r"|다른\s?여행\s?(?:계획|짜|으로)"
)
_TRAVELS = re.compile(r"출발|떠나|여행|부터|갈|가고|가요|간다|당장")


async def understand(state: MultiAgentTravelState, ctx: TravelTurn) -> Understanding:
    """Read the message in the light of what is known and what was asked."""
    if _START_OVER.search(state["query"]):
        cleared = forgotten_trip(state)
        begun = await _collect(cast(MultiAgentTravelState, {**state, **cleared}), ctx, fresh=True)
        return replace(begun, update={**cleared, **begun.update}, intent="start_over")
    if planned(state):
        update = await in_thread(read_slots, state["query"], _slots(state), ctx.today, state.get("pending_slot"))
        recommended = state.get("recommendation")
        chosen = recommended["type"] if recommended else None
        meant = await in_thread(follow_up, state["query"], update, cities_of(state), chosen)
        if meant.kind not in ("slots", "unknown", "cheaper") and not _corrects_too(meant, update):
            return await _after_plan(state, ctx, meant, update)
        if not update.changes and not update.problems and (plain := wishes.unnamed_wish(state)) is not None:
            return _wished(state, ctx, plain, meant, update)
        if meant.kind == "cheaper":
            return await _after_plan(state, ctx, meant, update)
    return await _collect(state, ctx)


def planned(state: MultiAgentTravelState) -> bool:
    """Whether a finished plan stands for the slots as they are."""
    return bool(state.get("final_plans") and state.get("info_collected"))


async def _collect(state: MultiAgentTravelState, ctx: TravelTurn, *, fresh: bool = False) -> Understanding:
    slots, pending = _slots(state), state.get("pending_slot")
    if not fresh and not pending and not slots["destination"]:
        pending = "destination"
    message = remembered_styles(state) or state["query"]
    update = await read_message(ctx, message, slots, pending)
    after = apply(slots, update)
    changed: dict[str, Any] = {name: after[name] for name in SLOTS if after[name] != slots[name]}
    if _only_today(state, changed, ctx):
        changed = {}
    waived = waived_slots(state, after, changed)
    question = open_question(update, after, waived, ctx.today)
    idle = not changed and not update.problems and not update.questions and waived == (state.get("waived") or [])
    if idle and (question is not None or planned(state)):
        return nothing_changed(state, question, planned=planned(state), fresh=fresh)
    if "destination" in changed or "destinations" in changed:
        changed |= {"avoid_places": [], "day_paces": {}, "chosen_plan": None}
    changed["waived"] = waived
    if question is not None:
        standing = planned(state) and not set(changed) & set(SLOTS)
        return ask(state, changed, update, question, standing=standing)
    return _plan(state, ctx, changed, after, update)


def _plan(
    state: MultiAgentTravelState, ctx: TravelTurn, changed: dict[str, Any], after: Slots, update: SlotUpdate
) -> Understanding:
    """Everything is known: assume the rest openly, and let the experts work."""
    assumed, remembered = assume(after, state, ctx.today)
    told = {
        **changed,
        "assumptions": assumed,
        "remembered": remembered,
        "pending_slot": None,
        "pending_choices": [],
        "info_collected": True,
        **wishes.turn_changes(state, changed),
    }
    intent = "change_trip" if state.get("final_plans") else "plan_trip"
    return Understanding(update=told, steps=PLAN, intent=intent, confidence=certainty(after, assumed, update))


async def _after_plan(
    state: MultiAgentTravelState, ctx: TravelTurn, meant: FollowUp, update: SlotUpdate
) -> Understanding:
    """What follows once there is a plan: an answer from state, a choice, or one expert again."""
    if meant.kind == "choose_plan":
        chosen = answers.chosen(state, meant)
        return Understanding(update={"chosen_plan": meant.plan}, answer=chosen, intent="choose_plan")
    if meant.reruns:
        return _wished(state, ctx, wishes.wish(state, meant), meant, update)
    return Understanding(answer=await answers.answer(state, meant, ctx), intent=meant.kind)


def _wished(
    state: MultiAgentTravelState, ctx: TravelTurn, wish: dict[str, Any] | Answer, meant: FollowUp, update: SlotUpdate
) -> Understanding:
    if isinstance(wish, Answer):
        return Understanding(answer=wish, intent=meant.kind)
    after = apply(_slots(state), update) if "correction" in update.cues else _slots(state)
    changed = {name: after[name] for name in SLOTS if after[name] != state.get(name)}
    understood = _plan(state, ctx, {**changed, **wish}, {**after, **wish}, update)
    intent = "change_trip" if meant.kind in ("unknown", "cheaper") else meant.kind
    return replace(understood, intent=intent)


def _corrects_too(meant: FollowUp, update: SlotUpdate) -> bool:
    """A question or a choice that also corrects a slot: the correction must not be lost."""
    only_asks = not meant.reruns and meant.kind not in ("export", "restart")
    return only_asks and "correction" in update.cues and bool(update.changes)


def _only_today(state: MultiAgentTravelState, changed: Mapping[str, Any], ctx: TravelTurn) -> bool:
    """오늘 점심 뭐 먹지: a word for today in a message about something else is no departure."""
    leaving = {"depart_date", "return_date"}.issuperset(changed) and changed.get("depart_date") == ctx.today.isoformat()
    return leaving and state.get("pending_slot") != "depart_date" and not _TRAVELS.search(state["query"])


def _slots(state: MultiAgentTravelState) -> dict[str, Any]:
    return {name: state.get(name) for name in SLOTS}
