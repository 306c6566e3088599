"""Threads as clients look for them: the caller's sessions with their standing and where their graph stands."""

import asyncio
import logging
from collections import OrderedDict
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import replace
from typing import Any
from weakref import WeakKeyDictionary

from madang.errors import StoredDataError
from madang.runtime import Runtime
from madang.runtime.state_json import plain
from madang.server.identity import SERVER_ONLY, Identity, owned_by
from madang.server.sdk.bodies import ThreadCountRequest, ThreadSearchRequest
from madang.server.sdk.shapes import id_of, standing_of, thread_shape, thread_status
from madang.state.paths import get_path
from madang.store.session_search import Found, SessionSearch, SortBy, Standing, Wanted, contains
from madang.store.sessions import Session

logger = logging.getLogger(__name__)
PAGE = 200
AT_ONCE = 8
MOST_KNOWN = 50_000
GRAPH_TELLS = ("idle", "interrupted")
STANDINGS: dict[str, Standing] = {"busy": "busy", "error": "error", "idle": "still", "interrupted": "still"}
SORTED_BY: dict[str, SortBy] = {
    "thread_id": "session_id",
    "created_at": "created_at",
    "updated_at": "updated_at",
    "state_updated_at": "state_updated_at",
}


async def thread_of(runtime: Runtime, session: Session) -> dict[str, Any]:
    """One thread, complete."""
    standing = (await runtime.sessions.standings([session.session_id])).get(session.session_id)
    shape = thread_shape(session, standing_of(standing), await snapshot_of(runtime, session))
    return {**shape, "error": await error_shown(runtime, session)} if shape["status"] == "error" else shape


async def error_shown(runtime: Runtime, session: Session) -> Any:
    """Why the thread's last run failed."""
    newest = (await runtime.runs.list(session.session_id, limit=1)).items
    served = runtime.served.get(session.assistant or "")
    if not newest or served is None or newest[0].error is None:
        return None
    return {"error": newest[0].error.get("type") or "Error", "message": served.failure_shown(newest[0].error)}


async def snapshot_of(runtime: Runtime, session: Session) -> Any | None:
    """Where the thread's graph stands now; None before its first run, or if its graph isn't served any more."""
    served = runtime.served.get(session.assistant or "")
    if served is None:
        return None
    return await served.snapshot(session.session_id)


async def _readable(runtime: Runtime, session: Session) -> Any | None:
    """`snapshot_of`, in a list: one thread that can't be read must not hide the others."""
    try:
        return await snapshot_of(runtime, session)
    except StoredDataError:
        logger.warning("state can't be read", extra={"session_id": session.session_id})
        return None


async def find_threads(
    runtime: Runtime, who: Identity, wanted: ThreadSearchRequest
) -> tuple[list[dict[str, Any]], bool]:
    """The page of threads that a search asks for, and whether more follow."""
    finder = Finder(
        runtime, who, wanted, ids=wanted.ids, sort_by=wanted.sort_by, descending=wanted.sort_order == "desc"
    )
    page = await finder.page(wanted.offset, wanted.limit + 1)
    whole = _shows_state(wanted)
    places = asyncio.Semaphore(AT_ONCE)

    async def shaped(found: Found) -> dict[str, Any]:
        async with places:
            return await _shape(runtime, found, whole=whole)

    shapes = await asyncio.gather(*(shaped(found) for found in page[: wanted.limit]))
    return [_extracted(shape, wanted.extract) for shape in shapes], len(page) > wanted.limit


async def count_threads(runtime: Runtime, who: Identity, wanted: ThreadCountRequest) -> int:
    """How many threads a search would find in all."""
    return await Finder(runtime, who, wanted).count()


def _shows_state(wanted: ThreadSearchRequest) -> bool:
    state = {"values", "interrupts", "status", "state_updated_at"}
    asked = {name.partition(".")[0] for name in wanted.select or ()}
    return not asked or bool(state & asked) or bool(wanted.extract)


async def _shape(runtime: Runtime, found: Found, *, whole: bool) -> dict[str, Any]:
    snapshot = await _readable(runtime, found.session) if whole and found.checkpoint_id else None
    return thread_shape(found.session, found.standing, snapshot)


class Finder:
    """One search: the database tells what it can; what only a graph can tell (next nodes, values) comes after."""

    def __init__(
        self,
        runtime: Runtime,
        who: Identity,
        wanted: ThreadCountRequest,
        *,
        ids: Sequence[str] | None = None,
        sort_by: str = "updated_at",
        descending: bool = True,
    ) -> None:
        self._runtime = runtime
        self._search = SessionSearch(runtime.db)
        self._values = wanted.values
        self._status = wanted.status if wanted.status in GRAPH_TELLS else None
        self._by_status, self._descending = sort_by == "status", descending
        standing = STANDINGS[wanted.status] if wanted.status is not None else None
        self._wanted = _in_database(
            runtime, Wanted(**owned_by(who), ids=ids, standing=standing, descending=descending), wanted.metadata or {}
        )
        if self._wanted is not None and sort_by in SORTED_BY:
            self._wanted = replace(self._wanted, sort_by=SORTED_BY[sort_by])

    async def page(self, offset: int, limit: int) -> list[Found]:
        """So many of what was found, after the first ones."""
        if self._wanted is None:
            return []
        if not (self._status or self._values or self._by_status):
            return await self._search.find(self._wanted, limit=limit, offset=offset)
        if not self._by_status:
            return await self._first(self._matching(self._wanted), offset, limit)
        every = [found async for found in self._matching(self._wanted)]
        named = [(await self._status_of(found), found.session.session_id, found) for found in every]
        named.sort(key=lambda item: item[:2], reverse=self._descending)
        return [found for _, _, found in named[offset : offset + limit]]

    async def count(self) -> int:
        if self._wanted is None:
            return 0
        if not (self._status or self._values):
            return await self._search.count(self._wanted)
        return len([1 async for _ in self._matching(self._wanted)])

    @staticmethod
    async def _first(matching: AsyncIterator[Found], offset: int, limit: int) -> list[Found]:
        kept: list[Found] = []
        async for found in matching:
            kept.append(found)
            if len(kept) == offset + limit:
                break
        return kept[offset:]

    async def _matching(self, wanted: Wanted) -> AsyncIterator[Found]:
        offset = 0
        while page := await self._search.find(wanted, limit=PAGE, offset=offset):
            for found in page:
                if await self._fits(found):
                    yield found
            offset += PAGE

    async def _fits(self, found: Found) -> bool:
        if self._status is not None and await self._status_of(found) != self._status:
            return False
        if not self._values:
            return True
        snapshot = await _readable(self._runtime, found.session) if found.checkpoint_id else None
        return snapshot is not None and contains(plain(snapshot.values), self._values)

    async def _status_of(self, found: Found) -> str:
        """A thread's status; where its graph stands at a checkpoint is asked once."""
        if found.standing != "still" or found.checkpoint_id is None:
            return thread_status(found.standing, None)
        known = _stood.setdefault(self._runtime, OrderedDict())
        key = (found.session.session_id, found.checkpoint_id)
        if key not in known:
            known[key] = thread_status(found.standing, await _readable(self._runtime, found.session))
            if len(known) > MOST_KNOWN:
                known.popitem(last=False)
        return known[key]


_stood: WeakKeyDictionary[Runtime, OrderedDict[tuple[str, str], str]] = WeakKeyDictionary()


def _in_database(runtime: Runtime, wanted: Wanted, metadata: Mapping[str, Any]) -> Wanted | None:
    """`wanted` with the metadata that clients see, part of which is columns; None if nothing can have it."""
    rest = {key: value for key, value in metadata.items() if key not in ("graph_id", "assistant_id", "title")}
    if set(rest) & SERVER_ONLY:
        return None
    assistant = metadata.get("graph_id")
    if "assistant_id" in metadata:
        named = next((name for name in runtime.served if id_of(name) == metadata["assistant_id"]), None)
        if named is None or assistant not in (None, named):
            return None
        assistant = named
    if not isinstance(assistant, str | None):
        return None
    title = metadata.get("title")
    if title is not None and not isinstance(title, str):
        rest["title"], title = title, None
    return replace(wanted, assistant=assistant, title=title, metadata=rest)


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
