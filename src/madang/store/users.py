"""Users and their API keys. A key is shown once; only a hash of it is stored."""

import hashlib
import hmac
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from madang.errors import Conflict, InvalidInput, NotFound
from madang.store.columns import check_id, check_text, from_json, now, timestamp, to_json
from madang.store.database import Database, Row
from madang.store.paging import Page, check_limit, decode_cursor, encode_cursor, page_of

PREFIX = "mdg"
HOME_COMPANY = "sample"
USED_NOTED_EVERY = timedelta(minutes=1)
_NOBODY = hashlib.sha256(b"").hexdigest()


@dataclass(frozen=True)
class User:
    """Someone who talks to the assistants: a subject of an issuer, which is empty for users of our own.

    `name` is what administrators call them; for users of an identity provider it is `issuer#subject`.
    """

    id: int
    name: str
    issuer: str
    subject: str
    company_id: str
    role: str
    metadata: Mapping[str, Any]
    created_at: str
    revoked_at: str | None

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)


@dataclass(frozen=True)
class ApiKey:
    """What is known of a key: everything but the key."""

    key_id: str
    user_id: int
    name: str
    scopes: Sequence[str]
    created_at: str
    last_used_at: str | None
    expires_at: str | None
    revoked_at: str | None

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)


class Users:
    """The users of one database."""

    def __init__(self, db: Database) -> None:
        self._db = db
        self._sql = db.queries("users")

    async def add(
        self,
        name: str,
        *,
        company_id: str | None = None,
        role: str = "user",
        metadata: Mapping[str, Any] | None = None,
    ) -> User:
        """A new user of our own. Raises `Conflict` if the name is taken, `InvalidInput` if it can't be one."""
        if not check_text(name, "name").strip() or "#" in name:
            raise InvalidInput("name: empty, or with a '#', which users of an identity provider have", field="name")
        params = {
            "name": name,
            "issuer": "",
            "subject": name,
            "company_id": company_id,
            "role": role,
            "metadata": to_json(dict(metadata or {}), "metadata"),
            "now": now(),
        }
        async with self._db.transaction() as tx:
            added = await tx.fetch(self._sql["add_user"], params)
            if not added:
                raise Conflict(f"user {name!r} exists", name=name)
            return _user_of((await tx.fetch(self._sql["get_user"], {"user_id": added[0]["id"]}))[0])

    async def meet(self, issuer: str, subject: str, *, company_id: str | None = None) -> User:
        """The user that an identity provider vouches for, made when first seen, however many see them at once."""
        who = {"issuer": issuer, "subject": check_id(subject, "subject")}
        rows = await self._fetch("find_subject", **who)
        if not rows:
            made = {"name": f"{issuer}#{subject}", "company_id": company_id, "role": "user", "metadata": "{}"}
            async with self._db.transaction() as tx:
                await tx.execute(self._sql["add_user"], {**who, **made, "now": now()})
                rows = await tx.fetch(self._sql["find_subject"], who)
        return _user_of(rows[0])

    async def get(self, user_id: int) -> User:
        """The user. Raises `NotFound`."""
        rows = await self._fetch("get_user", user_id=user_id)
        if not rows:
            raise NotFound(f"no user {user_id}", user_id=user_id)
        return _user_of(rows[0])

    async def find(self, name: str) -> User | None:
        """The user whom administrators call so, or None."""
        rows = await self._fetch("find_user", name=name)
        return _user_of(rows[0]) if rows else None

    async def list(self, *, limit: int = 100, cursor: str | None = None) -> Page[User]:
        """Users by id. Raises `InvalidInput`."""
        (after,) = decode_cursor(cursor, int) if cursor else (0,)
        rows = await self._fetch("list_users", after=after, limit=check_limit(limit) + 1)
        return page_of([_user_of(row) for row in rows], limit, lambda user: encode_cursor(user.id))

    async def revoke(self, user_id: int) -> User:
        """Shut the user and every key out; what they made stays. Raises `NotFound`."""
        async with self._db.transaction() as tx:
            if not await tx.execute(self._sql["revoke_user"], {"user_id": user_id, "now": now()}):
                raise NotFound(f"no user {user_id}", user_id=user_id)
            await tx.execute(self._sql["revoke_keys_of"], {"user_id": user_id, "now": now()})
            return _user_of((await tx.fetch(self._sql["get_user"], {"user_id": user_id}))[0])

    async def issue_key(
        self, user_id: int, *, name: str = "", scopes: Sequence[str] = (), expires_at: datetime | None = None
    ) -> tuple[ApiKey, str]:
        """A new key and its text, which can't be had again. Raises `NotFound`, or `Conflict` for a revoked user."""
        user = await self.get(user_id)
        if user.revoked_at:
            raise Conflict(f"user {user.name!r} is revoked", user_id=user_id)
        secret = secrets.token_urlsafe(32)
        key = ApiKey(
            key_id=secrets.token_hex(6),
            user_id=user_id,
            name=check_text(name, "name"),
            scopes=tuple(scopes),
            created_at=now(),
            last_used_at=None,
            expires_at=timestamp(expires_at) if expires_at else None,
            revoked_at=None,
        )
        params = {
            **key.as_dict(),
            "scopes": to_json(list(scopes), "scopes"),
            "key_hash": _hash(secret),
            "now": key.created_at,
        }
        async with self._db.transaction() as tx:
            await tx.execute(self._sql["add_key"], params)
        return key, f"{PREFIX}_{key.key_id}_{secret}"

    async def keys(self, user_id: int) -> Sequence[ApiKey]:
        """A user's keys, revoked ones too."""
        return [_key_of(row) for row in await self._fetch("keys_of", user_id=user_id)]

    async def revoke_key(self, key_id: str, *, user_id: int | None = None) -> None:
        """Shut one key out, of that user if one is given. Raises `NotFound`, the same for another's."""
        async with self._db.transaction() as tx:
            params = {"key_id": key_id, "user_id": user_id, "now": now()}
            if not await tx.execute(self._sql["revoke_key"], params):
                raise NotFound(f"no key {key_id!r}", key_id=key_id)

    async def authenticate(self, key: str) -> User | None:
        """Whose key this is, or None for one that is unknown, revoked or expired.

        The secret part is compared by hash in constant time, also when the key's id is unknown.
        """
        prefix, _, rest = key.partition("_")
        key_id, _, secret = rest.partition("_")
        rows = await self._fetch("find_key", key_id=key_id) if key_id.isalnum() and key_id.isascii() else []
        right = hmac.compare_digest(_hash(secret), rows[0]["key_hash"] if rows else _NOBODY)
        if not rows or not right or prefix != PREFIX:
            return None
        row, moment = rows[0], now()
        expired = row["expires_at"] is not None and row["expires_at"] <= moment
        if row["revoked_at"] or row["key_revoked_at"] or expired:
            return None
        await self._note_use(key_id, row["last_used_at"])
        return _user_of(row)

    async def _note_use(self, key_id: str, last: str | None) -> None:
        if last is None or last < timestamp(datetime.now(UTC) - USED_NOTED_EVERY):
            async with self._db.transaction() as tx:
                await tx.execute(self._sql["key_used"], {"key_id": key_id, "now": now()})

    async def _fetch(self, query: str, **params: Any) -> Sequence[Row]:
        async with self._db.reader() as reader:
            return await reader.fetch(self._sql[query], params)


def _hash(secret: str) -> str:
    # The secret has 256 random bits, so a plain hash can't be searched; surrogates may come from a client.
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()


def _user_of(row: Row) -> User:
    return User(
        id=row["id"],
        name=row["name"],
        issuer=row["issuer"],
        subject=row["subject"],
        company_id=row["company_id"],
        role=row["role"],
        metadata=from_json(row["metadata"], "metadata"),
        created_at=row["created_at"],
        revoked_at=row["revoked_at"],
    )


def _key_of(row: Row) -> ApiKey:
    plain = {name: row[name] for name in ApiKey.__dataclass_fields__ if name != "scopes"}
    return ApiKey(**plain, scopes=tuple(from_json(row["scopes"], "scopes")))
