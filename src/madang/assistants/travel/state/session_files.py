"""A conversation's state as one JSON file, `sessions/{session_id}.json`."""

import json
import os
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NoReturn, cast

from madang.assistants.travel.state.initial import no_results
from madang.assistants.travel.state.migrations import MIGRATIONS
from madang.assistants.travel.state.travel_state import MultiAgentTravelState, TravelState
from madang.errors import FieldProblem, InvalidName, InvalidState, StoredDataError, UnreadableData
from madang.state.clock import now_iso
from madang.state.plain import check_json, is_message, message_dict
from madang.state.validation import validate_update

DIRECTORY = Path("sessions")
_LONGEST_FILE_NAME = 255
_RESULTS = frozenset({"agent_results", *no_results()})


def load_state(session_id: str, directory: str | os.PathLike[str] = DIRECTORY) -> TravelState | None:
    """The stored state, brought up to the present version; `None` if there is none.

    Raises `InvalidName` for an id that can't name a file, `UnreadableData` for a file that holds no state, and
    `UnknownSchemaVersion` for one written by a newer Madang. The file is left as it is.
    """
    path = _path(session_id, directory)
    try:
        text = path.read_text(encoding="utf-8")
        stored = json.loads(text, parse_constant=_refuse_constant)
    except FileNotFoundError:
        return None
    except (ValueError, RecursionError) as error:
        raise UnreadableData(f"{path} is not JSON: {error}", file=str(path)) from error
    if not isinstance(stored, dict):
        raise UnreadableData(f"{path} holds no state but a {type(stored).__name__}", file=str(path))
    try:
        state = MIGRATIONS.upgrade(stored)
    except StoredDataError as error:
        raise type(error)(f"{path}: {error}", file=str(path), **error.details) from error
    if problems := _problems(state):
        raise UnreadableData(
            f"{path}: " + "; ".join(map(str, problems)), file=str(path), problems=[p.as_dict() for p in problems]
        )
    return cast(TravelState, state)


def save_state(state: TravelState, directory: str | os.PathLike[str] = DIRECTORY) -> TravelState:
    """Write the state's file whole or not at all; returns what was written, with its new `updated_at`.

    Messages are written as `{role, content}`. Raises `InvalidName` for a session id that can't name a file and
    `InvalidState`, naming each field, for what can't be stored; an earlier file then stays as it was.
    """
    if "session_id" not in state:
        raise InvalidState([FieldProblem("session_id", "missing")])
    path = _path(state["session_id"], directory)
    stored: dict[str, Any] = {**state, "updated_at": now_iso()}
    if isinstance(state.get("messages"), list):
        stored["messages"] = [message_dict(m) if is_message(m) else m for m in state["messages"]]
    if problems := _problems(stored):
        raise InvalidState(problems)
    _write(path, json.dumps(stored, ensure_ascii=False, indent=2, allow_nan=False))
    return cast(TravelState, stored)


def _path(session_id: object, directory: str | os.PathLike[str]) -> Path:
    if not isinstance(session_id, str) or not session_id:
        raise InvalidName("a session id is a text that isn't empty")
    if any(part in session_id for part in ("/", "\\", "..")) or not session_id.isprintable():
        raise InvalidName(f"session id {session_id[:80]!r} can't name a file", session_id=session_id[:80])
    name = f"{session_id}.json"
    if len(name.encode()) > _LONGEST_FILE_NAME:
        raise InvalidName(f"session id {session_id[:80]!r}… is too long to name a file")
    return Path(directory) / name


def _problems(state: Mapping[str, Any]) -> list[FieldProblem]:
    """What is wrong with the state. Other programs write such files too, so what is inside a result is theirs."""
    _, problems = validate_update(MultiAgentTravelState, state)
    kept = [problem for problem in problems if problem.field in state or _root(problem.field) not in _RESULTS]
    named = {problem.field for problem in kept}
    results = [check_json(state[name], path=name) for name in sorted(_RESULTS & state.keys() - named)]
    return kept + [problem for problem in results if problem]


def _root(path: str) -> str:
    return path.split(".", 1)[0].split("[", 1)[0]


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    descriptor, temporary = tempfile.mkstemp(dir=path.parent, prefix=".", suffix=".tmp")
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        Path(temporary).replace(path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise
