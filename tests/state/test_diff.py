"""Diffs: found, applied, inverted, written and read."""

import copy
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.messages import AIMessage, HumanMessage

from madang.errors import InvalidInput
from madang.state.diff import Diff, apply, diff
from madang.state.paths import get_path
from tests.support.strategies import json_values, variants


@given(json_values(), json_values())
def test_apply_and_invert_any_two_values(a: Any, b: Any) -> None:
    _check(a, b)


@given(variants())
def test_apply_to_a_value_and_its_variant(pair: tuple[Any, Any]) -> None:
    _check(*pair)


def _check(a: Any, b: Any) -> None:
    before = copy.deepcopy((a, b))
    found = diff(a, b)
    assert bool(found) == (json.dumps(a, sort_keys=True) != json.dumps(b, sort_keys=True))
    assert apply(found, a) == b
    again = Diff(json.loads(json.dumps(found.as_dict()))["diff"])
    assert apply(again, a) == b
    assert (a, b) == before


@given(variants())
def test_paths_lead_to_the_values(pair: tuple[Any, Any]) -> None:
    a, b = pair
    found = diff(a, b)
    if not found.reordered:
        for path, value in found.added.items():
            assert get_path(b, path) == value
        for path, value in found.removed.items():
            assert get_path(a, path) == value
        for path, (old, new) in found.changed.items():
            assert (get_path(a, path), get_path(b, path)) == (old, new)


def test_names_what_changed() -> None:
    a = {"status": "planning", "steps": [{"step_id": "step_0", "status": "pending"}, {"step_id": "step_1"}], "old": 1}
    b = {"status": "done", "steps": [{"step_id": "step_1"}, {"step_id": "step_0", "status": "failed"}], "a.b": [1]}
    found = diff(a, b)
    assert found.changed == {"status": ("planning", "done"), "steps[step_0].status": ("pending", "failed")}
    assert found.added == {r"a\.b": [1]}
    assert found.removed == {"old": 1}
    assert found.reordered == {"steps": (["step_0", "step_1"], ["step_1", "step_0"])}


def test_an_insertion_is_one_addition() -> None:
    words = [f"word {n}" for n in range(50)]
    found = diff(words, [*words[:20], "new", *words[20:]])
    assert (found.added, found.removed, found.changed) == ({"[20]": "new"}, {}, {})


def test_types_count() -> None:
    assert diff({"n": 1}, {"n": True}).changed == {"n": (1, True)}
    assert diff([1], [1.0])
    assert not diff([1.5, None, {"a": []}], [1.5, None, {"a": []}])


def test_messages_are_told_apart_by_their_id() -> None:
    greeting, question, answer = AIMessage("안녕", id="m0"), HumanMessage("질문", id="m1"), AIMessage("답", id="m2")
    a, b = {"messages": [greeting, question]}, {"messages": [greeting, question, answer]}
    found = diff(a, b)
    assert found.added == {"messages[m2]": answer}
    assert apply(found, a) == b
    assert json.loads(json.dumps(found.as_dict()))


def test_bottomless_nesting_is_refused() -> None:
    a: Any = []
    for _ in range(5000):
        a = [a]
    with pytest.raises(InvalidInput, match="nested"):
        diff(a, [a])
    while a:
        a = a.pop()


@pytest.mark.parametrize("other", [{"n": 5}, {}, [], None, {"n": [1, 9]}])
def test_a_diff_that_does_not_fit_is_refused(other: Any) -> None:
    with pytest.raises(InvalidInput):
        apply(diff({"n": [1, 2]}, {"n": [1, 3]}), other)


def test_cost_is_linear_in_depth() -> None:
    def nested(depth: int, leaf: str) -> Any:
        value: Any = [leaf]
        for _ in range(depth):
            value = [value, leaf, "same"]
        return value

    a, b = nested(60, "x"), nested(60, "y")
    b[0].append("longer")
    assert apply(diff(a, b), a) == b


@given(st.lists(st.integers(0, 30), unique=True), st.lists(st.integers(0, 30), unique=True))
def test_lists_by_id(left: list[int], right: list[int]) -> None:
    a = [{"id": n, "v": 0} for n in left]
    b = [{"id": n, "v": n % 2} for n in right]
    found = diff(a, b)
    assert apply(found, a) == b
    assert set(found.added) == {f"[{n}]" for n in set(right) - set(left)}
