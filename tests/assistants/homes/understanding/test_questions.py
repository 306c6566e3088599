"""What a message asks, and what of it was told: from labelled examples, so judged by what it means for the reader."""

from typing import Any

import pytest

from madang.assistants.homes.understanding.form import FORM, TASKS, inputs_from
from madang.assistants.homes.understanding.hearing import message_of, reader
from madang.assistants.homes.understanding.questions import asked_in, told_in
from madang.graph.acts import hear
from madang.graph.reading import Heard
from tests.support.homes import TODAY, Talk, response, sources

STORY = (
    "보증금 3000에 월 80이고 계약은 내년 4월 30일까지인데 세입자가 9월부터 한 푼도 안 넣어요. 벌써 세 번이죠. "
    "답답해서 현관 비번을 바꿔버릴까 싶은데 그래도 됩니까?"
)


def heard(text: str) -> Heard:
    return hear(message_of(text, TODAY), reader())


def test_a_question_at_the_end_of_a_story_has_what_was_told_for_it() -> None:
    [asked] = asked_in(heard(STORY))
    assert asked.kind == "ask_whether"
    assert any("비번" in clause for clause in asked.told)
    assert "됩니까" in asked.text


def test_two_questions_are_two() -> None:
    asked = asked_in(heard("해지 통보를 문자로 해도 되나요? 그리고 수리비는 누가 내나요?"))
    assert ["문자" in one.text for one in asked] == [True, False]


def test_what_is_told_is_not_what_is_asked() -> None:
    assert told_in(heard("집주인이 보증금을 안 돌려줘요. 어떻게 해야 하나요?")) == ["집주인이 보증금을 안 돌려줘요."]


async def test_numbers_of_a_story_start_no_calculation() -> None:
    state = await Talk().say(STORY)
    assert not state.get("figure_requests")
    assert {"민법 제640조", "민법 제750조"} <= set(sources(state))
    assert "비밀번호" in response(state)["answer"]
    assert "전환" not in response(state)["answer"]


async def test_each_question_of_law_is_handed_on_by_itself() -> None:
    state = await Talk().say("해지 통보를 문자로 해도 되나요? 그리고 보일러 수리비는 누가 내나요?")
    questions = state["legal_questions"]
    assert len(questions) == 2
    assert all(item["answers"] for item in state["team_results"]["search"]["legal_search"])
    assert "민법 제623조" in sources(state)
    # Each is answered, or named by its own words.
    answer = response(state)["answer"]
    assert "문자" in answer
    assert "집주인이 고쳐야" in answer or "집주인이 다 내요" in answer


async def test_what_was_read_is_said_back_and_kept() -> None:
    state = await Talk().say("보증금 5000만원에 월세 60만원인데 집주인이 보일러를 안 고쳐줘요 어떻게 하죠?")
    assert (state["deposit"], state["monthly_rent"]) == (50_000_000, 600_000)
    read = {item["field"] for item in response(state)["structured_data"]["read"]}
    assert {"deposit", "monthly_rent"} <= read


async def test_a_shop_stays_a_shop() -> None:
    talk = Talk()
    await talk.say("가게 월세가 두 달 밀렸는데 나가래요")
    state = await talk.say("갱신은 총 몇 년까지 요구할 수 있어요?")
    assert state["lease_kind"] == "shop"
    assert sources(state)[0].startswith("상가건물 임대차보호법")


async def test_an_english_question_gets_an_english_frame() -> None:
    state = await Talk().say(
        "My landlord won't return my deposit. He says he will pay when a new tenant comes. Is that legal?"
    )
    assert state["language"] == "en"
    assert "### Notes" in response(state)["answer"] or "_Law: " in response(state)["answer"]


@pytest.mark.parametrize("name", [name for name in TASKS if name not in ("law", "letter")])
def test_every_task_of_the_form_is_served_by_inputs(name: str) -> None:
    assert any(name in one.serves for one in FORM) or name in ("jeonse_risk", "shop_scope", "roi", "rent_to_deposit")


def test_a_calculator_takes_its_inputs_from_the_form() -> None:
    state: dict[str, Any] = {"lease_facts": {"loan": 300_000_000, "rate": 4.0, "years": 30}}
    assert inputs_from("loan_payment", state) == {"principal": 300_000_000, "annual_rate": "0.04", "years": 30}
