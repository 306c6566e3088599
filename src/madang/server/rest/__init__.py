"""REST under /api/v1: one module a resource."""

from fastapi import APIRouter

from madang.server.rest import (
    assistants,
    conversation,
    documents,
    events,
    inputs,
    inspection,
    memory,
    messages,
    runs,
    sessions,
    stats,
)

router = APIRouter()
for _module in (
    assistants,
    sessions,
    conversation,
    messages,
    events,
    inspection,
    inputs,
    runs,
    memory,
    documents,
    stats,
):
    router.include_router(_module.router)
