"""An exported session back into a database: all of it, or nothing.

The session is invisible (`importing`) until its last transaction. What a crash leaves behind is replaced by the next
import of that id and removed by `madang db check --repair`.
"""

import uuid
from collections.abc import Mapping, Sequence
from typing import Any, cast

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import WRITES_IDX_MAP, BaseCheckpointSaver, Checkpoint, CheckpointMetadata

from madang.errors import Conflict, InvalidInput, UnreadableData
from madang.state.steps import TERMINAL_RUNS
from madang.store.blobs import Blobs
from madang.store.columns import check_id, many, now, to_json
from madang.store.database import Database, Row, Transaction
from madang.store.export import JSON_COLUMNS, SEALED
from madang.store.sealing import seal
from madang.store.session_files import read_session_file
from madang.store.sessions import Session, Sessions
from madang.store.values import ValueReader

_STATEMENTS = {
    "messages": "add_message",
    "runs": "add_run",
    "controls": "add_control",
    "events": "add_event",
    "documents": "add_document",
    "document_versions": "add_document_version",
    "document_files": "add_document_file",
}


async def import_session(
    db: Database, saver: "BaseCheckpointSaver[Any]", exported: Any, *, as_id: str | None = None
) -> Session:
    """Bring an exported session in, under its own id or as `as_id` (its runs and documents get new ids then).

    All of it is read and checked before anything is written. Raises `UnreadableData` for a damaged, forged or foreign
    file and for a type that `saver` doesn't allow, `UnknownSchemaVersion` for a file of a newer Madang, `Conflict` if
    the session, or one of its runs, exists. A turn that was running or waiting is cancelled.
    """
    data = read_session_file(exported)
    session_id = check_id(data["session"]["session_id"] if as_id is None else as_id)
    if as_id is not None:
        data = _renamed(data, session_id)
    steps = _Checkpoints(session_id, data, saver)
    steps.read_all()
    tables = {table: [_row(table, row) for row in data[table]] for table in (*_STATEMENTS, "blobs")}
    session = _row("session", data["session"])
    await _start(db, session_id)
    try:
        await steps.save_all(saver)
        async with db.transaction() as tx:
            owner = await _owner(db, tx, data["owner"])
            await _fill(db, tx, session_id, tables, owner)
            user_id = None if owner is None else owner["id"]
            await tx.execute(db.queries("export")["end_import"], _sealed(db, "session", session | {"user_id": user_id}))
    except BaseException:
        async with db.transaction() as tx:
            await tx.execute(db.queries("export")["forget_import"], {"session_id": session_id})
        raise
    return await Sessions(db).get(session_id)


def _renamed(data: Mapping[str, Any], session_id: str) -> dict[str, Any]:
    """The same session under another id, with run and document ids that follow from it."""

    def renew(old: str | None) -> str | None:
        return None if old is None else str(uuid.uuid5(uuid.NAMESPACE_URL, f"madang:{session_id}:{old}"))

    renewed = {**data, "session": {**data["session"], "session_id": session_id}}
    for table in (*_STATEMENTS, "blobs"):
        rows = [dict(row) for row in data[table]]
        for row in rows:
            row |= {name: renew(row[name]) for name in ("run_id", "document_id") if name in row}
            if "session_id" in row:
                row["session_id"] = session_id
            if table == "events":
                row["frame"] = {**row["frame"], "session_id": session_id}
        renewed[table] = rows
    return renewed


async def _start(db: Database, session_id: str) -> None:
    sql = db.queries("export")
    params = {"session_id": session_id, "metadata": "{}", "now": now()}
    async with db.transaction() as tx:
        await tx.execute(sql["forget_import"], params)
        if not await tx.execute(sql["start_import"], params):
            raise Conflict(f"session {session_id!r} exists: import it under another id", session_id=session_id)


class _Checkpoints:
    """The checkpoints of an export, read before anything is written, parents first."""

    def __init__(self, session_id: str, data: Mapping[str, Any], saver: "BaseCheckpointSaver[Any]") -> None:
        self._session_id = session_id
        self._rows: Sequence[Mapping[str, Any]] = data["checkpoints"]
        self._values = ValueReader(data["values"], saver.serde)

    def read_all(self) -> None:
        """Raises `UnreadableData` if any of them can't be read."""
        for row in self._rows:
            try:
                self._read(row)
                self._writes(row)
            except (KeyError, TypeError, AttributeError) as problem:
                raise UnreadableData(f"checkpoint {row.get('id')!r} is damaged ({problem})") from problem

    async def save_all(self, saver: "BaseCheckpointSaver[Any]") -> None:
        versions: dict[tuple[str, str], Mapping[str, Any]] = {}
        for row in self._rows:
            checkpoint, metadata = self._read(row)
            before = versions.get((row["ns"], row["parent"]), {})
            current = checkpoint["channel_versions"]
            new = {name: version for name, version in current.items() if before.get(name) != version}
            await saver.aput(self._config(row["ns"], row["parent"]), checkpoint, metadata, new)
            versions[row["ns"], row["id"]] = current
            for (task_id, task_path), writes in self._writes(row).items():
                await saver.aput_writes(self._config(row["ns"], row["id"]), writes, task_id, task_path)

    def _read(self, row: Mapping[str, Any]) -> tuple[Checkpoint, CheckpointMetadata]:
        values = {name: self._value(name, number) for name, number in row["values"].items()}
        rest = self._values.get(row["checkpoint"])
        if rest["id"] != row["id"]:
            raise UnreadableData(f"checkpoint {row['id']!r} has another id inside")
        checkpoint = cast(Checkpoint, {**rest, "channel_values": values})
        return checkpoint, cast(CheckpointMetadata, self._values.get(row["metadata"]))

    def _writes(self, row: Mapping[str, Any]) -> dict[tuple[str, str], list[tuple[str, Any]]]:
        tasks: dict[tuple[str, str], list[tuple[str, Any]]] = {}
        # Special channels have places of their own; behind the others they don't shift those.
        for write in sorted(row["writes"], key=lambda write: write["channel"] in WRITES_IDX_MAP):
            task = tasks.setdefault((write["task_id"], write["task_path"]), [])
            task.append((write["channel"], self._value(write["channel"], write["value"])))
        return tasks

    def _value(self, channel: str, number: Any) -> Any:
        try:
            return self._values.get(number)
        except UnreadableData as problem:
            raise UnreadableData(f"channel {channel!r} of the exported session: {problem}", channel=channel) from None

    def _config(self, namespace: str, checkpoint_id: str | None) -> RunnableConfig:
        chosen = {} if checkpoint_id is None else {"checkpoint_id": checkpoint_id}
        return {"configurable": {"thread_id": self._session_id, "checkpoint_ns": namespace, **chosen}}


async def _fill(
    db: Database, tx: Transaction, session_id: str, tables: Mapping[str, list[dict[str, Any]]], owner: Row | None
) -> None:
    sql = db.queries("export")
    for document in tables["documents"]:
        # Somebody's document is the owner's: ids of people and companies of another database may be anyone's.
        for column, theirs in (("user_id", "id"), ("company_id", "company_id")):
            document[column] = owner[theirs] if owner and document[column] is not None else None
    ids = {
        "run_ids": many(db.dialect, [row["run_id"] for row in tables["runs"]]),
        "document_ids": many(db.dialect, [row["document_id"] for row in tables["documents"]]),
    }
    if taken := await tx.fetch(sql["ids_elsewhere"], {**ids, "session_id": session_id}):
        raise Conflict(f"{taken[0]['id']!r} is in another session: import it under another id", id=taken[0]["id"])
    for table, statement in _STATEMENTS.items():
        rows = [{**_sealed(db, table, row), "session_id": session_id} for row in tables[table]]
        if rows:
            await tx.executemany(sql[statement], rows)
    for blob in tables["blobs"]:
        await Blobs(db).restore(tx, blob)


def _sealed(db: Database, table: str, row: dict[str, Any]) -> dict[str, Any]:
    return seal(db.keyring, SEALED[table], row) if table in SEALED else row


async def _owner(db: Database, tx: Transaction, name: Any) -> Row | None:
    """The same person here, by name: an id of another database may be anyone's."""
    rows = await tx.fetch(db.queries("users")["find_user"], {"name": name}) if isinstance(name, str) else []
    return rows[0] if rows else None


def _row(table: str, row: Mapping[str, Any]) -> dict[str, Any]:
    texts = JSON_COLUMNS[table]
    try:
        ready = {
            name: to_json(value, name) if name in texts and value is not None else value for name, value in row.items()
        }
    except InvalidInput as problem:
        raise UnreadableData(f"the exported session can't be stored: {table}: {problem}") from problem
    if table == "runs" and row["status"] not in TERMINAL_RUNS and row["status"] != "interrupted":
        ready |= {"status": "cancelled", "error": to_json({"code": "imported"}, "error")}
    return ready
