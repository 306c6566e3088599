"""`TeamBasedSupervisor` of the seeds, thin over the runtime."""

from collections.abc import Awaitable, Callable
from typing import Any

from madang.errors import NotFound
from madang.events import TERMINAL, of_turn
from madang.runtime import Runtime, TurnRequest

ProgressCallback = Callable[[str, dict[str, Any]], Awaitable[None]]
ENVELOPE = ("type", "seq", "session_id", "request_id", "timestamp")


class Supervisor:
    """Runs turns of one assistant and reports them to a callback."""

    def __init__(self, runtime: Runtime, assistant: str = "homes") -> None:
        self._runtime = runtime
        self._assistant = assistant

    async def process_query_streaming(
        self,
        query: str,
        session_id: str,
        user_id: int | None = None,
        progress_callback: ProgressCallback | None = None,
    ) -> dict[str, Any]:
        """One turn; an unknown session is made. The final response in the seeds' form.

        `progress_callback(event, data)` is awaited for each event in order. Raises what `Runtime.start` raises.
        """
        runtime = self._runtime
        try:
            await runtime.sessions.get(session_id)
        except NotFound:
            await runtime.sessions.create(session_id, assistant=self._assistant, user_id=user_id)
        after = await runtime.events.last_seq(session_id)
        run = await runtime.start(session_id, TurnRequest(text=query))
        async for frame in runtime.hub.follow(session_id, after):
            if frame["request_id"] != run.request_id or not of_turn([frame]):
                continue
            if progress_callback is not None:
                await progress_callback(frame["type"], as_seeds(frame))
            if frame["type"] in TERMINAL:
                break
        outcome = await runtime.outcome(run.run_id, run.session_id)
        return outcome["response"] or {}


def as_seeds(frame: dict[str, Any]) -> dict[str, Any]:
    """An event's own fields as the seeds' callback has them: `type`, not `response_type`."""
    data = {key: value for key, value in frame.items() if key not in ENVELOPE}
    if "response_type" in data:
        data["type"] = data.pop("response_type")
    return data
