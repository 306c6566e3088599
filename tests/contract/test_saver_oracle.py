"""Random puts, writes, forks and listings, compared with LangGraph's own in-memory saver."""

import asyncio
import copy
from collections.abc import Callable, Sequence
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage
from langgraph.checkpoint.base import Checkpoint, CheckpointTuple, empty_checkpoint
from langgraph.checkpoint.base.id import uuid6
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.checkpoint.serde.types import _DeltaSnapshot
from langgraph.types import Send

from madang.store import SessionSaver

CHANNELS = ("messages", "results", "count", "__start__")
DELTA = "grown"
"""A channel as LangGraph's delta channels are: its checkpoints have no value of it, but for a snapshot now and then."""

texts = st.text(st.characters(codec="utf-8", exclude_characters="\x00"), max_size=60)
scalars = st.none() | st.booleans() | st.integers(-(2**62), 2**62) | st.floats(allow_nan=False) | texts
large = st.builds(lambda text, times: text * times, st.sampled_from(["가나다 ", "abc", "\n"]), st.integers(1, 800))
plain = st.recursive(
    scalars | large | st.binary(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(texts, inner, max_size=4),
    max_leaves=12,
)
messages = st.builds(
    lambda kind, text, times, key, calls: kind(
        content=text * times, id=key, additional_kwargs={"calls": calls} if calls else {}
    ),
    st.sampled_from([HumanMessage, AIMessage]),
    texts,
    st.integers(1, 30),
    st.uuids().map(str),
    st.lists(st.integers(0, 3), max_size=2),
)
values = (
    plain
    | st.lists(messages, max_size=5)
    | st.builds(_DeltaSnapshot, st.lists(messages, max_size=3))
    | st.builds(Send, st.just("node"), plain)
    | st.binary(max_size=400).map(bytearray)
)
steps = st.lists(
    st.tuples(
        st.sampled_from(["put", "put", "put", "append", "append", "write", "fork", "grow", "grow", "whole", "begin"]),
        st.sampled_from(CHANNELS),
        values,
        st.lists(messages, min_size=1, max_size=3),
        st.integers(0, 50),
    ),
    min_size=1,
    max_size=25,
)


def _config(ns: str, checkpoint_id: str | None = None) -> dict[str, Any]:
    given: dict[str, Any] = {"thread_id": "thread", "checkpoint_ns": ns}
    return {"configurable": given | ({"checkpoint_id": checkpoint_id} if checkpoint_id else {})}


class Pair:
    """Our saver and the oracle, given the same."""

    def __init__(self, saver: SessionSaver) -> None:
        self.saver = saver
        self.oracle = InMemorySaver()
        self.made: list[Checkpoint] = []
        self.parent: Checkpoint | None = None

    async def put(self, changed: dict[str, Any], step: int, also: tuple[str, ...] = ()) -> None:
        """`also`: channels that have a new version and no value."""
        base = self.parent or empty_checkpoint()
        kept = {channel: value for channel, value in base["channel_values"].items() if channel != DELTA}
        moved = [*changed, *also]
        highest = max(base["channel_versions"].values(), default=None)
        version = self.saver.get_next_version(highest, None)  # type: ignore[arg-type]
        checkpoint: Checkpoint = {
            "v": 4,
            "ts": f"2026-01-01T00:00:{step:02}+09:00",
            "id": str(uuid6(clock_seq=step)),
            "channel_values": {**kept, **changed},
            "channel_versions": {**base["channel_versions"], **dict.fromkeys(moved, version)},
            "versions_seen": {"node": dict(base["channel_versions"])},
            "updated_channels": sorted(moved),
        }
        metadata: Any = {"source": "loop", "step": step, "parents": {}}
        config = _config("", self.parent["id"] if self.parent else None)
        new = dict.fromkeys(moved, version)
        await self.oracle.aput(config, copy.deepcopy(checkpoint), metadata, new)  # type: ignore[arg-type]
        await self.saver.aput(config, copy.deepcopy(checkpoint), metadata, new)  # type: ignore[arg-type]
        self.made.append(checkpoint)
        self.parent = checkpoint

    async def write(self, channel: str, value: Any, number: int) -> None:
        assert self.parent is not None
        config = _config("", self.parent["id"])
        task, path = f"task-{number % 3}", f"path-{number % 2}"
        given = [(channel, value), ("__interrupt__" if number % 5 == 0 else "other", number)]
        for saver in (self.oracle, self.saver):
            await saver.aput_writes(config, copy.deepcopy(given), task, path)  # type: ignore[arg-type]

    async def begin(self) -> None:
        """What a run begins with: the newest checkpoint, and the past of its delta channel."""
        found = await self.saver.aget_tuple(_config(""))  # type: ignore[arg-type]
        assert found is not None
        if DELTA not in found.checkpoint["channel_values"]:
            await self.same_past(self.saver, found.config, [DELTA])

    async def same_past(self, saver: SessionSaver, config: Any, channels: Sequence[str]) -> None:
        history = await saver.aget_delta_channel_history(config=config, channels=channels)
        expected = self.oracle.get_delta_channel_history(config=config, channels=channels)
        assert _value(dict(history)) == _value(dict(expected))

    async def same(self, saver: SessionSaver) -> None:
        ours = [seen async for seen in saver.alist(_config(""))]  # type: ignore[arg-type]
        theirs = list(self.oracle.list(_config("")))  # type: ignore[arg-type]
        assert [_plain(t) for t in ours] == [_plain(t) for t in theirs]
        for number, checkpoint in enumerate(self.made):
            config: Any = _config("", checkpoint["id"])
            assert _plain(await saver.aget_tuple(config)) == _plain(self.oracle.get_tuple(config))
            if number % 3 == 0:
                await self.same_past(saver, config, CHANNELS)
            if DELTA not in checkpoint["channel_values"]:
                await self.same_past(saver, config, [DELTA])
        newest: Any = _config("")
        assert _plain(await saver.aget_tuple(newest)) == _plain(self.oracle.get_tuple(newest))
        step = self.made[len(self.made) // 2]["id"]
        options: dict[str, Any] = {"before": _config("", step), "limit": 3}
        assert [_plain(t) async for t in saver.alist(newest, **options)] == [
            _plain(t) for t in self.oracle.list(newest, **options)
        ]
        options = {"filter": {"step": 2}}
        assert [_plain(t) async for t in saver.alist(newest, **options)] == [
            _plain(t) for t in self.oracle.list(newest, **options)
        ]


def _plain(found: CheckpointTuple | None) -> Any:
    if found is None:
        return None
    parent = found.parent_config["configurable"] if found.parent_config else None
    return [
        found.config["configurable"],
        _value(dict(found.checkpoint)),
        dict(found.metadata),
        parent,
        _value(found.pending_writes),
    ]


def _value(value: Any) -> Any:
    """A value with its types, so that 1, 1.0 and True differ."""
    if isinstance(value, BaseMessage):
        return type(value).__name__, _value(value.model_dump())
    if isinstance(value, dict):
        return {key: _value(item) for key, item in value.items()}
    if isinstance(value, _DeltaSnapshot):
        return "snapshot", _value(value.value)
    if isinstance(value, list | tuple):
        return [_value(item) for item in value]
    if isinstance(value, Send):
        return "send", value.node, _value(value.arg)
    return type(value).__name__, repr(value)


async def _play(url: str, given: list[Any]) -> None:
    async with SessionSaver.from_url(url) as saver:
        await saver.adelete_thread("thread")
        pair = Pair(saver)
        await pair.put({"count": 0}, 0)
        for number, (action, channel, value, more, pick) in enumerate(given, 1):
            if action == "put":
                await pair.put({channel: value}, number)
            elif action == "append":
                before = pair.parent["channel_values"].get("messages") if pair.parent else None
                await pair.put({"messages": [*(before if isinstance(before, list) else []), *more]}, number)
            elif action == "write":
                await pair.write(channel, value, pick)
            elif action == "grow":
                await pair.write(DELTA, more, pick)
                await pair.put({}, number, (DELTA,))
            elif action == "whole":
                await pair.put({DELTA: _DeltaSnapshot(more)}, number)
            elif action == "begin":
                await pair.begin()
            else:
                pair.parent = pair.made[pick % len(pair.made)]
        await pair.same(saver)
    async with SessionSaver.from_url(url) as other:
        await pair.same(other)


def _check(url: str) -> Callable[[], None]:
    @settings(max_examples=15)
    @given(steps)
    def run(given: list[Any]) -> None:
        asyncio.run(_play(url, given))

    return run


def test_random_threads_read_as_they_would_from_memory(db_url: str) -> None:
    _check(db_url)()
