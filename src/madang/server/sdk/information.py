"""Whether the server is there, what it offers, and a clear word about what it doesn't."""

from typing import Any

from fastapi import APIRouter, Request

from madang.server.identity import TheRuntime, Who
from madang.server.problems import problem
from madang.server.sdk.encoding import Json

router = APIRouter()
API_VERSION = "0.4"


@router.get("/ok")
async def ok(runtime: TheRuntime) -> Json:
    """Alive, with a runtime behind it."""
    return Json({"ok": not runtime.closing})


@router.get("/info")
async def info(request: Request, _who: Who) -> Json:
    """What is offered."""
    flags = {"assistants": True, "crons": False, "langsmith": False, "strict_resume": False}
    return Json({"version": API_VERSION, "server": "madang", "madang_version": request.app.version, "flags": flags})


def not_offered(what: str) -> Any:
    """The answer to a part of the SDK that this server leaves out."""
    return problem(501, "not_offered", f"{what} are not offered by this server")


@router.api_route("/runs/crons", methods=["GET", "POST"])
@router.api_route("/runs/crons/{path:path}", methods=["GET", "POST", "PATCH", "DELETE"])
@router.post("/threads/{session_id}/runs/crons")
async def crons(_who: Who) -> Any:
    """Scheduled runs."""
    return not_offered("crons")
