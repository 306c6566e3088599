"""Signing in: what is wrong is said, it holds in all tabs until the browser closes; keys, and the way out."""

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


def test_who_leaves_leaves_in_every_tab_and_nothing_typed_stays(browser: Browser, address: str, folder: Path) -> None:
    with browser.new_context(locale="ko-KR") as context:
        page, other = context.new_page(), context.new_page()
        page.goto(address)
        sign_in(page, key_of(folder, "carol"))
        expect(page.locator(".pick")).to_be_visible()
        other.goto(address)
        other.get_by_label("질문", exact=True).fill("내 전세금 이야기")
        page.goto(f"{address}/#/settings")
        page.get_by_role("button", name="나가기").click()
        for tab in (page, other):
            expect(tab.get_by_role("dialog", name="들어가기")).to_be_visible()
        assert "전세금" not in page.evaluate("JSON.stringify({...localStorage, ...sessionStorage})")
        sign_in(page, key_of(folder, "dave"))
        for tab in (page, other):
            expect(tab.locator(".pick")).to_be_visible()
            expect(tab.get_by_label("질문", exact=True)).to_have_value("")


def test_keys_are_listed_made_once_and_shut_out(browser: Browser, address: str, folder: Path) -> None:
    first = key_of(folder, "erin")
    with browser.new_context(locale="ko-KR") as context:
        page = context.new_page()
        page.goto(f"{address}/#/settings")
        sign_in(page, first)
        keys = page.get_by_role("region", name="API 열쇠")
        expect(keys.get_by_role("listitem")).to_have_count(1)
        expect(keys.get_by_role("listitem")).to_contain_text("지금 쓰는 열쇠")
        keys.get_by_label("열쇠 이름").fill("노트북")
        page.keyboard.press("Enter")
        expect(keys.get_by_role("listitem")).to_have_count(2)
        made = keys.locator(".made-key code").inner_text()
        assert made.startswith("mdg_")
        expect(keys.get_by_role("listitem").last).to_contain_text("아직 쓰지 않음")
        assert serious(page) == []
        with browser.new_context(locale="en-GB") as laptop:
            away = laptop.new_page()
            away.goto(f"{address}/#/settings")
            away.get_by_label("API key").fill(made)
            away.keyboard.press("Enter")
            expect(away.get_by_role("region", name="API keys").get_by_role("listitem").last).to_contain_text("in use")
            # It is seen nowhere again, only its name is.
            page.reload()
            expect(keys.get_by_role("listitem")).to_have_count(2)
            assert made.split("_", 2)[2] not in page.content()
            keys.get_by_role("button", name="막기: 노트북").click()
            expect(keys.get_by_role("alert")).to_contain_text("되돌릴 수 없습니다")
            keys.get_by_role("button", name="그만두기").click()
            expect(keys.get_by_role("listitem")).to_have_count(2)
            keys.get_by_role("button", name="막기: 노트북").click()
            keys.get_by_role("button", name="막기", exact=True).click()
            expect(keys.get_by_role("listitem")).to_have_count(1)
            away.reload()
            expect(away.get_by_role("dialog", name="Sign in")).to_be_visible()
        keys.get_by_role("button", name="막기").click()
        expect(keys.get_by_role("alert")).to_contain_text("여기서도 나가게")
        keys.get_by_role("button", name="막기", exact=True).click()
        expect(page.get_by_role("dialog", name="들어가기")).to_be_visible()
        sign_in(page, first)
        expect(page.get_by_role("alert")).to_contain_text("맞지 않거나")
