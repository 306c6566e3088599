"""Whether the server is there, and what it offers."""

from typing import Any

from fastapi import APIRouter, Request

from madang.server.identity import TheRuntime, Who
from madang.server.sdk.encoding import Json

router = APIRouter()
API_VERSION = "0.4"


@router.get("/ok", response_model=dict[str, bool])
async def ok(runtime: TheRuntime) -> Json:
    """Alive, with a runtime behind it."""
    return Json({"ok": not runtime.closing})


@router.get("/info", response_model=dict[str, Any])
async def info(request: Request, _who: Who) -> Json:
    """What is offered."""
    flags = {"assistants": True, "crons": True, "langsmith": False, "strict_resume": False}
    return Json({"version": API_VERSION, "server": "madang", "madang_version": request.app.version, "flags": flags})
