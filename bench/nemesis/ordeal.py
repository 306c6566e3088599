"""One ordeal: servers, clients and the nemesis together, then the check."""

import asyncio
import contextlib
import json
import signal
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from bench.nemesis.clients import SOCKET_ERRORS, Client, hear
from bench.nemesis.evidence import Evidence, Violation, collect
from bench.nemesis.faults import Nemesis
from bench.nemesis.forks import Forks
from bench.nemesis.promises import broken
from bench.nemesis.record import Record
from bench.nemesis.servers import Database, Server, environment, stand_up

# A turn behind an open question waits for its answer.
UNSETTLED = """SELECT run_id FROM runs r WHERE status = 'running' OR (status = 'queued' AND NOT EXISTS (
  SELECT 1 FROM runs o WHERE o.session_id = r.session_id AND o.status = 'interrupted'))"""


FIRST_TURN = 60.0


@dataclass(frozen=True, kw_only=True)
class Plan:
    """What is to be done. A seed decides what is chosen, not how the machine interleaves it."""

    seed: int = 1
    events: int = 40
    minutes: float = 8.0
    backend: str = "postgres"
    servers: int = 2
    # With workers, servers only accept.
    workers: int = 0
    standby: bool = False
    clients: int = 6
    lease: float = 8.0
    settling: float = 120.0
    only: Sequence[str] = ()


@dataclass(frozen=True)
class Verdict:
    """What was found."""

    evidence: Evidence
    violations: list[Violation]
    seconds: float
    faults: Sequence[str] = field(default_factory=list)


class NotServed(RuntimeError):
    """The servers don't stand up."""


async def endure(plan: Plan, home: Path | None = None, forks: Forks | None = None) -> Verdict:
    """Run an ordeal in `home`, which stays, or in a folder that goes; `forks` starts its processes, if there is one.

    Raises `NotServed`.
    """
    with contextlib.ExitStack() as stack:
        if home is None:
            home = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="nemesis-")))
        home.mkdir(parents=True, exist_ok=True)
        home.chmod(0o755)
        database = Database(home, plan.backend)
        stack.callback(database.close)
        if plan.standby:
            database.prepare_standby()
        roles: list[tuple[str, ...]] = [("serve", "--no-work") if plan.workers else ("serve",)] * plan.servers
        roles += [("worker", "--concurrency", "4")] * plan.workers
        forks = forks or stack.enter_context(Forks(environment()))
        processes = []
        for number, role in enumerate(roles):
            url, cable = database.cable() if database.postgres is not None else (database.url, None)
            processes.append(Server(home, number, url, plan.lease, forks, role=role, cable=cable))
            stack.callback(processes[-1].end)
        return await _endure(plan, home, database, processes)


async def _endure(plan: Plan, home: Path, database: Database, processes: Sequence[Server]) -> Verdict:
    begun = time.monotonic()
    servers = processes[: plan.servers]
    await asyncio.to_thread(servers[0].run, "db", "upgrade")
    for process in processes:
        process.start()
    if not await stand_up(processes, 120):
        raise NotServed(f"the servers don't start; see {home}")
    record = Record()
    clients = [Client(number, plan.seed, servers, record) for number in range(plan.clients)]
    nemesis = Nemesis(plan.seed, processes, database, record, plan.lease, plan.only)
    running = [asyncio.create_task(client.run()) for client in clients]
    try:
        await nemesis.run(plan.events, plan.minutes)
        # What the last blow hit goes on for a moment, and on a busy machine the first turn may not be accepted yet.
        await asyncio.sleep(2)
        await _first_turn(record, FIRST_TURN)
    finally:
        for client in clients:
            client.stop()
        for process in processes:
            process.send(signal.SIGCONT)
        await asyncio.gather(*running)
    nemesis.watch()
    if not await stand_up(processes, 120):
        raise NotServed(f"the servers don't come back; see {home}")
    await _settle(database, plan.settling)
    await _listen_on(record, database, servers[0])
    evidence = await collect(record, database, servers, home / "diary.tsv")
    return Verdict(evidence, broken(evidence), time.monotonic() - begun, record.faults)


def file_cases(verdict: Verdict, folder: Path) -> None:
    """Write down what is known of each conversation in which a promise was broken."""
    folder.mkdir(parents=True, exist_ok=True)
    evidence = verdict.evidence
    for name in {violation.session_id for violation in verdict.violations} - {""}:
        case = {
            "violations": [found.as_dict() for found in verdict.violations if found.session_id == name],
            "session": evidence.sessions.get(name),
            "runs": evidence.runs.get(name, ()),
            "messages": evidence.messages.get(name, ()),
            "events": evidence.events.get(name, ()),
            "views": [view.state for view in evidence.views.get(name, ())],
            "calls": [vars(call) for call in evidence.record.calls if call.session_id == name],
        }
        text = json.dumps(case, ensure_ascii=False, indent=1, default=str)
        (folder / f"{name}.json").write_text(text, encoding="utf-8")


async def _first_turn(record: Record, seconds: float) -> None:
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        if any(one.turns for one in record.conversations.values()):
            return
        await asyncio.sleep(0.2)


async def _settle(database: Database, seconds: float) -> None:
    """Wait until no turn is queued or runs; what is left after that is for the check to tell."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        if not database.rows(UNSETTLED):
            return
        await asyncio.sleep(0.5)


async def _listen_on(record: Record, database: Database, server: Server) -> None:
    """Let every client reconnect once more, and hear to the end."""
    last = {
        row["session_id"]: row["last_seq"] for row in database.rows("SELECT session_id, last_seq FROM chat_sessions")
    }
    for one in record.conversations.values():
        if one.session_id in last:
            with contextlib.suppress(*SOCKET_ERRORS):
                await hear(server, one, 30, last[one.session_id])
