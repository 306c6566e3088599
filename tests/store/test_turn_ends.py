"""The two ends of a turn and the log between them, each in one round trip, on both databases."""

import asyncio
from typing import Any

import pytest

from madang.errors import Conflict, Fenced, InvalidInput
from madang.events import PlanningStart, Token
from madang.store.database import Database
from madang.store.events import Events, Tail
from madang.store.messages import Messages
from madang.store.runs import Owner, Run, Runs
from madang.store.sessions import Sessions
from madang.store.turns import Said, Turns

HERE, THERE = Owner("here", 1, "a"), Owner("there", 2, "b")


async def _begun(db: Database, session_id: str = "s", **given: Any) -> Run:
    await Sessions(db).create(session_id, assistant="homes")
    run = await Turns(db).begin(session_id, HERE, 30, assistant="homes", said=Said("전세금 5%?"), **given)
    assert run is not None
    return run


def _tail(run: Run, last: int = 0) -> Tail:
    return Tail(run.session_id, run.run_id, run.fence, run.request_id, last)


async def _texts(db: Database, session_id: str = "s") -> list[str]:
    return [str(frame.get("text")) for frame in await Events(db).read(session_id)]


async def test_a_turn_begins_with_its_question_and_ends_with_its_answer(db: Database) -> None:
    run = await _begun(
        db, input={"query": "전세금 5%?"}, request_id="q", metadata={"a": 1}, kwargs={"today": "2026-01-01"}
    )
    assert (run.status, run.attempts, run.owner_id, run.kwargs) == ("running", 1, "a", {"today": "2026-01-01"})
    assert await Runs(db).get(run.run_id) == run
    ended = await Turns(db).end(run, run.fence, "completed", result={"n": 1}, said=Said("됩니다.", {"type": "answer"}))
    assert (ended.status, ended.result, ended.owner_id) == ("completed", {"n": 1}, None)
    said = (await Messages(db).list("s")).items
    assert [(m.role, m.content, m.request_id, m.run_id) for m in said] == [
        ("user", "전세금 5%?", "q", run.run_id),
        ("assistant", "됩니다.", "q", run.run_id),
    ]
    session = await Sessions(db).get("s")
    assert (session.message_count, session.last_message) == (2, "됩니다.")


@pytest.mark.parametrize("status", ["queued", "running", "interrupted"])
async def test_a_turn_waits_while_another_is_open_and_leaves_nothing(db: Database, status: str) -> None:
    await Sessions(db).create("s")
    runs = Runs(db)
    first = await runs.create("s")
    if status != "queued":
        fence = await runs.claim(first.run_id, THERE, 30)
        if status == "interrupted":
            await runs.finish(first.run_id, fence, "interrupted")
    assert await Turns(db).begin("s", HERE, 30, said=Said("둘째")) is None
    assert (await Messages(db).list("s")).items == []
    assert [run.run_id for run in (await runs.list("s")).items] == [first.run_id]


async def test_of_many_that_begin_at_once_one_does(db: Database) -> None:
    await Sessions(db).create("s")
    begun = await asyncio.gather(*(Turns(db).begin("s", HERE, 30, said=Said(str(n))) for n in range(8)))
    assert sum(run is not None for run in begun) == 1
    assert len((await Messages(db).list("s")).items) == 1


async def test_a_turn_of_no_session_or_a_known_run_id_does_not_begin(db: Database) -> None:
    assert await Turns(db).begin("nowhere", HERE, 30) is None
    run = await _begun(db, run_id="mine")
    await Turns(db).end(run, run.fence, "completed")
    assert await Turns(db).begin("s", HERE, 30, run_id="mine", said=Said("다시")) is None
    assert len((await Messages(db).list("s")).items) == 1
    with pytest.raises(InvalidInput):
        await Turns(db).begin("s", HERE, 30, said=Said("\x00"))


async def test_a_run_that_was_superseded_neither_ends_nor_answers(db: Database) -> None:
    run = await _begun(db)
    await Runs(db).cancel(run.run_id)
    with pytest.raises(Fenced):
        await Turns(db).end(run, run.fence, "completed", said=Said("늦음"))
    assert [m.role for m in (await Messages(db).list("s")).items] == ["user"]


async def test_a_run_answers_once(db: Database) -> None:
    run = await _begun(db)
    await Messages(db).append("s", "assistant", "먼저", run_id=run.run_id)
    await Turns(db).end(run, run.fence, "completed", said=Said("나중"))
    assert [m.content for m in (await Messages(db).list("s")).items][1:] == ["먼저"]
    assert (await Sessions(db).get("s")).message_count == 2


async def test_the_log_is_extended_for_many_sessions_at_once(db: Database) -> None:
    runs = [await _begun(db, f"s{n}") for n in range(6)]
    events = Events(db)
    tails = [_tail(run) for run in runs]
    for piece in "가나다":
        await asyncio.gather(
            *(events.extend(tail, [(None, Token(text=piece)), (None, Token(text="."))]) for tail in tails)
        )
    for run in runs:
        assert await _texts(db, run.session_id) == ["가", ".", "나", ".", "다", "."]
        assert await events.last_seq(run.session_id) == 6


async def test_extending_a_log_that_someone_else_wrote_to(db: Database) -> None:
    run = await _begun(db)
    events, tail = Events(db), _tail(run)
    await events.extend(tail, [(None, Token(text="a"))])
    await events.append("s", None, None, [(None, Token(text="b"))])
    [frame] = await events.extend(tail, [(None, Token(text="c"))])
    assert frame["seq"] == 3
    await events.extend(tail, [(None, Token(text="d"))])
    assert await _texts(db) == ["a", "b", "c", "d"]


async def test_an_event_that_is_in_the_log_is_not_added_again(db: Database) -> None:
    run = await _begun(db)
    events = Events(db)
    [first] = await events.extend(_tail(run), [("planning_start", PlanningStart(message="계획"))])
    again = await events.extend(
        _tail(run, 1), [("planning_start", PlanningStart(message="다시")), (None, Token(text="x"))]
    )
    assert again[0] == first
    assert [frame["seq"] for frame in await events.read("s")] == [1, 2]


async def test_a_superseded_run_adds_nothing_and_does_not_hurt_others(db: Database) -> None:
    gone, well = await _begun(db, "gone"), await _begun(db, "well")
    await Runs(db).cancel(gone.run_id)
    events = Events(db)
    refused, added = await asyncio.gather(
        events.extend(_tail(gone), [(None, Token(text="x"))]),
        events.extend(_tail(well), [(None, Token(text="y"))]),
        return_exceptions=True,
    )
    assert isinstance(refused, Fenced)
    assert not isinstance(added, BaseException)
    assert await _texts(db, "gone") == []
    assert await _texts(db, "well") == ["y"]


async def test_what_no_database_can_hold_is_replaced_in_the_log(db: Database) -> None:
    run = await _begun(db)
    events = Events(db)
    told = await events.extend(_tail(run), [(None, Token(text=text)) for text in ("a\x00b", "\ud800", "\\u0000", "😀")])
    assert told == await events.read("s")
    assert await _texts(db) == ["a\ufffdb", "\ufffd", "\\u0000", "😀"]


async def test_several_statements_in_one_round_trip_are_one_transaction() -> None:
    db = await Database.open("sqlite://")
    made = "INSERT INTO users (name) VALUES (:name) RETURNING name; INSERT INTO users (name) VALUES (:name)"
    with pytest.raises(Conflict):
        await db.once(made, {"name": "영희"})
    async with db.reader() as reader:
        assert await reader.fetch("SELECT * FROM users") == []
    await db.close()
