"""What a run streams: bounded, numbered, kept for those who come back."""

import asyncio

from hypothesis import given
from hypothesis import strategies as st

from madang.runtime.streams import KEPT, LIVE, RunStream, Streams


@given(st.integers(0, 3 * LIVE), st.integers(0, 3 * LIVE))
def test_what_follows_a_number_is_whole_or_the_newest(count: int, after: int) -> None:
    stream = RunStream(resumable=False)
    for n in range(count):
        stream.add(((), "custom", n))
    numbers = [part.number for part in stream.after(after)]
    assert numbers == list(range(max(after, count - LIVE) + 1, count + 1))


async def test_a_reader_is_woken_by_news_and_by_the_end() -> None:
    stream = RunStream(resumable=True)
    waiting = asyncio.create_task(stream.wait(0, 60))
    await asyncio.sleep(0)
    stream.begin("run", 1)
    await waiting
    waiting = asyncio.create_task(stream.wait(stream.last, 60))
    await asyncio.sleep(0)
    stream.add(None)
    await waiting
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
