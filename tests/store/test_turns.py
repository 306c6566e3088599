"""A turn's way through the database: queued, claimed, ended, given back, cancelled; and the log, on both databases."""

import asyncio
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import pytest

from madang.errors import Conflict, Fenced, IllegalTransition, InvalidInput, NotFound, SessionBusy
from madang.events import Cancelled, PlanningStart, Token
from madang.store.database import Database
from madang.store.events import Events, Tail
from madang.store.messages import Messages
from madang.store.owners import Owner
from madang.store.run_options import RunOptions
from madang.store.runs import Run, Runs
from madang.store.sessions import Sessions
from madang.store.turns import NewRun, Reply, Turns
from tests.support.runs import begun

HERE, THERE = Owner("worker-1", "here", 100), Owner("worker-2", "there", 200)


def nobody(_owners: Iterable[str]) -> list[str]:
    """No owner is known to be dead."""
    return []


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
    run = await _asked(
        db, input={"query": "전세금 5%?"}, request_id="q", metadata={"a": 1}, options=RunOptions(context={"a": 1})
    )
    assert (run.status, run.attempts, run.owner_id, run.options.context) == ("running", 1, "worker-1", {"a": 1})
    assert await Runs(db).get(run.run_id) == run
    reply = Reply("됩니다.", {"type": "answer"})
    ended = (await Turns(db).end(run, "completed", result={"n": 1}, usage={"tokens": 3}, reply=reply)).run
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


async def test_of_the_queued_runs_the_one_with_the_lowest_priority_number_is_next(turns: Turns, runs: Runs) -> None:
    async def queued(**options: Any) -> Run:
        return await turns.queue("s", NewRun(options=RunOptions(**options)))

    made = [
        await queued(priority=5),
        await queued(),
        await queued(),
        await queued(priority=-3),
        await queued(priority=-5, not_before="2020-01-01T00:00:00+00:00"),
    ]
    taken = []
    while (run := await runs.next_queued("s")) is not None:
        taken.append(made.index(run))
        await turns.end(await turns.claim(run, HERE, 30), "completed")
    # The last was to wait for its time: it keeps its place among the session's.
    assert taken == [3, 1, 2, 4, 0]


async def test_of_many_claims_one_wins(turns: Turns, runs: Runs) -> None:
    made = [await turns.queue("s", NewRun()) for _ in range(3)]
    claims = [turns.claim(run, HERE, 30, message="네") for run in made for _ in range(5)]
    results = await asyncio.gather(*claims, return_exceptions=True)
    assert sum(isinstance(result, Run) for result in results) == 1
    assert {type(r) for r in results} <= {Run, SessionBusy, IllegalTransition}
    assert len((await runs.list("s", status="running")).items) == 1


async def test_a_run_that_waits_goes_on_with_the_answer(db: Database, turns: Turns) -> None:
    run = await begun(db, "s", request_id="q", options=RunOptions(context=1))
    waiting = (await turns.end(run, "interrupted")).run
    assert waiting.ended_at is None
    again = await turns.claim(waiting, THERE, 30, options=RunOptions(context=2), message="네")
    assert (again.options.context, again.attempts) == (2, 2)
    assert again.fence > run.fence
    [said] = (await Messages(db).list("s")).items
    assert (said.role, said.content, said.request_id, said.run_id) == ("user", "네", "q", run.run_id)
    with pytest.raises(IllegalTransition):
        await turns.claim(waiting, HERE, 30, message="네")
    assert len((await Messages(db).list("s")).items) == 1
    await turns.end(again, "interrupted")
    assert (await turns.cancel(run.run_id)).run.status == "cancelled"
    with pytest.raises(IllegalTransition):
        await turns.cancel(run.run_id)
    with pytest.raises(NotFound):
        await turns.cancel("nothing")


async def test_a_token_is_void_once_another_holder_has_claimed(db: Database, turns: Turns) -> None:
    old = await begun(db, "s")
    queued = await turns.requeue(old)
    assert await turns.heartbeat([old], 30) == (set(), set())
    new = await turns.claim(queued, THERE, 30)
    assert new.fence > old.fence
    assert await turns.heartbeat([old], 30) == (set(), set())
    for stale in (turns.end(old, "completed", reply=Reply("늦음")), turns.release(old), turns.requeue(old)):
        with pytest.raises(Fenced):
            await stale
    assert (await turns.end(new, "failed", error={"code": "x"})).run.error == {"code": "x"}
    assert (await Messages(db).list("s")).items == []


async def test_a_heartbeat_extends_the_lease_and_saves_from_being_requeued(
    db: Database, turns: Turns, runs: Runs
) -> None:
    run = await begun(db, "s", lease=-1)
    seen = (await runs.find_orphans(nobody))[0]
    assert await turns.heartbeat([run, replace(run, run_id="gone")], 60) == ({run.run_id}, set())
    assert await runs.find_orphans(nobody) == []
    with pytest.raises(Fenced):
        await turns.requeue(seen)
    assert (await runs.get(run.run_id)).status == "running"


async def test_a_heartbeat_tells_what_is_to_be_cancelled(db: Database, turns: Turns, runs: Runs) -> None:
    await Sessions(db).create("t")
    one, two = await begun(db, "s"), await begun(db, "t")
    await runs.control(two.run_id, "todo_skip", {"step_id": "step_0"})
    await runs.control(one.run_id, "cancel")
    assert await turns.heartbeat([one, two], 30) == ({one.run_id, two.run_id}, {one.run_id})


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


async def test_the_same_request_at_the_same_moment_is_one_run(db: Database, turns: Turns) -> None:
    new = NewRun(request_id="q", message="전세")
    began = await asyncio.gather(*(turns.begin("s", new, HERE, 30) for _ in range(4)))
    [run] = [one for one in began if one is not None]
    again = await asyncio.gather(*(turns.queue("s", new) for _ in range(4)))
    assert {one.run_id for one in again} == {run.run_id}
    assert [m.content for m in (await Messages(db).list("s")).items] == ["전세"]
    other = await turns.queue("s", NewRun(request_id="q", continues=run.run_id))
    assert other.run_id != run.run_id


async def test_the_same_request_is_another_one_in_another_session(db: Database, turns: Turns) -> None:
    await Sessions(db).create("t")
    one, two = await turns.queue("s", NewRun(request_id="q")), await turns.queue("t", NewRun(request_id="q"))
    assert one.run_id != two.run_id


async def test_what_is_queued_behind_a_question_waits_for_it(db: Database, turns: Turns, runs: Runs) -> None:
    asking = await begun(db, "s")
    behind = await turns.queue("s", NewRun())
    asked = (await turns.end(asking, "interrupted")).run
    assert await runs.queued() == []
    with pytest.raises(SessionBusy):
        await turns.claim(behind, HERE, 30)
    going_on = await turns.claim(asked, HERE, 30, message="네")
    await turns.end(going_on, "completed")
    assert (await turns.claim(behind, HERE, 30)).status == "running"


async def test_of_the_same_answer_sent_at_once_one_is_taken_and_stored(db: Database, turns: Turns) -> None:
    asked = (await turns.end(await begun(db, "s"), "interrupted")).run
    taken = await asyncio.gather(
        *(turns.claim(asked, HERE, 30, message="네") for _ in range(4)), return_exceptions=True
    )
    assert sum(isinstance(one, Run) for one in taken) == 1
    assert [m.content for m in (await Messages(db).list("s")).items] == ["네"]


async def test_an_answer_to_an_earlier_question_is_not_taken_for_the_next(db: Database, turns: Turns) -> None:
    first = (await turns.end(await begun(db, "s"), "interrupted")).run
    await turns.end(await turns.claim(first, HERE, 30, message="네"), "interrupted")
    with pytest.raises(Conflict):
        await turns.claim(first, HERE, 30, message="네")
    assert [m.content for m in (await Messages(db).list("s")).items] == ["네"]


@pytest.mark.parametrize("known", [True, False])
async def test_the_last_event_the_status_and_the_message_are_stored_together(db: Database, known: bool) -> None:
    run = await _asked(db)
    events, turns = Events(db), Turns(db)
    tail = _tail(run)
    await events.extend(tail, [(None, Token(text="a"))])
    if not known:
        await events.append("s", None, None, [(None, Token(text="b"))])
    last = [("cancelled", Cancelled(message="취소", kept={}))]
    told = await turns.end(run, "cancelled", reply=Reply("반쯤"), events=last, tail=tail)
    assert told.run.status == "cancelled"
    assert [frame["type"] for frame in told.frames] == ["cancelled"]
    assert (await events.read("s"))[-1] == told.frames[0]
    assert told.frames[0]["seq"] == await events.last_seq("s") == (2 if known else 3)
    assert [m.content for m in (await Messages(db).list("s")).items][1:] == ["반쯤"]
    with pytest.raises(Fenced):
        await turns.end(run, "completed", events=[("response", Token(text="late"))], tail=_tail(run, 2))
    assert await events.last_seq("s") == told.frames[0]["seq"]


async def test_a_run_whose_process_died_is_counted_and_can_be_given_up(db: Database, turns: Turns, runs: Runs) -> None:
    run = await begun(db, "s", lease=-1)
    assert (await turns.release(run)).deaths == 0
    again = await turns.claim(await runs.get(run.run_id), HERE, -1)
    assert (await turns.requeue(again)).deaths == 1
    third = await turns.claim(await runs.get(run.run_id), HERE, -1)
    told = await turns.give_up(third, "failed", [("error", Token(text="끝"))], error={"code": "died_twice"})
    assert (told.run.status, told.run.deaths, told.run.error) == ("failed", 2, {"code": "died_twice"})
    assert len(told.frames) == 1
    with pytest.raises(Fenced):
        await turns.give_up(third, "failed", [("error", Token(text="끝"))], error={"code": "died_twice"})
    assert await Events(db).last_seq("s") == 1


async def test_the_lease_ends_by_the_databases_clock(db: Database, turns: Turns, runs: Runs, monkeypatch: Any) -> None:
    """A process whose clock is a day ahead holds its runs no longer than others, and takes nobody's."""
    run = await begun(db, "s", lease=60)
    monkeypatch.setattr("madang.store.turns.now", lambda: "2099-01-01T00:00:00.000000+00:00")
    assert await runs.find_orphans(nobody) == []
    await turns.heartbeat([run], 60)
    held = (await runs.get(run.run_id)).lease_until
    assert held is not None
    assert held < "2099"


async def test_turns_queue_in_their_order_whatever_the_clocks_of_their_servers_say(db: Database) -> None:
    """The first ones were queued by a server whose clock is an hour ahead."""
    await Sessions(db).create("s")
    turns, runs = Turns(db), Runs(db)
    queued = [await turns.queue("s", NewRun(request_id="0"))]
    async with db.transaction() as tx:
        await tx.execute("UPDATE runs SET created_at = '2100-01-01T00:00:00.000000+00:00'")
    queued += [await turns.queue("s", NewRun(request_id=str(number))) for number in range(1, 6)]
    assert [run.run_id for run in await runs.open("s")] == [run.run_id for run in queued]


async def test_no_turn_is_claimed_before_one_that_was_begun(db: Database) -> None:
    """Who claims it looked for the next turn while the other one was still running."""
    await Sessions(db).create("s")
    turns = Turns(db)
    died = await begun(db, "s", lease=-1, request_id="1")
    later = await turns.queue("s", NewRun(request_id="2"))
    died = await turns.requeue(died)
    with pytest.raises(Conflict):
        await turns.claim(later, Owner(), 30)
    died = await turns.claim(died, Owner(), 30)
    await turns.end(died, "completed")
    assert (await turns.claim(later, Owner(), 30)).status == "running"
