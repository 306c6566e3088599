"""What the page's tests share: a browser, a page that fails on any error of its console, and what a user does there."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.support.served import ROOT

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
FLAGS = ("--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-dev-shm-usage")
QUESTION = "전세금 5% 인상 가능해?"
# The machine may be busy with other tests; a step that takes long is no failure.
PATIENCE = 60_000
expect.set_options(timeout=PATIENCE)
DESKTOP = {"width": 1280, "height": 860}
PHONE = {"width": 360, "height": 740}
SMALL: dict[str, Any] = {"viewport": PHONE, "is_mobile": True, "has_touch": True}
AXE = ROOT / "web" / "node_modules" / "axe-core" / "axe.min.js"


def chromium() -> str:
    """Where Chromium is; skips, saying why, where there is none."""
    found = next((path for name in BROWSERS if (path := shutil.which(name))), None)
    if found is None:
        pytest.skip("no Chromium: browser tests need one on the path")
    return found


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """A real Chromium."""
    found = chromium()
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=found, args=list(FLAGS))
        yield opened
        opened.close()


@contextmanager
def visited(
    browser: Browser, address: str, *, cut: bool = False, refused: bool = False, **device: Any
) -> Iterator[Page]:
    """The page at an address. Its console must stay free of errors; with `cut`, lost connections are no errors, with
    `refused`, values that the server refuses (422)."""
    context = browser.new_context(**{"viewport": DESKTOP, "locale": "ko-KR", **device})
    context.set_default_timeout(PATIENCE)
    page = context.new_page()
    problems: list[str] = []
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.on("console", lambda message: problems.append(message.text) if message.type == "error" else None)
    page.goto(address)
    yield page
    context.close()
    lost = ("WebSocket connection to", "Failed to load resource: net::") if cut else ()
    bad = ("Failed to load resource: the server responded with a status of 422",) if refused else ()
    assert [one for one in problems if not one.startswith((*lost, *bad))] == []


def begin(page: Page) -> None:
    """The tests' own assistant is chosen; its session is made by the first question."""
    page.locator(".pick").first.click()
    expect(page.get_by_role("heading", name="홈즈냥즈 마당").last).to_be_visible()


def ask(page: Page, text: str) -> None:
    page.get_by_label("질문", exact=True).fill(text)
    page.keyboard.press("Enter")


def picture(page: Page, name: str) -> None:
    """A screenshot where one is wanted (MADANG_TEST_PICTURES names the folder)."""
    if folder := os.environ.get("MADANG_TEST_PICTURES"):
        page.evaluate("() => Promise.allSettled(document.getAnimations().map((one) => one.finished))")
        page.screenshot(path=f"{folder}/{name}.png")


def overflows(page: Page) -> bool:
    return bool(page.evaluate("document.documentElement.scrollWidth > innerWidth"))


def serious(page: Page, within: str = "body") -> list[str]:
    """What axe finds that keeps people out; skips, saying so, where axe isn't installed."""
    if not AXE.exists():
        pytest.skip("axe-core is not installed (npm ci)")
    page.evaluate(AXE.read_text(encoding="utf-8"))
    # Colours that change with the theme begin to change with the next frame.
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    # A colour that is inherited begins to change when its parent's has ended: until nothing moves.
    page.evaluate(
        "async () => { const moving = () => document.getAnimations().filter((one) => one.playState == 'running');"
        " while (moving().length) await Promise.allSettled(moving().map((one) => one.finished)); }"
    )
    found: list[dict[str, Any]] = page.evaluate("(within) => axe.run(within).then((found) => found.violations)", within)
    return [
        f"{one['id']}: {node['html'][:200]}"
        for one in found
        if one["impact"] in ("serious", "critical")
        for node in one["nodes"]
    ]
