"""travel: session files, what is refused, which fields stay."""

import copy
import json
import os
from pathlib import Path
from typing import Any, cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from langchain_core.messages import AIMessage, HumanMessage
from pydantic import ValidationError

from madang.assistants.travel.state import (
    MIGRATIONS,
    MultiAgentTravelState,
    TravelState,
    TravelStateModel,
    create_initial_state,
    load_state,
    save_state,
)
from madang.errors import InvalidName, InvalidState, UnknownSchemaVersion, UnreadableData
from madang.state.fields import field_specs, turn_fields
from madang.state.validation import validate_update


def circular() -> dict[str, Any]:
    value: dict[str, Any] = {}
    value["self"] = value
    return value


def state_with(**fields: Any) -> TravelState:
    return cast(TravelState, {**create_initial_state("s"), **fields})


BAD_IDS = [
    "../etc/passwd",
    "..",
    "a/b",
    "a\\b",
    "/etc/passwd",
    "a\0b",
    "a\nb",
    "",
    "가" * 100,
    "a" * 251,
    "\ud800",
    None,
    7,
]


@pytest.mark.parametrize("session_id", BAD_IDS, ids=repr)
def test_an_id_that_cannot_name_a_file_is_refused(session_id: Any, tmp_path: Path) -> None:
    with pytest.raises(InvalidName):
        load_state(session_id, tmp_path / "sessions")
    with pytest.raises(InvalidName):
        save_state(state_with(session_id=session_id), tmp_path / "sessions")
    assert list(tmp_path.rglob("*")) == []


@pytest.mark.parametrize("session_id", ["s", "여행 1", "a.b", "a" * 250, "CON~1", "d6f0-…"])
def test_other_ids_name_one_file(session_id: str, tmp_path: Path) -> None:
    saved = save_state(create_initial_state(session_id), tmp_path)
    assert load_state(session_id, tmp_path) == saved
    assert [path.name for path in tmp_path.iterdir()] == [f"{session_id}.json"]


@pytest.mark.parametrize(
    "content",
    [b"", b"{", b"\xff\xfe", b"[]", b'"text"', b"null", b'{"budget": NaN}', b"[" * 100_000, b'{"duration": "3"}'],
    ids=lambda content: repr(content[:12]),
)
def test_a_file_that_holds_no_state_is_named(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "s.json"
    path.write_bytes(content)
    with pytest.raises(UnreadableData, match=r"s\.json"):
        load_state("s", tmp_path)
    assert path.read_bytes() == content


@pytest.mark.parametrize("version", ["3.0", "99", 7, "둘"])
def test_a_newer_or_strange_version_is_refused(version: Any, tmp_path: Path) -> None:
    (tmp_path / "s.json").write_text(json.dumps({"schema_version": version}), encoding="utf-8")
    with pytest.raises((UnknownSchemaVersion, UnreadableData), match=r"s\.json"):
        load_state("s", tmp_path)


@pytest.mark.parametrize("version", [{}, {"schema_version": "1.0"}])
def test_a_file_of_version_1_is_brought_up_to_date(version: dict[str, str], tmp_path: Path) -> None:
    """The last JSON of seed 004, as its program would have written it."""
    old = {
        **version,
        "session_id": "s",
        "destination": "오사카",
        "duration": 3,
        "budget": 1_000_000,
        "num_people": 2,
        "travel_style": ["관광", "맛집"],
        "info_collected": True,
        "current_step": "done",
        "flight_options": [{"type": "cheap", "price": "250,000", "flight_no": "MM706"}],
        "hotel_options": [],
        "itinerary": {"days": [["도톤보리"]], "day1": {"places": ["우메다"]}},
        "messages": [{"role": "assistant", "content": "어디로 여행 가고 싶으세요?"}],
        "created_at": "2024-11-30T00:00:00",
        "updated_at": "2024-11-30T00:00:00",
        "errors": [],
    }
    path = tmp_path / "s.json"
    path.write_text(json.dumps(old), encoding="utf-8")
    assert load_state("s", tmp_path) == {**old, "budget_flexibility": "flexible", "schema_version": "2.0"}
    assert json.loads(path.read_text(encoding="utf-8")) == old


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("mood", "good"),
        ("destination", 7),
        ("duration", 0),
        ("duration", True),
        ("budget", "백만원"),
        ("itinerary", circular()),
        ("itinerary", []),
        ("itinerary.days", []),
        ("travel_style", ["맛집", 7]),
        ("flight_options", [{"price": float("nan")}]),
        ("errors", [print]),
        ("destination", "가" * 1_000_001),
        ("messages", [{"role": "king", "content": "안녕"}]),
        ("created_at", None),
    ],
)
def test_what_cannot_be_stored_is_named_and_the_earlier_file_stays(field: str, value: Any, tmp_path: Path) -> None:
    earlier = save_state(create_initial_state("s"), tmp_path)
    with pytest.raises(InvalidState) as error:
        save_state(state_with(**{field: value}), tmp_path)
    assert all(problem.field.startswith(field) for problem in error.value.problems)
    assert load_state("s", tmp_path) == earlier
    assert [path.name for path in tmp_path.iterdir()] == ["s.json"]


def test_a_write_that_fails_leaves_the_earlier_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    earlier = save_state(create_initial_state("s"), tmp_path)

    def full(_: int) -> None:
        raise OSError("no space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="no space"):
        save_state(state_with(destination="도쿄"), tmp_path)
    assert load_state("s", tmp_path) == earlier
    assert [path.name for path in tmp_path.iterdir()] == ["s.json"]


def test_a_state_without_a_session_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidState, match="session_id"):
        save_state(cast(TravelState, {}), tmp_path)


def test_langchain_messages_are_written_as_role_and_content(tmp_path: Path) -> None:
    state = state_with(
        messages=[AIMessage("어디로 가세요?"), HumanMessage("오사카"), {"role": "user", "content": "요"}]
    )
    untouched = copy.deepcopy(state)
    save_state(state, tmp_path)
    loaded: Any = load_state("s", tmp_path)
    assert loaded["messages"] == [
        {"role": "assistant", "content": "어디로 가세요?"},
        {"role": "user", "content": "오사카"},
        {"role": "user", "content": "요"},
    ]
    assert state == untouched


def test_the_chain_of_versions_ends_at_the_present_one() -> None:
    upgraded = MIGRATIONS.upgrade({"destination": "오사카"})
    assert upgraded == {"destination": "오사카", "budget_flexibility": "flexible", "schema_version": "2.0"}
    assert MIGRATIONS.upgrade(upgraded) == upgraded


def test_the_trip_outlasts_a_turn() -> None:
    resets = turn_fields(MultiAgentTravelState)
    assert resets["execution_steps"] == resets["agent_history"] == resets["errors"] == []
    assert resets["agent_results"] == {}
    assert resets["response"] is None
    slots = {"destination", "duration", "budget", "travel_style", "origin", "depart_window", "must_visit_places"}
    found = {"flight_options", "hotel_options", "itinerary", "final_plans", "recommendation", "flights_searched"}
    assert not resets.keys() & (slots | found | {"messages", "created_at", "step_records"})
    assert field_specs(TravelState).keys() < field_specs(MultiAgentTravelState).keys()


@pytest.mark.parametrize(
    ("slot", "value", "allowed"),
    [
        ("duration", 0, "1박 ~ 14박"),
        ("budget", 20_000_000, "100,000원 ~ 10,000,000원"),
        ("num_people", 11, "1명 ~ 10명"),
        ("budget_basis", "monthly", None),
        ("depart_window", {"from": "2026-03-01"}, None),
    ],
)
def test_a_slot_out_of_range_is_refused_and_the_others_are_kept(slot: str, value: Any, allowed: str | None) -> None:
    good, problems = validate_update(MultiAgentTravelState, {"origin": "ICN", slot: value})
    assert good == {"origin": "ICN"}
    assert problems[0].field.startswith(slot)
    assert allowed is None or problems[0].allowed == allowed


@settings(max_examples=60, deadline=None)
@given(st.integers() | st.floats() | st.text(max_size=5) | st.booleans() | st.lists(st.integers(), max_size=2))
def test_the_model_and_the_state_agree_on_what_a_slot_may_be(value: Any) -> None:
    for slot in ("duration", "budget", "num_people"):
        _, problems = validate_update(MultiAgentTravelState, {slot: value})
        try:
            TravelStateModel.model_validate({slot: value})
        except ValidationError:
            assert problems, slot
        else:
            assert not problems, slot
