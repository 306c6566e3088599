"""`put` and `put_writes`: a checkpoint and its writes as rows."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import orjson
from langchain_core.messages import BaseMessage
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import (
    WRITES_IDX_MAP,
    ChannelVersions,
    Checkpoint,
    CheckpointMetadata,
    get_serializable_checkpoint_metadata,
)
from langgraph.checkpoint.serde.base import SerializerProtocol

from madang.errors import InvalidInput, InvalidName
from madang.store.saver import policy
from madang.store.saver.caches import Head, SessionState
from madang.store.saver.core import Core
from madang.store.saver.events import CommitEvent
from madang.store.saver.frames import is_ours, pack_frame
from madang.store.saver.live import LiveMessages, Snapshot
from madang.store.saver.messages import Frozen
from madang.store.saver.recipes import Splitter
from madang.store.saver.rows import Batch, BlobRow, CheckpointRow, Fence, Parent, Stale, WriteRow, short_path
from madang.store.saver.shapes import ABSENT, Base, Encoded, Shape, encode

SMALL_TEXT = 64
LONGEST_ID = 255
SHOWN = ("source", "step", "run_id")
_LARGEST_INT = 2**53


@dataclass(frozen=True, slots=True)
class Place:
    """Where in a session a checkpoint is, and on whose behalf it is written."""

    session_id: str
    checkpoint_ns: str
    checkpoint_id: str | None
    run_id: str | None = None
    fence: Fence | None = None
    between_turns: bool = False

    @classmethod
    def of(cls, config: RunnableConfig) -> "Place":
        """Reads a LangGraph config. Raises `InvalidInput` without a thread id, `InvalidName` for one that can't be."""
        given = config.get("configurable", {})
        if "thread_id" not in given:
            raise InvalidInput("a config needs configurable.thread_id")
        session_id = str(given["thread_id"])
        checked_name(session_id, "thread_id")
        run_id = given.get("run_id")
        run_id = None if run_id is None else str(run_id)
        number = given.get("__madang_fence")
        fence = Fence(run_id, number) if run_id is not None and isinstance(number, int) else None
        ns, checkpoint_id = str(given.get("checkpoint_ns") or ""), given.get("checkpoint_id") or None
        return cls(session_id, ns, checkpoint_id, run_id, fence, given.get("__madang_between_turns") is True)

    def config(self, checkpoint_id: str) -> RunnableConfig:
        return {
            "configurable": {
                "thread_id": self.session_id,
                "checkpoint_ns": self.checkpoint_ns,
                "checkpoint_id": checkpoint_id,
            }
        }


def checked_name(name: str, what: str) -> str:
    if not name or len(name) > LONGEST_ID or "\x00" in name:
        raise InvalidName(f"{what} must be 1 to {LONGEST_ID} characters without NUL")
    return name


async def put(
    core: Core,
    serde: SerializerProtocol,
    config: RunnableConfig,
    *,
    checkpoint: Checkpoint,
    metadata: CheckpointMetadata,
    new_versions: ChannelVersions,
) -> RunnableConfig:
    """Stores a checkpoint; durable when it returns.

    Raises `Fenced` if the run that writes was superseded, `SessionBusy` if it is from outside a turn and one is under
    way, `InvalidState` for a value that couldn't be read again.
    """
    place = Place.of(config)
    stored_metadata = get_serializable_checkpoint_metadata(config, metadata)
    work = _Put(core, serde, place, await core.state(place.session_id), checkpoint, stored_metadata, new_versions)
    try:
        await work.commit(trust=True)
    except Stale:
        await work.commit(trust=False)
    finally:
        core.on_the_way.arrived((place.session_id, place.checkpoint_ns, checkpoint["id"]))
    if not core.listeners:
        return place.config(checkpoint["id"])
    await core.announce(
        CommitEvent(
            kind="checkpoint",
            session_id=place.session_id,
            checkpoint_ns=place.checkpoint_ns,
            checkpoint_id=checkpoint["id"],
            run_id=place.run_id or stored_metadata.get("run_id"),
            channel_values=checkpoint["channel_values"],
            metadata=stored_metadata,
        )
    )
    return place.config(checkpoint["id"])


@dataclass(slots=True)
class _Put:
    core: Core
    serde: SerializerProtocol
    place: Place
    state: SessionState
    checkpoint: Checkpoint
    metadata: CheckpointMetadata
    new_versions: ChannelVersions

    async def commit(self, *, trust: bool) -> None:
        """Stores the rows, on the parent with `trust`, else standing alone. Raises `Stale` if the parent is gone."""
        core, place, state = self.core, self.place, self.state
        head = core.heads.get((place.session_id, place.checkpoint_ns)) if trust else None
        if head is not None and head.checkpoint_id != place.checkpoint_id:
            head = None
        splitter = Splitter(self.serde, core.address)
        made: dict[str, Encoded] = {}
        shown: dict[str, Any] = {}
        values = self.checkpoint["channel_values"]
        for channel, version in self.checkpoint["channel_versions"].items():
            if channel not in values:
                continue
            if fitsto_text(values[channel]):
                shown[channel] = values[channel]
            elif channel in self.new_versions or not trust:
                base = self._base(head, channel, str(version))
                with policy.writing(channel):
                    made[channel] = encode(values[channel], splitter, str(version), base)
        for channel in self.new_versions:
            # Not in the checkpoint's versions, but asked for: kept under the version that was given.
            if channel in values and channel not in self.checkpoint["channel_versions"]:
                with policy.writing(channel):
                    made[channel] = encode(values[channel], splitter, str(self.new_versions[channel]))
        batch = self._batch(splitter, made, shown, head, place.checkpoint_id if trust else None)
        for address, raw in splitter.chunks.items():
            core.remember(state, self.serde, address, raw)
        added = {
            channel: Snapshot(values[channel][encoded.led :])
            for channel, encoded in made.items()
            if _make_ready(encoded.shape, state, values[channel])
        }
        await core.store(state, batch)
        self._note(made, added, head)
        core.weigh(place.session_id, state)

    def _base(self, head: Head | None, channel: str, version: str) -> Base | None:
        before = head.versions.get(channel) if head else None
        if before is None or not is_ours(before) or not is_ours(version):
            return None
        before = str(before)
        shape = self.core.shapes.get((self.place.session_id, self.place.checkpoint_ns, channel, before))
        if shape is None or shape.kind == "absent":
            return None
        live = self.state.live.get((self.place.checkpoint_ns, channel))
        return Base(before, shape, live if live is not None and live.version == before else None)

    def _version(self, channel: str) -> str:
        return str(self.new_versions.get(channel, self.checkpoint["channel_versions"].get(channel)))

    def _batch(
        self,
        splitter: Splitter,
        made: Mapping[str, Encoded],
        shown: dict[str, Any],
        head: Head | None,
        parent_id: str | None,
    ) -> Batch:
        core, place, state = self.core, self.place, self.state
        session_id, ns, checkpoint_id = place.session_id, place.checkpoint_ns, self.checkpoint["id"]
        known = self._known(head, made)
        batch = Batch(session_id, fence=place.fence, between_turns=place.between_turns)
        batch.chunks = [
            core.chunk_row(state, session_id, address, raw)
            for address, raw in splitter.chunks.items()
            if address not in known
        ]
        if parent_id is not None:
            batch.parent = Parent(ns, parent_id)
        for channel, encoded in made.items():
            version = self._version(channel)
            blob = core.protect(state, encoded.recipe, session_id, ns, channel, version, encoded.kind)
            batch.blobs.append(BlobRow(session_id, ns, channel, version, encoded.kind, blob))
        sealed = core.keyring is not None
        hidden = shown if sealed else {name: shown[name] for name in shown if is_internal(name)}
        metadata = to_text(self.metadata)
        frame = pack_frame(self.checkpoint, hidden, self.serde, metadata if sealed else None)
        state.frame = frame
        readable = {name: value for name, value in shown.items() if name not in hidden}
        batch.checkpoints.append(
            CheckpointRow(
                session_id,
                ns,
                checkpoint_id,
                parent_id,
                "msgpack",
                to_text({"ts": self.checkpoint["ts"], "channel_values": readable}),
                to_text(shown_metadata(self.metadata)) if sealed else metadata,
                core.protect(state, frame, session_id, ns, checkpoint_id),
            )
        )
        return batch

    def _known(self, head: Head | None, made: Mapping[str, Encoded]) -> set[bytes]:
        """Addresses that the parent refers to: as long as it is there, so are they."""
        if head is None:
            return set()
        known = set(head.stored)
        for channel in made:
            before = head.versions.get(channel)
            shape = before and self.core.shapes.get(
                (self.place.session_id, self.place.checkpoint_ns, channel, str(before))
            )
            if shape and made[channel].kind != "delta":
                known |= shape.references()
        return known

    def _note(self, made: Mapping[str, Encoded], added: Mapping[str, Snapshot], parent: Head | None) -> None:
        place = self.place
        for channel, snapshot in added.items():
            self._note_live(channel, made[channel], snapshot)
        stored: set[bytes] = set()
        for channel, encoded in made.items():
            version = self._version(channel)
            stored |= encoded.fresh
            if is_ours(version):
                key = (place.session_id, place.checkpoint_ns, channel, version)
                self.core.shapes.put(key, encoded.shape, encoded.shape.weight)
        for channel, empty in self.new_versions.items():
            if channel not in self.checkpoint["channel_values"] and is_ours(empty):
                self.core.shapes.put(
                    (place.session_id, place.checkpoint_ns, channel, str(empty)), ABSENT, ABSENT.weight
                )
        valued = frozenset(self.checkpoint["channel_values"])
        head = Head(self.checkpoint["id"], dict(self.checkpoint["channel_versions"]), stored, valued)
        head.followed = self.core.on_the_way.of((place.session_id, place.checkpoint_ns, head.checkpoint_id), ())
        self._follow(parent, head, made)
        self.core.heads.put((place.session_id, place.checkpoint_ns), head, head.weight)

    def _follow(self, parent: Head | None, head: Head, made: Mapping[str, Encoded]) -> None:
        """Remembers the past of delta channels: their parent's, and what was written there."""
        known = (
            {channel for channel in parent.followed.known() if self._grown(channel, parent, head, made)}
            if parent
            else set()
        )
        head.followed.miss(head.followed.channels - known)
        head.followed.follow(known)

    def _grown(self, channel: str, parent: Head, head: Head, made: Mapping[str, Encoded]) -> bool:
        pasts, ns = self.core.pasts, (self.place.session_id, self.place.checkpoint_ns)
        before = pasts.get((*ns, parent.checkpoint_id, channel))
        version = head.versions.get(channel)
        if before is None or version is None:
            return False
        seed = parent.followed.seeds.get(channel)
        if channel in made:
            head.followed.seeds[channel] = version, made[channel].shape
        elif channel in head.valued:
            return False
        elif seed is not None and seed[0] == version:
            head.followed.seeds[channel] = seed
        past = parent.followed.after(channel, before)
        pasts.put((*ns, head.checkpoint_id, channel), past, past.weight)
        return True

    def _note_live(self, channel: str, encoded: Encoded, added: Snapshot) -> None:
        key, version = (self.place.checkpoint_ns, channel), self._version(channel)
        live = self.state.live.get(key)
        if live is not None and encoded.led and len(live) == encoded.led:
            live.grow(version, added)
        else:
            self.state.live.put(key, LiveMessages(version, added=added))


def _make_ready(shape: Shape, state: SessionState, value: Any) -> bool:
    """Completes the ready forms of a list's messages; whether it is a list of nothing else."""
    if type(shape.node) is not list or shape.kind not in ("list", "delta"):
        return False
    frozen = shape.frozen or []
    if not frozen and not (value and isinstance(value[0], BaseMessage)):
        return False
    for item in shape.node[len(frozen) :]:
        entry = state.chunks.get(item) if type(item) is bytes else None
        frozen.append(entry if type(entry) is Frozen else None)
    shape.frozen = frozen
    return None not in frozen


async def put_writes(
    core: Core,
    serde: SerializerProtocol,
    config: RunnableConfig,
    *,
    writes: Sequence[tuple[str, Any]],
    task_id: str,
    task_path: str = "",
) -> None:
    """Stores what a task wrote; durable when it returns. Raises `Fenced` as `put` does."""
    place = Place.of(config)
    if place.checkpoint_id is None:
        raise InvalidInput("writes belong to a checkpoint: configurable.checkpoint_id is missing")
    work = _PutWrites(core, serde, place, await core.state(place.session_id), writes, task_id, task_path)
    try:
        await work.commit(trust=True)
    except Stale:
        await work.commit(trust=False)
    if not core.listeners:
        return
    await core.announce(
        CommitEvent(
            kind="writes",
            session_id=place.session_id,
            checkpoint_ns=place.checkpoint_ns,
            checkpoint_id=place.checkpoint_id,
            run_id=place.run_id,
            task_id=task_id,
            task_path=task_path,
            writes=tuple((channel, value) for channel, value in writes),
        )
    )


@dataclass(slots=True)
class _PutWrites:
    core: Core
    serde: SerializerProtocol
    place: Place
    state: SessionState
    writes: Sequence[tuple[str, Any]]
    task_id: str
    task_path: str

    async def commit(self, *, trust: bool) -> None:
        """Stores the rows; see `_Put.commit`."""
        core, place, state = self.core, self.place, self.state
        session_id, ns, checkpoint_id = place.session_id, place.checkpoint_ns, place.checkpoint_id or ""
        head = core.heads.get((session_id, ns)) if trust else None
        if head is not None and head.checkpoint_id != checkpoint_id:
            if checkpoint_id < head.checkpoint_id:
                # A write that joins an earlier checkpoint is part of what its descendants remember.
                core.pasts.clear()
            head = None
        splitter = Splitter(self.serde, core.address)
        batch = Batch(session_id, fence=place.fence, between_turns=place.between_turns)
        referred, shapes = self._rows(batch, splitter)
        known = head.stored if head is not None else set()
        for address, raw in splitter.chunks.items():
            if address not in known:
                batch.chunks.append(core.chunk_row(state, session_id, address, raw))
            core.remember(state, self.serde, address, raw)
        if head is not None and len(batch.chunks) < len(splitter.chunks):
            batch.parent = Parent(ns, checkpoint_id)
        followed = core.followed(session_id, ns, checkpoint_id)
        with followed.storing(batch.writes, shapes, self.task_path):
            await core.store(state, batch)
        if head is not None:
            head.stored |= referred
        core.weigh(session_id, state)

    def _rows(self, batch: Batch, splitter: Splitter) -> tuple[set[bytes], list[Shape]]:
        place = self.place
        key = (place.session_id, place.checkpoint_ns, place.checkpoint_id or "", self.task_id)
        referred: set[bytes] = set()
        shapes: list[Shape] = []
        for position, (channel, value) in enumerate(self.writes):
            idx = WRITES_IDX_MAP.get(channel, position)
            with policy.writing(channel):
                encoded = encode(value, splitter)
            referred |= encoded.fresh
            shapes.append(encoded.shape)
            blob = b""
            if encoded.recipe or self.core.keyring is not None:
                blob = self.core.protect(self.state, encoded.recipe, *key, str(idx), channel, encoded.kind)
            batch.writes.append(WriteRow(*key, idx, channel, encoded.kind, blob, short_path(self.task_path)))
        return referred, shapes


def fitsto_text(value: Any) -> bool:
    """Whether a value is small and comes back from a JSON column exactly as it was."""
    kind = type(value)
    if value is None or kind is bool:
        return True
    if kind is int:
        return bool(-_LARGEST_INT <= value <= _LARGEST_INT)
    if kind is list or kind is dict:
        return not value
    return kind is str and len(value) <= SMALL_TEXT and str(value).isprintable()


def is_internal(channel: str) -> bool:
    """Whether a channel is LangGraph's own: its values tell a reader of the table nothing."""
    return channel.startswith(("__", "branch:"))


def shown_metadata(metadata: Mapping[str, Any]) -> dict[str, Any]:
    """What stays readable of a checkpoint's metadata when the rest is sealed."""
    return {name: metadata[name] for name in SHOWN if name in metadata}


def to_text(value: Mapping[str, Any]) -> str:
    """JSON for a column: of what isn't JSON its text."""
    text = orjson.dumps(value, default=_plain, option=orjson.OPT_NON_STR_KEYS).decode()
    return text.replace("\\u0000", "") if "\\u0000" in text else text


def _plain(value: Any) -> Any:
    """JSON for what is not JSON: metadata is for filters and people, so its text is enough."""
    if isinstance(value, set | frozenset):
        return list(value)
    return str(value)
