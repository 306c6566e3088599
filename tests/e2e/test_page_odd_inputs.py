"""What people do to a page: paste a contract, write a word without an end, go back, wait for hours, make it narrow."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from tests.support.browsing import SMALL, ask, begin, browser, overflows, serious, visited
from tests.support.served import served

__all__ = ["browser"]
pytestmark = pytest.mark.timeout(240)
CONTRACT = "이 전세 계약서 봐 주세요.\n" + "\n".join(
    f"제{n}조 임차인은 {n}월의 수리를 모두 부담한다." for n in range(1, 40)
)
NARROW: dict[str, Any] = {**SMALL, "viewport": {"width": 320, "height": 640}}


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with served(tmp_path_factory.mktemp("odd"), "tests.support.yard:assistant") as found:
        yield found


@pytest.mark.parametrize("device", [{}, NARROW], ids=["desk", "320 px"])
def test_a_pasted_contract_is_folded_and_kept_whole(browser: Browser, address: str, device: dict[str, Any]) -> None:
    with visited(browser, address, **device) as page:
        begin(page)
        ask(page, CONTRACT)
        expect(page.locator(".sheet")).to_be_visible()
        said = page.locator(".asked")
        short = height(page)
        assert short < 400
        page.get_by_role("button", name="모두 보기").click()
        assert height(page) > 2 * short
        assert said.inner_text().strip() == CONTRACT
        page.get_by_role("button", name="줄이기").click()
        assert height(page) == short
        assert not overflows(page)
        assert serious(page) == []
        page.reload()
        expect(page.get_by_role("button", name="모두 보기")).to_be_visible()


def height(page: Page) -> float:
    box = page.locator(".asked").bounding_box()
    assert box is not None
    return box["height"]


@pytest.mark.parametrize("text", ["전세" * 300, "전세 " + "https://example.com/" + "a" * 500, "전세 👩‍👩‍👧‍👦" * 60])
def test_a_word_without_an_end_stays_inside(browser: Browser, address: str, text: str) -> None:
    with visited(browser, address, **NARROW) as page:
        begin(page)
        ask(page, text)
        expect(page.locator(".sources")).to_be_visible()
        assert not overflows(page)
        box = page.locator(".asked").bounding_box()
        assert box is not None
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= 320


def test_going_back_on_a_phone_closes_what_slid_in(browser: Browser, address: str) -> None:
    with visited(browser, address, **SMALL) as page:
        begin(page)
        ask(page, "전세금 5% 인상 가능해?")
        expect(page.locator(".sources")).to_be_visible()
        page.get_by_role("button", name="계획 열기").click()
        page.get_by_role("tab", name="상태").click()
        expect(page.locator(".tree-row").first).to_be_visible()
        page.go_back()
        expect(page.locator("#plan.open")).to_have_count(0)
        expect(page.locator(".sources")).to_be_visible()


def test_a_question_without_steps_says_so_beside_it(browser: Browser, address: str) -> None:
    with visited(browser, address) as page:
        begin(page)
        expect(page.locator("#plan")).to_contain_text("물어보시면 할 일이")
        ask(page, "안녕")
        expect(page.locator(".answer")).to_be_visible()
        expect(page.locator("#plan")).to_contain_text("바로 답했습니다")


def test_waiting_for_its_user_is_no_work_of_a_turn(browser: Browser, address: str) -> None:
    with visited(browser, address) as page:
        begin(page)
        ask(page, "계약서")
        expect(page.locator(".sheet")).to_be_visible()
        page.get_by_role("button", name="승인").click()
        expect(page.locator(".answer")).to_be_visible()
        # As it would be told if the user had gone out before answering.
        page.route("**/conversation**", lambda route: route.fulfill(json=three_hours_earlier(route.fetch().json())))
        page.reload()
        expect(page.locator(".before")).to_contain_text("이대로 계약서를 쓸까요?")
        expect(page.locator(".actions")).to_contain_text("초")
        for told in (page.locator(".actions"), page.locator(".measures")):
            expect(told).not_to_contain_text("시간")


def three_hours_earlier(told: Any) -> Any:
    """The turn began, and asked, three hours before it was answered."""
    turn = told["turns"][0]
    for one, name in ((turn, "started_at"), (turn["messages"][0], "created_at"), (turn["asked"][0], "created_at")):
        one[name] = (datetime.fromisoformat(one[name]) - timedelta(hours=3)).isoformat()
    return told


@pytest.mark.parametrize("device", [{}, SMALL], ids=["desk", "phone"])
def test_a_long_answer_is_read_from_its_beginning(browser: Browser, address: str, device: dict[str, Any]) -> None:
    with visited(browser, address, **device) as page:
        begin(page)
        for number in range(1, 4):
            ask(page, f"전세 {number}")
            expect(page.locator(".actions").last).to_be_visible()
            expect(page.locator(".asked", has_text=f"전세 {number}")).to_be_in_viewport()
            expect(page.locator("figure canvas").last).to_be_attached()
            expect(page.locator(".asked", has_text=f"전세 {number}")).to_be_in_viewport()


def test_one_begins_with_the_truth_about_the_model(browser: Browser, address: str) -> None:
    with visited(browser, address, **SMALL) as page:
        expect(page.locator(".no-model")).to_contain_text("언어 모델 없이")
        page.get_by_role("link", name="모델 붙이는 법").click()
        expect(page.locator("pre").first).to_contain_text("MADANG_LLM=")


def test_what_was_not_read_is_taken_up_again_by_itself(browser: Browser, address: str) -> None:
    def unread(route: Route) -> None:
        answer = route.fetch()
        told = answer.json()
        told["turns"][-1]["reading"] = {"acts": [], "claims": [], "left": [{"span": [3, 10], "words": "뿌르짝 맡기기"}]}
        route.fulfill(response=answer, json=told)

    with visited(browser, address, **SMALL) as page:
        begin(page)
        ask(page, "안녕 뿌르짝 맡기기")
        expect(page.locator(".actions")).to_be_visible()
        page.route("**/conversation**", unread)
        page.reload()
        expect(page.locator("mark.left")).to_have_text("뿌르짝 맡기기")
        assert serious(page) == []
        page.get_by_role("button", name="읽지 못한 말 따로 묻기").click()
        expect(page.get_by_label("질문", exact=True)).to_have_value("뿌르짝 맡기기")
        expect(page.get_by_label("질문", exact=True)).to_be_focused()
