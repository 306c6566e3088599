"""Consultant and Needs Collector: from a message to slots, a question, or a plan to make."""

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from madang.assistants.travel.agents import follow_up_answers as answers
from madang.assistants.travel.agents.trip_facts import cities_of
from madang.assistants.travel.data.cities import Tier
from madang.assistants.travel.tools.followups import FollowUp, follow_up, shifted
from madang.assistants.travel.tools.slots import SLOTS, Question, SlotUpdate, apply
from madang.assistants.travel.tools.slots import understand as read_slots
from madang.graph import Answer, StepRequest, TurnContext, Understanding

State = Mapping[str, Any]
PLAN = (StepRequest("coordinator"),)
DAYS_AHEAD = 30
HELP = (
    "여행 계획을 도와드려요. 목적지, 기간, 예산, 인원, 여행 스타일을 알려 주시면 "
    "항공과 숙소, 날짜별 일정, 예산까지 짜 드립니다.\n"
    "예: “오사카 3박4일 둘이 200만원, 맛집이랑 관광 위주로”"
)


async def understand(state: State, ctx: TurnContext) -> Understanding:
    """Read the message in the light of what is known and what was asked."""
    slots = {name: state.get(name) for name in SLOTS}
    update = read_slots(state["query"], slots, ctx.today, state.get("pending_slot"))
    planned = bool(state.get("final_plans"))
    if planned:
        recommended = (state.get("recommendation") or {}).get("type")
        meant = follow_up(state["query"], update, cities_of(state), recommended)
        if meant.kind != "slots":
            return _after_plan(state, meant)
    after = apply(slots, update)
    changed = {name: after[name] for name in SLOTS if after[name] != slots[name]}
    if not changed and not update.problems and not update.questions:
        return _nothing_new(state, update, planned)
    if "destination" in changed or "destinations" in changed:
        changed |= {"avoid_places": [], "day_paces": {}, "chosen_plan": None}
    if update.next_question is not None:
        return _asking(changed, update)
    assumed = assumptions(after, state, ctx)
    told = {**changed, "assumptions": assumed, "pending_slot": None, "info_collected": True}
    return Understanding(update=told, steps=PLAN, intent="plan_trip", confidence=certainty(update, after))


def assumptions(slots: State, state: State, ctx: TurnContext) -> dict[str, str]:
    """What a plan needs and the user hasn't said. It is shown with the plan, and any of it can be corrected."""
    assumed: dict[str, str] = {}
    if not slots.get("depart_date"):
        window = slots.get("depart_window")
        before = (state.get("assumptions") or {}).get("depart_date")
        kept = before if before and before >= ctx.today.isoformat() else None
        ahead = (ctx.today + timedelta(days=DAYS_AHEAD)).isoformat()
        assumed["depart_date"] = window["from"] if window else kept or ahead
    if not slots.get("origin"):
        liked = (state.get("user_preferences") or {}).get("origin")
        assumed["origin"] = str(liked or "서울")
    return assumed


def certainty(update: SlotUpdate, slots: State) -> float:
    """How much of the plan rests on what was said: the share of known slots, less for what was unclear."""
    known = sum(slots.get(name) not in (None, [], {}, "") for name in SLOTS)
    return round(max(0.1, known / len(SLOTS) - 0.1 * len(update.questions)), 2)


def _asking(changed: dict[str, Any], update: SlotUpdate) -> Understanding:
    question = update.next_question
    assert question is not None
    answer = Answer(
        type="clarification",
        answer=question.text,
        structured_data={
            "choices": list(question.choices),
            "slot": question.slot,
            "kind": question.kind,
            "problems": [problem.as_dict() for problem in update.problems],
        },
    )
    return Understanding(update={**changed, "pending_slot": question.slot}, answer=answer, intent="collect_needs")


def _nothing_new(state: State, update: SlotUpdate, planned: bool) -> Understanding:
    if planned:
        return Understanding(answer=answers.still_here(state), intent="small_talk")
    question: Question | None = update.next_question
    asked = state.get("pending_slot")
    if question is not None and asked:
        said = f"잘 알아듣지 못했어요. {question.text}"
        return Understanding(
            update={"pending_slot": question.slot},
            answer=Answer(type="clarification", answer=said, structured_data={"choices": list(question.choices)}),
            intent="collect_needs",
        )
    if question is None:
        return Understanding(steps=PLAN, intent="plan_trip", confidence=0.5)
    return Understanding(
        update={"pending_slot": question.slot},
        answer=Answer(type="guidance", answer=f"{HELP}\n\n{question.text}"),
        intent="small_talk",
    )


def _after_plan(state: State, meant: FollowUp) -> Understanding:
    """What follows once there is a plan: an answer from state, a choice, or one expert again."""
    if meant.action == "choose":
        return Understanding(update={"chosen_plan": meant.plan}, answer=answers.chosen(state, meant), intent="choose")
    if meant.action in ("answer", "export", "none"):
        return Understanding(answer=answers.answer(state, meant), intent=meant.kind)
    return Understanding(update=_wish(state, meant), steps=PLAN, intent=meant.kind, confidence=0.9)


def _wish(state: State, meant: FollowUp) -> dict[str, Any]:
    if meant.kind == "hotel_tier":
        return {"hotel_tier": shifted(_tier(state, "hotel_tier", "hotel_analysis"), meant.step)}
    if meant.kind == "flight_tier":
        return {"flight_tier": shifted(_tier(state, "flight_tier", "flight_analysis"), meant.step)}
    if meant.kind == "direct_only":
        return {"direct_only": True}
    if meant.kind == "avoid_place":
        kept = [place for place in state.get("must_visit_places") or () if place != meant.place]
        return {
            "avoid_places": [*(state.get("avoid_places") or ()), str(meant.place)],
            "must_visit_places": kept,
        }
    days = len((state.get("itinerary") or {}).get("days", ())) or 1
    day = days if meant.day == -1 else meant.day or 1
    return {"day_paces": {**(state.get("day_paces") or {}), str(min(day, days)): meant.pace or "relaxed"}}


def _tier(state: State, wish: str, analysis: str) -> Tier:
    """The tier in force: wished before, else recommended."""
    tier: Tier = state.get(wish) or (state.get(analysis) or {}).get("recommendation") or "standard"
    return tier
