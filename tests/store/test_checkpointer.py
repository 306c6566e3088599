"""`StateCheckpointer`: saved under chosen ids, beside the graph, the latest by time."""

from pathlib import Path
from typing import Any

import pytest

from madang.errors import InvalidName, InvalidState
from madang.store import SessionSaver, StateCheckpointer
from madang.store.database import Database
from tests.support.conversations import build, talk, thread


def state(**changes: Any) -> dict[str, Any]:
    base: dict[str, Any] = {
        "session_id": "s",
        "user_id": "u1",
        "current_phase": "planning",
        "progress_percentage": 40.0,
        "messages": [{"role": "user", "content": "지난달 매출"}],
        "planning_state": None,
        "agent_states": {},
    }
    return base | changes


async def test_a_state_comes_back_as_it_was_saved(db: Database) -> None:
    states = StateCheckpointer(SessionSaver(db))
    await states.save_checkpoint(state(), "after_planning")
    assert await states.restore_from_checkpoint("s", "after_planning") == state()
    assert await states.restore_from_checkpoint("s") == state()
    assert await states.restore_from_checkpoint("s", "unknown") is None
    assert await states.restore_from_checkpoint("unknown") is None


async def test_the_latest_is_the_one_saved_last_whatever_its_id(db: Database) -> None:
    states = StateCheckpointer(SessionSaver(db))
    for name in ("zzz", "mmm", "aaa"):
        await states.save_checkpoint(state(user_id=name), name)
    latest = await states.restore_from_checkpoint("s")
    assert latest is not None
    assert latest["user_id"] == "aaa"
    await states.save_checkpoint(state(user_id="again"), "mmm")
    again = await StateCheckpointer(SessionSaver(db)).restore_from_checkpoint("s")
    assert again is not None
    assert again["user_id"] == "again"
    listed = await states.list_checkpoints("s")
    assert [saved.checkpoint_id for saved in listed] == ["mmm", "aaa", "zzz"]
    assert (listed[0].phase, listed[0].progress) == ("planning", 40.0)


async def test_the_graphs_own_checkpoints_are_untouched(db: Database) -> None:
    saver = SessionSaver(db)
    await talk(saver, "s", turns=1)
    before = [saved async for saved in build(saver).aget_state_history(thread("s"))]
    await StateCheckpointer(saver).save_checkpoint(state(), "zzzz")
    fresh = SessionSaver(db)
    assert [saved async for saved in build(fresh).aget_state_history(thread("s"))] == before
    assert (await build(fresh).aget_state(thread("s"))).values["turn"] == 1


async def test_what_cannot_be_saved_is_refused(db: Database) -> None:
    states = StateCheckpointer(SessionSaver(db))
    with pytest.raises(InvalidState, match="session_id"):
        await states.save_checkpoint({"user_id": "u"}, "x")
    with pytest.raises(InvalidName):
        await states.save_checkpoint(state(), "")
    assert await states.list_checkpoints("s") == []


async def test_it_opens_a_database_of_its_own(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/checkpoints.db"
    async with StateCheckpointer(url) as states:
        await states.save_checkpoint(state(), "one")
    lazy = StateCheckpointer(url)
    assert await lazy.restore_from_checkpoint("s", "one") == state()
    await lazy.aclose()
    await lazy.aclose()
