"""Links to conversations: whoever has one may read what had been said when it was made, until it is revoked."""

import hashlib
import secrets
from dataclasses import dataclass
from typing import Any

from madang.errors import Conflict, NotFound
from madang.store.codec import Keyring
from madang.store.columns import now
from madang.store.database import Database, Row
from madang.store.sealing import seal, unseal

MOST = 100


@dataclass(frozen=True)
class Share:
    """One link. Messages after `last_message_id` were said later and are not shown."""

    share_id: str
    session_id: str
    redacted: bool
    last_message_id: int
    created_at: str


class Shares:
    """The links of one database."""

    def __init__(self, db: Database) -> None:
        self._db = db
        self._sql = db.queries("shares")
        self._keyring: Keyring | None = db.keyring

    async def add(self, session_id: str, *, redacted: bool) -> Share:
        """A link to a session as it is now. Raises `NotFound`, `Conflict` if it has too many."""
        if len(await self.of_session(session_id)) >= MOST:
            raise Conflict(f"a conversation has at most {MOST} links", session_id=session_id)
        share_id, moment = secrets.token_urlsafe(32), now()
        columns: dict[str, Any] = {
            "share_hash": _hash(share_id),
            "share_id": share_id,
            "session_id": session_id,
            "redacted": int(redacted),
            "now": moment,
        }
        rows = await self._db.once(self._sql["add_share"], seal(self._keyring, "shares", columns))
        if not rows:
            raise NotFound(f"no session {session_id!r}", session_id=session_id)
        return Share(share_id, session_id, redacted, int(rows[0]["last_message_id"]), moment)

    async def get(self, share_id: str) -> Share:
        """The link. Raises `NotFound`, also after it or its session is gone."""
        async with self._db.reader() as reader:
            rows = await reader.fetch(self._sql["get_share"], {"share_hash": _hash(share_id)})
        if not rows:
            raise NotFound("no such link, or it was revoked")
        return self._share(rows[0])

    async def of_session(self, session_id: str) -> list[Share]:
        """The links to a session, newest first."""
        async with self._db.reader() as reader:
            rows = await reader.fetch(self._sql["shares_of"], {"session_id": session_id})
        return [self._share(row) for row in rows]

    async def revoke(self, share_id: str) -> None:
        """From now on the link opens nothing."""
        await self._db.once(self._sql["delete_share"], {"share_hash": _hash(share_id)})

    def _share(self, row: Row) -> Share:
        opened = unseal(self._keyring, "shares", row)
        return Share(
            opened["share_id"],
            opened["session_id"],
            bool(opened["redacted"]),
            opened["last_message_id"],
            opened["created_at"],
        )


def _hash(share_id: str) -> str:
    return hashlib.sha256(share_id.encode("utf-8", "replace")).hexdigest()
