"""What a trip costs, item by item, and whether the budget carries it."""

from collections.abc import Sequence
from itertools import pairwise

from madang.assistants.travel.data.estimates import estimates, rounded_won
from madang.assistants.travel.data.world import costs_of, locate
from madang.assistants.travel.state.results import (
    Booked,
    BudgetBreakdown,
    BudgetItem,
    Category,
    FlightOption,
    HotelOption,
    Tier,
)
from madang.assistants.travel.state.trip import CityNights, Party
from madang.assistants.travel.tools.ground import between_cities

LABELS: dict[Category, str] = {
    "flights": "교통(왕복)",
    "hotel": "숙박",
    "food": "식비",
    "local_transport": "현지 교통",
    "entrance_fees": "입장료",
    "other": "기타(보험·통신 등)",
}
_SAVINGS: dict[Category, tuple[float, str]] = {
    "flights": (0.2, "평일 출발이나 저비용항공으로 바꾸면"),
    "hotel": (0.3, "한 등급 낮추거나 게스트하우스로 바꾸면"),
    "food": (0.2, "하루 한 끼를 시장이나 편의점으로 하면"),
    "local_transport": (0.15, "교통 패스를 쓰면"),
    "entrance_fees": (0.3, "무료 명소로 일부 바꾸면"),
}


def cost_items(
    flight: FlightOption, hotel: HotelOption, stays: CityNights, party: Party, tier: Tier, entrance_fees: int
) -> list[BudgetItem]:
    """The six items of a trip. Food, transit and other rise with people and days; the entrance fees are one adult's."""
    table = estimates()["daily"]
    shares = party.shares(table["child_share"], table["infant_share"])
    days = sum(nights for _, nights in stays) + 1
    food = sum(costs_of(city).food * length for city, length in _days(stays)) * table["food"][tier]
    transit = sum(costs_of(city).transit * length for city, length in _days(stays)) * table["transit"][tier]
    moves = sum(between_cities(locate(a), locate(b))[2] for (a, _), (b, _) in pairwise(stays))
    transport = "대중교통" + (", 도시 간 이동 포함" if moves else "")
    fees = entrance_fees * party.shares(table["child_share"], 0.0)
    return [
        _item("flights", flight["price"], f"{party.size}명 왕복", flight["is_estimate"]),
        _item("hotel", hotel["total_price"], f"{days - 1}박", hotel["is_estimate"]),
        _item("food", rounded_won(food * shares), f"{days}일 {party.size}명"),
        _item("local_transport", rounded_won((transit + moves) * shares), transport),
        _item("entrance_fees", rounded_won(fees), "일정에 든 명소"),
        _item("other", rounded_won(table["other"][tier] * days * shares), "보험, 데이터, 잡비"),
    ]


def without_booked(item: BudgetItem, booked: Sequence[Booked]) -> BudgetItem:
    """What is booked or paid by others costs nothing more."""
    return {**item, "amount": 0, "note": "이미 예약했거나 다른 곳에서 부담"} if item["category"] in booked else item


def breakdown(items: Sequence[BudgetItem], budget: int | None, party: Party) -> BudgetBreakdown:
    """The items beside the budget, and where money could be saved, largest first."""
    total = sum(item["amount"] for item in items)
    remaining = budget - total if budget is not None else None
    return {
        "items": list(items),
        "total": total,
        "budget": budget,
        "remaining": remaining,
        "per_person": rounded_won(total / party.size),
        "savings": _savings(items, remaining, total),
    }


def _item(category: Category, amount: int, note: str, is_estimate: bool = True) -> BudgetItem:
    return {"category": category, "amount": amount, "note": note, "is_estimate": is_estimate}


def _days(stays: CityNights) -> list[tuple[str, int]]:
    """Days to feed everyone in each city: its nights, and the last day in the last one."""
    return [(city, nights + (1 if at == len(stays) - 1 else 0)) for at, (city, nights) in enumerate(stays)]


def _savings(items: Sequence[BudgetItem], remaining: int | None, total: int) -> list[str]:
    if remaining is not None and remaining > total * 0.25:
        return []
    found = []
    for item in sorted(items, key=lambda item: -item["amount"])[:3]:
        amount, category = item["amount"], item["category"]
        if amount >= total * 0.1 and category in _SAVINGS:
            share, hint = _SAVINGS[category]
            saved = f"약 {rounded_won(amount * share):,}원을 아낄 수 있습니다."
            found.append(f"{LABELS[category]} {amount:,}원: {hint} {saved}")
    return found
