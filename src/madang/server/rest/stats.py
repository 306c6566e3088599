"""Numbers: the caller's own, and the database's for whoever runs it."""

from typing import Any

from fastapi import APIRouter

from madang.server.identity import ADMIN, TheRuntime, Who, owned_by
from madang.server.rest.models import StatsShown
from madang.store.session_search import SessionSearch, Wanted
from madang.store.stats import stats

router = APIRouter(tags=["stats"])


@router.get("/stats", response_model=StatsShown)
async def get_stats(runtime: TheRuntime, who: Who) -> dict[str, Any]:
    """How many conversations you have, and how large the database is if you run it."""
    mine = owned_by(who)
    counts = {name: await runtime.sessions.count(assistant=name, **mine) for name in runtime.served}
    return {
        "sessions": await runtime.sessions.count(**mine),
        "sessions_by_assistant": counts,
        "running": await SessionSearch(runtime.db).count(Wanted(**mine, standing="busy")),
        "database": (await stats(runtime.db, sessions=1)).as_dict() if who.role == ADMIN else None,
    }
