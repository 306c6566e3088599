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


def install(app: FastAPI) -> None:
    """Add the routes. They are LangGraph's to document, so they are not in our OpenAPI document."""
    of_threads = (threads, thread_state, runs, stateless, following, protocol.routes)
    for module in (information, assistants, crons, *of_threads, store):
        app.include_router(module.router, include_in_schema=False)
    app.include_router(protocol.socket.router)
