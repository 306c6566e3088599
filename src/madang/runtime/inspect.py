"""Looking into a conversation's state: now, at a checkpoint, over time; editing it and forking it."""

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from langchain_core.messages import messages_from_dict, messages_to_dict

from madang.errors import NotFound, SessionBusy
from madang.runtime.outcome import plain
from madang.runtime.served_graph import ServedGraph, find_served
from madang.runtime.service import Runtime, Turn
from madang.state.diff import diff
from madang.state.history import field_history
from madang.state.paths import get_path
from madang.store.runs import Run
from madang.store.sessions import Session

PAGE = 1000


class Inspector:
    """What `madang state` and the REST routes show of a session."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime

    async def served(self, session_id: str) -> ServedGraph:
        session = await self._runtime.sessions.get(session_id)
        return find_served(self._runtime.served, session.assistant)

    async def snapshot(self, session_id: str, checkpoint_id: str | None = None) -> Any:
        """LangGraph's snapshot, now or at a checkpoint. Raises `NotFound`."""
        served = await self.served(session_id)
        found = await served.snapshot(
            session_id, {"checkpoint_id": checkpoint_id} if checkpoint_id is not None else None
        )
        if checkpoint_id is not None and found.metadata is None:
            raise NotFound(f"no checkpoint {checkpoint_id!r} in session {session_id!r}", checkpoint_id=checkpoint_id)
        return found

    async def state(self, session_id: str, checkpoint_id: str | None = None) -> dict[str, Any]:
        """The state's values as JSON has them."""
        values: dict[str, Any] = plain(dict((await self.snapshot(session_id, checkpoint_id)).values))
        return values

    async def history(self, session_id: str, limit: int = 50, before: str | None = None) -> list[dict[str, Any]]:
        """Checkpoints, newest first, with what wrote them; those before a checkpoint if one is named."""
        served = await self.served(session_id)
        earlier = _at(session_id, before) if before is not None else None
        shown: list[dict[str, Any]] = []
        async for snapshot in served.graph.aget_state_history(_at(session_id), before=earlier, limit=limit):
            metadata = snapshot.metadata or {}
            shown.append(
                {
                    "checkpoint_id": snapshot.config["configurable"]["checkpoint_id"],
                    "parent_checkpoint_id": _parent(snapshot),
                    "created_at": snapshot.created_at,
                    "step": metadata.get("step"),
                    "source": metadata.get("source"),
                    "run_id": metadata.get("run_id"),
                    "request_id": snapshot.values.get("request_id") if isinstance(snapshot.values, dict) else None,
                    "next": list(snapshot.next),
                }
            )
        return shown

    async def diff(self, session_id: str, before: str, after: str | None = None) -> dict[str, Any]:
        """What changed between two checkpoints, by path; up to now without a second one."""
        found = diff(await self.state(session_id, before), await self.state(session_id, after))
        return {
            "added": found.added,
            "removed": found.removed,
            "changed": {path: {"before": old, "after": new} for path, (old, new) in found.changed.items()},
        }

    async def field(self, session_id: str, path: str) -> dict[str, Any]:
        """One field: its value, where it came from, and how it changed. Raises `NotFound`."""
        served = await self.served(session_id)
        now = await self.state(session_id)
        value = get_path(now, path)
        snapshots = [s async for s in served.graph.aget_state_history(_at(session_id), limit=PAGE)]
        states = [(s.config["configurable"]["checkpoint_id"], plain(dict(s.values))) for s in reversed(snapshots)]
        return {
            "path": path,
            "value": value,
            "source": source_of(now, path),
            "history": [asdict(change) for change in field_history(states, path)],
        }

    async def edit(self, session_id: str, changes: Mapping[str, Any], *, run: bool = True) -> Run | None:
        """Set values by path, validated against the declared types; then re-run what depends on them.

        Raises `SessionBusy` while a turn runs, `InvalidState` naming each field that is refused: nothing is changed.
        """
        served = await self.served(session_id)
        if await self._runtime.running_run(session_id) is not None:
            raise SessionBusy("a turn is running in this session", session_id=session_id)
        snapshot = await self.snapshot(session_id)
        update = served.edit(snapshot.values, changes)
        await served.graph.aupdate_state(_at(session_id), update, as_node=served.edit_node)
        again = served.rerun(snapshot.values) if run else None
        if again is None:
            return None
        return await self._runtime.start(session_id, Turn(input=again, policy="reject"))

    async def fork(self, session_id: str, checkpoint_id: str | None = None, title: str | None = None) -> Session:
        """A new session with state and messages up to that point. Raises `SessionBusy` while a turn runs."""
        runtime = self._runtime
        if await runtime.running_run(session_id) is not None:
            raise SessionBusy("a turn is running in this session", session_id=session_id)
        session = await runtime.sessions.get(session_id)
        snapshot = await self.snapshot(session_id, checkpoint_id)
        fork = await runtime.sessions.create(
            assistant=session.assistant,
            user_id=session.user_id,
            title=title or session.title,
            parent_session_id=session_id,
            metadata={**session.metadata, "forked_at": snapshot.config["configurable"].get("checkpoint_id")},
        )
        await self._copy(session_id, fork.session_id, snapshot)
        return await runtime.sessions.get(fork.session_id)

    async def _copy(self, source: str, target: str, snapshot: Any) -> None:
        runtime = self._runtime
        served = await self.served(source)
        values = dict(snapshot.values)
        if not values:
            return
        for blob in await runtime.blobs.list(source):
            await runtime.blobs.put(target, await runtime.blobs.get(source, blob.blob_id), summary=blob.summary)
        values |= served.renamed(target)
        if "messages" in values:
            values["messages"] = messages_from_dict(messages_to_dict(values["messages"]))
        await served.graph.aupdate_state(_at(target), values, as_node=served.edit_node)
        known = {getattr(message, "id", None) for message in values.get("messages", ())}
        page = await runtime.messages.list(source, limit=PAGE)
        for message in page.items:
            marks = {f"{message.request_id}:{mark}" for mark in ("question", "answer", "partial")}
            if marks & known:
                await runtime.messages.append(
                    target,
                    message.role,
                    message.content,
                    structured_data=message.structured_data,
                    request_id=message.request_id,
                )


def source_of(state: Mapping[str, Any], path: str) -> dict[str, Any] | None:
    """Where the value at `path` came from: its own source, or that of the field it lies in."""
    sources: Mapping[str, Any] = state.get("provenance") or {}
    fitting = [known for known in sources if path == known or path.startswith((known + ".", known + "["))]
    return dict(sources[max(fitting, key=len)]) if fitting else None


def _at(session_id: str, checkpoint_id: str | None = None) -> dict[str, Any]:
    configurable = {"thread_id": session_id}
    if checkpoint_id is not None:
        configurable["checkpoint_id"] = checkpoint_id
    return {"configurable": configurable}


def _parent(snapshot: Any) -> str | None:
    parent = snapshot.parent_config
    return parent["configurable"].get("checkpoint_id") if parent else None
