"""Runs begun as the runtime begins them, for tests of what hangs on a run."""

from typing import Any

from madang.store.database import Database
from madang.store.owners import Owner
from madang.store.runs import Run
from madang.store.turns import NewRun, Turns


async def begun(db: Database, session_id: str, *, owner: Owner | None = None, lease: float = 60, **new: Any) -> Run:
    """A run that runs in a session where nothing else does."""
    run = await Turns(db).begin(session_id, NewRun(**new), owner or Owner(), lease)
    assert run is not None
    return run


async def ended(db: Database, session_id: str, status: str = "completed", **new: Any) -> Run:
    """A run that has ended or waits."""
    return (await Turns(db).end(await begun(db, session_id, **new), status)).run
