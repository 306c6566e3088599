"""`get_tuple` and `list`: rows as checkpoints again."""

from collections import defaultdict
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from functools import partial
from typing import Any, cast

import orjson
from langchain_core.messages import BaseMessage
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import Checkpoint, CheckpointMetadata, CheckpointTuple, PendingWrite
from langgraph.checkpoint.serde.base import SerializerProtocol

from madang.errors import UnreadableData
from madang.store.saver import checkpoint_ids, policy
from madang.store.saver.caches import Head, SessionState
from madang.store.saver.core import Core, MissingDictionary
from madang.store.saver.frames import is_ours, unpack_frame
from madang.store.saver.live import LiveMessages, Snapshot
from madang.store.saver.messages import Frozen, many_objects, thaw_all
from madang.store.saver.recipes import build, load, references, snapshot, unpack
from madang.store.saver.rows import BlobRow, CheckpointRow, WriteRow
from madang.store.saver.shapes import ABSENT, LIST_KINDS, Shape, decode, decode_delta
from madang.store.saver.writing import Place

PAGE = 32

Key = tuple[str, str]
"""A channel and a version."""


async def get_tuple(core: Core, serde: SerializerProtocol, config: RunnableConfig) -> CheckpointTuple | None:
    """One checkpoint, the newest if the config names none. Raises `UnreadableData` naming what is damaged."""
    place = Place.of(config)
    found = await core.shelf.newest(place.session_id, place.checkpoint_ns, place.checkpoint_id)
    if found is None:
        if not place.checkpoint_ns and place.checkpoint_id is None:
            core.begin(place.session_id)
        return None
    row, writes = found
    checkpoint_ids.seen(row.checkpoint_id)
    reader = Reader(core, serde, place.session_id, place.checkpoint_ns, await core.state(place.session_id))
    reader.lends = place.checkpoint_id is None
    [result] = await core.informed(place.session_id, lambda: reader.tuples([row], {row.checkpoint_id: writes}))
    if place.checkpoint_id is None:
        reader.note_head(result, writes)
    return result


async def list_tuples(
    core: Core,
    serde: SerializerProtocol,
    config: RunnableConfig | None,
    *,
    filter: Mapping[str, Any] | None = None,  # noqa: A002 - LangGraph's name
    before: RunnableConfig | None = None,
    limit: int | None = None,
) -> AsyncIterator[CheckpointTuple]:
    """Checkpoints newest first, a page at a time."""
    given = config["configurable"] if config else {}
    place = Place.of(config) if config else None
    bound = before["configurable"].get("checkpoint_id") if before else None
    after: tuple[str, str, str] | None = None
    left = limit
    while left is None or left > 0:
        size = PAGE if left is None or filter else min(PAGE, left)
        rows = await core.shelf.checkpoints(
            place.session_id if place else None,
            given.get("checkpoint_ns"),
            checkpoint_id=place.checkpoint_id if place else None,
            before=bound,
            after=after,
            limit=size,
        )
        for group in _groups(rows):
            session_id, ns = group[0].session_id, group[0].checkpoint_ns
            reader = Reader(core, serde, session_id, ns, await core.state(session_id))
            fitting = await core.informed(session_id, partial(reader.matching, group, filter or {}))
            chosen = fitting[:left]
            ids = [row.checkpoint_id for row in chosen]
            by_checkpoint: dict[str, list[WriteRow]] = defaultdict(list)
            for write in await core.shelf.writes(session_id, ns, ids, None):
                by_checkpoint[write.checkpoint_id].append(write)
            read = partial(reader.tuples, chosen, by_checkpoint)
            for made in await core.informed(session_id, read):
                yield made
            if left is not None:
                left -= len(chosen)
        if len(rows) < size:
            return
        after = (rows[-1].session_id, rows[-1].checkpoint_ns, rows[-1].checkpoint_id)


def _groups(rows: Sequence[CheckpointRow]) -> Iterable[list[CheckpointRow]]:
    group: list[CheckpointRow] = []
    for row in rows:
        if group and group[0][:2] != row[:2]:
            yield group
            group = []
        group.append(row)
    if group:
        yield group


class Reader:
    """Reads one namespace of one session."""

    def __init__(
        self, core: Core, serde: SerializerProtocol, session_id: str, checkpoint_ns: str, state: SessionState
    ) -> None:
        self.core = core
        self.serde = serde
        self.session_id = session_id
        self.checkpoint_ns = checkpoint_ns
        self.state = state
        self.lends = False
        """Whether this is the read that a run begins with: messages kept live may be handed out again."""
        self._shared: dict[Frozen, BaseMessage] | None = None
        """Messages that several checkpoints of one page hold: made once for all of them."""
        self._bad: set[bytes] = set()

    async def tuples(
        self, rows: Sequence[CheckpointRow], writes: Mapping[str, Sequence[WriteRow]]
    ) -> list[CheckpointTuple]:
        frames = [self.frame(row) for row in rows]
        keys = {
            (channel, str(version))
            for checkpoint, _ in frames
            for channel, version in checkpoint["channel_versions"].items()
            if channel not in checkpoint["channel_values"]
        }
        shapes = await self.shapes(keys)
        parts = {
            (write.checkpoint_id, write.task_id, write.idx): self.write_shape(write)
            for row in rows
            for write in writes.get(row.checkpoint_id, ())
        }
        await self.load([*shapes.values(), *parts.values()])
        self._shared = {} if len(rows) > 1 else None
        with many_objects():
            return [
                self._tuple(row, frame, shapes, writes.get(row.checkpoint_id, ()), parts)
                for row, frame in zip(rows, frames, strict=True)
            ]

    async def matching(self, rows: Sequence[CheckpointRow], wanted: Mapping[str, Any]) -> list[CheckpointRow]:
        """The checkpoints whose metadata has these entries."""
        if not wanted:
            return list(rows)
        metadata: list[Mapping[str, Any]] = [cast("Mapping[str, Any]", self.frame(row)[1]) for row in rows]
        return [
            row
            for row, known in zip(rows, metadata, strict=True)
            if all(key in known and known[key] == value for key, value in wanted.items())
        ]

    def frame(self, row: CheckpointRow) -> tuple[Checkpoint, CheckpointMetadata]:
        """A checkpoint without the values that have rows of their own."""
        raw = self.core.reveal(self.state, row.packed, self.session_id, self.checkpoint_ns, row.checkpoint_id)
        packed, hidden = unpack_frame(raw, self.serde)
        if self.core.keyring is not None:
            # What stands beside a sealed frame is for queries: whoever can write to the database may have changed it.
            shown, metadata = {"ts": packed["ts"], "channel_values": {}}, packed.pop("metadata")
        else:
            shown, metadata = orjson.loads(row.checkpoint), row.metadata
        values = shown["channel_values"] | hidden
        checkpoint = {"v": 0, "ts": shown["ts"], "id": row.checkpoint_id, "channel_values": values} | packed
        return cast("Checkpoint", checkpoint), orjson.loads(metadata)

    async def shapes(self, keys: Iterable[Key]) -> dict[Key, Shape]:
        """The shapes of channel versions, complete but for their chunks. Versions without a row are `ABSENT`."""
        found: dict[Key, Shape] = {}
        wanted: list[Key] = []
        for key in keys:
            cached = self.core.shapes.get((self.session_id, self.checkpoint_ns, *key)) if is_ours(key[1]) else None
            if cached is None:
                wanted.append(key)
            else:
                found[key] = cached
        if wanted:
            rows = await self.core.shelf.blobs(self.session_id, self.checkpoint_ns, wanted)
            fresh = {(row.channel, row.version): row for row in rows}
            lists = await self._lists([row for row in rows if row.type in LIST_KINDS])
            for key in wanted:
                row = fresh.get(key)
                if row is None:
                    found[key] = ABSENT
                elif row.type in LIST_KINDS:
                    found[key] = lists[key]
                else:
                    found[key] = decode(row.type, self.recipe(row), row.version)
                self._cache(key, found[key])
        return found

    def recipe(self, row: BlobRow) -> bytes:
        if row.type == "null" and self.core.keyring is None:
            return b""
        identity = (self.session_id, self.checkpoint_ns, row.channel, row.version, row.type)
        try:
            return self.core.reveal(self.state, row.blob, *identity)
        except MissingDictionary:
            raise
        except UnreadableData as error:
            raise UnreadableData(
                f"session {self.session_id}: channel {row.channel!r} version {row.version} is damaged",
                session_id=self.session_id,
                channel=row.channel,
            ) from error

    def _cache(self, key: Key, shape: Shape) -> None:
        if is_ours(key[1]):
            self.core.shapes.put((self.session_id, self.checkpoint_ns, *key), shape, shape.weight)

    async def _lists(self, rows: Sequence[BlobRow]) -> dict[Key, Shape]:
        """Lists with all their items: a delta is followed back to its root."""
        chains = {(row.channel, row.version): row for row in rows}
        spans: dict[str, tuple[str, str]] = {}
        for row in rows:
            if row.type == "delta":
                low = decode_delta(self.recipe(row))[0]
                span = spans.get(row.channel, (low, row.version))
                spans[row.channel] = (min(low, span[0]), max(row.version, span[1]))
        for channel, (low, high) in spans.items():
            more = await self.core.shelf.blob_range(self.session_id, self.checkpoint_ns, channel, low, high)
            chains |= {(row.channel, row.version): row for row in more}
        roots = {
            key: decode(row.type, self.recipe(row), row.version) for key, row in chains.items() if row.type != "delta"
        }
        segments = {address for shape in roots.values() for address in shape.segments}
        self._bad |= await self.core.read_chunks(self.state, self.serde, self.session_id, segments)
        done: dict[Key, Shape] = {}
        for row in rows:
            self._follow((row.channel, row.version), chains, roots, done)
        return {(row.channel, row.version): done[row.channel, row.version] for row in rows}

    def _follow(
        self, key: Key, chains: Mapping[Key, BlobRow], roots: Mapping[Key, Shape], done: dict[Key, Shape]
    ) -> None:
        path: list[tuple[Key, str, str, int, list[Any]]] = []
        cursor = key
        while cursor not in done and cursor not in roots:
            row = chains.get(cursor)
            if row is None or len(path) > len(chains):
                raise self._damaged(key[0], f"version {cursor[1]} that it builds on is missing")
            root, base, keep, added = decode_delta(self.recipe(row))
            path.append((cursor, root, base, keep, added))
            cursor = (key[0], base)
        if cursor not in done:
            done[cursor] = self._filled(cursor[0], roots[cursor])
        for here, _root, base, keep, added in reversed(path):
            below = done[here[0], base]
            done[here] = Shape("delta", [*below.node[:keep], *added], below.root, below.depth + 1)

    def _filled(self, channel: str, shape: Shape) -> Shape:
        items: list[Any] = []
        for address in shape.segments:
            if address in self._bad:
                raise self._damaged(channel, f"chunk {address.hex()} is missing or damaged")
            raw = self.state.chunks[address]
            items += unpack(raw if isinstance(raw, bytes) else b"")
        return Shape(shape.kind, items + shape.node, shape.root, 0, shape.segments)

    def write_shape(self, row: WriteRow) -> Shape:
        """The shape of a task's write; its lists are never deltas."""
        if row.type == "null" and self.core.keyring is None:
            return Shape("null")
        place = (self.session_id, self.checkpoint_ns, row.checkpoint_id, row.task_id, str(row.idx))
        identity = (*place, row.channel, row.type)
        try:
            return decode(row.type, self.core.reveal(self.state, row.blob, *identity), "")
        except MissingDictionary:
            raise
        except UnreadableData as error:
            raise self._damaged(row.channel, f"a write of task {row.task_id} is damaged") from error

    async def load(self, shapes: Iterable[Shape]) -> None:
        """Makes the chunks of shapes available."""
        everything = list(shapes)
        chunks = self.state.chunks
        missing: set[bytes] = set()
        segmented = [shape for shape in everything if shape.segments and shape.root == ""]
        if segmented:
            wanted = [address for shape in segmented for address in shape.segments]
            self._bad |= await self.core.read_chunks(self.state, self.serde, self.session_id, wanted)
            for shape in segmented:
                filled = self._filled("", shape)
                shape.node, shape.segments = filled.node, ()
        for shape in everything:
            if shape.frozen is not None and None not in shape.frozen and len(shape.frozen) == len(shape.node):
                continue
            missing |= {address for address in _addresses(shape) if address not in chunks}
        self._bad |= await self.core.read_chunks(self.state, self.serde, self.session_id, missing)

    def value(self, channel: str, shape: Shape, messages: list[BaseMessage] | None = None) -> Any:
        """A new object, of `messages` if they are made already.

        Raises `UnreadableData` naming the channel if a chunk is damaged or a type isn't allowed.
        """
        chunks, serde = self.state.chunks, self.serde

        def chunk(address: bytes) -> Any:
            entry = chunks.get(address)
            if entry is None:
                raise self._damaged(channel, f"chunk {address.hex()} is missing or damaged")
            return entry.thaw() if type(entry) is Frozen else load(serde, cast("bytes", entry))

        with policy.reading(channel, self.session_id):
            ready = self.messages(shape) if messages is None else None
            made: Any = self._thawed(ready) if ready is not None else messages or build(shape.node, serde, chunk)
        if shape.kind == "bytearray":
            return bytearray(made)
        return snapshot(made) if shape.kind.startswith("snapshot") else made

    def _thawed(self, messages: Sequence[Frozen]) -> list[BaseMessage]:
        shared = self._shared
        if shared is None:
            return thaw_all(messages)
        fresh = [message for message in messages if message not in shared]
        shared.update(zip(fresh, thaw_all(fresh), strict=True))
        return list(map(shared.__getitem__, messages))

    def _lent(self, channel: str, version: str, shape: Shape) -> list[BaseMessage] | None:
        """A channel's messages to be given back with the next checkpoint; `None` if it holds anything else."""
        ready = self.messages(shape) if is_ours(version) and shape.kind != "snapshot-list" else None
        if ready is None:
            return None
        key = (self.checkpoint_ns, channel)
        live = self.state.live.get(key)
        if live is not None and live.version == version:
            again = live.again(ready)
            if again is not None:
                return again
        made = thaw_all(ready)
        self.state.live.put(key, LiveMessages(version, handed=Snapshot(made)))
        return made

    def messages(self, shape: Shape) -> list[Frozen] | None:
        """A list's messages, if it is a list of messages that are all ready."""
        if shape.kind not in LIST_KINDS or not shape.node:
            return None
        ready = shape.frozen
        if ready is not None and len(ready) == len(shape.node) and None not in ready:
            return cast("list[Frozen]", ready)
        if set(map(type, shape.node)) != {bytes}:
            return None
        found = list(map(self.state.chunks.get, shape.node))
        return cast("list[Frozen]", found) if set(map(type, found)) == {Frozen} else None

    def _damaged(self, channel: str, why: str) -> UnreadableData:
        return UnreadableData(
            f"session {self.session_id}: channel {channel!r} can't be read: {why}",
            session_id=self.session_id,
            checkpoint_ns=self.checkpoint_ns,
            channel=channel,
        )

    def _tuple(
        self,
        row: CheckpointRow,
        frame: tuple[Checkpoint, CheckpointMetadata],
        shapes: Mapping[Key, Shape],
        writes: Sequence[WriteRow],
        parts: Mapping[tuple[str, str, int], Shape],
    ) -> CheckpointTuple:
        checkpoint, metadata = frame
        shown = checkpoint["channel_values"]
        values: dict[str, Any] = {}
        for channel, version in checkpoint["channel_versions"].items():
            if channel in shown:
                values[channel] = shown[channel]
                continue
            shape = shapes[channel, str(version)]
            if shape.kind not in ("absent", "history"):
                lent = self._lent(channel, str(version), shape) if self.lends else None
                values[channel] = self.value(channel, shape) if lent is None else lent
        pending: list[PendingWrite] = [
            (
                write.task_id,
                write.channel,
                self.value(write.channel, parts[row.checkpoint_id, write.task_id, write.idx]),
            )
            for write in writes
        ]
        place = Place(row.session_id, row.checkpoint_ns, row.checkpoint_id)
        return CheckpointTuple(
            config=place.config(row.checkpoint_id),
            checkpoint={**checkpoint, "channel_values": values},
            metadata=metadata,
            parent_config=place.config(row.parent_checkpoint_id) if row.parent_checkpoint_id else None,
            pending_writes=pending,
        )

    def note_head(self, found: CheckpointTuple, writes: Sequence[WriteRow]) -> None:
        """Remembers the newest checkpoint, with all that it and its writes refer to."""
        checkpoint = found.checkpoint
        key = (self.session_id, self.checkpoint_ns)
        known = self.core.heads.get(key)
        if known is not None and known.checkpoint_id == checkpoint["id"]:
            known.followed.read(writes)
            return
        stored = {address for write in writes for address in self.write_shape(write).references()}
        valued = frozenset(checkpoint["channel_values"])
        head = Head(checkpoint["id"], dict(checkpoint["channel_versions"]), stored, valued)
        head.followed.read(writes)
        self.core.heads.put(key, head, head.weight)
        for channel, version in checkpoint["channel_versions"].items():
            shape = self.core.shapes.get((*key, channel, str(version))) if is_ours(version) else None
            if shape is not None and shape.kind in ("list", "delta") and shape.frozen is None:
                shape.frozen = [self._ready(item) for item in shape.node]

    def _ready(self, item: Any) -> Frozen | None:
        entry = self.state.chunks.get(item) if type(item) is bytes else None
        return entry if type(entry) is Frozen else None


def _addresses(shape: Shape) -> Iterable[bytes]:
    node = shape.node
    if type(node) is list and shape.kind in LIST_KINDS:
        flat = [item for item in node if type(item) is bytes]
        if len(flat) == len(node):
            return flat
    return references(node)
