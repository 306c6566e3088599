"""Answers to requests that wait for a turn."""

from fastapi import Response

from madang.runtime import Runtime
from madang.server.rest.models import RunShown, json_response
from madang.store.runs import Run


async def waited(runtime: Runtime, run: Run) -> Response:
    """The turn, complete; if the server ends before the turn does, the run that gives it at another one."""
    outcome = await runtime.leaving.before(runtime.outcome(run.run_id, run.session_id))
    return accepted(await runtime.runs.get(run.run_id, run.session_id)) if outcome is None else json_response(outcome)


def accepted(run: Run) -> Response:
    """A run that will give the answer."""
    return Response(RunShown.model_validate(run).model_dump_json(), 202, media_type="application/json")
