"""What a trip costs, item by item, and whether the budget carries it."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from itertools import pairwise
from typing import Any, Literal

from madang.assistants.travel.data.cities import Tier
from madang.assistants.travel.data.rates import estimates, round_won
from madang.assistants.travel.data.world import costs_of, locate
from madang.assistants.travel.tools.ground import between_cities
from madang.assistants.travel.tools.party import Party

Category = Literal["flights", "hotel", "food", "local_transport", "entrance_fees", "other"]
LABELS: dict[Category, str] = {
    "flights": "교통(왕복)",
    "hotel": "숙박",
    "food": "식비",
    "local_transport": "현지 교통",
    "entrance_fees": "입장료",
    "other": "기타(보험·통신 등)",
}


@dataclass(frozen=True)
class BudgetItem:
    category: Category
    amount: int
    note: str
    is_estimate: bool = True

    @property
    def label(self) -> str:
        return LABELS[self.category]


@dataclass(frozen=True)
class CostInputs:
    """What the items are made from. Prices are for everyone; the entrance fee is one adult's."""

    flight_price: int
    hotel_price: int
    entrance_per_adult: int
    stays: tuple[tuple[str, int], ...]
    party: Party
    tier: Tier
    flights_estimated: bool = True
    hotel_estimated: bool = True


@dataclass(frozen=True)
class Breakdown:
    """`total` is the sum of the items; `remaining` is below zero when the budget doesn't suffice."""

    items: list[BudgetItem]
    total: int
    budget: int | None
    remaining: int | None
    per_person: int
    savings: list[str]

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)


def cost_items(inputs: CostInputs) -> list[BudgetItem]:
    """The six items of a trip. Food, transit and other rise with people and days."""
    table = estimates()["daily"]
    party, tier = inputs.party, inputs.tier
    shares = party.shares(table["child_share"], table["infant_share"])
    food = sum(costs_of(city).food * days for city, days in _days(inputs.stays)) * table["food"][tier]
    transit = sum(costs_of(city).transit * days for city, days in _days(inputs.stays)) * table["transit"][tier]
    days = sum(nights for _, nights in inputs.stays) + 1
    moves = sum(between_cities(locate(a), locate(b))[2] for (a, _), (b, _) in pairwise(inputs.stays))
    entrance = inputs.entrance_per_adult * party.shares(table["child_share"], 0.0)
    return [
        BudgetItem("flights", inputs.flight_price, f"{party.size}명 왕복", inputs.flights_estimated),
        BudgetItem("hotel", inputs.hotel_price, f"{days - 1}박", inputs.hotel_estimated),
        BudgetItem("food", round_won(food * shares), f"{days}일 {party.size}명"),
        BudgetItem(
            "local_transport",
            round_won((transit + moves) * shares),
            "대중교통" + (", 도시 간 이동 포함" if moves else ""),
        ),
        BudgetItem("entrance_fees", round_won(entrance), "일정에 든 명소"),
        BudgetItem("other", round_won(table["other"][tier] * days * shares), "보험, 데이터, 잡비"),
    ]


def breakdown(items: Sequence[BudgetItem], budget: int | None, party: Party) -> Breakdown:
    """The items beside the budget, and where money could be saved, largest first."""
    total = sum(item.amount for item in items)
    remaining = budget - total if budget is not None else None
    return Breakdown(
        list(items), total, budget, remaining, round_won(total / party.size), _savings(items, remaining, total)
    )


def _days(stays: tuple[tuple[str, int], ...]) -> list[tuple[str, int]]:
    """Days to feed everyone in each city: its nights, and the last day in the last one."""
    return [(city, nights + (1 if at == len(stays) - 1 else 0)) for at, (city, nights) in enumerate(stays)]


def _savings(items: Sequence[BudgetItem], remaining: int | None, total: int) -> list[str]:
    if remaining is not None and remaining > total * 0.25:
        return []
    found = []
    for item in sorted(items, key=lambda item: -item.amount)[:3]:
        if item.amount >= total * 0.1 and item.category in _HINTS:
            share, hint = _HINTS[item.category]
            found.append(
                f"{item.label} {item.amount:,}원: {hint} 약 {round_won(item.amount * share):,}원을 아낄 수 있습니다."
            )
    return found


_HINTS: dict[Category, tuple[float, str]] = {
    "flights": (0.2, "평일 출발이나 저비용항공으로 바꾸면"),
    "hotel": (0.3, "한 등급 낮추거나 게스트하우스로 바꾸면"),
    "food": (0.2, "하루 한 끼를 시장이나 편의점으로 하면"),
    "local_transport": (0.15, "교통 패스를 쓰면"),
    "entrance_fees": (0.3, "무료 명소로 일부 바꾸면"),
}
