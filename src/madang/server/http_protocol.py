"""Clients that never finish their headers, or send headers without end: dropped, so that they can't pile up."""

import asyncio
from typing import Any, cast

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from madang.server.edge import BREAK_OFF, OVER, listens

HEADERS_WITHIN = 20.0
LARGEST_HEAD = 1 << 16


class PatientProtocol(HttpToolsProtocol):
    """uvicorn's HTTP protocol with a limit on the time and the size of a request's head."""

    _waiting: asyncio.TimerHandle | None = None
    _head = 0
    _in_head = True

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        self._await_headers()

    def data_received(self, data: bytes) -> None:
        if self._in_head:
            self._head += len(data)
        super().data_received(data)
        if self._in_head and self._head > LARGEST_HEAD:
            self._drop()

    def on_message_begin(self) -> None:
        super().on_message_begin()
        cast("dict[str, Any]", self.scope)[BREAK_OFF] = self.transport.close
        self._await_headers()

    def on_headers_complete(self) -> None:
        self._in_head, self._head = False, 0
        self._stop_waiting()
        super().on_headers_complete()

    def shutdown(self) -> None:
        """The server stops: who only listens has heard all there is; runs that are waited for have their grace."""
        super().shutdown()
        scope: Any = getattr(self.cycle, "scope", None) or {}
        if OVER in scope and listens(scope):
            scope[OVER].set()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_waiting()
        super().connection_lost(exc)

    def _await_headers(self) -> None:
        self._in_head = True
        if self._waiting is None:
            self._waiting = self.loop.call_later(HEADERS_WITHIN, self._drop)

    def _stop_waiting(self) -> None:
        if self._waiting is not None:
            self._waiting.cancel()
            self._waiting = None

    def _drop(self) -> None:
        self._stop_waiting()
        if not self.transport.is_closing():
            self.transport.write(b"HTTP/1.1 408 Request Timeout\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
            self.transport.close()
