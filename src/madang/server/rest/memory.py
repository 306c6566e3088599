"""What is remembered of the caller."""

from typing import Annotated, Any

from fastapi import APIRouter, Body, Query

from madang.memory import SessionMemory
from madang.runtime import Runtime
from madang.server.identity import Identity, TheRuntime, Who
from madang.server.rest.models import Forgotten, Id, Json, MemoryShown
from madang.store.memories import Memories

router = APIRouter(prefix="/memory", tags=["memory"])
Preferences = Annotated[Json, Body(examples=[{"travel_style": ["미식"], "budget": None}])]


def _memory(runtime: Runtime, who: Identity) -> SessionMemory:
    return SessionMemory(Memories(runtime.db), who.owner)


@router.get("", response_model=MemoryShown)
async def get_memory(runtime: TheRuntime, who: Who) -> dict[str, Any]:
    """Everything that is remembered of you."""
    return await _memory(runtime, who).view()


@router.delete("", response_model=Forgotten)
async def forget(
    runtime: TheRuntime, who: Who, session_id: Annotated[Id | None, Query(description="only this one")] = None
) -> dict[str, int]:
    """Forget one conversation, or everything."""
    return {"forgotten": await _memory(runtime, who).forget(session_id)}


@router.put("/preferences", response_model=Json)
async def set_preferences(runtime: TheRuntime, who: Who, given: Preferences) -> dict[str, Any]:
    """Set preferences; null removes one, the others stay. What you set is never overwritten by what is learnt."""
    return await _memory(runtime, who).set_preferences(given)
