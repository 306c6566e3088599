"""Itineraries over random trips: feasible, no place twice, wishes honoured."""

from datetime import date
from itertools import pairwise, permutations
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from madang.assistants.travel.data.cities import all_cities, load_city, minutes_of
from madang.assistants.travel.state.results import Itinerary, ItineraryDay, Pace
from madang.assistants.travel.state.trip import CityNights, Route, split_nights
from madang.assistants.travel.tools.itinerary import ItineraryQuery, plan_itinerary
from madang.assistants.travel.tools.itinerary.model import Point, Window
from madang.assistants.travel.tools.itinerary.schedule import schedule
from madang.assistants.travel.tools.itinerary.visit_order import best_order
from madang.errors import InvalidState, NotFound

PACES: tuple[Pace, Pace] = ("relaxed", "packed")
DEPART = date(2026, 4, 17)


@st.composite
def trips(draw: st.DrawFn) -> ItineraryQuery:
    cities = draw(st.lists(st.sampled_from(sorted(all_cities())), min_size=1, max_size=2, unique=True))
    places = [place.name for place in load_city(cities[0]).places]
    return ItineraryQuery(
        cities=tuple(cities),
        depart=DEPART,
        nights=draw(st.integers(2, 7)),
        styles=tuple(
            draw(st.lists(st.sampled_from(["관광", "맛집", "휴양", "문화", "자연"]), max_size=2, unique=True))
        ),
        pace=draw(st.sampled_from((*PACES, "normal"))),
        must_visit=tuple(draw(st.lists(st.sampled_from(places), max_size=3, unique=True))),
        kids=draw(st.booleans()),
        arrive_at=draw(st.sampled_from([None, "2026-04-17T11:20+09:00", "2026-04-17T22:50+09:00"])),
        leave_at=None,
    )


def planned(cities: tuple[str, ...], nights: int, **wishes: Any) -> Itinerary:
    return plan_itinerary(ItineraryQuery(cities, DEPART, nights, **wishes))[0]


def check_day(day: ItineraryDay) -> None:
    opens, closes = map(minutes_of, day["window"])
    city = load_city(day["city"])
    busy = sorted(
        [(minutes_of(v["start"]), minutes_of(v["end"])) for v in day["places"]]
        + [(minutes_of(m["start"]), minutes_of(m["end"])) for m in day["meals"]]
    )
    assert all(first[1] <= second[0] for first, second in pairwise(busy)), day
    at = opens
    for visit in day["places"]:
        start, end = minutes_of(visit["start"]), minutes_of(visit["end"])
        place = city.place(visit["name"])
        assert place is not None
        assert start >= at + visit["travel_minutes"]
        assert end - start == visit["minutes"] == place.minutes
        assert place.opens <= start
        assert end <= place.closes
        assert end <= closes
        at = end
    assert day["visiting_minutes"] == sum(visit["minutes"] for visit in day["places"])
    assert day["moving_minutes"] >= sum(visit["travel_minutes"] for visit in day["places"])


@settings(max_examples=60, deadline=None)
@given(trips())
def test_every_day_is_feasible_and_no_place_comes_twice(query: ItineraryQuery) -> None:
    plan, gained = plan_itinerary(query)
    assert len(plan["days"]) == query.nights + 1
    names = [visit["name"] for day in plan["days"] for visit in day["places"]]
    assert len(names) == len(set(names))
    for day in plan["days"]:
        check_day(day)
        assert all(visit["indoor"] for visit in day["rain_alternative"])
    for wish in query.must_visit:
        assert wish in names or wish in gained["left_out"]
    assert gained["total_travel_minutes"] == sum(day["moving_minutes"] for day in plan["days"])


@settings(max_examples=30, deadline=None)
@given(st.sampled_from(sorted(all_cities())), st.integers(0, 40))
def test_one_wish_on_a_trip_of_days_is_always_granted(city: str, pick: int) -> None:
    places = load_city(city).places
    wish = places[pick % len(places)].name
    plan, gained = plan_itinerary(ItineraryQuery((city,), DEPART, 3, pace="relaxed", must_visit=(wish,)))
    assert gained["left_out"] == []
    assert wish in _names(plan)


def _names(plan: Itinerary) -> set[str]:
    return {visit["name"] for day in plan["days"] for visit in day["places"]}


def test_a_wish_we_do_not_know_is_named_with_the_reason() -> None:
    plan, gained = plan_itinerary(ItineraryQuery(("오사카",), DEPART, 2, must_visit=("없는 곳",)))
    assert gained["left_out"] == ["없는 곳"]
    assert any("없는 곳" in note for note in plan["notes"])


def test_arrival_and_departure_days_are_shorter() -> None:
    plan, _ = plan_itinerary(
        ItineraryQuery(("오사카",), DEPART, 2, arrive_at="2026-04-17T16:00+09:00", leave_at="2026-04-19T12:00+09:00")
    )
    first, middle, last = plan["days"]
    assert first["window"][0] >= "17:45"
    assert last["window"][1] <= "09:00"
    assert len(first["places"]) < len(middle["places"])
    assert last["places"] == []


def test_the_pace_and_one_slow_day_change_how_much_is_seen() -> None:
    slow, fast = (planned(("도쿄",), 4, pace=pace) for pace in PACES)
    assert len(_names(slow)) < len(_names(fast))
    eased = planned(("도쿄",), 4, pace="packed", day_paces=((2, "relaxed"),))
    assert eased["days"][1]["pace"] == "relaxed"
    assert len(eased["days"][1]["places"]) < len(fast["days"][1]["places"])


def test_styles_and_children_change_what_is_seen() -> None:
    plain = planned(("싱가포르",), 3, styles=("쇼핑",))
    young = planned(("싱가포르",), 3, kids=True)
    city = load_city("싱가포르")

    def share(plan: Itinerary) -> float:
        places = [place for name in _names(plan) if (place := city.place(name))]
        return sum(place.kids for place in places) / len(places)

    assert share(young) > share(plain)
    tokyo = {place.name: place.category for place in load_city("도쿄").places}
    for style, other in (("쇼핑", "자연"), ("자연", "쇼핑"), ("문화", "맛집")):
        wanted, unwanted = (planned(("도쿄",), 2, styles=(one,), pace="relaxed") for one in (style, other))
        assert _count(wanted, tokyo, style) > _count(unwanted, tokyo, style)


def _count(plan: Itinerary, categories: dict[str, str], style: str) -> int:
    return sum(categories[name] == style for name in _names(plan))


@settings(max_examples=40, deadline=None)
@given(st.sampled_from(["오사카", "파리", "부산"]), st.lists(st.integers(0, 19), min_size=1, max_size=5, unique=True))
def test_the_order_of_a_day_is_the_best_there_is(name: str, picks: list[int]) -> None:
    city = load_city(name)
    places = [city.places[at] for at in picks]
    window = Window(1, DEPART, name, 8 * 60, 22 * 60, Point(city.lat, city.lon), 9, "packed")
    found = best_order(window, places)
    every = [timed for order in permutations(places) if (timed := schedule(window, order))]
    assert (found is None) == (not every)
    if found:
        assert found.cost == min(timed.cost for timed in every)


def test_several_cities_share_the_nights_in_order() -> None:
    plan = planned(("오사카", "교토"), 5)
    assert [day["city"] for day in plan["days"]] == ["오사카"] * 3 + ["교토"] * 3
    assert split_nights(5, 2) == [3, 2]


def test_nights_asked_for_are_kept_while_they_leave_one_for_each_other_city() -> None:
    def stays(*asked: tuple[str, int]) -> CityNights:
        return Route(("오사카", "교토", "도쿄"), DEPART, 6, asked=asked).stays

    assert stays(("교토", 3)) == (("오사카", 2), ("교토", 3), ("도쿄", 1))
    assert stays(("오사카", 1), ("교토", 1), ("도쿄", 4)) == (("오사카", 1), ("교토", 1), ("도쿄", 4))
    assert stays(("교토", 5)) == stays()
    assert stays(("오사카", 1), ("교토", 1), ("도쿄", 1)) == stays()


def test_an_unsupported_city_gets_a_general_plan_that_says_so() -> None:
    plan = planned(("라스베이거스",), 3)
    assert plan["is_general"]
    assert any("자료가 없" in note for note in plan["notes"])
    assert len(plan["days"]) == 4


def test_nonsense_is_refused() -> None:
    with pytest.raises(InvalidState):
        plan_itinerary(ItineraryQuery(("오사카",), DEPART, 0))
    with pytest.raises(NotFound):
        plan_itinerary(ItineraryQuery(("듣보시티",), DEPART, 3))


@pytest.mark.parametrize(
    ("city", "outings"),
    [("오사카", {"교토 당일 여행", "나라 당일 여행"}), ("도쿄", {"가마쿠라 당일 여행"}), ("파리", {"베르사유 궁전"})],
)
def test_a_long_stay_has_a_day_out(city: str, outings: set[str]) -> None:
    def seen(nights: int, *cities: str, pace: Pace = "normal", **more: Any) -> set[str]:
        plan, _ = plan_itinerary(ItineraryQuery((city, *cities), DEPART, nights, pace=pace, **more))
        return {place["name"] for day in plan["days"] for place in day["places"]}

    assert seen(5) & outings
    assert len(seen(9) & outings) == min(2, len(outings))
    assert not seen(5, outings=1) & outings, "who goes out a little stays near"


def test_no_day_out_goes_where_the_trip_goes_anyway() -> None:
    plan, _ = plan_itinerary(ItineraryQuery(("오사카", "교토"), DEPART, 7, asked=(("오사카", 5), ("교토", 2))))
    names = {place["name"] for day in plan["days"] for place in day["places"]}
    assert "교토 당일 여행" not in names
    assert "나라 당일 여행" in names
