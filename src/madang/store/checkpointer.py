"""`StateCheckpointer`: states saved at moments that the caller names, beside the graph's own checkpoints.

It writes to a `checkpoint_ns` of its own, which no graph can have: node names hold no colon.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Self, cast

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import BaseCheckpointSaver, Checkpoint, CheckpointMetadata, CheckpointTuple

from madang.errors import FieldProblem, InvalidState
from madang.store.columns import check_id, now

NAMESPACE = ":saved"
DEFAULT_URL = "sqlite:///checkpoints.db"


@dataclass(frozen=True)
class SavedState:
    """What is known of a saved state without reading it."""

    checkpoint_id: str
    timestamp: str
    phase: str | None
    progress: float | None


class StateCheckpointer:
    """Saves whole states under chosen ids and gives them back.

    Takes a saver, or the URL of a database that is opened on first use and closed by `aclose`.
    """

    def __init__(self, checkpointer: "BaseCheckpointSaver[Any] | str" = DEFAULT_URL) -> None:
        self._url = checkpointer if isinstance(checkpointer, str) else None
        self._saver = None if isinstance(checkpointer, str) else checkpointer
        self._opened: Any = None

    async def save_checkpoint(self, state: Mapping[str, Any], checkpoint_id: str) -> None:
        """Save `state` of session `state["session_id"]` as `checkpoint_id`; one of that id is replaced.

        Raises `InvalidState` without a session id, `InvalidName` for an id that can't be one.
        """
        if not isinstance(state.get("session_id"), str):
            raise InvalidState([FieldProblem("session_id", "missing", "the id of the session that the state is of")])
        session_id = check_id(state["session_id"])
        saver = await self._ready()
        version = saver.get_next_version(None, None)
        versions = dict.fromkeys(state, version)
        checkpoint = Checkpoint(
            v=4,
            id=check_id(checkpoint_id, "checkpoint_id"),
            ts=now(),
            channel_values=dict(state),
            channel_versions=versions,
            versions_seen={},
            updated_channels=None,
        )
        metadata: dict[str, Any] = {"source": "update", "step": -1, "parents": {}}
        metadata |= {"phase": state.get("current_phase"), "progress": state.get("progress_percentage")}
        await saver.aput(_config(session_id), checkpoint, cast(CheckpointMetadata, metadata), versions)

    async def restore_from_checkpoint(self, session_id: str, checkpoint_id: str | None = None) -> dict[str, Any] | None:
        """The state saved as `checkpoint_id`, or the one saved last; None if there is none."""
        saver = await self._ready()
        if checkpoint_id is None:
            latest = await self._latest(saver, session_id)
        else:
            latest = await saver.aget_tuple(_config(session_id, checkpoint_id))
        return dict(latest.checkpoint["channel_values"]) if latest else None

    async def list_checkpoints(self, session_id: str) -> list[SavedState]:
        """What is saved of a session, last first."""
        saver = await self._ready()
        found = [
            SavedState(
                checkpoint_id=saved.checkpoint["id"],
                timestamp=saved.checkpoint["ts"],
                phase=dict(saved.metadata).get("phase"),  # type: ignore[arg-type]
                progress=dict(saved.metadata).get("progress"),  # type: ignore[arg-type]
            )
            async for saved in saver.alist(_config(session_id))
        ]
        return sorted(found, key=lambda saved: saved.timestamp, reverse=True)

    async def aclose(self) -> None:
        """Close the database if it was opened here."""
        opened, self._opened = self._opened, None
        if opened is not None:
            self._saver = None
            await opened.__aexit__(None, None, None)

    async def __aenter__(self) -> Self:
        await self._ready()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()

    async def _ready(self) -> "BaseCheckpointSaver[Any]":
        if self._saver is None:
            from madang.store.saver import SessionSaver

            self._opened = SessionSaver.from_url(self._url or DEFAULT_URL)
            self._saver = await self._opened.__aenter__()
        return self._saver

    async def _latest(self, saver: "BaseCheckpointSaver[Any]", session_id: str) -> CheckpointTuple | None:
        # Chosen ids don't sort by time, so the newest is looked for by its time.
        latest: CheckpointTuple | None = None
        async for saved in saver.alist(_config(session_id)):
            if latest is None or saved.checkpoint["ts"] > latest.checkpoint["ts"]:
                latest = saved
        return latest


def _config(session_id: str, checkpoint_id: str | None = None) -> RunnableConfig:
    chosen = {} if checkpoint_id is None else {"checkpoint_id": checkpoint_id}
    return {"configurable": {"thread_id": session_id, "checkpoint_ns": NAMESPACE, **chosen}}
