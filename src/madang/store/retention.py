"""Retention: how many of a session's checkpoints and turns are kept, and for how long.

The newest checkpoint of each namespace, runs that aren't over and named saved states always stay. A session in which a
turn runs is left for the next time. Messages are never pruned. Event numbers go on where they were.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from madang.errors import FieldProblem, InvalidState
from madang.state.steps import TERMINAL_RUNS
from madang.store.checkpointer import NAMESPACE
from madang.store.columns import from_json, many, timestamp
from madang.store.database import Database
from madang.store.memories import Memories
from madang.store.saver import SessionSaver
from madang.store.sealing import unseal

SETTING = "retention"


@dataclass(frozen=True)
class Retention:
    """`keep_last`: so many checkpoints of each namespace, and runs; `max_age`: none older. None: no limit."""

    keep_last: int | None = None
    max_age: timedelta | None = None

    def __post_init__(self) -> None:
        if self.keep_last is not None and self.keep_last < 1:
            raise InvalidState([FieldProblem("keep_last", f"{self.keep_last} is too few", "at least 1")])
        if self.max_age is not None and self.max_age < timedelta(0):
            raise InvalidState([FieldProblem("max_age", "is negative", "0 or more")])

    @classmethod
    def of_session(cls, metadata: Mapping[str, Any], default: "Retention") -> "Retention":
        """A session's own rule, `metadata["retention"]` of `{keep_last, max_age_days}`, over the default."""
        own = metadata.get(SETTING)
        if not isinstance(own, Mapping):
            return default
        days = own.get("max_age_days")
        return cls(
            keep_last=own.get("keep_last", default.keep_last),
            max_age=timedelta(days=days) if days is not None else default.max_age,
        )


@dataclass(frozen=True)
class Pruned:
    """What went, or would go."""

    sessions: int = 0
    checkpoints: int = 0
    runs: int = 0
    events: int = 0
    memories: int = 0

    def __add__(self, other: "Pruned") -> "Pruned":
        return Pruned(*(mine + theirs for mine, theirs in zip(self._parts(), other._parts(), strict=True)))

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)

    def _parts(self) -> tuple[int, ...]:
        return tuple(asdict(self).values())


async def prune(
    db: Database,
    saver: SessionSaver,
    default: Retention,
    *,
    session_ids: Iterable[str] | None = None,
    at: datetime | None = None,
    dry_run: bool = False,
    progress: Callable[[int, int], None] | None = None,
) -> Pruned:
    """Prune the sessions named, or all; a session's own rule goes before `default`. Expired memories go too.

    `progress` is told how many sessions of how many are done. Raises what the saver raises for data it can't read; the
    sessions before are done then.
    """
    moment = at or datetime.now(UTC)
    sql = db.queries("retention")
    async with db.reader() as reader:
        rows = await reader.fetch(sql["sessions"])
    wanted = None if session_ids is None else set(session_ids)
    chosen = [row for row in rows if wanted is None or row["session_id"] in wanted]
    total = Pruned()
    for done, row in enumerate(chosen, 1):
        metadata = unseal(db.keyring, "chat_sessions", row)["metadata"]
        rule = Retention.of_session(from_json(metadata, "metadata"), default)
        total += await _prune_session(db, saver, row["session_id"], rule, moment, dry_run=dry_run)
        if progress:
            progress(done, len(chosen))
    expired = 0 if dry_run or wanted is not None else await Memories(db).sweep()
    return total + Pruned(memories=expired)


async def _prune_session(
    db: Database, saver: SessionSaver, session_id: str, rule: Retention, at: datetime, *, dry_run: bool
) -> Pruned:
    sql = db.queries("retention")
    limit = timestamp(at - rule.max_age) if rule.max_age is not None else ""
    async with db.reader() as reader:
        checkpoints = await reader.fetch(sql["checkpoints"], {"session_id": session_id})
        runs = await reader.fetch(sql["runs"], {"session_id": session_id})
    if any(row["status"] == "running" for row in runs):
        return Pruned()
    keep = _kept(checkpoints, rule.keep_last, limit)
    gone = len(checkpoints) - sum(map(len, keep.values()))
    over = [row["run_id"] for row in _too_many_or_old(runs, rule.keep_last, limit) if row["status"] in TERMINAL_RUNS]
    if dry_run or not (gone or over or limit):
        return Pruned(sessions=int(bool(gone or over)), checkpoints=gone, runs=len(over))
    if gone:
        gone = await saver.aretain(session_id, keep)
    params = {"session_id": session_id, "run_ids": many(db.dialect, over), "limit": limit}
    async with db.transaction() as tx:
        events = await tx.execute(sql["delete_run_events"], params) if over else 0
        removed = await tx.execute(sql["delete_runs"], params) if over else 0
        events += await tx.execute(sql["delete_old_events"], params) if limit else 0
    return Pruned(sessions=int(bool(gone or removed or events)), checkpoints=gone, runs=removed, events=events)


def _kept(rows: Sequence[Mapping[str, Any]], keep_last: int | None, limit: str) -> dict[str, set[str]]:
    """The checkpoints to keep, by namespace."""
    spaces: dict[str, list[Mapping[str, Any]]] = {}
    for row in rows:
        spaces.setdefault(row["checkpoint_ns"], []).append(row)
    kept: dict[str, set[str]] = {}
    for namespace, own in spaces.items():
        newest_first = sorted(own, key=lambda row: row["checkpoint_id"], reverse=True)
        if namespace == NAMESPACE:
            kept[namespace] = {row["checkpoint_id"] for row in own}
            continue
        chosen = [
            row
            for place, row in enumerate(newest_first)
            if place == 0 or ((keep_last is None or place < keep_last) and _utc(row["ts"]) >= limit)
        ]
        kept[namespace] = {row["checkpoint_id"] for row in chosen}
    return kept


def _too_many_or_old(
    newest_first: Sequence[Mapping[str, Any]], keep_last: int | None, limit: str
) -> list[Mapping[str, Any]]:
    return [
        row
        for place, row in enumerate(newest_first)
        if (keep_last is not None and place >= keep_last) or row["created_at"] < limit
    ]


def _utc(ts: str | None) -> str:
    """A checkpoint's time as text that sorts with ours; one without a time counts as new."""
    try:
        return timestamp(datetime.fromisoformat(ts)) if ts else "9"
    except ValueError:
        return "9"
