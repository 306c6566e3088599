"""Values written as JSON come back exactly."""

import json
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.messages import AIMessage, HumanMessage
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer

from madang.errors import UnreadableData
from madang.store.values import ValueReader, ValueWriter

SERDE = JsonPlusSerializer()
LEAVES = st.one_of(
    st.none(), st.booleans(), st.integers(-(2**62), 2**62), st.floats(allow_nan=False), st.text(), st.binary()
)
VALUES = st.recursive(
    LEAVES, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4), max_leaves=12
)


def through_json(values: list[Any]) -> list[Any]:
    writer = ValueWriter(SERDE)
    numbers = [writer.add(value) for value in values]
    reader = ValueReader(json.loads(json.dumps(writer.entries)), SERDE)
    return [reader.get(number) for number in numbers]


@given(st.lists(VALUES, max_size=4))
def test_values_come_back_exactly(values: list[Any]) -> None:
    back = through_json(values)
    assert repr(back) == repr(values)


def test_objects_come_back_exactly() -> None:
    message = HumanMessage("안녕", id="1", additional_kwargs={"a": [1]})
    values: list[Any] = [
        [message, AIMessage("네", id="2")],
        datetime(2026, 1, 2, tzinfo=UTC),
        {1: "one"},
        {"s"},
    ]
    assert through_json(values) == values


def test_versions_of_a_list_share_their_items() -> None:
    writer = ValueWriter(SERDE)
    messages = [HumanMessage(f"{n}" * 100, id=str(n)) for n in range(50)]
    for length in range(51):
        writer.add(messages[:length])
    assert sum("bytes" in entry for entry in writer.entries) == 50


@pytest.mark.parametrize(
    "entries",
    [
        [],
        [{}],
        [{"list": [0]}],
        [{"list": [7]}],
        [{"type": "msgpack", "bytes": "%%%"}],
        [None],
        [{"dict": {"a": "b"}}],
        [{"type": "msgpack", "bytes": "wcE="}],
        [{"list": [1]}, {"list": [2]}, {"list": [1]}],
    ],
)
def test_a_damaged_table_is_refused(entries: list[Any]) -> None:
    with pytest.raises(UnreadableData):
        ValueReader(entries, SERDE).get(0)
