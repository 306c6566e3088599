"""The page for everyone: by keyboard, on a phone, in the dark, in English, with a screen reader; and what it weighs."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from playwright.sync_api import Browser, Page, expect

from tests.support.browsing import QUESTION, SMALL, ask, begin, browser, overflows, serious, visited
from tests.support.served import served

__all__ = ["browser"]
pytestmark = pytest.mark.timeout(240)
VIEWS = ("", "/understood", "/plan", "/state?path=topic", "/history", "/graph", "/events")


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with served(tmp_path_factory.mktemp("everyone"), "tests.support.yard:assistant") as found:
        yield found


@pytest.fixture
def page(browser: Browser, address: str) -> Iterator[Page]:
    with visited(browser, address) as opened:
        yield opened


@pytest.mark.parametrize("device", [{}, SMALL], ids=["desk", "phone"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_serious(browser: Browser, address: str, device: dict[str, Any], scheme: str) -> None:
    with visited(browser, address, color_scheme=scheme, **device) as page:
        expect(page.locator(".pick")).to_be_visible()
        assert serious(page) == []
        begin(page)
        ask(page, QUESTION)
        expect(page.locator(".sources")).to_be_visible()
        here = page.url
        for view in VIEWS:
            page.goto(f"{here}{view}")
            expect(page.locator(".sources")).to_be_visible()
            expect(page.locator("#plan-body .meta", has_text="불러오는")).to_have_count(0)
            assert serious(page) == [], view
            assert not overflows(page), view
        ask(page, "계약서 써 줘")
        expect(page.locator(".sheet")).to_be_visible()
        assert serious(page) == []
        page.goto(f"{address}/#/settings")
        expect(page.get_by_role("heading", name="기억")).to_be_visible()
        assert serious(page) == []
        assert not overflows(page)


def test_a_syllable_that_is_being_put_together_is_not_sent(page: Page) -> None:
    begin(page)
    question = page.get_by_label("질문", exact=True)
    question.focus()
    session = page.context.new_cdp_session(page)
    session.send("Input.imeSetComposition", {"text": "전세", "selectionStart": 2, "selectionEnd": 2})
    # What a Korean input method sends with Enter while it composes.
    session.send(
        "Input.dispatchKeyEvent", {"type": "rawKeyDown", "windowsVirtualKeyCode": 229, "key": "Enter", "code": "Enter"}
    )
    expect(page.locator(".asked")).to_have_count(0)
    session.send("Input.insertText", {"text": "전세"})
    page.keyboard.press("Enter")
    expect(page.locator(".asked")).to_have_text(["전세"])


def test_in_english(browser: Browser, address: str) -> None:
    with visited(browser, address, locale="en-GB") as page:
        expect(page.get_by_role("heading", name="Whom would you like to ask?")).to_be_visible()
        assert page.evaluate("document.documentElement.lang") == "en"
        page.locator(".pick").first.click()
        page.get_by_label("Question", exact=True).fill(QUESTION)
        page.keyboard.press("Enter")
        expect(page.locator(".sources")).to_contain_text("Sources")
        page.goto(f"{address}/#/settings")
        page.get_by_label("Language").select_option("ko")
        expect(page.get_by_role("heading", name="모양")).to_be_visible()
        page.reload()
        expect(page.get_by_role("heading", name="모양")).to_be_visible()


def test_by_keyboard_alone(page: Page) -> None:
    expect(page.locator(".pick")).to_be_visible()
    page.keyboard.press("Control+k")
    expect(page.get_by_role("combobox")).to_be_focused()
    page.keyboard.type("홈즈냥즈")
    page.keyboard.press("Enter")
    expect(page.get_by_label("질문", exact=True)).to_be_focused()
    page.keyboard.type("전세")
    page.keyboard.press("Enter")
    expect(page.locator(".sources")).to_be_visible()
    page.keyboard.press("ArrowUp")
    expect(page.get_by_label("질문", exact=True)).to_have_value("전세")
    page.keyboard.press("Control+a")
    page.keyboard.press("Delete")
    page.keyboard.press("Tab")
    page.keyboard.press("i")
    expect(page.get_by_role("tree")).to_be_visible()
    page.get_by_role("tree").focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(page.locator(".field-view")).to_be_visible()
    page.keyboard.press("/")
    expect(page.get_by_label("질문", exact=True)).to_be_focused()


def test_what_was_being_typed_outlives_a_reload_and_belongs_to_its_conversation(page: Page) -> None:
    begin(page)
    ask(page, "전세")
    expect(page.locator(".sources")).to_be_visible()
    page.get_by_label("질문", exact=True).fill("쓰다 만 말")
    page.reload()
    expect(page.get_by_label("질문", exact=True)).to_have_value("쓰다 만 말")
    page.get_by_role("button", name="새 대화").click()
    expect(page.get_by_label("질문", exact=True)).to_have_value("")
    page.go_back()
    expect(page.get_by_label("질문", exact=True)).to_have_value("쓰다 만 말")


def test_a_deletion_is_undone_and_the_archive_keeps(page: Page) -> None:
    begin(page)
    ask(page, "전세 지우고 되돌릴 말")
    expect(page.locator(".sources")).to_be_visible()
    row = page.locator("#session-list .open", has_text="되돌릴 말")
    page.get_by_role("button", name="할 일: 전세 지우고 되돌릴 말").click()
    page.get_by_role("button", name="지우기").click()
    expect(row).to_have_count(0)
    page.get_by_role("button", name="되돌리기").click()
    expect(row).to_have_count(1)
    page.get_by_role("button", name="할 일: 전세 지우고 되돌릴 말").click()
    page.get_by_role("button", name="보관하기").click()
    expect(row).to_have_count(0)
    page.get_by_role("button", name="보관함").click()
    expect(row).to_have_count(1)


def test_a_table_sorts_and_is_saved_as_csv(page: Page) -> None:
    begin(page)
    ask(page, "전세")
    table = page.locator(".table").last
    table.get_by_role("button", name="전세").click()
    expect(table.locator("tbody tr").first).to_contain_text("410,000,000")
    table.get_by_role("button", name="전세").click()
    expect(table.locator("tbody tr").first).to_contain_text("380,000,000")
    with page.expect_download() as download:
        table.get_by_role("button", name="CSV").click()
    assert Path(download.value.path()).read_text(encoding="utf-8-sig").splitlines()[1] == '망원,"380,000,000"'


def test_preferences_are_kept_and_the_page_says_that_no_model_answers(page: Page, address: str) -> None:
    page.get_by_role("link", name="모델 없이 답합니다").click()
    expect(page.locator(".settings")).to_contain_text("MADANG_LLM")
    page.get_by_label("이름 (예: travel_style)").fill("style")
    page.get_by_label("값", exact=True).fill("미식")
    page.get_by_role("button", name="더하기").click()
    expect(page.get_by_label("style", exact=True)).to_have_value("미식")
    assert httpx.get(f"{address}/api/v1/memory").json()["preferences"]["style"] == "미식"
    page.get_by_role("button", name="지우기: style").click()
    expect(page.get_by_label("style", exact=True)).to_have_count(0)
    page.get_by_label("밝기").select_option("dark")
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"


def test_no_request_leaves_the_origin(browser: Browser, address: str) -> None:
    with visited(browser, address) as page:
        asked: set[str] = set()
        page.on("request", lambda request: asked.add(request.url))
        page.reload()
        begin(page)
        ask(page, QUESTION)
        expect(page.locator("figure canvas").first).to_be_visible()
        page.goto(f"{page.url}/graph")
        expect(page.locator(".flow-step").first).to_be_visible()
        assert {one for one in asked if not one.startswith((address, "data:", "blob:"))} == set()
        assert any(re.search(r"part-\w+\.js", one) for one in asked)


def test_an_emphasis_beside_a_particle_is_bold(browser: Browser, address: str) -> None:
    with visited(browser, address) as page:
        begin(page)
        ask(page, "전세")
        expect(page.locator(".answer strong").first).to_have_text("5%까지는")
