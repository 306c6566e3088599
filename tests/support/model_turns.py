"""A scripted strong model for whole turns: one reply for the call that understands, one for the call that answers."""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from madang.llm import Models
from madang.llm.testing import Request, ScriptedReply, ScriptedServer, answer


def act(quote: str, kind: str, task: str, restated: str = "") -> dict[str, Any]:
    return {"quote": quote, "kind": kind, "task": task, "restated": restated or quote}


def claim(field: str, value: Any, quote: str, message: str | None = None) -> dict[str, Any]:
    return {"field": field, "value": value, "quote": quote, "message": message}


def step(agent: str, **arguments: Any) -> dict[str, Any]:
    return {"agent": agent, **({"arguments": arguments} if arguments else {})}


def reading(intent: str, *acts: dict[str, Any], **more: Any) -> dict[str, Any]:
    """What a model says it understood."""
    empty: dict[str, Any] = {"claims": [], "cleared": [], "steps": [], "queries": [], "keywords": [], "ask": None}
    return {"language": "ko", "intent": intent, "acts": list(acts), **empty, **more}


def is_understanding(request: Request) -> bool:
    return "이해 담당" in json.dumps(request["messages"][0], ensure_ascii=False)


def is_exploring(request: Request) -> bool:
    return "탐색 담당" in json.dumps(request["messages"][0], ensure_ascii=False)


def reply_of(given: Any) -> ScriptedReply:
    if isinstance(given, ScriptedReply):
        return given
    return answer(given if isinstance(given, str) else json.dumps(given, ensure_ascii=False))


@asynccontextmanager
async def scripted(
    understand: Any, said: Any, *, explore: Any = None, **settings: Any
) -> AsyncIterator[tuple[ScriptedServer, Models]]:
    """A server that answers each of the two calls with what is given for it; lists are used in order."""
    queues = {True: list(understand) if isinstance(understand, list) else None,
              False: list(said) if isinstance(said, list) else None}  # fmt: skip

    def choose(request: Request) -> ScriptedReply:
        if is_exploring(request):
            return reply_of(explore.pop(0))
        kind = is_understanding(request)
        queue = queues[kind]
        return reply_of(queue.pop(0) if queue is not None else understand if kind else said)

    with ScriptedServer(choose) as server:
        models = server.models(**settings)
        try:
            yield server, models
        finally:
            await models.aclose()
