"""What strangers get: conversations written from a person, a worry and a goal, judged apart from their writing.

A round is `bench/data/people/<assistant>-<round>.jsonl`: `who`, and turns with `user`, `helps` (what would help) and
`never` (what would be wrong). A verdict is data, in `verdicts.jsonl` beside it: round, person, turn, hash of the
answer, helped (yes, partly, no), wrong, ignored (yes, no), why, date. A verdict holds only while the answer's hash
does; `python -m bench.people ASSISTANT ROUND FILE` writes the answers down for whoever judges them.
"""

import asyncio
import hashlib
import json
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bench import Row

if TYPE_CHECKING:
    from madang.runtime import Runtime

DATA = Path(__file__).parent / "data" / "people"
TODAY = date(2026, 11, 18)
Person = Mapping[str, Any]


def rounds() -> Iterator[tuple[str, str, list[Person]]]:
    """Every round there is: assistant, name, persons."""
    for path in sorted(DATA.glob("*-*.jsonl")):
        assistant, _, name = path.stem.partition("-")
        yield assistant, name, read_lines(path)


def read_lines(path: Path) -> list[Any]:
    """The objects of a file, one a line; none if it isn't there."""
    lines = path.read_text(encoding="utf-8").splitlines() if path.is_file() else []
    return [json.loads(line) for line in lines if line.strip()]


def hash_of(answer: str) -> str:
    """What tells whether an answer is the one that was judged."""
    return hashlib.sha256(" ".join(answer.split()).encode()).hexdigest()[:12]


def talk(assistant: str, persons: Sequence[Person]) -> list[list[str]]:
    """The answers each person gets, each in a session of their own."""
    return asyncio.run(_talk(assistant, persons))


async def _talk(assistant: str, persons: Sequence[Person]) -> list[list[str]]:
    from madang.bootstrap import open_runtime
    from madang.settings import Settings

    with tempfile.TemporaryDirectory() as folder:
        settings = Settings(data_dir=Path(folder), db=f"sqlite:///{folder}/talk.db", llm="", embeddings="")
        async with open_runtime(settings, only=assistant, today=TODAY) as runtime:
            return [await _converse(runtime, assistant, person) for person in persons]


async def _converse(runtime: "Runtime", assistant: str, person: Person) -> list[str]:
    from madang.runtime import TurnRequest

    session = await runtime.sessions.create(assistant=assistant)
    answers = []
    for turn in person["turns"]:
        run = await runtime.start(session.session_id, TurnRequest(text=turn["user"]))
        outcome = await runtime.outcome(run.run_id)
        answers.append(str((outcome["response"] or {}).get("answer") or f"({outcome['status']})"))
    return answers


def people(*, assistant: str = "") -> list[Row]:
    """The share of turns that helped, said something wrong, or ignored something, over answers judged as they are."""
    verdicts = {(v["assistant"], v["round"], v["person"], v["turn"], v["hash"]): v for v in _verdicts()}
    rows: list[Row] = []
    for name, round_name, persons in rounds():
        if assistant and name != assistant:
            continue
        judged, turns = [], 0
        for person, answers in zip(persons, talk(name, persons), strict=True):
            for number, answer in enumerate(answers):
                turns += 1
                found = verdicts.get((name, round_name, person["id"], number, hash_of(answer)))
                judged += [found] if found else []
        rows += _rows(f"{name} {round_name}", judged, turns)
    return rows


def _verdicts() -> list[Any]:
    return read_lines(DATA / "verdicts.jsonl")


def _rows(name: str, judged: Sequence[Mapping[str, Any]], turns: int) -> list[Row]:
    note = f"{len(judged)} of {turns} turns judged as they are now, {turns - len(judged)} stale or not judged"
    measures = (("helped", "yes"), ("helped", "partly"), ("wrong", "yes"), ("ignored", "yes"))
    return [
        Row(
            measure=f"{name}: {key} {value}",
            value=round(sum(v[key] == value for v in judged) / max(len(judged), 1), 3),
            note=note,
        )
        for key, value in measures
    ]


def write_answers(assistant: str, round_name: str, path: Path) -> None:
    """Each turn of a round with the answer it gets now, for a judge."""
    persons = next(people for name, found, people in rounds() if (name, found) == (assistant, round_name))
    with path.open("w", encoding="utf-8") as file:
        for person, answers in zip(persons, talk(assistant, persons), strict=True):
            for number, (turn, answer) in enumerate(zip(person["turns"], answers, strict=True)):
                about = {"assistant": assistant, "round": round_name, "person": person["id"], "turn": number}
                asked = {"who": person["who"], "user": turn["user"], "helps": turn["helps"], "never": turn["never"]}
                line = {**about, **asked, "answer": answer, "hash": hash_of(answer)}
                file.write(json.dumps(line, ensure_ascii=False) + "\n")


SUITES = {"eval-people": people}

if __name__ == "__main__":
    write_answers(sys.argv[1], sys.argv[2], Path(sys.argv[3]))
