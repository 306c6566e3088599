"""The server: REST, WebSocket, the LangGraph-SDK-compatible API, and a page."""

from madang.server.app import create_app

__all__ = ["create_app"]
