"""What a run streams: bounded, numbered, kept for those who come back."""

import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st

from madang.runtime.streams import KEPT, LIVE, NOTED, RunStream, Streams
from tests.support.waiting import then


@given(st.integers(0, 3 * LIVE), st.integers(0, 3 * LIVE))
def test_what_follows_a_number_is_whole_or_the_newest(count: int, after: int) -> None:
    stream = RunStream(resumable=False)
    for n in range(count):
        stream.add(((), "custom", n))
    numbers = [part.number for part in stream.after(after)]
    assert numbers == list(range(max(after, count - LIVE) + 1, count + 1))


async def test_a_reader_is_woken_by_news_and_by_the_end() -> None:
    stream = RunStream(resumable=True)
    await asyncio.gather(stream.wait(0, 60), then(stream.begin, "run", 1))
    await asyncio.gather(stream.wait(stream.last, 60), then(stream.add, None))
    assert stream.ended


async def test_resumable_streams_are_kept_within_bounds() -> None:
    streams = Streams()
    for n in range(KEPT + 5):
        streams.open(str(n), resumable=True)
        streams.end(str(n))
    assert streams.find("4") is None
    kept = streams.find("5")
    assert kept is not None
    assert streams.open("5") is kept
    streams.open("passing")
    streams.end("passing")
    assert streams.find("passing") is None


async def test_what_is_kept_is_bounded_in_parts_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("madang.runtime.streams.KEPT_PARTS", 10)
    streams = Streams()
    for run in ("old", "new"):
        stream = streams.open(run, resumable=True)
        for n in range(8):
            stream.add(((), "custom", n))
        streams.end(run)
    assert streams.find("old") is None
    kept = streams.find("new")
    assert kept is not None
    assert kept.size == 8


async def test_those_who_follow_a_session_are_woken_and_told() -> None:
    streams = Streams()
    streams.tell("session", "nobody hears")
    with streams.following("session") as one, streams.following("session") as two:
        assert streams.followed("session")
        assert not streams.followed("other")
        await asyncio.gather(one.wait(), then(streams.tell, "session", "news"))
        assert one.take() == two.take() == ["news"]
        assert one.take() == []
        for n in range(2 * NOTED):
            streams.tell("session", n)
        assert one.take() == list(range(NOTED, 2 * NOTED))
        waiting = asyncio.create_task(two.wait())
        streams.close()
        await waiting
    assert not streams.followed("session")
