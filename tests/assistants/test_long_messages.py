"""A long message is read beside the event loop, and ends with an answer or a refusal that says why."""

import asyncio
import threading
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from madang import threads
from madang.errors import TooMuchText
from tests.support.homes import Talk as Tenant
from tests.support.trips import Traveller
from tests.support.works import Talk as Worker

NATURAL = {
    "homes": "집주인이 전세금을 5% 넘게 올려 달라고 합니다. 계약은 2년 전에 했고 보증금은 2억 8천만원입니다. ",
    "works": "지난달 서울 지역 거래처별 매출을 보여 주세요. 3월 5일 방문한 병원의 처방 금액은 1,200만원이었습니다. ",
    "travel": "다음 달 3일부터 4박 5일로 부모님과 오사카에 가고 싶어요. 예산은 1인당 120만원이고 온천을 좋아해요. ",
}
HOSTILE = "전세 " * 1500 + " " * 4000 + "1," * 2000 + "\n" * 3000 + "제" * 2000 + "((" * 1000
LENGTH = 20_000
Say = Callable[[str], Awaitable[dict[str, Any]]]


class Heart:
    """Beats on the event loop. `beside` counts the beats while a thread worked on a text."""

    def __init__(self) -> None:
        self.beside = 0

    async def beat(self) -> None:
        while True:
            self.beside += any(thread.name.startswith("work on text") for thread in threading.enumerate())
            await asyncio.sleep(0)


def talker(name: str, folder: Path) -> Say:
    if name == "homes":
        return Tenant().say
    return Worker(folder).say if name == "works" else Traveller().say


@pytest.mark.parametrize("kind", ["natural", "hostile"])
@pytest.mark.parametrize("name", ["homes", "works", "travel"])
async def test_the_loop_goes_on_while_a_long_message_is_read(
    name: str, kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(threads, "LIMIT", 3.0)
    text = ((NATURAL[name] * 400) if kind == "natural" else HOSTILE * 2)[:LENGTH]
    heart = Heart()
    beating = asyncio.create_task(heart.beat())
    [told] = await asyncio.gather(talker(name, tmp_path)(text), return_exceptions=True)
    beating.cancel()
    assert heart.beside > 0
    if isinstance(told, BaseException):
        assert isinstance(told, TooMuchText)
    elif not told.get("__interrupt__"):  # a question back is an answer, too
        assert told["messages"][-1].type == "ai"
        assert told["messages"][-1].content
