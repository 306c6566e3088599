"""The web app, the documentation page, and what machines ask: health, readiness, metrics."""

from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Literal

from fastapi import APIRouter, Request, Response
from fastapi.responses import JSONResponse, PlainTextResponse
from starlette.exceptions import HTTPException

from madang.server.identity import Who, check_admin
from madang.server.observe import Observer

router = APIRouter(tags=["System"])
PAGES = files("madang.server") / "static"
# Built at set-up (web/build.py), never committed.
APP = files("madang.server") / "web"
KINDS = {
    "html": "text/html; charset=utf-8",
    "css": "text/css; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "txt": "text/plain; charset=utf-8",
    "woff2": "font/woff2",
}
# Checked again on each visit: an upgraded server must not meet an old script.
FRESH = {"Cache-Control": "no-cache"}
# The app's files have their content's hash in their names.
LASTING = {"Cache-Control": "public, max-age=31536000, immutable"}


def app_is_built() -> bool:
    """Whether there is an app to show."""
    return (APP / "index.html").is_file()


def _file(folder: Traversable, name: str, headers: dict[str, str]) -> Response:
    found = folder / name
    if "/" in name or name.startswith(".") or not found.is_file():
        raise HTTPException(404, "no such file")
    kind = KINDS.get(name.rpartition(".")[2], "application/octet-stream")
    return Response(found.read_bytes(), media_type=kind, headers=headers)


@router.get("/", include_in_schema=False)
async def index() -> Response:
    """The app, or what to do to have it."""
    if app_is_built():
        return _file(APP, "index.html", FRESH)
    return _file(PAGES, "unbuilt.html", FRESH)


@router.get("/docs", include_in_schema=False)
async def docs() -> Response:
    """The OpenAPI document, readable."""
    return _file(PAGES, "docs.html", FRESH)


@router.get("/static/{name}", include_in_schema=False)
async def static(name: str) -> Response:
    """Style, script and fonts."""
    if (PAGES / name).is_file():
        return _file(PAGES, name, FRESH)
    return _file(APP, name, LASTING)


@router.get("/healthz")
async def healthz() -> dict[Literal["status"], str]:
    """Alive."""
    return {"status": "ok"}


@router.get("/readyz", response_model=dict[str, str])
async def readyz(request: Request) -> Response:
    """Ready to take turns without delay: the database answers, and what the assistants need is loaded."""
    try:
        await request.app.state.runtime.sessions.find("readyz")
    except Exception:  # noqa: BLE001  whatever a driver raises, the answer is the same
        return JSONResponse({"status": "unavailable"}, 503)
    runtime = request.app.state.runtime
    # Assistants answer without a model too: one that fails is said, and no reason to send nobody here.
    model = {"model": runtime.model} if runtime.model is not None else {}
    if runtime.rehearsing:
        return JSONResponse({"status": "loading", **model}, 503)
    return JSONResponse({"status": "ready", **model})


@router.get("/metrics", response_class=PlainTextResponse)
async def metrics(request: Request, who: Who) -> Response:
    """Metrics for Prometheus. Where credentials are required, an administrator's."""
    check_admin(who)
    observer: Observer = request.app.state.observer
    return Response(await observer.exposition(len(request.app.state.sockets)), media_type=observer.media_type)
