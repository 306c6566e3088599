"""The supersteps of a turn, counted: each is a commit, so none only passes on to the next."""

from datetime import date
from typing import Any

from langchain_core.messages import HumanMessage
from langgraph.checkpoint.memory import InMemorySaver

from bench._fan import Diary, assistant
from madang.graph import TurnContext, build

TEAMS = {"search_team", "analysis_team", "document_team"}


async def test_what_comes_after_a_round_is_decided_where_it_is_collected() -> None:
    graph = build(assistant, InMemorySaver())
    given = {"query": "q", "messages": [HumanMessage("q")], "session_id": "s", "request_id": "r"}
    config: Any = {"configurable": {"thread_id": "s"}}
    await graph.ainvoke(given, config, context=TurnContext(today=date(2026, 1, 1), services=Diary()))
    passed = [set(state.next) async for state in graph.aget_state_history(config)]
    assert passed[::-1] == [
        {"__start__"},
        {"initialize"},
        {"planning"},
        {"dispatch"},
        TEAMS,
        {"collect"},
        {"reporter"},
        {"collect"},
        {"aggregate"},
        {"respond"},
        set(),
    ]
