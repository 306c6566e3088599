"""A whole trip from its slots, without any graph."""

from dataclasses import asdict
from datetime import date
from typing import Any

import pytest

from madang.assistants.travel.tools.affordable_changes import cheapest_total, smallest_changes
from madang.assistants.travel.tools.flights import search_flights
from madang.assistants.travel.tools.hotels import search_hotels
from madang.assistants.travel.tools.itinerary import plan_itinerary
from madang.assistants.travel.tools.plans import make_plans, recommend
from madang.assistants.travel.tools.requests import (
    basics,
    flight_request,
    hotel_requests,
    itinerary_request,
    plan_inputs,
    priced_trip,
    whole_stay,
)
from madang.assistants.travel.understanding.slots import apply, honest_note, understand
from madang.errors import InvalidState

TODAY = date(2026, 3, 10)


def slots_of(*messages: str) -> dict[str, Any]:
    slots: dict[str, Any] = {}
    for message in messages:
        slots = apply(slots, understand(message, slots, TODAY, None))
    return slots


def whole_trip(slots: dict[str, Any]) -> dict[str, Any]:
    flights = search_flights(flight_request(slots, TODAY))
    hotels = whole_stay([search_hotels(request) for request in hotel_requests(slots, TODAY)])
    taken = next(option.as_dict() for option in flights.options if option.type == flights.recommendation)
    days = plan_itinerary(itinerary_request(slots, TODAY, taken))
    inputs = plan_inputs(
        slots,
        TODAY,
        [o.as_dict() for o in flights.options],
        [o.as_dict() for o in hotels.options],
        days.fees_per_person(),
    )
    plans = make_plans(inputs)
    return {"flights": flights, "hotels": hotels, "days": days, "plans": plans, "chosen": recommend(plans, inputs)}


def test_the_conversation_of_the_specification_ends_in_three_plans() -> None:
    slots = slots_of("오사카", "3박 4일", "예산 150만원", "2명", "관광, 맛집")
    trip = whole_trip(slots)
    assert [option.type for option in trip["flights"].options] == ["budget", "standard", "premium"]
    assert len(trip["days"].days) == 4
    assert all(plan.total == sum(item.amount for item in plan.items) for plan in trip["plans"])
    assert trip["chosen"].fits
    assert trip["chosen"].total <= 1_500_000
    assert "가정" in trip["flights"].notes[0]


def test_another_length_moves_return_flight_stay_days_and_plans() -> None:
    slots = slots_of("오사카 3박 2명 예산 300만원 관광, 4월 17일 출발")
    before, after = whole_trip(slots), whole_trip({**slots, "duration": 4, "return_date": "2026-04-21"})
    assert after["flights"].options[1].inbound.depart_at[:10] == "2026-04-21"
    assert after["hotels"].options[1].total_price > before["hotels"].options[1].total_price
    assert len(after["days"].days) == len(before["days"].days) + 1
    assert after["plans"][0].total > before["plans"][0].total


def test_several_cities_sleep_in_each_and_fly_home_from_the_last() -> None:
    slots = slots_of("도쿄 오사카 5박 2명 예산 500만원 4월 17일 출발")
    asked = hotel_requests(slots, TODAY)
    assert [(request.city, request.nights, request.check_in.day) for request in asked] == [
        ("도쿄", 3, 17),
        ("오사카", 2, 20),
    ]
    trip = whole_trip(slots)
    assert trip["flights"].options[0].inbound.origin == "KIX"
    parts = [search_hotels(request) for request in asked]
    assert trip["hotels"].options[2].total_price == sum(part.options[2].total_price for part in parts)
    assert trip["hotels"].options[2].nights == 5


def test_a_budget_that_cannot_work_is_told_with_the_change_that_would() -> None:
    slots = slots_of("파리 6박 2명 예산 200만원 4월 17일 출발")
    trip = whole_trip(slots)
    assert not trip["chosen"].fits
    fees = trip["days"].fees_per_person()
    change = smallest_changes(priced_trip(slots, TODAY, fees), slots["budget"])[0]
    repaired = {**slots, **change.slots}
    assert cheapest_total(priced_trip(repaired, TODAY, fees)) <= repaired["budget"]


def test_a_city_we_only_know_of_is_planned_in_general_and_says_so() -> None:
    slots = slots_of("라스베이거스 4박 2명 예산 800만원 쇼핑")
    trip = whole_trip(slots)
    assert trip["days"].is_general
    assert honest_note("라스베이거스") is not None
    assert honest_note("오사카") is None
    assert asdict(trip["chosen"])["total"] > 0


def test_what_is_missing_is_named() -> None:
    with pytest.raises(InvalidState) as caught:
        basics({"destination": "오사카"}, TODAY)
    assert [problem.field for problem in caught.value.problems] == ["duration", "num_people"]
