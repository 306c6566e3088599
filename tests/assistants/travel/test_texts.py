"""Texts and lists that are asked for: filled in with what the conversation has told, blank where it has not."""

from collections.abc import Mapping
from datetime import date
from typing import Any

import pytest

from madang.assistants.travel.understanding.told_facts import told_facts
from tests.support.trips import Traveller

TODAY = date(2026, 11, 18)


def answer(state: Mapping[str, Any]) -> str:
    return str(state["response"]["answer"])


@pytest.mark.parametrize(
    ("said", "told"),
    [
        (
            ["1/14(목) 인천출발 1/24(일) 도착이에요"],
            {"depart": date(2027, 1, 14), "until": date(2027, 1, 24), "nights": 10},
        ),
        (
            ["동창 열두명이 12월 5일 통영 1박 가요", "회비는 11월 27일까지"],
            {"depart": date(2026, 12, 5), "people": 12, "nights": 1},
        ),
        (["제주로 가요", "아니 괌으로 할게요"], {"cities": ["괌"]}),
        (["인천에서 출발해요"], {}),
    ],
)
def test_the_latest_clear_value_is_told(said: list[str], told: dict[str, object]) -> None:
    facts = told_facts(said, TODAY)
    assert {name: facts.get(name) for name in told} == told
    assert ("cities" in facts) == ("cities" in told or "통영" in said[0])


def test_people_counted_twice_are_unclear() -> None:
    assert "people" in told_facts(["3명이나 5명이 갈 것 같아요"], TODAY)["unclear"]


async def test_a_text_has_the_days_that_were_told_and_blanks_for_the_rest() -> None:
    state = await Traveller(today=TODAY).say(
        "숙소에 강아지 데려가도 되는지 물어볼 문자 써줘요. 12월 27일부터 5박이에요"
    )
    said = answer(state)
    assert "12월 27일(일)부터 5박" in said
    assert "몸무게 ______kg" in said


async def test_what_to_do_before_leaving_is_listed_by_date() -> None:
    traveler = Traveller(today=TODAY)
    await traveler.say("여권을 새로 만들어야 하나요? 3월 20일에 오사카로 떠나요")
    said = answer(await traveler.say("그럼 출발 전까지 할 일을 날짜순으로 정리해 주세요"))
    assert "3월 13일(토)까지**: Visit Japan Web" in said
    assert said.index("여권의 남은 기간") < said.index("Visit Japan Web") < said.index("출발 3시간 전까지 공항")


async def test_a_question_is_not_answered_with_where_to_begin() -> None:
    said = answer(await Traveller(today=TODAY).say("할인되는 거 있능가 나 칠십하나여"))
    assert "만 65세 이상" in said
    assert "어디로 여행 가고 싶으세요" not in said


async def test_a_plan_goes_where_the_conversation_was() -> None:
    traveler = Traveller(today=TODAY)
    await traveler.say("괌은 비자 없이 되나요?")
    assert "괌 4박5일" in answer(await traveler.say("4박 5일 둘이 일정 짜주세요"))
