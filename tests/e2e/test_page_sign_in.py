"""Signing in: what is wrong is said, it holds in all tabs until the browser closes, and there is a way out."""

import json
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.support.browsing import QUESTION, ask, browser, serious
from tests.support.served import MADANG, served

__all__ = ["browser"]
pytestmark = pytest.mark.timeout(180)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("guarded")


def key_of(folder: Path, name: str) -> str:
    """A new user's key."""
    command = [MADANG, "users", "add", name, "--json", "--db", f"sqlite:///{folder}/served.db"]
    made = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True, timeout=100)
    return str(json.loads(made.stdout)["api_key"])


@pytest.fixture(scope="module")
def key(folder: Path) -> str:
    return key_of(folder, "alice")


@pytest.fixture(scope="module")
def address(folder: Path, key: str) -> Iterator[str]:
    with served(folder, "tests.support.yard:assistant", MADANG_AUTH="required") as found:
        yield found


def sign_in(page: Page, key: str) -> None:
    page.get_by_label("API 열쇠나 토큰").fill(key)
    page.get_by_role("button", name="들어가기").click()


def test_a_key_is_asked_for_kept_in_every_tab_and_given_up(browser: Browser, address: str, key: str) -> None:
    context = browser.new_context(locale="ko-KR")
    context.set_default_timeout(60_000)
    page, other = context.new_page(), context.new_page()
    page.goto(address)
    other.goto(address)
    dialog = page.get_by_role("dialog", name="들어가기")
    expect(dialog).to_be_visible()
    assert serious(page) == []
    sign_in(page, "not a key")
    expect(dialog.get_by_role("alert")).to_contain_text("맞지 않거나")
    page.keyboard.press("Escape")
    expect(dialog).to_be_visible()
    sign_in(page, key)
    for tab in (page, other):
        expect(tab.locator(".pick")).to_be_visible()
        expect(tab.get_by_role("dialog")).to_have_count(0)
    ask(page, QUESTION)
    expect(page.locator(".sources")).to_be_visible()
    page.reload()
    expect(page.locator(".sources")).to_be_visible()
    page.goto(f"{address}/#/settings")
    expect(page.locator(".settings")).to_contain_text("alice")
    page.get_by_role("button", name="나가기").click()
    expect(page.get_by_role("dialog", name="들어가기")).to_be_visible()
    assert page.evaluate("localStorage.getItem('key')") is None
    context.close()


def test_the_key_does_not_outlive_the_browser_nor_reach_another_one(browser: Browser, address: str, key: str) -> None:
    with browser.new_context(locale="ko-KR") as context:
        page = context.new_page()
        page.goto(address)
        sign_in(page, key)
        expect(page.locator(".pick")).to_be_visible()
        # What a browser forgets when it closes: its session cookies.
        context.clear_cookies()
        page.reload()
        expect(page.get_by_role("dialog", name="들어가기")).to_be_visible()
        assert key not in str(context.cookies())
    with browser.new_context(locale="ko-KR") as context:
        page = context.new_page()
        page.goto(address)
        expect(page.get_by_role("dialog", name="들어가기")).to_be_visible()


def test_another_user_sees_nothing_of_the_first(browser: Browser, address: str, folder: Path) -> None:
    with browser.new_context(locale="ko-KR") as context:
        page = context.new_page()
        page.goto(address)
        sign_in(page, key_of(folder, "bob"))
        expect(page.locator(".pick")).to_be_visible()
        expect(page.locator("#session-list .open")).to_have_count(0)
        expect(page.locator("#session-list")).to_contain_text("아직 대화가 없습니다")
