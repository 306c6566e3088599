"""What an exported session must look like: every row typed, of this session, and referring only to rows of the file."""

import base64
from collections.abc import Mapping
from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field, TypeAdapter, ValidationError
from typing_extensions import TypedDict

from madang.errors import UnknownSchemaVersion, UnreadableData
from madang.state.steps import RunStatus
from madang.store.columns import check_depth, check_id, check_text
from madang.store.export import FORMAT, VERSION, checksum


def _text(value: str) -> str:
    return check_text(value, "text")


def _time(value: str) -> str:
    if datetime.fromisoformat(value).tzinfo is None:
        raise ValueError("a time without offset")
    return value


def _bytes(value: str) -> bytes:
    return base64.b64decode(value, validate=True)


Text = Annotated[str, AfterValidator(_text)]
Id = Annotated[str, AfterValidator(check_id)]
Time = Annotated[str, AfterValidator(_time)]
Number = Annotated[int, Field(ge=0, lt=2**63)]
Small = Annotated[int, Field(ge=0, lt=2**31)]
Bytes = Annotated[str, AfterValidator(_bytes)]
Json = dict[str, Any]


class _OfSession(TypedDict):
    session_id: Id


class _Session(_OfSession):
    assistant: Text | None
    title: Text | None
    parent_session_id: Text | None
    status: Literal["idle"]
    metadata: Json
    message_count: Small
    last_message: Text | None
    last_seq: Number
    created_at: Time
    updated_at: Time


class _Message(_OfSession):
    role: Text
    content: Text
    structured_data: Any
    request_id: Text | None
    run_id: Text | None
    created_at: Time


class _Run(_OfSession):
    run_id: Id
    assistant: Text | None
    status: RunStatus
    input: Any
    request_id: Text | None
    kwargs: Json
    metadata: Json
    multitask_strategy: Text | None
    fence: Number
    attempts: Small
    error: Any
    result: Any
    usage: Any
    created_at: Time
    updated_at: Time
    started_at: Time | None
    ended_at: Time | None


class _Control(TypedDict):
    run_id: Id
    idx: Small
    kind: Text
    data: Any
    created_at: Time


class _Event(_OfSession):
    seq: Annotated[int, Field(ge=1, lt=2**63)]
    run_id: Text | None
    key: Text | None
    type: Text
    frame: Json
    created_at: Time


class _Version(TypedDict):
    document_id: Id
    version: Small
    title: Text | None
    content: Any
    metadata: Json
    created_at: Time


class _Document(_Version, _OfSession):
    run_id: Text | None
    step_id: Text | None
    assistant: Text | None
    kind: Text | None
    user_id: int | None
    company_id: Text | None
    updated_at: Time


class _File(TypedDict):
    document_id: Id
    version: Small
    format: Annotated[str, Field(pattern="^[a-z0-9]{1,16}$")]
    data: Bytes


class _Blob(_OfSession):
    blob_id: Id
    media_type: Text | None
    summary: Any
    data: Bytes
    created_at: Time


_TABLES: Mapping[str, Any] = {
    "messages": TypeAdapter(_Message),
    "runs": TypeAdapter(_Run),
    "controls": TypeAdapter(_Control),
    "events": TypeAdapter(_Event),
    "documents": TypeAdapter(_Document),
    "document_versions": TypeAdapter(_Version),
    "document_files": TypeAdapter(_File),
    "blobs": TypeAdapter(_Blob),
}
_SESSION = TypeAdapter(_Session)
_OTHER_PARTS = ("checkpoints", "values")


def read_session_file(exported: Any) -> dict[str, Any]:
    """The parts of an exported session, its rows with just the columns that are known.

    Raises `UnreadableData` for a damaged, forged or foreign file, `UnknownSchemaVersion` for one of a newer Madang.
    """
    if not isinstance(exported, dict) or exported.get("format") != FORMAT:
        raise UnreadableData("this is not an exported session")
    version = exported.get("version")
    if isinstance(version, int) and version > VERSION:
        raise UnknownSchemaVersion(f"exported by a newer Madang (format {version}, this one knows {VERSION})")
    if version != VERSION:
        raise UnreadableData(f"no known version of the format: {version!r}")
    check_depth(exported, "the exported session", UnreadableData)
    if exported.get("checksum") != checksum(exported):
        raise UnreadableData("the exported session was changed or is damaged: its checksum does not fit")
    for part in (*_TABLES, *_OTHER_PARTS):
        rows = exported.get(part)
        if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
            raise UnreadableData(f"the exported session is not whole: {part}")
    parts = {name: [_row(name, form, row) for row in exported[name]] for name, form in _TABLES.items()}
    session = _row("session", _SESSION, exported.get("session"))
    _check_references(session, parts)
    others = {name: exported[name] for name in _OTHER_PARTS}
    return {"session": session, "owner": exported.get("owner"), **parts, **others}


def _row(table: str, form: Any, row: Any) -> dict[str, Any]:
    try:
        return dict(form.validate_python(row, strict=True))
    except ValidationError as problem:
        first = problem.errors(include_input=False, include_url=False)[0]
        where = ".".join(map(str, (table, *first["loc"])))
        raise UnreadableData(f"the exported session can't be used: {where}: {first['msg']}") from None


def _check_references(session: Mapping[str, Any], parts: Mapping[str, list[dict[str, Any]]]) -> None:
    own = {"session_id": {session["session_id"]}}
    runs = {"run_id": {row["run_id"] for row in parts["runs"]}}
    documents = {"document_id": {row["document_id"] for row in parts["documents"]}}
    for table, rows in parts.items():
        known = {"controls": runs, "document_versions": documents, "document_files": documents}.get(table, own)
        for column, ids in known.items():
            strangers = {row[column] for row in rows} - ids
            if strangers:
                raise UnreadableData(f"the exported session holds what is not its own: {table}.{column} {strangers}")
    if max((row["seq"] for row in parts["events"]), default=0) > session["last_seq"]:
        raise UnreadableData("the exported session can't be used: it has events beyond its last_seq")
