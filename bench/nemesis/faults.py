"""The nemesis: it breaks servers and the database while clients use them."""

import asyncio
import contextlib
import random
import signal
import time
from collections.abc import Awaitable, Callable, Sequence

from bench.nemesis.record import Record
from bench.nemesis.servers import Database, Server, stand_up

WEIGHTS = {
    "kill": 30,
    "stop": 14,
    "stop_past_lease": 4,
    "terminate": 8,
    "kill_all": 4,
    "clock": 10,
    "database_restart": 18,
    "database_disconnect": 22,
    "roll": 3,
    "cut": 14,
    "slow": 8,
    "fail_over": 6,
}
ON_SERVER_DATABASE = ("database_restart", "database_disconnect", "cut", "slow", "fail_over")
ON_DATABASE = ("database_restart", "database_disconnect", "fail_over")
ON_ALL = ("kill_all", "roll")
AT_ONCE = 3
WRONG_BY = (-3600.0, -40.0, 0.0, 0.0, 40.0, 3600.0)


class Nemesis:
    """Breaks something every moment, for so many events or minutes."""

    def __init__(
        self,
        seed: int,
        servers: Sequence[Server],
        database: Database,
        record: Record,
        lease: float,
        only: Sequence[str],
    ) -> None:
        self._random = random.Random(f"nemesis {seed}")
        self._servers, self._database, self._record, self._lease = servers, database, record, lease
        self._locks = {server.port: asyncio.Lock() for server in servers}
        self._on_database = asyncio.Lock()
        possible = WEIGHTS if database.postgres else {k: w for k, w in WEIGHTS.items() if k not in ON_SERVER_DATABASE}
        self._weights = {kind: weight for kind, weight in possible.items() if not only or kind in only}

    async def run(self, events: int, minutes: float) -> None:
        until = time.monotonic() + minutes * 60
        struck: set[asyncio.Task[None]] = set()
        while len(self._record.faults) < events and time.monotonic() < until:
            await asyncio.sleep(self._random.uniform(0.2, 1.2))
            self.watch()
            await self._wait_for_one(60)
            possible = {k: w for k, w in self._weights.items() if k != "fail_over" or self._database.may_fail_over}
            (kind,) = self._random.choices(list(possible), list(possible.values()))
            server = self._random.choice(self._servers)
            self._record.faults.append(kind)
            struck.add(asyncio.create_task(self._strike(kind, server)))
            # One lies still or starts again while the next blow falls elsewhere.
            if len(struck) == AT_ONCE:
                done, struck = await asyncio.wait(struck, return_when=asyncio.FIRST_COMPLETED)
                await asyncio.gather(*done)
        await asyncio.gather(*struck)

    async def _strike(self, kind: str, server: Server) -> None:
        """One blow; those that fall on the same process, or on the database, fall one after another."""
        strike: Callable[[Server], Awaitable[None]] = getattr(self, f"_{kind}")
        async with contextlib.AsyncExitStack() as stack:
            for lock in self._struck_by(kind, server):
                await stack.enter_async_context(lock)
            await strike(server)

    def _struck_by(self, kind: str, server: Server) -> Sequence[asyncio.Lock]:
        if kind in ON_ALL:
            return list(self._locks.values())
        return [self._on_database] if kind in ON_DATABASE else [self._locks[server.port]]

    async def _wait_for_one(self, seconds: float) -> None:
        """Wait until some server answers: a blow on what lies still breaks nothing."""
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            if any(await asyncio.gather(*(server.ready(1) for server in self._servers))):
                return
            self.watch()

    def watch(self) -> None:
        """Note servers that ended by themselves, and start them again; one that is being struck ends by that."""
        for server in self._servers:
            said = None if self._locks[server.port].locked() else server.left()
            if said is not None:
                if said:
                    self._record.exits.append(said)
                server.start()

    async def _kill(self, server: Server) -> None:
        await asyncio.to_thread(server.end, signal.SIGKILL)
        await asyncio.sleep(self._random.choice((0, 0, 0.5, 2)))
        server.start()
        # Else the next blow falls while it starts.
        if self._random.random() < 0.5:
            await stand_up([server], 30)

    async def _kill_all(self, _server: Server) -> None:
        for server in self._servers:
            await asyncio.to_thread(server.end, signal.SIGKILL)
        for server in self._servers:
            server.start()
        await stand_up(self._servers, 30)

    async def _terminate(self, server: Server) -> None:
        if not await asyncio.to_thread(server.end, signal.SIGTERM):
            self._record.slow_ends += 1
        server.start()

    async def _roll(self, _server: Server) -> None:
        """A rolling restart: each process in its turn is told to end, and the next waits until it is back."""
        for process in self._servers:
            await self._terminate(process)
            await stand_up([process], 60)

    async def _stop(self, server: Server) -> None:
        await self._lie_still(server, self._random.uniform(0.2, 0.8) * self._lease)

    async def _stop_past_lease(self, server: Server) -> None:
        await self._lie_still(server, 1.5 * self._lease)

    async def _lie_still(self, server: Server, seconds: float) -> None:
        server.send(signal.SIGSTOP)
        await asyncio.sleep(seconds)
        server.send(signal.SIGCONT)

    async def _clock(self, server: Server) -> None:
        server.clock.set_wrong_by(self._random.choice(WRONG_BY))

    async def _cut(self, server: Server) -> None:
        """One process is cut off from the database, for less than its lease or for longer."""
        if server.cable is not None:
            server.cable.cut()
            await asyncio.sleep(self._random.choice((0.2, 2.0, 1.5 * self._lease)))
            server.cable.plug()

    async def _slow(self, server: Server) -> None:
        """Everything that one process and the database say to each other takes its time."""
        if server.cable is not None:
            server.cable.lag = self._random.choice((0.05, 0.3))
            await asyncio.sleep(self._random.uniform(1, 4))
            server.cable.lag = 0.0

    async def _fail_over(self, _server: Server) -> None:
        await asyncio.to_thread(self._database.fail_over)

    async def _database_restart(self, _server: Server) -> None:
        await asyncio.to_thread(self._database.restart, self._random.choice((0.0, 0.5, 2.0)))

    async def _database_disconnect(self, _server: Server) -> None:
        await asyncio.to_thread(self._database.terminate, self._random.choice((0.3, 1.0)))
