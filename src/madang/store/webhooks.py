"""Calls that are owed when a run is over, kept until they were made or given up."""

from dataclasses import dataclass

from madang.store.codec import Keyring
from madang.store.columns import now
from madang.store.database import Database
from madang.store.sealing import seal, unseal


@dataclass(frozen=True)
class Owed:
    """A call that is due: its run is over, or waits, or (None) was never begun."""

    run_id: str
    session_id: str
    url: str
    attempts: int
    due_at: str
    created_at: str
    run_status: str | None


class Webhooks:
    """The calls of one database."""

    def __init__(self, db: Database) -> None:
        self._db = db
        self._sql = db.queries("webhooks")
        self._keyring: Keyring | None = db.keyring

    async def add(self, run_id: str, session_id: str, url: str) -> None:
        """Owe a call for a run, before that is begun."""
        columns = {"run_id": run_id, "session_id": session_id, "url": url, "now": now()}
        # The row may get another run, so it is sealed to its session.
        await self._db.once(self._sql["add"], seal(self._keyring, "webhooks", columns))

    async def move(self, run_id: str, session_id: str, to_run: str) -> None:
        """It was another run that answered."""
        await self._db.once(self._sql["move"], {"run_id": run_id, "session_id": session_id, "to_run": to_run})

    async def remove(self, run_id: str, session_id: str) -> None:
        """Nothing is owed any more."""
        await self._db.once(self._sql["remove"], {"run_id": run_id, "session_id": session_id})

    async def due(self, moment: str) -> list[Owed]:
        """Calls to make now."""
        async with self._db.reader() as reader:
            rows = await reader.fetch(self._sql["due"], {"now": moment})
        opened = [unseal(self._keyring, "webhooks", row) for row in rows]
        return [Owed(**{name: row[name] for name in Owed.__dataclass_fields__}) for row in opened]

    async def pending(self, run_id: str, session_id: str) -> bool:
        """Whether a call is still owed."""
        async with self._db.reader() as reader:
            return bool(await reader.fetch(self._sql["pending"], {"run_id": run_id, "session_id": session_id}))

    async def take(self, owed: Owed, next_due: str) -> bool:
        """Whether this process makes the call: whoever moves it on to its next time does."""
        params = {"run_id": owed.run_id, "session_id": owed.session_id, "seen": owed.due_at, "next": next_due}
        return bool(await self._db.once(self._sql["take"], params))

    async def failed(self, owed: Owed, error: str) -> None:
        """Keep why the last attempt failed."""
        params = {"run_id": owed.run_id, "session_id": owed.session_id, "error": error[:500]}
        await self._db.once(self._sql["failed"], params)
