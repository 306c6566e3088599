"""What must be moved and may be deleted when only some checkpoints of a thread are kept."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from langgraph.checkpoint.serde.base import SerializerProtocol

from madang.store.codec import is_dictionary
from madang.store.saver.core import Core
from madang.store.saver.history import collect, kept_past
from madang.store.saver.reading import Reader
from madang.store.saver.recipes import Splitter, pack, references, unpack
from madang.store.saver.rows import CheckpointRow
from madang.store.saver.shapes import LIST_KINDS, Shape, decode_delta, root_of

PAGE = 256


@dataclass(slots=True)
class Plan:
    """Rows to add, change and delete, as parameters of the named queries."""

    dropped: list[dict[str, Any]] = field(default_factory=list)
    orphans: list[dict[str, Any]] = field(default_factory=list)
    new_blobs: list[dict[str, Any]] = field(default_factory=list)
    new_chunks: list[dict[str, Any]] = field(default_factory=list)
    dropped_blobs: list[dict[str, Any]] = field(default_factory=list)
    dropped_chunks: list[dict[str, Any]] = field(default_factory=list)


async def make_plan(core: Core, serde: SerializerProtocol, session_id: str, keep: Mapping[str, frozenset[str]]) -> Plan:
    """Reads a session and says what keeping only `keep` takes."""
    return await core.informed(session_id, lambda: _plan(core, serde, session_id, keep))


async def _plan(core: Core, serde: SerializerProtocol, session_id: str, keep: Mapping[str, frozenset[str]]) -> Plan:
    plan = Plan()
    used: set[bytes] = set()
    versions: set[tuple[str, str, str]] = set()
    rows = await all_checkpoints(core, session_id)
    for ns in {row.checkpoint_ns for row in rows}:
        work = _Namespace(core, serde, session_id, ns, plan)
        await work.sort_out([row for row in rows if row.checkpoint_ns == ns], keep.get(ns, frozenset()))
        used |= work.used
        versions |= {(ns, *key) for key in work.versions}
    sql = core.database.queries("saver_upkeep")
    async with core.database.reader() as reader:
        blobs = await reader.fetch(sql["blob_keys"], {"session_id": session_id})
        chunks = await reader.fetch(sql["chunk_addresses"], {"session_id": session_id})
    plan.dropped_blobs = [
        {"session_id": session_id, **row}
        for row in blobs
        if (row["checkpoint_ns"], row["channel"], row["version"]) not in versions
    ]
    plan.dropped_chunks = [
        {"session_id": session_id, "address": row["address"]}
        for row in chunks
        if bytes(row["address"]) not in used and not (rows and is_dictionary(bytes(row["address"])))
    ]
    return plan


async def all_checkpoints(core: Core, session_id: str) -> list[CheckpointRow]:
    """The rows of all of a session's checkpoints, a page at a time."""
    rows: list[CheckpointRow] = []
    after: tuple[str, str, str] | None = None
    while True:
        page = await core.shelf.checkpoints(session_id, None, after=after, limit=PAGE)
        rows += page
        if len(page) < PAGE:
            return rows
        after = (page[-1].session_id, page[-1].checkpoint_ns, page[-1].checkpoint_id)


class _Namespace:
    def __init__(self, core: Core, serde: SerializerProtocol, session_id: str, ns: str, plan: Plan) -> None:
        self.core = core
        self.serde = serde
        self.session_id = session_id
        self.ns = ns
        self.plan = plan
        self.used: set[bytes] = set()
        self.versions: set[tuple[str, str]] = set()

    async def sort_out(self, rows: list[CheckpointRow], keep: frozenset[str]) -> None:
        state = await self.core.state(self.session_id)
        reader = Reader(self.core, self.serde, self.session_id, self.ns, state)
        kept = [row for row in rows if row.checkpoint_id in keep]
        dropped = {row.checkpoint_id for row in rows} - keep
        self.plan.dropped += [self._key(checkpoint_id) for checkpoint_id in dropped]
        frames = {row.checkpoint_id: reader.frame(row) for row in kept}
        for checkpoint, _ in frames.values():
            self.versions |= {(channel, str(v)) for channel, v in checkpoint["channel_versions"].items()}
        await self._lists(reader)
        for row in kept:
            if row.parent_checkpoint_id in dropped:
                self.plan.orphans.append(self._key(row.checkpoint_id))
                checkpoint, metadata = frames[row.checkpoint_id]
                await self._past(reader, row.checkpoint_id, checkpoint, metadata)
        writes = await self.core.shelf.writes(self.session_id, self.ns, [row.checkpoint_id for row in kept], None)
        await self._use(reader, [reader.write_shape(write) for write in writes])

    async def _lists(self, reader: Reader) -> None:
        """Marks what kept versions are made of; a list whose base goes becomes a root."""
        shapes = await reader.shapes(self.versions)
        await self._use(reader, shapes.values())
        deltas = [key for key, shape in shapes.items() if shape.kind == "delta"]
        for row in await self.core.shelf.blobs(self.session_id, self.ns, deltas):
            base = decode_delta(reader.recipe(row))[1]
            if (row.channel, base) not in self.versions:
                self._rewrite(reader, row.channel, row.version, shapes[row.channel, row.version])

    def _rewrite(self, reader: Reader, channel: str, version: str, shape: Shape) -> None:
        splitter = Splitter(self.serde, self.core.address)
        made = root_of(splitter, "list", shape.node, version)
        self._put(reader, channel, version, "list", made.recipe)
        for address, raw in splitter.chunks.items():
            row = self.core.chunk_row(reader.state, self.session_id, address, raw)
            self.plan.new_chunks.append(row._asdict())
            self.used.add(address)

    def _put(self, reader: Reader, channel: str, version: str, kind: str, recipe: bytes) -> None:
        blob = self.core.protect(reader.state, recipe, self.session_id, self.ns, channel, version, kind)
        self.plan.new_blobs.append(
            {
                "session_id": self.session_id,
                "checkpoint_ns": self.ns,
                "channel": channel,
                "version": version,
                "type": kind,
                "blob": blob,
            }
        )

    async def _past(self, reader: Reader, checkpoint_id: str, checkpoint: Any, metadata: Any) -> None:
        """Gives a checkpoint that loses its ancestors the past of its delta channels."""
        versions = checkpoint["channel_versions"]
        counted = metadata.get("counters_since_delta_snapshot") or {}
        channels = [c for c in counted if c in versions and c not in checkpoint["channel_values"]]
        stored = await reader.shapes({(channel, str(versions[channel])) for channel in channels})
        absent = [channel for channel in channels if stored[channel, str(versions[channel])].kind == "absent"]
        if not absent:
            return
        pasts = await collect(reader, checkpoint_id, absent)
        shapes = [shape for past in pasts.values() for _, shape in past.entries]
        shapes += [past.seed for past in pasts.values() if isinstance(past.seed, Shape)]
        await self._use(reader, shapes)
        for channel, past in pasts.items():
            self._put(reader, channel, str(versions[channel]), "history", pack(kept_past(past)))

    async def _use(self, reader: Reader, shapes: Iterable[Shape]) -> None:
        """Marks all that shapes refer to, also inside the runs of their lists."""
        segmented: list[Shape] = []
        for shape in shapes:
            self.used |= shape.references()
            if shape.segments or (shape.kind == "history" and shape.node):
                segmented.append(shape)
        segments = {address for shape in segmented for address in shape.segments}
        segments |= {a for shape in segmented if shape.kind == "history" for a in _history_segments(shape)}
        await self.core.read_chunks(reader.state, self.serde, self.session_id, segments)
        for address in segments:
            raw = reader.state.chunks.get(address)
            if isinstance(raw, bytes):
                self.used |= set(references(unpack(raw)))

    def _key(self, checkpoint_id: str) -> dict[str, Any]:
        return {"session_id": self.session_id, "checkpoint_ns": self.ns, "checkpoint_id": checkpoint_id}


def _history_segments(shape: Shape) -> Iterable[bytes]:
    seed, entries = shape.node
    for kind, node in ([seed] if seed else []) + [entry[1:] for entry in entries]:
        if kind in LIST_KINDS:
            yield from node[0]
