"""Fares and stays: reproducible, rising where they should, in local time."""

from datetime import date, datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from madang.assistants.travel.data.cities import all_cities
from madang.assistants.travel.state.results import TIERS, Accommodation
from madang.assistants.travel.state.trip import Party, Trip, party_of
from madang.assistants.travel.tools.flights import adult_fare, flight_minutes, search_flights
from madang.assistants.travel.tools.hotels import rooms_for, search_hotels
from madang.assistants.travel.tools.seasons import holiday_factor
from madang.errors import InvalidState, NotFound

NAMES = st.sampled_from([name for name in all_cities() if name != "서울"])
DAYS = st.dates(date(2026, 1, 1), date(2027, 12, 31))
PARTIES = st.builds(Party, st.integers(1, 6), st.integers(0, 3), st.integers(0, 1))
ORDINARY = date(2026, 4, 14)


@settings(max_examples=60, deadline=None)
@given(NAMES, DAYS, st.integers(1, 14), PARTIES)
def test_flights_are_three_ordered_estimates_that_repeat(name: str, day: date, nights: int, party: Party) -> None:
    trip = Trip((name,), day, nights, party)
    found = search_flights(trip)
    assert found == search_flights(trip)
    assert [option["type"] for option in found.options] == list(TIERS)
    prices = [option["price"] for option in found.options]
    assert prices == sorted(prices)
    assert prices[0] > 0
    for option in found.options:
        assert option["is_estimate"]
        assert option["as_of"]
        out, back = option["outbound"], option["inbound"]
        assert out["depart_at"][:10] == day.isoformat()
        assert back["depart_at"][:10] == (day + timedelta(days=nights)).isoformat()
        for leg in (out, back):
            elapsed = datetime.fromisoformat(leg["arrive_at"]) - datetime.fromisoformat(leg["depart_at"])
            assert elapsed == timedelta(minutes=leg["duration_minutes"])


@settings(max_examples=40, deadline=None)
@given(NAMES, DAYS, PARTIES)
def test_one_more_person_never_makes_it_cheaper(name: str, day: date, party: Party) -> None:
    more = Party(party.adults + 1, party.children, party.infants)
    for fewer, extra in zip(
        search_flights(Trip((name,), day, 3, party)).options,
        search_flights(Trip((name,), day, 3, more)).options,
        strict=True,
    ):
        assert extra["price"] >= fewer["price"]
    for kind in ("hotel", "guesthouse", "airbnb"):
        assert _stay(name, day, 3, more, kind) >= _stay(name, day, 3, party, kind)


@settings(max_examples=40, deadline=None)
@given(NAMES, DAYS, st.integers(1, 13))
def test_one_more_night_always_costs_more(name: str, day: date, nights: int) -> None:
    assert _stay(name, day, nights + 1, Party(2), "hotel") > _stay(name, day, nights, Party(2), "hotel")


def _stay(name: str, day: date, nights: int, party: Party, kind: Accommodation) -> int:
    return search_hotels(Trip((name,), day, nights, party, accommodation=kind)).options[1]["total_price"]


@given(st.floats(0, 20000), st.floats(0, 20000))
def test_fare_and_time_rise_with_distance(one: float, two: float) -> None:
    near, far = sorted((one, two))
    assert 0 < adult_fare(near, "standard") <= adult_fare(far, "standard")
    assert flight_minutes(near) <= flight_minutes(far)
    assert adult_fare(far, "budget") < adult_fare(far, "standard") < adult_fare(far, "premium")


@settings(max_examples=25, deadline=None)
@given(NAMES, DAYS)
def test_the_way_is_as_long_from_either_end(name: str, day: date) -> None:
    there = search_flights(Trip((name,), day, 3, Party(1))).options[0]
    back = search_flights(Trip(("서울",), day, 3, Party(1), origin=name)).options[0]
    assert there["price"] == back["price"]
    assert there["outbound"]["duration_minutes"] == back["outbound"]["duration_minutes"]


def test_a_place_without_an_airport_is_reached_by_land() -> None:
    assert {option["mode"] for option in search_flights(Trip(("강릉",), ORDINARY, 2, Party(2))).options} <= {
        "train",
        "bus",
        "car",
    }
    assert {option["mode"] for option in search_flights(Trip(("제주",), ORDINARY, 2, Party(2))).options} == {"flight"}
    assert "flight" in {option["mode"] for option in search_flights(Trip(("부산",), ORDINARY, 2, Party(2))).options}


def test_crossing_the_date_line_arrives_the_same_day_and_comes_home_a_day_later() -> None:
    option = search_flights(Trip(("하와이",), ORDINARY, 5, Party(2))).options[1]
    assert option["outbound"]["arrive_at"].endswith("-10:00")
    assert option["outbound"]["day_change"] == 0
    assert option["inbound"]["day_change"] == 1
    assert option["inbound"]["arrive_at"].endswith("+09:00")
    assert option["outbound"]["origin"] == "ICN"


def test_holidays_and_weekends_cost_more() -> None:
    chuseok = search_flights(Trip(("오사카",), date(2026, 9, 24), 3, Party(2)))
    week_before = search_flights(Trip(("오사카",), date(2026, 9, 10), 3, Party(2)))
    assert chuseok.options[1]["price"] > 1.2 * week_before.options[1]["price"]
    assert any("공휴일" in tip for tip in chuseok.analysis["tips"])
    assert (
        holiday_factor([date(2026, 9, 25)]) > holiday_factor([date(2026, 10, 9)]) > holiday_factor([date(2026, 9, 10)])
    )
    assert _stay("제주", date(2026, 4, 17), 2, Party(2), "hotel") > _stay(
        "제주", date(2026, 4, 13), 2, Party(2), "hotel"
    )


def test_direct_only_has_no_stop_and_the_named_airline_is_taken() -> None:
    loose = search_flights(Trip(("파리",), ORDINARY, 5, Party(1)))
    direct = search_flights(Trip(("파리",), ORDINARY, 5, Party(1), airline="에어프랑스", direct_only=True))
    assert loose.options[0]["outbound"]["stops"] == 1
    assert all(option["outbound"]["stops"] == 0 for option in direct.options)
    assert {option["airline"] for option in direct.options} == {"에어프랑스"}
    assert direct.options[0]["price"] > loose.options[0]["price"]


def test_rooms_follow_the_party() -> None:
    assert rooms_for(Party(2, 1), "hotel") == 1
    assert rooms_for(Party(2, 2), "hotel") == 2
    assert rooms_for(Party(3), "hotel") == 2
    assert rooms_for(Party(4), "airbnb") == 1
    assert party_of(4, None, 1, 1) == Party(2, 1, 1)


def test_what_cannot_be_estimated_is_said() -> None:
    with pytest.raises(NotFound):
        search_flights(Trip(("듣보시티",), ORDINARY, 3, Party(1)))
    with pytest.raises(InvalidState):
        search_hotels(Trip(("오사카",), ORDINARY, 0, Party(1)))
    with pytest.raises(InvalidState):
        Party(0)
