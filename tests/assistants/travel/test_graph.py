"""The travel graph: the states of the specification's conversation, plans that add up, days that can be lived."""

import re
from datetime import datetime
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from langgraph.checkpoint.memory import InMemorySaver

from bench.trips.checks import checked
from madang.assistants.travel.graph import assistant
from madang.assistants.travel.services import TravelServices
from madang.assistants.travel.state import GREETING, create_initial_state
from madang.errors import UnknownSchemaVersion
from madang.graph import build
from tests.support.trips import OSAKA, Traveller, kept, ran

EXPERTS = {"flight_expert", "hotel_expert", "itinerary_planner", "budget_manager", "coordinator"}


def told(state: dict[str, Any]) -> list[tuple[str, str]]:
    return [(message.type, message.content) for message in state["messages"]]


async def test_the_conversation_of_the_specification_step_by_step() -> None:
    talk = Traveller()
    first = await talk.say("오사카")
    assert first["destination"] == "오사카"
    assert first["duration"] is None
    assert first["info_collected"] is False
    assert first["current_step"] == "collecting"
    heard = "몇 박 며칠 계획이신가요?\n\n_이렇게 읽었어요: 목적지 오사카._"
    assert told(first) == [("ai", GREETING), ("human", "오사카"), ("ai", heard)]

    second = await talk.say("3박 4일")
    assert (second["destination"], second["duration"]) == ("오사카", 3)
    asked = "몇 분이 함께 가세요?\n\n_이렇게 읽었어요: 기간 3박._"
    assert told(second)[-2:] == [("human", "3박 4일"), ("ai", asked)]

    await talk.say("총 100만원")
    await talk.say("관광, 맛집")
    done = await talk.say("2명")
    passed = [step async for step in talk.graph.aget_state_history(talk.config)]
    planning = [state.values for state in passed if state.values.get("current_step") == "searching"][-1]
    assert planning["info_collected"] is True
    assert planning["budget"] == 1_000_000
    assert planning["travel_style"] == ["관광", "맛집"]
    searched = [state.values for state in passed if state.values.get("flights_searched")][-1]
    assert [option["type"] for option in searched["flight_options"]] == ["budget", "standard", "premium"]

    assert done["current_step"] == "done"
    assert len(done["hotel_options"]) == 3
    assert len(done["itinerary"]["days"]) == 4
    assert all(done[name] for name in ("hotels_searched", "itinerary_planned", "budget_analyzed", "plans_generated"))
    assert set(done["agent_history"]) == set(done["agent_results"]) == EXPERTS


async def test_flights_and_hotels_are_searched_beside_each_other() -> None:
    done = await Traveller().say(OSAKA)
    first, *rest = done["plan"]["parallel_groups"]
    by_id = {step["step_id"]: step["agent"] for step in done["execution_steps"]}
    assert {by_id[step] for step in first} == {"flight_expert", "hotel_expert"}
    assert [by_id[step] for group in rest for step in group] == ["itinerary_planner", "budget_manager", "coordinator"]


async def test_each_figure_can_be_opened_down_to_its_source() -> None:
    done = await Traveller().say(OSAKA)
    assert done["provenance"]["flight_options"]["as_of"]
    assert done["provenance"]["final_plans"]["agent"] == "coordinator"
    assert "마당 숙박 요금 추정표 (2026-11-01 기준)" in done["response"]["structured_data"]["metadata"]["sources"]


MATTERS_OF_TASTE = ("sensible route", "no dead hours", "whole days filled", "meals")
CITIES = ["오사카", "도쿄", "다낭", "방콕", "파리", "제주", "부산", "강릉", "레이캬비크"]


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    cities=st.lists(st.sampled_from(CITIES), min_size=1, max_size=2, unique=True),
    nights=st.integers(1, 7),
    budget=st.integers(20, 900),
    people=st.integers(1, 6),
    style=st.sampled_from(["관광", "맛집", "휴양", "쇼핑, 야경"]),
    wishes=st.lists(
        st.sampled_from(["호텔만 더 좋은 데로", "항공은 더 싸게", "빡세게 다닐래", "애 하나 추가"]), max_size=2
    ),
)
async def test_totals_are_sums_and_days_can_be_lived(
    cities: list[str], nights: int, budget: int, people: int, style: str, wishes: list[str]
) -> None:
    talk = Traveller()
    state = await talk.say(f"{'랑 '.join(cities)} {nights}박 {people}명 총 {budget}만원 {style}")
    for text in wishes:
        state = await talk.say(text)
    if not state.get("final_plans"):
        assert state["response"]["type"] == "clarification"
        return
    check_sums(state)
    assert [check for check in checked(state) if not check.passed and check.name not in MATTERS_OF_TASTE] == []


async def test_one_more_traveller_does_not_ask_again_whose_budget_it_is() -> None:
    talk = Traveller()
    await talk.say("도쿄랑 오사카 6박 3명 총 30만원 휴양")
    state = await talk.say("애 하나 추가")
    assert state["response"]["type"] == "answer"
    assert (state["adults"], state["children"]) == (3, 1)


async def test_a_way_that_ends_on_the_next_day_is_said_so_and_nothing_is_planned_before_it() -> None:
    state = await Traveller().say("파리랑 다낭 4박 6명 총 844만원 관광")
    assert "31:" not in state["response"]["answer"]
    assert re.search(r"09:00–0\d:\d\d\(\+1일\) 파리 → 다낭", state["response"]["answer"])
    assert [check for check in checked(state) if not check.passed and check.name not in MATTERS_OF_TASTE] == []


async def test_a_flight_back_over_the_date_line_arrives_before_the_day_begins() -> None:
    state = await Traveller().say("도쿄랑 하와이 5박 2명 총 844만원 관광")
    days = [day for day in state["itinerary"]["days"] if day["move"]]
    assert all(place["start"] >= "08:00" for day in days for place in day["places"])


async def test_a_place_that_bears_a_city_or_a_style_in_its_name_is_the_place() -> None:
    rome = await Traveller().say("2027년 5월 29일 출발, 로마 2박3일, 둘이, 총예산 1000만원, 베네치아 광장 꼭 가고 싶어")
    assert (rome["destination"], rome["destinations"], rome["must_visit_places"]) == ("로마", [], ["베네치아 광장"])
    london = await Traveller().say(
        "런던 2박3일, 둘이, 총예산 1000만원, 휴양이랑 관광 위주로, 자연사박물관 꼭 가고 싶어"
    )
    assert london["travel_style"] == ["휴양", "관광"]


def check_sums(state: dict[str, Any]) -> None:
    plans = {plan["type"]: plan for plan in state["final_plans"]}
    flights = {option["type"]: option["price"] for option in state["flight_options"]}
    hotels = {option["type"]: option["total_price"] for option in state["hotel_options"]}
    for plan in plans.values():
        amounts = {item["category"]: item["amount"] for item in plan["items"]}
        assert plan["total"] == sum(amounts.values())
        assert amounts["flights"] == flights[plan["flight_type"]]
        assert amounts["hotel"] == hotels[plan["hotel_type"]]
    chosen = plans[state["recommendation"]["type"]]
    assert state["recommendation"]["total"] == chosen["total"] == state["budget_breakdown"]["total"]
    for option in state["hotel_options"]:
        assert option["total_price"] == sum(part["total_price"] for part in option.get("stays", [option]))


async def test_a_stored_state_of_version_1_goes_on() -> None:
    talk = Traveller()
    stored = {
        **create_initial_state("trip"),
        "destination": "오사카",
        "duration": 3,
        "budget": 2_000_000,
        "num_people": 2,
        "flight_options": [{"type": "budget", "price": 250_000}],
        "schema_version": "1.0",
    }
    await talk.graph.aupdate_state(talk.config, stored, as_node="respond")
    state = await talk.say("맛집")
    assert state["schema_version"] == "2.0"
    assert state["budget_flexibility"] == "flexible"
    assert state["destination"] == "오사카"
    assert len(state["final_plans"]) == 3


async def test_a_state_of_an_unknown_newer_version_is_refused() -> None:
    talk = Traveller()
    stored = {**create_initial_state("trip"), "destination": "오사카", "schema_version": "9.0"}
    await talk.graph.aupdate_state(talk.config, stored, as_node="respond")
    with pytest.raises(UnknownSchemaVersion, match=r"9\.0"):
        await talk.say("3박")
    assert (await talk.graph.aget_state(talk.config)).values["destination"] == "오사카"


async def test_a_failed_search_is_shown_as_one() -> None:
    class Broken:
        flight_provider: Any = None
        faq = TravelServices().faq
        data_versions: dict[str, str] = {}

        @property
        def hotel_provider(self) -> Any:
            raise RuntimeError("숙소 서버가 답하지 않습니다")

    state = await Traveller(services=Broken()).say(OSAKA)
    assert ran(state) == {"flight_expert", "itinerary_planner"}
    assert "숙소 서버가 답하지 않습니다" in state["response"]["answer"]
    assert "끝까지 세우지 못했어요" in state["response"]["answer"]


async def test_confidence_is_computed() -> None:
    said = ["오사카 3박 2명 200만원 맛집", "12월 18일 부산에서 출발 오사카 3박 2명 200만원 맛집"]
    found = {(await Traveller().say(text))["plan"]["confidence"] for text in said}
    assert len(found) == 2
    assert all(0 < value <= 1 for value in found)


def test_the_assistant_holds_together() -> None:
    graph = build(assistant, InMemorySaver())
    assert set(graph.nodes) >= EXPERTS


async def test_the_days_of_the_trip_are_those_of_the_dates() -> None:
    state = await Traveller().say("12월 18일 출발 오사카 3박 2명 200만원 맛집")
    assert (state["depart_date"], state["return_date"]) == ("2026-12-18", "2026-12-21")
    assert [day["date"] for day in state["itinerary"]["days"]] == [f"2026-12-{n}" for n in (18, 19, 20, 21)]
    leg = state["flight_options"][1]["inbound"]
    assert datetime.fromisoformat(leg["depart_at"]).date().isoformat() == "2026-12-21"
    assert kept(state) == set()
