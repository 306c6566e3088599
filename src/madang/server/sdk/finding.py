"""Threads as clients look for them: the caller's sessions with their standing and where their graph stands."""

import logging
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import suppress
from typing import Any

from madang.errors import MadangError, NotFound, StoredDataError, UnreadableData
from madang.runtime.served import Served
from madang.runtime.service import Runtime
from madang.server.identity import Identity, authorise, owns
from madang.server.sdk.bodies import ThreadCount, ThreadSearch
from madang.server.sdk.encoding import plain
from madang.server.sdk.shapes import thread_metadata, thread_shape, thread_status
from madang.state.paths import get_path
from madang.store.sessions import Session

logger = logging.getLogger(__name__)
PAGE = 200
STATELESS = "stateless"


async def thread_of(runtime: Runtime, session: Session) -> dict[str, Any]:
    """One thread, complete."""
    standing = (await runtime.sessions.standings([session.session_id])).get(session.session_id)
    return thread_shape(session, standing, await snapshot_of(runtime, session))


async def snapshot_of(runtime: Runtime, session: Session) -> Any | None:
    """Where the thread's graph stands now; None before its first run, or if its graph isn't served any more."""
    served = runtime.served.get(session.assistant or "")
    if served is None:
        return None
    return await snapshot(served, {"configurable": {"thread_id": session.session_id}})


async def snapshot(served: Served, config: dict[str, Any], *, subgraphs: bool = False) -> Any:
    """LangGraph's snapshot. Raises `UnreadableData` if the graph's own reducers can't put the state together."""
    try:
        return await served.graph.aget_state(config, subgraphs=subgraphs)
    except MadangError:
        raise
    except Exception as error:
        raise UnreadableData(f"the state can't be put together: {error}", error=type(error).__name__) from error


async def _readable(runtime: Runtime, session: Session) -> Any | None:
    """`snapshot_of`, in a list: one thread that can't be read must not hide the others."""
    try:
        return await snapshot_of(runtime, session)
    except StoredDataError:
        logger.warning("state can't be read", extra={"session_id": session.session_id})
        return None


async def find_threads(runtime: Runtime, who: Identity, wanted: ThreadSearch) -> list[dict[str, Any]]:
    """The page of threads that a search asks for."""
    needed = wanted.offset + wanted.limit
    lazily = wanted.sort_by == "updated_at" and wanted.sort_order == "desc"
    found: list[dict[str, Any]] = []
    async for shape in _matching(runtime, who, wanted, wanted.ids, whole=_needs_state(wanted)):
        found.append(shape)
        if lazily and len(found) == needed:
            break
    if not lazily:
        found.sort(key=lambda s: (str(s[wanted.sort_by]), s["thread_id"]), reverse=wanted.sort_order == "desc")
    return [_extracted(shape, wanted.extract) for shape in found[wanted.offset : needed]]


async def count_threads(runtime: Runtime, who: Identity, wanted: ThreadCount) -> int:
    """How many threads a search would find in all."""
    return len([1 async for _ in _matching(runtime, who, wanted, None, whole=False)])


def _needs_state(wanted: ThreadSearch) -> bool:
    state = {"values", "interrupts", "status", "state_updated_at"}
    return not wanted.select or bool(state & set(wanted.select)) or wanted.sort_by in state or bool(wanted.extract)


async def _matching(
    runtime: Runtime, who: Identity, wanted: ThreadCount, ids: Sequence[str] | None, *, whole: bool
) -> AsyncIterator[dict[str, Any]]:
    async for page in _pages(runtime, who, ids):
        kept = [s for s in page if _same(thread_metadata(s), wanted.metadata) and not s.metadata.get(STATELESS)]
        standings = await runtime.sessions.standings([s.session_id for s in kept])
        for session in kept:
            standing = standings.get(session.session_id)
            if wanted.status is not None and not _possible(wanted.status, standing):
                continue
            looked = whole or wanted.values or wanted.status in ("idle", "interrupted")
            found = await _readable(runtime, session) if looked else None
            if wanted.status not in (None, thread_status(standing, found)):
                continue
            if wanted.values and not _same(plain(found.values if found else {}), wanted.values):
                continue
            yield thread_shape(session, standing, found)


async def _pages(runtime: Runtime, who: Identity, ids: Sequence[str] | None) -> AsyncIterator[list[Session]]:
    if ids is not None:
        own: list[Session] = []
        for session_id in dict.fromkeys(ids):
            with suppress(NotFound):
                own.append(await authorise(runtime, who, session_id))
        yield sorted(own, key=lambda s: (s.updated_at, s.session_id), reverse=True)
        return
    cursor: str | None = None
    while True:
        page = await runtime.sessions.list(user_id=who.user_id, anonymous=who.local, limit=PAGE, cursor=cursor)
        yield [session for session in page.items if owns(who, session)]
        cursor = page.next_cursor
        if cursor is None:
            return


def _possible(status: str, standing: str | None) -> bool:
    """Whether a thread can have that status, as far as its runs tell."""
    by_runs = thread_status(standing, None)
    return by_runs == status or (by_runs == "idle" and status == "interrupted")


def _same(value: Any, wanted: Any) -> bool:
    """Whether `value` holds everything that `wanted` says."""
    if isinstance(wanted, Mapping):
        return isinstance(value, Mapping) and all(_same(value.get(key), part) for key, part in wanted.items())
    return wanted is None or bool(value == wanted)


def _extracted(shape: dict[str, Any], extract: Mapping[str, str] | None) -> dict[str, Any]:
    if not extract:
        return shape
    whole = plain(shape)
    return {**shape, "extracted": {name: _at(whole, path) for name, path in extract.items()}}


def _at(value: Any, path: str) -> Any:
    try:
        return get_path(value, path)
    except (LookupError, ValueError):
        return None
