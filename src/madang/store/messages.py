"""Chat messages: append-only, in order, with whatever structure the answer had."""

from collections.abc import Collection, Mapping
from dataclasses import asdict, dataclass
from typing import Any, Literal, get_args

from madang.errors import InvalidInput, NotFound
from madang.store.codec import Keyring
from madang.store.columns import check_text, from_json, now, to_json
from madang.store.database import Database, Row, Transaction
from madang.store.paging import Page, check_limit, decode_cursor, encode_cursor, page_of
from madang.store.sealing import seal, unseal
from madang.store.transactions import joined

Role = Literal["user", "assistant", "system", "tool"]
PREVIEW = 200
NEWEST = 2**62


@dataclass(frozen=True)
class Message:
    """One message of a conversation."""

    id: int
    session_id: str
    role: str
    content: str
    structured_data: Mapping[str, Any] | None
    request_id: str | None
    run_id: str | None
    created_at: str

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)


class Messages:
    """The messages of one database."""

    def __init__(self, db: Database) -> None:
        self._db = db
        self._sql = db.queries("messages")
        self._keyring: Keyring | None = db.keyring

    async def append(
        self,
        session_id: str,
        role: str,
        content: str,
        *,
        structured_data: Mapping[str, Any] | None = None,
        request_id: str | None = None,
        run_id: str | None = None,
        tx: Transaction | None = None,
    ) -> Message:
        """Add a message and count it.

        Raises `NotFound` for an unknown session, `InvalidInput` for a role or text that can't be stored.
        """
        if role not in get_args(Role):
            raise InvalidInput(f"role: {role!r} is not one of {', '.join(get_args(Role))}", field="role")
        moment = now()
        params = {
            "session_id": session_id,
            "role": role,
            "content": check_text(content, "content"),
            "structured_data": None if structured_data is None else to_json(structured_data, "structured_data"),
            "request_id": request_id,
            "run_id": run_id,
            "created_at": moment,
            "now": moment,
        }
        preview = {"session_id": session_id, "last_message": content[:PREVIEW]}
        params = seal(self._keyring, "chat_messages", params) | seal(self._keyring, "chat_sessions", preview)
        async with joined(self._db, tx) as within:
            # Counting takes the session's lock, so ids grow in the order in which messages are committed.
            if not await within.execute(self._sql["count_in"], params):
                raise NotFound(f"no session {session_id!r}", session_id=session_id)
            added = await within.fetch(self._sql["add_message"], params)
        return Message(
            added[0]["id"], session_id, role, content, structured_data, request_id, run_id, created_at=moment
        )

    async def forget_run(self, run_id: str, session_id: str, *, tx: Transaction) -> None:
        """Take a run's messages out of its conversation, as if they had never been said."""
        gone = await tx.fetch(self._sql["forget_messages"], {"run_id": run_id, "session_id": session_id})
        if not gone:
            return
        rows = await tx.fetch(self._sql["latest_messages"], {"session_id": session_id, "before": NEWEST, "limit": 1})
        last = message_of(self._keyring, rows[0]).content[:PREVIEW] if rows else None
        params = seal(self._keyring, "chat_sessions", {"session_id": session_id, "last_message": last})
        await tx.execute(self._sql["count_out"], {**params, "gone": len(gone), "now": now()})

    async def copy(self, source: str, target: str, *, requests: Collection[str] | None = None) -> None:
        """The messages of one session again in another: all of them, or those of these requests."""
        cursor: str | None = None
        while True:
            page = await self.list(source, limit=1000, cursor=cursor)
            async with self._db.transaction() as tx:
                for message in page.items:
                    if requests is None or message.request_id in requests:
                        data, request_id = message.structured_data, message.request_id
                        await self.append(
                            target, message.role, message.content, structured_data=data, request_id=request_id, tx=tx
                        )
            cursor = page.next_cursor
            if cursor is None:
                return

    async def list(self, session_id: str, *, limit: int = 100, cursor: str | None = None) -> Page[Message]:
        """Messages from the first on. An unknown session has none. Raises `InvalidInput`."""
        (after,) = decode_cursor(cursor, int) if cursor else (0,)
        params = {"session_id": session_id, "after": after, "limit": check_limit(limit) + 1}
        async with self._db.reader() as reader:
            rows = await reader.fetch(self._sql["list_messages"], params)
        return page_of([message_of(self._keyring, row) for row in rows], limit, lambda m: encode_cursor(m.id))

    async def latest(self, session_id: str, *, limit: int = 50, cursor: str | None = None) -> Page[Message]:
        """The last messages in reading order; the cursor goes on to the ones before them. Raises `InvalidInput`."""
        (before,) = decode_cursor(cursor, int) if cursor else (NEWEST,)
        params = {"session_id": session_id, "before": before, "limit": check_limit(limit) + 1}
        async with self._db.reader() as reader:
            rows = await reader.fetch(self._sql["latest_messages"], params)
        page = page_of([message_of(self._keyring, row) for row in rows], limit, lambda m: encode_cursor(m.id))
        return Page(page.items[::-1], page.next_cursor)


def message_of(keyring: Keyring | None, row: Row) -> Message:
    """The message in a row of `chat_messages`. Raises `UnreadableData` or `DecryptionFailed`."""
    opened = unseal(keyring, "chat_messages", row)
    return Message(
        id=opened["id"],
        session_id=opened["session_id"],
        role=opened["role"],
        content=opened["content"],
        structured_data=from_json(opened["structured_data"], "structured_data"),
        request_id=opened["request_id"],
        run_id=opened["run_id"],
        created_at=opened["created_at"],
    )
