"""Tables of an answer for people: Korean column titles, and cells that are read, not computed with."""

from collections.abc import Iterator, Sequence

from madang.assistants.travel.answering.lines import MEALS
from madang.assistants.travel.answering.phrases import won
from madang.assistants.travel.state.results import BudgetItem, HotelOption, ItineraryDay, Meal, Move, TripPlan, Visit
from madang.assistants.travel.state.trip_facts import clock_span, stays_of
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
    """A row for each stop, meal and way to another city, by the clock: when, where, how far, and what it costs."""
    return [
        {"날": f"{day['day']}일째", **row} for day in found for row in sorted(_rows(day), key=lambda row: row["시간"])
    ]


def _rows(day: ItineraryDay) -> Iterator[Row]:
    if way := day.get("move"):
        yield _row(way, f"{way['origin']} → {way['destination']}", f"{way['minutes']}분", cost=way["fare"])
    for place in day["places"]:
        far = f"{place['travel_km']:.1f}km"
        yield _row(place, place["name"], f"{place['travel_minutes']}분", far, place["fee"])
    for meal in day["meals"]:
        yield _row(meal, f"{MEALS[meal['kind']]}: {meal['place']}")


def _row(when: Visit | Meal | Move, name: str, way: str = _NONE, far: str = _NONE, cost: int | None = None) -> Row:
    return {"시간": clock_span(when), "장소": name, "이동": way, "거리": far, "비용": won(cost) if cost else _NONE}
