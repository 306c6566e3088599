"""Work on a user's text happens beside the event loop, and ends within a limit."""

import asyncio
import threading
from contextvars import ContextVar

import pytest

from madang import threads
from madang.errors import NotFound, TooMuchText
from madang.threads import in_thread

spoken: ContextVar[str] = ContextVar("spoken", default="")


async def test_the_loop_goes_on_meanwhile() -> None:
    begun, go_on = threading.Event(), threading.Event()

    def work(text: str) -> str:
        begun.set()
        assert go_on.wait(60)
        return f"{text} {spoken.get()}"

    spoken.set("in its own words")
    reading = asyncio.create_task(in_thread(work, "read"))
    await asyncio.to_thread(begun.wait)
    assert not reading.done()
    go_on.set()
    assert await reading == "read in its own words"


async def test_what_it_raises_is_raised() -> None:
    def fail() -> None:
        raise NotFound("nothing there")

    def stop() -> None:
        raise TimeoutError("a service didn't answer")

    with pytest.raises(NotFound, match="nothing there"):
        await in_thread(fail)
    with pytest.raises(TimeoutError, match="a service"):
        await in_thread(stop)


async def test_what_takes_too_long_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(threads, "LIMIT", 0.05)
    go_on, ended = threading.Event(), threading.Event()

    def work() -> None:
        while not go_on.is_set():
            sum(range(1000))
        ended.set()

    with pytest.raises(TooMuchText, match="나누어 보내 주세요") as caught:
        await in_thread(work)
    assert caught.value.code == "too_much_text"
    go_on.set()
    await asyncio.to_thread(ended.wait)


async def test_what_only_waits_for_its_turn_is_not_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(threads, "LIMIT", 0.05)
    go_on = threading.Event()

    def work() -> str:
        go_on.wait(60)
        return "read"

    reading = asyncio.create_task(in_thread(work))
    for _ in range(50):
        await asyncio.wait([reading], timeout=0.01)
    assert not reading.done()
    go_on.set()
    assert await reading == "read"
