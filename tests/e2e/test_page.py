"""The page in a real Chromium, over a real `madang serve`."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from playwright.sync_api import Browser, Page, expect

from tests.support.browsing import PHONE, QUESTION, ask, begin, browser, overflows, picture, visited
from tests.support.served import served

__all__ = ["browser"]
pytestmark = pytest.mark.timeout(180)


@pytest.fixture(scope="module")
def gate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file that lets the assistant's slow step go on."""
    return tmp_path_factory.mktemp("gate") / "open"


@pytest.fixture(scope="module")
def address(gate: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Where the served page is."""
    folder = tmp_path_factory.mktemp("served")
    with served(folder, "tests.support.yard:assistant", MADANG_TEST_GATE=str(gate)) as found:
        yield found


@pytest.fixture
def page(browser: Browser, address: str) -> Iterator[Page]:
    with visited(browser, address) as opened:
        yield opened


def test_a_turn_and_a_reload_in_the_middle_of_it(page: Page, gate: Path) -> None:
    gate.unlink(missing_ok=True)
    picture(page, "welcome")
    begin(page)
    picture(page, "greeting")
    ask(page, QUESTION)
    plan = page.get_by_label("계획", exact=True)
    expect(plan.locator(".step")).to_have_count(3)
    expect(plan.locator(".step.completed")).to_have_count(1)
    expect(plan.locator(".step.in_progress")).to_contain_text("시세 분석")
    expect(plan.locator(".step.in_progress .bar")).to_be_visible()
    expect(page.locator("#summary")).to_contain_text("1/3 · 시세 분석 중")
    expect(page.get_by_role("button", name="멈추기")).to_be_visible()
    picture(page, "running")
    page.reload()
    expect(page.locator(".asked")).to_have_text(QUESTION)
    expect(plan.locator(".step.in_progress")).to_contain_text("시세 분석")
    expect(page.get_by_role("button", name="멈추기")).to_be_visible()
    gate.touch()
    answer = page.locator(".answer")
    expect(answer.locator("strong").first).to_have_text("5%까지는")
    expect(answer.locator("table").first).to_contain_text("420,000,000원")
    expect(answer.locator("figure canvas")).to_have_count(2)
    expect(answer.locator(".sources li")).to_have_count(2)
    expect(plan.locator(".step.completed")).to_have_count(3)
    expect(page.get_by_role("button", name="보내기", exact=True)).to_be_visible()
    picture(page, "answered")
    page.reload()
    expect(answer.locator(".sources li")).to_have_count(2)
    expect(page.locator(".asked")).to_have_count(1)
    expect(answer).to_have_count(1)


def test_the_only_assistant_needs_no_choosing(page: Page, gate: Path) -> None:
    gate.touch()
    ask(page, QUESTION)
    expect(page.locator(".sources")).to_be_visible()
    expect(page.locator(".asked")).to_have_text(QUESTION)


def test_cancel(page: Page, gate: Path) -> None:
    gate.unlink(missing_ok=True)
    begin(page)
    ask(page, QUESTION)
    expect(page.locator(".step.in_progress")).to_have_count(1)
    page.get_by_role("button", name="멈추기").click()
    expect(page.locator(".notice")).to_have_text("취소했습니다.")
    expect(page.locator(".step.skipped")).to_have_count(2)
    expect(page.get_by_role("button", name="보내기", exact=True)).to_be_visible()
    gate.touch()


def test_an_approval_is_given_on_the_sheet(page: Page) -> None:
    begin(page)
    ask(page, "계약서 써 줘")
    sheet = page.locator(".sheet")
    expect(sheet.locator(".asks")).to_have_text("이대로 계약서를 쓸까요?")
    page.reload()
    sheet.get_by_label("보증금").fill("380000000")
    expect(sheet.locator("input.changed")).to_have_count(1)
    picture(page, "approval")
    sheet.get_by_role("button", name="수정해서 다시").click()
    expect(page.locator(".answer")).to_contain_text("결정: modify")
    expect(sheet).to_have_count(0)


def test_a_question_is_answered_by_a_chip(page: Page, gate: Path) -> None:
    gate.touch()
    begin(page)
    ask(page, "안녕")
    page.locator(".answer .chip").first.click()
    expect(page.locator(".asked")).to_have_count(2)
    expect(page.locator(".sources")).to_be_visible()


def test_sessions_are_listed_found_and_deleted(page: Page, gate: Path) -> None:
    gate.touch()
    begin(page)
    ask(page, "전세 찾는 말 하나")
    expect(page.locator(".sources")).to_be_visible()
    current = page.locator("#session-list [aria-current]")
    expect(current).to_have_text("전세 찾는 말 하나")
    page.get_by_label("대화 찾기").fill("찾는 말")
    expect(page.locator("#session-list .open")).to_have_count(1)
    page.get_by_role("button", name="할 일: 전세 찾는 말 하나").click()
    page.get_by_role("button", name="지우기").click()
    expect(page.locator("#session-list .open")).to_have_count(0)
    expect(page.get_by_role("heading", name="누구에게 물어볼까요?")).to_be_visible()


def test_a_long_conversation_is_read_back_to_its_beginning(page: Page, address: str) -> None:
    with httpx.Client(base_url=f"{address}/api/v1", timeout=60) as client:
        client.post("/sessions", json={"assistant": "yard", "session_id": "long"}).raise_for_status()
        # An odd number of messages first, so that a page ends in the middle of a turn.
        client.post("/sessions/long/messages?wait=true", json={"query": "계약서"}).raise_for_status()
        for number in range(60):
            client.post("/sessions/long/messages?wait=true", json={"query": f"물음 {number}"}).raise_for_status()
    page.goto(f"{address}/#/s/long")
    expect(page.locator(".asked").last).to_have_text("물음 59")
    # Only what is near is drawn.
    assert page.locator(".turn").count() < 30
    seen: list[str] = []
    while "계약서" not in seen:
        page.locator("#conversation").evaluate("one => one.scrollBy(0, -250)")
        page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
        seen += [one for one in page.locator(".asked").all_inner_texts() if one not in seen]
    assert set(seen) == {"계약서", *(f"물음 {number}" for number in range(60))}


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_on_a_phone(browser: Browser, address: str, gate: Path, scheme: str) -> None:
    gate.unlink(missing_ok=True)
    phone: dict[str, Any] = {"viewport": PHONE, "has_touch": True, "is_mobile": True, "color_scheme": scheme}
    with visited(browser, address, **phone) as page:
        picture(page, f"phone-{scheme}-welcome")
        begin(page)
        ask(page, QUESTION)
        expect(page.locator("#summary")).to_contain_text("1/3 · 시세 분석 중")
        assert not overflows(page)
        picture(page, f"phone-{scheme}-running")
        page.get_by_role("button", name="계획 열기").click()
        expect(page.locator("#plan .step.in_progress")).to_be_visible()
        picture(page, f"phone-{scheme}-plan")
        page.get_by_role("button", name="계획 닫기").click()
        gate.touch()
        expect(page.locator(".sources")).to_be_visible()
        assert not overflows(page)
        picture(page, f"phone-{scheme}-answered")
        page.get_by_role("button", name="대화 목록 열기").click()
        expect(page.locator("#session-list [aria-current]")).to_be_visible()
        picture(page, f"phone-{scheme}-sessions")
        page.keyboard.press("Escape")
        expect(page.get_by_role("button", name="대화 목록 열기")).to_be_focused()
        expect(page.locator("#sessions")).to_be_hidden()


def test_the_keyboard_is_enough(page: Page, gate: Path) -> None:
    gate.touch()
    page.get_by_role("button", name="홈즈냥즈 마당").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_label("질문", exact=True)).to_be_focused()
    page.keyboard.type("전세")
    page.keyboard.press("Enter")
    expect(page.locator(".sources")).to_be_visible()
    page.locator("#new").focus()
    page.keyboard.press("/")
    expect(page.get_by_label("질문", exact=True)).to_be_focused()


def test_the_documentation_page(page: Page, address: str) -> None:
    page.goto(f"{address}/docs")
    expect(page.get_by_text("/api/v1/sessions/{session_id}/fork")).to_be_visible()
    picture(page, "docs")
