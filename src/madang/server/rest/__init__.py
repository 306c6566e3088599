"""REST under /api/v1: one module a resource."""

from fastapi import FastAPI

from madang.server.rest import (
    assistants,
    conversation,
    documents,
    events,
    files,
    inputs,
    inspection,
    keys,
    me,
    memory,
    messages,
    runs,
    sessions,
    shares,
    stats,
)

MODULES = (
    assistants,
    sessions,
    conversation,
    messages,
    files,
    shares,
    events,
    inspection,
    inputs,
    runs,
    memory,
    me,
    keys,
    documents,
    stats,
)


def install(app: FastAPI) -> None:
    """Add the routes. One by one: of a router inside another every route is looked at twice as often."""
    for module in MODULES:
        app.include_router(module.router, prefix="/api/v1")
