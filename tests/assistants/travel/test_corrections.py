"""Change one thing, redo only what depends on it: which experts work again, by kind of correction."""

import pytest

from tests.support.trips import Traveller, kept, ran

FLIGHT, HOTEL, DAYS, MONEY, PLANS = EXPERTS = (
    "flight_expert",
    "hotel_expert",
    "itinerary_planner",
    "budget_manager",
    "coordinator",
)
TRIP = "12월 18일 출발 오사카랑 교토 3박4일 둘이 250만원, 맛집이랑 관광 위주로"
ALL = set(EXPERTS)

TABLE = [
    ("nights", "아니 4박으로", ALL),
    ("budget", "예산 300만원으로 올릴게", {MONEY, PLANS}),
    ("budget per person", "예산은 인당 150만원", {MONEY, PLANS}),
    ("budget flexibility", "예산은 조금 넘어도 돼", {MONEY, PLANS}),
    ("better hotel", "호텔만 더 좋은 데로", {HOTEL, MONEY, PLANS}),
    ("cheaper hotel", "숙소는 더 싼 데로", {HOTEL, MONEY, PLANS}),
    ("kind of lodging", "숙소는 게스트하우스로 바꿔줘", {HOTEL, MONEY, PLANS}),
    ("better flight", "비행기는 더 좋은 걸로", {FLIGHT, MONEY, PLANS}),
    ("airline", "대한항공으로 바꿔줘", {FLIGHT, MONEY, PLANS}),
    ("people", "아니 3명이야", {FLIGHT, HOTEL, MONEY, PLANS}),
    ("a child comes along", "초등학생 한 명 추가", ALL),
    ("departure", "12월 21일 출발로 바꿔줘", ALL),
    ("origin", "부산에서 출발할게", {FLIGHT, DAYS, MONEY, PLANS}),
    ("style", "쇼핑도 추가해줘", {DAYS, MONEY, PLANS}),
    ("must visit", "유니버설은 꼭", {DAYS, MONEY, PLANS}),
    ("pace", "일정을 여유롭게 해줘", {DAYS, MONEY, PLANS}),
    ("one day's pace", "둘째 날은 여유롭게", {DAYS, MONEY, PLANS}),
    ("one day's places", "둘째 날 별로야 바꿔줘", {DAYS, MONEY, PLANS}),
    ("nights of one city", "교토에서 2박으로", {HOTEL, DAYS, MONEY, PLANS}),
    ("a limit for a night", "숙소는 1박에 10만원 이하로", {HOTEL, MONEY, PLANS}),
    ("a limit that is kept", "숙소는 1박에 90만원 이하로", set()),
    ("a city removed", "교토는 됐어요", ALL),
    ("another city", "도쿄로 바꿔줘", ALL),
    ("question: rain", "둘째 날 비 오면?", set()),
    ("question: plans", "플랜 차이가 뭐야", set()),
    ("choice", "플랜 1로 할게", set()),
    ("the same again", "3박4일", set()),
]


@pytest.mark.parametrize(("message", "again"), [row[1:] for row in TABLE], ids=[row[0] for row in TABLE])
async def test_a_correction_redoes_only_what_depends_on_it(message: str, again: set[str]) -> None:
    talk = Traveller()
    first = await talk.say(TRIP)
    assert ran(first) == ALL
    state = await talk.say(message)
    assert ran(state) == again
    if again:
        assert kept(state) == ALL - again
    else:
        assert not state["execution_steps"]
        assert state["final_plans"] == first["final_plans"]


async def test_the_return_date_follows_the_nights_and_nothing_else_changes() -> None:
    talk = Traveller()
    before = await talk.say(TRIP)
    after = await talk.say("아니 4박으로")
    assert (before["return_date"], after["return_date"]) == ("2026-12-21", "2026-12-22")
    untouched = ("destination", "destinations", "budget", "num_people", "travel_style", "depart_date", "origin")
    assert {name: after[name] for name in untouched} == {name: before[name] for name in untouched}
    assert len(after["itinerary"]["days"]) == 5
    assert after["response"]["answer"].startswith("4박5일로 바꿨어요(12월 22일(화) 귀국).")


async def test_the_todo_list_shows_what_was_kept() -> None:
    talk = Traveller()
    await talk.say(TRIP)
    state = await talk.say("예산 300만원으로 올릴게")
    shown = {step["agent"]: (step["status"], step.get("reused", False)) for step in state["execution_steps"]}
    assert shown[FLIGHT] == shown[HOTEL] == shown[DAYS] == ("skipped", True)
    assert shown[MONEY] == shown[PLANS] == ("completed", False)
    assert state["plan"]["reused"] == [s["step_id"] for s in state["execution_steps"] if s.get("reused")]
    assert "교통편·숙소·일정은 그대로예요" in state["response"]["answer"]
    assert state["response"]["structured_data"]["metadata"]["kept"] == [FLIGHT, HOTEL, DAYS]


async def test_a_wish_and_a_correction_in_one_message() -> None:
    talk = Traveller()
    await talk.say(TRIP)
    state = await talk.say("호텔은 더 좋은 데로 하고 4박으로 바꿔줘")
    assert state["hotel_tier"] is not None
    assert state["duration"] == 4
    assert ran(state) == ALL


async def test_going_back_reuses_nothing_wrongly() -> None:
    talk = Traveller()
    first = await talk.say(TRIP)
    await talk.say("아니 4박으로")
    back = await talk.say("아니다 3박으로")
    assert back["final_plans"] == first["final_plans"]
    assert back["itinerary"] == first["itinerary"]


async def test_a_better_hotel_keeps_the_flight_of_the_plan() -> None:
    talk = Traveller()
    before = await talk.say("오사카 3박4일 둘이 200만원 맛집")
    after = await talk.say("호텔만 더 좋은 데로")
    tier = before["recommendation"]["type"]
    assert after["recommendation"]["type"] == tier
    old, new = (next(p for p in s["final_plans"] if p["type"] == tier) for s in (before, after))
    assert new["flight_type"] == old["flight_type"]
    assert (old["hotel_type"], new["hotel_type"]) == ("standard", "premium")
    assert not after["recommendation"]["fits"]
    assert "숙소 등급을 되돌리면" in after["recommendation"]["changes"][0]["text"]
    again = await talk.say("호텔 더 좋은 데로")
    assert "이미 가장 높은" in again["response"]["answer"]


async def test_nights_of_single_cities_are_slept_there() -> None:
    talk = Traveller()
    await talk.say("12월 18일 출발 오사카 1박 교토 3박 둘이 300만원 관광")
    state = await talk.say("오사카를 하루 늘려줘")
    assert [(stay["city"], stay["nights"]) for stay in state["hotel_options"][0]["stays"]] == [
        ("오사카", 2),
        ("교토", 3),
    ]
    assert [day["city"] for day in state["itinerary"]["days"]] == ["오사카"] * 2 + ["교토"] * 4
    assert state["response"]["answer"].startswith("오사카 2박, 교토 3박으로 나눴어요.")


async def test_a_limit_for_a_night_that_nothing_keeps_is_said() -> None:
    talk = Traveller()
    await talk.say(TRIP)
    state = await talk.say("숙소는 1박에 만원 이하로")
    assert not state["execution_steps"]
    assert "없어요" in state["response"]["answer"]
