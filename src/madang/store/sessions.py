"""Chat sessions: one row a conversation; its id is LangGraph's thread_id, and everything else hangs on it."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from madang.errors import Conflict, NotFound, StoredDataError, UnreadableData
from madang.store.codec import Keyring
from madang.store.columns import check_id, check_text, from_json, many, new_id, now, to_json
from madang.store.database import Database, Reader, Row, Transaction
from madang.store.paging import Page, check_limit, decode_cursor, encode_cursor, page_of
from madang.store.sealing import seal, unseal
from madang.store.users import HOME_COMPANY

# How many sealed messages one search opens, and how much is shown on either side of what was found.
MOST_OPENED = 20_000
AROUND = 40


@dataclass(frozen=True)
class Session:
    """A conversation."""

    session_id: str
    assistant: str | None
    user_id: int | None
    title: str | None
    parent_session_id: str | None
    metadata: Mapping[str, Any]
    message_count: int
    last_message: str | None
    last_seq: int
    created_at: str
    updated_at: str
    archived_at: str | None = None
    damaged: str | None = None
    """In a list, why title, metadata and last message can't be read; asked for by its id, such a session raises."""

    @property
    def archived(self) -> bool:
        return self.archived_at is not None

    @property
    def company_id(self) -> str:
        """The company that it belongs to."""
        return str(self.metadata.get("company_id") or HOME_COMPANY)

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)


class Sessions:
    """The sessions of one database."""

    def __init__(self, db: Database) -> None:
        self._db = db
        self._sql = db.queries("sessions")
        self._keyring: Keyring | None = db.keyring

    async def create(
        self,
        session_id: str | None = None,
        *,
        assistant: str | None = None,
        user_id: int | None = None,
        title: str | None = None,
        parent_session_id: str | None = None,
        metadata: Mapping[str, Any] | None = None,
        passing: bool = False,
        unfinished: bool = False,
        tx: Transaction | None = None,
    ) -> Session:
        """A new session, under a UUID unless an id is given. A `passing` one is for one run and in no list; an
        `unfinished` one is in none until `finish`, and what a crash leaves of it is removed by `madang db repair`.

        Raises `InvalidName` for an id that can't be one, `Conflict` if it exists or the user does not.
        """
        moment = now()
        session = Session(
            session_id=check_id(session_id) if session_id is not None else new_id(),
            assistant=assistant,
            user_id=user_id,
            title=title if title is None else check_text(title, "title"),
            parent_session_id=parent_session_id,
            metadata=dict(metadata or {}),
            message_count=0,
            last_message=None,
            last_seq=0,
            created_at=moment,
            updated_at=moment,
        )
        columns = {
            **session.as_dict(),
            "metadata": to_json(session.metadata, "metadata"),
            "status": "importing" if unfinished else "passing" if passing else "idle",
            "now": moment,
        }
        params = seal(self._keyring, "chat_sessions", columns)
        create = self._db.once if tx is None else tx.fetch
        made = await create(self._sql["create_session"], params)
        if not made and session_id is not None:
            # Its id may be that of a deleted one that could still be restored: not any more.
            await create(self._sql["purge_session"], {"session_id": session_id})
            made = await create(self._sql["create_session"], params)
        if not made:
            raise Conflict(f"session {session.session_id!r} exists", session_id=session.session_id)
        return session

    async def finish(self, session_id: str) -> None:
        """A session that was made `unfinished` is whole now."""
        await self._db.once(self._sql["finish_session"], {"session_id": session_id})

    async def get(self, session_id: str) -> Session:
        """The session. Raises `NotFound`."""
        found = await self.find(session_id)
        if found is None:
            raise NotFound(f"no session {session_id!r}", session_id=session_id)
        return found

    async def find(self, session_id: str) -> Session | None:
        """The session, or None."""
        async with self._db.reader() as reader:
            rows = await reader.fetch(self._sql["get_session"], {"session_id": session_id})
        return self._session(rows[0]) if rows else None

    async def list(
        self,
        *,
        user_id: int | None = None,
        assistant: str | None = None,
        parent: str | None = None,
        search: str | None = None,
        anonymous: bool = False,
        company: str | None = None,
        archived: bool | None = None,
        limit: int = 50,
        cursor: str | None = None,
    ) -> Page[Session]:
        """Sessions, most recently used first; `search` finds text in titles and messages. Raises `InvalidInput`.

        Without `user_id`, those of all users; with `anonymous`, only those of none; with `company`, only its. A search
        through sealed texts opens a bounded number of them: its page may have few sessions, or none, and a cursor.
        """
        time, last = decode_cursor(cursor, str, str) if cursor else (None, None)
        params = {
            **self._filters(user_id, assistant, anonymous, company),
            **searched(None if self._keyring is not None else search),
            "archived": None if archived is None else int(archived),
            "parent": parent,
            "after_time": time,
            "after_id": last,
            "limit": check_limit(limit) + 1,
        }
        if self._keyring is not None and search:
            return await self._search_sealed(params, check_text(search, "q").lower(), limit)
        async with self._db.reader() as reader:
            rows = await reader.fetch(self._sql["list_sessions"], params)
        return page_of([listed(self._keyring, row) for row in rows], limit, _position)

    async def count(
        self,
        *,
        user_id: int | None = None,
        assistant: str | None = None,
        anonymous: bool = False,
        company: str | None = None,
    ) -> int:
        """How many `list` would give in all."""
        async with self._db.reader() as reader:
            rows = await reader.fetch(
                self._sql["count_sessions"], self._filters(user_id, assistant, anonymous, company)
            )
        return int(rows[0]["n"])

    async def snippets(self, session_ids: Sequence[str], search: str) -> dict[str, str]:
        """By session, the last thing said in it that holds the text, cut out around it."""
        async with self._db.reader() as reader:
            if self._keyring is None:
                ids = many(self._db.dialect, session_ids)
                rows = await reader.fetch(self._sql["said_in"], {**searched(search), "ids": ids})
                return {row["session_id"]: snippet(row["content"], search) for row in rows}
            found: dict[str, str] = {}
            for session_id in session_ids:
                said, _ = await self._said_sealed(reader, session_id, search.lower())
                if said is not None:
                    found[session_id] = snippet(said, search)
            return found

    async def _search_sealed(self, params: dict[str, Any], search: str, limit: int) -> Page[Session]:
        """Sealed texts are opened one session after the other, so many in all; nothing is kept of them."""
        found: list[Session] = []
        opened = 0
        async with self._db.reader() as reader:
            while True:
                rows = await reader.fetch(self._sql["list_sessions"], params)
                for session in (listed(self._keyring, row) for row in rows):
                    said = None
                    if search not in (session.title or "").lower():
                        said, count = await self._said_sealed(reader, session.session_id, search)
                        opened += count
                        if said is None and opened < MOST_OPENED:
                            continue
                    if said is not None or search in (session.title or "").lower():
                        found.append(session)
                    if len(found) == limit or opened >= MOST_OPENED:
                        return Page(found, _position(session))
                if len(rows) < params["limit"]:
                    return Page(found)
                params = {**params, "after_time": rows[-1]["updated_at"], "after_id": rows[-1]["session_id"]}

    async def _said_sealed(self, reader: Reader, session_id: str, search: str) -> tuple[str | None, int]:
        """The last message of a session that holds the text, and how many were opened."""
        latest = self._db.queries("messages")["latest_messages"]
        rows = await reader.fetch(latest, {"session_id": session_id, "before": 2**62, "limit": MOST_OPENED})
        for count, row in enumerate(rows, 1):
            try:
                said = str(unseal(self._keyring, "chat_messages", row)["content"])
            except StoredDataError:
                continue
            if search in said.lower():
                return said, count
        return None, len(rows)

    async def archive(self, session_id: str, archived: bool) -> Session:
        """The session, out of the way or back. Raises `NotFound`."""
        params = {"session_id": session_id, "archived_at": now() if archived else None}
        async with self._db.transaction() as tx:
            await tx.execute(self._sql["archive_session"], params)
            rows = await tx.fetch(self._sql["get_session"], params)
        if not rows:
            raise NotFound(f"no session {session_id!r}", session_id=session_id)
        return self._session(rows[0])

    async def put_aside(self, session_id: str) -> bool:
        """Delete a session so that `restore` can bring it back until it is purged; whether it was there."""
        async with self._db.transaction() as tx:
            await tx.fetch(self._sql["lock_session"], {"session_id": session_id})
            return bool(await tx.execute(self._sql["put_aside"], {"session_id": session_id, "now": now()}))

    async def find_put_aside(self, session_id: str, since: str) -> Session | None:
        """A session that was put aside after a moment."""
        async with self._db.reader() as reader:
            rows = await reader.fetch(self._sql["get_put_aside"], {"session_id": session_id, "since": since})
        return self._session(rows[0]) if rows else None

    async def restore(self, session_id: str, since: str) -> Session:
        """Bring back a session that was put aside after a moment. Raises `NotFound`: it was earlier, or purged."""
        rows = await self._db.once(self._sql["restore_session"], {"session_id": session_id, "since": since})
        if not rows:
            raise NotFound(f"no session {session_id!r}", session_id=session_id)
        return self._session(rows[0])

    async def purge(self, before: str) -> Sequence[str]:
        """Delete for good what was put aside up to a moment; which."""
        rows = await self._db.once(self._sql["purge_sessions"], {"before": before})
        return [row["session_id"] for row in rows]

    async def rename(self, session_id: str, title: str) -> Session:
        """The session under its new title. Raises `NotFound`, `InvalidInput`."""
        columns = {"session_id": session_id, "title": check_text(title, "title"), "now": now()}
        params = seal(self._keyring, "chat_sessions", columns)
        async with self._db.transaction() as tx:
            if not await tx.execute(self._sql["rename_session"], params):
                raise NotFound(f"no session {session_id!r}", session_id=session_id)
            return self._session((await tx.fetch(self._sql["get_session"], params))[0])

    async def update_metadata(self, session_id: str, changes: Mapping[str, Any]) -> Session:
        """The session with `changes` merged into its metadata; a None removes its key. Raises `NotFound`."""
        async with self._db.transaction() as tx:
            await tx.fetch(self._sql["lock_session"], {"session_id": session_id})
            rows = await tx.fetch(self._sql["get_session"], {"session_id": session_id})
            if not rows:
                raise NotFound(f"no session {session_id!r}", session_id=session_id)
            session = self._session(rows[0])
            merged = {key: value for key, value in {**session.metadata, **changes}.items() if value is not None}
            columns = {"session_id": session_id, "metadata": to_json(merged, "metadata"), "now": now()}
            await tx.execute(self._sql["update_metadata"], seal(self._keyring, "chat_sessions", columns))
            return replace(session, metadata=merged, updated_at=columns["now"])

    async def assign(self, session_id: str, assistant: str) -> Session:
        """The session, with this assistant if it had none. Raises `NotFound`."""
        async with self._db.transaction() as tx:
            rows = await tx.fetch(self._sql["assign_session"], {"session_id": session_id, "assistant": assistant})
        if not rows:
            raise NotFound(f"no session {session_id!r}", session_id=session_id)
        return self._session(rows[0])

    async def touch(self, session_id: str) -> None:
        """Note that the session is used now, where no message does."""
        async with self._db.transaction() as tx:
            await tx.execute(self._sql["touch_session"], {"session_id": session_id, "now": now()})

    async def standings(self, session_ids: Sequence[str]) -> dict[str, str | None]:
        """How the runs of each session stand: the status of one that is queued or running, else of the newest."""
        ids = many(self._db.dialect, session_ids)
        async with self._db.reader() as reader:
            rows = await reader.fetch(self._sql["standings"], {"ids": ids})
        return {row["session_id"]: row["open_status"] or row["last_status"] for row in rows}

    async def delete(self, session_id: str) -> bool:
        """Delete the session with messages, checkpoints, runs, events, documents and blobs; whether it was there.

        One transaction: a run that still goes on can't write any more, its fence is gone.
        """
        async with self._db.transaction() as tx:
            # The lock is what append, claim and finish take first: the same order, so no deadlock.
            await tx.fetch(self._sql["lock_session"], {"session_id": session_id})
            return bool(await tx.execute(self._sql["delete_session"], {"session_id": session_id}))

    def _session(self, row: Row) -> Session:
        return session_of(self._keyring, row)

    def _filters(
        self, user_id: int | None, assistant: str | None, anonymous: bool, company: str | None
    ) -> dict[str, Any]:
        return {
            "user_id": user_id,
            "assistant": assistant,
            "anonymous": int(anonymous),
            "company": company,
            "home": HOME_COMPANY,
        }


def searched(text: str | None) -> dict[str, str | None]:
    """A text to look for as the parameters of a query. Raises `InvalidInput`."""
    if not text:
        return {"text": None, "search": None}
    lowered = check_text(text, "q").lower()
    escaped = re.sub("([!%_])", r"!\1", lowered)
    return {"text": lowered, "search": f"%{escaped}%"}


def snippet(said: str, search: str) -> str:
    """What was said around a text, on one line."""
    place = max(0, said.lower().find(search.lower()))
    begin, end = max(0, place - AROUND), place + len(search) + AROUND
    cut = " ".join(said[begin:end].split())
    return f"{'…' if begin else ''}{cut}{'…' if end < len(said) else ''}"


def _position(session: Session) -> str:
    return encode_cursor(session.updated_at, session.session_id)


def session_of(keyring: Keyring | None, row: Row) -> Session:
    """The session in a row of `chat_sessions`. Raises `UnreadableData` or `DecryptionFailed`."""
    opened = unseal(keyring, "chat_sessions", row)
    metadata = from_json(opened["metadata"], "metadata")
    if not isinstance(metadata, Mapping):
        raise UnreadableData("metadata: not an object", field="metadata")
    return Session(
        session_id=opened["session_id"],
        assistant=opened["assistant"],
        user_id=opened["user_id"],
        title=opened["title"],
        parent_session_id=opened["parent_session_id"],
        metadata=metadata,
        message_count=opened["message_count"],
        last_message=opened["last_message"],
        last_seq=opened["last_seq"],
        created_at=opened["created_at"],
        updated_at=opened["updated_at"],
        archived_at=opened["archived_at"],
    )


def listed(keyring: Keyring | None, row: Row) -> Session:
    """The session in a row, for a list: one that is damaged says so instead of hiding the others."""
    try:
        return session_of(keyring, row)
    except (StoredDataError, ValueError) as problem:
        bare = {**row, "title": None, "metadata": "{}", "last_message": None}
        return replace(session_of(keyring, bare), damaged=str(problem))
