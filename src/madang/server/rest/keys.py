"""A user's own API keys: seen without their secrets, made, revoked."""

from datetime import datetime
from typing import Any

from fastapi import APIRouter

from madang.errors import AccessDenied, Conflict, NotFound
from madang.server.identity import TheRuntime, Who
from madang.server.rest.models import Id, KeyMade, KeyShown, NewKey
from madang.store.users import ApiKey, Users

router = APIRouter(prefix="/me/keys", tags=["me"])
MOST = 50


@router.get("", response_model=list[KeyShown])
async def list_keys(runtime: TheRuntime, who: Who) -> list[dict[str, Any]]:
    """Your API keys that are not revoked, oldest first. What is secret of a key is never shown again."""
    return [_shown(key, who.key) for key in await _kept(Users(runtime.db), who.user_id)]


@router.post("", status_code=201, response_model=KeyMade)
async def make_key(given: NewKey, runtime: TheRuntime, who: Who) -> dict[str, Any]:
    """One more key, for who came with one: it reaches no further and expires no later. `api_key` is shown only here."""
    users = Users(runtime.db)
    kept = await _kept(users, who.user_id)
    own = next((key for key in kept if key.key_id == who.key), None)
    if who.user_id is None or own is None:
        # A token speaks for one company and ends soon; a key made with it would do neither.
        raise AccessDenied("a key is made by who came with a key; else an administrator makes one")
    if len(kept) >= MOST:
        raise Conflict(f"you have {len(kept)} keys: revoke one first")
    until = datetime.fromisoformat(own.expires_at) if own.expires_at else None
    key, text = await users.issue_key(who.user_id, name=given.name, scopes=own.scopes, expires_at=until)
    return {**_shown(key, who.key), "api_key": text}


@router.delete("/{key_id}", status_code=204)
async def revoke_key(key_id: Id, runtime: TheRuntime, who: Who) -> None:
    """From now on the key opens nothing, also if it is the one you came with."""
    if who.user_id is None:
        raise NotFound(f"no key {key_id!r}", key_id=key_id)
    await Users(runtime.db).revoke_key(key_id, user_id=who.user_id)


async def _kept(users: Users, user_id: int | None) -> list[ApiKey]:
    return [] if user_id is None else [key for key in await users.keys(user_id) if key.revoked_at is None]


def _shown(key: ApiKey, used: str) -> dict[str, Any]:
    return {
        "key_id": key.key_id,
        "name": key.name,
        "created_at": key.created_at,
        "last_used_at": key.last_used_at,
        "expires_at": key.expires_at,
        "current": key.key_id == used,
    }
