"""A turn's way through the database: queued, claimed, ended, given back, cancelled; and the log, on both databases."""

import asyncio
from datetime import UTC, datetime
from typing import Any

import pytest

from madang.errors import Conflict, Fenced, IllegalTransition, InvalidInput, NotFound, SessionBusy
from madang.events import PlanningStart, Token
from madang.store.database import Database
from madang.store.events import Events, Tail
from madang.store.messages import Messages
from madang.store.runs import Run, Runs
from madang.store.sessions import Sessions
from madang.store.turns import NewRun, Owner, Reply, Turns
from tests.support.runs import begun

HERE, THERE = Owner("here", 100, "worker-1"), Owner("there", 200, "worker-2")


@pytest.fixture
async def turns(db: Database) -> Turns:
    await Sessions(db).create("s")
    return Turns(db)


@pytest.fixture
def runs(db: Database) -> Runs:
    return Runs(db)


async def _asked(db: Database, session_id: str = "s", **given: Any) -> Run:
    """A turn with a question, in a new session."""
    await Sessions(db).create(session_id, assistant="homes")
    return await begun(db, session_id, owner=HERE, assistant="homes", message="전세금 5%?", **given)


def _tail(run: Run, last: int = 0) -> Tail:
    return Tail(run.session_id, run.run_id, run.fence, run.request_id, last)


async def _texts(db: Database, session_id: str = "s") -> list[str]:
    return [str(frame.get("text")) for frame in await Events(db).read(session_id)]


async def test_a_turn_begins_with_its_question_and_ends_with_its_answer(db: Database) -> None:
    run = await _asked(db, input={"query": "전세금 5%?"}, request_id="q", metadata={"a": 1}, kwargs={"context": {}})
    assert (run.status, run.attempts, run.owner_id, run.kwargs) == ("running", 1, "worker-1", {"context": {}})
    assert await Runs(db).get(run.run_id) == run
    reply = Reply("됩니다.", {"type": "answer"})
    ended = await Turns(db).end(run, "completed", result={"n": 1}, usage={"tokens": 3}, reply=reply)
    assert (ended.status, ended.result, ended.usage, ended.owner_id) == ("completed", {"n": 1}, {"tokens": 3}, None)
    assert ended.started_at is not None
    assert ended.ended_at is not None
    said = (await Messages(db).list("s")).items
    assert [(m.role, m.content, m.request_id, m.run_id) for m in said] == [
        ("user", "전세금 5%?", "q", run.run_id),
        ("assistant", "됩니다.", "q", run.run_id),
    ]
    session = await Sessions(db).get("s")
    assert (session.message_count, session.last_message) == (2, "됩니다.")


@pytest.mark.parametrize("status", ["queued", "running", "interrupted"])
async def test_a_turn_waits_while_another_is_open_and_leaves_nothing(
    db: Database, turns: Turns, runs: Runs, status: str
) -> None:
    first = await turns.queue("s", NewRun())
    if status != "queued":
        first = await turns.claim(first, THERE, 30)
    if status == "interrupted":
        await turns.end(first, "interrupted")
    assert await turns.begin("s", NewRun(message="둘째"), HERE, 30) is None
    assert (await Messages(db).list("s")).items == []
    assert [run.run_id for run in (await runs.list("s")).items] == [first.run_id]


async def test_of_many_that_begin_at_once_one_does(db: Database, turns: Turns) -> None:
    begun = await asyncio.gather(*(turns.begin("s", NewRun(message=str(n)), HERE, 30) for n in range(8)))
    assert sum(run is not None for run in begun) == 1
    assert len((await Messages(db).list("s")).items) == 1


async def test_a_turn_of_no_session_or_a_known_run_id_does_not_begin(db: Database) -> None:
    assert await Turns(db).begin("nowhere", NewRun(), HERE, 30) is None
    run = await _asked(db, run_id="mine")
    await Turns(db).end(run, "completed")
    assert await Turns(db).begin("s", NewRun(run_id="mine", message="다시"), HERE, 30) is None
    assert len((await Messages(db).list("s")).items) == 1
    with pytest.raises(InvalidInput):
        await Turns(db).begin("s", NewRun(message="\x00"), HERE, 30)


async def test_a_queued_run_is_durable_with_its_question(db: Database, turns: Turns, runs: Runs) -> None:
    new = NewRun(assistant="homes", input={"query": "전세"}, request_id="q1", metadata={"a": 1}, message="전세")
    made = await turns.queue("s", new)
    assert (made.status, made.fence, made.input, made.started_at) == ("queued", 0, {"query": "전세"}, None)
    assert await runs.get(made.run_id) == made
    [said] = (await Messages(db).list("s")).items
    assert (said.content, said.run_id) == ("전세", made.run_id)
    with pytest.raises(Conflict):
        await turns.queue("s", NewRun(run_id=made.run_id, message="또"))
    with pytest.raises(NotFound):
        await turns.queue("nowhere", NewRun())
    with pytest.raises(NotFound):
        await runs.get("nothing")
    assert len((await Messages(db).list("s")).items) == 1


async def test_only_one_run_of_a_session_runs(turns: Turns, runs: Runs) -> None:
    first, second = await turns.queue("s", NewRun()), await turns.queue("s", NewRun())
    held = await turns.claim(first, HERE, 30)
    assert (held.status, held.owner_host, held.owner_pid, held.attempts) == ("running", "here", 100, 1)
    with pytest.raises(SessionBusy) as busy:
        await turns.claim(second, THERE, 30)
    assert busy.value.details["run_id"] == first.run_id
    assert await runs.queued() == []
    await turns.end(held, "completed")
    assert await runs.next_queued("s") == second
    assert await runs.queued() == [second]
    await turns.claim(second, THERE, 30)


async def test_of_many_claims_one_wins(turns: Turns, runs: Runs) -> None:
    made = [await turns.queue("s", NewRun()) for _ in range(3)]
    claims = [turns.claim(run, HERE, 30, message="네") for run in made for _ in range(5)]
    results = await asyncio.gather(*claims, return_exceptions=True)
    assert sum(isinstance(result, Run) for result in results) == 1
    assert {type(r) for r in results} <= {Run, SessionBusy, IllegalTransition}
    assert len((await runs.list("s", status="running")).items) == 1


async def test_a_run_that_waits_goes_on_with_the_answer(db: Database, turns: Turns) -> None:
    run = await begun(db, "s", request_id="q", kwargs={"context": 1})
    waiting = await turns.end(run, "interrupted")
    assert waiting.ended_at is None
    again = await turns.claim(waiting, THERE, 30, kwargs={"context": 2}, message="네")
    assert (again.kwargs, again.attempts) == ({"context": 2}, 2)
    assert again.fence > run.fence
    [said] = (await Messages(db).list("s")).items
    assert (said.role, said.content, said.request_id, said.run_id) == ("user", "네", "q", run.run_id)
    with pytest.raises(IllegalTransition):
        await turns.claim(waiting, HERE, 30, message="네")
    assert len((await Messages(db).list("s")).items) == 1
    await turns.end(again, "interrupted")
    assert (await turns.cancel(run.run_id)).status == "cancelled"
    with pytest.raises(IllegalTransition):
        await turns.cancel(run.run_id)
    with pytest.raises(NotFound):
        await turns.cancel("nothing")


async def test_a_token_is_void_once_another_holder_has_claimed(db: Database, turns: Turns) -> None:
    old = await begun(db, "s")
    queued = await turns.requeue(old)
    assert await turns.heartbeat({old.run_id: old.fence}, 30) == (set(), set())
    new = await turns.claim(queued, THERE, 30)
    assert new.fence > old.fence
    assert await turns.heartbeat({old.run_id: old.fence}, 30) == (set(), set())
    for stale in (turns.end(old, "completed", reply=Reply("늦음")), turns.release(old), turns.requeue(old)):
        with pytest.raises(Fenced):
            await stale
    assert (await turns.end(new, "failed", error={"code": "x"})).error == {"code": "x"}
    assert (await Messages(db).list("s")).items == []


async def test_a_heartbeat_extends_the_lease_and_saves_from_being_requeued(
    db: Database, turns: Turns, runs: Runs
) -> None:
    run = await begun(db, "s", lease=-1)
    seen = (await runs.find_orphans(datetime.now(UTC), "other", ()))[0]
    assert await turns.heartbeat({run.run_id: run.fence, "gone": 1}, 60) == ({run.run_id}, set())
    assert await runs.find_orphans(datetime.now(UTC), "other", ()) == []
    with pytest.raises(Fenced):
        await turns.requeue(seen)
    assert (await runs.get(run.run_id)).status == "running"


async def test_a_heartbeat_tells_what_is_to_be_cancelled(db: Database, turns: Turns, runs: Runs) -> None:
    await Sessions(db).create("t")
    one, two = await begun(db, "s"), await begun(db, "t")
    held = {run.run_id: run.fence for run in (one, two)}
    await runs.control(two.run_id, "todo_skip", {"step_id": "step_0"})
    await runs.control(one.run_id, "cancel")
    assert await turns.heartbeat(held, 30) == (set(held), {one.run_id})


async def test_cancelling_voids_the_holders_token(db: Database) -> None:
    run = await _asked(db)
    await Turns(db).cancel(run.run_id)
    with pytest.raises(Fenced):
        await Turns(db).end(run, "completed", reply=Reply("늦음"))
    assert (await Runs(db).get(run.run_id)).status == "cancelled"
    assert [m.role for m in (await Messages(db).list("s")).items] == ["user"]


async def test_illegal_ends_are_refused(db: Database, turns: Turns) -> None:
    run = await begun(db, "s")
    for status in ("running", "done"):
        with pytest.raises(IllegalTransition):
            await turns.end(run, status)
    assert (await turns.release(run)).status == "queued"
    with pytest.raises(Fenced):
        await turns.end(run, "completed")


async def test_a_token_goes_with_its_session(db: Database, turns: Turns) -> None:
    run = await begun(db, "s")
    await Sessions(db).delete("s")
    with pytest.raises(Fenced):
        await turns.end(run, "completed")


async def test_a_run_answers_once(db: Database) -> None:
    run = await _asked(db)
    await Messages(db).append("s", "assistant", "먼저", run_id=run.run_id)
    await Turns(db).end(run, "completed", reply=Reply("나중"))
    assert [m.content for m in (await Messages(db).list("s")).items][1:] == ["먼저"]
    assert (await Sessions(db).get("s")).message_count == 2


async def test_the_log_is_extended_for_many_sessions_at_once(db: Database) -> None:
    runs = [await _asked(db, f"s{n}") for n in range(6)]
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
    run = await _asked(db)
    events, tail = Events(db), _tail(run)
    await events.extend(tail, [(None, Token(text="a"))])
    await events.append("s", None, None, [(None, Token(text="b"))])
    [frame] = await events.extend(tail, [(None, Token(text="c"))])
    assert frame["seq"] == 3
    await events.extend(tail, [(None, Token(text="d"))])
    assert await _texts(db) == ["a", "b", "c", "d"]


async def test_an_event_that_is_in_the_log_is_not_added_again(db: Database) -> None:
    run = await _asked(db)
    events = Events(db)
    [first] = await events.extend(_tail(run), [("planning_start", PlanningStart(message="계획"))])
    again = await events.extend(
        _tail(run, 1), [("planning_start", PlanningStart(message="다시")), (None, Token(text="x"))]
    )
    assert again[0] == first
    assert [frame["seq"] for frame in await events.read("s")] == [1, 2]


async def test_a_superseded_run_adds_nothing_and_does_not_hurt_others(db: Database) -> None:
    gone, well = await _asked(db, "gone"), await _asked(db, "well")
    await Turns(db).cancel(gone.run_id)
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
    run = await _asked(db)
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
