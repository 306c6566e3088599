"""What the OpenAPI document says of the whole."""

DESCRIPTION = """Conversations with assistants over LangGraph: turns, events, state and its history.

A WebSocket at `/ws/{session_id}` carries the same events as `GET /api/v1/sessions/{session_id}/events`. Errors are
RFC 9457 problem documents with a stable `code`. Credentials, where they are required: `Authorization: Bearer …`
(an API key or a token) or `X-Api-Key`."""
