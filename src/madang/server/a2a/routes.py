"""Where A2A is spoken: `/a2a/{assistant_id}` (JSON-RPC, both protocols), and the cards."""

from typing import Any

from a2a.server.request_handlers.response_helpers import agent_card_to_dict
from a2a.server.routes.jsonrpc_dispatcher import JsonRpcDispatcher
from fastapi import APIRouter, Request, Response

from madang.errors import NotFound
from madang.runtime import Runtime
from madang.runtime.served_graph import find_served
from madang.server.a2a.card import agent_card
from madang.server.a2a.handler import Handler
from madang.server.documentation import JSON_RPC, JSON_RPC_ANSWERS
from madang.server.identity import Identities, TheRuntime, Who

router = APIRouter(tags=["A2A"])
CARD = ".well-known/agent-card.json"


@router.post("/a2a/{assistant_id}", responses=JSON_RPC_ANSWERS, openapi_extra=JSON_RPC)
async def speak(assistant_id: str, runtime: TheRuntime, who: Who, request: Request) -> Response:
    """`message/send`, `message/stream`, `tasks/get`, `tasks/cancel`, `tasks/resubscribe`; 1.0's names for them too."""
    handler = Handler(runtime, who, find_served(runtime.served, assistant_id))
    answer: Response = await JsonRpcDispatcher(handler, enable_v0_3_compat=True).handle_requests(request)
    return answer


@router.get(f"/a2a/{{assistant_id}}/{CARD}")
async def card(assistant_id: str, runtime: TheRuntime, request: Request) -> dict[str, Any]:
    """Who an assistant is, for agents."""
    return _card(runtime, assistant_id, request)


@router.get(f"/{CARD}")
async def first_card(runtime: TheRuntime, request: Request, assistant_id: str | None = None) -> dict[str, Any]:
    """The card of the first assistant, or of one that is named."""
    name = assistant_id or next(iter(runtime.served), None)
    if name is None:
        raise NotFound("no assistant is served")
    return _card(runtime, name, request)


def _card(runtime: Runtime, name: str, request: Request) -> dict[str, Any]:
    identities: Identities = request.app.state.identities
    served = find_served(runtime.served, name)
    shown: dict[str, Any] = agent_card_to_dict(
        agent_card(served, str(request.base_url), credentials=identities.required)
    )
    return shown
