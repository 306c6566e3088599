"""Asking the served assistants: the first question beside the third, long messages beside short ones, from cold.

One `madang serve` with the three assistants, without a model, over SQLite, in a process of its own.
"""

import asyncio
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median

import httpx

from bench import CHECKOUT, Row
from bench.workers import ready
from tests.support.ports import free_port

QUESTIONS = {
    "homes": ("전세금을 5% 넘게 올려 달라는데 거절해도 되나요?", "보일러가 고장났는데 수리비는 누가 내나요?"),
    "travel": ("오사카 3박4일 둘이 250만원", "부산 2박3일 가족 4명 120만원"),
    "works": ("지난달 지점별 매출 보여줘", "올해 제품별 매출 상위 5개"),
}
STORIES = {
    "homes": "작년 3월에 이사 와서 보증금 3천에 월 60으로 살고 있는데 겨울에 벽에 물이 맺혀서 집주인에게 말했어요. ",
    "travel": "작년에는 친구랑 후쿠오카에 갔는데 비가 와서 고생했고 올해는 부모님과 천천히 걷고 싶어요. ",
    "works": "어제 회의에서 지점마다 사정이 다르다는 이야기가 나왔고 거래처 담당이 바뀐 곳도 있었습니다. ",
}
SHORT, LONG = 2_000, 20_000
ASK = "전세금을 5% 넘게 올려 달라는데 거절해도 되나요?"


def asking() -> list[Row]:
    """First over third question, 20,000 over 2,000 characters with what others wait meanwhile, `madang ask` cold."""
    with tempfile.TemporaryDirectory() as folder, _served(Path(folder)) as port:
        rows = asyncio.run(_measured(port))
    return [*rows, *_cold()]


async def _measured(port: int) -> list[Row]:
    await ready(port)
    rows = []
    async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}/api/v1", timeout=300) as http:
        for name, (first, later) in QUESTIONS.items():
            begun = await _asked(http, name, first)
            await _asked(http, name, later)
            rows.append(
                Row(
                    measure=f"{name}: first question after the server is ready",
                    value=begun,
                    unit="ms",
                    peer="third",
                    peer_value=await _asked(http, name, first),
                    goal="≤ 5 × the third",
                )
            )
        for name, (question, _later) in QUESTIONS.items():
            rows += await _long(http, name, question)
    return rows


async def _long(http: httpx.AsyncClient, name: str, question: str) -> list[Row]:
    def story(length: int) -> str:
        told = STORIES[name] * (length // len(STORIES[name]) + 1)
        return told[: length - len(question) - 1] + " " + question

    await _asked(http, name, story(SHORT))
    short = median([await _asked(http, name, story(SHORT)) for _ in range(3)])
    others: list[float] = []
    beside = asyncio.create_task(_beside(http, others))
    long = await _asked(http, name, story(LONG))
    beside.cancel()
    return [
        Row(
            measure=f"{name}: a message of {LONG:,} characters",
            value=long,
            unit="ms",
            peer=f"{SHORT:,} characters",
            peer_value=short,
            goal="≤ 15 ×",
        ),
        Row(
            measure=f"{name}: the longest that another request waits meanwhile",
            value=max(others, default=0.0),
            unit="ms",
            goal="≤ 250",
            note=f"of {len(others)} requests, one after another",
        ),
    ]


async def _beside(http: httpx.AsyncClient, waited: list[float]) -> None:
    while True:
        begun = time.perf_counter()
        (await http.get("/sessions?limit=1")).raise_for_status()
        waited.append((time.perf_counter() - begun) * 1000)
        await asyncio.sleep(0.02)


async def _asked(http: httpx.AsyncClient, assistant: str, text: str) -> float:
    made = (await http.post("/sessions", json={"assistant": assistant})).json()
    begun = time.perf_counter()
    answer = await http.post(f"/sessions/{made['session_id']}/messages?wait=true", json={"query": text})
    answer.raise_for_status()
    return (time.perf_counter() - begun) * 1000


def _cold() -> list[Row]:
    kiwi = median(_timed([sys.executable, "-c", "from kiwipiepy import Kiwi; Kiwi().tokenize('집')"]) for _ in range(3))
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "madang", "ask", "homes", ASK]
        _timed(command, Path(folder))
        cold = median(_timed(command, Path(folder)) for _ in range(3))
    return [
        Row(
            measure="`madang ask homes` from cold to answer",
            value=cold,
            unit="ms",
            peer="loading Kiwi alone",
            peer_value=kiwi,
            goal="≤ 2 ×",
            note="median of 3, after one that makes the database",
        )
    ]


def _timed(command: list[str], home: Path | None = None) -> float:
    begun = time.perf_counter()
    subprocess.run(command, cwd=home, env=_environment(home), capture_output=True, check=True)
    return (time.perf_counter() - begun) * 1000


def _environment(home: Path | None) -> dict[str, str]:
    if home is None:
        return dict(os.environ)
    own = {"MADANG_DB": f"sqlite:///{home}/madang.db", "MADANG_DATA_DIR": str(home), "MADANG_RATE_LIMIT": "0"}
    return {**os.environ, **own, "PYTHONPATH": str(CHECKOUT / "src"), "MADANG_LOG_LEVEL": "WARNING"}


@contextmanager
def _served(home: Path) -> Iterator[int]:
    port = free_port()
    with (home / "server.log").open("ab") as log:
        command = [sys.executable, "-m", "madang", "serve", "--port", str(port)]
        server = subprocess.Popen(command, cwd=home, env=_environment(home), stdout=log, stderr=log)
    try:
        yield port
    finally:
        server.kill()
        server.wait()


SUITES = {"asking": asking}
