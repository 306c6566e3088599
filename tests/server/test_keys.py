"""A user's own keys over the API: never their secrets, never another's, and no way from one to a wider one."""

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from madang.server.options import ServerOptions
from madang.server.rest.keys import MOST
from madang.store.users import Users
from tests.support.serving import Site, both, closed_with, receive, serving
from tests.support.tokens import bearer, token_options

KEYS = "/api/v1/me/keys"
OPEN = ServerOptions(credentials_required=True, requests_per_minute=0)


def headers_of(key: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {key}"}


async def listed(site: Site, headers: dict[str, str]) -> list[dict[str, Any]]:
    answer = await site.http.get(KEYS, headers=headers)
    assert answer.status_code == 200, answer.text
    keys: list[dict[str, Any]] = answer.json()
    return keys


@both
async def test_a_key_is_made_shown_once_used_and_revoked(server_db: str) -> None:
    async with serving(server_db, OPEN) as site:
        alice = await site.user("alice")
        answer = await site.http.post(KEYS, json={"name": "  노트북 "}, headers=alice)
        assert answer.status_code == 201, answer.text
        assert answer.headers["cache-control"] == "no-store"
        made = answer.json()
        text = made.pop("api_key")
        assert text.startswith(f"mdg_{made['key_id']}_")
        first, second = await listed(site, alice)
        assert (first["current"], second["current"], second["name"]) == (True, False, "노트북")
        assert second == made
        secret = text.split("_", 2)[2]
        for own in (alice, headers_of(text)):
            shown = await site.http.get(KEYS, headers=own)
            assert secret not in shown.text
            assert "hash" not in shown.text
        assert [key["current"] for key in await listed(site, headers_of(text))] == [False, True]
        for _ in range(2):
            gone = await site.http.delete(f"{KEYS}/{made['key_id']}", headers=alice)
            assert gone.status_code == 204
        assert (await site.http.get(KEYS, headers=headers_of(text))).status_code == 401
        assert [key["key_id"] for key in await listed(site, alice)] == [first["key_id"]]


@both
async def test_anothers_key_is_like_one_that_is_not_there(server_db: str) -> None:
    async with serving(server_db, OPEN) as site:
        alice, bob = await site.user("alice"), await site.user("bob", role="admin")
        (hers,) = await listed(site, alice)
        foreign = await site.http.delete(f"{KEYS}/{hers['key_id']}", headers=bob)
        unknown = await site.http.delete(f"{KEYS}/000000000000", headers=bob)
        assert foreign.status_code == unknown.status_code == 404
        assert foreign.text.replace(hers["key_id"], "…") == unknown.text.replace("000000000000", "…")
        assert hers["key_id"] not in [key["key_id"] for key in await listed(site, bob)]
        assert await listed(site, alice) == [hers]


async def test_a_key_makes_none_that_reaches_further(sqlite_url: str) -> None:
    async with serving(sqlite_url, OPEN) as site:
        users = Users(site.runtime.db)
        kim = await users.add("kim")
        soon = datetime.now(UTC) + timedelta(hours=1)
        first, text = await users.issue_key(kim.id, scopes=["read"], expires_at=soon)
        made = (await site.http.post(KEYS, json={"name": "둘"}, headers=headers_of(text))).json()
        stored = {key.key_id: key for key in await users.keys(kim.id)}
        assert made["expires_at"] == first.expires_at
        assert list(stored[made["key_id"]].scopes) == ["read"]


async def test_a_token_makes_no_key_and_the_local_user_has_none(sqlite_url: str, tmp_path: Path) -> None:
    """A token speaks for one company until it ends: a key would outlive it, in whatever company came first."""
    async with serving(sqlite_url, token_options(tmp_path)) as site:
        kim, lee = bearer(company_id="kim"), bearer(company_id="lee")
        assert await listed(site, kim) == []
        for headers in (kim, lee):
            refused = await site.http.post(KEYS, json={"name": "n"}, headers=headers)
            assert (refused.status_code, refused.json()["code"]) == (403, "access_denied")
    async with serving(sqlite_url) as site:
        assert await listed(site, {}) == []
        assert (await site.http.post(KEYS, json={"name": "n"})).status_code == 403
        assert (await site.http.delete(f"{KEYS}/000000000000")).status_code == 404


@pytest.mark.parametrize(
    "body", [{}, {"name": ""}, {"name": "   "}, {"name": "x" * 101}, {"name": "a\x00b"}, {"name": 7}, {"nmae": "n"}]
)
async def test_a_key_needs_a_name(sqlite_url: str, body: dict[str, Any]) -> None:
    async with serving(sqlite_url, OPEN) as site:
        alice = await site.user("alice")
        assert (await site.http.post(KEYS, json=body, headers=alice)).status_code == 422
        assert len(await listed(site, alice)) == 1


async def test_there_is_an_end_to_keys(sqlite_url: str) -> None:
    async with serving(sqlite_url, OPEN) as site:
        alice = await site.user("alice")
        made = [await site.http.post(KEYS, json={"name": str(n)}, headers=alice) for n in range(MOST)]
        assert [answer.status_code for answer in made] == [201] * (MOST - 1) + [409]
        assert str(MOST) in made[-1].json()["detail"]
        await site.http.delete(f"{KEYS}/{made[0].json()['key_id']}", headers=alice)
        assert (await site.http.post(KEYS, json={"name": "n"}, headers=alice)).status_code == 201


async def test_revoking_the_key_one_came_with_ends_what_is_open(sqlite_url: str) -> None:
    options = ServerOptions(credentials_required=True, requests_per_minute=0, recheck=0.05)
    async with serving(sqlite_url, options) as site:
        alice = await site.user("alice")
        (own,) = await listed(site, alice)
        async with site.socket(await site.session(**alice), additional_headers=alice) as socket:
            await receive(socket)
            assert (await site.http.delete(f"{KEYS}/{own['key_id']}", headers=alice)).status_code == 204
            assert await closed_with(socket) == 4401
        assert (await site.http.get(KEYS, headers=alice)).status_code == 401
