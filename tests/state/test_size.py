"""Size: measured, moved out and back, shortened."""

import copy
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.messages import AIMessage, HumanMessage, ToolMessage

from madang.errors import InvalidInput, NotFound, UnreadableData
from madang.state.diff import diff
from madang.state.reducers import add_messages
from madang.state.size import cleanup, compress_messages, measure, offload, restore, trim_messages
from tests.support.strategies import KEYS, json_values


class MemoryBlobs:
    def __init__(self) -> None:
        self.kept: dict[str, bytes] = {}

    def put(self, data: bytes) -> str:
        self.kept[f"blob-{len(self.kept)}"] = data
        return f"blob-{len(self.kept) - 1}"

    def get(self, blob_id: str) -> bytes:
        if blob_id not in self.kept:
            raise NotFound(f"no blob {blob_id}")
        return self.kept[blob_id]


def test_measure_by_field() -> None:
    state = {"small": 1, "text": "가" * 10, "messages": [HumanMessage("안녕")]}
    sizes = measure(state)
    assert (sizes["small"], sizes["text"]) == (1, 32)
    assert sizes["messages"] > 10
    assert list(sizes)[-1] == "small"


@given(st.dictionaries(KEYS, json_values(20), max_size=4), st.integers(1, 200))
def test_what_goes_out_comes_back(state: dict[str, Any], limit: int) -> None:
    before = copy.deepcopy(state)
    blobs = MemoryBlobs()
    small, moved = offload(state, limit=limit, blobs=blobs)
    assert not diff(restore(small, blobs), state)
    assert state == before
    assert set(moved.values()) == set(blobs.kept)


def test_the_innermost_large_value_goes_with_a_summary() -> None:
    rows = [{"article": f"제{n}조", "content": "내용" * 50} for n in range(500)]
    state = {"team_results": {"search": {"legal_search": rows, "count": 500}}, "messages": [AIMessage("x" * 70_000)]}
    blobs = MemoryBlobs()
    small, moved = offload(state, blobs=blobs)
    assert list(moved) == ["team_results.search.legal_search"]
    reference = small["team_results"]["search"]["legal_search"]
    assert reference["summary"] == {"kind": "list", "count": 500}
    assert reference["bytes"] == len(json.dumps(rows, ensure_ascii=False, separators=(",", ":")).encode())
    assert small["team_results"]["search"]["count"] == 500
    assert small["messages"] == state["messages"]
    assert offload(small, blobs=blobs) == (small, {})


def test_what_the_graph_works_on_stays_in_place() -> None:
    steps = [{"step_id": f"step_{n}", "result": {"text": "x" * 900}} for n in range(100)]
    state = {"planning_state": {"execution_steps": steps, "raw_query": "q"}}
    assert offload(state, blobs=MemoryBlobs()) == (state, {})
    small, moved = offload(state, limit=500, blobs=MemoryBlobs())
    assert len(moved) == 100
    assert [step["step_id"] for step in small["planning_state"]["execution_steps"]] == [
        step["step_id"] for step in steps
    ]
    assert list(offload(state, blobs=MemoryBlobs(), keep=())[1]) == ["planning_state.execution_steps"]


def test_blobs_that_are_missing_or_changed() -> None:
    blobs = MemoryBlobs()
    small, moved = offload({"text": "x" * 100}, limit=50, blobs=blobs)
    blobs.kept[moved["text"]] += b" "
    with pytest.raises(UnreadableData):
        restore(small, blobs)
    with pytest.raises(NotFound):
        restore(small, MemoryBlobs())
    with pytest.raises(InvalidInput):
        offload({}, limit=0, blobs=blobs)


@pytest.mark.parametrize(
    "messages", [[{"role": "user", "content": str(n)} for n in range(30)], [HumanMessage(str(n)) for n in range(30)]]
)
def test_compression_keeps_the_greeting_and_the_latest(messages: list[Any]) -> None:
    before = list(messages)
    assert compress_messages(messages) == [messages[0], *messages[-19:]]
    assert compress_messages(messages, 1) == [messages[0]]
    assert compress_messages(messages, 2) == [messages[0], messages[-1]]
    assert compress_messages(messages, 30) == messages
    assert messages == before


@pytest.mark.parametrize("count", [0, -1, True])
def test_no_message_left_is_refused(count: int) -> None:
    with pytest.raises(InvalidInput):
        compress_messages([], count)
    with pytest.raises(InvalidInput):
        trim_messages([], count)


def test_trimming_under_the_messages_reducer() -> None:
    messages = add_messages([], [{"role": "user", "content": str(n)} for n in range(10)])
    left = add_messages(messages, trim_messages(messages, 4))
    assert [message.content for message in left] == ["6", "7", "8", "9"]
    assert trim_messages(messages, 10) == []


def test_a_tools_answer_is_not_kept_without_its_call() -> None:
    call = AIMessage("", id="2", tool_calls=[{"name": "t", "args": {}, "id": "c"}])
    messages = [HumanMessage("q", id="1"), call, ToolMessage("r", tool_call_id="c", id="3"), AIMessage("a", id="4")]
    assert [removed.id for removed in trim_messages(messages, 2)] == ["1", "2", "3"]


def test_cleanup() -> None:
    state = {"errors": ["e"], "plan": {"rows": [1, 2, 3]}, "keep": 1}
    before = copy.deepcopy(state)
    cleaned = cleanup(state, drop=["errors", "absent"], summaries=["plan.rows"])
    assert cleaned == {"plan": {"rows": {"kind": "list", "count": 3}}, "keep": 1}
    assert state == before
