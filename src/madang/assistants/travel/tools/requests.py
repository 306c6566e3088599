"""From slots and stored options to what each tool is asked: the seam between state and tools."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import Any

from madang.assistants.travel.data.cities import TIERS, Tier
from madang.assistants.travel.tools.affordable_changes import Trip
from madang.assistants.travel.tools.departure import departure_for
from madang.assistants.travel.tools.flights import FlightRequest
from madang.assistants.travel.tools.hotels import HotelRequest, StayOption
from madang.assistants.travel.tools.itinerary import ItineraryRequest
from madang.assistants.travel.tools.itinerary.model import Pace, Shares
from madang.assistants.travel.tools.itinerary.windows import stays
from madang.assistants.travel.tools.party import Party, party_of
from madang.assistants.travel.tools.plans import PlanInputs, Priced
from madang.assistants.travel.tools.transport import Analysis
from madang.assistants.travel.understanding.slots.slot_update import Slots
from madang.errors import FieldProblem, InvalidState

DEFAULT_ORIGIN = "서울"


@dataclass(frozen=True)
class Basics:
    """What every expert needs. `note` says what was assumed about the departure."""

    origin: str
    destinations: tuple[str, ...]
    depart: date
    nights: int
    party: Party
    note: str | None
    shares: Shares


def basics(slots: Slots, today: date) -> Basics:
    """The trip's frame.

    Raises InvalidState naming each of destination, duration and num_people that is missing.
    """
    needed = ("destination", "duration", "num_people")
    problems = [FieldProblem(name, "아직 정해지지 않았습니다") for name in needed if not slots.get(name)]
    if problems:
        raise InvalidState(problems)
    depart, note = departure_for(slots.get("depart_date"), slots.get("depart_window"), today)
    party = party_of(slots["num_people"], slots.get("adults"), slots.get("children"), slots.get("infants"))
    destinations = tuple(slots.get("destinations") or ()) or (slots["destination"],)
    shares = shares_of(slots)
    return Basics(slots.get("origin") or DEFAULT_ORIGIN, destinations, depart, slots["duration"], party, note, shares)


def shares_of(slots: Slots) -> Shares:
    """The nights asked for in single cities, as the planner takes them."""
    return tuple((slots.get("city_nights") or {}).items())


def flight_request(
    slots: Slots, today: date, *, direct_only: bool = False, prefer: Tier | None = None
) -> FlightRequest:
    """What the flight expert is asked."""
    frame = basics(slots, today)
    return FlightRequest(
        origin=frame.origin,
        destination=frame.destinations[0],
        depart=frame.depart,
        nights=frame.nights,
        party=frame.party,
        airline=slots.get("preferred_airline"),
        direct_only=direct_only,
        home_from=_slept(frame)[-1][0],
        prefer=prefer,
        warnings=(frame.note,) if frame.note else (),
    )


def hotel_requests(slots: Slots, today: date, *, prefer: Tier | None = None) -> list[HotelRequest]:
    """What the hotel expert is asked, one request a city of the trip."""
    frame = basics(slots, today)
    requests, day = [], frame.depart
    for city, nights in _slept(frame):
        requests.append(HotelRequest(city, day, nights, frame.party, slots.get("accommodation_preference"), prefer))
        day += timedelta(days=nights)
    return requests


def whole_stay(found: Sequence[Analysis[StayOption]]) -> Analysis[StayOption]:
    """The stays of several cities as one: three options, each the sum of its cities' options."""
    if len(found) == 1:
        return found[0]
    options = [_summed([_of_tier(one.options, tier) for one in found]) for tier in TIERS]
    tips = list(dict.fromkeys(tip for one in found for tip in one.tips))
    reasoning = " ".join(f"{one.options[0].city}: {one.reasoning}" for one in found)
    return Analysis(options, found[0].recommendation, reasoning, tips, [])


def itinerary_request(
    slots: Slots,
    today: date,
    flight: Mapping[str, Any] | None = None,
    *,
    day_paces: tuple[tuple[int, Pace], ...] = (),
    avoid: tuple[str, ...] = (),
) -> ItineraryRequest:
    """What the planner is asked; `flight` is the transport option taken, as stored, whose times shorten two days."""
    frame = basics(slots, today)
    return ItineraryRequest(
        destinations=frame.destinations,
        depart=frame.depart,
        nights=frame.nights,
        styles=tuple(slots.get("travel_style") or ()),
        pace=slots.get("pace") or "normal",
        must_visit=tuple(slots.get("must_visit_places") or ()),
        kids=bool(frame.party.children or frame.party.infants),
        arrive_at=flight["outbound"]["arrive_at"] if flight else None,
        leave_at=flight["inbound"]["depart_at"] if flight else None,
        by_air=not flight or flight.get("mode", "flight") == "flight",
        day_paces=day_paces,
        avoid=avoid,
        shares=frame.shares,
    )


def plan_inputs(
    slots: Slots,
    today: date,
    flights: Sequence[Mapping[str, Any]],
    hotels: Sequence[Mapping[str, Any]],
    entrance_per_adult: int,
) -> PlanInputs:
    """What budget manager and coordinator start from; options as stored."""
    frame = basics(slots, today)
    return PlanInputs(
        flights=tuple(
            Priced(row["type"], row["price"], row.get("airline") or "육로", row.get("is_estimate", True))
            for row in flights
        ),
        hotels=tuple(
            Priced(row["type"], row["total_price"], row["name"], row.get("is_estimate", True)) for row in hotels
        ),
        entrance_per_adult=entrance_per_adult,
        stays=tuple(_slept(frame)),
        party=frame.party,
        budget=slots.get("budget"),
        flexibility=slots.get("budget_flexibility"),
    )


def priced_trip(slots: Slots, today: date, entrance_per_adult: int = 0) -> Trip:
    """The trip as `smallest_changes` prices it."""
    frame = basics(slots, today)
    return Trip(
        origin=frame.origin,
        destinations=frame.destinations,
        depart=frame.depart,
        nights=frame.nights,
        party=frame.party,
        accommodation=slots.get("accommodation_preference"),
        airline=slots.get("preferred_airline"),
        entrance_per_adult=entrance_per_adult,
        shares=frame.shares,
    )


def _slept(frame: Basics) -> list[tuple[str, int]]:
    return stays(frame.destinations, frame.nights, frame.shares)


def _of_tier(options: Sequence[StayOption], tier: Tier) -> StayOption:
    return next((option for option in options if option.type == tier), options[0])


def _summed(parts: list[StayOption]) -> StayOption:
    nights = sum(part.nights for part in parts)
    total = sum(part.total_price for part in parts)
    return replace(
        parts[0],
        name=" + ".join(f"{part.city} {part.nights}박 {part.name}" for part in parts),
        city="·".join(part.city for part in parts),
        area=None,
        nights=nights,
        total_price=total,
        price_per_night=total // nights,
        is_estimate=any(part.is_estimate for part in parts),
    )
