"""The history of delta channels: the writes that lead to a checkpoint, from the nearest stored value on."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import DeltaChannelHistory, PendingWrite
from langgraph.checkpoint.serde.base import SerializerProtocol

from madang.store.saver.core import Core
from madang.store.saver.reading import Reader
from madang.store.saver.rows import CheckpointRow, WriteRow
from madang.store.saver.shapes import Shape, from_node, to_node
from madang.store.saver.writing import Place

FIRST_STRETCH = 128

Entry = tuple[str, Shape]
"""A task's id and what it wrote."""


class Past:
    """What is known of one channel's past, newest first while it is collected."""

    def __init__(self) -> None:
        self.entries: list[Entry] = []
        self.seed: Shape | Any = None
        self.done = False


async def channel_history(
    core: Core, serde: SerializerProtocol, config: RunnableConfig, channels: Sequence[str]
) -> Mapping[str, DeltaChannelHistory]:
    """Per channel its writes oldest first, and the value they start from unless that is empty."""
    if not channels:
        return {}
    place = Place.of(config)
    reader = Reader(core, serde, place.session_id, place.checkpoint_ns, await core.state(place.session_id))
    checkpoint_id = place.checkpoint_id
    if checkpoint_id is None:
        newest = await core.shelf.newest(place.session_id, place.checkpoint_ns, None)
        if newest is None:
            return {channel: {"writes": []} for channel in channels}
        checkpoint_id = newest[0].checkpoint_id
    pasts = await collect(reader, checkpoint_id, channels)
    seeds = [past.seed for past in pasts.values() if isinstance(past.seed, Shape)]
    await reader.load([*seeds, *(shape for past in pasts.values() for _, shape in past.entries)])
    return {channel: _history(reader, channel, past) for channel, past in pasts.items()}


def _history(reader: Reader, channel: str, past: Past) -> DeltaChannelHistory:
    writes: list[PendingWrite] = [
        (task_id, channel, reader.value(channel, shape)) for task_id, shape in reversed(past.entries)
    ]
    history: DeltaChannelHistory = {"writes": writes}
    if isinstance(past.seed, Shape):
        history["seed"] = reader.value(channel, past.seed)
    elif past.seed is not None:
        history["seed"] = past.seed[0]
    return history


async def collect(reader: Reader, checkpoint_id: str, channels: Sequence[str]) -> dict[str, Past]:
    """Walks from a checkpoint towards the root until every channel's stored value is found."""
    pasts = {channel: Past() for channel in channels}
    await _own_history(reader, checkpoint_id, pasts)
    stretch, cursor = FIRST_STRETCH, checkpoint_id
    while not all(past.done for past in pasts.values()):
        line = await reader.core.shelf.lineage(reader.session_id, reader.checkpoint_ns, cursor, stretch)
        if len(line) < 2:
            break
        await _walk(reader, line[1:], pasts)
        if len(line) < stretch:
            break
        cursor, stretch = line[-1].checkpoint_id, stretch * 4
    return pasts


async def _own_history(reader: Reader, checkpoint_id: str, pasts: dict[str, Past]) -> None:
    """A pruned checkpoint carries the past of its delta channels itself."""
    line = await reader.core.shelf.lineage(reader.session_id, reader.checkpoint_ns, checkpoint_id, 1)
    if not line or line[0].parent_checkpoint_id is not None:
        return
    versions = reader.frame(line[0])[0]["channel_versions"]
    shapes = await reader.shapes({(channel, str(versions[channel])) for channel in pasts if channel in versions})
    for (channel, _), shape in shapes.items():
        if shape.kind == "history":
            _continue_with(pasts[channel], shape)


async def _walk(reader: Reader, line: Sequence[CheckpointRow], pasts: dict[str, Past]) -> None:
    wanted = [channel for channel, past in pasts.items() if not past.done]
    frames = {row.checkpoint_id: reader.frame(row)[0] for row in line}
    keys = {
        (channel, str(frame["channel_versions"][channel]))
        for frame in frames.values()
        for channel in wanted
        if channel in frame["channel_versions"] and channel not in frame["channel_values"]
    }
    shapes = await reader.shapes(keys)
    writes: dict[str, list[WriteRow]] = defaultdict(list)
    ids = [row.checkpoint_id for row in line]
    for write in await reader.core.shelf.writes(reader.session_id, reader.checkpoint_ns, ids, wanted):
        writes[write.checkpoint_id].append(write)
    for row in line:
        frame = frames[row.checkpoint_id]
        for write in reversed(writes[row.checkpoint_id]):
            if not pasts[write.channel].done:
                pasts[write.channel].entries.append((write.task_id, reader.write_shape(write)))
        for channel in wanted:
            past = pasts[channel]
            if past.done or channel not in frame["channel_versions"]:
                continue
            if channel in frame["channel_values"]:
                past.seed, past.done = [frame["channel_values"][channel]], True
                continue
            shape = shapes[channel, str(frame["channel_versions"][channel])]
            if shape.kind == "history":
                _continue_with(past, shape)
            elif shape.kind != "absent":
                past.seed, past.done = shape, True


def _continue_with(past: Past, shape: Shape) -> None:
    """Goes on with the past that was stored when the ancestors were pruned."""
    seed, entries = shape.node
    past.entries += [(task_id, from_node(kind, node)) for task_id, kind, node in reversed(entries)]
    past.seed, past.done = None if seed is None else from_node(*seed), True


def kept_past(past: Past) -> Any:
    """A channel's past as the node of a `history` row."""
    seed = past.seed
    if seed is not None:
        seed = [seed.kind, to_node(seed)] if isinstance(seed, Shape) else ["msgpack", seed[0]]
    return [seed, [[task_id, shape.kind, to_node(shape)] for task_id, shape in reversed(past.entries)]]
