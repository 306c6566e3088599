"""Answers that are there whole go compressed to clients that take it; what is streamed goes as it comes."""

import gzip

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

SMALLEST = 1024
LEVEL = 5
TEXTUAL = ("application/json", "application/problem+json", "text/", "image/svg+xml", "application/javascript")


class Compression:
    """Middleware: gzip for JSON and other texts of some size."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or "gzip" not in Headers(scope=scope).get("accept-encoding", ""):
            await self._app(scope, receive, send)
            return
        begun: Message | None = None

        async def compressed(message: Message) -> None:
            nonlocal begun
            # The head of a stream goes at once: its first piece may be long in coming.
            if message["type"] == "http.response.start" and _fits(MutableHeaders(scope=message)):
                begun = message
                return
            if begun is not None:
                body = message.get("body", b"") if not message.get("more_body", False) else b""
                headers = MutableHeaders(scope=begun)
                if len(body) >= SMALLEST:
                    message = {**message, "body": gzip.compress(body, LEVEL, mtime=0)}
                    headers["Content-Encoding"] = "gzip"
                    headers["Content-Length"] = str(len(message["body"]))
                    headers.add_vary_header("Accept-Encoding")
                await send(begun)
                begun = None
            await send(message)

        await self._app(scope, receive, compressed)


def _fits(headers: MutableHeaders) -> bool:
    whole = "content-length" in headers and "content-encoding" not in headers
    return whole and headers.get("content-type", "").startswith(TEXTUAL)
