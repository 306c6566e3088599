"""Validation: the good fields pass, each bad one is named, nothing crashes and nothing is changed."""

import copy
import math
import sys
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any
from uuid import UUID

import pytest
from hypothesis import given
from langchain_core.messages import AIMessage, HumanMessage

from madang.errors import InvalidState
from madang.state.steps import new_step
from madang.state.validation import Limits, check_json, json_safe, require_valid, validate_update
from tests.support.declared import Plan, Sample
from tests.support.strategies import json_values, states_of

STEP = new_step("step_0", step_type="search", agent_name="search_team", team="search", task="검색", description="")


class Colour(StrEnum):
    RED = "red"


def circle() -> Any:
    value: list[Any] = []
    value.append({"again": value})
    return {"k": value}


def deep(levels: int) -> Any:
    value: Any = 1
    for _ in range(levels):
        value = {"x": value}
    return value


def laughs() -> Any:
    value: Any = ["ha"]
    for _ in range(60):
        value = [value, value]
    return {"k": value}


@pytest.mark.parametrize(
    ("field", "value", "where", "says"),
    [
        ("nights", "3", "nights", "a whole number"),
        ("nights", True, "nights", "a whole number"),
        ("nights", 3.0, "nights", "a whole number"),
        ("nights", 0, "nights", "1박 ~ 14박"),
        ("nights", 15, "nights", "1박 ~ 14박"),
        ("rate", math.nan, "rate", "finite"),
        ("rate", math.inf, "rate", "finite"),
        ("rate", True, "rate", "a number"),
        ("rate", "0.5", "rate", "a number"),
        ("phase", "cooking", "phase", "'planning' or 'done'"),
        ("tags", "a", "tags", "a list"),
        ("tags", ["a", 1], "tags[1]", "text"),
        ("tags", ("a",), "tags", "tuple"),
        ("plan", {"raw_query": "q", "steps": []}, "plan.owner_phone", "missing"),
        ("plan", {"raw_query": "q", "steps": [], "owner_phone": None, "zz": 1}, "plan.zz", "unknown field"),
        (
            "plan",
            {"raw_query": "q", "steps": [{**STEP, "status": "x"}], "owner_phone": None},
            "plan.steps[0].status",
            "'",
        ),
        ("part", {"steps": [{"step_id": 3}]}, "part.steps[0].step_id", "text"),
        ("next_agent", 5, "next_agent", "text"),
        ("extra", {"a.b": [{"x": math.nan}]}, r"extra.a\.b[0].x", "finite"),
        ("extra", {1: 2}, "extra", "text keys"),
        ("extra", {"f": print}, "extra.f", "a function"),
        ("extra", {"f": sys.stdin}, "extra.f", "can't be kept"),
        ("extra", {"t": datetime.now(UTC)}, "extra.t", "datetime"),
        ("extra", {"e": Colour.RED}, "extra.e", "enum"),
        ("extra", {"n": 2**64}, "extra.n", "64 bits"),
        ("extra", {"t": "\ud800"}, "extra.t", "UTF-8"),
        ("extra", {"t": "x" * 1_000_001}, "extra.t", "at most 1,000,000"),
        ("extra", circle(), "extra.k[0].again", "contains itself"),
        ("extra", laughs(), "extra.k", "too many"),
        ("messages", ["text"], "messages[0]", "{role, content}"),
        ("messages", [{"role": "pirate", "content": "a"}], "messages[0]", "not a message"),
        ("messages", [{"role": "user", "content": 5}], "messages[0]", "not a message"),
        ("nihgts", 3, "nihgts", "did you mean nights"),
        (3, 3, "3", "unknown field"),
    ],
)
def test_a_bad_field_is_named_and_the_good_are_kept(field: Any, value: Any, where: str, says: str) -> None:
    good, problems = validate_update(
        Sample, {"session_id": "s", field: value, "rate" if field != "rate" else "tags": _ok(field)}
    )
    assert field not in good
    assert good["session_id"] == "s"
    assert len(good) == 2
    assert problems[0].field.startswith(where)
    assert says in str(problems[0])


def _ok(field: Any) -> Any:
    return 0.5 if field != "rate" else ["a"]


def test_depth_has_a_limit() -> None:
    assert check_json(deep(60)) is None
    problem = check_json(deep(70))
    assert problem is not None
    assert "nested" in problem.reason
    very_deep = deep(100_000)
    assert validate_update(Sample, {"extra": very_deep})[1][0].allowed == "at most 64 levels"
    while isinstance(very_deep, dict):
        very_deep = very_deep.pop("x")


@pytest.mark.parametrize(
    ("value", "where"),
    [
        ({"a": {"b": [{"c.d": math.nan}]}}, r"a.b[0].c\.d"),
        ([[math.nan]], "[0][0]"),
        ([HumanMessage("안녕"), AIMessage("네", additional_kwargs={"f": print})], "[1].additional_kwargs.f"),
        ([HumanMessage(str(n)) for n in range(50)] + [[math.nan]], "[50][0]"),
    ],
)
def test_the_place_is_named(value: Any, where: str) -> None:
    problem = check_json(value)
    assert problem is not None
    assert problem.field == where


def test_limits_can_be_set() -> None:
    assert check_json(["abc"], limits=Limits(text=2)) is not None
    assert check_json([[1]], limits=Limits(depth=0)) is not None
    assert check_json([1, 2, 3], limits=Limits(values=3)) is not None


def test_what_is_given_comes_back() -> None:
    update = {
        "session_id": "s",
        "rate": 3,
        "nights": None,
        "next_agent": ["a", "b"],
        "plan": {"raw_query": "q", "steps": [STEP], "owner_phone": None},
        "messages": [HumanMessage("안녕"), {"role": "assistant", "content": "네"}],
    }
    before = copy.deepcopy(update)
    assert require_valid(Sample, update) == update
    assert update == before
    assert validate_update(Sample, {"messages": AIMessage("혼자")})[0]["messages"] == [AIMessage("혼자")]


def test_where_a_reducer_merges_a_part_may_be_written() -> None:
    assert validate_update(Sample, {"part": {"raw_query": "q"}, "steps": [{"step_id": "step_0"}]})[1] == []
    assert validate_update(Sample, {"plan": {"raw_query": "q"}})[1] != []


def test_only_allowed_fields_may_be_written() -> None:
    good, problems = validate_update(Sample, {"rate": 0.5, "tags": ["a"]}, allow=["rate"])
    assert good == {"rate": 0.5}
    assert [problem.field for problem in problems] == ["tags"]


@pytest.mark.parametrize("update", [None, 5, "text", [("a", 1)]])
def test_an_update_that_is_none(update: Any) -> None:
    assert validate_update(Sample, update)[0] == {}
    with pytest.raises(InvalidState):
        require_valid(Sample, update)


def test_every_problem_is_raised_together_and_sensitive_values_are_not_shown() -> None:
    with pytest.raises(InvalidState) as caught:
        require_valid(Sample, {"user_id": "900101-1234567", "rate": "x"})
    assert [problem.field for problem in caught.value.problems] == ["user_id", "rate"]
    assert "900101" not in str(caught.value)


@given(json_values())
def test_any_json_is_plain(value: Any) -> None:
    assert check_json(value) is None
    assert json_safe(value) == value


@given(json_values())
def test_no_json_crashes_it(value: Any) -> None:
    good, problems = validate_update(Sample, dict.fromkeys(Sample.__annotations__, value))
    assert len(good) + len({problem.field.partition(".")[0].partition("[")[0] for problem in problems}) == 14


@given(states_of(Sample), states_of(Plan, total=False))
def test_generated_states_are_valid(state: Any, plan: Any) -> None:
    assert require_valid(Sample, state) == state
    assert require_valid(Plan, plan) == plan


def test_json_safe_converts_what_has_a_json_form() -> None:
    value = {1: (1, 2), "when": datetime(2026, 1, 2, tzinfo=UTC), "e": Colour.RED, "id": UUID(int=1), "s": {"b", "a"}}
    assert json_safe(value) == {
        "1": [1, 2],
        "when": "2026-01-02T00:00:00+00:00",
        "e": "red",
        "id": "00000000-0000-0000-0000-000000000001",
        "s": ["a", "b"],
    }
    assert json_safe([HumanMessage("안녕", id="m1")]) == [{"role": "user", "content": "안녕", "id": "m1"}]


@pytest.mark.parametrize("value", [print, math.nan, circle(), laughs(), object()])
def test_json_safe_refuses_the_rest(value: Any) -> None:
    with pytest.raises(InvalidState):
        json_safe(value)
