"""Crons: runs by the clock, of a thread or each on a thread of its own.

One process of all that share the database starts each, once. Times that passed while no server ran are made up for by
one run.
"""

import logging
from datetime import UTC, datetime
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from croniter import croniter
from fastapi import APIRouter
from langgraph_sdk import schema

from madang.errors import InvalidInput, MadangError
from madang.runtime import Runtime
from madang.server.identity import Identity, OwnThread, TheRuntime, Who
from madang.server.sdk.assistants import graph_of
from madang.server.sdk.bodies import (
    CronCountRequest,
    CronCreate,
    CronPatch,
    CronSearch,
    RunCreateStateful,
    RunCreateStateless,
)
from madang.server.sdk.encoding import Json
from madang.server.sdk.run_options import check_input, check_offered
from madang.server.sdk.shapes import selected
from madang.server.sdk.starting import start_run
from madang.server.sdk.stateless import LINGERING, begin
from madang.server.sdk.webhooks import check_webhook
from madang.store.columns import timestamp
from madang.store.crons import Cron, Crons
from madang.store.session_search import contains

logger = logging.getLogger(__name__)
router = APIRouter()
EVERY = 10.0
OF_CRON = {"schedule", "timezone", "end_time", "enabled", "on_run_completed"}


@router.post("/runs/crons", response_model=schema.Cron)
async def create(given: CronCreate, runtime: TheRuntime, who: Who) -> Json:
    """A run by the clock, each time on a thread of its own."""
    return Json(cron_shape(await _create(runtime, who, given, None)))


@router.post("/threads/{thread_id}/runs/crons", response_model=schema.Cron)
async def create_for_thread(session: OwnThread, given: CronCreate, runtime: TheRuntime, who: Who) -> Json:
    """A run by the clock on one thread; it goes with the thread."""
    return Json(cron_shape(await _create(runtime, who, given, session.session_id)))


async def _create(runtime: Runtime, who: Identity, given: CronCreate, session_id: str | None) -> Cron:
    check_offered(given)
    check_webhook(given.webhook, runtime.webhooks)
    check_input(await graph_of(runtime, who, given.assistant_id), given)
    end = None if given.end_time is None else _as_utc(given.end_time)
    return await Crons(runtime.db).add(
        owner=who.owner,
        user_id=who.user_id,
        company_id=who.company_id,
        session_id=session_id,
        assistant_id=given.assistant_id,
        schedule=given.schedule,
        timezone=given.timezone,
        end_time=end,
        enabled=given.enabled,
        on_run_completed=given.on_run_completed,
        payload=given.model_dump(mode="json", exclude=OF_CRON, exclude_unset=True),
        metadata=given.metadata or {},
        next_run_at=next_time(given.schedule, given.timezone, end),
    )


@router.get("/runs/crons/{cron_id}", response_model=schema.Cron)
async def get(cron_id: str, runtime: TheRuntime, who: Who) -> Json:
    return Json(cron_shape(await Crons(runtime.db).get(who.owner, cron_id)))


@router.patch("/runs/crons/{cron_id}", response_model=schema.Cron)
async def update(cron_id: str, given: CronPatch, runtime: TheRuntime, who: Who) -> Json:
    check_webhook(given.webhook, runtime.webhooks)
    crons = Crons(runtime.db)
    cron = await crons.get(who.owner, cron_id)
    said = given.model_dump(mode="json", exclude_unset=True)
    of_run = {name: value for name, value in said.items() if name not in OF_CRON}
    changes = {name: getattr(given, name) for name in said if name in OF_CRON and name != "end_time"}
    if "end_time" in said:
        changes["end_time"] = None if given.end_time is None else _as_utc(given.end_time)
    schedule, zone = changes.get("schedule", cron.schedule), changes.get("timezone", cron.timezone)
    changed = await crons.change(
        cron,
        **changes,
        payload={**cron.payload, **of_run},
        metadata=given.metadata if given.metadata is not None else cron.metadata,
        next_run_at=next_time(schedule, zone, changes.get("end_time", cron.end_time)),
    )
    return Json(cron_shape(changed))


@router.delete("/runs/crons/{cron_id}", response_model=None)
async def delete(cron_id: str, runtime: TheRuntime, who: Who) -> Json:
    await Crons(runtime.db).delete(who.owner, cron_id)
    return Json(None)


@router.post("/runs/crons/search", response_model=list[schema.Cron])
async def search(given: CronSearch, runtime: TheRuntime, who: Who) -> Json:
    found = await _matching(runtime, who, given)
    if given.sort_by is not None:
        found.sort(key=lambda one: (one[str(given.sort_by)] or "", one["cron_id"]), reverse=given.sort_order != "asc")
    page = found[given.offset : given.offset + given.limit]
    more = given.offset + given.limit < len(found)
    headers = {"X-Pagination-Next": str(given.offset + given.limit)} if more else {}
    return Json([selected(one, given.select) for one in page], headers=headers)


@router.post("/runs/crons/count", response_model=int)
async def count(given: CronCountRequest, runtime: TheRuntime, who: Who) -> Json:
    return Json(len(await _matching(runtime, who, given)))


async def _matching(runtime: Runtime, who: Identity, wanted: CronCountRequest) -> list[dict[str, Any]]:
    shapes = [cron_shape(cron) for cron in await Crons(runtime.db).of_owner(who.owner)]
    return [
        one
        for one in shapes
        if wanted.assistant_id in (None, one["assistant_id"])
        and wanted.thread_id in (None, one["thread_id"])
        and wanted.enabled in (None, one["enabled"])
        and contains(one["metadata"], wanted.metadata or {})
    ]


def cron_shape(cron: Cron) -> dict[str, Any]:
    return {
        "cron_id": cron.cron_id,
        "assistant_id": cron.assistant_id,
        "thread_id": cron.session_id,
        "on_run_completed": cron.on_run_completed,
        "end_time": cron.end_time,
        "schedule": cron.schedule,
        "timezone": cron.timezone,
        "created_at": cron.created_at,
        "updated_at": cron.updated_at,
        "payload": dict(cron.payload),
        "user_id": None if cron.user_id is None else str(cron.user_id),
        "next_run_date": cron.next_run_at if cron.enabled else None,
        "metadata": dict(cron.metadata),
        "enabled": cron.enabled,
    }


def next_time(schedule: str, zone: str | None, end: str | None, *, after: datetime | None = None) -> str | None:
    """The next time after a moment, or None once it has ended. Raises `InvalidInput`."""
    if len(schedule.split()) != 5 or not croniter.is_valid(schedule):
        raise InvalidInput(f"schedule: {schedule!r} is not minute, hour, day, month and weekday", field="schedule")
    try:
        begin = (after or datetime.now(UTC)).astimezone(ZoneInfo(zone) if zone else UTC)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise InvalidInput(f"timezone: {zone!r} is not known", field="timezone") from None
    moment = timestamp(croniter(schedule, begin).get_next(datetime))
    return None if end is not None and moment > end else moment


def _as_utc(moment: datetime) -> str:
    return timestamp(moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC))


async def start_due(runtime: Runtime, *, at: datetime | None = None) -> int:
    """Start what is due; how many. Whoever moves a cron on to its next time starts its run."""
    moment, crons, started = at or datetime.now(UTC), Crons(runtime.db), 0
    for cron in await crons.due(timestamp(moment)):
        following = next_time(cron.schedule, cron.timezone, cron.end_time, after=moment)
        if not await crons.take(cron, following):
            continue
        who = Identity(user_id=cron.user_id, company_id=cron.company_id, role="user", key=f"cron:{cron.cron_id}")
        try:
            await _start(runtime, who, cron)
            started += 1
        except MadangError as error:
            logger.warning("a cron could not start its run", extra={"cron_id": cron.cron_id, "error": error.code})
    return started


async def _start(runtime: Runtime, who: Identity, cron: Cron) -> None:
    about = {**cron.metadata, "cron_id": cron.cron_id}
    given = RunCreateStateful.model_validate({**cron.payload, "assistant_id": cron.assistant_id, "metadata": about})
    if cron.session_id is not None:
        await start_run(runtime, who, cron.session_id, given)
    else:
        alone = RunCreateStateless.model_validate(
            {**given.model_dump(exclude_unset=True), "on_completion": cron.on_run_completed or "delete"}
        )
        await begin(runtime, who, alone, kept=LINGERING)
