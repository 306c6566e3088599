"""Messages kept ready: copies of a whole conversation, and every change in place is noticed."""

from collections.abc import Callable
from enum import StrEnum
from typing import Any

import pytest
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage, ToolMessage
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer

from madang.store.saver.live import LiveMessages, Snapshot
from madang.store.saver.messages import Frozen, freeze, same_all, thaw_all


class Word(StrEnum):
    YES = "네"


def conversation() -> list[BaseMessage]:
    return [
        SystemMessage(content="규칙", id="s"),
        HumanMessage(content="네", id="h", name="김"),
        AIMessage(content="", id="a", tool_calls=[{"name": "find", "args": {"n": 1}, "id": "c1"}]),
        ToolMessage(content="셋", id="t", tool_call_id="c1", artifact={"rows": [1, 2.5, True]}),
        HumanMessage(content=[{"type": "text", "text": "또"}], id="h2", additional_kwargs={"flag": True}),
        AIMessage(content="끝", id="a2", response_metadata={"model": "m"}),
        HumanMessage(content="네", id="h3"),
    ]


def frozen() -> list[Frozen]:
    serde = JsonPlusSerializer()
    made = [freeze(serde.loads_typed(serde.dumps_typed(message)), 1) for message in conversation()]
    return [one for one in made if one is not None]


def test_copies_of_all_are_those_of_each_and_share_nothing_that_can_change() -> None:
    kept = frozen()
    first, second = thaw_all(kept), thaw_all(kept)
    assert first == second == [one.thaw() for one in kept] == conversation()
    for message in first:
        message.additional_kwargs["spoiled"] = message.response_metadata["spoiled"] = 1
        message.content = "spoiled"
    assert thaw_all(kept) == second
    assert [one.model_dump() for one in second] == [one.model_dump() for one in conversation()]
    assert second[1].model_copy(update={"content": "다른"}).content == "다른"


def plain() -> list[Frozen]:
    return [one for one in frozen() if one.form is not None]


def test_an_untouched_run_is_the_same() -> None:
    assert len(plain()) == 3
    assert same_all(thaw_all(plain()), plain())


CHANGES: dict[str, Callable[[Any], object]] = {
    "content": lambda m: setattr(m, "content", "아니요"),
    "same text, other type": lambda m: setattr(m, "content", Word.YES),
    "a nested entry": lambda m: m.additional_kwargs.update(x=1),
    "a field of another type": lambda m: m.__dict__.update(additional_kwargs=[]),
    "a field of its own": lambda m: setattr(m, "note", "x"),
    "a field that is gone": lambda m: m.__dict__.pop("name"),
    "a name": lambda m: setattr(m, "name", "박"),
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_change_in_place_is_noticed(change: str) -> None:
    kept = plain()
    messages = thaw_all(kept)
    live = LiveMessages("1", handed=Snapshot(messages))
    assert live.lead([*messages, "more"])
    CHANGES[change](messages[-1])
    assert not same_all(messages, kept)
    assert not kept[-1].same(messages[-1])
    assert not live.lead(messages)
    del messages
    assert live.again(kept) is None


def test_what_can_not_be_told_at_once_is_left_to_each() -> None:
    kept = frozen()
    messages = thaw_all(kept)
    assert not same_all(messages, kept)
    assert [one.same(message) for one, message in zip(kept, messages, strict=True)] == [True] * len(kept)
    assert not same_all(["text"] * len(kept), kept)
    assert not same_all(thaw_all(plain()), [*plain()[:2], None])
