"""The page with each of our own assistants: a first question, answered in a real Chromium."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from madang.bootstrap import ASSISTANTS
from tests.e2e.browsing import ask, browser, overflows
from tests.e2e.served import served

__all__ = ["browser"]
pytestmark = pytest.mark.timeout(240)
QUESTIONS = {
    "homes": ("전세금 5% 인상 가능해?", "주택임대차보호법 제7조"),
    "works": ("지난달 지점별 매출 상위 5개 보여줘", "지점"),
    "travel": ("오사카 3박4일 둘이 250만원, 맛집 위주로", "오사카"),
}


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with served(tmp_path_factory.mktemp("assistants"), None, MADANG_TODAY="2026-11-16") as found:
        yield found


def test_every_assistant_has_a_question() -> None:
    assert set(QUESTIONS) == set(ASSISTANTS)


@pytest.mark.parametrize("name", QUESTIONS)
def test_a_first_question(browser: Browser, address: str, name: str) -> None:
    problems: list[str] = []
    context = browser.new_context(viewport={"width": 360, "height": 740}, locale="ko-KR")
    page = context.new_page()
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.on("console", lambda message: problems.append(message.text) if message.type == "error" else None)
    page.goto(address)
    expect(page.locator(".card")).to_have_count(len(ASSISTANTS))
    page.locator(".card .pick").nth(list(ASSISTANTS).index(name)).click()
    expect(page.locator(".welcome .chip").first).to_be_visible()
    question, expected = QUESTIONS[name]
    ask(page, question)
    expect(page.get_by_role("button", name="보내기")).to_be_visible(timeout=60_000)
    expect(page.locator(".answer")).to_contain_text(expected, timeout=60_000)
    assert page.locator("#plan li.completed").count() >= 1
    assert not overflows(page)
    page.reload()
    expect(page.locator(".answer")).to_contain_text(expected)
    context.close()
    assert problems == []
