"""Who is asking, and which model answers."""

from typing import Any

from fastapi import APIRouter, Request

from madang.errors import ConfigurationError
from madang.server.identity import Identities, TheRuntime, Who
from madang.server.rest.models import MeShown, ModelShown
from madang.store.users import Users

router = APIRouter(tags=["me"])


@router.get("/me", response_model=MeShown)
async def get_me(runtime: TheRuntime, who: Who, request: Request) -> dict[str, Any]:
    """Who you are to this server, and how you signed in."""
    identities: Identities = request.app.state.identities
    name = None if who.user_id is None else (await Users(runtime.db).get(who.user_id)).name
    by_token = identities.foreign or who.key.startswith("user:")
    return {
        "user_id": who.user_id,
        "name": name,
        "company_id": who.company_id,
        "role": who.role,
        "local": who.local,
        "method": "local" if who.local else "token" if by_token else "api_key",
        "credentials_required": identities.required,
    }


@router.get("/model", response_model=ModelShown)
async def get_model(runtime: TheRuntime, _who: Who) -> dict[str, Any]:
    """Which model answers, or that none does, and why."""
    models = runtime.environment.models
    if models is None or not models.configured:
        return {"model": None, "reachable": False, "reason": "no model is configured: set MADANG_LLM"}
    try:
        models.chat()
    except ConfigurationError as error:
        return {"model": models.name, "reachable": False, "reason": error.message}
    if models.breaker.phase == "open":
        return {"model": models.name, "reachable": False, "reason": "it has not answered several times in a row"}
    return {"model": models.name, "reachable": True, "reason": None}
