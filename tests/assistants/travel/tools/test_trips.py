"""A whole trip by the tools alone, without any graph."""

from dataclasses import replace
from datetime import date
from typing import NamedTuple

from madang.assistants.travel.state.results import TIERS, FlightOption, HotelOption, Itinerary, Recommendation, TripPlan
from madang.assistants.travel.state.trip import Party, Trip
from madang.assistants.travel.state.trip_facts import entrance_fees
from madang.assistants.travel.tools.affordable_changes import cheapest_total, smallest_changes
from madang.assistants.travel.tools.flights import search_flights
from madang.assistants.travel.tools.hotels import search_hotels, whole_stay
from madang.assistants.travel.tools.itinerary import ItineraryQuery, plan_itinerary
from madang.assistants.travel.tools.plans import PlanInputs, make_plans

DEPART = date(2026, 4, 17)


class Whole(NamedTuple):
    flights: list[FlightOption]
    hotels: list[HotelOption]
    days: Itinerary
    plans: list[TripPlan]
    chosen: Recommendation


def whole(trip: Trip, budget: int) -> Whole:
    flights = search_flights(trip).options
    hotels = whole_stay([search_hotels(part) for part in trip.parts()]).options
    arrive, leave = flights[1]["outbound"]["arrive_at"], flights[1]["inbound"]["depart_at"]
    days, _ = plan_itinerary(ItineraryQuery(trip.cities, trip.depart, trip.nights, arrive_at=arrive, leave_at=leave))
    plans, chosen = make_plans(
        PlanInputs(flights, hotels, dict.fromkeys(TIERS, entrance_fees(days)), trip.stays, trip.party, budget)
    )
    return Whole(flights, hotels, days, plans, chosen)


def test_a_trip_ends_in_three_plans() -> None:
    trip = whole(Trip(("오사카",), DEPART, 3, Party(2)), 1_500_000)
    assert [option["type"] for option in trip.flights] == ["budget", "standard", "premium"]
    assert len(trip.days["days"]) == 4
    assert all(plan["total"] == sum(item["amount"] for item in plan["items"]) for plan in trip.plans)
    assert trip.chosen["fits"]
    assert trip.chosen["total"] <= 1_500_000


def test_another_length_moves_return_flight_stay_days_and_plans() -> None:
    trip = Trip(("오사카",), DEPART, 3, Party(2))
    before, after = whole(trip, 3_000_000), whole(replace(trip, nights=4), 3_000_000)
    assert after.flights[1]["inbound"]["depart_at"][:10] == "2026-04-21"
    assert after.hotels[1]["total_price"] > before.hotels[1]["total_price"]
    assert len(after.days["days"]) == len(before.days["days"]) + 1
    assert after.plans[0]["total"] > before.plans[0]["total"]


def test_several_cities_sleep_in_each_and_fly_home_from_the_last() -> None:
    trip = Trip(("도쿄", "오사카"), DEPART, 5, Party(2))
    parts = list(trip.parts())
    assert [(part.cities, part.nights, part.depart.day) for part in parts] == [(("도쿄",), 3, 17), (("오사카",), 2, 20)]
    found = whole(trip, 5_000_000)
    assert found.flights[0]["inbound"]["origin"] == "KIX"
    prices = [search_hotels(part).options[2]["total_price"] for part in parts]
    assert found.hotels[2]["total_price"] == sum(prices)
    assert [stay["total_price"] for stay in found.hotels[2]["stays"]] == prices
    assert found.hotels[2]["nights"] == 5


def test_a_budget_that_cannot_work_is_told_with_the_change_that_would() -> None:
    trip, budget = Trip(("파리",), DEPART, 6, Party(2)), 2_000_000
    found = whole(trip, budget)
    assert not found.chosen["fits"]
    fees = entrance_fees(found.days)
    slots = smallest_changes(trip, budget, fees)[0]["slots"]
    depart = date.fromisoformat(slots.get("depart_date", "2026-04-17"))
    repaired = replace(trip, depart=depart, nights=slots.get("duration", 6))
    repaired = replace(repaired, accommodation=slots.get("accommodation_preference"))
    assert cheapest_total(repaired, fees) <= slots.get("budget", budget)


def test_a_city_we_only_know_of_is_planned_in_general() -> None:
    trip = whole(Trip(("라스베이거스",), DEPART, 4, Party(2)), 8_000_000)
    assert trip.days["is_general"]
    assert trip.chosen["total"] > 0
