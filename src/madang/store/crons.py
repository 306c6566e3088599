"""Runs by the clock, as they are stored."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from madang.errors import Conflict, NotFound
from madang.store.codec import Keyring
from madang.store.columns import from_json, new_id, now, to_json
from madang.store.database import Database, Row
from madang.store.sealing import seal, unseal

MOST = 1000


@dataclass(frozen=True, kw_only=True)
class Cron:
    """When a run is started again and again, whose, and with what (`payload`, a run's body)."""

    cron_id: str
    owner: str
    user_id: int | None
    company_id: str
    session_id: str | None
    assistant_id: str
    schedule: str
    timezone: str | None
    end_time: str | None
    enabled: bool
    on_run_completed: str | None
    payload: Mapping[str, Any]
    metadata: Mapping[str, Any]
    next_run_at: str | None
    created_at: str
    updated_at: str


class Crons:
    """The crons of one database."""

    def __init__(self, db: Database) -> None:
        self._db = db
        self._sql = db.queries("crons")
        self._keyring: Keyring | None = db.keyring

    async def add(self, **given: Any) -> Cron:
        """A new one. Raises `Conflict` if the owner has too many."""
        if len(await self.of_owner(given["owner"])) >= MOST:
            raise Conflict(f"at most {MOST} crons")
        columns = self._columns({**given, "cron_id": new_id()})
        await self._db.once(self._sql["add"], columns)
        return await self.get(given["owner"], columns["cron_id"])

    async def get(self, owner: str, cron_id: str) -> Cron:
        """The cron. Raises `NotFound`."""
        async with self._db.reader() as reader:
            rows = await reader.fetch(self._sql["get"], {"owner": owner, "cron_id": cron_id})
        if not rows:
            raise NotFound(f"no cron {cron_id!r}", cron_id=cron_id)
        return self._cron(rows[0])

    async def of_owner(self, owner: str) -> list[Cron]:
        """The owner's crons, oldest first."""
        async with self._db.reader() as reader:
            return [self._cron(row) for row in await reader.fetch(self._sql["of_owner"], {"owner": owner})]

    async def change(self, cron: Cron, **changes: Any) -> Cron:
        """The cron with these changes. Raises `NotFound`."""
        if not await self._db.once(self._sql["change"], self._columns({**vars(cron), **changes})):
            raise NotFound(f"no cron {cron.cron_id!r}", cron_id=cron.cron_id)
        return await self.get(cron.owner, cron.cron_id)

    async def delete(self, owner: str, cron_id: str) -> None:
        """Delete it. Raises `NotFound`."""
        if not await self._db.once(self._sql["remove"], {"owner": owner, "cron_id": cron_id}):
            raise NotFound(f"no cron {cron_id!r}", cron_id=cron_id)

    async def due(self, moment: str) -> list[Cron]:
        """Those whose time has come; of users who are revoked none."""
        async with self._db.reader() as reader:
            return [self._cron(row) for row in await reader.fetch(self._sql["due"], {"now": moment})]

    async def take(self, cron: Cron, next_run_at: str | None) -> bool:
        """Whether this process starts its run: whoever moves it on to its next time does."""
        params = {"cron_id": cron.cron_id, "seen": cron.next_run_at, "next_run_at": next_run_at}
        return bool(await self._db.once(self._sql["take"], params))

    def _columns(self, given: Mapping[str, Any]) -> dict[str, Any]:
        columns = {
            **given,
            "enabled": int(given["enabled"]),
            "payload": to_json(dict(given["payload"]), "payload"),
            "metadata": to_json(dict(given["metadata"]), "metadata"),
            "now": now(),
        }
        return seal(self._keyring, "crons", columns)

    def _cron(self, row: Row) -> Cron:
        opened = unseal(self._keyring, "crons", row)
        parsed = {name: from_json(opened[name], name) for name in ("payload", "metadata")}
        return Cron(**{**opened, **parsed, "enabled": bool(opened["enabled"])})
