"""Our server beside others that speak the same API: a thread and a run to its end, by many clients at once."""

import asyncio
import tempfile

from bench import Row
from bench._clients import Caller, at_once
from bench._peers import PACKAGES, NotHere, peer_server
from bench.server import process
from bench.storage_servers import fresh_postgres

CLIENTS, RUNS = 20, 300
LIMIT = 180.0


def peers() -> list[Row]:
    """Threads and runs a second: ours on Postgres (SQLite without one), each peer on what it stores in."""
    with tempfile.TemporaryDirectory() as folder, fresh_postgres() as postgres:
        database = postgres() if postgres is not None else f"sqlite:///{folder}/ours.db"
        with process("ours", database) as (port, _memory):
            own = _a_second(port)
        rows = []
        for peer in PACKAGES:
            try:
                if peer == "Aegra" and postgres is None:
                    raise NotHere("it stores in Postgres only")
                with peer_server(peer, postgres() if postgres is not None else "") as port:
                    value, note = _a_second(port), f"{CLIENTS} clients, {RUNS} runs by the SDK's routes"
            except NotHere as why:
                value, note = None, str(why)
            rows.append(
                Row(
                    measure="a thread and a run to its end",
                    value=own,
                    unit="runs/s",
                    peer=peer,
                    peer_value=value,
                    goal="≥ 1 ×",
                    note=note,
                )
            )
        return rows


def _a_second(port: int) -> float:
    async def thread_and_run(caller: Caller, number: int) -> None:
        thread = await caller.post("/threads", {})
        given = {"assistant_id": "echo", "input": {"query": f"run {number}"}}
        found = await caller.post(f"/threads/{thread['thread_id']}/runs/wait", given)
        assert found["answer"] == f"run {number}"

    return asyncio.run(asyncio.wait_for(at_once(port, thread_and_run, clients=CLIENTS, count=RUNS), LIMIT))


SUITES = {"peers": peers}
