"""Servers that only accept and workers that only run, over one Postgres."""

import asyncio

import pytest
from procrastinate.exceptions import ConnectorException
from procrastinate.manager import JobManager

from madang.errors import ConfigurationError, Conflict, NotFound, SessionBusy
from madang.runtime import Runtime, TurnRequest
from madang.store.run_options import RunOptions
from madang.store.turns import MOST_QUEUED, NewRun, Turns
from tests.support.runtimes import Gate, new_session, open_trip, questions, say
from tests.support.together import open_server, open_worker
from tests.support.trip_assistant import Services

PATIENT = 20


async def jobs(runtime: Runtime) -> list[tuple[str, str]]:
    """What waits in the queue or is being done: session and status."""
    async with runtime.db.reader() as reader:
        rows = await reader.fetch("SELECT queueing_lock, status FROM procrastinate_jobs ORDER BY id")
    return [(row["queueing_lock"], row["status"]) for row in rows]


async def test_a_turn_that_a_server_accepts_is_run_by_a_worker(postgres_url: str) -> None:
    services = Services()
    async with open_server(postgres_url) as server, open_worker(postgres_url, services) as worker:
        session = await new_session(server)
        run = await server.start(session, TurnRequest(text="오사카 3"))
        assert run.status == "queued"
        outcome = await asyncio.wait_for(server.outcome(run.run_id), PATIENT)
        assert outcome["status"] == "completed"
        assert services.calls["flight"] == 1
        assert len(server.runner) == len(worker.runner) == 0


async def test_a_queued_run_has_its_job_with_its_own_commit(postgres_url: str) -> None:
    async with open_server(postgres_url) as server:
        session = await new_session(server)
        await server.start(session, TurnRequest(text="오사카 3"))
        await server.start(session, TurnRequest(text="도쿄 2"))
        assert await jobs(server) == [(session, "todo")]
        other = await new_session(server)

        async def queue_both() -> None:
            async with server.db.transaction() as tx:
                await server.turns.queue(other, NewRun(assistant="trip"), tx=tx)
                await server.turns.queue("nobody", NewRun(assistant="trip"), tx=tx)

        with pytest.raises(NotFound):
            await queue_both()
        assert await jobs(server) == [(session, "todo")]


async def test_the_turns_of_a_session_run_one_after_another_in_their_order(postgres_url: str) -> None:
    async with open_server(postgres_url) as server:
        session = await new_session(server)
        runs = [await server.start(session, TurnRequest(text=f"오사카 {n}")) for n in (2, 3, 4)]
        async with open_worker(postgres_url), open_worker(postgres_url):
            for run in runs:
                assert (await asyncio.wait_for(server.wait(run.run_id), PATIENT)).status == "completed"
        ended = [(await server.runs.get(run.run_id)).ended_at or "" for run in runs]
        assert ended == sorted(ended)
        assert await jobs(server) == []


async def test_a_worker_runs_no_more_at_once_than_it_is_allowed(postgres_url: str) -> None:
    gate = Gate()
    async with open_server(postgres_url) as server:
        sessions = [await new_session(server) for _ in range(3)]
        runs = [await server.start(session, TurnRequest(text="오사카 3")) for session in sessions]
        async with open_worker(postgres_url, concurrency=1, agents=gate.agent()) as worker:
            await asyncio.wait_for(gate.entered.wait(), PATIENT)
            assert len(worker.runner) == 1
            assert [status for _, status in await jobs(server)] == ["doing", "todo", "todo"]
            gate.open.set()
            for run in runs:
                assert (await asyncio.wait_for(server.wait(run.run_id), PATIENT)).status == "completed"


async def test_a_worker_takes_the_turn_with_the_lowest_priority_number_first(postgres_url: str) -> None:
    async with open_server(postgres_url) as server:
        sessions = [await new_session(server) for _ in range(4)]
        runs = []
        for session, priority in [*zip(sessions, (3, 0, -1, 0), strict=True), (sessions[3], -5)]:
            asked = TurnRequest(text="오사카 3", options=RunOptions(priority=priority))
            runs.append(await server.start(session, asked))
        async with open_worker(postgres_url, concurrency=1):
            ended = [await asyncio.wait_for(server.wait(run.run_id), PATIENT) for run in runs]
    started = sorted(range(5), key=lambda number: ended[number].started_at or "")
    # The last made its session urgent; what else waits there has its turn after it, in its own place.
    assert started == [4, 2, 1, 3, 0]


async def test_a_worker_takes_only_the_turns_of_its_assistants(postgres_url: str) -> None:
    async with open_server(postgres_url) as server, open_worker(postgres_url) as worker:
        other = (await server.sessions.create(assistant="a" * 200)).session_id
        await Turns(server.db).queue(other, NewRun(assistant="a" * 200, request_id="b"))
        outcome = await asyncio.wait_for(say(server, await new_session(server), "오사카 3"), PATIENT)
        assert outcome["status"] == "completed"
        assert await jobs(worker) == [(other, "todo")]


async def test_an_answer_given_to_a_server_goes_on_in_a_worker(postgres_url: str) -> None:
    services = Services(asks={"itinerary"})
    async with open_server(postgres_url) as server, open_worker(postgres_url, services):
        session = await new_session(server)
        asked = await asyncio.wait_for(say(server, session, "오사카 3"), PATIENT)
        assert asked["status"] == "interrupted"
        [question] = await questions(server, session)
        answer = {question["interrupt_id"]: {"decision": "approve"}}
        taken = await asyncio.gather(*(server.resume(session, answer) for _ in range(3)), return_exceptions=True)
        [run] = [one for one in taken if not isinstance(one, BaseException)]
        assert (await asyncio.wait_for(server.wait(run.run_id), PATIENT)).status == "completed"


async def test_an_answer_goes_on_before_a_turn_that_waited_behind_the_question(postgres_url: str) -> None:
    """Until a worker takes it the answer's run is queued, as the other one is, which is older."""
    services, gate = Services(asks={"itinerary"}), Gate()
    async with open_server(postgres_url) as server:
        session = await new_session(server)
        async with open_worker(postgres_url, services, agents=gate.agent()):
            asking = await server.start(session, TurnRequest(text="오사카 3"))
            await asyncio.wait_for(gate.entered.wait(), PATIENT)
            behind = await server.start(session, TurnRequest(text="도쿄 2"))
            gate.open.set()
            assert (await asyncio.wait_for(server.wait(asking.run_id), PATIENT)).status == "interrupted"
        [question] = await questions(server, session)
        answer = {question["interrupt_id"]: {"decision": "approve"}}
        answered = await server.resume(session, answer, TurnRequest())
        assert answered.status == "queued"
        with pytest.raises(Conflict):
            await server.turns.claim(await server.runs.get(behind.run_id), server.runner.owner, 10)
        services.asks = set()
        async with open_worker(postgres_url, services):
            for run in (answered, behind):
                assert (await asyncio.wait_for(server.wait(run.run_id), PATIENT)).status == "completed"
        said = [frame["request_id"] for frame in await server.events.read(session) if frame["type"] == "response"]
        assert said == [asking.request_id, behind.request_id]


async def test_a_server_cancels_what_a_worker_runs_before_its_next_sign_of_life(postgres_url: str) -> None:
    gate = Gate()
    # With this lease the worker would look by itself after twenty minutes.
    async with (
        open_server(postgres_url, lease=3600) as server,
        open_worker(postgres_url, lease=3600, agents=gate.agent()) as worker,
    ):
        session = await new_session(server)
        run = await server.start(session, TurnRequest(text="오사카 3"))
        await asyncio.wait_for(gate.entered.wait(), PATIENT)
        assert worker.link is not None
        await worker.link.listener.ready.wait()
        assert (await asyncio.wait_for(server.cancel(run.run_id), PATIENT)).status == "cancelled"
        frames = await server.events.read(session)
        assert [frame["type"] for frame in frames if frame["type"] in ("cancelled", "response")] == ["cancelled"]


async def test_what_a_worker_tells_is_heard_at_every_server(postgres_url: str) -> None:
    async with (
        open_server(postgres_url) as server,
        open_server(postgres_url) as other,
        open_worker(postgres_url),
    ):
        session = await new_session(server)
        heard: list[list[dict[str, object]]] = [[], []]

        async def follow(runtime: Runtime, into: list[dict[str, object]]) -> None:
            async for frame in runtime.hub.follow(session, 0):
                into.append(frame)
                if frame["type"] == "response":
                    return

        following = [asyncio.create_task(follow(one, into)) for one, into in zip((server, other), heard, strict=True)]
        await server.start(session, TurnRequest(text="오사카 3"))
        await asyncio.wait_for(asyncio.gather(*following), PATIENT)
        assert heard[0] == heard[1] == await server.events.read(session)


async def test_a_worker_that_stops_hands_its_turn_to_another(postgres_url: str) -> None:
    gate, services = Gate(), Services()
    async with open_server(postgres_url) as server:
        session = await new_session(server)
        async with open_worker(postgres_url, agents=gate.agent()) as worker:
            run = await server.start(session, TurnRequest(text="오사카 3"))
            await asyncio.wait_for(gate.entered.wait(), PATIENT)
            await worker.close(grace=0)
        assert (await server.runs.get(run.run_id)).status == "queued"
        assert ("todo") in [status for _, status in await jobs(server)]
        async with open_worker(postgres_url, services):
            assert (await asyncio.wait_for(server.wait(run.run_id), PATIENT)).status == "completed"


async def test_a_process_that_is_told_to_stop_takes_nothing_new_and_lets_its_turns_end(postgres_url: str) -> None:
    gate = Gate()
    async with open_server(postgres_url) as server, open_server(postgres_url, agents=gate.agent()) as worker:
        working = asyncio.create_task(worker.work(4))
        run = await server.start(await new_session(server), TurnRequest(text="오사카 3"))
        await asyncio.wait_for(gate.entered.wait(), PATIENT)
        worker.stop(PATIENT)
        assert await asyncio.wait([working], timeout=PATIENT) == ({working}, set())
        other = await server.start(await new_session(server), TurnRequest(text="오사카 3"))
        gate.open.set()
        assert (await asyncio.wait_for(server.wait(run.run_id), PATIENT)).status == "completed"
        assert (await server.runs.get(other.run_id)).status == "queued"


@pytest.mark.parametrize("statement", ["fetch_job", "update_heartbeat"])
async def test_a_worker_ends_though_what_it_asks_fails_as_it_is_cut_short(
    postgres_url: str, statement: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    entered = asyncio.Event()

    async def fails(*_: object) -> None:
        entered.set()
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            raise ConnectorException from None

    monkeypatch.setattr(JobManager, statement, fails)
    async with open_server(postgres_url) as runtime:
        working = asyncio.create_task(runtime.work(1))
        await asyncio.wait_for(entered.wait(), PATIENT)
        working.cancel()
        assert await asyncio.wait([working], timeout=PATIENT) == ({working}, set())


@pytest.mark.parametrize("statement", ["fetch_job", "finish_job"])
async def test_a_job_that_is_cut_off_as_its_worker_leaves_is_given_back(
    postgres_url: str, statement: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Taken and not begun, or over and not yet told: nothing stays behind as being done."""
    entered, real = asyncio.Event(), JobManager.fetch_job

    async def cut_off(self: JobManager, *given: object, **named: object) -> None:
        if statement == "fetch_job" and await real(self, *given) is None:  # type: ignore[arg-type]
            return
        entered.set()
        await asyncio.Event().wait()

    async with open_server(postgres_url) as server:
        session = await new_session(server)
        run = await server.start(session, TurnRequest(text="오사카 3"))
        with monkeypatch.context() as patched:
            patched.setattr(JobManager, statement, cut_off)
            async with open_worker(postgres_url):
                await asyncio.wait_for(entered.wait(), PATIENT)
        over = statement == "finish_job"
        assert (await server.runs.get(run.run_id)).status == ("completed" if over else "queued")
        assert await jobs(server) == ([] if over else [(session, "todo")])


async def test_a_server_ends_though_the_database_takes_no_last_words(
    postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A process that is told to end has half a minute; a database that is away may take as long to be given up."""
    entered = asyncio.Event()

    async def silent(*_: object) -> None:
        entered.set()
        await asyncio.Event().wait()

    async with open_server(postgres_url) as server:
        assert server.link is not None
        monkeypatch.setattr(server.db, "once", silent)
        server.link.tell("a session", 1)
        await asyncio.wait_for(entered.wait(), PATIENT)
        closing = asyncio.create_task(server.close(grace=0))
        assert await asyncio.wait([closing], timeout=PATIENT) == ({closing}, set())
        monkeypatch.undo()


async def test_the_queue_is_put_right_by_the_rows(postgres_url: str) -> None:
    """A job that was lost is put again; one whose worker is gone is forgotten."""
    async with open_server(postgres_url) as server:
        session = await new_session(server)
        run = await server.start(session, TurnRequest(text="오사카 3"))
        async with server.db.transaction() as tx:
            await tx.execute("UPDATE procrastinate_jobs SET status = 'doing', queueing_lock = 'gone'")
            await tx.execute("UPDATE procrastinate_events SET at = at - interval '1 hour'")
        await server.recovery.recover()
        assert await jobs(server) == [(session, "todo")]
        async with open_worker(postgres_url):
            assert (await asyncio.wait_for(server.wait(run.run_id), PATIENT)).status == "completed"


async def test_a_turn_for_later_is_in_no_queue_until_it_is_due(postgres_url: str) -> None:
    async with open_server(postgres_url) as server:
        session = await new_session(server)
        later = RunOptions(not_before="2999-01-01T00:00:00+00:00")
        run = await server.start(session, TurnRequest(text="오사카 3", options=later))
        await server.recovery.recover()
        assert await jobs(server) == []
        async with server.db.transaction() as tx:
            await tx.execute("UPDATE runs SET not_before = now() - interval '1 second'")
        await server.recovery.recover()
        assert await jobs(server) == [(session, "todo")]
        assert (await server.runs.get(run.run_id)).status == "queued"


async def test_a_session_may_not_have_any_number_of_turns_waiting(db_url: str) -> None:
    async with open_trip(db_url) as runtime:
        session = await new_session(runtime)
        for _ in range(MOST_QUEUED):
            await runtime.turns.queue(session, NewRun(assistant="trip"))
        with pytest.raises(SessionBusy):
            await runtime.turns.queue(session, NewRun(assistant="trip"))


async def test_sqlite_needs_no_workers_and_has_none(sqlite_url: str) -> None:
    with pytest.raises(ConfigurationError):
        async with open_trip(sqlite_url, begins=False):
            pass
    async with open_trip(sqlite_url) as runtime:
        with pytest.raises(ConfigurationError):
            await runtime.work(1)
