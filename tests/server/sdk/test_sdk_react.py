"""@langchain/react in a real browser, against a plain graph and against an assistant."""

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import date
from pathlib import Path

import pytest
from playwright.async_api import Page, async_playwright, expect
from starlette.responses import HTMLResponse, Response

from madang.bootstrap import open_runtime
from madang.settings import Settings
from tests.support import plain_graph
from tests.support.browsing import FLAGS, PATIENCE, QUESTION, chromium
from tests.support.javascript import INSTALLING, bundled, installed
from tests.support.plain_graph import Gate
from tests.support.sdk import states_come_late
from tests.support.serving import Site, serving

PAGE = (
    '<!doctype html><html><body><div id="root"></div><script type="module" src="/react-test.js"></script></body></html>'
)
PACKAGES = ("@langchain/react@1", "@langchain/core@1", "react@19", "react-dom@19", "esbuild@0.25")
pytestmark = pytest.mark.timeout(INSTALLING + 120)


@pytest.fixture(scope="module")
def script(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = installed(tmp_path_factory.mktemp("react"), *PACKAGES)
    return bundled(folder, Path(__file__).parent / "react.jsx")


@asynccontextmanager
async def visited(script: str, site: Site) -> AsyncIterator[Page]:
    """A page whose errors fail the test. The server itself gives it, under its own policy for pages."""
    problems: list[str] = []
    site.app.add_route("/react-test", lambda _request: HTMLResponse(PAGE))
    site.app.add_route("/react-test.js", lambda _request: Response(script, media_type="text/javascript"))
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=chromium(), args=list(FLAGS))
        made = await browser.new_page()
        made.set_default_timeout(PATIENCE)
        made.on("pageerror", lambda error: problems.append(str(error)))
        yield made
        await browser.close()
    assert problems == []


@pytest.fixture
async def page(script: str, sdk_site: Site) -> AsyncIterator[Page]:
    async with visited(script, sdk_site) as made:
        yield made


async def opened(page: Page, site: Site, assistant: str, transport: str = "sse") -> None:
    await page.goto(f"{site.address}/react-test?assistant={assistant}&transport={transport}")


async def say(page: Page, text: str) -> None:
    await page.get_by_label("text").fill(text)
    await page.keyboard.press("Enter")


async def shows(page: Page, *texts: str) -> None:
    """The conversation is these messages, and nothing is under way."""
    await expect(page.locator("ol li span")).to_have_text(list(texts), timeout=PATIENCE)
    await expect(page.locator("main")).to_have_attribute("data-loading", "false", timeout=PATIENCE)


def thread_of(page: Page) -> str:
    found = re.search(r"thread=([\w-]+)", page.url)
    assert found is not None
    return found[1]


@pytest.mark.parametrize("transport", ["sse", "websocket"])
async def test_a_plain_graph_talks_and_is_there_after_a_reload(page: Page, sdk_site: Site, transport: str) -> None:
    await opened(page, sdk_site, "talk", transport)
    await say(page, "hello")
    await shows(page, "hello", "you said hello")
    await say(page, "again")
    await shows(page, "hello", "you said hello", "again", "you said again")
    await page.reload()
    await shows(page, "hello", "you said hello", "again", "you said again")
    await say(page, "more")
    await shows(page, "hello", "you said hello", "again", "you said again", "more", "you said more")


@pytest.mark.parametrize("transport", ["sse", "websocket"])
async def test_an_answer_that_comes_later_than_the_news_of_its_end_is_shown(
    page: Page, sdk_site: Site, transport: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    states_come_late(monkeypatch)
    await opened(page, sdk_site, "talk", transport)
    await say(page, "hello")
    await shows(page, "hello", "you said hello")
    await say(page, "again")
    await shows(page, "hello", "you said hello", "again", "you said again")


@pytest.mark.parametrize("transport", ["sse", "websocket"])
async def test_an_assistant_talks(page: Page, sdk_site: Site, transport: str) -> None:
    await opened(page, sdk_site, "trip", transport)
    await say(page, "오사카 3 100")
    await shows(page, "오사카 3 100", "합계 2100")
    await page.reload()
    await shows(page, "오사카 3 100", "합계 2100")
    await say(page, "부산 2 50")
    await expect(page.locator("ol li span")).to_have_count(4, timeout=PATIENCE)


async def test_tool_calls_are_shown(page: Page, sdk_site: Site) -> None:
    await opened(page, sdk_site, "adding")
    await say(page, "add")
    await expect(page.locator("ul li")).to_have_text(["add finished"], timeout=PATIENCE)
    await expect(page.locator("ol li span").last).to_have_text("the sum is 3", timeout=PATIENCE)


@pytest.mark.parametrize("reload", [False, True])
@pytest.mark.parametrize("graph", ["talk", "asking"])
async def test_a_question_is_answered(page: Page, sdk_site: Site, graph: str, reload: bool) -> None:
    await opened(page, sdk_site, graph)
    await say(page, "please approve")
    question = page.locator("section p")
    await expect(question).to_have_text({"talk": "go on?", "asking": "inside?"}[graph], timeout=PATIENCE)
    if reload:
        await page.reload()
    await page.get_by_role("button", name="answer").click()
    await expect(question).to_have_count(0, timeout=PATIENCE)
    await expect(page.locator("main")).to_have_attribute("data-loading", "false", timeout=PATIENCE)
    thread_id = thread_of(page)
    run = (await sdk_site.runtime.runs.list(thread_id, limit=1)).items[0]
    await sdk_site.runtime.wait(run.run_id)
    state = (await sdk_site.http.get(f"/threads/{thread_id}/state")).json()
    assert (state["values"]["approved"], state["next"]) == ("yes", [])


@pytest.mark.parametrize(
    ("assistant", "said", "edited"),
    [("talk", "hello", "you said hello (edited)"), ("trip", "오사카 3 100", "합계 2100")],
)
async def test_a_message_is_edited(page: Page, sdk_site: Site, assistant: str, said: str, edited: str) -> None:
    await opened(page, sdk_site, assistant)
    await say(page, said)
    await expect(page.locator("ol li")).to_have_count(2, timeout=PATIENCE)
    await say(page, "second")
    await expect(page.locator("ol li")).to_have_count(4, timeout=PATIENCE)
    await expect(page.locator("main")).to_have_attribute("data-loading", "false", timeout=PATIENCE)
    await page.get_by_role("button", name="edit").first.click()
    await shows(page, f"{said} (edited)", edited)


async def answering_slowly(page: Page, site: Site) -> tuple[str, Gate]:
    """A page in the middle of its second turn: its thread, and the gate that holds it."""
    await opened(page, site, "talk")
    await say(page, "hello")
    await shows(page, "hello", "you said hello")
    thread_id = thread_of(page)
    gate = plain_graph.gates[thread_id] = Gate()
    await say(page, "slowly")
    await gate.reached.wait()
    return thread_id, gate


async def test_a_page_that_is_reloaded_in_the_middle_goes_on(page: Page, sdk_site: Site) -> None:
    _, gate = await answering_slowly(page, sdk_site)
    await page.reload()
    await expect(page.locator("main")).to_have_attribute("data-loading", "true", timeout=PATIENCE)
    gate.open.set()
    await shows(page, "hello", "you said hello", "slowly", "you said slowly")


async def test_a_run_is_stopped(page: Page, sdk_site: Site) -> None:
    thread_id, _ = await answering_slowly(page, sdk_site)
    await page.get_by_role("button", name="stop").click()
    await expect(page.locator("main")).to_have_attribute("data-loading", "false", timeout=PATIENCE)
    run = (await sdk_site.runtime.runs.list(thread_id, limit=1)).items[0]
    assert (await sdk_site.runtime.wait(run.run_id)).status == "cancelled"


async def test_a_failure_is_shown(page: Page, sdk_site: Site) -> None:
    await opened(page, sdk_site, "talk")
    await say(page, "fail")
    await expect(page.locator("output")).to_contain_text("told to fail", timeout=PATIENCE)


@pytest.fixture
async def homes_site(sqlite_url: str, tmp_path: Path) -> AsyncIterator[Site]:
    """A server with the real homes assistant."""
    settings = Settings(db=sqlite_url, data_dir=tmp_path, today=date(2026, 11, 16))
    async with serving(sqlite_url, opened=open_runtime(settings, only="homes")) as site:
        yield site


async def test_homes_talks_and_is_there_after_a_reload(script: str, homes_site: Site) -> None:
    async with visited(script, homes_site) as page:
        await opened(page, homes_site, "homes")
        await say(page, QUESTION)
        answer = page.locator("ol li[data-type=ai] span")
        await expect(answer).to_contain_text("제7조", timeout=PATIENCE)
        await expect(page.locator("main")).to_have_attribute("data-loading", "false", timeout=PATIENCE)
        said = await page.locator("ol li span").all_text_contents()
        assert said[0] == QUESTION
        await page.reload()
        await shows(page, *said)
        await say(page, "근거 조문을 알려줘")
        await expect(page.locator("ol li")).to_have_count(4, timeout=PATIENCE)
        assert await page.locator("ol li span").first.text_content() == QUESTION
