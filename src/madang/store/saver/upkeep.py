"""Deleting, copying and pruning threads: each one transaction, and nothing kept loses what it builds on."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Any

from langgraph.checkpoint.serde.base import SerializerProtocol

from madang.errors import Conflict, InvalidInput, SessionBusy
from madang.store import codec
from madang.store.database import Row, Transaction
from madang.store.saver.core import Core, row_identity
from madang.store.saver.retention import Plan, make_plan
from madang.store.saver.writing import checked_name
from madang.store.sealing import seal, unseal

ATTEMPTS = 5
_TABLES = ("checkpoints", "blobs", "writes", "chunks")

Also = Callable[[Transaction], Awaitable[None]]
Keep = Mapping[str, frozenset[str]]
"""By namespace the checkpoints to keep."""
Key = tuple[str, str]
"""A checkpoint of a thread: its namespace and its id."""


async def delete_thread(core: Core, session_id: str) -> None:
    """Deletes a thread's checkpoints and all that belongs to them, and a session that was only made for them."""
    sql = core.database.queries("saver_upkeep")
    await core.flusher.settle()
    async with core.database.transaction() as tx:
        await tx.fetch(sql["lock_session"], {"session_id": session_id})
        for table in _TABLES:
            await tx.execute(sql[f"drop_all_{table}"], {"session_id": session_id})
        await tx.execute(sql["drop_bare_session"], {"session_id": session_id})
    core.forget([session_id])


async def prune(core: Core, serde: SerializerProtocol, session_ids: Sequence[str], strategy: str) -> None:
    """`keep_latest` keeps the newest checkpoint of each namespace, `delete` none. Raises `InvalidInput` otherwise."""
    if strategy not in ("keep_latest", "delete"):
        raise InvalidInput(f"no such way to prune: {strategy!r} (keep_latest, delete)")
    for session_id in session_ids:
        if strategy == "delete":
            await delete_thread(core, session_id)
            continue
        async with core.database.reader() as reader:
            rows = await reader.fetch(
                core.database.queries("saver_upkeep")["newest_by_namespace"], {"session_id": session_id}
            )
        await retain(core, serde, session_id, {r["checkpoint_ns"]: frozenset([r["checkpoint_id"]]) for r in rows})


async def delete_for_runs(
    core: Core, serde: SerializerProtocol, run_ids: Sequence[str], also: Also | None = None
) -> None:
    """Deletes the checkpoints that runs made, with their writes; others stay whole. `also` joins the transaction of
    the first session. Raises `SessionBusy` while a run runs there."""
    sql = core.database.queries("saver_upkeep")
    gone: dict[str, set[Key]] = {}
    async with core.database.reader() as reader:
        for run_id in run_ids:
            for row in await reader.fetch(sql["of_run"], {"run_id": run_id}):
                gone.setdefault(row["session_id"], set()).add((row["checkpoint_ns"], row["checkpoint_id"]))
    for session_id, keys in gone.items():
        await _drop(core, serde, session_id, keys, also)
        also = None
    if also is not None:
        async with core.database.transaction() as tx:
            await also(tx)


async def retain(core: Core, serde: SerializerProtocol, session_id: str, keep: Keep) -> int:
    """Deletes the checkpoints that are there now but some; returns how many. Raises as `_drop` does."""
    gone = {key for key in await _checkpoints(core, session_id) if key[1] not in keep.get(key[0], ())}
    return await _drop(core, serde, session_id, gone)


async def _drop(
    core: Core, serde: SerializerProtocol, session_id: str, gone: AbstractSet[Key], also: Also | None = None
) -> int:
    """Deletes checkpoints by name, so that what is written meanwhile stays; returns how many.

    Raises `SessionBusy` while a run runs, which builds on them, `Conflict` if the thread doesn't come to rest.
    """
    await core.flusher.settle()
    sql = core.database.queries("saver_upkeep")
    for _ in range(ATTEMPTS):
        before = await _signature(core, session_id)
        keep: dict[str, set[str]] = {}
        for ns, checkpoint_id in await _checkpoints(core, session_id) - gone:
            keep.setdefault(ns, set()).add(checkpoint_id)
        plan = await make_plan(core, serde, session_id, {ns: frozenset(ids) for ns, ids in keep.items()})
        async with core.database.transaction() as tx:
            await tx.fetch(sql["lock_session"], {"session_id": session_id})
            for row in await tx.fetch(sql["running"], {"session_id": session_id}):
                raise SessionBusy(f"run {row['run_id']} is running", session_id=session_id, run_id=row["run_id"])
            [now] = await tx.fetch(sql["signature"], {"session_id": session_id})
            if dict(now) == before:
                if also is not None:
                    await also(tx)
                await _carry_out(tx, sql, plan)
                break
    else:
        raise Conflict(f"session {session_id} is being written: prune it when no turn is running")
    core.forget([session_id])
    return len(plan.dropped)


async def _checkpoints(core: Core, session_id: str) -> set[Key]:
    async with core.database.reader() as reader:
        rows = await reader.fetch(core.database.queries("saver_upkeep")["checkpoint_ids"], {"session_id": session_id})
    return {(row["checkpoint_ns"], row["checkpoint_id"]) for row in rows}


async def _signature(core: Core, session_id: str) -> dict[str, Any]:
    async with core.database.reader() as reader:
        [row] = await reader.fetch(core.database.queries("saver_upkeep")["signature"], {"session_id": session_id})
    return dict(row)


async def _carry_out(tx: Transaction, sql: Mapping[str, str], plan: Plan) -> None:
    for query, rows in (
        ("add_chunk", plan.new_chunks),
        ("put_blob", plan.new_blobs),
        ("orphan", plan.orphans),
        ("drop_writes", plan.dropped),
        ("drop_checkpoint", plan.dropped),
        ("drop_blob", plan.dropped_blobs),
        ("drop_chunk", plan.dropped_chunks),
    ):
        if rows:
            await tx.executemany(sql[query], rows)


async def copy_thread(core: Core, session_id: str, target: str) -> None:
    """Copies all checkpoints and writes; what is encrypted is sealed anew for its new place."""
    checked_name(target, "target_thread_id")
    sql = core.database.queries("saver_upkeep")
    await core.flusher.settle()
    params = {"session_id": session_id, "target": target}
    async with core.database.transaction() as tx:
        await tx.fetch(sql["lock_session"], {"session_id": session_id})
        for row in await tx.fetch(sql["titled"], params):
            title = unseal(core.keyring, "chat_sessions", row)["title"]
            sealed = seal(core.keyring, "chat_sessions", {"session_id": target, "title": title})
            await tx.execute(sql["make_copy"], {**params, "title": sealed["title"]})
        for table in _TABLES:
            await tx.execute(sql[f"copy_{table}"], params)
        if core.keyring is not None:
            await _reseal(core, tx, sql, session_id, target)
    core.forget([target])


async def _reseal(core: Core, tx: Transaction, sql: Mapping[str, str], source: str, target: str) -> None:
    for table in _TABLES:
        rows = await tx.fetch(sql[f"sealed_{table}"], {"session_id": target})
        changed = [
            {**row, "session_id": target, "sealed": _moved(core, row, source, target)} for row in rows if row["sealed"]
        ]
        if changed:
            await tx.executemany(sql[f"reseal_{table}"], changed)


def _moved(core: Core, row: Row, source: str, target: str) -> bytes:
    key = [part if isinstance(part, bytes) else str(part) for name, part in row.items() if name != "sealed"]
    opened = codec.unseal(bytes(row["sealed"]), row_identity([source, *key]), core.keyring)
    return codec.seal(opened, row_identity([target, *key]), core.keyring)
