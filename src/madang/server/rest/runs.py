"""Runs: one turn each."""

from fastapi import APIRouter

from madang.server.identity import OwnRun, TheRuntime
from madang.server.rest.models import RunShown
from madang.store.runs import Run

router = APIRouter(tags=["runs"])


@router.get("/runs/{run_id}", response_model=RunShown)
async def get_run(run: OwnRun) -> Run:
    """One turn and how it stands."""
    return run


@router.post("/runs/{run_id}/cancel", response_model=RunShown)
async def cancel_run(run: OwnRun, runtime: TheRuntime) -> Run:
    """Stop a turn: what finished stays, what was streamed is kept and marked. Cancelling twice is fine."""
    return await runtime.cancel(run.run_id)
