"""Budget, plans and the smallest change that makes a trip affordable."""

from datetime import date
from functools import cache

from hypothesis import given, settings
from hypothesis import strategies as st

from madang.assistants.travel.data.cities import all_cities
from madang.assistants.travel.state.results import TIERS, FlightOption, HotelOption, Tier
from madang.assistants.travel.state.trip import Party, Trip
from madang.assistants.travel.tools.affordable_changes import cheapest_total, smallest_changes
from madang.assistants.travel.tools.budget import breakdown, cost_items
from madang.assistants.travel.tools.flights import search_flights
from madang.assistants.travel.tools.hotels import search_hotels
from madang.assistants.travel.tools.plans import PlanInputs, make_plans, shifted

CITIES = st.sampled_from(sorted(all_cities()))
PARTIES = st.builds(Party, st.integers(1, 5), st.integers(0, 3), st.integers(0, 2))
PRICES = st.tuples(st.integers(10_000, 500_000), st.integers(1, 10**6), st.integers(1, 10**6)).map(
    lambda p: (p[0], p[0] + p[1], p[0] + p[1] + p[2])
)


@cache
def osaka() -> tuple[FlightOption, HotelOption]:
    trip = Trip(("오사카",), date(2026, 4, 17), 3, Party(2))
    return search_flights(trip).options[0], search_hotels(trip).options[0]


def flight(tier: Tier, price: int) -> FlightOption:
    return {**osaka()[0], "type": tier, "price": price}


def hotel(tier: Tier, price: int) -> HotelOption:
    return {**osaka()[1], "type": tier, "total_price": price}


@st.composite
def plan_inputs(draw: st.DrawFn) -> PlanInputs:
    flights, hotels = draw(PRICES), draw(PRICES)
    return PlanInputs(
        flights=[flight(tier, price) for tier, price in zip(TIERS, flights, strict=True)],
        hotels=[hotel(tier, price) for tier, price in zip(TIERS, hotels, strict=True)],
        entrance_fees=dict.fromkeys(TIERS, draw(st.integers(0, 300_000))),
        stays=tuple(
            (city, draw(st.integers(1, 5))) for city in draw(st.lists(CITIES, min_size=1, max_size=2, unique=True))
        ),
        party=draw(PARTIES),
        budget=draw(st.none() | st.integers(100_000, 10_000_000)),
        flexibility=draw(st.sampled_from([None, "strict", "flexible"])),
        flight_tier=draw(st.sampled_from([None, *TIERS])),
        hotel_tier=draw(st.sampled_from([None, *TIERS])),
    )


@settings(max_examples=80, deadline=None)
@given(plan_inputs())
def test_every_total_is_the_sum_of_its_items(inputs: PlanInputs) -> None:
    plans, chosen = make_plans(inputs)
    assert [plan["type"] for plan in plans] == list(TIERS)
    for plan in plans:
        assert plan["total"] == sum(item["amount"] for item in plan["items"])
        assert all(item["amount"] >= 0 for item in plan["items"])
        if inputs.budget is not None:
            assert plan["remaining"] == inputs.budget - plan["total"]
            assert plan["within_budget"] == (plan["total"] <= inputs.budget)
    totals = [plan["total"] for plan in plans]
    assert totals == sorted(totals)
    assert chosen["reasons"]
    assert chosen["total"] in totals
    if inputs.budget is not None and chosen["fits"] and inputs.flexibility != "flexible":
        assert chosen["total"] <= inputs.budget
    if not (chosen["fits"] or inputs.flight_tier or inputs.hotel_tier):
        assert chosen["total"] == min(totals)


@settings(max_examples=40, deadline=None)
@given(CITIES, PARTIES, st.integers(1, 10))
def test_items_rise_with_people_and_days(city: str, party: Party, nights: int) -> None:
    def total(people: Party, length: int) -> int:
        items = cost_items(flight("standard", 0), hotel("standard", 0), ((city, length),), people, "standard", 10_000)
        return sum(item["amount"] for item in items)

    assert total(Party(party.adults + 1, party.children, party.infants), nights) > total(party, nights)
    assert total(party, nights + 1) > total(party, nights)


def test_the_breakdown_says_what_remains_and_where_to_save() -> None:
    options = flight("standard", 600_000), hotel("standard", 400_000)
    items = cost_items(*options, (("오사카", 3),), Party(2), "standard", 20_000)
    found = breakdown(items, 1_000_000, Party(2))
    assert found["remaining"] == 1_000_000 - found["total"]
    assert found["remaining"] < 0
    assert found["savings"]
    assert breakdown(items, None, Party(2))["remaining"] is None


def test_a_better_hotel_moves_the_hotel_of_every_plan_and_no_flight() -> None:
    base = PlanInputs(
        flights=[flight(tier, 100_000) for tier in TIERS],
        hotels=[hotel(tier, 100_000 * at) for at, tier in enumerate(TIERS, 1)],
        entrance_fees=dict.fromkeys(TIERS, 0),
        stays=(("오사카", 3),),
        party=Party(2),
        budget=None,
        hotel_tier="premium",
    )
    plans, chosen = make_plans(base)
    assert chosen["type"] == "standard"
    assert [(plan["flight_type"], plan["hotel_type"]) for plan in plans] == [
        ("budget", "standard"),
        ("standard", "premium"),
        ("premium", "premium"),
    ]


@settings(max_examples=25, deadline=None)
@given(CITIES.filter(lambda name: name != "서울"), st.integers(2, 7), st.integers(1, 5), st.integers(10, 300))
def test_each_proposed_change_makes_the_trip_affordable(city: str, nights: int, people: int, tens: int) -> None:
    trip = Trip((city,), date(2026, 9, 24), nights, Party(people))
    budget = tens * 10_000
    changes = smallest_changes(trip, budget)
    assert (changes == []) == (cheapest_total(trip) <= budget)
    for change in changes:
        assert change["total"] <= change["slots"].get("budget", budget)
    assert [change["size"] for change in changes] == sorted(change["size"] for change in changes)


def test_moving_off_the_holiday_is_a_smaller_change_than_more_money() -> None:
    trip = Trip(("오사카",), date(2026, 9, 24), 3, Party(2))
    kinds = [change["kind"] for change in smallest_changes(trip, cheapest_total(trip) - 100_000)]
    assert kinds[0] in {"dates", "budget"}
    assert "dates" in kinds


def test_tiers_end_somewhere() -> None:
    assert shifted("standard", 1) == "premium"
    assert shifted("premium", 1) == "premium"
    assert shifted("budget", -1) == "budget"
