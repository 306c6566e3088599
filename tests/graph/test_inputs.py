"""What an assistant can be told directly: declared, checked, and run without a message."""

from typing import Any

import pytest

from madang.graph.inputs import TASK, Input, check_form, form_schema, won
from madang.state.fields import Range
from tests.support.trip_assistant import FORM, Talk, statuses


def test_the_form_is_json_schema_with_the_task_first() -> None:
    schema = form_schema(FORM, {"plan": "여행 짜기"})
    assert list(schema["properties"]) == [TASK, "city", "nights", "budget"]
    assert schema["properties"][TASK]["oneOf"] == [{"const": "plan", "title": "여행 짜기"}]
    nights = schema["properties"]["nights"]
    assert (nights["type"], nights["minimum"], nights["maximum"], nights["x-unit"]) == ("integer", 1, 14, "박")


@pytest.mark.parametrize(
    ("given", "bad"),
    [
        ({"nights": 0}, ["nights"]),
        ({"nights": "3"}, ["nights"]),
        ({"nights": True}, ["nights"]),
        ({"planet": "mars", "city": 3}, ["planet", "city"]),
        ({"task": "fly"}, ["task"]),
        ({"city": "오사카", "nights": 14, "budget": 0, "task": "plan"}, []),
        ({"city": None, "task": None}, []),
    ],
)
def test_each_value_that_does_not_fit_is_named(given: dict[str, Any], bad: list[str]) -> None:
    good, problems = check_form(FORM, {"plan": "여행 짜기"}, given)
    assert [problem.field for problem in problems] == bad
    assert good.keys() == given.keys() - set(bad)


def test_several_values_and_choices() -> None:
    styles = Input(path="styles", title="취향", kind="choice", choices=(("food", "맛집"), ("rest", "휴양")), many=True)
    assert check_form([styles], {}, {"styles": ["food", "rest"]})[1] == []
    assert check_form([styles], {}, {"styles": ["sleep"]})[1][0].field == "styles"
    assert check_form([styles], {}, {"styles": "food"})[1][0].field == "styles"
    assert styles.shown(["food", "rest"]) == "맛집, 휴양"
    assert Input(path="rate", title="금리", kind="rate", unit="%", limits=Range(0)).shown(4.5) == "4.5%"


@pytest.mark.parametrize(
    ("amount", "text"),
    [(0, "0원"), (9_500, "9,500원"), (430_000_000, "4억 3,000만원"), (10_000, "1만원"), (100_005_000, "1억 5,000원")],
)
def test_sums_as_people_write_them(amount: int, text: str) -> None:
    assert won(amount) == text


async def test_a_form_plans_without_a_word_and_later_redoes_only_what_depends_on_it() -> None:
    talk = Talk()
    first = await talk.say("", form_input={"city": "오사카", "nights": 3})
    assert first["response"]["answer"].startswith("합계 2000")
    assert {claim["field"]: claim["by"] for claim in first["reading"]["claims"]} == {"city": "form", "nights": "form"}
    assert first["response"]["structured_data"]["read"][1]["text"] == "숙박 3박"
    second = await talk.say("", form_input={"budget": 500})
    assert statuses(second) == {"flight": "kept", "hotel": "kept", "itinerary": "kept", "money": "completed"}
    assert (second["city"], second["budget"]) == ("오사카", 500)


async def test_null_clears_a_field() -> None:
    talk = Talk()
    await talk.say("", form_input={"city": "오사카", "nights": 3})
    cleared = await talk.say("", form_input={"city": None})
    assert cleared["city"] is None
    assert cleared["response"]["type"] == "clarification"


async def test_a_question_that_waits_for_a_field_is_answered_by_setting_it() -> None:
    talk = Talk()
    state = await talk.say("", form_input={"city": "오사카"}, pending={"kind": "slot", "names": ["city"]})
    assert state["pending"] is None
    state = await talk.say("", form_input={"nights": 2}, pending={"kind": "slot", "names": ["city", "nights"]})
    assert state["pending"] is not None
