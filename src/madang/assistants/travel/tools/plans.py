"""Three plans, each the sum of its items, and the one recommended."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from madang.assistants.travel.state.results import (
    TIERS,
    Booked,
    FlightOption,
    HotelOption,
    Recommendation,
    Tier,
    TripPlan,
)
from madang.assistants.travel.state.trip import CityNights, Party
from madang.assistants.travel.state.trip_facts import of_tier
from madang.assistants.travel.tools.budget import cost_items, without_booked
from madang.assistants.travel.tools.transport import MODE_LABELS, TIER_LABELS

_FLEXIBLE_SHARE = 1.1


@dataclass(frozen=True)
class PlanInputs:
    """What the plans are made from: the options found, who stays where how long, the budget, and tiers wished for.

    `entrance_fees` are one adult's, on the days that go with the flights of a tier.
    """

    flights: Sequence[FlightOption]
    hotels: Sequence[HotelOption]
    entrance_fees: Mapping[Tier, int]
    stays: CityNights
    party: Party
    budget: int | None
    flexibility: Literal["strict", "flexible"] | None = None
    flight_tier: Tier | None = None
    hotel_tier: Tier | None = None
    booked: tuple[Booked, ...] = ()

    @property
    def limit(self) -> float | None:
        """What a plan may cost: a flexible budget stretches by a tenth."""
        if self.budget is None:
            return None
        return self.budget * (_FLEXIBLE_SHARE if self.flexibility == "flexible" else 1)

    def without_wishes(self) -> "PlanInputs":
        return replace(self, flight_tier=None, hotel_tier=None)


def make_plans(inputs: PlanInputs) -> tuple[list[TripPlan], Recommendation]:
    """Budget, standard and premium, and the one to take.

    A wished tier is what the recommended plan gets, and the other plans move with it. A wish never changes which plan
    is recommended: who asks for a better hotel only doesn't want a cheaper flight in return.
    """
    plans = [_plan(tier, inputs) for tier in TIERS]
    chosen = _recommend(plans, inputs)
    if inputs.flight_tier is None and inputs.hotel_tier is None:
        return plans, chosen
    flown, slept = _steps(chosen["type"], inputs.flight_tier), _steps(chosen["type"], inputs.hotel_tier)
    plans = [_plan(tier, inputs, flown, slept) for tier in TIERS]
    wished = next(plan for plan in plans if plan["type"] == chosen["type"])
    fits = inputs.limit is None or wished["total"] <= inputs.limit
    return plans, _recommended(wished, _wish_reasons(wished, inputs), fits)


def shifted(tier: Tier, steps: int) -> Tier:
    """So many tiers up or down, as far as there are tiers."""
    return TIERS[min(2, max(0, TIERS.index(tier) + steps))]


def _steps(base: Tier, wished: Tier | None) -> int:
    return TIERS.index(wished) - TIERS.index(base) if wished else 0


def _plan(tier: Tier, inputs: PlanInputs, flown: int = 0, slept: int = 0) -> TripPlan:
    """The plan of a tier, its flight and its stay so many tiers off it."""
    flight = of_tier(inputs.flights, shifted(tier, flown))
    hotel = of_tier(inputs.hotels, shifted(tier, slept))
    items = cost_items(flight, hotel, inputs.stays, inputs.party, tier, inputs.entrance_fees[flight["type"]])
    items = [without_booked(item, inputs.booked) for item in items]
    total = sum(item["amount"] for item in items)
    remaining = inputs.budget - total if inputs.budget is not None else None
    each = f"1인당 {total // inputs.party.size:,}원"
    return {
        "type": tier,
        "title": f"{TIER_LABELS[tier]} 플랜",
        "flight_type": flight["type"],
        "hotel_type": hotel["type"],
        "items": items,
        "total": total,
        "within_budget": remaining >= 0 if remaining is not None else None,
        "remaining": remaining,
        "highlights": [
            "이미 있는 교통편" if "flights" in inputs.booked else flight["airline"] or MODE_LABELS[flight["mode"]],
            "예약한 숙소" if "hotel" in inputs.booked else hotel["name"],
            each,
        ],
    }


def _recommend(plans: Sequence[TripPlan], inputs: PlanInputs) -> Recommendation:
    """The best plan the budget carries; else the cheapest, said to be over."""
    if inputs.budget is None or inputs.limit is None:
        reason = "예산이 정해지지 않아 값과 편의의 균형이 맞는 표준 플랜을 권합니다."
        return _recommended(next(plan for plan in plans if plan["type"] == "standard"), [reason])
    affordable = [plan for plan in plans if plan["total"] <= inputs.limit]
    if not affordable:
        cheapest = min(plans, key=lambda plan: plan["total"])
        short = cheapest["total"] - inputs.budget
        return _recommended(cheapest, [f"가장 싼 플랜도 예산보다 {short:,}원 많습니다."], fits=False)
    chosen = _preferred(affordable)
    return _recommended(chosen, _reasons(chosen, plans, inputs))


def _recommended(plan: TripPlan, reasons: list[str], fits: bool = True) -> Recommendation:
    found: Recommendation = {
        "type": plan["type"],
        "title": plan["title"],
        "reasons": reasons,
        "total": plan["total"],
        "fits": fits,
        "changes": [],
        "savings": [],
    }
    return found


def _preferred(affordable: Sequence[TripPlan]) -> TripPlan:
    """Premium only when it leaves a tenth of its cost in hand; otherwise the best tier that fits."""
    ranked = sorted(affordable, key=lambda plan: TIERS.index(plan["type"]), reverse=True)
    top = ranked[0]
    if top["type"] == "premium" and len(ranked) > 1 and (top["remaining"] or 0) < top["total"] * 0.1:
        return ranked[1]
    return top


def _reasons(chosen: TripPlan, plans: Sequence[TripPlan], inputs: PlanInputs) -> list[str]:
    remaining, total = chosen["remaining"] or 0, chosen["total"]
    reasons = [
        f"예산 {inputs.budget:,}원 안에서 {remaining:,}원이 남습니다."
        if remaining >= 0
        else f"예산을 {-remaining:,}원 넘지만 조금 넘어도 된다고 하셨습니다."
    ]
    if dearer := [plan for plan in plans if plan["total"] > total]:
        over = min(dearer, key=lambda plan: plan["total"])
        reasons.append(f"{over['title']}은 {over['total'] - total:,}원이 더 듭니다.")
    if cheaper := [plan for plan in plans if plan["total"] < total]:
        under = max(cheaper, key=lambda plan: plan["total"])
        less = f"{total - under['total']:,}원"
        reasons.append(f"{under['title']}보다 {less} 더 들지만 숙소와 이동이 한 단계 편합니다.")
    return reasons


def _wish_reasons(plan: TripPlan, inputs: PlanInputs) -> list[str]:
    left = plan["remaining"]
    if left is None:
        return ["말씀하신 등급에 맞췄습니다."]
    if left >= 0:
        return [f"말씀하신 등급으로도 예산 {inputs.budget:,}원 안에서 {left:,}원이 남습니다."]
    return [f"말씀하신 등급으로는 예산 {inputs.budget:,}원을 {-left:,}원 넘습니다."]
