"""Every state of every assistant survives JSON and LangGraph's serializer, and compiles."""

import json
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
from langgraph.graph import END, START, StateGraph

from madang.assistants.homes import state as homes
from madang.assistants.travel import state as travel
from madang.assistants.works import state as works
from madang.state.fields import field_specs, turn_fields
from madang.state.plain import json_safe
from madang.state.validation import validate_update
from tests.support.strategies import states_of

MAIN_STATES: list[type] = [
    homes.MainSupervisorState,
    works.GlobalSessionState,
    travel.TravelState,
    travel.MultiAgentTravelState,
]
STATES: list[type] = [
    *MAIN_STATES,
    homes.PlanningState,
    homes.ExecutionStepState,
    homes.SharedState,
    homes.SearchTeamState,
    homes.AnalysisTeamState,
    homes.DocumentTeamState,
    homes.SearchKeywords,
    homes.DocumentTemplate,
    homes.DocumentContent,
    homes.ReviewResult,
    homes.AnalysisInput,
    homes.AnalysisMetrics,
    homes.AnalysisInsight,
    homes.AnalysisReport,
    homes.StandardResult,
    works.QueryAnalyzerState,
    works.PlanningState,
    works.ExecutionManagerState,
    works.BaseAgentState,
    works.DataAnalysisAgentState,
    works.InformationRetrievalAgentState,
    works.DocumentGenerationAgentState,
    works.ComplianceValidationAgentState,
    works.StorageDecisionAgentState,
]
names = [f"{state.__module__.split('.')[2]}-{state.__name__}" for state in STATES]
quick = settings(max_examples=8, deadline=None, suppress_health_check=list(HealthCheck))


@pytest.mark.parametrize("state_type", STATES, ids=names)
def test_a_valid_state_survives_both_serializers(state_type: type) -> None:
    serde = JsonPlusSerializer()

    @quick
    @given(st.data())
    def check(data: st.DataObject) -> None:
        state = data.draw(states_of(state_type, total=False))
        good, problems = validate_update(state_type, state)
        assert problems == []
        assert good == state
        assert serde.loads_typed(serde.dumps_typed(state)) == state
        plain = json_safe(state)
        assert json.loads(json.dumps(plain)) == plain
        assert {k: v for k, v in plain.items() if k != "messages"} == {
            k: v for k, v in state.items() if k != "messages"
        }

    check()


@pytest.mark.parametrize("state_type", MAIN_STATES, ids=lambda state: str(state.__name__))
def test_a_main_state_compiles_and_runs(state_type: type) -> None:
    def first(state: Any) -> dict[str, Any]:
        return {"schema_version": "1.0", **{n: v for n, v in turn_fields(state_type).items() if n not in state}}

    builder: StateGraph[Any, Any, Any, Any] = StateGraph(state_type)
    builder.add_node("first", first)
    builder.add_edge(START, "first")
    builder.add_edge("first", END)
    graph = builder.compile(checkpointer=InMemorySaver())
    config: Any = {"configurable": {"thread_id": "s"}}
    result = graph.invoke({"session_id": "s", "messages": [{"role": "user", "content": "안녕"}]}, config)
    assert result["messages"][0].content == "안녕"
    assert {name: result[name] for name in turn_fields(state_type)} == turn_fields(state_type)
    assert field_specs(state_type).keys() >= result.keys()


@pytest.mark.parametrize("state_type", MAIN_STATES, ids=lambda state: str(state.__name__))
def test_the_kinds_of_fields_are_declared(state_type: type) -> None:
    specs = field_specs(state_type)
    assert "schema_version" in specs
    for name in ("session_id", "messages", "schema_version", "step_records"):
        assert not specs[name].turn, name
    resets = turn_fields(state_type)
    assert validate_update(state_type, resets) == (resets, [])
    assert all(spec.reducer for name, spec in specs.items() if name.endswith(("_log", "_history", "_trail")))
