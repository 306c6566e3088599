"""What strangers ask and tell beside a plan: topics, texts that are written, and words that change nothing."""

from collections.abc import Mapping
from datetime import date
from typing import Any

import pytest

from madang.assistants.travel.data.facts import topics, topics_in
from madang.assistants.travel.tools.cards import items_in
from madang.assistants.travel.understanding.hearing import heard_on
from madang.assistants.travel.understanding.trip_days import find_trip_days
from tests.support.trips import Traveller, ran

TODAY = date(2026, 11, 18)


def answer(state: Mapping[str, Any]) -> str:
    return str(state["response"]["answer"])


@pytest.mark.parametrize(
    ("told", "days"),
    [
        ("1월 16일 토 들어가서 18일 월 나오는걸로", ("2027-01-16", "2027-01-18")),
        ("2월 5일 금부터 9일 화까지 삿포로", ("2027-02-05", "2027-02-09")),
        ("12월 26일~1월 3일 시드니", ("2026-12-26", "2027-01-03")),
        ("다음주 화수목 제주", ("2026-11-24", "2026-11-26")),
        ("They visit Mar 24 to Apr 1, 2027", ("2027-03-24", "2027-04-01")),
    ],
)
def test_a_way_there_and_back_is_a_trip(told: str, days: tuple[str, str]) -> None:
    found = find_trip_days(heard_on(told, TODAY), {}, TODAY)
    assert found is not None
    assert (found.start.isoformat(), found.end.isoformat()) == days


@pytest.mark.parametrize(
    "told", ["12월 7일~10일 출장이에요", "예산 300~400", "4월 5일에서 10일 사이면 좋아요", "09:00-11:00"]
)
def test_other_ranges_are_none(told: str) -> None:
    assert find_trip_days(heard_on(told, TODAY), {}, TODAY) is None


@pytest.mark.parametrize(
    "beside",
    [
        "여권이 2027년 3월 1일 만료인데 갈 수 있어요?",
        "눈폭풍으로 비행기 안 뜨면 12월 20일에 출근해야 하는데 대책 좀 알려주세요",
        "아들네 넷이 12일 하루만 와서 밥 먹고 간대요 어떡하죠",
    ],
)
async def test_dates_and_people_of_other_things_leave_the_plan(beside: str) -> None:
    talk = Traveller(today=TODAY)
    before = await talk.say("오사카 3박4일 12월 11일 출발 둘이 200만원 짜줘")
    state = await talk.say(beside)
    for name in ("depart_date", "duration", "num_people", "budget", "destination"):
        assert state[name] == before[name]
    assert state["final_plans"] == before["final_plans"]


async def test_people_that_were_not_told_are_assumed_openly() -> None:
    state = await Traveller(today=TODAY).say(
        "집사람 칠순이라 12월 10일에서 13일까지 제주에 가려 합니다. 무리 없이 짜주시겠습니까"
    )
    assert state["num_people"] is None
    assert state["assumptions"]["people"] == "2"
    assert "2명으로 가정했어요" in answer(state)


async def test_part_of_a_party_is_not_the_party() -> None:
    state = await Traveller(today=TODAY).say("친구 3명이랑 총 4명 오사카 2박3일 짜줘. 한명은 여권도 없음")
    assert state["num_people"] == 4
    assert "여권부터 만드세요" in answer(state)


async def test_a_dispute_comes_before_any_plan() -> None:
    talk = Traveller(today=TODAY)
    state = await talk.say("여행사 12월 5일 출발 다낭 패키지 480만원인데 애가 아파서 취소한다니까 30% 떼겠대 말이 되냐")
    assert "17일 전이라 **15%**(요금 4,800,000원이면 720,000원)" in answer(state)
    assert state["destination"] is None
    assert ran(state) == {"local_guide"}
    state = await talk.say("그럼 보낼 문자 써줘")
    assert "위약금 없는 환급을 요청합니다" in answer(state)


async def test_a_card_names_what_is_not_eaten_in_the_words_of_the_country() -> None:
    talk = Traveller(today=TODAY)
    await talk.say("다낭 3박4일 둘이 12월 4일 출발 짜줘")
    state = await talk.say("고수 빼달라고 베트남어로 어떻게 말해요?")
    assert "rau mùi" in answer(state)


async def test_a_group_beyond_ten_gets_each_ones_share() -> None:
    state = await Traveller(today=TODAY).say("동창 12명 타이베이 3박4일 2월 26일 금요일부터 3월 1일까지 짜줘요")
    assert "12명이면 약" in answer(state)
    assert "방이 6개" in answer(state)


async def test_a_stay_beyond_two_weeks_gets_costs_and_the_season() -> None:
    state = await Traveller(today=TODAY).say("3월에 치앙마이에서 한 달 살고 싶어요. 나 혼자 150만원 정도로요")
    assert "연기로 공기가 매우 나쁜 철" in answer(state)
    assert not state["final_plans"]


async def test_a_question_without_an_answer_is_named() -> None:
    talk = Traveller(today=TODAY)
    await talk.say("오사카 3박4일 둘이 200만원 짜줘")
    state = await talk.say("거기 고양이 카페 주인 이름이 뭐예요?")
    assert "제 자료에 없어 답하지 못했어요" in answer(state)


def test_words_over_a_blank_begin_where_a_word_does() -> None:
    assert [topic.id for topic in topics_in("좌석을 넓은 걸로 하면 허리에 나을까요")] == ["wide_seat"]


def test_every_topic_says_something() -> None:
    for topic in topics().values():
        assert topic.text or topic.by or topic.made_from, topic.id


async def test_what_is_left_out_is_not_put_in() -> None:
    talk = Traveller(today=TODAY)
    await talk.say("여수 1박2일 셋이 4월 2일 출발 짜줘")
    state = await talk.say("향일암은 계단이 많다던데 빼고 다른 데 넣어주세요")
    assert "향일암" not in state["must_visit_places"]
    assert all(place["name"] != "향일암" for day in state["itinerary"]["days"] for place in day["places"])


async def test_a_question_about_a_place_leaves_it_in_the_plan() -> None:
    talk = Traveller(today=TODAY)
    before = await talk.say("바르셀로나 4박5일 둘이 5월 9일 출발 짜줘")
    state = await talk.say("사그라다 파밀리아는 예약 언제부터 해야해요?")
    assert state["avoid"] == before["avoid"]
    assert state["itinerary"] == before["itinerary"]


async def test_a_day_near_the_city_is_told_with_its_way() -> None:
    talk = Traveller(today=TODAY)
    await talk.say("후쿠오카 2박3일 둘이 12월 24일 출발 짜줘")
    state = await talk.say("유후인도 가고싶은데 당일로 가능?")
    assert "2시간 15분" in answer(state)


def test_a_card_never_allows_what_someone_is_allergic_to() -> None:
    assert items_in("달걀은 괜찮은데 우유 알레르기가 있어요") == ["milk"]
    assert "egg_milk_ok" in items_in("채식인데 달걀과 우유는 먹어요")
