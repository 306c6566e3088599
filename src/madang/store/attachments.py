"""Files that a user brought to a conversation: their text, sealed like what was said."""

from collections.abc import Sequence
from dataclasses import dataclass

from madang.errors import Conflict, NotFound
from madang.store.codec import Keyring
from madang.store.columns import check_text, many, new_id, now
from madang.store.database import Database
from madang.store.sealing import seal, unseal

MOST = 200


@dataclass(frozen=True)
class Attachment:
    """A file's text, of a session."""

    file_id: str
    session_id: str
    name: str
    kind: str
    size: int
    row_count: int | None
    content: str
    created_at: str


class Attachments:
    """The files of one database."""

    def __init__(self, db: Database) -> None:
        self._db = db
        self._sql = db.queries("attachments")
        self._keyring: Keyring | None = db.keyring

    async def add(
        self, session_id: str, name: str, kind: str, content: str, *, size: int, rows: int | None = None
    ) -> Attachment:
        """Keep a file. Raises `NotFound` for an unknown session, `Conflict` if it has too many."""
        async with self._db.reader() as reader:
            if (await reader.fetch(self._sql["count_attachments"], {"session_id": session_id}))[0]["n"] >= MOST:
                raise Conflict(f"a conversation has at most {MOST} files", session_id=session_id)
        file = Attachment(
            new_id(), session_id, check_text(name, "name"), kind, size, rows, check_text(content, "content"), now()
        )
        params = seal(self._keyring, "attachments", {**vars(file), "now": file.created_at})
        if not await self._db.once(self._sql["add_attachment"], params):
            raise NotFound(f"no session {session_id!r}", session_id=session_id)
        return file

    async def get(self, session_id: str, file_ids: Sequence[str]) -> list[Attachment]:
        """Files of a session, in the order they are named. Raises `NotFound` naming the first that isn't there."""
        params = {"session_id": session_id, "ids": many(self._db.dialect, file_ids)}
        async with self._db.reader() as reader:
            rows = await reader.fetch(self._sql["attachments"], params)
        found = {row["file_id"]: Attachment(**unseal(self._keyring, "attachments", row)) for row in rows}
        if missing := next((one for one in file_ids if one not in found), None):
            raise NotFound(f"no file {missing!r} in this session", file_id=missing)
        return [found[one] for one in file_ids]
