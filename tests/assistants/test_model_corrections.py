"""What a model says was taken back, answered or said again: fields, open questions, days, help in danger, sources."""

from typing import Any

from tests.support import homes, trips
from tests.support.model_turns import act, claim, reading, scripted, step

PLAIN = "네, 알겠어요. [G]"


async def converse(*turns: tuple[str, dict[str, Any]]) -> dict[str, Any]:
    async with scripted([read for _, read in turns], PLAIN) as (_, models):
        traveller = trips.Traveller(models=models)
        for text, _ in turns:
            state = await traveller.say(text)
    return state


def told(text: str, *claims: dict[str, Any], **more: Any) -> tuple[str, dict[str, Any]]:
    return text, reading("collect_needs", act(text, "tell", "plan_trip"), claims=list(claims), **more)


async def test_a_wish_that_is_taken_back_does_not_stay() -> None:
    first = told(
        "코끼리도 타고 야시장도 가고 싶어", claim("wishes", ["코끼리 타기", "야시장"], "코끼리도 타고 야시장도")
    )
    kept = claim("wishes", ["야시장"], "야시장도", "m1")
    state = await converse(first, told("코끼리는 됐어", kept, cleared=["wishes"]))
    assert state["wishes"] == ["야시장"]


async def test_a_wish_that_is_added_joins_the_others() -> None:
    first = told("야시장 가고 싶어", claim("wishes", ["야시장"], "야시장"))
    state = await converse(first, told("마사지도", claim("wishes", ["마사지"], "마사지")))
    assert state["wishes"] == ["야시장", "마사지"]


async def test_a_budget_that_is_taken_back_does_not_come_back() -> None:
    first = told("둘이 1인당 90만원", claim("num_people", 2, "둘이"), claim("budget_per_person", 900_000, "90만원"))
    state = await converse(first, told("예산은 없던 걸로", cleared=["budget"]))
    assert state.get("budget") is None
    assert state["num_people"] == 2


async def test_a_weekday_is_of_the_trip_and_is_not_worked_out_again() -> None:
    text = "12월 9일 수요일에 가서 금요일에 와"
    days = [claim("depart_date", "2026-12-09", "12월 9일"), claim("return_date", "2026-12-11", "금요일")]
    state = await converse(told(text, *days))
    assert (state["depart_date"], state["return_date"], state["duration"]) == ("2026-12-09", "2026-12-11", 2)


async def test_a_question_that_was_answered_is_not_open_any_more() -> None:
    question = {"field": "num_people", "question": "몇 분이 가세요?", "choices": []}
    first = told(
        "오사카 3박 12월 20일", claim("destination", "오사카", "오사카"), claim("duration", 3, "3박"), ask=question
    )
    asked = await converse(first)
    assert asked["pending"]["names"] == ["num_people"]
    answered = told("두 명이고 유심은 뭐가 좋아?", claim("num_people", 2, "두 명"))
    state = await converse(first, answered)
    assert "num_people" not in ((state.get("pending") or {}).get("names") or ())


async def test_help_is_of_the_kind_of_the_danger_that_was_told() -> None:
    text = "아랫집이 문을 부수겠다고 해요. 그리고 지난달 가스 점검 때 사고 난 보일러 수리비는 누가 내요?"
    acts = [act("아랫집이 문을 부수겠다고 해요.", "danger", "law"), act("수리비는 누가 내요?", "ask_whether", "law")]
    async with scripted(reading("legal_consult", *acts, steps=[step("legal_search")]), PLAIN) as (_, models):
        state = await homes.Talk(models=models).say(text)
    first = state["final_response"]["answer"].split("\n\n")[0]
    assert "112" in first
    assert "119" not in first


async def test_the_sources_below_an_answer_are_those_it_rests_on() -> None:
    read = reading(
        "legal_consult", act("보일러 고장은 누가 고쳐요?", "ask_whether", "law"), steps=[step("legal_search")],
        queries=["보일러 수리 의무"],
    )  # fmt: skip
    said = "집주인이 고쳐 줄 의무가 있어요(민법 제623조). [G]\n문자로 남겨 두세요. [G]"
    async with scripted(read, said) as (_, models):
        korean = await homes.Talk(models=models).say("보일러 고장은 누가 고쳐요?")
    line = next(part for part in korean["final_response"]["answer"].split("\n\n") if part.startswith("근거:"))
    assert line == "근거: 민법 제623조"


async def test_the_sources_below_an_english_answer_are_in_english() -> None:
    text = "Who repairs a broken boiler?"
    read = reading(
        "legal_consult", act(text, "ask_whether", "law"), steps=[step("legal_search")], queries=["보일러 수리 의무"]
    )
    said = "The landlord has to repair it (민법 제623조) so please write to the landlord today. [F2]"
    async with scripted({**read, "language": "en"}, said) as (_, models):
        state = await homes.Talk(models=models).say(text)
    answer = state["final_response"]["answer"]
    assert "Sources: " in answer
    assert "Civil Act Art. 623" in answer
    assert "근거:" not in answer


async def test_a_question_in_english_is_answered_in_english_and_nothing_of_ours_stands_before_it() -> None:
    text = "My deposit is 200 million won and the landlord wants 8% more. What is the most?"
    figure = {"calculator": "increase_cap", "inputs": [{"name": "deposit", "value": 200_000_000}]}
    read = reading(
        "legal_consult", act(text, "ask_how_much", "increase_cap"),
        claims=[claim("deposit", 200_000_000, "200 million won")], steps=[step("calculation", figures=[figure])],
    )  # fmt: skip
    said = "It can go up to 210,000,000 won at most. [F1]\nThe new deposit would be 250,000,000 won. [F1]"
    async with scripted({**read, "language": "en-US"}, said) as (_, models):
        state = await homes.Talk(models=models).say(text)
    answer = state["final_response"]["answer"]
    assert answer.startswith("It can go up to 210,000,000 won")
    assert "250,000,000" not in answer, "a figure that was made up"
    words = answer.split("\n\n")[0]
    assert not any("가" <= char <= "힣" for char in words), "no sentence of ours in another language"
