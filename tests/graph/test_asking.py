"""Questions and approvals: a step never interrupts, its siblings are never lost."""

from typing import Any

import pytest

from madang.graph import Ask, Context, NeedsInput, agent
from madang.graph.questions import choose, in_words, read_answer, read_approval
from madang.graph.state import Question
from tests.support.trip_assistant import Flights, Hotels, Talk, replaced, statuses, trip_assistant


async def test_a_question_before_any_step_ends_the_turn() -> None:
    state = await Talk().say("안녕")
    assert state["response"]["type"] == "clarification"
    assert state["execution_steps"] == []
    assert [m.type for m in state["messages"]] == ["human", "ai"]


async def test_siblings_finish_before_the_user_is_asked_and_are_not_run_again() -> None:
    talk = Talk()
    talk.services.asks = {"itinerary"}
    asked = await talk.say("오사카 3")
    [pending] = asked["__interrupt__"]
    assert pending.value["kind"] == "approval"
    assert pending.value["draft"] == {"days": 3}
    assert statuses(asked) == {
        "flight": "completed",
        "hotel": "completed",
        "itinerary": "in_progress",
        "money": "pending",
    }
    done = await talk.resume({"decision": "approve"})
    assert talk.called == {"itinerary": 1, "money": 1}
    assert set(statuses(done).values()) == {"completed"}


async def test_an_abandoned_question_loses_no_siblings() -> None:
    talk = Talk()
    talk.services.asks = {"itinerary"}
    await talk.say("오사카 3")
    talk.services.asks = set()
    state = await talk.say("오사카 3")
    assert talk.called == {"itinerary": 1, "money": 1}
    assert statuses(state)["flight"] == "kept"


async def test_several_questions_are_answered_one_by_one_by_id() -> None:
    def asking(name: str) -> NeedsInput:
        return NeedsInput(questions=(Ask(id="which", question=f"{name}?", choices=("가", "나")),))

    @agent(task="항공 검색")
    async def flight(city: str, ctx: Context) -> Flights | NeedsInput:
        return {"flights": [ctx.answers["which"]]} if "which" in ctx.answers else asking(city)

    @agent(task="호텔 검색")
    async def hotel(city: str, ctx: Context) -> Hotels | NeedsInput:
        return {"hotels": [ctx.answers["which"]]} if "which" in ctx.answers else asking(city)

    talk = Talk(trip_assistant(agents=[*replaced(flight)[:1], hotel, *replaced(flight)[3:]]))
    asked = await talk.say("오사카 3")
    first, second = asked["__interrupt__"]
    still = await talk.resume({first.id: "가"})
    assert [i.id for i in still["__interrupt__"]] == [second.id]
    done = await talk.resume({second.id: "나"})
    assert done["flights"] == ["가"]
    assert done["results"]["search"]["hotels"] == ["나"]


def question(**changes: Any) -> Question:
    base: dict[str, Any] = {"id": "q", "kind": "clarification", "question": "?", "choices": [], "draft": None}
    base |= {"step_id": "step_0", "field": None, "answered": False, "answer": None}
    return {**base, **changes}  # type: ignore[typeddict-item]


@pytest.mark.parametrize(
    ("choices", "text", "chosen"),
    [
        (["전체", "우리 팀"], "우리팀", "우리 팀"),
        (["전체", "우리 팀"], "2번", "우리 팀"),
        (["전체", "우리 팀"], "우리 팀으로 해주세요", "우리 팀"),
        (["전체", "우리 팀"], "둘째", "우리 팀"),
        (["전체", "우리 팀"], "두 번째 걸로 할게요", "우리 팀"),
        (["전체", "우리 팀"], "첫 번째요", "전체"),
        (["전체", "우리 팀", "회사"], "마지막 거로 해줘", "회사"),
        (["전체", "우리 팀"], "second one", "우리 팀"),
        (["전체", "우리 팀"], "셋째", None),
        (["전체", "우리 팀"], "두 번째 질문은 뭐였죠", None),
        (["전체", "우리 팀"], "3", None),
        (["전체", "우리 팀"], "부산", None),
        ([], "1", None),
    ],
)
def test_choices_by_word_and_number(choices: list[str], text: str, chosen: str | None) -> None:
    assert choose(choices, text) == chosen


@pytest.mark.parametrize(
    ("text", "decision"),
    [("네 좋아요", "approve"), ("승인", "approve"), ("아니요 취소할게요", "reject"), ("보증금을 수정해줘", "modify")],
)
def test_approvals_in_words(text: str, decision: str) -> None:
    answer = read_approval(text)
    assert answer is not None
    assert answer["decision"] == decision


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        ({"fields": {"deposit": 1}, "said": "보증금 1원"}, "보증금 1원"),
        ({"fields": {"deposit": 1}, "note": "나머지는 나중에"}, "deposit 1, 나머지는 나중에"),
        ({"decision": "modify", "changes": {"rent": 2}, "note": "", "said": "월세 2원"}, "수정: 월세 2원"),
        ({"decision": "approve", "note": ""}, "승인"),
    ],
)
def test_what_a_form_answers_is_kept_in_words(answer: Any, words: str) -> None:
    assert in_words(answer) == words


@pytest.mark.parametrize("text", ["", "   ", "마포구 시세 알려줘", "그게 뭐야?"])
def test_a_new_message_is_not_taken_for_an_answer(text: str) -> None:
    assert read_answer(question(), text) is None
    assert read_answer(question(kind="approval"), text) is None
