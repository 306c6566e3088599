"""Migrations: in order, pure, and nothing newer is half-read."""

import copy
from typing import Any

import pytest

from madang.errors import InvalidInput, UnknownSchemaVersion, UnreadableData
from madang.state.migrations import Migrations


def to_2(state: dict[str, Any]) -> dict[str, Any]:
    state["budget"]["flexibility"] = "flexible"
    return state


def to_10(state: dict[str, Any]) -> dict[str, Any]:
    return {**state, "trail": [state["schema_version"]]}


CHAIN = Migrations("2.10", {"1.0": (to_2, "2.9"), "2.9": (to_10, "2.10")})
OLD = {"budget": {"amount": 1}}
NEWEST = {"budget": {"amount": 1, "flexibility": "flexible"}, "trail": ["2.9"], "schema_version": "2.10"}


@pytest.mark.parametrize("state", [OLD, {**OLD, "schema_version": "1.0"}, {**OLD, "schema_version": "1"}])
def test_every_step_from_the_first(state: dict[str, Any]) -> None:
    before = copy.deepcopy(state)
    assert CHAIN.upgrade(state) == NEWEST
    assert state == before


def test_from_the_middle_and_the_end() -> None:
    middle = {**OLD, "schema_version": "2.9"}
    assert CHAIN.upgrade(middle) == {**OLD, "trail": ["2.9"], "schema_version": "2.10"}
    assert CHAIN.upgrade(NEWEST) == NEWEST
    assert Migrations("1.0").upgrade({}) == {"schema_version": "1.0"}


@pytest.mark.parametrize("version", ["2.11", "3.0", "10.0", "1.5", "0.9"])
def test_an_unknown_version_is_refused(version: str) -> None:
    with pytest.raises(UnknownSchemaVersion, match=version):
        CHAIN.upgrade({**OLD, "schema_version": version})


@pytest.mark.parametrize("version", [2.0, "two", "", "1..0", "-1", ["1.0"]])
def test_what_is_no_version(version: Any) -> None:
    with pytest.raises(UnreadableData):
        CHAIN.upgrade({**OLD, "schema_version": version})


@pytest.mark.parametrize(
    "steps", [{"1.0": (to_2, "1.0")}, {"1.0": (to_2, "1.5")}, {"3.0": (to_2, "2.0")}, {"2.0": (to_2, "3.0")}]
)
def test_a_broken_chain_is_refused(steps: Any) -> None:
    with pytest.raises(InvalidInput):
        Migrations("2.0", steps)
