"""`SessionSaver`: LangGraph's checkpointer interface over our tables."""

import asyncio
from collections.abc import (
    AsyncIterator,
    Awaitable,
    Callable,
    Collection,
    Coroutine,
    Iterable,
    Iterator,
    Mapping,
    Sequence,
)
from functools import partial
from typing import Any, TypeVar

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import (
    BaseCheckpointSaver,
    ChannelVersions,
    Checkpoint,
    CheckpointMetadata,
    CheckpointTuple,
    DeltaChannelHistory,
)

from madang.store.codec import Keyring
from madang.store.database import Database, Transaction
from madang.store.saver import history, reading, upkeep, writing
from madang.store.saver.core import Core
from madang.store.saver.events import Listener
from madang.store.saver.opening import Opening
from madang.store.saver.policy import Allow, StrictSerializer, serializer

T = TypeVar("T")


class SessionSaver(BaseCheckpointSaver[str]):
    """A checkpointer for any LangGraph graph that stays small and quick in long threads.

    `async with SessionSaver.from_url(url) as saver` for async graphs, `with …` for sync ones. A `thread_id` is a chat
    session's id; a session that isn't there is made. A synchronous call on the event loop's own thread raises.
    """

    def __init__(self, database: Database, *, allow: Allow = ()) -> None:
        """`allow`: the types that values may have beside plain data, LangChain's messages and LangGraph's own types.

        A class, a (module, name) pair, or a TypedDict for all that it declares. Writing any other raises
        `InvalidState`, reading one `UnreadableData`, with channel and type. `allow="langgraph"` is LangGraph's own
        policy: whatever class or function stored bytes name is imported and called.
        """
        super().__init__(serde=serializer(allow))
        self._core = Core(database)

    @classmethod
    def from_url(
        cls,
        url: str,
        *,
        keyring: Keyring | None = None,
        allow: Allow = (),
        pool_size: int = 20,
    ) -> "Opening[SessionSaver]":
        """Opens a database for the length of a `with` or `async with` block. Raises as `Database.open` does."""

        async def begin() -> tuple[SessionSaver, Database]:
            database = await Database.open(url, pool_size=pool_size, keyring=keyring)
            return cls(database, allow=allow), database

        return Opening(begin)

    @property
    def on_commit(self) -> list[Listener]:
        """Called, in order, after each committed `put` and `put_writes`; shared by all copies of this saver."""
        return self._core.listeners

    @property
    def database(self) -> Database:
        return self._core.database

    def cache_sizes(self) -> dict[str, int]:
        """About how many bytes are kept in memory, by cache. Each forgets what was used longest ago at its limit."""
        return self._core.sizes()

    async def aclose(self) -> None:
        """Waits until everything given is stored. The database stays open: it isn't the saver's."""
        await self._here(self._core.flusher.settle)

    def with_allowlist(self, extra_allowlist: Collection[tuple[str, ...]]) -> "SessionSaver":
        """Lets this saver and all its copies store and read these types too."""
        if isinstance(self.serde, StrictSerializer):
            self.serde.allow(extra_allowlist)
        return self

    def get_next_version(self, current: str | None, channel: None) -> str:  # noqa: ARG002 - LangGraph's signature
        return self._core.clock.next(current)

    async def aget_tuple(self, config: RunnableConfig) -> CheckpointTuple | None:
        return await self._here(lambda: reading.get_tuple(self._core, self.serde, config))

    async def alist(
        self,
        config: RunnableConfig | None,
        *,
        filter: dict[str, Any] | None = None,  # noqa: A002 - LangGraph's name
        before: RunnableConfig | None = None,
        limit: int | None = None,
    ) -> AsyncIterator[CheckpointTuple]:
        tuples = reading.list_tuples(self._core, self.serde, config, filter=filter, before=before, limit=limit)
        while (found := await self._here(lambda: anext(tuples, None))) is not None:
            yield found

    async def aput(
        self,
        config: RunnableConfig,
        checkpoint: Checkpoint,
        metadata: CheckpointMetadata,
        new_versions: ChannelVersions,
    ) -> RunnableConfig:
        call = partial(
            writing.put,
            self._core,
            self.serde,
            config,
            checkpoint=checkpoint,
            metadata=metadata,
            new_versions=new_versions,
        )
        return await call() if self._at_home else await self._here(call)

    async def aput_writes(
        self, config: RunnableConfig, writes: Sequence[tuple[str, Any]], task_id: str, task_path: str = ""
    ) -> None:
        call = partial(
            writing.put_writes, self._core, self.serde, config, writes=writes, task_id=task_id, task_path=task_path
        )
        await (call() if self._at_home else self._here(call))

    async def adelete_thread(self, thread_id: str) -> None:
        await self._here(lambda: upkeep.delete_thread(self._core, str(thread_id)))

    async def adelete_for_runs(self, run_ids: Sequence[str]) -> None:
        await self._here(lambda: upkeep.delete_for_runs(self._core, self.serde, list(map(str, run_ids))))

    async def forget_runs(self, run_ids: Sequence[str], also: Callable[[Transaction], Awaitable[None]]) -> None:
        """Deletes the checkpoints that a session's runs made, with their writes, and what `also` deletes: all or
        nothing."""
        await self._here(lambda: upkeep.delete_for_runs(self._core, self.serde, run_ids, also))

    async def acopy_thread(self, source_thread_id: str, target_thread_id: str) -> None:
        await self._here(lambda: upkeep.copy_thread(self._core, str(source_thread_id), str(target_thread_id)))

    async def aprune(self, thread_ids: Sequence[str], *, strategy: str = "keep_latest") -> None:
        await self._here(lambda: upkeep.prune(self._core, self.serde, list(map(str, thread_ids)), strategy))

    async def aretain(self, thread_id: str, keep: Mapping[str, Iterable[str]]) -> int:
        """Deletes all checkpoints of a thread but those named by namespace; returns how many went.

        What the kept ones need of the others (list deltas, the writes of delta channels) is moved to them first.
        """
        kept = {ns: frozenset(ids) for ns, ids in keep.items()}
        return await self._here(lambda: upkeep.retain(self._core, self.serde, str(thread_id), kept))

    async def aget_delta_channel_history(
        self, *, config: RunnableConfig, channels: Sequence[str]
    ) -> Mapping[str, DeltaChannelHistory]:
        return await self._here(lambda: history.channel_history(self._core, self.serde, config, channels))

    def get_tuple(self, config: RunnableConfig) -> CheckpointTuple | None:
        return self._wait(lambda: self.aget_tuple(config))

    def list(
        self,
        config: RunnableConfig | None,
        *,
        filter: dict[str, Any] | None = None,  # noqa: A002 - LangGraph's name
        before: RunnableConfig | None = None,
        limit: int | None = None,
    ) -> Iterator[CheckpointTuple]:
        tuples = self.alist(config, filter=filter, before=before, limit=limit)

        async def step() -> CheckpointTuple | None:
            return await anext(tuples, None)

        while (found := self._wait(step)) is not None:
            yield found

    def put(
        self,
        config: RunnableConfig,
        checkpoint: Checkpoint,
        metadata: CheckpointMetadata,
        new_versions: ChannelVersions,
    ) -> RunnableConfig:
        return self._wait(lambda: self.aput(config, checkpoint, metadata, new_versions))

    def put_writes(
        self, config: RunnableConfig, writes: Sequence[tuple[str, Any]], task_id: str, task_path: str = ""
    ) -> None:
        self._wait(lambda: self.aput_writes(config, writes, task_id, task_path))

    def delete_thread(self, thread_id: str) -> None:
        self._wait(lambda: self.adelete_thread(thread_id))

    def delete_for_runs(self, run_ids: Sequence[str]) -> None:
        self._wait(lambda: self.adelete_for_runs(run_ids))

    def copy_thread(self, source_thread_id: str, target_thread_id: str) -> None:
        self._wait(lambda: self.acopy_thread(source_thread_id, target_thread_id))

    def prune(self, thread_ids: Sequence[str], *, strategy: str = "keep_latest") -> None:
        self._wait(lambda: self.aprune(thread_ids, strategy=strategy))

    def get_delta_channel_history(
        self, *, config: RunnableConfig, channels: Sequence[str]
    ) -> Mapping[str, DeltaChannelHistory]:
        return self._wait(lambda: self.aget_delta_channel_history(config=config, channels=channels))

    @property
    def _at_home(self) -> bool:
        return asyncio.get_running_loop() is self._core.database.loop

    async def _here(self, call: Callable[[], Awaitable[T]]) -> T:
        return await self._core.database.run_here(call)

    def _wait(self, call: Callable[[], Coroutine[Any, Any, T]]) -> T:
        return self._core.database.run_sync(call)
