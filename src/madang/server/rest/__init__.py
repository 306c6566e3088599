"""REST under /api/v1: one module a resource."""

from fastapi import APIRouter

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

router = APIRouter()
for _module in (
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
):
    router.include_router(_module.router)
