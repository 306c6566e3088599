"""The statements of the seeds (000, section 9.2), unchanged, on Postgres."""

import json
from typing import Any

from langgraph.checkpoint.base import CheckpointTuple

from madang.store import SessionSaver
from madang.store.database import Row
from tests.support.saver_talk import talk

LATEST = """
SELECT session_id, checkpoint_id, type,
       jsonb_pretty(metadata) as meta
FROM checkpoints
ORDER BY checkpoint_id DESC
LIMIT 10;
"""
ALL_OF_A_SESSION = """
SELECT session_id, checkpoint_ns, checkpoint_id,
       parent_checkpoint_id, type
FROM checkpoints
WHERE session_id = 'session-abc123'
ORDER BY checkpoint_id;
"""
TOGETHER = """
SELECT
    cs.session_id,
    cs.title,
    cs.message_count,
    cs.updated_at,
    COUNT(DISTINCT cp.checkpoint_id) as checkpoint_count,
    COUNT(DISTINCT cm.id) as actual_message_count
FROM chat_sessions cs
LEFT JOIN checkpoints cp ON cs.session_id = cp.session_id
LEFT JOIN chat_messages cm ON cs.session_id = cm.session_id
WHERE cs.session_id = 'session-abc123'
GROUP BY cs.session_id, cs.title, cs.message_count, cs.updated_at;
"""
WRITES = """
SELECT session_id, checkpoint_id, task_id, channel, type
FROM checkpoint_writes
WHERE session_id = 'session-abc123'
ORDER BY checkpoint_id, idx;
"""


async def _stored(saver: SessionSaver) -> tuple[list[CheckpointTuple], dict[str, list[Row]]]:
    async with saver.database.transaction() as tx:
        await tx.execute(
            "INSERT INTO chat_sessions (session_id, title, message_count) VALUES ('session-abc123', '전세', 2)"
        )
        for role in ("user", "assistant"):
            await tx.execute(
                "INSERT INTO chat_messages (session_id, role, content) VALUES ('session-abc123', :role, '안녕')",
                {"role": role},
            )
    await talk(saver, 2, "session-abc123")
    await talk(saver, 1, "another")
    config: Any = {"configurable": {"thread_id": "session-abc123"}}
    tuples = [found async for found in saver.alist(config)]
    async with saver.database.reader() as reader:
        rows = {
            name: await reader.fetch(sql)
            for name, sql in (
                ("latest", LATEST),
                ("all", ALL_OF_A_SESSION),
                ("together", TOGETHER),
                ("writes", WRITES),
            )
        }
    return tuples, rows


async def test_the_seeds_statements_return_the_truth(postgres_url: str) -> None:
    async with SessionSaver.from_url(postgres_url) as saver:
        tuples, rows = await _stored(saver)
    assert len(rows["latest"]) == 10
    assert {"source", "step", "parents"} <= set(json.loads(rows["latest"][0]["meta"]))
    by_id = {found.checkpoint["id"]: found for found in tuples}
    assert [row["checkpoint_id"] for row in rows["all"]] == sorted(by_id)
    for row in rows["all"]:
        parent = by_id[row["checkpoint_id"]].parent_config
        assert row["parent_checkpoint_id"] == (parent["configurable"]["checkpoint_id"] if parent else None)
        assert row["type"]
    [together] = rows["together"]
    assert together["title"] == "전세"
    assert together["checkpoint_count"] == len(tuples)
    assert together["actual_message_count"] == together["message_count"] == 2
    expected = {
        (found.checkpoint["id"], task_id, channel)
        for found in tuples
        for task_id, channel, _ in found.pending_writes or []
    }
    assert {(row["checkpoint_id"], row["task_id"], row["channel"]) for row in rows["writes"]} == expected
    assert all(row["type"] for row in rows["writes"])


async def test_deleting_a_session_takes_everything_with_it(postgres_url: str) -> None:
    async with SessionSaver.from_url(postgres_url) as saver:
        await _stored(saver)
        async with saver.database.transaction() as tx:
            await tx.execute("DELETE FROM chat_sessions WHERE session_id = 'session-abc123'")
        async with saver.database.reader() as reader:
            for table in ("chat_messages", "checkpoints", "checkpoint_blobs", "checkpoint_writes", "chunks"):
                rows = await reader.fetch(f"SELECT 1 FROM {table} WHERE session_id = 'session-abc123'")
                assert rows == []
