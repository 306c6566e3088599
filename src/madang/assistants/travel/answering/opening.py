"""The first paragraph: what changed, the recommended plan with its total, and whether the budget carries it."""

from datetime import timedelta

from madang.assistants.travel.answering.phrases import day_text, nights_text, what_changed, won
from madang.assistants.travel.state import MultiAgentTravelState
from madang.assistants.travel.state.results import EarlierPlan, Recommendation, TripPlan
from madang.assistants.travel.state.trip_facts import (
    PlanPart,
    cities_of,
    current_plan,
    departure_of,
    moved_parts,
    nights_of,
    people_of,
)
from madang.text.blocks import spaced
from madang.text.particles import with_object, with_subject, with_topic

_KEPT = {"flight_expert": "교통편", "hotel_expert": "숙소", "itinerary_planner": "일정"}
_PARTS: dict[str, PlanPart] = {
    "flight_expert": "flight_type",
    "hotel_expert": "hotel_type",
    "itinerary_planner": "flight_type",
}


def opening(state: MultiAgentTravelState) -> str:
    """The draft of the opening, from the state."""
    chosen = state.get("recommendation")
    if not state.get("final_plans") or not chosen:
        return "계획을 끝까지 세우지 못했어요. 지금까지 찾은 것을 먼저 보여 드릴게요."
    before = state.get("before")
    lines = [_changed(state, chosen, before) if before else _first(state, chosen)]
    if current_plan(state)["type"] == chosen["type"] and not chosen["fits"]:
        lines += _budget_changes(chosen)
    elif not before:
        lines += [f"- {reason}" for reason in chosen["reasons"]]
    return spaced(lines)


def _first(state: MultiAgentTravelState, chosen: Recommendation) -> str:
    plan = current_plan(state)
    trip = f"{'·'.join(cities_of(state))} {nights_text(nights_of(state))}, {people_of(state)}명"
    when = f"{day_text(departure_of(state))} 출발" + ("" if state.get("depart_date") else "(가정)")
    if not chosen["fits"]:
        return f"{trip}, {when}: 예산 {won(state['budget'] or 0)}으로는 어렵습니다. {_shortfall(state)}"
    return f"{trip}, {when}: **{plan['title']}, 총 {won(plan['total'])}(추정)**을 추천해요."


def _changed(state: MultiAgentTravelState, chosen: Recommendation, before: EarlierPlan) -> str:
    plan = current_plan(state)
    home = departure_of(state) + timedelta(days=nights_of(state))
    parts = [what_changed(state.get("slot_changes") or (), home)]
    parts.append(_day_paces(state) if not parts[0] else "")
    gap = plan["total"] - before["total"]
    moved = f"전보다 {won(abs(gap))} {'늘었어요' if gap > 0 else '줄었어요'}" if gap else "총액은 그대로예요"
    name = f"**{plan['title']}, 총 {won(plan['total'])}(추정)**"
    if plan["type"] != before["type"] and not chosen["fits"]:
        parts.append(f"이제 예산 {won(state['budget'] or 0)}으로는 어려워요. 가장 저렴한 {name}도 예산을 넘어요.")
    elif plan["type"] != before["type"]:
        parts.append(f"이제 {with_object(plan['title'])} 추천해요: {name}.")
    else:
        parts.append(f"{name}으로 {moved}." if gap else f"{name}, {moved}.")
    parts += [_budget(plan), _kept(state)]
    return " ".join(part for part in parts if part)


def _day_paces(state: MultiAgentTravelState) -> str:
    words = {"relaxed": "여유롭게", "packed": "꽉 차게", "normal": "보통으로"}
    paces = [f"{day}일째를 {words[pace]}" for day, pace in sorted((state.get("day_paces") or {}).items())]
    return f"{', '.join(paces)} 다시 짰어요." if paces else "다시 계산했어요."


def _budget(plan: TripPlan) -> str:
    left = plan["remaining"]
    if left is None:
        return ""
    return f"예산에서 {won(left)}이 남아요." if left >= 0 else f"예산보다 {won(-left)} 많아요."


def _kept(state: MultiAgentTravelState) -> str:
    """What the plan has kept; one that takes another option has not, though nobody searched again."""
    moved = moved_parts(state)
    agents = [step["agent"] for step in state["execution_steps"] if step.get("reused")]
    kept = [_KEPT[agent] for agent in agents if agent in _KEPT and _PARTS[agent] not in moved]
    return f"{with_topic('·'.join(kept))} 그대로예요." if kept else ""


def _shortfall(state: MultiAgentTravelState) -> str:
    cheapest = min(state["final_plans"], key=lambda plan: plan["total"])
    short = cheapest["total"] - (state["budget"] or 0)
    return (
        f"가장 저렴한 {with_subject(cheapest['title'])} **총 {won(cheapest['total'])}(추정)**, {won(short)} 모자랍니다."
    )


def _budget_changes(chosen: Recommendation) -> list[str]:
    changes = chosen["changes"]
    if not changes:
        return []
    lines = [f"가장 작은 변화: {changes[0]['text']}"]
    return lines + ([f"다른 방법: {' '.join(change['text'] for change in changes[1:])}"] if changes[1:] else [])
