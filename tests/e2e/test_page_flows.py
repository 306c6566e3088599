"""Every flow with each of our assistants: desk and phone, light and dark, keyboard, English, tabs, a dead server.

docs/web.md has the table of flows and tests.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Page, expect

from madang.runtime.loading import installed
from tests.support.browsing import SMALL, ask, browser, overflows, serious, visited
from tests.support.served import Server

__all__ = ["browser"]
pytestmark = pytest.mark.timeout(420)
LOADING = 180_000
HANGUL = re.compile("[가-힣]")


@dataclass(frozen=True)
class Flow:
    """What is asked of an assistant, what its answer holds, and what is changed in the form afterwards."""

    question: str
    answered: str
    field: str
    value: str
    then: str


FLOWS = {
    "homes": Flow("보증금 4억인데 5% 올려달래, 가능해?", "4억 2,000만원", "deposit", "5억", "5억 2,500만원"),
    "works": Flow("지난달 지점별 매출 상위 5개 보여줘", "지점", "asked.limit", "3", "상위 3"),
    "travel": Flow("오사카 3박4일 둘이 250만원, 맛집 위주로", "오사카", "num_people", "3", "인원 3명"),
}


def idle(page: Page) -> None:
    expect(page.locator("form.composer button.round:not(.stop)")).to_be_visible()


def everywhere(page: Page, view: str, within: str = "#plan") -> None:
    """Nothing keeps people out and nothing hangs over the edge, in light and dark. The talk is looked at once."""
    expect(page.locator("#plan-body .meta", has_text="불러오는")).to_have_count(0)
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
        expect(page.locator(f":root[data-theme={scheme}]")).to_have_count(1)
        assert serious(page, within) == [], (view, scheme)
    assert not overflows(page), view


def test_every_assistant_has_a_flow() -> None:
    assert set(FLOWS) == {entry.name for entry in installed()}


@pytest.mark.parametrize("device", [{}, SMALL], ids=["desk", "phone"])
@pytest.mark.parametrize("name", FLOWS)
def test_talk_look_inside_and_change(browser: Browser, assistants: str, name: str, device: dict[str, Any]) -> None:
    flow = FLOWS[name]
    with visited(browser, f"{assistants}/#/new/{name}", **device) as page:
        hosts: set[str] = set()
        page.on("request", lambda request: hosts.add(urlsplit(request.url).netloc))
        expect(page.locator(".welcome .chip").first).to_be_visible()
        everywhere(page, "greeting", "body")
        ask(page, flow.question)
        expect(page.locator(".answer")).to_contain_text(flow.answered)
        idle(page)
        here = page.url
        page.locator(".claim").first.click()
        expect(page.locator("#plan .input.marked")).to_be_visible()
        everywhere(page, "understood", "body")
        page.goto(f"{here}/plan")
        expect(page.locator("#plan .step.completed").first).to_be_visible()
        everywhere(page, "plan")
        page.goto(f"{here}/state?path=query")
        expect(page.locator(".field-view pre")).to_contain_text(flow.question[:6])
        everywhere(page, "state")
        page.goto(f"{here}/history")
        page.locator(".checkpoint").first.click()
        page.locator(".checkpoint").last.click()
        expect(page.locator(".diff li").first).to_be_visible()
        everywhere(page, "history")
        page.goto(f"{here}/graph")
        expect(page.locator(".flow-step").first).to_be_visible()
        expect(page.locator(".matrix td.writes").first).to_be_visible()
        everywhere(page, "graph")
        page.goto(f"{here}/events")
        page.locator(".event", has_text="plan_ready").click()
        expect(page.locator(".events pre")).to_contain_text("execution_steps")
        everywhere(page, "events")
        page.goto(f"{here}/understood")
        page.locator(f"[data-field='{flow.field}'] input").fill(flow.value)
        expect(page.locator(".redone li").first).to_be_visible()
        everywhere(page, "redone")
        page.get_by_role("button", name="다시 하기").click()
        expect(page.locator(".answer")).to_have_count(2)
        expect(page.locator(".answer").last).to_contain_text(flow.then)
        idle(page)
        page.reload()
        expect(page.locator(".answer")).to_have_count(2)
        expect(page.locator(".asked")).to_have_text([flow.question])
        assert hosts <= {urlsplit(assistants).netloc, ""}


@pytest.mark.parametrize("name", FLOWS)
def test_by_keyboard_in_english(browser: Browser, assistants: str, name: str) -> None:
    flow = FLOWS[name]
    with visited(browser, assistants, locale="en-GB") as page:
        expect(page.get_by_role("heading", name="Whom would you like to ask?")).to_be_visible()
        expect(page.get_by_label("Question", exact=True)).to_be_focused()
        page.keyboard.type(flow.question)
        page.keyboard.press("Enter")
        cards = page.locator(".card .pick")
        expect(cards.first).to_be_focused()
        for _ in range([entry.name for entry in installed()].index(name)):
            page.keyboard.press("ArrowRight")
        page.keyboard.press("Enter")
        expect(page.locator(".answer")).to_contain_text(flow.answered)
        idle(page)
        # The steps and the form are English too.
        expect(page.locator("#plan .step .task").filter(has_text=HANGUL)).to_have_count(0)
        page.goto(f"{page.url}/understood?all=1")
        expect(page.locator(".input").last).to_be_visible()
        labels = page.locator(".input label, .input option, .input .chip")
        expect(labels.filter(has_text=HANGUL)).to_have_count(0)
        page.go_back()
        page.locator("#new").focus()
        page.keyboard.press("i")
        tree = page.get_by_role("tree")
        expect(tree).to_be_visible()
        tree.focus()
        for key in ("ArrowDown", "ArrowDown", "Enter"):
            page.keyboard.press(key)
        expect(page.locator(".field-view")).to_be_visible()
        page.keyboard.press("Control+k")
        page.keyboard.type("history")
        page.keyboard.press("Enter")
        expect(page).to_have_url(re.compile("/history$"))
        page.locator(".checkpoint").first.focus()
        for key in ("Enter", "ArrowDown", "ArrowDown", "Enter"):
            page.keyboard.press(key)
        expect(page.locator(".checkpoint[aria-pressed=true]")).to_have_count(2)
        expect(page.get_by_role("button", name="Fork here")).to_be_visible()


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    made = Server(tmp_path, None, MADANG_TODAY="2026-11-16")
    made.start()
    yield made
    made.stop()


def test_a_server_that_dies_in_mid_turn_loses_nothing_in_any_of_them(browser: Browser, server: Server) -> None:
    with visited(browser, server.address, cut=True) as first:
        tabs = [first, *(first.context.new_page() for _ in range(len(FLOWS) - 1))]
        for tab, (name, flow) in zip(tabs, FLOWS.items(), strict=True):
            tab.goto(f"{server.address}/#/new/{name}")
            expect(tab.locator(".welcome .chip").first).to_be_visible()
            with tab.expect_response(re.compile("/messages$")):
                ask(tab, flow.question)
        server.kill()
        server.start()
        tabs[0].reload(timeout=LOADING)
        other = first.context.new_page()
        other.goto(tabs[1].url, timeout=LOADING)
        for tab, flow in zip([*tabs, other], [*FLOWS.values(), FLOWS["works"]], strict=True):
            # A server that has just begun loads what all three need.
            expect(tab.locator(".answer")).to_contain_text(flow.answered, timeout=LOADING)
            expect(tab.locator(".asked")).to_have_text([flow.question])
            expect(tab.locator(".answer")).to_have_count(1)
