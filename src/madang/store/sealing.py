"""Columns that hold what people said: sealed to their row when there is a key, plain when there is none.

Rows that were stored before there was a key stay readable. Ids, times, titles and counts are never sealed: lists,
searches and repairs need them.
"""

import base64
import binascii
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from madang.errors import DecryptionFailed
from madang.store.codec import Keyring

_SEALED, _PLAIN = "sealed:", "plain:"


@dataclass(frozen=True)
class Columns:
    """Which columns of a table are sealed, and which name the row that they are sealed to."""

    identity: tuple[str, ...]
    text: tuple[str, ...] = ()
    json: tuple[str, ...] = ()
    data: tuple[str, ...] = ()


TABLES: Mapping[str, Columns] = {
    "chat_sessions": Columns(("session_id",), text=("last_message",)),
    "chat_messages": Columns(("session_id", "created_at"), text=("content",), json=("structured_data",)),
    "runs": Columns(("run_id",), json=("input", "kwargs", "error", "result")),
    "run_events": Columns(("session_id", "seq"), json=("frame",)),
    "documents": Columns(("document_id", "version"), json=("content",)),
    "document_versions": Columns(("document_id", "version"), json=("content",)),
    "document_files": Columns(("document_id", "version", "format"), data=("data",)),
    "memories": Columns(("namespace", "key"), json=("value",)),
}


def seal(keyring: Keyring | None, table: str, params: Mapping[str, Any]) -> dict[str, Any]:
    """Parameters for a row of `table` with its columns sealed; JSON columns are JSON text before and after."""
    columns = TABLES[table]
    sealed = dict(params)
    for name in (*columns.text, *columns.json, *columns.data):
        value = params.get(name)
        if value is None:
            continue
        if keyring is not None:
            raw = value if isinstance(value, bytes) else value.encode()
            closed = keyring.seal(raw, _associated(table, columns, name, params))
            sealed[name] = _marked(columns, name, _SEALED, closed)
        elif _mark_of(columns, name, value) is not None:
            # Someone's own text that looks like one of our marks.
            sealed[name] = _marked(columns, name, _PLAIN, value if isinstance(value, bytes) else value.encode())
    return sealed


def unseal(keyring: Keyring | None, table: str, row: Mapping[str, Any]) -> dict[str, Any]:
    """A row of `table` as it was before `seal`. Raises `DecryptionFailed` without the right key."""
    columns = TABLES[table]
    opened = dict(row)
    for name in (*columns.text, *columns.json, *columns.data):
        found = _mark_of(columns, name, row.get(name))
        if found is None:
            continue
        mark, raw = found
        if mark == _SEALED:
            if keyring is None:
                raise DecryptionFailed(f"{table}: encrypted, and no key is configured (MADANG_ENCRYPTION_KEYS)")
            raw = keyring.open(raw, _associated(table, columns, name, row))
        opened[name] = raw if name in columns.data else raw.decode()
    return opened


def _marked(columns: Columns, name: str, mark: str, raw: bytes) -> str | bytes:
    if name in columns.data:
        return mark.encode() + raw
    text = mark + base64.b64encode(raw).decode()
    return json.dumps(text) if name in columns.json else text


def _mark_of(columns: Columns, name: str, value: Any) -> tuple[str, bytes] | None:
    """The mark of a column and the bytes behind it, or None if it holds a value as it is."""
    if value is None:
        return None
    if name in columns.data:
        raw = bytes(value)
        return next(((mark, raw[len(mark) :]) for mark in (_SEALED, _PLAIN) if raw.startswith(mark.encode())), None)
    text = str(value)
    if name in columns.json:
        # A marked JSON column is a JSON string; base64 needs no escapes.
        text = text[1:-1] if text.startswith('"') else ""
    for mark in (_SEALED, _PLAIN):
        if text.startswith(mark):
            try:
                return mark, base64.b64decode(text.removeprefix(mark), validate=True)
            except (binascii.Error, ValueError):
                return None
    return None


def _associated(table: str, columns: Columns, name: str, row: Mapping[str, Any]) -> bytes:
    parts = [part.encode() for part in (table, name, *(str(row[key]) for key in columns.identity))]
    return b"".join(len(part).to_bytes(4, "big") + part for part in parts)
