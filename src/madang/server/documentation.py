"""What the OpenAPI document says of the whole, and of routes where another protocol is spoken."""

from typing import Any

DESCRIPTION = """Conversations with assistants over LangGraph: turns, events, state and its history.

A WebSocket at `/ws/{session_id}` carries the same events as `GET /api/v1/sessions/{session_id}/events`. Errors are
RFC 9457 problem documents with a stable `code`. Credentials, where they are required: `Authorization: Bearer …`
(an API key or a token) or `X-Api-Key`."""

# A message of JSON-RPC, and its answer: one message, or a stream of them.
JSON_RPC = {"requestBody": {"required": True, "content": {"application/json": {"schema": {"type": "object"}}}}}
JSON_RPC_ANSWERS: dict[int | str, dict[str, Any]] = {
    200: {"content": {"application/json": {}, "text/event-stream": {"schema": {"type": "string"}}}}
}
