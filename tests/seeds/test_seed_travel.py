"""Seed 004: the states of `travel`, their validation, files, clean-up and versions."""

import copy
import json
from pathlib import Path
from typing import Any, cast

import pytest
from langgraph.graph import END, START, StateGraph
from pydantic import ValidationError

from madang.assistants.travel.state import (
    MultiAgentTravelState,
    TravelState,
    TravelStateModel,
    cleanup_state,
    compress_messages,
    create_initial_state,
    load_state,
    migrate_state_v1_to_v2,
    save_state,
)

COMPLETE: dict[str, Any] = {
    "destination": "오사카",
    "duration": 3,
    "budget": 1_000_000,
    "num_people": 2,
    "travel_style": ["관광", "맛집"],
}


def info_collector_node(state: TravelState) -> dict[str, Any]:
    """Seed 3.1; only the new message is returned (section 9), and messages are LangChain's inside a graph."""
    user_message = str(state["messages"][-1].content)
    if "오사카" in user_message:
        return {
            "destination": "오사카",
            "messages": [{"role": "assistant", "content": "몇 박 며칠 계획이신가요?"}],
        }
    if "3박" in user_message:
        return {"duration": 3, "messages": [{"role": "assistant", "content": "예산은 얼마 정도 생각하세요?"}]}
    return {}


def test_partial_updates_are_merged_and_messages_appended() -> None:
    builder: StateGraph[Any, Any, Any, Any] = StateGraph(TravelState)
    builder.add_node("collect", info_collector_node)
    builder.add_edge(START, "collect")
    builder.add_edge("collect", END)
    graph = builder.compile()
    state = graph.invoke({**create_initial_state("s"), "messages": [{"role": "user", "content": "오사카"}]})
    state = graph.invoke({**state, "messages": [*state["messages"], {"role": "user", "content": "3박 4일"}]})
    assert (state["destination"], state["duration"]) == ("오사카", 3)
    assert [message.content for message in state["messages"]] == [
        "오사카",
        "몇 박 며칠 계획이신가요?",
        "3박 4일",
        "예산은 얼마 정도 생각하세요?",
    ]


def test_validation_decides_whether_all_is_collected() -> None:
    state = create_initial_state()
    assert not TravelStateModel(**cast(Any, state)).is_complete()
    assert TravelStateModel(**{**cast(Any, state), **COMPLETE}).is_complete()
    for slot in COMPLETE:
        assert not TravelStateModel(**{name: value for name, value in COMPLETE.items() if name != slot}).is_complete()


@pytest.mark.parametrize(
    ("slot", "value", "message"),
    [
        ("duration", 0, "기간은 1박~14박이어야 합니다"),
        ("duration", 15, "기간은 1박~14박이어야 합니다"),
        ("budget", 99_999, "예산은 최소 10만원 이상이어야 합니다"),
        ("budget", 10_000_001, "예산은 최대 1000만원 이하여야 합니다"),
        ("num_people", 0, "인원은 1명~10명이어야 합니다"),
        ("num_people", 11, "인원은 1명~10명이어야 합니다"),
    ],
)
def test_a_value_out_of_range_is_refused_in_korean(slot: str, value: int, message: str) -> None:
    with pytest.raises(ValidationError, match=message) as error:
        TravelStateModel(**{**COMPLETE, slot: value})
    assert [problem["loc"] for problem in error.value.errors()] == [(slot,)]


@pytest.mark.parametrize(("slot", "values"), [("duration", (1, 14)), ("budget", (100_000, 10_000_000))])
def test_the_ends_of_a_range_are_allowed(slot: str, values: tuple[int, int]) -> None:
    assert all(TravelStateModel(**{**COMPLETE, slot: value}).is_complete() for value in values)


def test_initial_state_of_the_seed() -> None:
    state: Any = create_initial_state("s1")
    assert state["session_id"] == "s1"
    assert state["messages"] == [
        {"role": "assistant", "content": "안녕하세요! 여행 계획을 도와드리겠습니다. 어디로 여행 가고 싶으세요?"}
    ]
    assert state["current_step"] == "collecting"
    assert state["info_collected"] is False
    assert state["destination"] is state["duration"] is state["budget"] is state["num_people"] is None
    assert state["travel_style"] == state["flight_options"] == state["hotel_options"] == state["errors"] == []
    assert state["itinerary"] == {}
    assert state["created_at"] == state["updated_at"]
    assert create_initial_state()["session_id"] != create_initial_state()["session_id"]


def test_a_session_is_saved_and_restored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert load_state("s1") is None
    state = cast(TravelState, {**create_initial_state("s1"), **COMPLETE})
    untouched = copy.deepcopy(state)
    saved = save_state(state)
    assert state == untouched
    text = (tmp_path / "sessions" / "s1.json").read_text(encoding="utf-8")
    assert "오사카" in text
    assert load_state("s1") == saved == json.loads(text)
    assert saved["updated_at"] >= state["updated_at"]
    assert {**saved, "updated_at": ""} == {**state, "updated_at": ""}


def test_what_is_not_needed_is_dropped_when_done() -> None:
    state = cast(
        MultiAgentTravelState, {**create_initial_state(), "agent_history": ["flight_expert"], "errors": ["시간 초과"]}
    )
    done = cast(MultiAgentTravelState, {**state, "current_step": "done"})
    untouched = copy.deepcopy(done)
    cleaned = cleanup_state(done)
    assert {"agent_history", "errors"} == done.keys() - cleaned.keys()
    assert cleanup_state(state) == state
    assert done == untouched


def test_a_long_conversation_keeps_its_greeting_and_its_end() -> None:
    messages = [{"role": "user", "content": str(number)} for number in range(50)]
    untouched = copy.deepcopy(messages)
    compressed = compress_messages(messages, max_length=20)
    assert [message["content"] for message in compressed] == ["0", *map(str, range(31, 50))]
    assert compress_messages(messages[:20]) == messages[:20]
    assert len(compress_messages(messages)) == 20
    assert messages == untouched


def flight_expert_node(state: MultiAgentTravelState) -> dict[str, Any]:
    """Seed 8.1; the reducer keeps the other agents' results."""
    options = [{"type": "budget", "price": 250_000}, {"type": "standard", "price": 350_000}]
    return {
        "flight_options": options,
        "flights_searched": True,
        "agent_results": {
            "flight_expert": {"options": options, "recommendation": options[0], "reasoning": "예산", "tips": []}
        },
    }


def hotel_expert_node(state: MultiAgentTravelState) -> dict[str, Any]:
    stay = {"type": "standard", "total_price": 300_000}
    return {"hotels_searched": True, "agent_results": {"hotel_expert": {"options": [stay], "recommendation": stay}}}


def budget_manager_node(state: MultiAgentTravelState) -> dict[str, Any]:
    """Seed 8.2."""
    results = cast(dict[str, Any], state["agent_results"])
    selected_flight = results.get("flight_expert", {}).get("recommendation", {})
    selected_hotel = results.get("hotel_expert", {}).get("recommendation", {})
    total = selected_flight.get("price", 0) + selected_hotel.get("total_price", 0)
    return {"budget_breakdown": {"total": total}, "budget_analyzed": True}


def test_experts_work_side_by_side_and_the_budget_manager_reads_both() -> None:
    builder: StateGraph[Any, Any, Any, Any] = StateGraph(MultiAgentTravelState)
    builder.add_node("flight_expert", flight_expert_node)
    builder.add_node("hotel_expert", hotel_expert_node)
    builder.add_node("budget_manager", budget_manager_node)
    builder.add_edge(START, "flight_expert")
    builder.add_edge(START, "hotel_expert")
    builder.add_edge(["flight_expert", "hotel_expert"], "budget_manager")
    builder.add_edge("budget_manager", END)
    state = builder.compile().invoke({**create_initial_state("s"), **COMPLETE})
    assert state["budget_breakdown"] == {"total": 550_000}
    assert state["agent_results"].keys() == {"flight_expert", "hotel_expert"}
    assert state["flights_searched"]
    assert state["hotels_searched"]
    assert state["budget_analyzed"]


def test_version_1_becomes_version_2() -> None:
    old = {**COMPLETE, "session_id": "s", "schema_version": "1.0"}
    untouched = copy.deepcopy(old)
    new = migrate_state_v1_to_v2(old)
    assert new == {**old, "budget_flexibility": "flexible", "schema_version": "2.0"}
    assert old == untouched
    assert migrate_state_v1_to_v2(new) == new
    assert migrate_state_v1_to_v2({"budget_flexibility": "strict"})["budget_flexibility"] == "strict"
