"""A conversation as it is read: some turns with all that belongs to them, in a fixed number of statements."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from madang.errors import Conflict, NotFound
from madang.store.branches import Branches, TurnPlace
from madang.store.codec import Keyring
from madang.store.columns import check_text, from_json, many, now
from madang.store.database import Database, Reader, Row
from madang.store.messages import NEWEST, Message, message_of
from madang.store.runs import Run, run_of
from madang.store.sealing import seal, unseal

Frames = Mapping[str, Mapping[str, Any]]
MOST_LINES = 8
"""How many messages a copied turn may have on average; one has two."""


@dataclass(frozen=True)
class Feedback:
    """What the user thought of a message."""

    message_id: int
    rating: str
    reason: str | None
    created_at: str


@dataclass(frozen=True)
class TurnRecord:
    """A turn with all that is stored of it. Copied from another session, it has messages only.

    `frames` are the last events of each type, `asked` all that asked something; `text` is what has been streamed of
    an answer that isn't there yet.
    """

    run: Run | None
    messages: Sequence[Message]
    frames: Frames = field(default_factory=dict)
    asked: Sequence[Mapping[str, Any]] = ()
    text: str = ""
    branches: Sequence[str] = ()
    feedback: Feedback | None = None


@dataclass(frozen=True)
class Window:
    """Some turns in a row, oldest first, and whether there are earlier ones."""

    turns: Sequence[TurnRecord]
    has_more: bool


class Transcripts:
    """The transcripts of one database."""

    def __init__(self, db: Database) -> None:
        self._db = db
        self._sql = db.queries("transcripts")
        self._keyring: Keyring | None = db.keyring

    async def branches(self, session_id: str) -> Branches:
        """How its turns follow each other."""
        async with self._db.reader() as reader:
            return Branches(await reader.fetch(self._sql["places"], {"session_id": session_id}))

    async def window(
        self, session_id: str, last_seq: int, *, before: str | None, through: str | None, limit: int
    ) -> Window:
        """The last turns of a branch, or those before a turn (a run's id, or the id of a message that was copied).

        Events beyond `last_seq` are left to whoever follows the log from there. Raises `NotFound`.
        """
        async with self._db.reader() as reader:
            branches = Branches(await reader.fetch(self._sql["places"], {"session_id": session_id}))
            path = branches.path(through)
            copied_before = NEWEST
            if before is not None and before.isdecimal():
                path, copied_before = [], int(before)
            elif before is not None:
                name = branches.turn(before).name
                path = path[: next((i for i, turn in enumerate(path) if turn.name == name), 0)]
            chosen = path[-limit:] if limit < len(path) else path
            turns = await self._records(reader, session_id, last_seq, branches, chosen)
            if len(path) > limit:
                return Window(turns, has_more=True)
            copied, more = await self._copied(reader, session_id, copied_before, limit - len(chosen))
            return Window([*copied, *turns], more)

    async def _records(
        self, reader: Reader, session_id: str, last_seq: int, branches: Branches, chosen: Sequence[TurnPlace]
    ) -> list[TurnRecord]:
        if not chosen:
            return []
        params = {"session_id": session_id, "last_seq": last_seq}
        runs = {**params, "runs": self._many(run for turn in chosen for run in turn.runs)}
        open_runs = [turn.runs[-1] for turn in chosen if turn.statuses[-1] in ("queued", "running", "interrupted")]
        found = {row["run_id"]: run_of(self._keyring, row) for row in await reader.fetch(self._sql["runs"], runs)}
        said = [message_of(self._keyring, row) for row in await reader.fetch(self._sql["messages"], runs)]
        frames = sorted(await reader.fetch(self._sql["last_events"], runs), key=lambda row: int(row["seq"]))
        streamed = {**params, "runs": self._many(open_runs)}
        tokens = await reader.fetch(self._sql["tokens"], streamed) if open_runs else []
        judged = await self._feedback(reader, session_id, said)
        return [
            TurnRecord(
                run=found[turn.runs[-1]],
                messages=(own := [one for one in said if one.run_id in turn.runs]),
                frames=self._frames(told := [row for row in frames if row["run_id"] in turn.runs]),
                asked=[self._frame(row) for row in told if row["type"] == "workflow_interrupted"],
                text=self._streamed([row for row in tokens if row["run_id"] in turn.runs]),
                branches=branches.siblings(turn),
                feedback=next((judged[one.id] for one in reversed(own) if one.id in judged), None),
            )
            for turn in chosen
            # One may have been forgotten since the places were read.
            if turn.runs[-1] in found
        ]

    async def _copied(self, reader: Reader, session_id: str, before: int, limit: int) -> tuple[list[TurnRecord], bool]:
        """Turns that came with the session when it was made of another one: they have no runs here."""
        most = max(2, limit * MOST_LINES)
        params = {"session_id": session_id, "before": before, "limit": most + 1}
        rows = await reader.fetch(self._sql["copied_messages"], params)
        groups: dict[Any, list[Message]] = {}
        for message in (message_of(self._keyring, row) for row in rows[:most]):
            groups.setdefault(message.request_id or message.id, []).insert(0, message)
        cut = len(rows) > most
        kept = list(groups.values())
        if cut and len(kept) > 1:
            # The oldest one may have begun earlier.
            kept = kept[:-1]
        judged = await self._feedback(reader, session_id, [one for group in kept[:limit] for one in group])
        records = [
            TurnRecord(None, group, feedback=next((judged[m.id] for m in reversed(group) if m.id in judged), None))
            for group in kept[:limit]
        ]
        return records[::-1], cut or len(kept) > limit

    async def _feedback(self, reader: Reader, session_id: str, said: Sequence[Message]) -> dict[int, Feedback]:
        if not said:
            return {}
        params = {"session_id": session_id, "messages": self._many(str(one.id) for one in said)}
        found = (unseal(self._keyring, "feedback", row) for row in await reader.fetch(self._sql["feedback"], params))
        return {
            row["message_id"]: Feedback(row["message_id"], row["rating"], row["reason"], row["created_at"])
            for row in found
        }

    async def message(self, session_id: str, message_id: int) -> Message:
        """One message. Raises `NotFound`."""
        params = {"session_id": session_id, "message_id": message_id}
        async with self._db.reader() as reader:
            rows = await reader.fetch(self._sql["message"], params) if message_id < NEWEST else []
        if not rows:
            raise NotFound(f"no message {message_id} in this session", message_id=message_id)
        return message_of(self._keyring, rows[0])

    async def question(self, session_id: str, turn: TurnPlace) -> Message | None:
        """What was asked in a turn; None where inputs were set."""
        params = {"session_id": session_id, "runs": self._many(turn.runs)}
        async with self._db.reader() as reader:
            rows = await reader.fetch(self._sql["messages"], params)
        said = (message_of(self._keyring, row) for row in rows)
        return next((one for one in said if one.role == "user"), None)

    async def last_frames(self, run: Run) -> Frames:
        """The last events of each type that a run's turn has told."""
        params = {"session_id": run.session_id, "runs": self._many(run.turn_run_ids), "last_seq": NEWEST}
        async with self._db.reader() as reader:
            return self._frames(await reader.fetch(self._sql["last_events"], params))

    async def judge(self, session_id: str, message_id: int, rating: str | None, reason: str | None) -> None:
        """Keep what the user thinks of a message; None takes it back. Raises `NotFound`."""
        await self.message(session_id, message_id)
        columns = {
            "message_id": message_id,
            "session_id": session_id,
            "rating": rating,
            "reason": reason if reason is None else check_text(reason, "reason"),
            "now": now(),
        }
        query = "remove_feedback" if rating is None else "set_feedback"
        await self._db.once(self._sql[query], seal(self._keyring, "feedback", columns))

    async def before(self, session_id: str, turn: TurnPlace) -> str:
        """The checkpoint that a turn began from; of the first one, that which holds its input and no more.

        Raises `Conflict` if it isn't kept any more.
        """
        params = {"session_id": session_id, "run_id": turn.name}
        async with self._db.reader() as reader:
            rows = await reader.fetch(self._sql["first_checkpoint"], params)
        if not rows:
            raise Conflict("the state before this question isn't kept any more", run_id=turn.name)
        return str(rows[0]["parent_checkpoint_id"] or rows[0]["checkpoint_id"])

    async def end(self, session_id: str, turn: TurnPlace) -> str:
        """The last checkpoint of a turn. Raises `Conflict` if it isn't kept any more."""
        async with self._db.reader() as reader:
            for run_id in reversed(turn.runs):
                params = {"session_id": session_id, "run_id": run_id}
                if rows := await reader.fetch(self._sql["last_checkpoint"], params):
                    return str(rows[0]["checkpoint_id"])
        raise Conflict("the state after this turn isn't kept any more", run_id=turn.name)

    def _many(self, values: Any) -> Any:
        return many(self._db.dialect, list(values))

    def _frames(self, rows: Sequence[Row]) -> Frames:
        return {row["type"]: self._frame(row) for row in sorted(rows, key=lambda row: int(row["seq"]))}

    def _streamed(self, rows: Sequence[Row]) -> str:
        text = ""
        for frame in map(self._frame, rows):
            text = frame["text"] if frame.get("restart") else text + frame["text"]
        return text

    def _frame(self, row: Row) -> Mapping[str, Any]:
        frame: Mapping[str, Any] = from_json(unseal(self._keyring, "run_events", row)["frame"], "frame")
        return frame
