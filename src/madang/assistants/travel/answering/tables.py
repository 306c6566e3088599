"""Tables of an answer for people: Korean column titles, and cells that are read, not computed with."""

from collections.abc import Sequence

from madang.assistants.travel.answering.phrases import won
from madang.assistants.travel.state.results import BudgetItem, HotelOption, ItineraryDay, TripPlan
from madang.assistants.travel.state.trip_facts import stays_of
from madang.assistants.travel.tools.budget import LABELS
from madang.assistants.travel.tools.transport import TIER_LABELS

Row = dict[str, str]
_NONE = "-"


def plans(found: Sequence[TripPlan]) -> list[Row]:
    """A row for each plan: what it consists of, each cost, the sum, and what the budget leaves."""
    return [_plan(plan) for plan in found]


def _plan(plan: TripPlan) -> Row:
    transport, hotel = plan["highlights"][:2]
    row = {"플랜": plan["title"], "교통편": transport, "숙소": hotel}
    row |= {LABELS[item["category"]]: won(item["amount"]) for item in plan["items"]}
    row["합계"] = won(plan["total"])
    left = plan["remaining"]
    if left is not None:
        row["예산과의 차이"] = f"{won(left)} 남음" if left >= 0 else f"{won(-left)} 모자람"
    return row


def costs(items: Sequence[BudgetItem]) -> list[Row]:
    """A row for each cost and one for their sum."""
    rows = [
        {
            "항목": LABELS[item["category"]],
            "금액": won(item["amount"]),
            "내용": item["note"] + (" (추정)" if item["is_estimate"] else ""),
        }
        for item in items
    ]
    return [*rows, {"항목": "합계", "금액": won(sum(item["amount"] for item in items)), "내용": _NONE}]


def hotels(options: Sequence[HotelOption]) -> list[Row]:
    """A row for each stay of each option."""
    return [
        {
            "등급": TIER_LABELS[option["type"]],
            "숙소": stay["name"],
            "기간": f"{stay['nights']}박",
            "객실": f"{stay['rooms']}개",
            "숙박비": won(stay["total_price"]) + (" (추정)" if stay["is_estimate"] else ""),
        }
        for option in options
        for stay in stays_of(option)
    ]


def days(found: Sequence[ItineraryDay]) -> list[Row]:
    """A row for each stop of each day: when, where, how far from the one before, and what it costs."""
    return [
        {
            "날": f"{day['day']}일째",
            "시간": f"{place['start']}–{place['end']}",
            "장소": place["name"],
            "이동": f"{place['travel_minutes']}분",
            "거리": f"{place['travel_km']:.1f}km",
            "입장료": won(place["fee"]) if place["fee"] else _NONE,
        }
        for day in found
        for place in day["places"]
    ]
