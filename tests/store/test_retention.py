"""Retention: by count and by age, per session and for all; what is kept stays readable."""

from datetime import UTC, datetime, timedelta

import pytest

from madang.errors import InvalidState
from madang.events import Token
from madang.store.attachments import Attachments
from madang.store.checkpointer import StateCheckpointer
from madang.store.database import Database
from madang.store.events import Events
from madang.store.memories import Memories
from madang.store.messages import Messages
from madang.store.retention import Pruned, Retention, prune
from madang.store.runs import Runs
from madang.store.saver import SessionSaver
from madang.store.sessions import Sessions
from madang.store.stats import stats
from madang.store.turns import NewRun, Turns
from tests.support.conversations import build, talk, thread
from tests.support.runs import begun


async def turns_with_events(db: Database, session_id: str, turns: int) -> list[str]:
    made = []
    for _ in range(turns):
        run = await begun(db, session_id)
        await Events(db).append(session_id, run.run_id, run.fence, [(None, Token(text="a")), (None, Token(text="b"))])
        await Turns(db).end(run, "completed")
        made.append(run.run_id)
    return made


async def history(db: Database, session_id: str) -> list[int]:
    graph = build(SessionSaver(db))
    return [state.values.get("turn", 0) async for state in graph.aget_state_history(thread(session_id))]


async def test_keeping_the_last(db: Database) -> None:
    await Sessions(db).create("s")
    saver = SessionSaver(db)
    await talk(saver, "s", turns=4)
    made = await turns_with_events(db, "s", 4)
    before = await build(SessionSaver(db)).aget_state(thread("s"))
    told: list[tuple[int, int]] = []
    gone = await prune(db, saver, Retention(keep_last=3), progress=lambda done, total: told.append((done, total)))
    assert gone.runs == 1
    assert gone.events == 2
    assert gone.checkpoints > 10
    assert told == [(1, 1)]
    assert len(await history(db, "s")) == 3
    after = await build(SessionSaver(db)).aget_state(thread("s"))
    assert after.values == before.values
    assert [f["seq"] for f in await Events(db).read("s")] == [3, 4, 5, 6, 7, 8]
    assert {run.run_id for run in (await Runs(db).list("s")).items} == set(made[1:])
    await talk(SessionSaver(db), "s", turns=1)
    assert (await build(SessionSaver(db)).aget_state(thread("s"))).values["turn"] == 5


async def test_numbers_go_on_when_every_event_is_gone(db: Database) -> None:
    await Sessions(db).create("s")
    await turns_with_events(db, "s", 2)
    later = datetime.now(UTC) + timedelta(days=9)
    gone = await prune(db, SessionSaver(db), Retention(max_age=timedelta(days=1)), at=later)
    assert (gone.runs, gone.events) == (2, 4)
    assert await Events(db).read("s") == []
    frames = await Events(db).append("s", None, None, [(None, Token(text="next"))])
    assert frames[0]["seq"] == 5


async def test_by_age_the_newest_checkpoint_stays(db: Database) -> None:
    await talk(SessionSaver(db), "s", turns=2)
    rule = Retention(max_age=timedelta(days=30))
    assert (await prune(db, SessionSaver(db), rule)).checkpoints == 0
    later = datetime.now(UTC) + timedelta(days=31)
    assert (await prune(db, SessionSaver(db), rule, at=later)).checkpoints > 0
    assert await history(db, "s") == [2]


async def test_a_sessions_own_rule_goes_first(db: Database) -> None:
    await Sessions(db).create("own", metadata={"retention": {"keep_last": 100}})
    await talk(SessionSaver(db), "own", turns=2)
    await talk(SessionSaver(db), "other", turns=2)
    full = len(await history(db, "own"))
    gone = await prune(db, SessionSaver(db), Retention(keep_last=1))
    assert gone.sessions == 1
    assert len(await history(db, "own")) == full
    assert len(await history(db, "other")) == 1


async def test_only_the_sessions_named(db: Database) -> None:
    for name in ("a", "b"):
        await talk(SessionSaver(db), name, turns=2)
    await prune(db, SessionSaver(db), Retention(keep_last=1), session_ids=["a"])
    assert len(await history(db, "a")) == 1
    assert len(await history(db, "b")) > 1


async def test_a_dry_run_counts_and_changes_nothing(db: Database) -> None:
    await Sessions(db).create("s")
    await talk(SessionSaver(db), "s", turns=2)
    await turns_with_events(db, "s", 2)
    before = await history(db, "s")
    would = await prune(db, SessionSaver(db), Retention(keep_last=1), dry_run=True)
    assert await history(db, "s") == before
    assert len(await Events(db).read("s")) == 4
    did = await prune(db, SessionSaver(db), Retention(keep_last=1))
    assert (did.checkpoints, did.runs) == (would.checkpoints, would.runs)


async def test_what_is_never_pruned(db: Database) -> None:
    await Sessions(db).create("s")
    saver = SessionSaver(db)
    await talk(saver, "s", turns=1, ask=True)
    saved = {"session_id": "s", "current_phase": "planning", "progress_percentage": 1.0}
    for name in ("one", "two"):
        await StateCheckpointer(saver).save_checkpoint(saved, name)
    await Messages(db).append("s", "user", "남는다")
    waiting = await Turns(db).queue("s", NewRun())
    await prune(db, saver, Retention(1, timedelta(0)), at=datetime.now(UTC) + timedelta(days=1))
    assert await StateCheckpointer(SessionSaver(db)).restore_from_checkpoint("s", "one") == saved
    assert len((await Messages(db).list("s")).items) == 1
    assert (await Runs(db).get(waiting.run_id)).status == "queued"
    state = await build(SessionSaver(db), ask=True).aget_state(thread("s"))
    assert state.interrupts[0].value == {"question": "계속할까요?"}


async def test_a_session_in_which_a_turn_runs_is_left_alone(db: Database) -> None:
    await Sessions(db).create("s")
    await talk(SessionSaver(db), "s", turns=2)
    await begun(db, "s")
    assert await prune(db, SessionSaver(db), Retention(keep_last=1)) == Pruned()


async def test_expired_memories_go(db: Database) -> None:
    await Memories(db).aput(("a",), "k", {}, ttl=-1)
    assert (await prune(db, SessionSaver(db), Retention())).memories == 1


@pytest.mark.parametrize("rule", [{"keep_last": 0}, {"keep_last": -3}, {"max_age": timedelta(days=-1)}])
def test_rules_that_make_no_sense(rule: dict[str, int]) -> None:
    with pytest.raises(InvalidState):
        Retention(**rule)  # type: ignore[arg-type]


async def test_sizes_per_table_session_and_turn(db: Database) -> None:
    await Sessions(db).create("big", title="큰 대화", assistant="homes")
    await talk(SessionSaver(db), "big", turns=3)
    await talk(SessionSaver(db), "small", turns=1)
    await Messages(db).append("big", "user", "x" * 5000)
    await Attachments(db).add("big", "계약서.txt", "txt", "x" * 9000, size=9000)
    found = await stats(db)
    assert [one.session_id for one in found.sessions] == ["big", "small"]
    big = found.sessions[0]
    assert (big.title, big.turns) == ("큰 대화", 3)
    assert big.parts["chat_messages"] > 0
    assert big.parts["attachments"] > 0
    assert big.bytes == sum(big.parts.values())
    assert big.bytes_per_turn == round(big.bytes / 3)
    assert {"checkpoints", "chunks", "run_events"} <= {table.name for table in found.tables}
    assert found.total_bytes > big.bytes
    assert (await stats(db, sessions=1)).session_count == 2
