"""`check`: is everything in the database whole, and mend what isn't without losing what can be read."""

from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

from madang.errors import DecryptionFailed, UnreadableData
from madang.store.blobs import unpack
from madang.store.columns import now, timestamp
from madang.store.database import Database, Row
from madang.store.salvage import examine
from madang.store.saver import SessionSaver
from madang.store.sealing import seal

STILL_IMPORTING = timedelta(minutes=10)


@dataclass(frozen=True)
class Problem:
    """Something that isn't whole: of which kind, in which session, and whether it was mended."""

    kind: str
    where: str
    what: str
    mended: bool


@dataclass
class Report:
    """What was looked at and found."""

    sessions: int = 0
    checkpoints: int = 0
    problems: list[Problem] = field(default_factory=list)

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)


async def check(
    db: Database,
    *,
    repair: bool = False,
    session_ids: Iterable[str] | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Report:
    """Look at every session, or those named; with `repair` mend what can be.

    Sessions in which a turn runs are looked at but not mended. Mend while no server has the sessions open: it keeps
    what it has read. Raises `ServiceUnavailable` and the like, never for what is found.
    """
    report = Report()
    await _Tables(db, report, repair=repair).check()
    async with db.reader() as reader:
        rows = await reader.fetch(db.queries("repair")["sessions"])
    wanted = None if session_ids is None else set(session_ids)
    chosen = [row for row in rows if wanted is None or row["session_id"] in wanted]
    for done, row in enumerate(chosen, 1):
        await _check_session(db, row, report, repair=repair and not row["busy"])
        if progress:
            progress(done, len(chosen))
    return report


class _Tables:
    """References between rows, and counts."""

    def __init__(self, db: Database, report: Report, *, repair: bool) -> None:
        self._db = db
        self._sql = db.queries("repair")
        self._report = report
        self._repair = repair

    async def check(self) -> None:
        await self._integrity()
        before = timestamp(datetime.now(UTC) - STILL_IMPORTING)
        for row in await self._fetch("unfinished_imports", before=before):
            await self._found("unfinished_import", row, "an import that never ended", "forget_import")
        for row in await self._fetch("without_session"):
            what = f"rows in {row['part']} without a session"
            recovered = {"session_id": row["session_id"], "title": "(되살린 대화)", "metadata": '{"recovered": true}'}
            columns = seal(self._db.keyring, "chat_sessions", recovered)
            await self._found("orphan", row, what, "recreate_session", **columns, now=now())
        for row in await self._fetch("wrong_counts"):
            what = f"says {row['message_count']} messages up to {row['last_seq']}, has {row['messages']}, {row['seq']}"
            await self._found("wrong_count", row, what, "set_counts", seq=row["seq"])
        for row in await self._fetch("missing_parents"):
            what = f"checkpoint {row['checkpoint_id']} follows {row['parent_checkpoint_id']}, which is missing"
            await self._found("missing_parent", row, what, "without_parent")
        for row in await self._fetch("stray_writes"):
            what = f"{row['n']} writes of checkpoint {row['checkpoint_id']}, which is missing"
            await self._found("orphan", row, what, "drop_writes")

    async def _integrity(self) -> None:
        for row in await self._fetch("integrity"):
            if row["integrity_check"] != "ok":
                self._report.problems.append(Problem("damaged_file", self._db.dialect, row["integrity_check"], False))

    async def _found(self, kind: str, row: Row, what: str, mend: str, **more: Any) -> None:
        if self._repair:
            async with self._db.transaction() as tx:
                await tx.execute(self._sql[mend], {**row, **more})
        self._report.problems.append(Problem(kind, row["session_id"], what, self._repair))

    async def _fetch(self, query: str, **params: Any) -> list[Row]:
        async with self._db.reader() as reader:
            return await reader.fetch(self._sql[query], params)


async def _check_session(db: Database, row: Row, report: Report, *, repair: bool) -> None:
    session_id = row["session_id"]
    report.sessions += 1
    try:
        damage = await examine(SessionSaver(db), session_id)
    except DecryptionFailed as problem:
        report.problems.append(Problem("not_decrypted", session_id, str(problem), False))
        return
    report.checkpoints += damage.checkpoints
    if damage.statements and repair:
        sql = db.queries("repair")
        async with db.transaction() as tx:
            await tx.fetch(db.queries("sessions")["lock_session"], {"session_id": session_id})
            for statement, params in damage.statements:
                await tx.execute(sql[statement], params)
    report.problems += [Problem("unreadable", session_id, what, repair) for what in damage.found]
    await _check_blobs(db, session_id, report)


async def _check_blobs(db: Database, session_id: str, report: Report) -> None:
    async with db.reader() as reader:
        rows = await reader.fetch(db.queries("repair")["blobs"], {"session_id": session_id})
    for row in rows:
        try:
            unpack(bytes(row["data"]), session_id, row["blob_id"], db.keyring)
        except DecryptionFailed as problem:
            report.problems.append(Problem("not_decrypted", session_id, str(problem), False))
        except UnreadableData as problem:
            # Its bytes stay: nothing here knows better what they were.
            report.problems.append(Problem("unreadable", session_id, str(problem), False))
