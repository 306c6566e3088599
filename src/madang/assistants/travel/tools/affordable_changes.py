"""When the budget can't carry the trip: the smallest change that would make it work."""

from dataclasses import asdict, dataclass, replace
from datetime import date, timedelta
from typing import Any, Literal

from madang.assistants.travel.data.cities import Tier
from madang.assistants.travel.tools.budget import CostInputs, cost_items
from madang.assistants.travel.tools.flights import FlightRequest, search_flights
from madang.assistants.travel.tools.hotels import Accommodation, HotelRequest, search_hotels
from madang.assistants.travel.tools.itinerary.model import Shares
from madang.assistants.travel.tools.itinerary.windows import stays
from madang.assistants.travel.tools.party import Party

_ROUND = 10_000
_DAYS_AROUND = 5


@dataclass(frozen=True)
class Trip:
    """A trip to be priced without planning its days. `entrance_per_adult` is of the days as planned."""

    origin: str
    destinations: tuple[str, ...]
    depart: date
    nights: int
    party: Party
    accommodation: Accommodation | None = None
    airline: str | None = None
    direct_only: bool = False
    entrance_per_adult: int = 0
    shares: Shares = ()


@dataclass(frozen=True)
class Change:
    """One change that makes the cheapest plan fit. `slots` are the slot values to set; `size` orders them."""

    kind: Literal["dates", "lodging", "nights", "budget"]
    text: str
    slots: dict[str, Any]
    total: int
    size: float

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)


def cheapest_total(trip: Trip, tier: Tier = "budget") -> int:
    """What the trip costs in one tier throughout."""
    request = FlightRequest(
        trip.origin,
        trip.destinations[0],
        trip.depart,
        trip.nights,
        trip.party,
        airline=trip.airline,
        direct_only=trip.direct_only,
        home_from=trip.destinations[-1],
    )
    flight = next(option for option in search_flights(request).options if option.type == tier)
    slept = stays(trip.destinations, trip.nights, trip.shares)
    hotel, night = 0, 0
    for city, nights in slept:
        check_in = trip.depart + timedelta(days=night)
        found = search_hotels(HotelRequest(city, check_in, nights, trip.party, trip.accommodation))
        hotel += next(option.total_price for option in found.options if option.type == tier)
        night += nights
    inputs = CostInputs(flight.price, hotel, trip.entrance_per_adult, tuple(slept), trip.party, tier)
    return sum(item.amount for item in cost_items(inputs))


def smallest_changes(trip: Trip, budget: int) -> list[Change]:
    """Changes that make the cheapest plan fit the budget, the smallest first; empty when it fits already.

    The last resort, a larger budget, is always among them.
    """
    total = cheapest_total(trip)
    if total <= budget:
        return []
    missing = -(-(total - budget) // _ROUND) * _ROUND
    found = [
        Change(
            "budget",
            f"예산을 {missing:,}원 늘리면(총 {budget + missing:,}원) 가능합니다.",
            {"budget": budget + missing, "budget_amount": budget + missing, "budget_basis": "total"},
            total,
            missing / budget,
        )
    ]
    found += _other_dates(trip, budget)
    found += _other_lodging(trip, budget)
    found += _fewer_nights(trip, budget)
    return sorted(found, key=lambda change: (change.size, change.kind))


def _other_dates(trip: Trip, budget: int) -> list[Change]:
    for offset in range(1, _DAYS_AROUND + 1):
        for days in (offset, -offset):
            moved = replace(trip, depart=trip.depart + timedelta(days=days))
            total = cheapest_total(moved)
            if total <= budget:
                day = moved.depart.isoformat()
                text = f"출발을 {moved.depart.month}월 {moved.depart.day}일로 옮기면 {total:,}원에 가능합니다."
                return [Change("dates", text, {"depart_date": day}, total, 0.02 * offset)]
    return []


def _other_lodging(trip: Trip, budget: int) -> list[Change]:
    if trip.accommodation == "guesthouse":
        return []
    total = cheapest_total(replace(trip, accommodation="guesthouse"))
    if total > budget:
        return []
    text = f"숙소를 게스트하우스로 바꾸면 {total:,}원에 가능합니다."
    return [Change("lodging", text, {"accommodation_preference": "guesthouse"}, total, 0.12)]


def _fewer_nights(trip: Trip, budget: int) -> list[Change]:
    for nights in range(trip.nights - 1, 0, -1):
        share = (nights + 1) / (trip.nights + 1)
        shorter = replace(trip, nights=nights, entrance_per_adult=int(trip.entrance_per_adult * share))
        total = cheapest_total(shorter)
        if total <= budget:
            text = f"{nights}박으로 줄이면 {total:,}원에 가능합니다."
            return [Change("nights", text, {"duration": nights}, total, (trip.nights - nights) / trip.nights)]
    return []
