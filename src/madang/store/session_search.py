"""Finding sessions by what they hold and how their runs stand: counted, sorted and paged in the database."""

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from madang.errors import InvalidInput
from madang.store.columns import check_text, many, to_json
from madang.store.database import Database
from madang.store.sessions import Session, listed
from madang.store.users import HOME_COMPANY

Standing = Literal["busy", "error", "still"]
SortBy = Literal["session_id", "created_at", "updated_at", "state_updated_at"]
MOST_CONDITIONS = 200
# Each level is a query inside a query, and SQLite's parser has a stack of its own.
MOST_LEVELS = 20
SOUND = "CASE WHEN json_valid(s.metadata) THEN s.metadata ELSE '{}' END"
"""One damaged row must not stop SQLite's search for the others."""


@dataclass(frozen=True)
class Wanted:
    """What sessions to find. `metadata` is contained in theirs.

    `standing`: `busy` while a run is queued or runs, `error` if the last one failed, `still` otherwise.
    """

    user_id: int | None = None
    anonymous: bool = False
    company: str | None = None
    ids: Sequence[str] | None = None
    assistant: str | None = None
    title: str | None = None
    metadata: Mapping[str, Any] = field(default_factory=dict)
    standing: Standing | None = None
    sort_by: SortBy = "updated_at"
    descending: bool = True


@dataclass(frozen=True)
class Found:
    """A session, how its runs stand, and its newest checkpoint."""

    session: Session
    standing: Standing
    checkpoint_id: str | None


class SessionSearch:
    """Searches over the sessions of one database."""

    def __init__(self, db: Database) -> None:
        self._db = db
        self._sql = db.queries("session_search")

    async def find(self, wanted: Wanted, *, limit: int, offset: int = 0) -> list[Found]:
        """One page. Raises `InvalidInput` for metadata that can't be looked for."""
        where, params, sealed = self._where(wanted)
        key = self._sql["state_time"] if wanted.sort_by == "state_updated_at" else f"s.{wanted.sort_by}"
        direction = "DESC" if wanted.descending else "ASC"
        order = f"ORDER BY {key} {direction}, s.session_id {direction}"
        if not sealed:
            order, params = f"{order} LIMIT :limit OFFSET :offset", {**params, "limit": limit, "offset": offset}
        async with self._db.reader() as reader:
            rows = await reader.fetch(f"{where} {order}", params)
        keyring = self._db.keyring
        found = [Found(listed(keyring, row), row["standing"], row["newest_checkpoint"]) for row in rows]
        if not sealed:
            return found
        return [one for one in found if _has(one.session, wanted)][offset : offset + limit]

    async def count(self, wanted: Wanted) -> int:
        """How many `find` would give in all."""
        where, params, sealed = self._where(wanted)
        if sealed:
            return len(await self.find(wanted, limit=sys.maxsize))
        async with self._db.reader() as reader:
            rows = await reader.fetch(f"SELECT count(*) AS n FROM ({where}) found", params)  # noqa: S608
        return int(rows[0]["n"])

    async def passing_over(self, before: str) -> list[str]:
        """Sessions that were made for one run only, which has been over since that time."""
        async with self._db.reader() as reader:
            rows = await reader.fetch(self._sql["passing_over"], {"before": before})
        return [row["session_id"] for row in rows]

    async def limited(self) -> list[Session]:
        """Sessions that are kept for a limited time after their last use."""
        async with self._db.reader() as reader:
            rows = await reader.fetch(self._sql["limited"])
        sessions = [listed(self._db.keyring, row) for row in rows]
        return [session for session in sessions if not session.damaged]

    def _where(self, wanted: Wanted) -> tuple[str, dict[str, Any], bool]:
        """The query, its parameters, and whether titles and metadata are sealed: they are compared afterwards then."""
        title = wanted.title if wanted.title is None else check_text(wanted.title, "metadata.title")
        sealed = self._db.keyring is not None and (title is not None or bool(wanted.metadata))
        params: dict[str, Any] = {
            "user_id": wanted.user_id,
            "anonymous": int(wanted.anonymous),
            "company": wanted.company,
            "home": HOME_COMPANY,
            "ids": None if wanted.ids is None else many(self._db.dialect, [i for i in wanted.ids if _storable(i)]),
            "assistant": wanted.assistant,
            "title": None if sealed else title,
            "standing": wanted.standing,
        }
        where = self._sql["search"]
        if wanted.metadata and not sealed:
            text = to_json(wanted.metadata, "metadata")
            if self._db.dialect == "postgres":
                where, params = f"{where} AND s.metadata @> CAST(:metadata AS jsonb)", {**params, "metadata": text}
            else:
                condition, more = containment(SOUND, wanted.metadata)
                where, params = f"{where} AND {condition}", {**params, **more}
        return where, params, sealed


def _has(session: Session, wanted: Wanted) -> bool:
    title = wanted.title is None or session.metadata.get("title", session.title) == wanted.title
    return title and session.damaged is None and contains(session.metadata, wanted.metadata)


def _storable(given: str) -> bool:
    try:
        check_text(given, "ids")
    except InvalidInput:
        return False
    return True


def contains(value: Any, wanted: Any) -> bool:
    """Whether a JSON value holds what is asked, as Postgres' `@>` has it: lists by their elements, in any order."""
    if isinstance(wanted, Mapping):
        named = isinstance(value, Mapping)
        return named and all(key in value and contains(value[key], part) for key, part in wanted.items())
    if isinstance(wanted, list | tuple):
        listed = isinstance(value, list | tuple)
        return listed and all(any(contains(one, part) for one in value) for part in wanted)
    return isinstance(value, bool) == isinstance(wanted, bool) and bool(value == wanted)


def containment(source: str, wanted: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
    """SQLite's word for Postgres' `source @> wanted`, and its parameters. Raises `InvalidInput` for too much."""
    conditions = _Conditions()
    text = conditions.inside(source, wanted)
    return text, conditions.params


def _number(wanted: int | float) -> int | float:
    """A number as SQLite's JSON has it: beyond 64 bits it isn't whole any more."""
    try:
        return wanted if isinstance(wanted, float) or -(2**63) <= wanted < 2**63 else float(wanted)
    except OverflowError:
        raise InvalidInput("metadata: a number is too large", field="metadata") from None


class _Conditions:
    """Nested EXISTS over `json_each`: everything that was asked for is a parameter, never part of the text."""

    def __init__(self) -> None:
        self.params: dict[str, Any] = {}
        self._count = self._level = 0

    def inside(self, source: str, wanted: Mapping[str, Any]) -> str:
        """Every key of `wanted` is in the object `source`, with a value that holds what is asked."""
        held = [self._some(source, part, key=key) for key, part in wanted.items()]
        return " AND ".join(held) or "1"

    def _some(self, source: str, wanted: Any, *, key: str | None = None) -> str:
        self._count += 1
        if self._count > MOST_CONDITIONS:
            raise InvalidInput(f"metadata: more than {MOST_CONDITIONS} conditions", field="metadata")
        self._level += 1
        if self._level > MOST_LEVELS:
            raise InvalidInput(f"metadata: more than {MOST_LEVELS} levels", field="metadata")
        each = f"e{self._count}"
        named = f"{each}.key = {self._param(key)} AND " if key is not None else ""
        held = self._equal(each, wanted)
        self._level -= 1
        return f"EXISTS (SELECT 1 FROM json_each({source}) {each} WHERE {named}{held})"  # noqa: S608

    def _equal(self, each: str, wanted: Any) -> str:
        if isinstance(wanted, Mapping):
            return f"{each}.type = 'object' AND {self.inside(f'{each}.value', wanted)}"
        if isinstance(wanted, list | tuple):
            parts = [self._some(f"{each}.value", part) for part in wanted]
            return " AND ".join([f"{each}.type = 'array'", *parts])
        if wanted is None or isinstance(wanted, bool):
            return f"{each}.type = '{ {None: 'null', True: 'true', False: 'false'}[wanted] }'"
        if isinstance(wanted, int | float):
            return f"{each}.type IN ('integer', 'real') AND {each}.value = {self._param(_number(wanted))}"
        return f"{each}.type = 'text' AND {each}.value = {self._param(wanted)}"

    def _param(self, value: Any) -> str:
        name = f"m{len(self.params)}"
        self.params[name] = value
        return f":{name}"
