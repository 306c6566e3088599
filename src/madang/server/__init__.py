"""The server: REST, WebSocket, the LangGraph-SDK-compatible API, and a page."""
