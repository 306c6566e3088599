"""Paths: written, read and used to look and to change."""

import copy
from typing import Any

import pytest
from hypothesis import given

from madang.errors import InvalidInput, NotFound
from madang.state.paths import get_path, join, join_id, join_position, parse_path, root_of, set_path
from tests.support.strategies import json_values

STATE = {
    "planning_state": {"execution_steps": [{"step_id": "step_0", "status": "pending"}, {"step_id": "#1"}]},
    "tags": ["a", "b"],
    "a.b": {"": {"e": 1}},
}


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("planning_state.execution_steps[step_0].status", "pending"),
        ("planning_state.execution_steps[0].status", "pending"),
        (r"planning_state.execution_steps[\#1].step_id", "#1"),
        ("planning_state.execution_steps[#1].step_id", "#1"),
        ("tags[-1]", "b"),
        (r"a\.b.\e.e", 1),
        ("", STATE),
    ],
)
def test_get(path: str, value: Any) -> None:
    assert get_path(STATE, path) == value


@pytest.mark.parametrize("path", ["nothing", "tags[2]", "tags.a", "planning_state[0]", "tags[0].x", "tags[step_0]"])
def test_nothing_there(path: str) -> None:
    with pytest.raises(NotFound, match="nothing at"):
        get_path(STATE, path)
    with pytest.raises(NotFound):
        set_path(STATE, path + ".deeper", 1)


@pytest.mark.parametrize("path", [".a", "a..b", "a[", "a]", "[0]b", "a.", "a[]", "a\\"])
def test_malformed(path: str) -> None:
    with pytest.raises(InvalidInput, match="malformed"):
        parse_path(path)


@pytest.mark.parametrize(
    ("path", "root"), [("a", "a"), ("a.b[0]", "a"), ("a[0].b", "a"), (r"a\.b.c", "a.b"), ("", ""), ("[0]", "")]
)
def test_root(path: str, root: str) -> None:
    assert root_of(path) == root


def test_set_changes_a_copy() -> None:
    before = copy.deepcopy(STATE)
    changed = set_path(STATE, "planning_state.execution_steps[step_0].status", "skipped")
    assert get_path(changed, "planning_state.execution_steps[step_0].status") == "skipped"
    assert set_path(STATE, "planning_state.note", "새 값")["planning_state"]["note"] == "새 값"
    assert changed["tags"] is STATE["tags"]
    assert before == STATE


@given(json_values(20))
def test_every_value_has_a_path(value: Any) -> None:
    for path, found in _walk(value, ""):
        assert get_path(value, path) is found


def _walk(value: Any, path: str) -> list[tuple[str, Any]]:
    found = [(path, value)]
    if isinstance(value, dict):
        for key, item in value.items():
            found += _walk(item, join(path, key))
    elif isinstance(value, list):
        ids = [item.get("step_id") if isinstance(item, dict) and "id" not in item else None for item in value]
        for index, item in enumerate(value):
            by_id = ids.count(ids[index]) == 1 and isinstance(ids[index], str) and None not in ids
            found += _walk(item, join_id(path, str(ids[index])) if by_id else join_position(path, index))
    return found
