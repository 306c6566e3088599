"""Any valid state survives JSON and LangGraph's serializer."""

import json
from typing import Any

from hypothesis import given
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer

from madang.state.diff import diff
from madang.state.steps import ExecutionStepState
from tests.support.declared import Sample
from tests.support.strategies import states_of


@given(states_of(ExecutionStepState, total=False))
def test_json(state: dict[str, Any]) -> None:
    assert not diff(json.loads(json.dumps(state)), state)


@given(states_of(Sample))
def test_langgraph_serializer(state: dict[str, Any]) -> None:
    serializer = JsonPlusSerializer()
    again = serializer.loads_typed(serializer.dumps_typed(state))
    assert again == state
