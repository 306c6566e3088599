"""A scripted OpenAI-compatible server on a real socket, for tests of anything that calls a model.

```python
with ScriptedServer([answer('{"intent": "legal_consult"}'), status(500)]) as server:
    models = server.models()
```
Replies are used in order, or chosen by a function of the request. Every request body is kept in `server.requests`.
"""

import hashlib
import json
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Self

from madang.llm.models import Models, ModelSettings

Request = dict[str, Any]


@dataclass(frozen=True, kw_only=True)
class ScriptedReply:
    """One reply. `hold` is waited for before the first byte, or before piece `hold_at` of a stream."""

    status: int = 200
    body: str | None = None
    pieces: tuple[str, ...] = ()
    finish: str | None = "stop"
    refusal: str | None = None
    tool: tuple[str, str] | None = None
    usage: tuple[int, int] | None = (11, 7)
    hold: threading.Event | None = None
    hold_at: int | None = None
    break_at: int | None = None
    headers: tuple[tuple[str, str], ...] = ()

    @property
    def text(self) -> str:
        return "".join(self.pieces)


def answer(text: str, *, usage: tuple[int, int] | None = (11, 7)) -> ScriptedReply:
    """A plain answer; streamed in pieces when the client asks for a stream."""
    return ScriptedReply(pieces=tuple(text[start : start + 8] for start in range(0, len(text), 8)), usage=usage)


def status(code: int, message: str = "scripted failure") -> ScriptedReply:
    """An HTTP error in OpenAI's form."""
    return ScriptedReply(status=code, body=json.dumps({"error": {"message": message, "type": "scripted"}}))


def raw(body: str) -> ScriptedReply:
    """Any body at all with status 200."""
    return ScriptedReply(body=body)


def refusal(text: str = "답할 수 없습니다.") -> ScriptedReply:
    return ScriptedReply(refusal=text)


def tool_call(name: str, arguments: str) -> ScriptedReply:
    return ScriptedReply(tool=(name, arguments), finish="tool_calls")


def truncated(text: str) -> ScriptedReply:
    """An answer cut off at the token limit."""
    return replace(answer(text), finish="length")


def broken(*pieces: str) -> ScriptedReply:
    """A stream that sends these pieces, then closes the connection. Not streamed: closes before the end of the body."""
    return ScriptedReply(pieces=pieces, break_at=len(pieces))


def held(reply: ScriptedReply, event: threading.Event, at: int | None = None) -> ScriptedReply:
    """`reply`, only after `event` is set (from piece `at` on, in a stream)."""
    return replace(reply, hold=event, hold_at=at)


Script = Sequence[ScriptedReply] | Callable[[Request], ScriptedReply]


class ScriptedServer:
    """The server. Starts on entering, stops on leaving, which also releases whatever is held."""

    def __init__(self, script: Script) -> None:
        self.requests: list[Request] = []
        self._choose = script if callable(script) else None
        self._queue = [] if callable(script) else list(script)
        self._lock = threading.Lock()
        self._held: set[threading.Event] = set()
        self.waiting = threading.Event()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True)

    @property
    def base_url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}/v1"

    def models(self, **settings: Any) -> Models:
        """A port to this server, without client retries."""
        values: dict[str, Any] = {
            "llm": "openai:scripted",
            "base_url": self.base_url,
            "api_key": "test",
            "retries": 0,
        } | settings
        return Models(ModelSettings(**values))

    def sent_text(self) -> str:
        """Everything that clients have sent, as one text."""
        return json.dumps(self.requests, ensure_ascii=False)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for event in self._held:
            event.set()
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()

    def next_reply(self, request: Request) -> ScriptedReply:
        """The reply to `request`, which is recorded. A script that has run out answers 500."""
        with self._lock:
            self.requests.append(request)
            if self._choose is not None:
                return self._choose(request)
            return self._queue.pop(0) if self._queue else status(500, "the script has run out")

    def wait_for(self, event: threading.Event) -> None:
        self._held.add(event)
        self.waiting.set()
        event.wait()


def _handler(server: ScriptedServer) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            try:
                if self.path.endswith("/embeddings"):
                    server.requests.append(request)
                    self._send(200, json.dumps(_embeddings(request)))
                else:
                    self._chat(request, server.next_reply(request))
            except (BrokenPipeError, ConnectionResetError):
                self.close_connection = True

        def _chat(self, request: Request, reply: ScriptedReply) -> None:
            if reply.hold is not None and reply.hold_at is None:
                server.wait_for(reply.hold)
            if reply.body is not None:
                self._send(reply.status, reply.body, headers=reply.headers)
            elif request.get("stream"):
                self._stream(request, reply)
            else:
                self._send(200, json.dumps(_completion(request, reply)), cut=reply.break_at is not None)

        def _send(self, code: int, body: str, *, cut: bool = False, headers: tuple[tuple[str, str], ...] = ()) -> None:
            data = body.encode()
            self.send_response(code)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(data)))
            for name, value in headers:
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(data[: len(data) // 2] if cut else data)
            self.close_connection = cut

        def _stream(self, request: Request, reply: ScriptedReply) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/event-stream")
            self.send_header("Transfer-Encoding", "chunked")
            self.end_headers()
            for position, event in enumerate(_events(request, reply)):
                if reply.hold is not None and position == reply.hold_at:
                    server.wait_for(reply.hold)
                if position == reply.break_at:
                    self.close_connection = True
                    return
                data = f"data: {event}\n\n".encode()
                self.wfile.write(b"%x\r\n%s\r\n" % (len(data), data))
                self.wfile.flush()
            self.wfile.write(b"0\r\n\r\n")

        def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
            """Quiet."""

    return Handler


def _head(request: Request, kind: str) -> Request:
    return {"id": "scripted", "object": kind, "created": 0, "model": request.get("model", "scripted")}


def _usage(reply: ScriptedReply) -> Request | None:
    if reply.usage is None:
        return None
    prompt, completion = reply.usage
    return {"prompt_tokens": prompt, "completion_tokens": completion, "total_tokens": prompt + completion}


def _tool_calls(reply: ScriptedReply) -> list[Request]:
    if reply.tool is None:
        return []
    name, arguments = reply.tool
    return [{"index": 0, "id": "call_0", "type": "function", "function": {"name": name, "arguments": arguments}}]


def _completion(request: Request, reply: ScriptedReply) -> Request:
    message: Request = {"role": "assistant", "content": reply.text or None, "refusal": reply.refusal}
    if reply.tool:
        message["tool_calls"] = _tool_calls(reply)
    choice = {"index": 0, "message": message, "finish_reason": reply.finish}
    return _head(request, "chat.completion") | {"choices": [choice], "usage": _usage(reply)}


def _events(request: Request, reply: ScriptedReply) -> Iterator[str]:
    head = _head(request, "chat.completion.chunk")

    def event(delta: Request, finish: str | None = None) -> str:
        return json.dumps(head | {"choices": [{"index": 0, "delta": delta, "finish_reason": finish}]})

    for piece in reply.pieces:
        yield event({"role": "assistant", "content": piece})
    if reply.tool:
        yield event({"role": "assistant", "tool_calls": _tool_calls(reply)})
    if reply.finish is not None:
        yield event({"refusal": reply.refusal} if reply.refusal else {}, reply.finish)
    if reply.usage is not None:
        yield json.dumps(head | {"choices": [], "usage": _usage(reply)})
    yield "[DONE]"


def _embeddings(request: Request) -> Request:
    """Letters hashed into 32 numbers: equal texts get equal vectors, like texts near ones."""
    given = request["input"]
    texts = [given] if isinstance(given, str) else given
    rows = [
        {"object": "embedding", "index": number, "embedding": _vector(str(text))} for number, text in enumerate(texts)
    ]
    return {
        "object": "list",
        "data": rows,
        "model": request.get("model"),
        "usage": {"prompt_tokens": 1, "total_tokens": 1},
    }


def _vector(text: str) -> list[float]:
    vector = [0.0] * 32
    for letter in text:
        vector[hashlib.sha256(letter.encode()).digest()[0] % 32] += 1.0
    return vector
