"""What strangers say: wishes without a city, questions beside a plan, needs, what is booked, days told their way."""

from collections.abc import Mapping
from datetime import date
from typing import Any

import pytest

from madang.graph import TurnContext
from tests.support.trips import Traveller, ran

TODAY = date(2026, 11, 18)
BABY = (
    "26개월 아기랑 남편이랑 셋이 1월 중순에 따뜻한데 가서 좀 쉬다 오고 싶어요. 비행시간은 5시간 안넘었으면 좋겠고 "
    "아기가 낮잠을 1시~3시에 꼭 자야해서 일정이 빡빡하면 안돼요. 4박5일 정도? 남편은 골프 얘기 하는데 그건 무시하세요"
)


def answer(state: Mapping[str, Any]) -> str:
    return str(state["response"]["answer"])


async def test_wishes_without_a_city_get_cities_that_fit_them() -> None:
    state = await Traveller(today=TODAY).say(BABY)
    assert ran(state) == {"destination_advisor"}
    assert (state["adults"], state["children"], state["duration"]) == (2, 1, 4)
    assert all(one["flight_minutes"] <= 300 for one in state["suggestions"])
    assert "골프" in state["avoid"]
    assert "액티비티" not in state["travel_style"]


async def test_naps_and_outings_are_kept_by_the_days() -> None:
    talk = Traveller(today=TODAY)
    await talk.say(BABY)
    state = await talk.say("다낭으로 할게요! 1월 13일에 가서 17일에 오는걸로요. 하루에 한군데 이상은 안나갈래요")
    assert (state["depart_date"], state["return_date"]) == ("2027-01-13", "2027-01-17")
    for day in state["itinerary"]["days"]:
        assert len(day["places"]) <= 1
        assert all(place["end"] <= "13:00" or place["start"] >= "15:00" for place in day["places"])


async def test_questions_are_answered_first_and_the_plan_stays() -> None:
    talk = Traveller(today=TODAY)
    await talk.say(BABY)
    before = await talk.say("다낭으로 할게요! 1월 13일에 가서 17일에 오는걸로요.")
    state = await talk.say("아기 좌석은 따로 끊어야 하나요? 그리고 기내에 유모차 들고 탈 수 있어요?")
    assert answer(state).startswith("26개월이면 좌석을 따로 끊어야 해요.")
    assert "유모차는" in answer(state)
    assert ran(state) == {"local_guide"}
    assert state["final_plans"] == before["final_plans"]
    assert state["num_people"] == 3


async def test_two_cities_are_compared_and_neither_is_taken() -> None:
    talk = Traveller(today=TODAY)
    await talk.say(BABY)
    state = await talk.say("음 다낭이 나을까 오키나와가 나을까요?")
    assert state["destination"] is None
    assert "다낭" in answer(state).splitlines()[0]
    assert state["pending"]["choices"] == ["다낭", "오키나와"]


async def test_days_of_work_and_what_the_company_pays_are_left_out() -> None:
    state = await Traveller(today=TODAY).say(
        "1월 11일(월)~13일(수) 싱가포르 출장인데 회사에서 항공이랑 3박(10일~13일) 호텔은 나와요. "
        "수요일 오후에 일 끝나고 토요일까지 남아서 혼자 놀다 오려고 합니다. 그 뒤 숙박이랑 노는 비용만 계획해주세요."
    )
    assert (state["depart_date"], state["duration"], state["num_people"]) == ("2027-01-13", 3, 1)
    costs = {item["category"]: item["amount"] for item in state["final_plans"][1]["items"]}
    assert costs["flights"] == 0
    assert costs["hotel"] > 0


async def test_who_is_only_looking_gets_an_answer_and_no_plan() -> None:
    talk = Traveller(today=TODAY)
    state = await talk.say("파리 런던 둘다 가려면 며칠이 적당해요? 아직 간다는건 아니고")
    assert "6~8박" in answer(state)
    assert state["destination"] is None
    state = await talk.say("4인가족 여름방학이면 얼마일까요 7월말 8박10일")
    assert state["destinations"] == ["파리", "런던"]
    assert state["final_plans"]


@pytest.mark.parametrize(
    ("said", "depart", "nights"),
    [("날짜 하루만 뒤로 미룰게요 12~15로. 나머진 그대로", "2026-12-12", 3), ("아니 4박으로", "2026-12-11", 4)],
)
async def test_a_correction_changes_what_it_names(said: str, depart: str, nights: int) -> None:
    talk = Traveller(today=TODAY)
    before = await talk.say("타이베이 3박4일 친구랑 둘이, 12월 11~14일 청주출발이요")
    state = await talk.say(said)
    assert (state["depart_date"], state["duration"]) == (depart, nights)
    for name in ("destination", "origin", "num_people", "budget", "travel_style"):
        assert state[name] == before[name]


async def test_a_need_that_cannot_be_met_is_named() -> None:
    state = await Traveller(today=TODAY).say("방콕 3박 둘이, 2월 초로, 비행기는 안 타고요, 호텔은 1박 5만원 이하로")
    assert "지키지 못한 조건: 숙소 1박 50,000원 이하, 비행기 빼기" in answer(state)


async def test_a_place_that_is_asked_about_or_left_out_is_not_where_to_go() -> None:
    talk = Traveller(today=TODAY)
    await talk.say("방콕 3박 둘이 쇼핑")
    state = await talk.say("왕궁은 빼고")
    names = [place["name"] for day in state["itinerary"]["days"] for place in day["places"]]
    assert not any("왕궁" in name for name in names)
    state = await talk.say("파타야는 방콕에서 얼마나 걸려요?")
    assert state["destination"] == "방콕"
    assert not state["destinations"]


async def test_a_form_alone_makes_a_plan() -> None:
    talk = Traveller(today=TODAY)
    filled = {"destination": "오사카", "duration": 3, "num_people": 2, "outings_a_day": 2}
    given = {"query": "", "session_id": "trip", "request_id": "r1", "messages": [], "form_input": filled}
    context = TurnContext(today=TODAY, services=talk.services, models=None)
    state = await talk.graph.ainvoke(given, talk.config, context=context, durability="sync")
    assert state["final_plans"]
    assert all(len(day["places"]) <= 2 for day in state["itinerary"]["days"])


async def test_a_town_without_places_leaves_the_other_citys_days_real() -> None:
    state = await Traveller(today=TODAY).say("도쿄 3박 요코하마 1박 둘이 12월 초")
    by_city = {
        city: [day for day in state["itinerary"]["days"] if day["city"] == city] for city in ("도쿄", "요코하마")
    }
    assert all(place["fee"] is not None for day in by_city["도쿄"] for place in day["places"])
    assert all(place["note"] == "일반 계획" for day in by_city["요코하마"] for place in day["places"])
    assert "\n요코하마는 명소 자료가 없어" in answer(state)
    assert "자료가 있는 가까운 도시는 나고야" in answer(state)
    swapped = await Traveller(today=TODAY).talk("도쿄 3박 요코하마 1박 둘이 12월 초", "둘째 날 다른 데로 바꿔줘")
    assert swapped["itinerary"] != state["itinerary"]


@pytest.mark.parametrize(
    ("asked", "field"),
    [
        ("할랄 식당 있어?", "diet"),
        ("채식 식당 많아?", "diet"),
        ("고양이 카페 있어?", "pets"),
        ("강아지 동반 식당 있나요?", "pets"),
    ],
)
async def test_what_is_asked_about_is_nobodys_need(asked: str, field: str) -> None:
    state = await Traveller(today=TODAY).talk("방콕 3박 둘이", asked)
    assert not state[field]


@pytest.mark.parametrize(
    ("said", "field", "need"),
    [
        ("저 비건인데 먹을 데 있어?", "diet", "비건"),
        ("친구가 할랄만 먹는데 식당 있을까요?", "diet", "할랄"),
        ("엄마가 무릎이 안 좋은데 계단 많은 데 있어?", "access", "오래 걷기 어려움"),
        ("우리 강아지 데려갈 수 있어요?", "pets", "강아지"),
    ],
)
async def test_a_need_told_within_a_question_is_kept(said: str, field: str, need: str) -> None:
    state = await Traveller(today=TODAY).talk("방콕 3박 둘이", said)
    assert need in state[field]


async def test_a_sum_said_to_be_the_whole_is_not_asked_about_when_the_people_come() -> None:
    state = await Traveller(today=TODAY).talk("총 30만원", "오사카 2박", "셋이요")
    assert state["final_plans"]
    assert state["budget"] == 300_000
    state = await Traveller(today=TODAY).talk("예산 30만원", "오사카 2박", "셋이요")
    assert "1인당 예산인가요" in answer(state)


async def test_a_day_of_the_trip_is_no_new_departure() -> None:
    talk = Traveller(today=TODAY)
    await talk.say("12월 24일 출발 삿포로 3박 커플 200만원")
    state = await talk.say("26일에 오타루 가고 싶어요")
    assert (state["depart_date"], state["must_visit_places"]) == ("2026-12-24", ["오타루 운하"])
    state = await talk.say("26일 출발로 바꿔줘")
    assert state["depart_date"] == "2026-12-26"


async def test_of_two_places_one_is_wanted_and_one_is_not() -> None:
    state = await Traveller(today=TODAY).talk("오사카 3박 둘이요", "유니버설 꼭 가고 도톤보리는 빼주세요")
    names = {place["name"] for day in state["itinerary"]["days"] for place in day["places"]}
    assert state["must_visit_places"] == ["유니버설 스튜디오 재팬"]
    assert "도톤보리" not in names
    state = await Traveller(today=TODAY).talk("제주 2박 둘이", "한라산은 안 갈래")
    assert not state["must_visit_places"]


@pytest.mark.parametrize(
    ("said", "answered"),
    [
        ("여권을 방콕에서 잃어버렸어요 어떡해요", "긴급여권"),
        ("지갑을 택시에 두고 내렸어요", "카드사"),
        ("인천공항 몇 시간 전에 가야 해요? 오사카 3박 둘이 가요", "3시간 전"),
        ("고양이는 어디 맡겨요? 오사카 3박 둘이 가요", "방문 돌봄"),
        ("땅콩 알레르기 있는데 방콕 길거리 음식 먹어도 돼요?", "알레르기는"),
        ("친구가 못 간대요 후쿠오카 취소하면 위약금 얼마예요?", "취소 수수료는"),
        ("할머니가 휠체어 타시는데 KTX 예약 어떻게 해요", "휠체어석"),
    ],
)
async def test_a_question_beside_a_trip_is_answered_or_named(said: str, answered: str) -> None:
    assert answered in answer(await Traveller(today=TODAY).say(said))


async def test_cities_thought_of_are_compared_and_one_not_wanted_is_left_out() -> None:
    state = await Traveller(today=TODAY).say("신혼여행으로 몰디브랑 발리 고민중인데 5월 중순 6박 둘이 예산은 700")
    assert "발리가 더 맞아" in answer(state)
    assert "반영하지 못했어요" not in answer(state)
    state = await Traveller(today=TODAY).talk("태국 4박 1인 80만원 친구 넷이", "푸켓 말고 다른 데는?")
    assert "푸켓" not in [one["city"] for one in state["suggestions"]]


async def test_who_comes_is_counted_right() -> None:
    state = await Traveller(today=TODAY).say("네 살 쌍둥이랑 남편이랑 다낭 4박 가려고요")
    assert (state["adults"], state["children"]) == (2, 2)
    state = await Traveller(today=TODAY).say("애가 열이 나는데 다낭에서 병원 어디로 가요?")
    assert not state.get("children")


async def test_the_first_message_keeps_its_number_a_turn_later() -> None:
    from tests.support.model_turns import act, claim, reading, scripted, step

    said = "오사카 3박 둘이"
    read = reading(
        "plan_trip", act(said, "order", "plan"), steps=[step("coordinator")],
        claims=[claim("destination", "오사카", "오사카"), claim("duration", 3, "3박"), claim("num_people", 2, "둘이")],
    )  # fmt: skip
    async with scripted(read, "좋아요. [P]") as (server, models):
        await Traveller(models=models).talk(said, "아니 4박")
    first, later = (str(server.requests[at]["messages"][-1]["content"]) for at in (0, 2))
    assert '<message id="m2">' in first
    assert f'<message id="m2" from="사용자">\n{said}' in later
