"""Checkpoint ids that follow those they build on, whatever the clocks say.

LangGraph makes ids of the time of day, and the newest checkpoint of a thread is the one with the greatest id. A process
whose clock is behind would write checkpoints that count as older than the one it read. LangGraph's generator never
goes back behind the last id that it made; every id that is read moves it on too, so what is read comes before what is
written because of it.
"""

from threading import Lock

from langgraph.checkpoint.base import id as generator

_lock = Lock()


def seen(checkpoint_id: str) -> None:
    """Ids made from now on are greater than this one."""
    try:
        found = generator.UUID(checkpoint_id)
    except ValueError:
        return
    if found.version != 6:
        return
    # The generator keeps its last time in a variable of its module and offers no other way to move it on.
    state = vars(generator)
    with _lock:
        state["_last_v6_timestamp"] = max(found.time, state["_last_v6_timestamp"] or 0)
