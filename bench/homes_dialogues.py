"""Whole conversations with the homes assistant, as a surface has them: a database, sessions, questions asked back.

A turn fits if its intent is the expected one and its answer says what it must and nothing it must not.
"""

import asyncio
import re
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from madang.runtime import Runtime

TODAY = date(2026, 11, 16)


@dataclass(frozen=True)
class TurnScore:
    """One turn: what was said, what came back, and what did not fit (nothing, if it did)."""

    said: str
    answer: str
    intent: str
    misfits: tuple[str, ...]


def talk_through(dialogues: Sequence[Mapping[str, Any]], today: date = TODAY) -> list[list[TurnScore]]:
    """Every turn of every dialogue, each dialogue in a session of its own on a new database."""
    return asyncio.run(_talk_through(dialogues, today))


async def _talk_through(dialogues: Sequence[Mapping[str, Any]], today: date) -> list[list[TurnScore]]:
    from madang.bootstrap import open_runtime
    from madang.settings import Settings

    with tempfile.TemporaryDirectory() as folder:
        settings = Settings(data_dir=Path(folder), db=f"sqlite:///{folder}/talk.db", llm="", embeddings="")
        async with open_runtime(settings, only="homes", today=today) as runtime:
            return [await _talk(runtime, dialogue["turns"]) for dialogue in dialogues]


async def _talk(runtime: "Runtime", turns: Sequence[Mapping[str, Any]]) -> list[TurnScore]:
    from madang.runtime import TurnRequest

    session = await runtime.sessions.create(assistant="homes")
    scores = []
    for turn in turns:
        run = await runtime.start(session.session_id, TurnRequest(text=turn["say"]))
        outcome = await runtime.outcome(run.run_id)
        answer = str((outcome["response"] or {}).get("answer") or f"({outcome['status']})")
        planning = outcome["state"].get("planning_state") or {}
        intent = str((planning.get("analyzed_intent") or {}).get("intent_type"))
        scores.append(TurnScore(turn["say"], answer, intent, misfits(turn["expect"], intent, answer)))
    return scores


def misfits(expect: Mapping[str, Any], intent: str, answer: str) -> tuple[str, ...]:
    """What a turn lacks or should not say. `a|b` in `mentions` is either; spaces don't count."""
    said = _bare(answer)
    wrong = [f"intent {intent}, not {expect['intent']}"] if expect.get("intent", intent) != intent else []
    for wanted in expect.get("mentions", ()):
        if not any(_bare(word) in said for word in wanted.split("|")):
            wrong.append(f"lacks {wanted}")
    wrong += [f"says {word}" for word in expect.get("not", ()) if _bare(word) in said]
    return tuple(wrong)


def _bare(text: str) -> str:
    return re.sub(r"\s+", "", text)
