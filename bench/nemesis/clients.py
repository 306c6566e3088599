"""Clients that do random things to their own conversations, over any of the servers."""

import asyncio
import contextlib
import json
import random
import time
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Literal

import httpx
from websockets.asyncio.client import connect
from websockets.exceptions import WebSocketException

from bench.nemesis.assistant import ASKS, SLOW
from bench.nemesis.record import Call, Conversation, Record, Turn
from bench.nemesis.servers import Server

# Seconds that a client waits for a turn, over lost connections.
LONGEST = 20
POLICIES = ("reject", "enqueue", "interrupt", "rollback")
WEIGHTS = {
    "ask": 30,
    "ask_and_wait": 10,
    "wait": 8,
    "ask_several": 14,
    "ask_twice": 5,
    "ask_by_socket": 6,
    "cancel": 12,
    "answer": 14,
    "skip": 6,
    "edit": 8,
    "fork": 5,
    "rename": 4,
    "delete": 2,
}
# Less than a server may take to give up on its database, and what a stopped one may lie still, together.
PATIENCE = httpx.Timeout(60, connect=5)
SOCKET_ERRORS = (OSError, WebSocketException, TimeoutError)


class Client:
    """One client. It does one thing after another, except where a thing is several at once."""

    def __init__(self, number: int, seed: int, servers: Sequence[Server], record: Record) -> None:
        self._number, self._servers, self._record = number, servers, record
        self._random = random.Random(f"{seed} {number}")
        self._http = httpx.AsyncClient(timeout=PATIENCE, limits=httpx.Limits(max_connections=50))
        self._own: list[Conversation] = []
        self._listening: list[asyncio.Task[None]] = []
        self._on = True

    async def run(self) -> None:
        """Until `stop`; then what it has begun is finished."""
        try:
            while self._on:
                live = [one for one in self._own if one.deleted == "no"]
                if len(live) < 3 or self._random.random() < 0.03:
                    await self._create()
                else:
                    (operation,) = self._random.choices(list(WEIGHTS), list(WEIGHTS.values()))
                    done: Callable[[Conversation], Awaitable[None]] = getattr(self, f"_{operation}")
                    await done(self._random.choice(live))
                await asyncio.sleep(self._random.random() * 0.3)
        finally:
            for task in self._listening:
                task.cancel()
            await asyncio.gather(*self._listening, return_exceptions=True)
            await self._http.aclose()

    def stop(self) -> None:
        self._on = False

    # One request

    async def _call(self, operation: str, session_id: str, method: str, path: str, body: Any = None) -> Call:
        server = self._random.choice(self._servers)
        call = Call(operation, session_id, server.port, sent_at=time.time())
        self._record.calls.append(call)
        try:
            answer = await self._http.request(method, server.base + path, json=body)
            call.status = answer.status_code
            with contextlib.suppress(ValueError):
                call.body = answer.json()
        except httpx.HTTPError:
            await asyncio.sleep(0.3)
        call.answered_at = time.time()
        return call

    # Conversations

    async def _create(self) -> None:
        session_id = f"c{self._number}-{self._record.token()}"
        made = await self._call(
            "create", session_id, "POST", "/api/v1/sessions", {"assistant": "fan", "session_id": session_id}
        )
        # 409: our own, whose answer was lost.
        if made.status in (201, 409):
            self._take(Conversation(session_id))

    def _take(self, conversation: Conversation) -> None:
        self._record.conversations[conversation.session_id] = conversation
        self._own.append(conversation)
        self._listening.append(asyncio.create_task(self._listen(conversation)))

    async def _fork(self, one: Conversation) -> None:
        made = await self._call("fork", one.session_id, "POST", f"/api/v1/sessions/{one.session_id}/fork", {})
        if made.status == 201:
            self._take(Conversation(made.body["session_id"], set(one.tokens), titles=[made.body["title"]]))

    async def _rename(self, one: Conversation) -> None:
        title = self._record.token(one)
        done = await self._call(
            "rename", one.session_id, "PATCH", f"/api/v1/sessions/{one.session_id}", {"title": title}
        )
        if done.status == 200:
            one.titles = [title]
        elif done.status is None:
            one.titles.append(title)

    async def _delete(self, one: Conversation) -> None:
        if sum(other.deleted == "no" for other in self._own) <= 3:
            return
        one.deleted = "maybe"
        for _ in range(20):
            gone = await self._call("delete", one.session_id, "DELETE", f"/api/v1/sessions/{one.session_id}")
            if gone.status in (204, 404):
                one.deleted = "yes"
                return
            await asyncio.sleep(0.5)

    # Turns

    def _words(self, one: Conversation) -> str:
        words = [self._record.token(one)]
        words += [ASKS] if self._random.random() < 0.15 else []
        words += [SLOW] if self._random.random() < 0.2 else []
        return " ".join(words)

    async def _ask(self, one: Conversation, policy: str | None = None, *, wait: bool = False, times: int = 1) -> None:
        text, policy = self._words(one), policy or self._random.choice((*POLICIES, "enqueue", "enqueue"))
        request_id = f"request-{text.split()[0]}"
        one.rolled_back |= policy == "rollback"
        body = {"query": text, "multitask_strategy": policy, "request_id": request_id}
        path = f"/api/v1/sessions/{one.session_id}/messages" + ("?wait=true" if wait else "")
        calls = [self._call("ask", one.session_id, "POST", path, body) for _ in range(times)]
        for call in await asyncio.gather(*calls):
            if call.status == 202:
                kind: Literal["question", "answer"] = "question" if call.body["request_id"] == request_id else "answer"
                one.turns.append(
                    Turn(call.body["run_id"], call.body["request_id"], kind, call, text=text, policy=policy)
                )

    async def _ask_and_wait(self, one: Conversation) -> None:
        await self._ask(one, wait=True)

    async def _wait(self, one: Conversation) -> None:
        """Ask and wait as the LangGraph SDK does: where the connection is lost, at the run's own address."""
        text = self._words(one)
        call = Call("wait", one.session_id, 0, sent_at=time.time())
        self._record.calls.append(call)
        body = {"assistant_id": "fan", "input": {"query": text}, "multitask_strategy": "enqueue"}
        # A turn behind an open question is waited for in vain.
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(LONGEST):
                place = await self._waited(call, "POST", f"/threads/{one.session_id}/runs/wait", body)
                if place:
                    # A text that answered an open question is of that question's run, and nothing here says so.
                    one.turns.append(Turn(place.split("/")[-2], None, "answer", call, text, "enqueue"))
                while place and call.status is None:
                    await asyncio.sleep(1)
                    await self._waited(call, "GET", place)
        call.answered_at = time.time()

    async def _waited(self, call: Call, method: str, path: str, body: Any = None) -> str | None:
        """Wait for a turn; its own address, if it was accepted. Only a whole answer is one."""
        server, place = self._random.choice(self._servers), None
        call.port = server.port
        with contextlib.suppress(httpx.HTTPError):
            async with self._http.stream(method, server.base + path, json=body) as answer:
                place = answer.headers.get("Location")
                await answer.aread()
            if answer.status_code < 500 or method == "POST":
                call.status = answer.status_code
                with contextlib.suppress(ValueError):
                    call.body = answer.json()
        return place

    async def _ask_twice(self, one: Conversation) -> None:
        await self._ask(one, times=2)

    async def _ask_several(self, one: Conversation) -> None:
        count = self._random.choice((2, 3))
        await asyncio.gather(*(self._ask(one, self._random.choice(POLICIES)) for _ in range(count)))

    async def _ask_by_socket(self, one: Conversation) -> None:
        """Nobody confirms a frame: what became of it is in the log."""
        text = self._words(one)
        await self._say(one, {"type": "query", "query": text, "request_id": f"request-{text.split()[0]}"})

    async def _cancel(self, one: Conversation) -> None:
        if not one.turns:
            return
        turn = self._random.choice(one.turns[-3:])
        done = await self._call("cancel", one.session_id, "POST", f"/api/v1/runs/{turn.run_id}/cancel")
        if done.status == 200 and done.body["status"] == "cancelled":
            turn.cancel_confirmed = True

    async def _edit(self, one: Conversation) -> None:
        text = f"{self._record.token(one)} edit"
        path = f"/api/v1/sessions/{one.session_id}/state"
        done = await self._call("edit", one.session_id, "POST", path, {"changes": {"topic": text}})
        if done.status == 202:
            run = done.body["run"]
            one.turns.append(Turn(run["run_id"], run["request_id"], "edit", done))

    async def _skip(self, one: Conversation) -> None:
        """Ask that a step be skipped which comes late, so that it may not have begun."""
        await self._say(one, {"type": "todo_skip", "step_id": self._random.choice(("step_3", "step_5"))})

    async def _answer(self, one: Conversation) -> None:
        """Answer what the conversation waits for: by a plain message, or by its id, sometimes several times at once."""
        if self._random.random() < 0.4:
            await self._ask(one, "enqueue")
            return
        state = await self._call("state", one.session_id, "GET", f"/api/v1/sessions/{one.session_id}/state")
        pending = (state.body or {}).get("interrupts") if state.status == 200 else None
        if not pending:
            return
        named, said = pending[0]["interrupt_id"], f"yes {self._record.token(one)}"
        if self._random.random() < 0.3:
            await self._say(one, {"type": "interrupt_response", "interrupt_id": named, "value": said})
            return
        body = {"assistant_id": "fan", "command": {"resume": {named: said}}}
        times = self._random.choice((1, 1, 4))
        path = f"/threads/{one.session_id}/runs"
        sent = [self._call("answer", one.session_id, "POST", path, body) for _ in range(times)]
        for call in await asyncio.gather(*sent):
            if call.status == 200:
                turn = Turn(call.body["run_id"], None, "answer", call, text=said)
                one.turns.append(turn)
                one.answers.setdefault(named, []).append(turn)

    # Sockets

    async def _say(self, one: Conversation, frame: dict[str, Any]) -> None:
        server = self._random.choice(self._servers)
        with contextlib.suppress(*SOCKET_ERRORS):
            async with connect(f"ws://127.0.0.1:{server.port}/ws/{one.session_id}", open_timeout=10) as socket:
                await asyncio.wait_for(socket.recv(), 10)
                await socket.send(json.dumps(frame))

    async def _listen(self, one: Conversation) -> None:
        """Follow a conversation as a page does: whenever the line breaks, go on after the last number."""
        while one.deleted == "no":
            server = self._random.choice(self._servers)
            with contextlib.suppress(*SOCKET_ERRORS):
                await hear(server, one, self._random.uniform(1, 8))
            await asyncio.sleep(0.2)


async def hear(server: Server, one: Conversation, seconds: float, last: int | None = None) -> None:
    """Listen on a new socket from the last number heard on, for so long, or until the number `last` has come."""
    where = f"ws://127.0.0.1:{server.port}/ws/{one.session_id}?after={one.last_heard}"
    async with asyncio.timeout(seconds), connect(where, open_timeout=seconds, max_size=None) as socket:
        while last is None or one.last_heard < last:
            frame = json.loads(await socket.recv())
            if frame["seq"] is not None:
                one.hear(frame, time.time())
