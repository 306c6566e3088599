"""Reducers: pure, and with the algebra that each claims."""

import copy
import pickle
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from madang.errors import InvalidInput
from madang.state import reducers as r
from madang.state.steps import STEP_STATUSES, TERMINAL_STEPS
from tests.support.strategies import KEYS, SCALARS, json_values

LISTS = st.lists(json_values(4), max_size=4)
DICTS = st.dictionaries(KEYS, json_values(3), max_size=4)
NESTED = st.dictionaries(st.sampled_from("ab"), st.dictionaries(st.sampled_from("xy"), SCALARS), max_size=2)
ITEMS = st.lists(
    st.fixed_dictionaries({"id": st.sampled_from("abc")}, optional={"x": SCALARS, "y": SCALARS}), max_size=4
)
STEPS = st.lists(
    st.fixed_dictionaries(
        {"step_id": st.sampled_from(["step_0", "step_1", "step_2"])},
        optional={
            "status": st.sampled_from(STEP_STATUSES),
            "progress_percentage": st.integers(0, 100),
            "started_at": st.sampled_from([None, "t1", "t2"]),
            "completed_at": st.sampled_from([None, "t3"]),
            "result": st.sampled_from([None, {"n": 1}]),
            "attempts": st.integers(1, 3),
        },
    ),
    max_size=4,
)

ASSOCIATIVE = [
    (r.append, LISTS),
    (r.append_unique, LISTS),
    (r.set_union, LISTS),
    (r.keep_latest, json_values(4)),
    (r.merge_by_key, DICTS),
    (r.merge_to_depth(2), NESTED),
    (r.merge_by_id("id"), ITEMS),
    (r.merge_steps, STEPS),
]
IDEMPOTENT = [pair for pair in ASSOCIATIVE if pair[0] is not r.append]


@pytest.mark.parametrize(("reducer", "values"), ASSOCIATIVE)
@given(data=st.data())
def test_associative_and_pure(reducer: Callable[[Any, Any], Any], values: Any, data: st.DataObject) -> None:
    a, b, c = (data.draw(values) for _ in range(3))
    before = copy.deepcopy((a, b, c))
    assert reducer(reducer(a, b), c) == reducer(a, reducer(b, c))
    assert (a, b, c) == before


@pytest.mark.parametrize(("reducer", "values"), IDEMPOTENT)
@given(data=st.data())
def test_idempotent(reducer: Callable[[Any, Any], Any], values: Any, data: st.DataObject) -> None:
    a, b = data.draw(values), data.draw(values)
    once = reducer(a, b)
    assert reducer(once, b) == once
    assert reducer(once, once) == once


@given(LISTS, LISTS)
def test_union_does_not_depend_on_order(a: list[Any], b: list[Any]) -> None:
    assert r.set_union(a, b) == r.set_union(b, a)


@given(STEPS, STEPS)
def test_a_finished_step_stays_finished(a: list[Any], b: list[Any]) -> None:
    ended = {step["step_id"] for step in a + b if step.get("status") in TERMINAL_STEPS}
    for step in r.merge_steps(a, b):
        assert (step.get("status") in TERMINAL_STEPS) == (step["step_id"] in ended)


def test_a_late_report_of_progress_does_not_reopen_a_step() -> None:
    done = {
        "step_id": "step_0",
        "status": "completed",
        "progress_percentage": 100,
        "result": {"n": 1},
        "started_at": "a",
    }
    late = {"step_id": "step_0", "status": "in_progress", "progress_percentage": 40, "result": None, "started_at": "b"}
    assert r.merge_steps([done], [late]) == [done]
    assert r.merge_steps([late], [done]) == [{**done, "started_at": "b"}]


def test_the_order_of_first_appearance_is_kept() -> None:
    merged = r.merge_steps([{"step_id": "b"}, {"step_id": "a"}], [{"step_id": "c"}, {"step_id": "a", "task": "x"}])
    assert [step["step_id"] for step in merged] == ["b", "a", "c"]
    assert r.append_unique(["b", "a"], ["a", "c", 1, True, 1.0]) == ["b", "a", "c", 1, True, 1.0]
    assert len(r.append_unique([{"x": [1]}], [{"x": [1]}, {"x": [True]}])) == 2


@pytest.mark.parametrize("reducer", [r.append, r.append_unique, r.set_union, r.add_messages, r.merge_steps])
def test_nothing_on_the_left(reducer: Callable[[Any, Any], Any]) -> None:
    assert reducer(None, []) == []
    assert r.merge_by_key(None, {"a": 1}) == r.merge_to_depth(3)(None, {"a": 1}) == {"a": 1}
    assert r.merge_by_id("id")(None, [{"id": 1}]) == [{"id": 1}]
    assert r.set_union(None, {1}) == {1}
    assert r.keep_latest(None, None) is None


def test_an_item_without_its_id_is_refused() -> None:
    with pytest.raises(InvalidInput, match="step_id"):
        r.merge_steps([], [{"status": "pending"}])
    with pytest.raises(InvalidInput, match="task_id"):
        r.merge_by_id("task_id")([], ["text"])  # type: ignore[list-item]
    with pytest.raises(InvalidInput, match="at least 1"):
        r.merge_to_depth(0)


@pytest.mark.parametrize("reducer", [r.append, r.merge_steps, r.merge_to_depth(2), r.merge_by_id("id"), r.add_messages])
def test_reducers_can_be_pickled(reducer: Any) -> None:
    assert pickle.loads(pickle.dumps(reducer)) is reducer


def test_messages_in_both_forms() -> None:
    merged = r.add_messages([{"role": "assistant", "content": "안녕하세요"}], [{"role": "user", "content": "오사카"}])
    assert [(message.type, message.content) for message in merged] == [("ai", "안녕하세요"), ("human", "오사카")]
