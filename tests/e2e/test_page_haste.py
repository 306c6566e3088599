"""The page with a user who is faster than the server: no question is lost, asked elsewhere or asked twice."""

import re
from collections.abc import Iterator

import httpx
import pytest
from playwright.sync_api import APIResponse, Browser, Locator, Page, Route, expect

from tests.support.browsing import QUESTION, ask, begin, browser, visited
from tests.support.served import served

__all__ = ["browser"]
pytestmark = pytest.mark.timeout(180)
ASSISTANTS, SESSIONS, LIST = r"/api/v1/assistants$", r"/api/v1/sessions$", r"/api/v1/sessions\?"


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with served(tmp_path_factory.mktemp("haste"), "tests.support.yard:assistant") as found:
        yield found


@pytest.fixture
def page(browser: Browser, address: str) -> Iterator[Page]:
    with visited(browser, address) as opened:
        expect(opened.locator(".pick")).to_be_visible()
        yield opened


class Held:
    """Answers of the server to requests like `pattern`, kept from the page until they are let go."""

    def __init__(self, page: Page, pattern: str) -> None:
        self._page = page
        self._kept: list[tuple[Route, APIResponse]] = []
        self._open = False
        page.route(re.compile(pattern), self._keep)

    def _keep(self, route: Route) -> None:
        if self._open:
            route.continue_()
        else:
            self._kept.append((route, route.fetch()))

    def wait(self) -> None:
        """Until an answer is kept."""
        while not self._kept:
            self._page.wait_for_timeout(10)

    def keep_no_more(self) -> None:
        self._open = True

    def release(self) -> None:
        """Let what is kept go, and keep nothing more."""
        self.keep_no_more()
        while self._kept:
            route, answer = self._kept.pop(0)
            route.fulfill(response=answer)


def click_twice(place: Locator) -> None:
    """A double click on a busy machine: both clicks come before anything is drawn."""
    place.evaluate("one => { one.click(); one.click(); }")


def asked_and_answered_once(page: Page, address: str, question: str = QUESTION) -> None:
    expect(page.locator(".sources")).to_have_count(1)
    expect(page.locator(".asked")).to_have_text([question])
    said = httpx.get(f"{address}/api/v1/sessions/{session(page)}/messages").raise_for_status().json()["items"]
    assert [one["content"] for one in said if one["role"] == "user"] == [question]


def session(page: Page) -> str:
    return page.url.rpartition("/s/")[2]


def count_sessions(address: str) -> int:
    return len(httpx.get(f"{address}/api/v1/sessions?limit=200").raise_for_status().json()["items"])


def made(address: str, *questions: str) -> str:
    """A session in which something was said."""
    with httpx.Client(base_url=f"{address}/api/v1", timeout=60) as client:
        made = str(client.post("/sessions", json={"assistant": "yard"}).raise_for_status().json()["session_id"])
        for one in questions:
            client.post(f"/sessions/{made}/messages?wait=true", json={"query": one}).raise_for_status()
        client.patch(f"/sessions/{made}", json={"title": questions[0]}).raise_for_status()
    return made


def test_a_question_asked_while_the_assistants_load(page: Page, address: str) -> None:
    assistants = Held(page, ASSISTANTS)
    page.reload()
    assistants.wait()
    ask(page, QUESTION)
    assistants.release()
    asked_and_answered_once(page, address)


def test_a_question_that_is_changed_before_it_could_be_asked_is_not_asked_yet(page: Page, address: str) -> None:
    assistants = Held(page, ASSISTANTS)
    page.reload()
    assistants.wait()
    ask(page, "전세")
    page.keyboard.type(" 그리고")
    assistants.release()
    expect(page.locator(".pick")).to_be_visible()
    expect(page.get_by_label("질문", exact=True)).to_have_value("전세 그리고")
    expect(page.locator(".asked")).to_have_count(0)
    page.keyboard.press("Enter")
    asked_and_answered_once(page, address, "전세 그리고")


def test_a_question_asked_while_the_list_of_sessions_loads(page: Page, address: str) -> None:
    listed, begun = Held(page, LIST), Held(page, SESSIONS)
    page.reload()
    listed.wait()
    ask(page, QUESTION)
    begun.wait()
    listed.release()
    expect(page.locator("#session-list li")).not_to_have_count(0)
    begun.release()
    asked_and_answered_once(page, address)


def test_a_question_in_a_session_that_opens_before_the_list_has_loaded(page: Page, address: str) -> None:
    listed = Held(page, LIST)
    page.reload()
    listed.wait()
    ask(page, QUESTION)
    expect(page.locator(".asked")).to_have_text([QUESTION])
    listed.release()
    asked_and_answered_once(page, address)


def test_a_question_for_a_new_session_does_not_go_to_one_that_is_opened_meanwhile(page: Page, address: str) -> None:
    other = made(address, "안녕 하나")
    page.reload()
    begun = Held(page, SESSIONS)
    ask(page, QUESTION)
    begun.wait()
    own = session(page)
    page.locator("#session-list .open", has_text="안녕 하나").first.click()
    expect(page.locator(".asked")).to_have_text(["안녕 하나"])
    assert session(page) == other
    begun.release()
    # The user stays where they went; the question is where it was typed, and only there.
    expect(page.locator("#session-list .open", has_text=QUESTION).first).to_be_visible()
    expect(page.locator(".asked")).to_have_text(["안녕 하나"])
    page.goto(f"{address}/#/s/{own}")
    asked_and_answered_once(page, address)


def test_a_reload_between_the_question_and_its_answer_asks_once(page: Page, address: str) -> None:
    asked = Held(page, r"/api/v1/sessions/[^/]+/messages$")
    ask(page, QUESTION)
    asked.wait()
    page.reload()
    asked.release()
    asked_and_answered_once(page, address)


def test_a_reload_before_the_session_is_made_asks_once(browser: Browser, address: str) -> None:
    with visited(browser, address, cut=True) as page:
        page.route(re.compile(SESSIONS), lambda route: route.abort())
        ask(page, QUESTION)
        expect(page.locator(".asked")).to_have_text([QUESTION])
        page.unroute(re.compile(SESSIONS))
        page.reload()
        asked_and_answered_once(page, address)


def test_a_question_for_a_session_that_loads_waits_for_that_session(page: Page, address: str) -> None:
    mine, other = made(address, "안녕 둘"), made(address, "안녕 셋")
    page.reload()
    loading = Held(page, rf"/api/v1/sessions/{mine}/conversation")
    page.goto(f"{address}/#/s/{mine}")
    loading.wait()
    ask(page, QUESTION)
    page.locator("#session-list .open", has_text="안녕 셋").first.click()
    expect(page.locator(".asked")).to_have_text(["안녕 셋"])
    loading.release()
    ask(page, "전세 넷")
    expect(page.locator(".sources")).to_have_count(1)
    expect(page.locator(".asked")).to_have_text(["안녕 셋", "전세 넷"])
    assert session(page) == other
    page.goto(f"{address}/#/s/{mine}")
    expect(page.locator(".asked")).to_have_text(["안녕 둘", QUESTION])
    expect(page.locator(".sources")).to_have_count(1)


def test_a_question_for_a_session_that_is_gone_is_given_back(browser: Browser, address: str) -> None:
    with browser.new_context(locale="ko-KR") as context:
        page = context.new_page()
        loading = Held(page, r"/api/v1/sessions/gone/conversation")
        page.goto(f"{address}/#/s/gone")
        loading.wait()
        ask(page, QUESTION)
        loading.release()
        expect(page.locator("#line")).to_contain_text("대화를 찾을 수 없습니다.")
        expect(page.get_by_label("질문", exact=True)).to_have_value(QUESTION)


def test_an_example_leaves_what_was_being_typed(page: Page, address: str) -> None:
    page.get_by_label("질문", exact=True).fill("쓰다 만 말")
    page.locator(".example", has_text=QUESTION).click()
    asked_and_answered_once(page, address)
    page.go_back()
    expect(page.get_by_label("질문", exact=True)).to_have_value("쓰다 만 말")


def test_a_double_click_on_an_example_asks_once(page: Page, address: str) -> None:
    before = count_sessions(address)
    begun = Held(page, SESSIONS)
    click_twice(page.locator(".example", has_text=QUESTION))
    begun.wait()
    begun.release()
    asked_and_answered_once(page, address)
    assert count_sessions(address) == before + 1


def test_a_double_click_on_a_suggestion_asks_once(page: Page, address: str) -> None:
    begin(page)
    click_twice(page.locator(".welcome .chip", has_text=QUESTION))
    asked_and_answered_once(page, address)


def test_a_double_click_on_an_answer_gives_it_once(page: Page) -> None:
    begin(page)
    ask(page, "계약서 써 줘")
    click_twice(page.locator(".sheet").get_by_role("button", name="승인", exact=True))
    expect(page.locator(".answer")).to_contain_text("결정: approve")
    expect(page.locator(".asked")).to_have_text(["계약서 써 줘", "승인"])
    expect(page.locator("#line")).to_be_hidden()


def test_an_older_list_of_sessions_does_not_replace_a_newer_one(page: Page, address: str) -> None:
    older = Held(page, LIST)
    page.reload()
    older.wait()
    made(address, "안녕 여섯")
    older.keep_no_more()
    page.get_by_label("대화 찾기").fill("없는 말")
    expect(page.locator("#session-list .open")).to_have_count(0)
    page.get_by_label("대화 찾기").fill("")
    expect(page.locator("#session-list .open").first).to_have_text("안녕 여섯")
    with page.expect_response(re.compile(LIST)):
        older.release()
    page.evaluate("new Promise((done) => setTimeout(done))")
    expect(page.locator("#session-list .open").first).to_have_text("안녕 여섯")


def test_a_look_at_the_newest_branch_does_not_come_into_another(page: Page) -> None:
    begin(page)
    ask(page, QUESTION)
    expect(page.locator(".sources")).to_have_count(1)
    page.locator(".asked-row").hover()
    page.get_by_role("button", name="질문 고쳐 다시 보내기").click()
    page.get_by_role("textbox", name="질문 고쳐 다시 보내기").fill("전세 그대로 살까?")
    looks = Held(page, r"/conversation\?.*limit=5$")
    page.keyboard.press("Enter")
    looks.wait()
    page.get_by_role("button", name="앞 갈래").click()
    expect(page.locator(".asked")).to_have_text([QUESTION])
    with page.expect_response(re.compile("limit=5")):
        looks.release()
    page.evaluate("new Promise((done) => setTimeout(done))")
    expect(page.locator(".asked")).to_have_text([QUESTION])
