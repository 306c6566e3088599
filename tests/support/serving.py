"""A real server on loopback, in the test's own loop, with the kit's small assistant behind it."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from typing import Any

import httpx
import pytest
from fastapi import FastAPI
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from madang.cli.serve import bind, make_server
from madang.runtime import Runtime
from madang.server.app import create_app
from madang.server.options import ServerOptions
from madang.store.users import Users
from tests.support.runtimes import open_trip

both = pytest.mark.parametrize("server_db", ["sqlite", "postgres"], indirect=True)
GUARDED = ServerOptions(credentials_required=True, requests_per_minute=0)


@dataclass
class Site:
    """What a test needs of a running server."""

    app: FastAPI
    port: int
    http: httpx.AsyncClient

    @property
    def runtime(self) -> Runtime:
        runtime: Runtime = self.app.state.runtime
        return runtime

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def socket(self, session_id: str, query: str = "", **options: Any) -> connect:
        """A socket on a session; an async context manager."""
        options.setdefault("max_size", None)
        return connect(f"ws://127.0.0.1:{self.port}/ws/{session_id}{query}", **options)

    def thread_socket(self, thread_id: str, **options: Any) -> connect:
        """A socket of the thread protocol; an async context manager."""
        return connect(f"ws://127.0.0.1:{self.port}/threads/{thread_id}/stream/events", **options)

    async def session(self, **headers: str) -> str:
        """A new session of the caller."""
        made = await self.http.post("/api/v1/sessions", json={"assistant": "trip"}, headers=headers)
        assert made.status_code == 201, made.text
        return str(made.json()["session_id"])

    async def ask(self, session_id: str, text: str, **headers: str) -> dict[str, Any]:
        """One turn, to its end."""
        where = f"/api/v1/sessions/{session_id}/messages?wait=true"
        answer = await self.http.post(where, json={"query": text}, headers=headers)
        assert answer.status_code == 200, answer.text
        outcome: dict[str, Any] = answer.json()
        return outcome

    async def user(self, name: str, **options: Any) -> dict[str, str]:
        """A new user: the headers of their API key."""
        users = Users(self.runtime.db)
        user = await users.add(name, **options)
        _, key = await users.issue_key(user.id)
        return {"Authorization": f"Bearer {key}"}


@asynccontextmanager
async def serving(
    url: str,
    options: ServerOptions | None = None,
    *,
    opened: AbstractAsyncContextManager[Runtime] | None = None,
    **changes: Any,
) -> AsyncIterator[Site]:
    """Serve the trip assistant (`changes` replace parts of it), or the runtime that is given."""
    chosen = options or ServerOptions()
    app = create_app(lambda: opened or open_trip(url, **changes), chosen)
    started = asyncio.Event()
    server = make_server(app, chosen.max_frame_bytes, started.set, grace=chosen.grace)
    bound = bind("127.0.0.1", 0)
    running = asyncio.create_task(server.serve(sockets=[bound]))
    waiting = asyncio.create_task(started.wait())
    await asyncio.wait([running, waiting], return_when=asyncio.FIRST_COMPLETED)
    assert waiting.done(), running.result()
    port = bound.getsockname()[1]
    try:
        async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}", timeout=30) as http:
            yield Site(app, port, http)
    finally:
        server.should_exit = True
        await running


async def receive(socket: ClientConnection) -> dict[str, Any]:
    """The next frame."""
    frame: dict[str, Any] = json.loads(await socket.recv())
    return frame


async def closed_with(socket: ClientConnection) -> int:
    """The code that the server closes with; nothing else may come before."""
    with pytest.raises(ConnectionClosed) as closed:
        await socket.recv()
    assert closed.value.rcvd is not None
    return closed.value.rcvd.code


async def receive_until(socket: ClientConnection, *types: str) -> list[dict[str, Any]]:
    """Frames up to the first of one of these types."""
    frames = [await receive(socket)]
    while frames[-1]["type"] not in types:
        frames.append(await receive(socket))
    return frames


async def send(socket: ClientConnection, **frame: Any) -> None:
    await socket.send(json.dumps(frame))


def events_of(text: str) -> list[dict[str, Any]]:
    """The frames in a stream of server-sent events."""
    return [json.loads(line.removeprefix("data: ")) for line in text.splitlines() if line.startswith("data: ")]
