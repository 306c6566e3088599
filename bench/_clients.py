"""Clients that cost little beside what they measure: HTTP over one kept connection, sockets that count frames."""

import asyncio
import base64
import json
import os
import re
import struct
import time
from collections.abc import Awaitable, Callable
from typing import Any

_SEQ = re.compile(rb'"seq":(\d+)')
_PING, _PONG = 9, 10
_MASK = bytes(4)  # Of zeros: it leaves the bytes as they are.
_LENGTH = re.compile(rb"(?i)content-length: (\d+)")


async def chunked(reader: asyncio.StreamReader) -> bytes:
    """A body that comes in pieces, each after its size."""
    content = b""
    while size := int((await reader.readuntil(b"\r\n")).split(b";")[0], 16):
        content += await reader.readexactly(size)
        await reader.readexactly(2)
    await reader.readuntil(b"\r\n")
    return content


class Caller:
    """One HTTP connection that is kept open."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def post(self, path: str, body: Any) -> Any:
        """The JSON answer. Raises `RuntimeError` unless it is a 2xx."""
        if self._streams is None:
            self._streams = await asyncio.open_connection("127.0.0.1", self._port)
        reader, writer = self._streams
        data = json.dumps(body).encode()
        head = (
            f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: {len(data)}"
        )
        writer.write(head.encode() + b"\r\n\r\n" + data)
        answer = await reader.readuntil(b"\r\n\r\n")
        length = _LENGTH.search(answer)
        content = await (reader.readexactly(int(length[1])) if length else chunked(reader))
        if not answer.startswith(b"HTTP/1.1 2"):
            raise RuntimeError(content.decode())
        return json.loads(content)

    def close(self) -> None:
        if self._streams is not None:
            self._streams[1].close()


async def at_once(port: int, one: Callable[[Caller, int], Awaitable[None]], *, clients: int, count: int) -> float:
    """How many a second when this many clients do it, one after another each."""
    todo = iter(range(count))

    async def client() -> None:
        caller = Caller(port)
        for number in todo:
            await one(caller, number)
        caller.close()

    begun = time.perf_counter()
    await asyncio.gather(*(client() for _ in range(clients)))
    return count / (time.perf_counter() - begun)


class Listener(asyncio.Protocol):
    """A socket that counts its frames and checks their numbers, without decoding them."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._data = bytearray()
        self._upgraded = self._lost = False
        self.frames = self.bytes = self.last_seq = self.gaps = 0
        self.ended = 0
        self.changed = asyncio.Event()
        self.transport: Any = None

    def connection_made(self, transport: Any) -> None:
        self.transport = transport
        key = base64.b64encode(os.urandom(16)).decode()
        head = f"GET {self._path} HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        transport.write(f"{head}Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n".encode())

    def data_received(self, data: bytes) -> None:
        self._data += data
        if not self._upgraded:
            end = self._data.find(b"\r\n\r\n")
            if end < 0:
                return
            del self._data[: end + 4]
            self._upgraded = True
        while (frame := self._next()) is not None:
            self._take(frame)

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002 - asyncio's signature
        self._lost = True
        self.changed.set()

    def _next(self) -> bytes | None:
        if len(self._data) < 2:
            return None
        size, start = self._data[1] & 127, 2
        if size == 126:
            size, start = int.from_bytes(self._data[2:4], "big"), 4
        elif size == 127:
            size, start = int.from_bytes(self._data[2:10], "big"), 10
        if len(self._data) < start + size:
            return None
        kind, frame = self._data[0] & 15, bytes(self._data[start : start + size])
        del self._data[: start + size]
        if kind == _PING:
            # A server gives up on clients that don't answer.
            self.transport.write(struct.pack("!BB", 0x80 | _PONG, 0x80 | size) + _MASK + frame)
        return frame if kind == 1 else b""

    def _take(self, frame: bytes) -> None:
        if not frame:
            return
        self.frames += 1
        self.bytes += len(frame)
        numbered = _SEQ.search(frame)
        if numbered is not None:
            seq = int(numbered[1])
            self.gaps += seq != self.last_seq + 1
            self.last_seq = seq
        # A database may give the fields of a frame in another order.
        if b'"type":"response"' in frame or b'"type":"error"' in frame:
            self.ended += 1
        self.changed.set()

    def send(self, frame: Any) -> None:
        """A text frame, masked as clients must."""
        data = json.dumps(frame).encode()
        head = (
            struct.pack("!BB", 0x81, 0x80 | len(data))
            if len(data) < 126
            else struct.pack("!BBH", 0x81, 0xFE, len(data))
        )
        self.transport.write(head + _MASK + data)

    async def until(self, count: int) -> None:
        """Wait for so many frames. Raises `ConnectionError` if the server closes the socket before."""
        while self.frames < count:
            await self._change()

    async def until_ended(self, count: int) -> None:
        """Wait for the end of so many turns. Raises as `until` does."""
        while self.ended < count:
            await self._change()

    async def _change(self) -> None:
        if self._lost:
            raise ConnectionError(f"the server closed the socket {self._path}")
        self.changed.clear()
        await self.changed.wait()


async def listen(port: int, path: str) -> Listener:
    """An open socket whose first frame (the greeting) has come."""
    _, listener = await asyncio.get_running_loop().create_connection(lambda: Listener(path), "127.0.0.1", port)
    await listener.until(1)
    return listener
