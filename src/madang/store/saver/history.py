"""The history of delta channels: the writes that lead to a checkpoint, from the nearest stored value on."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import partial
from itertools import islice
from typing import Any

from langchain_core.messages import BaseMessage
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import Checkpoint, DeltaChannelHistory
from langgraph.checkpoint.serde.base import SerializerProtocol

from madang.store.saver.core import Core
from madang.store.saver.live import LentMessages
from madang.store.saver.messages import Frozen, many_objects, thaw_all
from madang.store.saver.pasts import Past
from madang.store.saver.reading import Reader
from madang.store.saver.rows import CheckpointRow, WriteRow
from madang.store.saver.shapes import Shape, from_node, to_node
from madang.store.saver.writing import Place

FIRST_STRETCH = 16
LONGEST_STRETCH = 1024


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
    pasts = await core.informed(place.session_id, partial(collect, reader, checkpoint_id, channels))
    seeds = [past.seed for past in pasts.values() if isinstance(past.seed, Shape)]
    await reader.load([*seeds, *(shape for past in pasts.values() for _, shape in past.entries)])
    head = core.heads.get((place.session_id, place.checkpoint_ns))
    newest_known = head is not None and head.checkpoint_id == checkpoint_id
    if head is not None and newest_known:
        head.follow(channels)
    with many_objects():
        return {channel: _history(reader, channel, past, lends=newest_known) for channel, past in pasts.items()}


def _history(reader: Reader, channel: str, past: Past, *, lends: bool) -> DeltaChannelHistory:
    """The values of a channel's past, new objects; with `lends` the messages may be those of the last run."""
    seed = [past.seed] if isinstance(past.seed, Shape) else []
    shapes = [*seed, *(shape for _, shape in reversed(past.entries))]
    ready = [reader.messages(shape) for shape in shapes]
    wanted = [message for one in ready for message in one or ()]
    made = iter(_lent(reader, channel, wanted) if lends else thaw_all(wanted))
    values = [
        reader.value(channel, shape, None if one is None else list(islice(made, len(one))))
        for shape, one in zip(shapes, ready, strict=True)
    ]
    tasks = [task_id for task_id, _ in reversed(past.entries)]
    written = zip(tasks, values[len(seed) :], strict=True)
    history: DeltaChannelHistory = {"writes": [(task_id, channel, value) for task_id, value in written]}
    if isinstance(past.seed, Shape):
        history["seed"] = values[0]
    elif past.seed is not None:
        history["seed"] = past.seed[0]
    return history


def _lent(reader: Reader, channel: str, wanted: Sequence[Frozen]) -> list[BaseMessage]:
    key = (reader.checkpoint_ns, channel)
    lent = reader.state.lent.get(key) or LentMessages()
    messages = lent.again(wanted)
    reader.state.lent.put(key, lent)
    return messages


async def collect(reader: Reader, checkpoint_id: str, channels: Sequence[str]) -> dict[str, Past]:
    """Walks from a checkpoint towards the root until every channel's stored value, or a known past, is found."""
    walk = _Walk(reader, channels)
    if walk.recall(checkpoint_id):
        return walk.pasts
    stretch, cursor = FIRST_STRETCH, checkpoint_id
    while not walk.done:
        line = await reader.core.shelf.lineage(reader.session_id, reader.checkpoint_ns, cursor, stretch)
        if cursor == checkpoint_id and line:
            await _own_history(reader, line[0], walk.pasts)
        if len(line) > 1:
            await walk.along(line[1:])
        if len(line) < stretch:
            break
        cursor, stretch = line[-1].checkpoint_id, min(LONGEST_STRETCH, stretch * 4)
    walk.remember(checkpoint_id)
    return walk.pasts


async def _own_history(reader: Reader, row: CheckpointRow, pasts: dict[str, Past]) -> None:
    """A pruned checkpoint carries the past of its delta channels itself."""
    if row.parent_checkpoint_id is not None:
        return
    versions = reader.frame(row)[0]["channel_versions"]
    shapes = await reader.shapes({(channel, str(versions[channel])) for channel in pasts if channel in versions})
    for (channel, _), shape in shapes.items():
        if shape.kind == "history":
            pasts[channel].go_on_with(stored_past(shape))


class _Walk:
    """One way back through the ancestors; remembers the past of each on the way."""

    def __init__(self, reader: Reader, channels: Sequence[str]) -> None:
        self.reader = reader
        self.pasts = {channel: Past() for channel in channels}
        self._known = reader.core.pasts
        self._passed: list[tuple[str, str, int]] = []

    @property
    def done(self) -> bool:
        return all(past.done for past in self.pasts.values())

    def _key(self, checkpoint_id: str, channel: str) -> tuple[str, str, str, str]:
        return self.reader.session_id, self.reader.checkpoint_ns, checkpoint_id, channel

    def recall(self, checkpoint_id: str) -> bool:
        """Whether all of a checkpoint's past is known already."""
        found = {channel: self._known.get(self._key(checkpoint_id, channel)) for channel in self.pasts}
        if any(past is None for past in found.values()):
            return False
        self.pasts = {channel: past for channel, past in found.items() if past is not None}
        return True

    def remember(self, checkpoint_id: str) -> None:
        for passed, channel, offset in [*self._passed, *((checkpoint_id, channel, 0) for channel in self.pasts)]:
            past = self.pasts[channel]
            known = Past(past.entries[offset:], past.seed)
            self._known.put(self._key(passed, channel), known, known.weight)

    async def along(self, line: Sequence[CheckpointRow]) -> None:
        """Goes along ancestors, nearest first."""
        reader = self.reader
        line = self._until_known(line)
        wanted = [channel for channel, past in self.pasts.items() if not past.done]
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
            for write in reversed(writes[row.checkpoint_id]):
                if not self.pasts[write.channel].done:
                    self.pasts[write.channel].entries.append((write.task_id, reader.write_shape(write)))
            for channel in wanted:
                self._arrive(row.checkpoint_id, frames[row.checkpoint_id], channel, shapes)

    def _until_known(self, line: Sequence[CheckpointRow]) -> Sequence[CheckpointRow]:
        """The ancestors up to the first whose past is known: what lies behind needn't be read."""
        channels = [channel for channel, past in self.pasts.items() if not past.done]
        for position, row in enumerate(line):
            if all(self._known.get(self._key(row.checkpoint_id, channel)) is not None for channel in channels):
                return line[: position + 1]
        return line

    def _arrive(
        self, checkpoint_id: str, frame: Checkpoint, channel: str, shapes: Mapping[tuple[str, str], Shape]
    ) -> None:
        past = self.pasts[channel]
        if past.done:
            return
        version = frame["channel_versions"].get(channel)
        known = self._known.get(self._key(checkpoint_id, channel))
        if channel in frame["channel_values"]:
            past.seed, past.done = [frame["channel_values"][channel]], True
        elif version is not None and shapes[channel, str(version)].kind == "history":
            past.go_on_with(stored_past(shapes[channel, str(version)]))
        elif version is not None and shapes[channel, str(version)].kind != "absent":
            past.seed, past.done = shapes[channel, str(version)], True
        elif known is not None:
            past.go_on_with(known)
        else:
            self._passed.append((checkpoint_id, channel, len(past.entries)))


def stored_past(shape: Shape) -> Past:
    """The past that was stored when the ancestors were pruned."""
    seed, entries = shape.node
    return Past(
        [(task_id, from_node(kind, node)) for task_id, kind, node in reversed(entries)],
        None if seed is None else from_node(*seed),
    )


def kept_past(past: Past) -> Any:
    """A channel's past as the node of a `history` row."""
    seed: Any = past.seed
    if seed is not None:
        seed = [seed.kind, to_node(seed)] if isinstance(seed, Shape) else ["msgpack", seed[0]]
    return [seed, [[task_id, shape.kind, to_node(shape)] for task_id, shape in reversed(past.entries)]]
