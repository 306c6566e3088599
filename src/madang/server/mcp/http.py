"""The protocol over streamable HTTP: each request stands alone, under the identity that it carries."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from fastapi import APIRouter, FastAPI, Request
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from madang.server.documentation import JSON_RPC, JSON_RPC_ANSWERS
from madang.server.identity import Identity, Who
from madang.server.mcp.offer import mcp_server

router = APIRouter(tags=["MCP"])
ANSWERS: dict[int | str, dict[str, Any]] = {
    **JSON_RPC_ANSWERS,
    202: {"description": "heard"},
    406: {"description": "both kinds of answer have to be accepted: application/json, text/event-stream"},
}
IDENTITY = "madang.identity"


def _whose(ctx: Any) -> Identity:
    identity: Identity = ctx.request.scope[IDENTITY]
    return identity


@asynccontextmanager
async def mcp_requests(app: FastAPI) -> AsyncIterator[None]:
    """While this is open, `app` answers requests of the protocol."""
    server = mcp_server(lambda: app.state.runtime, _whose)
    manager = StreamableHTTPSessionManager(server, stateless=True)
    async with manager.run():
        app.state.mcp = manager
        yield


class Handed(Response):
    """A request that the protocol's own code answers."""

    def __init__(self, manager: StreamableHTTPSessionManager) -> None:
        super().__init__()
        self._manager = manager

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self._manager.handle_request(scope, receive, send)


@router.post("/mcp", responses=ANSWERS, openapi_extra=JSON_RPC)
async def mcp(request: Request, who: Who) -> Response:
    """A message of the protocol. There is no stream beside the answers (GET), and no session to end (DELETE)."""
    request.scope[IDENTITY] = who
    return Handed(request.app.state.mcp)
