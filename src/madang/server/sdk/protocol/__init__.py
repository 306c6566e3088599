"""The thread protocol of `threads.stream`: commands, and a thread's events as a stream or over a WebSocket.

PyPI `langchain-protocol` has its types; `docs/sdk.md` says what is told.
"""

from madang.server.sdk.protocol import routes, socket

__all__ = ["routes", "socket"]
