"""Messages that are more than a request for a trip: nothing is planned of them, what has no answer is named."""

from collections.abc import Mapping
from datetime import date
from typing import Any

import pytest

from madang.assistants.travel.understanding.hearing import heard_on
from madang.assistants.travel.understanding.plain_requests import is_plain
from tests.support.trips import Traveller, ran

TODAY = date(2026, 11, 18)
STORY = (
    "시누이가 이번에 퇴직하면서 다 같이 어디라도 다녀오자는데 저는 솔직히 내키지 않거든요. 예전에 교토에서 4박 하면서 "
    "크게 다퉜던 기억이 자꾸 떠올라서 제가 예민한 걸까요?"
)


def traveller() -> Traveller:
    talk = Traveller()
    talk.today = TODAY
    return talk


def answer(state: Mapping[str, Any]) -> str:
    return str(state["response"]["answer"])


@pytest.mark.parametrize(
    ("message", "plain"),
    [
        ("오사카 3박4일 둘이 200만원, 맛집 위주로", True),
        ("도톤보리는 빼줘", True),
        ("make it 4 nights instead", True),
        ("오사카 3박4일 갈 건데 장모님이 지난달에 넘어지셔서 깁스를 하셨고 처남은 연락도 없네요", False),
        (STORY, False),
    ],
)
def test_a_request_is_told_from_a_story(message: str, plain: bool) -> None:
    assert is_plain(heard_on(message, TODAY)) is plain


async def test_a_story_makes_no_trip_and_its_question_is_named() -> None:
    state = await traveller().say(STORY)
    assert not state["final_plans"]
    assert state["destination"] is None
    assert state["duration"] is None
    assert "제가 예민한 걸까요?" in answer(state)
    assert "함께 적어 주신 다른 내용도" in answer(state)


async def test_a_story_leaves_the_plan_as_it_is() -> None:
    talk = traveller()
    before = await talk.say("오사카 3박4일 둘이 200만원")
    state = await talk.say(STORY)
    assert state["final_plans"] == before["final_plans"]
    assert (state["destination"], state["duration"]) == ("오사카", 3)
    assert "coordinator" not in ran(state)
    assert "계획은 그대로" in answer(state)


async def test_what_a_story_says_for_sure_is_kept_and_a_plan_is_offered() -> None:
    talk = traveller()
    state = await talk.say(
        "제주도 2박3일 가보려고 합니다. 12월 12일 토요일 출발이고요. 아이가 물고기를 무척 좋아하는데 줄 서는 것을 "
        "힘들어하고 손 말리는 기계 소리를 무서워해요."
    )
    assert (state["destination"], state["duration"], state["depart_date"]) == ("제주", 2, "2026-12-12")
    assert not state["final_plans"]
    assert "계획을 짜 볼까요?" in answer(state)


async def test_english_gets_english() -> None:
    state = await traveller().say(
        "My cousin twisted her ankle yesterday and her landlord keeps the passports in a drawer, is that even legal?"
    )
    assert "can't answer this reliably" in answer(state) or "did not understand" in answer(state)
    assert "넣지" not in answer(state)


async def test_a_figure_of_a_day_is_no_child() -> None:
    state = await traveller().say("수험표 할인 있음? 글고 생일인 애 12/5 깜짝파티 해주고싶")
    assert not state["children"]
