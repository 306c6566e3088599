"""Keys, tokens, rates: who is let in."""

import asyncio
import time
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import jwt
import pytest
from starlette.requests import HTTPConnection

from madang.errors import RateLimited, ServiceUnavailable
from madang.server.identity import Identities, Identity
from madang.server.limits import Limits
from madang.server.options import ServerOptions
from madang.server.rechecking import Rechecks
from madang.store.users import Users
from tests.support.serving import Site, both, closed_with, receive, send, serving
from tests.support.tokens import EC, RSA, STRANGER, bearer, token, token_options

API = "/api/v1"


async def test_keys_in_every_place(guarded: Site) -> None:
    headers = await guarded.user("alice")
    key = headers["Authorization"].split()[1]
    for given in (headers, {"X-Api-Key": key}, {"Authorization": f"bearer {key}"}):
        assert (await guarded.http.get(f"{API}/sessions", headers=given)).status_code == 200
    session = await guarded.session(**headers)
    async with guarded.socket(session, additional_headers=headers) as socket:
        assert (await receive(socket))["type"] == "connected"
    offered: Any = ["madang", f"madang.bearer.{key}"]
    async with guarded.socket(session, subprotocols=offered) as socket:
        assert (await receive(socket))["type"] == "connected"
        assert socket.subprotocol == "madang"


@pytest.mark.parametrize("given", ["Basic YTpi", "Bearer", "Bearer x.y.z", "Bearer mdg_", "Bearer mdg_1_2"])
async def test_bad_credentials_are_refused_also_on_loopback(site: Site, given: str) -> None:
    answer = await site.http.get(f"{API}/sessions", headers={"Authorization": given})
    assert answer.status_code == 401
    assert answer.headers["www-authenticate"] == "Bearer"
    assert answer.json()["code"] == "unauthenticated"


async def test_a_foreign_api_key_is_ignored_on_loopback(site: Site) -> None:
    assert (await site.http.get(f"{API}/sessions", headers={"X-Api-Key": "lsv2_pt_x"})).status_code == 200


async def test_a_revoked_key_closes_an_open_socket(guarded: Site) -> None:
    headers = await guarded.user("alice")
    async with guarded.socket(await guarded.session(**headers), additional_headers=headers) as socket:
        await receive(socket)
        await revoke(guarded, "alice")
        await send(socket, type="query", query="오사카 3")
        assert await closed_with(socket) == 4401


async def revoke(site: Site, name: str) -> None:
    users = Users(site.runtime.db)
    user = await users.find(name)
    assert user is not None
    await users.revoke(user.id)


async def test_a_silent_socket_is_closed_when_its_key_is_revoked(db_url: str) -> None:
    options = ServerOptions(credentials_required=True, requests_per_minute=0, recheck=0.05)
    async with serving(db_url, options) as site:
        alice, bob = await site.user("alice"), await site.user("bob")
        hers, his = await site.session(**alice), await site.session(**bob)
        async with (
            site.socket(hers, additional_headers=alice) as silent,
            site.socket(his, additional_headers=bob) as other,
        ):
            await receive(silent)
            await receive(other)
            await revoke(site, "alice")
            assert await closed_with(silent) == 4401
            await send(other, type="query", query="오사카 3 100")
            assert (await receive(other))["type"] == "planning_start"


async def test_a_silent_socket_is_closed_when_its_token_expires(
    sqlite_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with serving(sqlite_url, replace(token_options(tmp_path), recheck=0.05)) as site:
        soon = {"Authorization": f"Bearer {token(exp=int(time.time()) + 3600)}"}
        async with site.socket(await site.session(**soon), additional_headers=soon) as socket:
            await receive(socket)
            # An hour and more goes by.
            monkeypatch.setattr("madang.server.tokens.LEEWAY", -7200)
            assert await closed_with(socket) == 4401


@pytest.mark.parametrize(
    ("path", "ending"),
    [
        (API + "/sessions/{}/events", nullcontext()),
        # Its clients come again, and are told why they can't.
        ("/threads/{}/stream", pytest.raises(httpx.RemoteProtocolError)),
    ],
)
async def test_an_event_stream_ends_when_its_key_is_revoked(sqlite_url: str, path: str, ending: Any) -> None:
    options = ServerOptions(credentials_required=True, requests_per_minute=0, recheck=0.05, heartbeat=0.2)
    async with serving(sqlite_url, options) as site:
        alice = await site.user("alice")
        session = await site.session(**alice)
        async with site.http.stream("GET", path.format(session), headers=alice) as answer:
            lines = answer.aiter_lines()
            assert await anext(lines) == ": heartbeat"
            await revoke(site, "alice")
            with ending:
                async for line in lines:
                    assert line in ("", ": heartbeat")


async def test_credentials_that_cannot_be_checked_now_stay() -> None:
    class Unreachable(Identities):
        async def of(self, credential: str | None) -> Identity:
            raise ServiceUnavailable("the database is away")

    async def end() -> None:
        raise AssertionError("ended")

    rechecks = Rechecks(Unreachable(None, required=True), every=60)  # type: ignore[arg-type]
    scope = {"type": "http", "headers": [(b"x-api-key", b"mdg_a_b")]}
    with rechecks.watching(HTTPConnection(scope), end):
        assert await rechecks.check() == 0


async def test_tokens(sqlite_url: str, tmp_path: Path) -> None:
    async with serving(sqlite_url, token_options(tmp_path)) as site:
        good = {"Authorization": f"Bearer {token(company_id='kim')}"}
        session = await site.session(**good)
        again = {"Authorization": f"Bearer {token(EC, 'e1', 'ES256', company_id='kim')}"}
        shown = (await site.http.get(f"{API}/sessions/{session}", headers=again)).json()
        (user,) = (await Users(site.runtime.db).list()).items
        assert shown["user_id"] == user.id
        assert (user.company_id, shown["metadata"]["company_id"]) == ("kim", "kim")
        moved = {"Authorization": f"Bearer {token(company_id='lee')}"}
        assert (await site.http.get(f"{API}/sessions/{session}", headers=moved)).status_code == 404
        other = {"Authorization": f"Bearer {token(sub='dave')}"}
        assert (await site.http.get(f"{API}/sessions/{session}", headers=other)).status_code == 404
        await Users(site.runtime.db).revoke(user.id)
        assert (await site.http.get(f"{API}/sessions", headers=good)).status_code == 401


@both
async def test_a_tokens_subject_is_not_the_user_of_that_name(server_db: str, tmp_path: Path) -> None:
    """A user is an issuer and a subject: whoever the identity provider calls `carol` isn't our own `carol`."""
    async with serving(server_db, token_options(tmp_path)) as site:
        ours = await site.user("carol", role="admin")
        hers = await site.session(**ours)
        await site.http.put(f"{API}/memory/preferences", json={"style": "비밀"}, headers=ours)
        theirs = bearer(sub="carol")
        assert (await site.http.get(f"{API}/sessions", headers=theirs)).json()["items"] == []
        assert (await site.http.get(f"{API}/sessions/{hers}", headers=theirs)).status_code == 404
        assert (await site.http.get("/metrics", headers=theirs)).status_code == 403
        assert (await site.http.get(f"{API}/memory", headers=theirs)).json()["preferences"] == {}
        users = Users(site.runtime.db)
        assert [(user.issuer, user.subject, user.role) for user in (await users.list()).items] == [
            ("", "carol", "admin"),
            ("https://id.example", "carol", "user"),
        ]


@both
async def test_a_revoked_user_of_that_name_shuts_no_token_out(server_db: str, tmp_path: Path) -> None:
    async with serving(server_db, token_options(tmp_path)) as site:
        ours = await site.user("carol")
        await revoke(site, "carol")
        assert (await site.http.get(f"{API}/sessions", headers=ours)).status_code == 401
        assert (await site.http.get(f"{API}/sessions", headers=bearer())).status_code == 200


@both
async def test_first_requests_at_once_make_one_user(server_db: str, tmp_path: Path) -> None:
    async with serving(server_db, token_options(tmp_path)) as site:
        asked = [site.http.get(f"{API}/sessions", headers=bearer(sub="erin")) for _ in range(12)]
        assert [answer.status_code for answer in await asyncio.gather(*asked)] == [200] * 12
        assert len((await Users(site.runtime.db).list()).items) == 1


@both
@pytest.mark.parametrize(
    "claims",
    [
        {"sub": "half\ud800"},
        {"sub": "nul\x00"},
        {"sub": "x" * 300},
        {"sub": "carol", "company_id": "half\udfff"},
        {"sub": "carol", "company_id": "x" * 300},
        {"sub": "carol", "company_id": 7},
    ],
    ids=["half a character", "NUL", "too long", "company: half a character", "company: too long", "company: no text"],
)
async def test_claims_that_name_nobody_are_refused(server_db: str, tmp_path: Path, claims: dict[str, Any]) -> None:
    async with serving(server_db, token_options(tmp_path)) as site:
        answer = await site.http.get(f"{API}/sessions", headers=bearer(**claims))
        assert answer.status_code == 401
        assert answer.json()["code"] == "unauthenticated"
        assert (await Users(site.runtime.db).list()).items == []


@both
async def test_memory_items_and_numbers_stay_in_their_company(server_db: str, tmp_path: Path) -> None:
    """One person in two companies: what is remembered, stored and counted in one isn't seen in the other."""
    async with serving(server_db, token_options(tmp_path)) as site:
        kim, lee = bearer(company_id="kim.co"), bearer(company_id="lee")
        await site.ask(await site.session(**kim), "비밀도시 3 100", **kim)
        await site.http.put(f"{API}/memory/preferences", json={"style": "비밀"}, headers=kim)
        item = {"namespace": ["notes"], "key": "k", "value": {"v": "비밀"}}
        assert (await site.http.put("/store/items", json=item, headers=kim)).status_code == 204
        assert (await site.http.get(f"{API}/stats", headers=kim)).json()["sessions"] == 1
        for elsewhere in (lee, bearer()):
            seen = [
                await site.http.get(f"{API}{path}", headers=elsewhere) for path in ("/memory", "/stats", "/sessions")
            ]
            assert seen[0].json() == {"sessions": [], "preferences": {}}
            assert (seen[1].json()["sessions"], set(seen[1].json()["sessions_by_assistant"].values())) == (0, {0})
            assert seen[2].json()["items"] == []
            found = await site.http.post("/store/items/search", json={"namespace_prefix": []}, headers=elsewhere)
            spaces = await site.http.post("/store/namespaces", json={}, headers=elsewhere)
            assert (found.json()["items"], spaces.json()["namespaces"]) == ([], [])
            where = {"namespace": "notes", "key": "k"}
            assert (await site.http.get("/store/items", params=where, headers=elsewhere)).json() is None
            await site.http.delete(f"{API}/memory", headers=elsewhere)
        kept = (await site.http.get(f"{API}/memory", headers=kim)).json()
        assert kept["preferences"]["style"] == "비밀"
        assert (await site.http.get("/store/items", params=where, headers=kim)).json()["value"] == {"v": "비밀"}


@both
async def test_a_list_of_sessions_is_full_whatever_is_in_other_companies(server_db: str, tmp_path: Path) -> None:
    async with serving(server_db, token_options(tmp_path)) as site:
        kim, lee = bearer(company_id="kim"), bearer(company_id="lee")
        hers = [await site.session(**kim) for _ in range(2)]
        for _ in range(3):
            await site.session(**lee)
        page = (await site.http.get(f"{API}/sessions", params={"limit": 2}, headers=kim)).json()
        assert {session["session_id"] for session in page["items"]} == set(hers)
        assert page["next_cursor"] is None


async def test_a_token_that_names_no_company_is_of_none(sqlite_url: str, tmp_path: Path) -> None:
    """What an earlier token said of the company doesn't hold for a later one."""
    async with serving(sqlite_url, token_options(tmp_path)) as site:
        hers = await site.session(**bearer(company_id="kim"))
        assert (await site.http.get(f"{API}/sessions/{hers}", headers=bearer())).status_code == 404
        assert (await site.http.get(f"{API}/sessions/{hers}", headers=bearer(company_id="kim"))).status_code == 200


BAD_TOKENS: dict[str, Callable[[], str]] = {
    "expired": lambda: token(exp=time.time() - 120),
    "no expiry": lambda: token(exp=None),
    "other issuer": lambda: token(iss="https://evil.example"),
    "other audience": lambda: token(aud="other"),
    "no audience": lambda: token(aud=None),
    "no user": lambda: token(sub=None),
    "empty user": lambda: token(sub=" "),
    "not yet": lambda: token(nbf=time.time() + 600),
    "stranger's key": lambda: token(STRANGER),
    "unknown key": lambda: token(STRANGER, "r9"),
    "no key id": lambda: token(kid=None),
    "shared secret": lambda: token("s" * 32, "o1", "HS256"),
    "public key as secret": lambda: token("s" * 32, "r1", "HS256"),
    "wrong algorithm": lambda: token(RSA, "r1", "RS512"),
    "unsigned": lambda: jwt.encode({"sub": "carol"}, None, algorithm="none"),  # type: ignore[arg-type]
}


async def test_bad_tokens(sqlite_url: str, tmp_path: Path) -> None:
    async with serving(sqlite_url, token_options(tmp_path)) as site:
        for what, make in BAD_TOKENS.items():
            answer = await site.http.get(f"{API}/sessions", headers={"Authorization": f"Bearer {make()}"})
            assert answer.status_code == 401, what
        assert (await Users(site.runtime.db).list()).items == []


async def test_rates_are_counted_by_key(sqlite_url: str) -> None:
    options = ServerOptions(credentials_required=True, requests_per_minute=60)
    async with serving(sqlite_url, options) as site:
        alice, bob = await site.user("alice"), await site.user("bob")
        answers = [await site.http.get(f"{API}/sessions", headers=alice) for _ in range(30)]
        refused = next(answer for answer in answers if answer.status_code == 429)
        assert refused.json()["code"] == "rate_limited"
        assert int(refused.headers["retry-after"]) >= 1
        assert (await site.http.get(f"{API}/sessions", headers=bob)).status_code == 200
        wrong = [await site.http.get(f"{API}/sessions") for _ in range(30)]
        assert {answer.status_code for answer in wrong} == {401, 429}


def test_a_bucket_fills_again() -> None:
    now = 0.0
    limits = Limits(60, clock=lambda: now)
    for _ in range(10):
        limits.take("a")
    with pytest.raises(RateLimited) as refused:
        limits.take("a")
    assert refused.value.details["retry_after"] == 1
    now = 1.0
    limits.take("a")
    with pytest.raises(RateLimited):
        limits.take("a")
    for number in range(20_000):
        limits.take(f"k{number}")
    assert len(limits._buckets) <= 10_000


async def test_pages_of_listed_origins_may_call(sqlite_url: str) -> None:
    async with serving(sqlite_url, ServerOptions(origins=("https://ours.example",))) as site:
        asked = {"Origin": "https://ours.example", "Access-Control-Request-Method": "POST"}
        preflight = await site.http.options(f"{API}/sessions", headers=asked)
        assert preflight.headers["access-control-allow-origin"] == "https://ours.example"
        sent = "authorization, cache-control, content-type, last-event-id, prefer, x-api-key, x-auth-scheme"
        wanted = asked | {"Access-Control-Request-Headers": sent}
        preflight = await site.http.options("/threads/search", headers=wanted)
        assert preflight.status_code == 200
        assert set(preflight.headers["access-control-allow-headers"].split(", ")) >= set(sent.split(", "))
        answer = await site.http.post("/assistants/search", json={}, headers={"Origin": "https://ours.example"})
        exposed = answer.headers["access-control-expose-headers"].lower()
        for name in ("content-location", "location", "x-pagination-next", "x-pagination-total", "retry-after"):
            assert name in exposed
        other = await site.http.options(f"{API}/sessions", headers=asked | {"Origin": "https://evil.example"})
        assert "access-control-allow-origin" not in other.headers
