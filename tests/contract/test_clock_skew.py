"""A process whose clock is behind goes on from the newest state, and what it writes is the newest."""

import operator
import time
from typing import Annotated, Any

import pytest
from langgraph.checkpoint.base import id as generator
from langgraph.graph import START, StateGraph
from typing_extensions import TypedDict

from madang.store import SessionSaver

HOUR = 3600 * 10**9


class State(TypedDict):
    said: Annotated[list[str], operator.add]


async def test_checkpoints_follow_those_they_build_on(db_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    builder = StateGraph(State)
    builder.add_node("echo", lambda state: {"said": [f"{len(state['said'])}"]})
    builder.add_edge(START, "echo")
    config: Any = {"configurable": {"thread_id": "t"}}
    async with SessionSaver.from_url(db_url) as ahead:
        await builder.compile(checkpointer=ahead).ainvoke({"said": ["a"]}, config)
    # Another process, whose clock is an hour behind and which has made no id yet.
    real = time.time_ns
    monkeypatch.setattr(time, "time_ns", lambda: real() - HOUR)
    monkeypatch.setattr(generator, "_last_v6_timestamp", None)
    async with SessionSaver.from_url(db_url) as behind:
        await builder.compile(checkpointer=behind).ainvoke({"said": ["b"]}, config)
    async with SessionSaver.from_url(db_url) as later:
        state = await builder.compile(checkpointer=later).aget_state(config)
        assert state.values["said"] == ["a", "1", "b", "3"]
