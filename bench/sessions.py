"""The cost of a turn with ten thousand, a hundred thousand and a million sessions in the tables of one Postgres.

The sessions are made in SQL, each with what a finished turn leaves: messages, a run, events, checkpoints, chunks.
"""

import asyncio
import tempfile
import time
from datetime import date
from pathlib import Path
from statistics import median

import psycopg

from bench import Row
from bench._fan import Diary, assistant
from tests.support.postgres import PostgresServer, create_database

FILL = (
    "INSERT INTO chat_sessions (session_id, assistant, title, message_count, last_seq) "
    "SELECT 'old-' || n, 'fan', 'a conversation', 2, 4 FROM generate_series(%(first)s::int, %(last)s::int) n",
    "INSERT INTO chat_messages (session_id, role, content, run_id) "
    "SELECT 'old-' || n, r, 'a message of some length, as people write them', 'run-' || n "
    "FROM generate_series(%(first)s::int, %(last)s::int) n, unnest(ARRAY['user', 'assistant']) r",
    "INSERT INTO runs (run_id, session_id, assistant, status, request_id, fence, attempts, ended_at) "
    "SELECT 'run-' || n, 'old-' || n, 'fan', 'completed', 'request-' || n, 2, 1, now() "
    "FROM generate_series(%(first)s::int, %(last)s::int) n",
    "INSERT INTO run_events (session_id, seq, run_id, key, type, frame) "
    "SELECT 'old-' || n, s, 'run-' || n, 'k' || s, 'todo_updated', '{\"type\": \"todo_updated\"}'::jsonb "
    "FROM generate_series(%(first)s::int, %(last)s::int) n, generate_series(1, 4) s",
    "INSERT INTO checkpoints (session_id, checkpoint_id, checkpoint, packed) "
    "SELECT 'old-' || n, 'c' || s, '{}'::jsonb, decode(repeat('ab', 200), 'hex') "
    "FROM generate_series(%(first)s::int, %(last)s::int) n, generate_series(1, 2) s",
    "INSERT INTO chunks (session_id, address, data) "
    "SELECT 'old-' || n, decode(md5(n || '-' || s), 'hex'), decode(repeat('cd', 300), 'hex') "
    "FROM generate_series(%(first)s::int, %(last)s::int) n, generate_series(1, 2) s",
)


def sessions(*, most: int = 1_000_000, turns: int = 200) -> list[Row]:
    """Turns on new and on known sessions beside 10⁴, 10⁵ … up to `most` sessions."""
    sizes = [size for size in (10_000, 100_000, 1_000_000) if size <= most]
    with tempfile.TemporaryDirectory(prefix="sessions-") as folder:
        home = Path(folder)
        home.chmod(0o755)
        postgres = PostgresServer.create(home / "postgres")
        try:
            url, found, filled = create_database(postgres.url), {}, 0
            asyncio.run(_turns(url, 20))
            for size in sizes:
                fill(url, filled + 1, size)
                filled = size
                found[size] = asyncio.run(_turns(url, turns))
        finally:
            postgres.remove()
    first = found[sizes[0]]
    return [
        Row(
            measure=f"a turn beside {size:,} sessions",
            value=found[size],
            unit="ms",
            peer=f"beside {sizes[0]:,}",
            peer_value=first,
            goal="≤ 1.3 ×" if size == 1_000_000 else "",
            note="median, one after another, durable with events",
        )
        for size in sizes
    ]


def fill(url: str, first: int, last: int) -> None:
    """Add finished conversations, and let Postgres look at its tables."""
    with psycopg.connect(url, autocommit=True) as connection:
        for begin in range(first, last + 1, 100_000):
            for statement in FILL:
                connection.execute(statement, {"first": begin, "last": min(last, begin + 99_999)})
        connection.execute("VACUUM ANALYZE")
        connection.execute("CHECKPOINT")


async def _turns(url: str, turns: int) -> float:
    """How many milliseconds a turn takes, every other on a session that has had one."""
    from madang.graph import build
    from madang.runtime import Runtime, TurnRequest
    from madang.runtime.assistant_graph import AssistantGraph
    from madang.store import SessionSaver
    from madang.store.database import Database

    db = await Database.open(url)
    saver = SessionSaver(db)
    served = AssistantGraph("fan", build(assistant, saver), assistant, Diary())
    runtime = Runtime(db, saver, {"fan": served}, today=lambda: date(2026, 1, 1))
    times = []
    try:
        for number in range(turns):
            if number % 2 == 0:
                session = await runtime.sessions.create(assistant="fan")
            begun = time.perf_counter()
            run = await runtime.start(session.session_id, TurnRequest(text=f"turn {number}"))
            await runtime.outcome(run.run_id)
            times.append((time.perf_counter() - begun) * 1000)
    finally:
        await runtime.close()
        await db.close()
    return median(times[len(times) // 10 :])


SUITES = {"sessions": sessions}
