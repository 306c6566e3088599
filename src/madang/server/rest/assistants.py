"""Which assistants there are."""

from dataclasses import asdict
from typing import Any

from fastapi import APIRouter

from madang.runtime.served_graph import ServedGraph
from madang.server.identity import TheRuntime, Who
from madang.server.rest.models import AssistantShown

router = APIRouter(tags=["assistants"])


@router.get("/assistants", response_model=list[AssistantShown])
async def list_assistants(runtime: TheRuntime, _who: Who) -> list[dict[str, Any]]:
    """Which assistants there are."""
    return [describe(served) for served in runtime.served.values()]


def describe(served: ServedGraph) -> dict[str, Any]:
    """An assistant as a client sees it."""
    return {"name": served.name, **asdict(served.about)}
