"""What can be done with a conversation beside talking: look into its state, edit it, fork it, copy it, delete it.

REST, the SDK's surface and the command line do these things here and nowhere else.
"""

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import asdict
from datetime import UTC, datetime, timedelta
from typing import Any

from langgraph.errors import InvalidUpdateError
from langgraph.types import StateUpdate

from madang.errors import InvalidInput, NotFound, SessionBusy
from madang.runtime import Runtime, TurnRequest
from madang.runtime.outcome import plain
from madang.runtime.run_config import between_turns, thread_config
from madang.runtime.served_graph import ServedGraph, Snapshot, find_served, pending_questions
from madang.state.diff import diff as diff_of
from madang.state.history import field_history
from madang.state.paths import get_path, root_of
from madang.store.columns import timestamp
from madang.store.runs import Run
from madang.store.sessions import Session

LONGEST_HISTORY = 1000
REFUSED_BY_LANGGRAPH = (InvalidUpdateError, ValueError, KeyError, TypeError)


def graph_of(runtime: Runtime, session: Session) -> ServedGraph:
    """The session's graph. Raises `NotFound` if it has had no run and names none, or if its graph isn't served."""
    if session.assistant is None:
        raise NotFound(
            f"thread {session.session_id!r} has no graph yet: run an assistant on it, or create it with a graph_id",
            thread_id=session.session_id,
        )
    return find_served(runtime.served, session.assistant)


async def check_not_busy(runtime: Runtime, session: Session) -> None:
    """Raises `SessionBusy` while a turn is under way: a run runs, or one that has begun is about to go on."""
    open_runs = await runtime.runs.open(session.session_id)
    if any(run.status == "running" or (run.status == "queued" and run.under_way) for run in open_runs):
        raise SessionBusy("a turn is running in this session", session_id=session.session_id)


# Looking


async def snapshot(
    runtime: Runtime, session: Session, place: Mapping[str, Any] | None = None, *, subgraphs: bool = False
) -> Snapshot:
    """LangGraph's snapshot, now or at the checkpoint that `place` names. Raises `NotFound`, `UnreadableData`."""
    found = await graph_of(runtime, session).snapshot(session.session_id, place, subgraphs=subgraphs)
    wanted = (place or {}).get("checkpoint_id")
    if wanted is not None and found.metadata is None:
        raise NotFound(f"no checkpoint {wanted!r} in session {session.session_id!r}", checkpoint_id=wanted)
    return found


async def state(runtime: Runtime, session: Session, checkpoint_id: str | None = None) -> dict[str, Any]:
    """The state's values as JSON has them. Raises `NotFound`."""
    values: dict[str, Any] = plain(dict((await snapshot(runtime, session, _place(checkpoint_id))).values))
    return values


async def questions(runtime: Runtime, session: Session) -> list[dict[str, Any]]:
    """What the conversation waits for."""
    return pending_questions(await snapshot(runtime, session))


async def history(
    runtime: Runtime, session: Session, limit: int = 50, before: str | None = None
) -> list[dict[str, Any]]:
    """Checkpoints, newest first, with what wrote them; those before a checkpoint if one is named."""
    earlier = thread_config(session.session_id, _place(before)) if before is not None else None
    snapshots = graph_of(runtime, session).graph.aget_state_history(
        thread_config(session.session_id), before=earlier, limit=limit
    )
    return [_checkpoint(one) async for one in snapshots]


async def diff(runtime: Runtime, session: Session, before: str, after: str | None = None) -> dict[str, Any]:
    """What changed between two checkpoints, by path; up to now without a second one. Raises `NotFound`."""
    found = diff_of(await state(runtime, session, before), await state(runtime, session, after))
    return {
        "added": found.added,
        "removed": found.removed,
        "changed": {path: {"before": old, "after": new} for path, (old, new) in found.changed.items()},
    }


async def field(runtime: Runtime, session: Session, path: str) -> dict[str, Any]:
    """One field: its value, where it came from, and how it changed. Raises `NotFound`."""
    now = await state(runtime, session)
    value = get_path(now, path)
    graph = graph_of(runtime, session).graph
    newest_first = [
        one async for one in graph.aget_state_history(thread_config(session.session_id), limit=LONGEST_HISTORY)
    ]
    found = {one.config["configurable"]["checkpoint_id"]: one for one in reversed(newest_first)}
    changes = field_history([(id_, plain(dict(one.values))) for id_, one in found.items()], path)
    return {
        "path": path,
        "value": value,
        "source": source_of(now, path),
        "history": [{**asdict(change), "by": _writers(found, change.label, path)} for change in changes],
    }


def _writers(found: Mapping[str, Snapshot], checkpoint_id: str, path: str) -> list[str]:
    """The nodes whose writes to a field made a checkpoint; none of an edit, or where its parent isn't at hand."""
    before = found[checkpoint_id].parent_config
    parent = found.get(before["configurable"].get("checkpoint_id", "")) if before else None
    root = root_of(path)
    wrote = [one.name for one in parent.tasks if root in (one.result or ())] if parent else []
    return sorted({name for name in wrote if not name.startswith("__")})


def source_of(values: Mapping[str, Any], path: str) -> dict[str, Any] | None:
    """Where the value at `path` came from: its own source, or that of the field it lies in."""
    sources: Mapping[str, Any] = values.get("provenance") or {}
    fitting = [known for known in sources if path == known or path.startswith((known + ".", known + "["))]
    return dict(sources[max(fitting, key=len)]) if fitting else None


def _checkpoint(found: Snapshot) -> dict[str, Any]:
    metadata, parent = found.metadata or {}, found.parent_config
    return {
        "checkpoint_id": found.config["configurable"]["checkpoint_id"],
        "parent_checkpoint_id": parent["configurable"].get("checkpoint_id") if parent else None,
        "created_at": found.created_at,
        "step": metadata.get("step"),
        "source": metadata.get("source"),
        "run_id": metadata.get("run_id"),
        "request_id": found.values.get("request_id") if isinstance(found.values, dict) else None,
        "next": list(found.next),
    }


def _place(checkpoint_id: str | None) -> dict[str, str] | None:
    return None if checkpoint_id is None else {"checkpoint_id": checkpoint_id}


# Changing


async def edit(runtime: Runtime, session: Session, changes: Mapping[str, Any], *, run: bool = True) -> Run | None:
    """Set values by path, validated against the declared types; then re-run what depends on them.

    Raises `SessionBusy` while a turn runs, `InvalidState` naming each field that is refused: nothing is changed.
    """
    await check_not_busy(runtime, session)
    served, values = graph_of(runtime, session), (await snapshot(runtime, session)).values
    update = served.edit(values, changes)
    # A question about what is changed is no longer the question.
    await runtime.abandon(session.session_id)
    await _write(served, session, update)
    again = served.rerun(values) if run else None
    # It is written: a turn that has come in between goes first.
    return None if again is None else await runtime.start(session.session_id, TurnRequest(input=again))


async def set_inputs(runtime: Runtime, session: Session, values: Mapping[str, Any], language: str | None = None) -> Run:
    """A turn without a message: declared inputs set (null clears) and what depends on them run.

    A question that waits for just these inputs is answered by them. Raises `SessionBusy` while a turn runs,
    `InvalidState` naming each input that doesn't fit: nothing is changed.
    """
    await check_not_busy(runtime, session)
    served = graph_of(runtime, session)
    given = served.read_form(values, language)
    asked = {q.get("field"): q["interrupt_id"] for q in await questions(runtime, session) if q.get("field")}
    if asked and given.keys() <= asked.keys():
        return await runtime.resume(session.session_id, {asked[name]: value for name, value in given.items()})
    return await runtime.start(session.session_id, TurnRequest(input={"form_input": given}, policy="reject"))


async def inputs(runtime: Runtime, session: Session, language: str | None = None) -> list[dict[str, Any]]:
    """Each declared input with its value and the words it came from."""
    return graph_of(runtime, session).form_values(await state(runtime, session), language)


async def update(
    runtime: Runtime,
    session: Session,
    values: Any,
    place: Mapping[str, Any] | None = None,
    as_node: str | None = None,
) -> dict[str, Any]:
    """Write to the state as a node would, now or as a branch from a checkpoint; the config of what holds it then.

    Raises `SessionBusy` while a turn runs, `NotFound`, `InvalidState` naming fields that an assistant can't hold,
    `InvalidInput` for what LangGraph refuses.
    """
    await check_not_busy(runtime, session)
    if place is not None:
        await snapshot(runtime, session, place)
    served = graph_of(runtime, session)
    return await _write(served, session, None if values is None else served.read_update(values), place, as_node)


async def replay(runtime: Runtime, session: Session, supersteps: Sequence[Sequence[StateUpdate]]) -> None:
    """Bring a new session to where another one stood, by what its nodes wrote. Raises `InvalidInput`, `NotFound`."""
    served = graph_of(runtime, session)
    if not served.steerable:
        raise InvalidInput("supersteps: are for graphs; copy the thread of an assistant", field="supersteps")
    try:
        await served.graph.abulk_update_state(thread_config(session.session_id), supersteps)
    except REFUSED_BY_LANGGRAPH as error:
        raise InvalidInput(f"supersteps: {str(error) or type(error).__name__}", field="supersteps") from error


async def _write(
    served: ServedGraph,
    session: Session,
    values: Any,
    place: Mapping[str, Any] | None = None,
    as_node: str | None = None,
) -> dict[str, Any]:
    config, node = between_turns(session.session_id, place), as_node or served.edit_node
    try:
        written: dict[str, Any] = await served.graph.aupdate_state(config, values, as_node=node)
    except REFUSED_BY_LANGGRAPH as error:
        raise InvalidInput(f"the state can't be updated: {str(error) or type(error).__name__}") from error
    return written


# Copying


async def fork(
    runtime: Runtime, session: Session, checkpoint_id: str | None = None, title: str | None = None
) -> Session:
    """A new session with state and messages up to that point. Raises `SessionBusy` while a turn runs, `NotFound`."""
    await check_not_busy(runtime, session)
    found = await snapshot(runtime, session, _place(checkpoint_id))
    at = found.config["configurable"].get("checkpoint_id")
    async with _new_child(runtime, session, title=title, forked_at=at) as child:
        if found.values:
            served = graph_of(runtime, session)
            await _write(served, child, {**found.values, **served.renamed(child.session_id)})
            asked = {_request_of(one) for one in found.values.get("messages") or ()}
            await runtime.messages.copy(session.session_id, child.session_id, requests=asked)
    return await runtime.sessions.get(child.session_id)


def _request_of(message: Any) -> str:
    """The request that a message of the state belongs to."""
    told = getattr(message, "additional_kwargs", {}).get("request_id")
    return str(told or str(getattr(message, "id", "")).rpartition(":")[0])


async def copy(runtime: Runtime, session: Session) -> Session:
    """A new session with every checkpoint and every message. Raises `SessionBusy` while a turn runs."""
    await check_not_busy(runtime, session)
    async with _new_child(runtime, session) as child:
        await runtime.saver.acopy_thread(session.session_id, child.session_id)
        await runtime.messages.copy(session.session_id, child.session_id)
        served = runtime.served.get(session.assistant or "")
        renamed = served.renamed(child.session_id) if served is not None else {}
        if served is not None and renamed:
            found = await served.snapshot(child.session_id)
            # A copy that waits for an answer is left as it is until it goes on.
            if found.values and not found.next:
                await _write(served, child, renamed)
    return await runtime.sessions.get(child.session_id)


@asynccontextmanager
async def _new_child(
    runtime: Runtime, session: Session, *, title: str | None = None, **metadata: Any
) -> AsyncIterator[Session]:
    """A session that names this one as its parent, with its large values; deleted again if what follows fails, and
    in no list until that is done, so that nobody finds half of it after a crash."""
    child = await runtime.sessions.create(
        assistant=session.assistant,
        user_id=session.user_id,
        title=title or session.title,
        parent_session_id=session.session_id,
        metadata={**session.metadata, **metadata},
        unfinished=True,
    )
    try:
        for blob in await runtime.blobs.list(session.session_id):
            data = await runtime.blobs.get(session.session_id, blob.blob_id)
            await runtime.blobs.put(child.session_id, data, summary=blob.summary)
        yield child
        await runtime.sessions.finish(child.session_id)
    except BaseException:
        await runtime.sessions.delete(child.session_id)
        raise


async def delete(runtime: Runtime, session: Session) -> None:
    """Delete a session with everything on it. What runs, waits or is queued is stopped first."""
    await _stop(runtime, session)
    await runtime.sessions.delete(session.session_id)
    runtime.deleted(session.session_id)


async def put_aside(runtime: Runtime, session: Session, seconds: float) -> None:
    """Delete a session so that it can be restored for so long: until then nobody sees it and nothing begins in it,
    afterwards it is gone. What runs, waits or is queued is stopped."""
    if not seconds:
        await delete(runtime, session)
        return
    await runtime.sessions.put_aside(session.session_id)
    await _stop(runtime, session)
    runtime.deleted(session.session_id)
    runtime.in_background(_purge(runtime, seconds))


async def _purge(runtime: Runtime, seconds: float) -> None:
    await asyncio.sleep(seconds)
    await runtime.sessions.purge(timestamp(datetime.now(UTC) - timedelta(seconds=seconds)))


async def _stop(runtime: Runtime, session: Session) -> None:
    for run in await runtime.runs.open(session.session_id):
        await runtime.cancel(run.run_id)
