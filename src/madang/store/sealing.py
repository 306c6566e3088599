"""Columns that hold what people said: sealed to their row when there is a key, plain when there is none.

With a key, a column that isn't sealed is refused: it can only have been put there past us. What stays readable (ids,
times, counts, the keys in `shown`) is what lists, searches and repairs need: docs/storage.md names it.
"""

import base64
import binascii
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from madang.errors import DecryptionFailed
from madang.store.codec import Keyring
from madang.store.columns import from_json

_SEALED, _PLAIN = "sealed:", "plain:"
_INSIDE = "sealed"


@dataclass(frozen=True)
class Columns:
    """Which columns of a table are sealed, and which name the row that they are sealed to.

    `shown` names, by JSON column, the keys whose texts stay readable beside the seal; of another value only that it
    is there. Such a column may be empty.
    """

    identity: tuple[str, ...]
    text: tuple[str, ...] = ()
    json: tuple[str, ...] = ()
    data: tuple[str, ...] = ()
    shown: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    @property
    def sealed(self) -> tuple[str, ...]:
        return (*self.text, *self.json, *self.data)


TABLES: Mapping[str, Columns] = {
    "chat_sessions": Columns(
        ("session_id",),
        text=("title", "last_message"),
        json=("metadata",),
        shown={"metadata": ("company_id", "madang_ttl")},
    ),
    "chat_messages": Columns(("session_id", "created_at"), text=("content",), json=("structured_data",)),
    "runs": Columns(("run_id",), json=("input", "kwargs", "metadata", "error", "result")),
    "run_events": Columns(("session_id", "seq"), json=("frame",)),
    "documents": Columns(("document_id", "version"), text=("title",), json=("content", "metadata")),
    "document_versions": Columns(("document_id", "version"), text=("title",), json=("content", "metadata")),
    "document_files": Columns(("document_id", "version", "format"), data=("data",)),
    "memories": Columns(("namespace", "key"), json=("value",), data=("embedding",)),
    "attachments": Columns(("file_id",), text=("name", "content")),
    "feedback": Columns(("message_id",), text=("reason",)),
    "shares": Columns(("share_hash",), text=("share_id",)),
    "assistant_versions": Columns(
        ("assistant_id", "version"), text=("name", "description"), json=("config", "context", "metadata")
    ),
    "crons": Columns(("cron_id",), json=("payload", "metadata")),
    "webhooks": Columns(("session_id",), text=("url",)),
    "blobs": Columns(("session_id", "blob_id"), json=("summary",)),
}


def seal(keyring: Keyring | None, table: str, params: Mapping[str, Any]) -> dict[str, Any]:
    """Parameters for a row of `table` with its columns sealed; JSON columns are JSON text before and after."""
    columns = TABLES[table]
    sealed = dict(params)
    for name in columns.sealed:
        value = params.get(name)
        if value is None or _is_empty(columns, name, value):
            continue
        raw = value if isinstance(value, bytes) else value.encode()
        if keyring is not None:
            closed = keyring.seal(raw, _associated(table, columns, name, params))
            sealed[name] = _marked(columns, name, _SEALED, closed, value)
        elif _mark_of(columns, name, value) is not None:
            # Someone's own text that looks like one of our marks.
            sealed[name] = _marked(columns, name, _PLAIN, raw, value)
    return sealed


def unseal(keyring: Keyring | None, table: str, row: Mapping[str, Any]) -> dict[str, Any]:
    """A row of `table` as it was before `seal`.

    Raises `DecryptionFailed` without the right key, and with a key for what isn't sealed; `UnreadableData` for damage.
    """
    columns = TABLES[table]
    opened = dict(row)
    for name in columns.sealed:
        value = row.get(name)
        if value is None or _is_empty(columns, name, value):
            continue
        mark, raw = _mark_of(columns, name, value) or ("", b"")
        if keyring is None:
            if mark == _SEALED:
                raise DecryptionFailed(f"{table}: encrypted, and no key is configured (MADANG_ENCRYPTION_KEYS)")
            if mark == "":
                continue
        elif mark != _SEALED:
            raise DecryptionFailed(f"{table}.{name} is not encrypted, as everything in this database is")
        else:
            raw = keyring.open(raw, _associated(table, columns, name, row))
        opened[name] = raw if name in columns.data else raw.decode()
        if name in columns.shown and _shown(columns, name, opened[name]) != _beside(value):
            raise DecryptionFailed(f"{table}.{name}: what is shown beside the encrypted text was changed")
    return opened


def is_sealed(table: str, name: str, value: Any) -> bool:
    """Whether a column holds what `seal` made of it with a key, or nothing."""
    columns = TABLES[table]
    return _is_empty(columns, name, value) or (_mark_of(columns, name, value) or ("",))[0] == _SEALED


def _marked(columns: Columns, name: str, mark: str, raw: bytes, value: Any) -> str | bytes:
    if name in columns.data:
        return mark.encode() + raw
    text = mark + base64.b64encode(raw).decode()
    if name in columns.shown:
        return json.dumps({**_shown(columns, name, value), _INSIDE: text}, ensure_ascii=False)
    return json.dumps(text) if name in columns.json else text


def _is_empty(columns: Columns, name: str, value: Any) -> bool:
    return name in columns.shown and str(value) == "{}"


def _shown(columns: Columns, name: str, value: str) -> dict[str, Any]:
    parts = json.loads(value)
    shown = {key: parts[key] for key in columns.shown[name] if isinstance(parts, dict) and parts.get(key) is not None}
    return {key: part if isinstance(part, str) else True for key, part in shown.items()}


def _beside(value: str) -> dict[str, Any]:
    return {key: part for key, part in json.loads(value).items() if key != _INSIDE}


def _mark_of(columns: Columns, name: str, value: Any) -> tuple[str, bytes] | None:
    """The mark of a column and the bytes behind it, or None if it holds a value as it is."""
    if name in columns.data:
        raw = bytes(value)
        return next(((mark, raw[len(mark) :]) for mark in (_SEALED, _PLAIN) if raw.startswith(mark.encode())), None)
    text = str(value)
    if name in columns.shown:
        parts = from_json(text, name) if f'"{_INSIDE}"' in text else None
        text = str(parts[_INSIDE]) if isinstance(parts, dict) and _INSIDE in parts else ""
    elif name in columns.json:
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
