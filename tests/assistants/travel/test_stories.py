"""Messages that are more than a request for a trip: nothing is planned of them, what has no answer is named."""

from collections.abc import Mapping
from datetime import date
from typing import Any

import pytest

from madang.assistants.travel.understanding.hearing import heard_on
from madang.assistants.travel.understanding.plain_requests import is_plain
from madang.graph.danger import sounds_dangerous
from tests.support.trips import Traveller, ran

TODAY = date(2026, 11, 18)
STORY = (
    "시누이가 이번에 퇴직하면서 다 같이 어디라도 다녀오자는데 저는 솔직히 내키지 않거든요. 예전에 교토에서 4박 하면서 "
    "크게 다퉜던 기억이 자꾸 떠올라서 제가 예민한 걸까요?"
)


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
    state = await Traveller(today=TODAY).say(STORY)
    assert not state["final_plans"]
    assert state["destination"] is None
    assert state["duration"] is None
    assert "제가 예민한 걸까요?" in answer(state)
    assert "함께 적어 주신 다른 내용도" in answer(state)


async def test_a_story_leaves_the_plan_as_it_is() -> None:
    talk = Traveller(today=TODAY)
    before = await talk.say("오사카 3박4일 둘이 200만원")
    state = await talk.say(STORY)
    assert state["final_plans"] == before["final_plans"]
    assert (state["destination"], state["duration"]) == ("오사카", 3)
    assert "coordinator" not in ran(state)
    assert "계획은 그대로" in answer(state)


async def test_what_a_story_says_for_sure_is_kept_and_a_plan_is_offered() -> None:
    talk = Traveller(today=TODAY)
    state = await talk.say(
        "제주도 2박3일 가보려고 합니다. 12월 12일 토요일 출발이고요. 아이가 물고기를 무척 좋아하는데 줄 서는 것을 "
        "힘들어하고 손 말리는 기계 소리를 무서워해요."
    )
    assert (state["destination"], state["duration"], state["depart_date"]) == ("제주", 2, "2026-12-12")
    assert not state["final_plans"]
    assert "계획을 짜 볼까요?" in answer(state)


async def test_english_gets_english() -> None:
    state = await Traveller(today=TODAY).say(
        "My cousin twisted her ankle yesterday and her landlord keeps the passports in a drawer, is that even legal?"
    )
    assert "can't answer this reliably" in answer(state) or "did not understand" in answer(state)
    assert "넣지" not in answer(state)


async def test_a_figure_of_a_day_is_no_child() -> None:
    state = await Traveller(today=TODAY).say("수험표 할인 있음? 글고 생일인 애 12/5 깜짝파티 해주고싶")
    assert not state["children"]


@pytest.mark.parametrize(
    "message",
    [
        "엄마가 땅콩 못 드신다 알레르기래요",
        "형이 꽃가루 알레르기가 있어요",
        "동생은 고양이 알레르기 있음",
    ],
)
async def test_an_allergy_to_what_is_not_eaten_is_no_matter_of_food(message: str) -> None:
    state = await Traveller(today=TODAY).say(f"오사카 3박4일 둘이. {message}")
    assert not [said for said in state["diet"] or () if said.endswith("알레르기")]


async def test_what_is_said_not_to_be_so_is_no_need() -> None:
    state = await Traveller(today=TODAY).say("오사카 3박4일 둘이. 휠체어까지는 아니고 지팡이만 짚으세요")
    assert "휠체어" not in (state["access"] or ())


async def test_a_letter_to_someone_changes_no_plan() -> None:
    talk = Traveller(today=TODAY)
    before = await talk.say("오사카 3박4일 둘이 200만원")
    state = await talk.say("호텔에 보낼 메일 하나 써줘. 12/20부터 5박이고 성인 1명")
    assert state["final_plans"] == before["final_plans"]
    assert state["duration"] == 3
    assert "coordinator" not in ran(state)


@pytest.mark.parametrize("message", ["준비할 일을 월별로 한 장으로 적어 주세요", "동선이랑 카페를 한페이지로 정리해줘"])
async def test_an_emergency_sheet_is_made_only_where_it_is_named(message: str) -> None:
    assert "비상 때 한 장" not in answer(await Traveller(today=TODAY).say(message))
    assert "비상 때 한 장" in answer(await Traveller(today=TODAY).say("비상시에 볼 연락처를 한 장으로 적어 주세요"))


def test_a_wheelchair_is_no_danger_and_violence_is() -> None:
    story = (
        "전동휠체어를 타고 동생과 12월에 부산에 가려는데 무엇을 타고 다녀야 하는지 모르겠습니다. 예전에 화장실 문이 "
        "좁아서 그냥 돌아온 적이 있습니다."
    )
    assert all(act["kind"] != "danger" for act in heard_on(story, TODAY).acts)
    assert any(act["kind"] == "danger" for act in heard_on(f"{story} 남편이 저를 때렸어요", TODAY).acts)


async def test_a_visa_is_asked_about_a_country() -> None:
    assert "자료에 없어요" not in answer(
        await Traveller(today=TODAY).say("여행사가 비자비를 더 내라는데 이거 내야되나")
    )
    assert "90일까지 비자가 필요 없어요" in answer(await Traveller(today=TODAY).say("대만 가는데 비자 필요해요?"))


def test_a_danger_is_named_or_hinted_at_in_words() -> None:
    assert sounds_dangerous("무서운 사람이 따라와요")
    assert not sounds_dangerous("욕실 문이 좁았습니다")
