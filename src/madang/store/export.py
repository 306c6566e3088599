"""A session as one JSON-serialisable dict: everything that hangs on it, exactly; or redacted, for sharing.

Redacted, the texts and values are masked, and files and blobs, which can't be, are left out.
"""

import base64
import hashlib
import json
from collections.abc import Collection, Mapping
from typing import Any

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import BaseCheckpointSaver, CheckpointTuple

from madang.errors import NotFound
from madang.state.redaction import redact
from madang.store.blobs import unpack
from madang.store.columns import from_json, now
from madang.store.database import Database, Reader
from madang.store.saver.rows import long_path
from madang.store.sealing import unseal
from madang.store.values import ValueWriter

FORMAT = "madang.session"
VERSION = 1
JSON_COLUMNS = {
    "session": ("metadata",),
    "messages": ("structured_data",),
    "runs": ("input", "kwargs", "metadata", "error", "result", "usage"),
    "controls": ("data",),
    "events": ("frame",),
    "documents": ("content", "metadata"),
    "document_versions": ("content", "metadata"),
    "document_files": (),
    "blobs": ("summary",),
}
SEALED = {
    "session": "chat_sessions",
    "messages": "chat_messages",
    "runs": "runs",
    "events": "run_events",
    "documents": "documents",
    "document_versions": "document_versions",
    "document_files": "document_files",
    "blobs": "blobs",
}
_TEXTS = {
    "session": ("title", "last_message", "metadata"),
    "messages": ("content", "structured_data"),
    "runs": JSON_COLUMNS["runs"],
    "controls": ("data",),
    "documents": ("title", "content", "metadata"),
    "document_versions": ("title", "content", "metadata"),
}
_ENVELOPE = ("type", "seq", "session_id", "request_id", "timestamp")


async def export_session(
    db: Database,
    saver: "BaseCheckpointSaver[Any]",
    session_id: str,
    *,
    redacted: bool = False,
    sensitive: Collection[str] | None = None,
) -> dict[str, Any]:
    """The session with its messages, runs, events, documents, blobs and checkpoints.

    `sensitive` are the field names that a redacted export hides, those of `StateSecurityManager` unless given.
    Raises `NotFound`; `UnreadableData` or `DecryptionFailed` for what can't be read.
    """
    mask = _Mask(_sensitive(sensitive)) if redacted else None
    async with db.reader() as reader:
        tables = {name: await _rows(db, reader, name, session_id) for name in JSON_COLUMNS}
        paths = await reader.fetch(db.queries("export")["task_paths"], {"session_id": session_id})
        owner = await _owner_name(db, reader, tables["session"])
    if not tables["session"]:
        raise NotFound(f"no session {session_id!r}", session_id=session_id)
    (session,) = tables.pop("session")
    writer = ValueWriter(saver.serde)
    task_paths = {
        (row["checkpoint_ns"], row["checkpoint_id"], row["task_id"]): long_path(row["task_path"]) for row in paths
    }
    config: RunnableConfig = {"configurable": {"thread_id": session_id}}
    checkpoints = [_checkpoint(saved, writer, task_paths, mask) async for saved in saver.alist(config)]
    files = _files(db, tables.pop("document_files"), tables.pop("blobs"), session_id)
    exported: dict[str, Any] = {
        "format": FORMAT,
        "version": VERSION,
        "exported_at": now(),
        "redacted": redacted,
        "session": session,
        "owner": owner,
        **tables,
        **files,
        "checkpoints": checkpoints[::-1],
        "values": writer.entries,
    }
    if mask is not None:
        _hide(exported, mask)
    return {**exported, "checksum": checksum(exported)}


def checksum(exported: Mapping[str, Any]) -> str:
    """The digest of an export without its own checksum; the layout of the JSON text doesn't matter."""
    rest = {key: value for key, value in exported.items() if key != "checksum"}
    text = json.dumps(rest, ensure_ascii=True, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


class _Mask:
    def __init__(self, names: Collection[str]) -> None:
        self._names = frozenset(names)

    def field(self, name: str, value: Any) -> Any:
        """The value of a named field, masked."""
        return redact({name: value}, fields=self._names)[name]

    def value(self, value: Any) -> Any:
        return redact(value, fields=self._names)


def _sensitive(given: Collection[str] | None) -> Collection[str]:
    if given is not None:
        return given
    from madang.state.security import StateSecurityManager

    return StateSecurityManager.SENSITIVE_FIELDS


async def _rows(db: Database, reader: Reader, table: str, session_id: str) -> list[dict[str, Any]]:
    rows = await reader.fetch(db.queries("export")[table], {"session_id": session_id})
    parsed = JSON_COLUMNS[table]
    opened = [unseal(db.keyring, SEALED[table], row) if table in SEALED else row for row in rows]
    return [
        {name: from_json(value, name) if name in parsed else value for name, value in row.items() if name != "id"}
        for row in opened
    ]


async def _owner_name(db: Database, reader: Reader, sessions: list[dict[str, Any]]) -> str | None:
    if not sessions or sessions[0]["user_id"] is None:
        return None
    rows = await reader.fetch(db.queries("users")["get_user"], {"user_id": sessions[0]["user_id"]})
    return str(rows[0]["name"]) if rows else None


def _files(
    db: Database, files: list[dict[str, Any]], blobs: list[dict[str, Any]], session_id: str
) -> dict[str, list[dict[str, Any]]]:
    for file in files:
        file["data"] = base64.b64encode(file["data"]).decode()
    for blob in blobs:
        data = unpack(bytes(blob["data"]), session_id, blob["blob_id"], db.keyring)
        blob["data"] = base64.b64encode(data).decode()
    return {"document_files": files, "blobs": blobs}


def _checkpoint(
    saved: CheckpointTuple, writer: ValueWriter, paths: Mapping[tuple[str, str, str], str], mask: _Mask | None
) -> dict[str, Any]:
    namespace = saved.config["configurable"].get("checkpoint_ns", "")
    checkpoint_id = saved.checkpoint["id"]
    parent = saved.parent_config["configurable"]["checkpoint_id"] if saved.parent_config else None
    values = saved.checkpoint["channel_values"]
    rest = {name: part for name, part in saved.checkpoint.items() if name != "channel_values"}
    metadata = dict(saved.metadata)
    return {
        "ns": namespace,
        "id": checkpoint_id,
        "parent": parent,
        "checkpoint": writer.add(rest),
        "metadata": writer.add(mask.value(metadata) if mask else metadata),
        "values": {name: writer.add(mask.field(name, value) if mask else value) for name, value in values.items()},
        "writes": [
            {
                "task_id": task_id,
                "task_path": paths.get((namespace, checkpoint_id, task_id), ""),
                "channel": channel,
                "value": writer.add(mask.field(channel, value) if mask else value),
            }
            for task_id, channel, value in saved.pending_writes or ()
        ],
    }


def _hide(exported: dict[str, Any], mask: _Mask) -> None:
    exported["owner"] = None
    exported["session"]["user_id"] = None
    exported["document_files"] = exported["blobs"] = []
    for table, names in _TEXTS.items():
        for row in [exported["session"]] if table == "session" else exported[table]:
            row |= {name: mask.field(name, row[name]) for name in names}
    for event in exported["events"]:
        frame = event["frame"]
        shown = mask.value({key: value for key, value in frame.items() if key not in _ENVELOPE})
        event["frame"] = {key: frame[key] for key in _ENVELOPE if key in frame} | shown
    for document in exported["documents"]:
        document["user_id"] = None
