"""Assistants that clients make: a graph under a name with config and context of its own, in versions."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from madang.errors import Conflict, NotFound
from madang.store.codec import Keyring
from madang.store.columns import check_id, check_text, from_json, new_id, now, to_json
from madang.store.database import Database, Row, Transaction
from madang.store.sealing import seal, unseal

MOST = 1000
MOST_VERSIONS = 1000


@dataclass(frozen=True, kw_only=True)
class AssistantVersion:
    """What one version of an assistant is."""

    graph_id: str
    name: str
    description: str | None = None
    config: Mapping[str, Any] = field(default_factory=dict)
    context: Mapping[str, Any] = field(default_factory=dict)
    metadata: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class NamedAssistant(AssistantVersion):
    """An assistant in one of its versions."""

    assistant_id: str
    version: int
    created_at: str
    updated_at: str


class NamedAssistants:
    """The assistants of one database, each of one owner."""

    def __init__(self, db: Database) -> None:
        self._db = db
        self._sql = db.queries("named_assistants")
        self._keyring: Keyring | None = db.keyring

    async def create(self, owner: str, first: AssistantVersion, assistant_id: str | None = None) -> NamedAssistant:
        """A new assistant. Raises `Conflict` if the id is used, by whomever, or the owner has too many."""
        if len(await self.of_owner(owner)) >= MOST:
            raise Conflict(f"at most {MOST} assistants")
        named = check_id(assistant_id, "assistant_id") if assistant_id is not None else new_id()
        async with self._db.transaction() as tx:
            if not await tx.fetch(self._sql["add"], {"assistant_id": named, "owner": owner, "now": now()}):
                raise Conflict("this assistant id can't be used: it exists", assistant_id=assistant_id)
            await self._add_version(tx, named, 1, first)
        return await self.get(owner, named)

    async def get(self, owner: str, assistant_id: str) -> NamedAssistant:
        """The assistant in the version that is its latest. Raises `NotFound`."""
        async with self._db.reader() as reader:
            rows = await reader.fetch(self._sql["get"], {"owner": owner, "assistant_id": assistant_id})
        if not rows:
            raise _unknown(assistant_id)
        return self._assistant(rows[0])

    async def of_owner(self, owner: str) -> list[NamedAssistant]:
        """The owner's assistants, oldest first."""
        async with self._db.reader() as reader:
            return [self._assistant(row) for row in await reader.fetch(self._sql["of_owner"], {"owner": owner})]

    async def versions(self, owner: str, assistant_id: str) -> list[NamedAssistant]:
        """Every version, newest first. Raises `NotFound`."""
        params = {"owner": owner, "assistant_id": assistant_id}
        async with self._db.reader() as reader:
            rows = await reader.fetch(self._sql["versions"], params)
        if not rows:
            raise _unknown(assistant_id)
        return [self._assistant(row) for row in rows]

    async def update(self, owner: str, assistant_id: str, new: AssistantVersion) -> NamedAssistant:
        """A new version, which is the latest now. Raises `NotFound`, `Conflict` if there are too many."""
        params = {"owner": owner, "assistant_id": assistant_id, "now": now()}
        async with self._db.transaction() as tx:
            if not await tx.fetch(self._sql["lock"], params):
                raise _unknown(assistant_id)
            version = int((await tx.fetch(self._sql["last_version"], params))[0]["version"]) + 1
            if version > MOST_VERSIONS:
                raise Conflict(f"an assistant has at most {MOST_VERSIONS} versions", assistant_id=assistant_id)
            await self._add_version(tx, assistant_id, version, new)
            await tx.execute(self._sql["set_version"], {**params, "version": version})
        return await self.get(owner, assistant_id)

    async def set_latest(self, owner: str, assistant_id: str, version: int) -> NamedAssistant:
        """The assistant in another of its versions from now on. Raises `NotFound`."""
        params = {"owner": owner, "assistant_id": assistant_id, "version": version, "now": now()}
        if not await self._db.once(self._sql["set_version"], params):
            raise NotFound(f"no version {version} of assistant {assistant_id!r}", assistant_id=assistant_id)
        return await self.get(owner, assistant_id)

    async def delete(self, owner: str, assistant_id: str) -> None:
        """Delete it with its versions. Raises `NotFound`."""
        if not await self._db.once(self._sql["remove"], {"owner": owner, "assistant_id": assistant_id}):
            raise _unknown(assistant_id)

    async def _add_version(self, tx: Transaction, assistant_id: str, version: int, new: AssistantVersion) -> None:
        columns = {
            "assistant_id": assistant_id,
            "version": version,
            "graph_id": new.graph_id,
            "name": check_text(new.name, "name"),
            "description": None if new.description is None else check_text(new.description, "description"),
            **{name: to_json(dict(getattr(new, name)), name) for name in ("config", "context", "metadata")},
            "now": now(),
        }
        await tx.execute(self._sql["add_version"], seal(self._keyring, "assistant_versions", columns))

    def _assistant(self, row: Row) -> NamedAssistant:
        opened = unseal(self._keyring, "assistant_versions", row)
        return NamedAssistant(
            assistant_id=opened["assistant_id"],
            version=opened["version"],
            graph_id=opened["graph_id"],
            name=opened["name"],
            description=opened["description"],
            config=from_json(opened["config"], "config"),
            context=from_json(opened["context"], "context"),
            metadata=from_json(opened["metadata"], "metadata"),
            created_at=opened["made_at"],
            updated_at=opened["created_at"],
        )


def _unknown(assistant_id: str) -> NotFound:
    return NotFound(f"no assistant {assistant_id!r}", assistant_id=assistant_id)
