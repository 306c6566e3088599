"""The page when the connection is cut, the server dies, or someone else talks in the same conversation."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.support.browsing import QUESTION, ask, begin, browser, picture, visited
from tests.support.cable import Cable
from tests.support.served import Server

__all__ = ["browser"]
pytestmark = pytest.mark.timeout(180)
LOST = "연결이 끊겼습니다, 다시 잇는 중"
BEGINNING = "5%까지는"


@pytest.fixture(scope="module")
def gate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file that lets the assistant's slow step go on."""
    return tmp_path_factory.mktemp("gate") / "open"


@pytest.fixture(scope="module")
def server(gate: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    made = Server(tmp_path_factory.mktemp("served"), "tests.support.yard:assistant", MADANG_TEST_GATE=str(gate))
    made.start()
    yield made
    made.stop()


@pytest.fixture
def cable(server: Server, gate: Path) -> Iterator[Cable]:
    gate.unlink(missing_ok=True)
    with Cable(server.address) as made:
        yield made
    gate.touch()


@pytest.fixture
def page(browser: Browser, cable: Cable) -> Iterator[Page]:
    with visited(browser, cable.address, cut=True) as opened:
        begin(opened)
        yield opened


def lost(page: Page) -> None:
    expect(page.locator("#connection")).to_contain_text(LOST)


def answered_once(page: Page, *questions: str) -> None:
    """Each question is there once, with one whole answer; after a reload too."""
    for _ in range(2):
        expect(page.locator("#connection")).to_be_hidden()
        expect(page.locator(".sources")).to_have_count(len(questions))
        expect(page.locator(".asked")).to_have_text(list(questions))
        for answer in page.locator(".turn > .answer").all():
            assert answer.inner_text().count(BEGINNING) == 1
        expect(page.locator("#plan .step")).to_have_count(3)
        expect(page.locator("#plan .step:is(.pending, .in_progress, .failed)")).to_have_count(0)
        expect(page.get_by_role("button", name="보내기", exact=True)).to_be_visible()
        page.reload()


def test_a_turn_that_ends_while_the_cable_is_cut(page: Page, cable: Cable, gate: Path) -> None:
    ask(page, QUESTION)
    expect(page.locator(".step.in_progress")).to_have_count(1)
    cable.cut()
    lost(page)
    picture(page, "lost")
    gate.touch()
    cable.plug()
    answered_once(page, QUESTION)


def test_the_server_dies_in_the_middle_of_a_turn(page: Page, server: Server, gate: Path) -> None:
    ask(page, QUESTION)
    expect(page.locator(".step.in_progress")).to_have_count(1)
    server.kill()
    lost(page)
    expect(page.locator(".asked")).to_have_text(QUESTION)
    server.start()
    gate.touch()
    answered_once(page, QUESTION)


def test_a_conversation_that_could_not_be_read_is_read_again_by_itself(page: Page, gate: Path) -> None:
    gate.touch()
    asking = re.compile("/conversation")
    page.route(asking, lambda route: route.abort())
    ask(page, QUESTION)
    expect(page.get_by_role("alert")).to_have_text("서버에 닿지 못했습니다.")
    page.unroute(asking)
    answered_once(page, QUESTION)


def test_what_is_asked_while_the_cable_is_cut_is_asked_once(page: Page, cable: Cable, gate: Path) -> None:
    gate.touch()
    cable.cut()
    ask(page, QUESTION)
    expect(page.locator(".asked")).to_have_text(QUESTION)
    lost(page)
    cable.plug()
    expect(page.get_by_role("heading", level=1)).to_have_text(QUESTION)
    answered_once(page, QUESTION)


def test_what_the_break_swallowed_is_asked_again(page: Page, cable: Cable, gate: Path) -> None:
    gate.touch()
    cable.swallows = True
    ask(page, QUESTION)
    expect(page.locator(".asked")).to_have_text(QUESTION)
    cable.cut()
    lost(page)
    cable.plug()
    answered_once(page, QUESTION)


def test_what_was_not_heard_before_the_conversation_was_left_is_asked_on_return(
    page: Page, cable: Cable, gate: Path
) -> None:
    gate.touch()
    cable.swallows = True
    ask(page, QUESTION)
    expect(page.locator(".asked")).to_have_text(QUESTION)
    page.get_by_role("button", name="새 대화").click()
    expect(page.locator(".pick")).to_be_visible()
    cable.cut()
    cable.plug()
    page.go_back()
    answered_once(page, QUESTION)


def test_an_approval_that_the_break_swallowed_is_given_again(page: Page, cable: Cable) -> None:
    ask(page, "계약서 써 줘")
    expect(page.locator(".sheet")).to_be_visible()
    cable.swallows = True
    page.locator(".sheet").get_by_role("button", name="승인").click()
    expect(page.locator(".asked")).to_have_text(["계약서 써 줘", "승인"])
    cable.cut()
    lost(page)
    cable.plug()
    expect(page.locator(".answer")).to_contain_text("결정: approve")
    expect(page.locator(".asked")).to_have_text(["계약서 써 줘", "승인"])


def test_an_approval_outlives_the_server(page: Page, server: Server) -> None:
    ask(page, "계약서 써 줘")
    expect(page.locator(".sheet")).to_be_visible()
    server.kill()
    lost(page)
    server.start()
    expect(page.locator("#connection")).to_be_hidden()
    page.locator(".sheet").get_by_label("보증금").fill("380000000")
    server.kill()
    lost(page)
    server.start()
    expect(page.locator("#connection")).to_be_hidden()
    # What was typed into the sheet is still there: the sheet wasn't drawn again.
    expect(page.locator(".sheet").get_by_label("보증금")).to_have_value("380000000")
    page.reload()
    page.locator(".sheet").get_by_role("button", name="승인").click()
    expect(page.locator(".answer")).to_contain_text("결정: approve")
    expect(page.locator(".sheet")).to_have_count(0)


def test_a_cancel_while_the_cable_is_cut_stops_that_turn_only(page: Page, cable: Cable, gate: Path) -> None:
    ask(page, QUESTION)
    expect(page.locator(".step.in_progress")).to_have_count(1)
    cable.cut()
    lost(page)
    page.get_by_role("button", name="멈추기").click()
    cable.plug()
    expect(page.locator(".notice")).to_have_text("취소했습니다.")
    gate.touch()
    ask(page, "전세 다시")
    expect(page.locator(".sources")).to_have_count(1)


def test_two_tabs_see_the_same(page: Page, cable: Cable, gate: Path) -> None:
    ask(page, QUESTION)
    expect(page.locator(".step.in_progress")).to_have_count(1)
    other = page.context.new_page()
    other.goto(page.url)
    for tab in (page, other):
        expect(tab.locator(".asked")).to_have_text(QUESTION)
        expect(tab.locator(".step.in_progress")).to_have_count(1)
    gate.touch()
    for tab in (page, other):
        expect(tab.locator(".sources")).to_have_count(1)
    ask(page, "계약서 써 줘")
    for tab in (page, other):
        expect(tab.locator(".sheet")).to_have_count(1)
    other.locator(".sheet").get_by_role("button", name="거절").click()
    for tab in (page, other):
        expect(tab.locator(".answer").last).to_contain_text("결정: reject")
        expect(tab.locator(".sheet")).to_have_count(0)


def test_what_is_asked_during_a_turn_waits_for_its_end(page: Page, gate: Path) -> None:
    ask(page, QUESTION)
    expect(page.locator(".step.in_progress")).to_have_count(1)
    ask(page, "전세 하나 더")
    expect(page.locator(".notice").last).to_contain_text("앞의 답이 끝나면")
    picture(page, "queued")
    page.reload()
    expect(page.locator(".asked")).to_have_text([QUESTION, "전세 하나 더"])
    expect(page.locator(".notice").last).to_contain_text("앞의 답이 끝나면")
    gate.touch()
    expect(page.locator(".sources")).to_have_count(2)
    answered_once(page, QUESTION, "전세 하나 더")
