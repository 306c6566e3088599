"""What every request passes first: host, origin, media type, size and nesting are checked, headers added, the request
logged."""

import asyncio
import logging
import time
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, ExitStack
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.middleware.cors import CORSMiddleware
from starlette.requests import HTTPConnection
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from madang.errors import ServiceUnavailable
from madang.server.options import ServerOptions
from madang.server.problems import CODES, problem
from madang.server.rechecking import Rechecks
from madang.state.nesting import NestedTooDeeply, check_nesting

logger = logging.getLogger(__name__)

OVER, BREAK_OFF = "madang.over", "madang.break_off"
MULTIPART = "multipart/form-data"
# Messages of other clients carry pictures and documents inside.
WITH_FILES = ("/threads", "/runs", "/ag-ui/", "/mcp", "/a2a/")
SAFE = frozenset({"GET", "HEAD", "OPTIONS"})
BODY_TIMEOUT = 30.0
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "font-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
SECURITY = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "X-Frame-Options": "DENY",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
}
# Headers that scripts of listed origins may read. They may send any: none of ours is set by a browser by itself.
EXPOSED = ("Content-Location", "Location", "Retry-After", "X-Pagination-Next", "X-Pagination-Total", "WWW-Authenticate")


class Edge:
    """Middleware of the whole application."""

    def __init__(self, app: ASGIApp, *, options: ServerOptions) -> None:
        self._options = options
        self._app: ASGIApp = app
        if options.origins:
            self._app = CORSMiddleware(
                app,
                allow_origins=options.origins,
                allow_methods=["GET", "POST", "PUT", "PATCH", "DELETE"],
                allow_headers=["*"],
                expose_headers=EXPOSED,
            )

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket":
            refusal = self._refusal(scope, Headers(scope=scope))
            await (refusal or self._app)(scope, receive, send)
        elif scope["type"] == "http":
            await self._http(scope, receive, send)
        else:
            await self._app(scope, receive, send)

    async def _http(self, scope: Scope, receive: Receive, send: Send) -> None:
        begun = time.perf_counter()
        status, complete = 0, False
        watched = ExitStack()
        over = asyncio.Event()

        async def finish(message: Message) -> None:
            nonlocal status, complete
            complete = message["type"] == "http.response.body" and not message.get("more_body", False)
            if message["type"] == "http.response.start":
                status = message["status"]
                headers = MutableHeaders(scope=message)
                for name, value in SECURITY.items():
                    headers.setdefault(name, value)
                if scope["path"].startswith("/api/"):
                    headers.setdefault("Cache-Control", "no-store")
                if headers.get("content-type", "").startswith("text/event-stream"):
                    watched.enter_context(_watching(scope, over))
            await send(message)

        headers = Headers(scope=scope)
        answer = self._refusal(scope, headers) or self._unreadable(scope, headers) or self._app
        try:
            with watched:
                await answer(scope, self._bounded(receive, over, scope), finish)
            if status and not complete:
                await _leave_off(scope, receive, send, orderly=over.is_set() and scope["path"].startswith("/api/"))
        except asyncio.CancelledError:
            # The server stops and has waited long enough. What was accepted is kept; the client asks again.
            if status:
                raise
            await problem(503, ServiceUnavailable.code, "the server is shutting down")(scope, receive, finish)
        finally:
            milliseconds = round((time.perf_counter() - begun) * 1000, 1)
            fields = {"method": scope["method"], "path": scope["path"], "status": status, "ms": milliseconds}
            logger.info("request", extra=fields)

    def _refusal(self, scope: Scope, headers: Headers) -> Response | None:
        """Against pages of other sites: a name that was made to point here, or a script that calls across."""
        host = headers.get("host", "")
        if not self._options.credentials_required and _name(host) not in self._options.hosts:
            return problem(421, CODES[421], f"this server doesn't answer to {host!r}")
        checked = scope["type"] == "websocket" or scope["method"] not in SAFE
        if checked and not allowed_origin(headers, self._options.origins):
            return problem(403, "origin_not_allowed", "requests from this origin are not allowed")
        return None

    def _unreadable(self, scope: Scope, headers: Headers) -> Response | None:
        size, limit = headers.get("content-length", ""), self._limit(scope)
        if size.isdigit() and int(size) > limit:
            return problem(413, CODES[413], too_large(limit))
        has_body = size not in ("", "0") or "transfer-encoding" in headers
        kind = headers.get("content-type", "").partition(";")[0].strip().lower()
        json = kind == "application/json" or (kind.startswith("application/") and kind.endswith("+json"))
        if not has_body or not scope["path"].startswith("/api/"):
            return None
        if is_upload(scope["path"]):
            return None if kind == MULTIPART else problem(415, CODES[415], f"the body should be {MULTIPART}")
        return None if json else problem(415, CODES[415], "the body should be application/json")

    def _limit(self, scope: Scope) -> int:
        """How large a body may be: those that carry files are larger."""
        options = self._options
        carries_files = is_upload(scope["path"]) or scope["path"].startswith(WITH_FILES)
        return max(options.max_request_bytes, options.max_file_bytes) if carries_files else options.max_request_bytes

    def _bounded(self, receive: Receive, over: asyncio.Event, scope: Scope) -> Receive:
        """`receive` that gives up on a body that is too large, too deep or comes too slowly; then, until it is over."""
        body, complete = bytearray(), False
        limit, upload = self._limit(scope), is_upload(scope["path"])

        async def bounded() -> Message:
            nonlocal complete
            if complete:
                return await _until(over, receive)
            try:
                message = await asyncio.wait_for(receive(), BODY_TIMEOUT)
            except TimeoutError:
                raise HTTPException(408, "the request's body came too slowly") from None
            if message["type"] == "http.request":
                body.extend(message.get("body", b""))
                complete = not message.get("more_body", False)
            if len(body) > limit:
                raise HTTPException(413, too_large(limit))
            if complete:
                if not upload:
                    _check_nesting(bytes(body))
                body.clear()
            return message

        return bounded


def is_upload(path: str) -> bool:
    """Whether a path takes a file as it is."""
    return path.startswith("/api/v1/sessions/") and path.endswith("/files")


def too_large(limit: int) -> str:
    return f"the request is larger than {limit:,} bytes"


def _watching(scope: Scope, over: asyncio.Event) -> AbstractContextManager[None]:
    """Set `over` when the credential of an event stream isn't valid any more; the server does when it stops."""

    async def end() -> None:
        over.set()

    scope[OVER] = over
    rechecks: Rechecks = scope["app"].state.rechecks
    return rechecks.watching(HTTPConnection(scope), end)


async def _leave_off(scope: Scope, receive: Receive, send: Send, *, orderly: bool) -> None:
    """End a response in the middle: in order, as browsers expect it of an event source, or by breaking the connection
    off: other clients go on elsewhere then, and take an orderly end for that of what they follow."""
    break_off: Callable[[], None] | None = scope.get(BREAK_OFF)
    if orderly or break_off is None:
        await send({"type": "http.response.body", "body": b"", "more_body": False})
        return
    break_off()
    while (await receive())["type"] != "http.disconnect":
        pass


def listens(scope: Scope) -> bool:
    """Whether a request only listens, for as long as there is something to hear."""
    if scope["method"] == "GET":
        return b"cancel_on_disconnect" not in scope["query_string"]
    return bool(scope["path"].endswith("/stream/events"))


async def _until(over: asyncio.Event, receive: Receive) -> Message:
    """What comes next; once it is over, that the client has left: whatever streams stops at once."""
    coming, ending = asyncio.ensure_future(receive()), asyncio.ensure_future(over.wait())
    try:
        await asyncio.wait((coming, ending), return_when=asyncio.FIRST_COMPLETED)
        return {"type": "http.disconnect"} if over.is_set() else await coming
    finally:
        coming.cancel()
        ending.cancel()


def _check_nesting(body: bytes) -> None:
    try:
        check_nesting(body)
    except NestedTooDeeply as error:
        # While it reads a body, FastAPI makes any other error a 400 without a reason.
        raise HTTPException(422, error.message) from error


def allowed_origin(headers: Mapping[str, str], allowed: tuple[str, ...]) -> bool:
    """Whether a browser's request comes from our own page or an origin on the list; programs send no origin."""
    origin = headers.get("origin")
    if origin is None or origin in allowed:
        return True
    return urlsplit(origin).netloc.lower() == headers.get("host", "").lower() != ""


def _name(host: str) -> str:
    """A host without its port."""
    if host.startswith("["):
        return host.partition("]")[0] + "]"
    return host.partition(":")[0].lower()
