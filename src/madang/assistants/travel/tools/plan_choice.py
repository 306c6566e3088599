"""Three plans and the one to take, from stored options: what budget manager and coordinator share."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from typing import Any

from madang.assistants.travel.data.cities import TIERS, Tier
from madang.assistants.travel.state.trip_facts import FROM, STAYS, WHEN, WHO, entrance_fees, slots_of
from madang.assistants.travel.tools.affordable_changes import Change, smallest_changes
from madang.assistants.travel.tools.plans import Plan, PlanInputs, Priced, Recommended, make_plans, recommend
from madang.assistants.travel.tools.requests import plan_inputs, priced_trip
from madang.graph import View

READS = (
    *STAYS, *WHEN, *WHO, "flight_options", "hotel_options", "itinerary", "budget", "budget_flexibility",
    "flight_tier", "hotel_tier",
)  # fmt: skip
RESCUE_READS = (*FROM, "preferred_airline", "direct_only", "accommodation_preference")
_GROUND = {"train": "기차", "bus": "고속버스", "car": "자가용", "none": "이동 없음"}
_STRETCH = 1.1
_ROUND = 10_000


def inputs_of(trip: View, today: date) -> PlanInputs:
    """What the plans are made from."""
    inputs = plan_inputs(slots_of(trip), today, trip.flight_options, trip.hotel_options, entrance_fees(trip.itinerary))
    named = {row["type"]: row["airline"] or _GROUND.get(row["mode"], "교통") for row in trip.flight_options}
    return replace(inputs, flights=tuple(replace(option, label=named[option.type]) for option in inputs.flights))


def settle(inputs: PlanInputs, flight_tier: Tier | None, hotel_tier: Tier | None) -> tuple[list[Plan], Recommended]:
    """The plans and the recommended one.

    A wished tier is what the recommended plan gets, and the other plans move with it. A wish never changes which plan
    is recommended: who asks for a better hotel only doesn't want a cheaper flight in return.
    """
    plain = recommend(make_plans(inputs), inputs)
    if flight_tier is None and hotel_tier is None:
        return make_plans(inputs), plain
    flown, slept = _shift(plain.type, flight_tier), _shift(plain.type, hotel_tier)
    moved = replace(inputs, flights=_moved(inputs.flights, flown), hotels=_moved(inputs.hotels, slept))
    plans = [
        replace(plan, flight_type=_tier(plan.type, flown), hotel_type=_tier(plan.type, slept))
        for plan in make_plans(moved)
    ]
    chosen = next(plan for plan in plans if plan.type == plain.type)
    return plans, Recommended(
        chosen.type, chosen.title, _reasons(chosen, inputs), chosen.total, _carried(chosen, inputs)
    )


def changes_for(trip: View, today: date, inputs: PlanInputs, chosen: Recommended) -> list[Change]:
    """What would make the budget carry the trip, the smallest change first; first of all a wish taken back."""
    if not inputs.budget:
        return []
    priced = replace(priced_trip(slots_of(trip), today, inputs.entrance_per_adult), direct_only=bool(trip.direct_only))
    if not (trip.flight_tier or trip.hotel_tier):
        return smallest_changes(priced, inputs.budget)
    what = "교통편과 숙소" if trip.flight_tier and trip.hotel_tier else "교통편" if trip.flight_tier else "숙소"
    back: dict[str, Any] = {"flight_tier": None, "hotel_tier": None}
    plain = recommend(make_plans(inputs), inputs)
    if plain.fits:
        text = f"{what} 등급을 되돌리면 {plain.total:,}원에 가능합니다."
        return [Change("lodging", text, back, plain.total, 0.0)]
    others = [
        replace(change, text=f"{what} 등급을 되돌리고 {change.text}", slots={**change.slots, **back})
        for change in smallest_changes(priced, inputs.budget)
    ]
    return [*others, _more_money(inputs.budget, chosen.total)]


def _more_money(budget: int, total: int) -> Change:
    missing = -(-(total - budget) // _ROUND) * _ROUND
    raised = {"budget": budget + missing, "budget_amount": budget + missing, "budget_basis": "total"}
    text = f"예산을 {missing:,}원 늘리면(총 {budget + missing:,}원) 지금 등급 그대로 가능합니다."
    return Change("budget", text, raised, total, missing / budget)


def _shift(base: Tier, wished: Tier | None) -> int:
    return TIERS.index(wished) - TIERS.index(base) if wished else 0


def _tier(tier: Tier, shift: int) -> Tier:
    return TIERS[min(2, max(0, TIERS.index(tier) + shift))]


def _moved(options: Sequence[Priced], shift: int) -> tuple[Priced, ...]:
    by_tier = {option.type: option for option in options}
    return tuple(replace(by_tier.get(_tier(tier, shift), options[0]), type=tier) for tier in TIERS)


def _carried(plan: Plan, inputs: PlanInputs) -> bool:
    if inputs.budget is None:
        return True
    return plan.total <= inputs.budget * (_STRETCH if inputs.flexibility == "flexible" else 1)


def _reasons(plan: Plan, inputs: PlanInputs) -> list[str]:
    if plan.remaining is None:
        return ["말씀하신 등급에 맞췄습니다."]
    if plan.remaining >= 0:
        return [f"말씀하신 등급으로도 예산 {inputs.budget:,}원 안에서 {plan.remaining:,}원이 남습니다."]
    return [f"말씀하신 등급으로는 예산 {inputs.budget:,}원을 {-plan.remaining:,}원 넘습니다."]
