"""What is kept of one conversation: its last turns word for word, earlier ones in a line each."""

import re
from collections.abc import Mapping
from typing import Any, TypedDict

from madang.state.clock import now_iso
from madang.state.redaction import redact_text

VERBATIM = 5
SUMMARY_LINES = 20
LINE = 160
ANSWER = 600


class RememberedTurn(TypedDict):
    request_id: str
    query: str
    answer: str
    intent: str
    at: str


class Remembered(TypedDict):
    """One conversation of one user."""

    session_id: str
    assistant: str
    turns: list[RememberedTurn]
    summary: list[str]
    updated_at: str


def add_turn(before: Remembered | None, session_id: str, turn: Mapping[str, Any]) -> Remembered:
    """The record with a turn added; the record itself if it holds that turn already.

    Numbers that identify a person are masked: remembering never needs them.
    """
    record = before or Remembered(session_id=session_id, assistant="", turns=[], summary=[], updated_at="")
    if any(known["request_id"] == turn.get("request_id") for known in record["turns"]):
        return record
    added = RememberedTurn(
        request_id=str(turn.get("request_id") or ""),
        query=redact_text(str(turn.get("query") or ""))[:ANSWER],
        answer=redact_text(str(turn.get("answer") or ""))[:ANSWER],
        intent=str(turn.get("intent") or ""),
        at=now_iso(),
    )
    turns = [*record["turns"], added]
    folded = [line_of(old) for old in turns[:-VERBATIM]]
    return Remembered(
        session_id=session_id,
        assistant=str(turn.get("assistant") or record["assistant"]),
        turns=turns[-VERBATIM:],
        summary=[*record["summary"], *folded][-SUMMARY_LINES:],
        updated_at=added["at"],
    )


def line_of(turn: RememberedTurn) -> str:
    """A turn in a line: the question and the first sentence of its answer."""
    first = re.split(r"(?<=[.!?。])\s|\n", turn["answer"].strip(), maxsplit=1)[0]
    return f"{turn['query'][: LINE // 2]} → {first}"[:LINE]


def as_memory(record: Remembered, *, whole: bool) -> dict[str, Any]:
    """A record as `loaded_memories` has it: with its turns, or only as a summary."""
    memory: dict[str, Any] = {
        "session_id": record["session_id"],
        "assistant": record["assistant"],
        "timestamp": record["updated_at"],
        "summary": [*record["summary"], *(line_of(turn) for turn in record["turns"])],
    }
    if whole:
        memory["turns"] = [{"query": t["query"], "answer": t["answer"], "intent": t["intent"]} for t in record["turns"]]
        memory["summary"] = list(record["summary"])
    return memory


def tokens_in(memory: Mapping[str, Any]) -> int:
    """About how many tokens a memory costs a model: Korean runs near one token for two characters."""
    return len(str(memory.get("turns", ""))) // 2 + len(str(memory["summary"])) // 2
