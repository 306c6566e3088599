"""A run's priority: what it says itself, or what the `priority` of a `langgraph.json` gave its thread."""

from typing import Any

from langgraph_sdk.priority.types import PriorityContext

from madang.errors import ConfigurationError
from madang.runtime import Runtime
from madang.runtime.run_config import RunUser, graph_assistant_id
from madang.runtime.served_graph import ServedGraph
from madang.server.identity import PRIORITY, Identity
from madang.server.sdk.bodies import HIGHEST, LOWEST, RunCreateStateful
from madang.server.sdk.shapes import thread_metadata
from madang.store.named_assistants import NamedAssistants
from madang.store.sessions import Session


async def priority_of(
    runtime: Runtime, who: Identity, session: Session, served: ServedGraph, given: RunCreateStateful, made: str | None
) -> int:
    """The run's priority. A thread is asked about once, at its first run. Raises `ConfigurationError`."""
    if given.priority is not None:
        return given.priority
    if runtime.assign_priority is None:
        return 0
    if (kept := session.metadata.get(PRIORITY)) is not None:
        return int(kept)
    assistant = await NamedAssistants(runtime.db).get(who.owner, made) if made is not None else None
    asked = PriorityContext(
        user=RunUser("" if who.user_id is None else str(who.user_id)),
        permissions=(),
        thread_id=session.session_id,
        thread_metadata=thread_metadata(session),
        assistant_id=made or graph_assistant_id(served.name),
        graph_id=served.name,
        assistant_metadata={} if assistant is None else dict(assistant.metadata),
        run_metadata=dict(given.metadata or {}),
        cron_id=(given.metadata or {}).get("cron_id"),
    )
    priority = _checked(await runtime.assign_priority(asked))
    await runtime.sessions.update_metadata(session.session_id, {PRIORITY: priority})
    return priority


def _checked(settings: Any) -> int:
    priority = (settings or {}).get("priority") or 0
    if not isinstance(priority, int) or not HIGHEST <= priority <= LOWEST:
        raise ConfigurationError(f"@priority.assign: {priority!r} should be a number from {HIGHEST} to {LOWEST}")
    return priority
