"""When the budget can't carry the trip: the smallest change that would make it work."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from typing import Any

from madang.assistants.travel.state.results import BudgetChange, Recommendation
from madang.assistants.travel.state.trip import Trip
from madang.assistants.travel.tools.budget import cost_items
from madang.assistants.travel.tools.flights import search_flights
from madang.assistants.travel.tools.hotels import search_hotels, whole_stay
from madang.assistants.travel.tools.plans import PlanInputs, make_plans

_ROUND = 10_000
_DAYS_AROUND = 5


def cheapest_total(trip: Trip, entrance_fees: int = 0) -> int:
    """What the trip costs in the budget tier throughout; the entrance fees are one adult's, of the days as planned."""
    flight = search_flights(trip).options[0]
    hotel = whole_stay([search_hotels(part) for part in trip.parts()]).options[0]
    return sum(item["amount"] for item in cost_items(flight, hotel, trip.stays, trip.party, "budget", entrance_fees))


def changes_for(trip: Trip, inputs: PlanInputs, chosen: Recommendation) -> list[BudgetChange]:
    """What would make the budget carry the trip, the smallest change first; first of all a wish taken back."""
    if not inputs.budget:
        return []
    if inputs.booked:
        return [_more_money(inputs.budget, chosen["total"], "가능합니다.")]
    if not (inputs.flight_tier or inputs.hotel_tier):
        return smallest_changes(trip, inputs.budget, inputs.entrance_fees["budget"])
    wished = ["교통편"] * bool(inputs.flight_tier) + ["숙소"] * bool(inputs.hotel_tier)
    what = f"{'과 '.join(wished)} 등급을 되돌리"
    back: dict[str, Any] = {"flight_tier": None, "hotel_tier": None}
    _, plain = make_plans(inputs.without_wishes())
    if plain["fits"]:
        text = f"{what}면 {plain['total']:,}원에 가능합니다."
        return [{"kind": "lodging", "text": text, "slots": back, "total": plain["total"], "size": 0.0}]
    undone: list[BudgetChange] = [
        {**change, "text": f"{what}고 {change['text']}", "slots": {**change["slots"], **back}}
        for change in smallest_changes(trip, inputs.budget, inputs.entrance_fees["budget"])
    ]
    return [*undone, _more_money(inputs.budget, chosen["total"], "지금 등급 그대로 가능합니다.")]


def smallest_changes(trip: Trip, budget: int, entrance_fees: int = 0) -> list[BudgetChange]:
    """Changes that make the cheapest plan fit the budget, the smallest first; empty when it fits already.

    The last resort, a larger budget, is always among them.
    """
    total = cheapest_total(trip, entrance_fees)
    if total <= budget:
        return []
    found = [
        _more_money(budget, total, "가능합니다."),
        *_other_dates(trip, budget, entrance_fees),
        *_other_lodging(trip, budget, entrance_fees),
        *_fewer_nights(trip, budget, entrance_fees),
    ]
    return sorted(found, key=lambda change: (change["size"], change["kind"]))


def _more_money(budget: int, total: int, outcome: str) -> BudgetChange:
    missing = -(-(total - budget) // _ROUND) * _ROUND
    raised = budget + missing
    return {
        "kind": "budget",
        "text": f"예산을 {missing:,}원 늘리면(총 {raised:,}원) {outcome}",
        "slots": {"budget": raised, "budget_amount": raised, "budget_basis": "total"},
        "total": total,
        "size": missing / budget,
    }


def _other_dates(trip: Trip, budget: int, fees: int) -> Iterator[BudgetChange]:
    for offset in range(1, _DAYS_AROUND + 1):
        for days in (offset, -offset):
            moved = replace(trip, depart=trip.depart + timedelta(days=days))
            total = cheapest_total(moved, fees)
            if total <= budget:
                text = f"출발을 {moved.depart.month}월 {moved.depart.day}일로 옮기면 {total:,}원에 가능합니다."
                slots = {"depart_date": moved.depart.isoformat()}
                yield {"kind": "dates", "text": text, "slots": slots, "total": total, "size": 0.02 * offset}
                return


def _other_lodging(trip: Trip, budget: int, fees: int) -> Iterator[BudgetChange]:
    if trip.accommodation == "guesthouse":
        return
    total = cheapest_total(replace(trip, accommodation="guesthouse"), fees)
    if total <= budget:
        text = f"숙소를 게스트하우스로 바꾸면 {total:,}원에 가능합니다."
        slots = {"accommodation_preference": "guesthouse"}
        yield {"kind": "lodging", "text": text, "slots": slots, "total": total, "size": 0.12}


def _fewer_nights(trip: Trip, budget: int, fees: int) -> Iterator[BudgetChange]:
    for nights in range(trip.nights - 1, 0, -1):
        share = (nights + 1) / (trip.nights + 1)
        total = cheapest_total(replace(trip, nights=nights), int(fees * share))
        if total <= budget:
            text, size = f"{nights}박으로 줄이면 {total:,}원에 가능합니다.", (trip.nights - nights) / trip.nights
            yield {"kind": "nights", "text": text, "slots": {"duration": nights}, "total": total, "size": size}
            return
