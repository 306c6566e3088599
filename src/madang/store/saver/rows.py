"""The rows that one operation of the saver adds, and what the database says about them."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol

from madang.errors import MadangError


class CheckpointRow(NamedTuple):
    session_id: str
    checkpoint_ns: str
    checkpoint_id: str
    parent_checkpoint_id: str | None
    type: str
    checkpoint: str
    metadata: str
    packed: bytes


class BlobRow(NamedTuple):
    session_id: str
    checkpoint_ns: str
    channel: str
    version: str
    type: str
    blob: bytes


class WriteRow(NamedTuple):
    session_id: str
    checkpoint_ns: str
    checkpoint_id: str
    task_id: str
    idx: int
    channel: str
    type: str
    blob: bytes
    task_path: str


class ChunkRow(NamedTuple):
    session_id: str
    address: bytes
    data: bytes


class Parent(NamedTuple):
    """A checkpoint that must still be there, because the rows build on what it refers to."""

    checkpoint_ns: str
    checkpoint_id: str


class Fence(NamedTuple):
    run_id: str
    number: int


@dataclass(slots=True)
class Batch:
    """All rows of one `put` or `put_writes`: stored together or not at all."""

    session_id: str
    parent: Parent | None = None
    fence: Fence | None = None
    # From outside any run: refused while a turn is under way.
    between_turns: bool = False
    checkpoints: list[CheckpointRow] = field(default_factory=list)
    blobs: list[BlobRow] = field(default_factory=list)
    writes: list[WriteRow] = field(default_factory=list)
    chunks: list[ChunkRow] = field(default_factory=list)


def keys_of(batch: Batch) -> Iterable[tuple[str, ...]]:
    """What two batches may not both hold if they are to be stored by one statement."""
    for checkpoint in batch.checkpoints:
        yield checkpoint[:3]
    for write in batch.writes:
        yield write[:4]


_PATHS = (("~__pregel_pull, ", "<"), ("~__pregel_push, ", ">"))


def short_path(path: str) -> str:
    """A task's path without the words that nearly every path begins with; any other is marked as it is."""
    for long, short in _PATHS:
        if path.startswith(long):
            return short + path[len(long) :]
    return path if path[:1] not in ("<", ">", "=") else f"={path}"


def long_path(path: str) -> str:
    """The opposite of `short_path`."""
    for long, short in _PATHS:
        if path.startswith(short):
            return long + path[1:]
    return path[1:] if path[:1] == "=" else path


def in_order(rows: Iterable[WriteRow]) -> list[WriteRow]:
    """Writes of one checkpoint in the order in which LangGraph applies them."""
    return sorted(rows, key=lambda row: (long_path(row.task_path), row.task_id, row.idx))


class Stale(MadangError):
    """The checkpoint that the rows build on is gone; they must be made again to stand alone."""


class Shelf(Protocol):
    """The saver's rows in one database."""

    lanes: int

    @property
    def save_at_once(self) -> Callable[[list[Batch]], list[Exception | None] | None] | None:
        """`save` on the calling thread, which gives `None` for what it can't; `None` if nothing can be saved so."""

    async def save(self, batches: list[Batch]) -> list[Exception | None]:
        """Stores batches in one transaction; a refused one (`Fenced`, `Stale`) leaves the others in place."""

    async def newest(
        self, session_id: str, checkpoint_ns: str, checkpoint_id: str | None
    ) -> tuple[CheckpointRow, list[WriteRow]] | None:
        """One checkpoint, the newest if no id is given, with its writes in their order."""

    async def checkpoints(
        self,
        session_id: str | None,
        checkpoint_ns: str | None,
        *,
        checkpoint_id: str | None = None,
        before: str | None = None,
        after: tuple[str, str, str] | None = None,
        limit: int,
    ) -> list[CheckpointRow]:
        """A page, newest first within session and namespace; `after` is the last row of the page before."""

    async def lineage(self, session_id: str, checkpoint_ns: str, checkpoint_id: str, limit: int) -> list[CheckpointRow]:
        """A checkpoint and its ancestors, nearest first."""

    async def blobs(self, session_id: str, checkpoint_ns: str, keys: list[tuple[str, str]]) -> list[BlobRow]:
        """The rows of (channel, version) pairs, as far as they exist."""

    async def blob_range(
        self, session_id: str, checkpoint_ns: str, channel: str, low: str, high: str
    ) -> list[BlobRow]: ...

    async def writes(
        self, session_id: str, checkpoint_ns: str, checkpoint_ids: list[str], channels: list[str] | None
    ) -> list[WriteRow]:
        """The writes of several checkpoints, each checkpoint's in their order."""

    async def chunks(self, session_id: str, addresses: list[bytes]) -> dict[bytes, bytes]: ...

    async def dictionaries(self, session_id: str) -> list[tuple[bytes, bytes]]: ...
