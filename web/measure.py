"""Measures the app beside bare pages in the same run: `python web/measure.py [TURNS]`.

Prints first paint and ready-to-type beside a bare page, and the time of a frame while a long session scrolls beside an
empty list of the same height.
"""

import statistics
import sys
import tempfile
from pathlib import Path

import httpx
from playwright.sync_api import Browser, Page, sync_playwright

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from tests.support.browsing import DESKTOP, FLAGS, chromium  # noqa: E402
from tests.support.served import served  # noqa: E402

ROUNDS = 7
PAINT = "performance.getEntriesByName('first-contentful-paint')[0]?.startTime"
TYPE = "() => !!document.getElementById('question') && performance.now()"
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


def fresh(browser: Browser) -> Page:
    return browser.new_context(viewport=DESKTOP, locale="ko-KR").new_page()


def starts(browser: Browser, address: str) -> tuple[float, float, float]:
    """Milliseconds: first paint of a bare page of ours, first paint of the app, ready to type."""
    rows = []
    for _ in range(ROUNDS):
        bare, app = fresh(browser), fresh(browser)
        bare.goto(f"{address}/static/unbuilt.html")
        app.goto(address)
        ready = app.wait_for_function(TYPE).json_value()
        rows.append((bare.evaluate(PAINT) or 0.0, app.evaluate(PAINT) or 0.0, float(ready)))
        bare.context.close()
        app.context.close()
    first, painted, ready = (statistics.median(column) for column in zip(*rows, strict=True))
    return first, painted, ready


def fill(address: str, turns: int) -> None:
    """A session of so many turns."""
    with httpx.Client(base_url=f"{address}/api/v1", timeout=120) as client:
        client.post("/sessions", json={"assistant": "yard", "session_id": "long"}).raise_for_status()
        for number in range(turns):
            words = f"전세 물음 {number}" if number % 5 == 0 else f"물음 {number}"
            client.post("/sessions/long/messages?wait=true", json={"query": words}).raise_for_status()


def p95(times: list[float]) -> float:
    return sorted(times)[int(len(times) * 0.95)]


def scrolling(browser: Browser, address: str) -> tuple[float, float, int, int]:
    """95th percentile of a frame, empty list and long session; requests for the conversation; turns drawn."""
    empty, long = fresh(browser), fresh(browser)
    empty.goto("about:blank")
    empty.evaluate(EMPTY)
    asked: list[str] = []
    long.on("request", lambda request: asked.append(request.url) if "/conversation" in request.url else None)
    long.goto(f"{address}/#/s/long")
    long.locator(".asked").last.wait_for()
    opened, drawn = len(asked), long.locator(".turn").count()
    still = p95(empty.locator("#place").evaluate(SCROLL))
    return still, p95(long.locator("#conversation").evaluate(SCROLL)), opened, drawn


def main() -> None:
    """Print everything."""
    turns = int(sys.argv[1]) if len(sys.argv) > 1 else 500
    with (
        tempfile.TemporaryDirectory() as folder,
        served(Path(folder), "tests.support.yard:assistant") as address,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=chromium(), args=list(FLAGS))
        bare, painted, ready = starts(browser, address)
        sys.stdout.write(
            f"first paint: bare page {bare:.0f} ms, app {painted:.0f} ms; ready to type {ready:.0f} ms" + "\n"
        )
        fill(address, turns)
        history = httpx.get(f"{address}/api/v1/sessions/long/history?limit=1").json()["items"][0]["step"]
        still, moving, opened, drawn = scrolling(browser, address)
        sys.stdout.write(
            f"{turns} turns, last step {history}: opened by {opened} request(s), {drawn} turns drawn" + "\n"
        )
        sys.stdout.write(f"a frame while scrolling, p95: empty list {still:.1f} ms, session {moving:.1f} ms" + "\n")
        browser.close()


if __name__ == "__main__":
    main()
