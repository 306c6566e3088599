"""The page, the documentation page, and what machines ask: health, readiness, metrics."""

from importlib.resources import files
from typing import Literal

from fastapi import APIRouter, Request, Response
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException

from madang.server.identity import Who, check_admin
from madang.server.observe import Observer

router = APIRouter(include_in_schema=False)
FOLDER = files("madang.server") / "static"
KINDS = {"html": "text/html", "css": "text/css", "js": "text/javascript"}
# Checked again on each visit: an upgraded server must not meet an old script.
FRESH = {"Cache-Control": "no-cache"}


def _file(name: str) -> Response:
    found = FOLDER / name
    if "/" in name or name.startswith(".") or not found.is_file():
        raise HTTPException(404, "no such file")
    kind = KINDS.get(name.rpartition(".")[2], "application/octet-stream")
    return Response(found.read_bytes(), media_type=f"{kind}; charset=utf-8", headers=FRESH)


@router.get("/")
async def index() -> Response:
    """The page."""
    return _file("index.html")


@router.get("/docs")
async def docs() -> Response:
    """The OpenAPI document, readable."""
    return _file("docs.html")


@router.get("/static/{name}")
async def static(name: str) -> Response:
    """The page's style and script."""
    return _file(name)


@router.get("/healthz")
async def healthz() -> dict[Literal["status"], str]:
    """Alive."""
    return {"status": "ok"}


@router.get("/readyz")
async def readyz(request: Request) -> Response:
    """Ready to take turns without delay: the database answers, and what the assistants need is loaded."""
    try:
        await request.app.state.runtime.sessions.find("readyz")
    except Exception:  # noqa: BLE001  whatever a driver raises, the answer is the same
        return JSONResponse({"status": "unavailable"}, 503)
    if request.app.state.runtime.rehearsing:
        return JSONResponse({"status": "loading"}, 503)
    return JSONResponse({"status": "ready"})


@router.get("/metrics")
async def metrics(request: Request, who: Who) -> Response:
    """Metrics for Prometheus. Where credentials are required, an administrator's."""
    check_admin(who)
    observer: Observer = request.app.state.observer
    return Response(await observer.exposition(len(request.app.state.sockets)), media_type=observer.media_type)
