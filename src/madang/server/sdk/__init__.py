"""The surface that the unmodified LangGraph SDK expects at the server's root; `docs/sdk.md` says how far it goes."""

from fastapi import FastAPI

from madang.server.sdk import (
    assistants,
    crons,
    following,
    information,
    protocol,
    runs,
    stateless,
    store,
    thread_state,
    threads,
)

__all__ = ["install"]


# As LangGraph's own document groups them.
TAGS = (
    (information, "System"),
    (assistants, "Assistants"),
    (crons, "Crons"),
    (threads, "Threads"),
    (thread_state, "Threads"),
    (runs, "Thread Runs"),
    (stateless, "Stateless Runs"),
    (following, "Threads"),
    (protocol.routes, "Streaming"),
    (store, "Store"),
)


def install(app: FastAPI) -> None:
    """Add the routes, with the names that clients of LangGraph's server expect in the document."""
    for module, tag in TAGS:
        app.include_router(module.router, tags=[tag])
    app.include_router(protocol.socket.router)
