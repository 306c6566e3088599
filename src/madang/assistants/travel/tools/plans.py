"""Three plans, each the sum of its items, and the one recommended."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal

from madang.assistants.travel.data.cities import TIERS, Tier
from madang.assistants.travel.tools.budget import BudgetItem, CostInputs, cost_items
from madang.assistants.travel.tools.party import Party
from madang.assistants.travel.tools.transport import TIER_LABELS

_FLEXIBLE_SHARE = 1.1


@dataclass(frozen=True)
class Priced:
    """An option as the plans see it: its tier, what it costs everyone, and how to call it."""

    type: Tier
    price: int
    label: str
    is_estimate: bool = True


@dataclass(frozen=True)
class PlanInputs:
    """What the coordinator knows. Hotel prices are sums over the cities of the trip."""

    flights: tuple[Priced, ...]
    hotels: tuple[Priced, ...]
    entrance_per_adult: int
    stays: tuple[tuple[str, int], ...]
    party: Party
    budget: int | None
    flexibility: Literal["strict", "flexible"] | None = None
    flight_tier: Tier | None = None
    hotel_tier: Tier | None = None


@dataclass(frozen=True)
class Plan:
    """One plan; `total` is the sum of its items."""

    type: Tier
    title: str
    flight_type: Tier
    hotel_type: Tier
    items: list[BudgetItem]
    total: int
    within_budget: bool | None
    remaining: int | None
    highlights: list[str]

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)


@dataclass(frozen=True)
class Recommended:
    """The plan to take, and why. `fits` is false when no plan fits the budget."""

    type: Tier
    title: str
    reasons: list[str]
    total: int
    fits: bool

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)


def make_plans(inputs: PlanInputs) -> list[Plan]:
    """Budget, standard and premium. A wished tier of flight or hotel moves all three mixes with it."""
    return [_plan(tier, inputs) for tier in TIERS]


def recommend(plans: Sequence[Plan], inputs: PlanInputs) -> Recommended:
    """The best plan the budget carries (a flexible one stretches by a tenth); else the cheapest, said to be over."""
    if inputs.budget is None:
        chosen = _by_type(plans)["standard"]
        reason = "예산이 정해지지 않아 값과 편의의 균형이 맞는 표준 플랜을 권합니다."
        return Recommended(chosen.type, chosen.title, [reason], chosen.total, True)
    limit = inputs.budget * (_FLEXIBLE_SHARE if inputs.flexibility == "flexible" else 1)
    affordable = [plan for plan in plans if plan.total <= limit]
    if not affordable:
        cheapest = min(plans, key=lambda plan: plan.total)
        short = cheapest.total - inputs.budget
        return Recommended(
            cheapest.type, cheapest.title, [f"가장 싼 플랜도 예산보다 {short:,}원 많습니다."], cheapest.total, False
        )
    chosen = _preferred(affordable)
    return Recommended(chosen.type, chosen.title, _reasons(chosen, plans, inputs), chosen.total, True)


def difference(plans: Sequence[Plan | Mapping[str, Any]]) -> str:
    """What sets the plans apart, for 플랜 차이가 뭐야; reads stored plans too."""
    rows = [plan.as_dict() if isinstance(plan, Plan) else dict(plan) for plan in plans]
    lines = []
    base = rows[0]
    for row in rows:
        amounts = {item["category"]: item["amount"] for item in row["items"]}
        gap = row["total"] - base["total"]
        more = f" ({base['title']}보다 +{gap:,}원)" if gap else ""
        parts = f"교통 {amounts['flights']:,}원, 숙박 {amounts['hotel']:,}원, 식비 {amounts['food']:,}원"
        lines.append(f"- {row['title']}: 총 {row['total']:,}원{more}. {parts}")
    return "\n".join(lines)


def _plan(tier: Tier, inputs: PlanInputs) -> Plan:
    flight = _option(inputs.flights, _moved(tier, inputs.flight_tier))
    hotel = _option(inputs.hotels, _moved(tier, inputs.hotel_tier))
    items = cost_items(
        CostInputs(
            flight_price=flight.price,
            hotel_price=hotel.price,
            entrance_per_adult=inputs.entrance_per_adult,
            stays=inputs.stays,
            party=inputs.party,
            tier=tier,
            flights_estimated=flight.is_estimate,
            hotel_estimated=hotel.is_estimate,
        )
    )
    total = sum(item.amount for item in items)
    remaining = inputs.budget - total if inputs.budget is not None else None
    return Plan(
        type=tier,
        title=f"{TIER_LABELS[tier]} 플랜",
        flight_type=flight.type,
        hotel_type=hotel.type,
        items=items,
        total=total,
        within_budget=remaining >= 0 if remaining is not None else None,
        remaining=remaining,
        highlights=[flight.label, hotel.label, f"1인당 {total // inputs.party.size:,}원"],
    )


def _moved(tier: Tier, wished: Tier | None) -> Tier:
    """The standard plan takes the wished tier; the others keep their distance to it, as far as there are tiers."""
    if wished is None:
        return tier
    shift = TIERS.index(wished) - 1
    return TIERS[min(2, max(0, TIERS.index(tier) + shift))]


def _option(options: Sequence[Priced], tier: Tier) -> Priced:
    return next((option for option in options if option.type == tier), options[0])


def _by_type(plans: Sequence[Plan]) -> dict[Tier, Plan]:
    return {plan.type: plan for plan in plans}


def _preferred(affordable: Sequence[Plan]) -> Plan:
    """Premium only when it leaves a tenth of its cost in hand; otherwise the best tier that fits."""
    ranked = sorted(affordable, key=lambda plan: TIERS.index(plan.type), reverse=True)
    top = ranked[0]
    if top.type == "premium" and len(ranked) > 1 and (top.remaining or 0) < top.total * 0.1:
        return ranked[1]
    return top


def _reasons(chosen: Plan, plans: Sequence[Plan], inputs: PlanInputs) -> list[str]:
    reasons = []
    remaining = chosen.remaining or 0
    if remaining >= 0:
        reasons.append(f"예산 {inputs.budget:,}원 안에서 {remaining:,}원이 남습니다.")
    else:
        reasons.append(f"예산을 {-remaining:,}원 넘지만 조금 넘어도 된다고 하셨습니다.")
    dearer = [plan for plan in plans if plan.total > chosen.total]
    cheaper = [plan for plan in plans if plan.total < chosen.total]
    if dearer:
        over = min(dearer, key=lambda plan: plan.total)
        reasons.append(f"{over.title}은 {over.total - chosen.total:,}원이 더 듭니다.")
    if cheaper:
        under = max(cheaper, key=lambda plan: plan.total)
        reasons.append(f"{under.title}보다 {chosen.total - under.total:,}원 더 들지만 숙소와 이동이 한 단계 편합니다.")
    return reasons
