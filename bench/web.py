"""The web app in a real Chromium beside bare pages of the same run: ready to type, opened, scrolled."""

import asyncio
import statistics
import tempfile
from datetime import date
from pathlib import Path

import httpx
from playwright.sync_api import Browser, Page, sync_playwright

from bench import Row
from madang.graph import build
from madang.runtime import Runtime, TurnRequest
from madang.runtime.assistant_graph import AssistantGraph
from madang.store import SessionSaver
from madang.store.database import Database
from tests.support.browsing import FLAGS, chromium
from tests.support.served import served
from tests.support.yard import assistant

ROUNDS = 9
PAINT = "() => performance.getEntriesByName('first-contentful-paint')[0]?.startTime"
TYPE = "() => !!document.getElementById('question') && performance.now()"
BYTES = """() => performance.getEntriesByType("resource").filter((one) => one.name.endsWith(".js"))
  .reduce((sum, one) => sum + one.encodedBodySize, 0)"""
# Every frame of a scroll through the whole conversation, without the first ones.
SCROLL = """(place) => new Promise((done) => {
  const times = [];
  let last = performance.now(), at = place.scrollHeight;
  const step = (now) => {
    times.push(now - last);
    last = now;
    at -= 120;
    place.scrollTop = at;
    if (times.length < 400 && place.scrollTop > 0) requestAnimationFrame(step);
    else done(times.slice(5));
  };
  place.scrollTop = at;
  requestAnimationFrame(step);
})"""
EMPTY = """() => {
  document.body.innerHTML = '<div id="place"><div></div></div>';
  const place = document.getElementById("place");
  Object.assign(place.style, { height: "700px", overflowY: "auto" });
  place.firstChild.style.height = "60000px";
}"""


def web(turns: int = 500) -> list[Row]:
    """First paint, ready to type, the weight of the first part; a session of `turns` turns opened and scrolled."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        asyncio.run(_fill(folder / "served.db", turns))
        with served(folder, "tests.support.yard:assistant") as address, sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=chromium(), args=list(FLAGS))
            rows = [*_starts(browser, address), *_scrolls(browser, address, turns)]
            browser.close()
    return rows


async def _fill(path: Path, turns: int) -> None:
    """A session of so many turns, each fifth with steps, tables and charts."""
    database = await Database.open(f"sqlite:///{path}")
    saver = SessionSaver(database)
    graph = AssistantGraph("yard", build(assistant, saver), assistant, None)
    runtime = Runtime(database, saver, {"yard": graph}, today=lambda: date(2026, 11, 16))
    await runtime.sessions.create("long", assistant="yard")
    for number in range(turns):
        words = f"전세 물음 {number}" if number % 5 == 0 else f"물음 {number}"
        run = await runtime.start("long", TurnRequest(text=words))
        await runtime.wait(run.run_id)
    await runtime.close()
    await database.close()


def _fresh(browser: Browser) -> Page:
    return browser.new_context(viewport={"width": 1280, "height": 860}, locale="ko-KR").new_page()


def _starts(browser: Browser, address: str) -> list[Row]:
    times: list[tuple[float, float, float]] = []
    first = 0.0
    for _ in range(ROUNDS):
        bare, app = _fresh(browser), _fresh(browser)
        bare.goto(f"{address}/static/unbuilt.html")
        app.goto(address)
        ready = float(app.wait_for_function(TYPE).json_value())
        times.append((_painted(bare), _painted(app), ready))
        first = app.evaluate(BYTES) / 1000
        bare.context.close()
        app.context.close()
    bare_paint, paint, ready = (statistics.median(column) for column in zip(*times, strict=True))
    peer = "first paint of a bare page"
    return [
        Row(measure="first paint", value=paint, unit="ms", peer=peer, peer_value=bare_paint),
        Row(measure="ready to type", value=ready, unit="ms", peer=peer, peer_value=bare_paint),
        Row(measure="scripts before it can be typed into", value=first, unit="kB on the wire", goal="≤ 160"),
    ]


def _painted(page: Page) -> float:
    return float(page.wait_for_function(PAINT).json_value())


def _scrolls(browser: Browser, address: str, turns: int) -> list[Row]:
    steps = _checkpoints(address)
    empty, long = _fresh(browser), _fresh(browser)
    empty.goto("about:blank")
    empty.evaluate(EMPTY)
    asked: list[str] = []
    long.on("request", lambda request: asked.append(request.url) if "/sessions/long" in request.url else None)
    long.goto(f"{address}/#/s/long")
    long.locator(".asked").last.wait_for()
    opened, drawn = len(asked), long.locator(".turn").count()
    still = _p95(empty.locator("#place").evaluate(SCROLL))
    moving = _p95(long.locator("#conversation").evaluate(SCROLL))
    about = f"{turns:,} turns, {steps:,} checkpoints"
    return [
        Row(measure=f"requests to open {about}", value=opened, goal="1"),
        Row(measure="turns drawn of them", value=drawn, goal="those near"),
        Row(
            measure="a frame while it scrolls, p95",
            value=moving,
            unit="ms",
            peer="empty list",
            peer_value=still,
            goal="≤ 20 ms",
        ),
    ]


def _checkpoints(address: str) -> int:
    """How many there are, counted page by page."""
    count, cursor = 0, ""
    with httpx.Client(base_url=f"{address}/api/v1/sessions/long", timeout=120) as client:
        while True:
            page = client.get(f"/history?limit=200{cursor}").raise_for_status().json()
            count += len(page["items"])
            if page["next_cursor"] is None:
                return count
            cursor = f"&cursor={page['next_cursor']}"


def _p95(times: list[float]) -> float:
    return sorted(times)[int(len(times) * 0.95)]


SUITES = {"web": web}
