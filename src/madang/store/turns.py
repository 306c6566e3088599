"""The two ends of a turn, each in one round trip: the question with its run begun, the answer with its run ended."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Unpack

from madang.errors import ServiceUnavailable
from madang.state.steps import TERMINAL_RUNS
from madang.store.codec import Keyring
from madang.store.columns import check_text, now, to_json
from madang.store.database import Database
from madang.store.messages import PREVIEW
from madang.store.runs import Asked, Owner, Run, columns_of, fenced, lease_end, run_of
from madang.store.sealing import seal


@dataclass(frozen=True)
class Said:
    """What is said at an end of a turn."""

    content: str
    structured_data: Mapping[str, Any] | None = None


class Turns:
    """The turns of one database."""

    def __init__(self, db: Database) -> None:
        self._db = db
        self._sql = db.queries("runs")
        self._keyring: Keyring | None = db.keyring

    async def begin(
        self,
        session_id: str,
        owner: Owner,
        lease_seconds: float,
        *,
        said: Said | None = None,
        **asked: Unpack[Asked],
    ) -> Run | None:
        """A run that `owner` runs from now on, with the user's message; None, and nothing stored, if it has to wait.

        It has to while another run of the session is queued, runs or waits for an answer, and when the session or
        the run id isn't what it was thought to be: `Runs.create` tells which.
        """
        params = {
            **columns_of(self._keyring, session_id, asked),
            "host": owner.host,
            "pid": owner.pid,
            "owner": owner.id,
            "lease_until": lease_end(lease_seconds),
        }
        params |= self._message(session_id, params["now"], said)
        rows = await self._db.once(self._sql["begin_run"], params)
        return run_of(self._keyring, rows[0]) if rows else None

    async def end(
        self,
        run: Run,
        fence: int,
        status: str,
        *,
        error: Mapping[str, Any] | None = None,
        result: Any = None,
        usage: Mapping[str, Any] | None = None,
        said: Said | None = None,
    ) -> Run:
        """The end of a run that runs, or its interruption, with the assistant's message, which a run has once.

        Raises `Fenced` for a token that isn't valid; nothing is stored then.
        """
        moment = now()
        params = seal(
            self._keyring,
            "runs",
            {
                "run_id": run.run_id,
                "session_id": run.session_id,
                "request_id": run.request_id,
                "fence": fence,
                "status": status,
                "error": None if error is None else to_json(error, "error"),
                "result": None if result is None else to_json(result, "result"),
                "usage": None if usage is None else to_json(usage, "usage"),
                "ended_at": moment if status in TERMINAL_RUNS else None,
                "now": moment,
            },
        )
        params |= self._message(run.session_id, moment, said)
        try:
            rows = await self._db.once(self._sql["end_run"], params)
        except ServiceUnavailable:
            # The connection was lost, perhaps after the commit: the run tells.
            async with self._db.reader() as reader:
                rows = await reader.fetch(self._sql["get_run"], params)
            if not rows or (rows[0]["status"], rows[0]["updated_at"]) != (status, moment):
                rows = await self._db.once(self._sql["end_run"], params)
        if not rows:
            raise fenced(run.run_id)
        return run_of(self._keyring, rows[0])

    def _message(self, session_id: str, moment: str, said: Said | None) -> dict[str, Any]:
        content = None if said is None else check_text(said.content, "content")
        data = (
            None if said is None or said.structured_data is None else to_json(said.structured_data, "structured_data")
        )
        message = seal(
            self._keyring,
            "chat_messages",
            {"session_id": session_id, "created_at": moment, "content": content, "structured_data": data},
        )
        preview = {"session_id": session_id, "last_message": content and content[:PREVIEW]}
        return message | seal(self._keyring, "chat_sessions", preview)
