"""The event log: numbers without gaps, each event once, whoever writes."""

import asyncio
import json
import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from madang.errors import Fenced, InvalidInput, NotFound
from madang.events import Error, Event, PlanningStart, TodoUpdated, Token, to_wire
from madang.store.database import Database
from madang.store.events import Events, Frame
from madang.store.owners import Owner
from madang.store.runs import Runs
from madang.store.sessions import Sessions
from madang.store.turns import Turns
from tests.support.runs import begun


async def started(db: Database, session_id: str = "s") -> tuple[str, int]:
    await Sessions(db).create(session_id)
    run = await begun(db, session_id, request_id="q1")
    return run.run_id, run.fence


def tokens(*texts: str) -> list[tuple[str | None, Event]]:
    return [(None, Token(text=text)) for text in texts]


async def test_the_stored_form_is_the_wire_form(db: Database) -> None:
    run_id, fence = await started(db)
    events = Events(db)
    step = {"step_id": "step_0", "progress": 0.5, "목록": [None, True]}
    given = [("plan", PlanningStart(message="계획 중")), ("todo", TodoUpdated(execution_steps=[step]))]
    frames = await events.append("s", run_id, fence, given)
    assert frames == await events.read("s") == await events.of_run("s", run_id)
    for seq, (frame, (_, event)) in enumerate(zip(frames, given, strict=True), start=1):
        assert frame == to_wire(event, seq=seq, session_id="s", request_id="q1", timestamp=frame["timestamp"])


async def test_an_event_is_logged_once_under_its_key(db: Database) -> None:
    run_id, fence = await started(db)
    events = Events(db)
    first = await events.append("s", run_id, fence, [("a", Token(text="1")), ("b", Token(text="2"))])
    again = await events.append(
        "s", run_id, fence, [("b", Token(text="other")), ("c", Token(text="3")), ("c", Token(text="4"))]
    )
    assert [frame["seq"] for frame in again] == [2, 3, 3]
    assert again[0] == first[1]
    assert [frame["text"] for frame in await events.read("s")] == ["1", "2", "3"]
    assert await events.last_seq("s") == 3


async def test_keys_are_per_run_and_none_is_never_the_same(db: Database) -> None:
    run_id, fence = await started(db)
    events = Events(db)
    await events.append("s", run_id, fence, [("k", Token(text="1")), *tokens("2", "2")])
    await Turns(db).end(await Runs(db).get(run_id), "completed")
    other = await begun(db, "s")
    await events.append("s", other.run_id, other.fence, [("k", Token(text="3"))])
    assert [f["text"] for f in await events.read("s")] == ["1", "2", "2", "3"]
    assert [f["seq"] for f in await events.of_run("s", other.run_id)] == [4]


async def test_a_stale_writer_adds_nothing(db: Database) -> None:
    run_id, fence = await started(db)
    events, turns = Events(db), Turns(db)
    await events.append("s", run_id, fence, tokens("kept"))
    new = (await turns.claim(await turns.requeue(await Runs(db).get(run_id)), Owner(), 60)).fence
    with pytest.raises(Fenced):
        await events.append("s", run_id, fence, tokens("late"))
    await events.append("s", run_id, new, tokens("next"))
    await Sessions(db).delete("s")
    with pytest.raises(NotFound):
        await events.append("s", run_id, new, tokens("after the end"))
    await Sessions(db).create("s")
    with pytest.raises(Fenced):
        await events.append("s", run_id, new, tokens("after the end"))
    with pytest.raises(NotFound):
        await events.append("s", run_id, None, tokens("after the end"))
    assert await events.read("s") == []


async def test_events_without_a_run(db: Database) -> None:
    await Sessions(db).create("s")
    events = Events(db)
    frames = await events.append("s", None, None, [(None, Error(error="x", message="y"))], request_id="q9")
    assert frames[0]["request_id"] == "q9"
    assert await events.append("s", None, None, []) == []
    assert await events.last_seq("s") == 1
    with pytest.raises(NotFound):
        await events.last_seq("none")
    with pytest.raises(InvalidInput):
        await events.read("s", limit=0)


async def test_a_failed_append_gives_its_numbers_back(db: Database) -> None:
    run_id, fence = await started(db)
    events = Events(db)
    with pytest.raises(InvalidInput):
        await events.append("s", run_id, fence, [*tokens("1"), (None, TodoUpdated(execution_steps=[{"x": object()}]))])
    assert (await events.append("s", run_id, fence, tokens("2")))[0]["seq"] == 1


async def test_characters_that_no_database_holds_do_not_stop_the_log(db: Database) -> None:
    run_id, fence = await started(db)
    frames = await Events(db).append("s", run_id, fence, tokens("a\x00b", "half \ud83d"))
    assert [f["text"] for f in frames] == ["a\ufffdb", "half \ufffd"]
    assert await Events(db).read("s") == frames


async def test_many_writers_one_sequence(db: Database) -> None:
    run_id, fence = await started(db)
    await Sessions(db).create("other")
    events = Events(db)
    batches = [
        events.append("s", run_id, fence, [(f"{n}-{i}", Token(text=f"{n}-{i}")) for i in range(3)])
        for n in [*range(20), *range(10)]
    ]
    elsewhere = [events.append("other", None, None, tokens(str(n))) for n in range(10)]
    written: list[list[Frame]] = (await asyncio.gather(*batches, *elsewhere))[:30]
    stored = await events.read("s")
    assert [f["seq"] for f in stored] == list(range(1, 61))
    assert {f["text"] for f in stored} == {f"{n}-{i}" for n in range(20) for i in range(3)}
    by_seq = {f["seq"]: f for f in stored}
    assert all(by_seq[f["seq"]] == f for batch in written for f in batch)
    assert [f["seq"] for f in await events.read("other")] == list(range(1, 11))


WRITER = """
import asyncio, sys
from madang.events import Token
from madang.store.database import Database
from madang.store.events import Events

async def main(url, run_id, fence, name):
    db = await Database.open(url)
    events = Events(db)
    sys.stdin.readline()
    for n in range(15):
        await events.append("s", run_id, int(fence), [(f"shared-{n}", Token(text=f"shared-{n}")),
                                                      (f"{name}-{n}", Token(text=f"{name}-{n}"))])
    await db.close()

asyncio.run(main(*sys.argv[1:]))
"""


async def test_several_processes_one_sequence(db_url: str, db: Database) -> None:
    run_id, fence = await started(db)
    names = ["a", "b", "c"]
    writers = [
        subprocess.Popen([sys.executable, "-c", WRITER, db_url, run_id, str(fence), name], stdin=subprocess.PIPE)
        for name in names
    ]
    for writer in writers:
        assert writer.stdin is not None
        writer.stdin.write(b"\n")
        writer.stdin.close()
    assert [await asyncio.to_thread(writer.wait) for writer in writers] == [0, 0, 0]
    stored = await Events(db).read("s")
    assert [f["seq"] for f in stored] == list(range(1, 15 * 4 + 1))
    expected = {f"{name}-{n}" for name in [*names, "shared"] for n in range(15)}
    assert sorted(f["text"] for f in stored) == sorted(expected)


@settings(max_examples=10)
@given(
    batches=st.lists(st.lists(st.one_of(st.none(), st.sampled_from("abcde")), max_size=4), max_size=6),
    after=st.integers(0, 10),
    limit=st.integers(1, 8),
)
async def test_reading_from_any_number_on(
    db: Database, batches: list[list[str | None]], after: int, limit: int
) -> None:
    session = (await Sessions(db).create()).session_id
    run = await begun(db, session)
    events = Events(db)
    for batch in batches:
        await events.append(session, run.run_id, run.fence, [(key, Token(text=json.dumps(key))) for key in batch])
    given_keys = [key for batch in batches for key in batch]
    expected = given_keys.count(None) + len({key for key in given_keys if key is not None})
    stored = await events.read(session)
    assert [f["seq"] for f in stored] == list(range(1, expected + 1))
    assert await events.read(session, after, limit) == stored[after : after + limit]
    assert await events.last_seq(session) == expected
