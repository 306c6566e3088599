"""What the processes of one Postgres tell each other: whose log has grown, what was asked of a run, of new jobs.

Only a session and a number are told, after the commit and several at a time; whoever cares reads the log. What is lost
on the way is found by looking from time to time.
"""

import asyncio
import json
import logging
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from madang.errors import MadangError
from madang.runtime.relay import PARTS, WATCHED, Relay
from madang.runtime.shared_queue import SharedQueue
from madang.store.listening import Listener

if TYPE_CHECKING:
    from madang.runtime.runtime import Runtime

logger = logging.getLogger(__name__)

EVENTS, CONTROLS = "madang_events", "madang_controls"
# Seconds: what happens within one is told together; how often to look without and with a connection that listens.
GATHER, LOOK_DEAF, LOOK = 0.02, 1.0, 15.0
# How long a process that ends waits for a database that doesn't answer, to tell what is left.
LAST_WORDS = 2.0
# Postgres bounds a payload to 8,000 bytes; an id may have 255 characters of four bytes.
MOST_TOLD = 6
DELETED = -1


class Link:
    """One process's end. `deleted` are called with sessions that another process has deleted."""

    def __init__(self, runtime: "Runtime", url: str) -> None:
        self._runtime = runtime
        self._sql = runtime.db.queries("queue")
        self._told: dict[str, int] = {}
        self._telling: asyncio.Task[None] | None = None
        self.deleted: list[Callable[[str], object]] = []
        self.listener = Listener(url, lambda channel, word: self._say(channel, [word]))
        self.listener.on(EVENTS, self._hear, self._missed)
        self.listener.on(CONTROLS, runtime.runner.asked, runtime.runner.look_again)
        self.relay = runtime.runner.relay = Relay(runtime)
        self.listener.on(PARTS, self.relay.heard, lambda: None)
        self.listener.on(WATCHED, self.relay.told, lambda: None)
        queue = runtime.queue
        if isinstance(queue, SharedQueue):
            for channel in queue.channels:
                self.listener.on(channel, queue.wake, queue.wake)

    def open(self) -> None:
        """Listen and tell from now on, until the runtime closes."""
        self._runtime.hub.taps.append(self._published)
        self._runtime.in_background(self.listener.run())
        self._runtime.in_background(self._look_now_and_then())
        self._runtime.in_background(self.relay.run())
        self._runtime.periodic.add("forget streams", 60.0, self.relay.forget_old)

    def tell(self, session_id: str, number: int) -> None:
        """Tell the others that a session's log has grown to this number, or that it is `DELETED`."""
        known = self._told.get(session_id, 0)
        self._told[session_id] = DELETED if DELETED in (known, number) else max(known, number)
        if self._telling is None or self._telling.done():
            self._telling = asyncio.get_running_loop().create_task(self._tell())

    def tell_deleted(self, session_id: str) -> None:
        """Tell the others that a session is deleted."""
        self.tell(session_id, DELETED)

    async def close(self) -> None:
        """Tell what is left, if the database takes it soon: the others look by themselves."""
        if self._telling is not None:
            _told, still = await asyncio.wait([self._telling], timeout=LAST_WORDS)
            for telling in still:
                telling.cancel()
            await asyncio.gather(*still, return_exceptions=True)

    def _published(self, frames: list[dict[str, Any]]) -> None:
        for frame in frames:
            self.tell(frame["session_id"], frame["seq"])

    async def _tell(self) -> None:
        await asyncio.sleep(GATHER)
        while self._told:
            told, self._told = list(self._told.items()), {}
            payloads = [json.dumps(told[at : at + MOST_TOLD]) for at in range(0, len(told), MOST_TOLD)]
            try:
                await self._say(EVENTS, payloads)
            except MadangError as problem:
                # They will look by themselves.
                logger.info("news could not be told", extra={"reason": str(problem)})

    async def _say(self, channel: str, payloads: list[str]) -> None:
        await self._runtime.db.once(self._sql["tell"], {"channel": channel, "payloads": payloads})

    def _hear(self, payload: str) -> None:
        for session_id, number in json.loads(payload):
            if number == DELETED:
                for deleted in self.deleted:
                    deleted(session_id)
            else:
                self._runtime.hub.heard(session_id, number)

    def _missed(self) -> None:
        self._runtime.in_background(self._look())

    async def _look_now_and_then(self) -> None:
        while True:
            await asyncio.sleep(LOOK if self.listener.connected else LOOK_DEAF)
            if not self.listener.connected:
                self._runtime.runner.look_again()
            await self._look()

    async def _look(self) -> None:
        followed = self._runtime.hub.followed
        if not followed:
            return
        try:
            for row in await self._runtime.db.once(self._sql["last_seqs"], {"ids": list(followed)}):
                self._runtime.hub.heard(row["session_id"], row["last_seq"])
        except MadangError as problem:
            logger.info("looking for news has to wait", extra={"reason": str(problem)})
