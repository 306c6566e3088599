"""Documents that assistants write: every version is kept, each in the formats it was made in."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from madang.errors import Conflict, InvalidName, NotFound
from madang.store.codec import Keyring
from madang.store.columns import check_id, check_text, from_json, new_id, now, to_json
from madang.store.database import Database, Row, Transaction
from madang.store.paging import Page, check_limit, decode_cursor, encode_cursor, page_of
from madang.store.sealing import seal, unseal
from madang.store.transactions import joined

_FORMAT = re.compile("[a-z0-9]{1,16}")


@dataclass(frozen=True)
class Document:
    """One version of a document; its files are read by `Documents.file`."""

    document_id: str
    version: int
    session_id: str
    kind: str | None
    title: str | None
    content: Mapping[str, Any]
    metadata: Mapping[str, Any]
    run_id: str | None
    step_id: str | None
    assistant: str | None
    user_id: int | None
    company_id: str | None
    created_at: str
    version_at: str

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)


class Documents:
    """The documents of one database."""

    def __init__(self, db: Database) -> None:
        self._db = db
        self._sql = db.queries("documents")
        self._lock = db.queries("sessions")["lock_session"]
        self._keyring: Keyring | None = db.keyring

    async def save(
        self,
        session_id: str,
        *,
        document_id: str | None = None,
        kind: str | None = None,
        title: str | None = None,
        content: Mapping[str, Any] | None = None,
        metadata: Mapping[str, Any] | None = None,
        files: Mapping[str, bytes] | None = None,
        run_id: str | None = None,
        step_id: str | None = None,
        assistant: str | None = None,
        user_id: int | None = None,
        company_id: str | None = None,
        tx: Transaction | None = None,
    ) -> Document:
        """A new document, or the next version of `document_id` if that exists in this session.

        `content` is its structure, `files` its bytes by format (docx, md, …). Raises `NotFound` for an unknown
        session, `Conflict` if the document belongs to another one, `InvalidName` for an id or format that can't be.
        """
        params: dict[str, Any] = {
            "document_id": new_id() if document_id is None else check_id(document_id, "document_id"),
            "session_id": session_id,
            "kind": kind,
            "title": title if title is None else check_text(title, "title"),
            "content": to_json(dict(content or {}), "content"),
            "metadata": to_json(dict(metadata or {}), "metadata"),
            "run_id": run_id,
            "step_id": step_id,
            "assistant": assistant,
            "user_id": user_id,
            "company_id": company_id,
            "now": now(),
        }
        async with joined(self._db, tx) as within:
            if not await within.fetch(self._lock, params):
                raise NotFound(f"no session {session_id!r}", session_id=session_id)
            version = await self._next_version(within, params)
            versioned = seal(self._keyring, "document_versions", {**params, "version": version})
            await within.execute(self._sql["add_version"], versioned)
            await self._add_files(within, params, version, files or {})
            rows = await within.fetch(self._sql["saved_version"], {**params, "version": version})
        return self._document(rows[0])

    async def get(self, document_id: str, version: int | None = None) -> Document:
        """A version, the newest unless one is named. Raises `NotFound`."""
        rows = await self._fetch("get_version", document_id=document_id, version=version)
        if not rows:
            raise NotFound(f"no document {document_id!r}" + (f" version {version}" if version else ""))
        return self._document(rows[0])

    async def file(self, document_id: str, file_format: str, version: int | None = None) -> bytes:
        """The bytes of a version in a format. Raises `NotFound`."""
        rows = await self._fetch("get_file", document_id=document_id, format=file_format, version=version)
        if not rows:
            raise NotFound(f"no {file_format} of document {document_id!r}", document_id=document_id)
        named = {**rows[0], "document_id": document_id, "format": file_format}
        return bytes(unseal(self._keyring, "document_files", named)["data"])

    async def formats(self, document_id: str) -> Mapping[int, Sequence[str]]:
        """The formats there are, by version."""
        found: dict[int, list[str]] = {}
        for row in await self._fetch("formats", document_id=document_id):
            found.setdefault(row["version"], []).append(row["format"])
        return found

    async def versions(self, document_id: str) -> Sequence[Document]:
        """Every version, oldest first."""
        return [self._document(row) for row in await self._fetch("versions", document_id=document_id)]

    async def list(
        self,
        *,
        session_id: str | None = None,
        user_id: int | None = None,
        company_id: str | None = None,
        kind: str | None = None,
        limit: int = 50,
        cursor: str | None = None,
    ) -> Page[Document]:
        """Documents in their newest version, newest document first. Raises `InvalidInput`."""
        time, last = decode_cursor(cursor, str, str) if cursor else (None, None)
        rows = await self._fetch(
            "list_documents",
            session_id=session_id,
            user_id=user_id,
            company_id=company_id,
            kind=kind,
            after_time=time,
            after_id=last,
            limit=check_limit(limit) + 1,
        )
        documents = [self._document(row, "documents") for row in rows]
        return page_of(documents, limit, lambda d: encode_cursor(d.created_at, d.document_id))

    async def delete(self, document_id: str) -> bool:
        """Delete all of its versions and files; whether it was there."""
        async with self._db.transaction() as tx:
            return bool(await tx.execute(self._sql["delete_document"], {"document_id": document_id}))

    async def _next_version(self, tx: Transaction, params: Mapping[str, Any]) -> int:
        existing = await tx.fetch(self._sql["get_document"], params)
        if not existing:
            await tx.execute(self._sql["add_document"], seal(self._keyring, "documents", {**params, "version": 1}))
            return 1
        if existing[0]["session_id"] != params["session_id"]:
            raise Conflict(f"document {params['document_id']!r} belongs to another session")
        version = int(existing[0]["version"]) + 1
        changed = seal(self._keyring, "documents", {**params, "version": version})
        await tx.execute(self._sql["next_version"], changed)
        return version

    async def _add_files(
        self, tx: Transaction, document: Mapping[str, Any], version: int, files: Mapping[str, bytes]
    ) -> None:
        named = {name: document[name] for name in ("session_id", "document_id")}
        for file_format, data in files.items():
            if not _FORMAT.fullmatch(file_format):
                raise InvalidName(f"format: {file_format!r} is not like docx, md, html or pdf", field="format")
            params = {**named, "version": version, "format": file_format, "data": bytes(data)}
            await tx.execute(self._sql["add_file"], seal(self._keyring, "document_files", params))

    async def _fetch(self, query: str, **params: Any) -> Sequence[Row]:
        async with self._db.reader() as reader:
            return await reader.fetch(self._sql[query], params)

    def _document(self, row: Row, table: str = "document_versions") -> Document:
        opened = unseal(self._keyring, table, row)
        parsed = {name: from_json(opened[name], name) for name in ("content", "metadata")}
        plain = {name: opened[name] for name in Document.__dataclass_fields__ if name not in parsed}
        return Document(**plain, **parsed)
