"""Which assistants there are."""

from typing import Any

from fastapi import APIRouter

from madang.runtime.served import Served
from madang.server.identity import TheRuntime, Who
from madang.server.rest.models import AssistantShown

router = APIRouter(tags=["assistants"])


@router.get("/assistants", response_model=list[AssistantShown])
async def list_assistants(runtime: TheRuntime, _who: Who) -> list[dict[str, Any]]:
    """Which assistants there are."""
    return [describe(served) for served in runtime.served.values()]


def describe(served: Served) -> dict[str, Any]:
    """An assistant as a client sees it."""
    own = served.assistant
    return {
        "name": served.name,
        "title": own.title if own else served.name,
        "description": own.description if own else "",
        "greeting": own.greeting if own else "",
        "examples": list(own.examples) if own else [],
    }
