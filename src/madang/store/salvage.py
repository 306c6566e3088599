"""What of a session's checkpoints can't be read, and how to keep the rest readable.

A list loses the items that are damaged, a dict the entries; a value that is gone whole falls back to the one its
channel had in the checkpoint before. A checkpoint whose own bookkeeping is damaged is passed over by its children.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from langgraph.checkpoint.base import Checkpoint
from typing_extensions import override

from madang.errors import UnreadableData
from madang.store.saver import SessionSaver
from madang.store.saver.reading import Reader
from madang.store.saver.recipes import Sent, Splitter, pack, references
from madang.store.saver.retention import all_checkpoints
from madang.store.saver.rows import CheckpointRow, WriteRow
from madang.store.saver.shapes import Shape, root_of

Key = tuple[str, str]
Statement = tuple[str, dict[str, Any]]


@dataclass
class Damage:
    """What was found in one session, and the statements of `repair.sql` that mend it."""

    checkpoints: int = 0
    found: list[str] = field(default_factory=list)
    statements: list[Statement] = field(default_factory=list)


async def examine(saver: SessionSaver, session_id: str) -> Damage:
    """Read everything of a session. Use a saver of its own for it: what is damaged stays in its caches.

    Raises `DecryptionFailed` if the keys don't open what is there.
    """
    damage = Damage()
    rows = await all_checkpoints(saver._core, session_id)
    damage.checkpoints = len(rows)
    for namespace in sorted({row.checkpoint_ns for row in rows}):
        own = sorted((row for row in rows if row.checkpoint_ns == namespace), key=lambda row: row.checkpoint_id)
        await _Namespace(saver, session_id, namespace, damage).examine(own)
    return damage


class _Lenient(Reader):
    """Reads past runs of a list that are damaged, and caches nothing."""

    cut = False

    def _filled(self, channel: str, shape: Shape) -> Shape:
        readable = tuple(address for address in shape.segments if address not in self._bad)
        self.cut = self.cut or len(readable) < len(shape.segments)
        return super()._filled(channel, Shape(shape.kind, shape.node, shape.root, 0, readable))

    @override
    def _cache(self, key: Key, shape: Shape) -> None:
        return None


class _Namespace:
    def __init__(self, saver: SessionSaver, session_id: str, namespace: str, damage: Damage) -> None:
        self._core, self._serde = saver._core, saver.serde
        self._session_id = session_id
        self._namespace = namespace
        self._damage = damage
        self._good: dict[Key, Shape] = {}
        self._lost: set[Key] = set()

    async def examine(self, rows: list[CheckpointRow]) -> None:
        state = await self._core.state(self._session_id)
        reader = Reader(self._core, self._serde, self._session_id, self._namespace, state)
        lenient = _Lenient(self._core, self._serde, self._session_id, self._namespace, state)
        frames = self._frames(reader, rows)
        if not await _whole(reader, {key for frame in frames.values() for key in _keys(frame)}):
            for row in rows:
                if row.checkpoint_id in frames:
                    parent = frames.get(row.parent_checkpoint_id or "")
                    await self._values(lenient, frames[row.checkpoint_id], parent)
        writes = await self._core.shelf.writes(self._session_id, self._namespace, list(frames), None)
        for write in writes:
            await self._write(lenient, write)
        for address in reader._bad | lenient._bad:
            # A damaged chunk must not stand in for the same content when that is written again.
            self._mend("drop_chunk", session_id=self._session_id, address=address)

    def _frames(self, reader: Reader, rows: Iterable[CheckpointRow]) -> dict[str, Checkpoint]:
        frames: dict[str, Checkpoint] = {}
        for row in rows:
            try:
                frames[row.checkpoint_id] = reader.frame(row)[0]
            except (UnreadableData, ValueError, TypeError, KeyError):
                self._note(f"checkpoint {row.checkpoint_id} can't be read: passed over")
                place = self._place(checkpoint_id=row.checkpoint_id)
                self._mend("skip_parent", **place, grandparent=row.parent_checkpoint_id)
                self._mend("drop_writes", **place)
                self._mend("drop_checkpoint", **place)
        return frames

    async def _values(self, reader: _Lenient, frame: Checkpoint, parent: Checkpoint | None) -> None:
        for key in _keys(frame):
            if key in self._good or key in self._lost:
                continue
            shape, whole = await _read(reader, key)
            channel, version = key
            if shape is None and parent is not None and channel in parent["channel_versions"]:
                earlier = self._good.get((channel, str(parent["channel_versions"][channel])))
                shape = earlier if earlier is not None and earlier.kind not in ("absent", "history") else None
            if shape is None:
                self._lost.add(key)
                self._note(f"channel {channel!r} version {version} can't be read: left out")
                self._mend("drop_blob", **self._place(channel=channel, version=version))
                continue
            self._good[key] = shape
            if not whole:
                self._note(f"channel {channel!r} version {version} can't be read in full: the rest is kept")
                self._rewrite(reader, key, shape)

    def _rewrite(self, reader: Reader, key: Key, shape: Shape) -> None:
        splitter = Splitter(self._serde, self._core.address)
        if shape.kind in ("list", "delta", "snapshot-list"):
            kind = "snapshot-list" if shape.kind == "snapshot-list" else "list"
            recipe = root_of(splitter, kind, shape.node, key[1]).recipe
        else:
            kind, recipe = shape.kind, b"" if shape.kind == "null" else pack(shape.node)
        for address, raw in splitter.chunks.items():
            self._mend("put_chunk", **self._core.chunk_row(reader.state, self._session_id, address, raw)._asdict())
        blob = b""
        if recipe or self._core.keyring is not None:
            blob = self._core.protect(reader.state, recipe, self._session_id, self._namespace, *key, kind)
        self._mend("put_blob", **self._place(channel=key[0], version=key[1]), type=kind, blob=blob)

    async def _write(self, reader: _Lenient, write: WriteRow) -> None:
        reader.cut = False
        try:
            shape = reader.write_shape(write)
            await reader.load([shape])
            damaged = reader.cut or any(address not in reader.state.chunks for address in shape.references())
        except UnreadableData:
            damaged = True
        if damaged:
            # Without any of its writes a task that matters still runs again; with half of them it would not.
            self._note(f"a write of task {write.task_id} to {write.channel!r} can't be read: its task is forgotten")
            self._mend("drop_task", **self._place(checkpoint_id=write.checkpoint_id, task_id=write.task_id))

    def _place(self, **more: Any) -> dict[str, Any]:
        return {"session_id": self._session_id, "checkpoint_ns": self._namespace, **more}

    def _note(self, what: str) -> None:
        if what not in self._damage.found:
            self._damage.found.append(what)

    def _mend(self, statement: str, **params: Any) -> None:
        self._damage.statements.append((statement, params))


async def _whole(reader: Reader, keys: set[Key]) -> bool:
    """Whether everything can be read, at once: the usual case."""
    try:
        shapes = await reader.shapes(keys)
        await reader.load(shapes.values())
    except UnreadableData:
        return False
    return all(address in reader.state.chunks for shape in shapes.values() for address in references(shape.node))


async def _read(reader: _Lenient, key: Key) -> tuple[Shape | None, bool]:
    """What can be read of a channel's version, and whether that is all of it."""
    reader.cut = False
    try:
        shape = (await reader.shapes({key}))[key]
        await reader.load([shape])
    except UnreadableData:
        return None, False
    bad = {address for address in references(shape.node) if address not in reader.state.chunks}
    if not bad:
        return shape, not reader.cut
    if type(shape.node) is bytes or shape.kind == "history":
        return None, False
    kind = "list" if shape.kind == "delta" else shape.kind
    return Shape(kind, _without(shape.node, bad), key[1]), False


def _without(node: Any, bad: set[bytes]) -> Any:
    """A node without the parts that are damaged."""
    kind = type(node)
    if kind is list:
        return [_without(item, bad) for item in node if not (type(item) is bytes and item in bad)]
    if kind is dict:
        return {key: _without(item, bad) for key, item in node.items() if not (type(item) is bytes and item in bad)}
    if kind is Sent:
        return node if type(node.arg) is bytes else Sent(node.node, _without(node.arg, bad))
    return node


def _keys(frame: Checkpoint) -> list[Key]:
    versions: Mapping[str, Any] = frame["channel_versions"]
    return [(channel, str(version)) for channel, version in versions.items() if channel not in frame["channel_values"]]
