"""Runs that nobody runs any more: taken back to the queue or ended, and what is queued is started."""

import asyncio
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from madang.errors import Fenced, ServiceUnavailable
from madang.events import Error
from madang.runtime.turn_events import cancelled
from madang.store.runs import Run
from madang.texts import say

if TYPE_CHECKING:
    from madang.runtime.runtime import Runtime

logger = logging.getLogger(__name__)
# A turn in which its process died this often is not tried again.
DEATHS = 2


class Recovery:
    """Of one runtime; `failures` counts what could not be recovered."""

    def __init__(self, runtime: "Runtime") -> None:
        self._runtime = runtime
        self.failures = 0

    async def recover(self) -> int:
        """Take over runs that nobody runs any more, and start what is queued; how many there were.

        Each on its own: what one of them raises is logged and counted, and the others go on.
        """
        runtime = self._runtime
        orphans = await runtime.runs.find_orphans(runtime.runner.locks.dead)
        recovered = 0
        for orphan in orphans:
            if orphan.assistant in runtime.served and not runtime.runner.has(orphan.run_id):
                with self._one_of_many(orphan):
                    await self._take_back(orphan)
                    recovered += 1
        await runtime.queue.reconcile()
        if runtime.queue.here:
            for run in await runtime.runs.queued():
                with self._one_of_many(run):
                    await runtime.start_next(run.session_id)
        return recovered

    async def _take_back(self, orphan: Run) -> None:
        """Put a run back to the queue, or end it: if it was to be cancelled, or its process has died in it before."""
        runtime = self._runtime
        if any(control.kind == "cancel" for control in await runtime.runs.controls(orphan.run_id, orphan.session_id)):
            runtime.publish(await runtime.turns.give_up(orphan, "cancelled", [cancelled("cancelled")]))
        elif orphan.deaths + 1 >= DEATHS:
            error = {"code": "died_twice", "message": say("died_twice"), "type": "ProcessDied"}
            event = Error(error="died_twice", message=say("died_twice"))
            runtime.publish(await runtime.turns.give_up(orphan, "failed", [("error", event)], error=error))
        else:
            await runtime.turns.requeue(orphan)

    @contextmanager
    def _one_of_many(self, run: Run) -> Iterator[None]:
        try:
            yield
        except Fenced:
            logger.info("run was taken back by someone else", extra={"run_id": run.run_id})
        except ServiceUnavailable:
            raise
        except Exception:
            self.failures += 1
            logger.exception("run could not be recovered", extra={"run_id": run.run_id})

    async def begin(self) -> None:
        """Recover what there is, and go on while the runtime is open: owners elsewhere may die too.

        What keeps it from being done now, as a database that another process holds, doesn't stop a start.
        """
        await self._try()
        self.watch()

    def watch(self) -> None:
        """Recover whenever a lease may have run out."""
        self._runtime.in_background(self._watch())

    async def _watch(self) -> None:
        while True:
            await asyncio.sleep(self._runtime.runner.lease / 3)
            await self._try()

    async def _try(self) -> None:
        try:
            await self.recover()
        except ServiceUnavailable:
            logger.warning("recovery has to wait for the database")
        except Exception:
            self.failures += 1
            logger.exception("recovery failed; it is tried again")
