"""Nothing that anyone wrote becomes markup or runs in the page, wherever it is shown; the policy holds if it did."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.support.browsing import ask, begin, browser, visited
from tests.support.served import served
from tests.support.yard import EVIL

__all__ = ["browser"]
pytestmark = pytest.mark.timeout(120)


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder: Path = tmp_path_factory.mktemp("safe")
    with served(folder, "tests.support.yard:assistant") as found:
        yield found


@pytest.fixture
def page(browser: Browser, address: str) -> Iterator[Page]:
    with visited(browser, address) as opened:
        yield opened
        assert opened.locator("#root img, #root script").count() == 0
        assert opened.evaluate("window.broken") is None


def test_a_question_and_the_name_it_gives_the_conversation(page: Page) -> None:
    begin(page)
    ask(page, EVIL)
    expect(page.locator(".asked")).to_have_text(EVIL)
    expect(page.get_by_role("heading", level=1)).to_contain_text("<img src=x")
    expect(page.locator("#session-list [aria-current]")).to_contain_text("<img src=x")
    page.reload()
    expect(page.locator(".asked")).to_have_text(EVIL)


def test_a_conversation_that_is_renamed(page: Page) -> None:
    begin(page)
    ask(page, "안녕")
    page.locator("header").get_by_role("button", name="대화 이름 바꾸기").click()
    page.get_by_label("새 이름").fill(EVIL)
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text(EVIL)
    expect(page.locator("#session-list [aria-current]")).to_have_text(EVIL)
    page.reload()
    expect(page.get_by_role("heading", level=1)).to_have_text(EVIL)


def test_an_answer_with_everything_that_can_come_with_it(page: Page) -> None:
    begin(page)
    ask(page, "위험한 것")
    answer = page.locator(".answer")
    expect(answer.locator("h2").first).to_have_text(EVIL)
    expect(answer.locator("figcaption")).to_have_text(EVIL)
    expect(answer.locator("td")).to_have_text(EVIL)
    expect(answer.locator(".sheet h3")).to_have_text(EVIL)
    expect(answer.locator(".sources li")).to_have_count(2)
    expect(answer.locator(".chip")).to_have_text([EVIL, EVIL])
    answer.locator(".sources button").last.click()
    expect(page.locator(".source-body").last).to_contain_text(EVIL)
    links = answer.locator("a").evaluate_all("all => all.map((one) => [one.href, one.target, one.rel])")
    assert [link[0] for link in links] == ["https://example.com/?a=1&b=2", "https://law.example/7"]
    assert all(link[1:] == ["_blank", "noopener noreferrer"] for link in links)


def test_the_fields_of_a_draft(page: Page) -> None:
    begin(page)
    ask(page, "계약서 써 줘")
    expect(page.locator(".sheet").get_by_label(EVIL)).to_have_value(EVIL)


def test_the_policy_stops_what_would_slip_through(browser: Browser, address: str) -> None:
    context = browser.new_context()
    page = context.new_page()
    answer = page.goto(address)
    assert answer is not None
    policy = answer.headers["content-security-policy"]
    assert "script-src 'self'" in policy
    assert "unsafe" not in policy
    expect(page.locator(".pick")).to_be_visible()
    page.evaluate("document.body.insertAdjacentHTML('beforeend', '<img src=x onerror=\"window.broken = true\">')")
    page.evaluate(
        "document.body.append(Object.assign(document.createElement('script'), {textContent: 'window.broken = 1'}))"
    )
    refused = page.evaluate("fetch('https://example.com/').then(() => false, () => true)")
    assert refused is True
    assert page.evaluate("window.broken") is None
    context.close()
