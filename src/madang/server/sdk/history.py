"""An assistant's history as clients page through it: few states a turn.

agent-chat-ui and others read the last ten states and look for branches, and for where a message began, among those;
an assistant's turn alone has as many.
"""

from collections.abc import AsyncIterator
from typing import Any

from langchain_core.runnables import RunnableConfig
from langgraph.types import StateSnapshot

from madang.runtime.run_config import thread_config


async def by_turn(states: AsyncIterator[StateSnapshot], session_id: str, limit: int) -> list[StateSnapshot]:
    """Of all states, newest first: those where a turn begins, waits or is over, and the one before its end.

    The newest is among them. Each names as its parent the nearest of these before it.
    """
    kept: list[StateSnapshot] = []
    parents_of_others: dict[str, str | None] = {}
    before_ends: set[str | None] = set()
    unresolved: set[str | None] = set()
    async for state in states:
        named, parent = _id(state.config), _id(state.parent_config)
        found = named in unresolved
        unresolved.discard(named)
        if not kept or named in before_ends or _rests(state):
            if len(kept) < limit:
                unresolved.add(parent)
            kept.append(state)
            if not state.next:
                before_ends.add(parent)
        else:
            parents_of_others[str(named)] = parent
            if found:
                unresolved.add(parent)
        unresolved.discard(None)
        if len(kept) >= limit and not unresolved:
            break
    return [_under(state, session_id, parents_of_others) for state in kept[:limit]]


def _rests(state: StateSnapshot) -> bool:
    """Whether a turn begins here, waits for an answer or is over, or somebody wrote to the state."""
    return (state.metadata or {}).get("source") != "loop" or not state.next or bool(state.interrupts)


def _under(state: StateSnapshot, session_id: str, parents_of_others: dict[str, str | None]) -> StateSnapshot:
    parent = _id(state.parent_config)
    while parent in parents_of_others:
        parent = parents_of_others[str(parent)]
    if parent is None:
        return state._replace(parent_config=None)
    place = thread_config(session_id, {"checkpoint_ns": "", "checkpoint_id": parent})
    return state._replace(parent_config=RunnableConfig(configurable=place["configurable"]))


def _id(config: Any) -> str | None:
    return None if config is None else config["configurable"].get("checkpoint_id")
