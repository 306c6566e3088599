"""What was understood, the inside of a conversation, and going back: in a real Chromium, with a plain graph too."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.support.browsing import ask, begin, browser, serious, visited
from tests.support.served import served

__all__ = ["browser"]
pytestmark = pytest.mark.timeout(240)
QUESTION = "전세금 5% 인상 가능해?"


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with served(tmp_path_factory.mktemp("inside"), "tests.support.yard:assistant") as found:
        yield found


@pytest.fixture
def page(browser: Browser, address: str) -> Iterator[Page]:
    with visited(browser, address) as opened:
        begin(opened)
        yield opened


def answered(page: Page, question: str = QUESTION) -> str:
    ask(page, question)
    expect(page.locator(".sources")).to_have_count(1)
    return page.url


def test_the_state_is_searched_and_a_field_edited_with_a_look_at_what_would_run(page: Page) -> None:
    here = answered(page)
    page.keyboard.press("Escape")
    page.goto(f"{here}/state")
    page.get_by_label("상태에서 찾기").fill("topic")
    page.locator(".tree-row", has_text="topic").first.click()
    expect(page.locator(".field-view")).to_contain_text("바뀐 기록")
    expect(page).to_have_url(re.compile("path=topic"))
    page.get_by_role("button", name="값 바꾸기").click()
    page.locator(".edit textarea").fill("x")
    expect(page.get_by_role("alert")).to_have_text("JSON이 아닙니다.")
    page.locator(".edit textarea").fill('"월세"')
    expect(page.locator(".redone")).to_contain_text("시세 분석")
    page.get_by_role("button", name="갈래에서 해 보기").click()
    expect(page.locator(".sides section")).to_have_count(2)
    expect(page.locator(".differences")).to_contain_text("topic")


def test_two_checkpoints_are_compared_and_one_is_forked(page: Page) -> None:
    here = answered(page)
    ask(page, "전세")
    expect(page.locator(".sources")).to_have_count(2)
    page.goto(f"{here}/history")
    # Each turn from its beginning to its end, the newest first.
    expect(page.locator(".timeline h3")).to_have_text(["전세", QUESTION])
    for turn in page.locator(".timeline-turn").all():
        expect(turn.locator(".checkpoint .node").first).to_have_text("차례의 끝")
        expect(turn.locator(".checkpoint .node").last).to_have_text("차례의 처음")
    page.locator(".checkpoint").first.focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(page.locator(".checkpoint[aria-pressed=true]")).to_have_count(1)
    page.locator(".checkpoint").last.click()
    expect(page.locator(".diff li").first).to_be_visible()
    expect(page).to_have_url(re.compile(r"from=.*to="))
    page.reload()
    expect(page.locator(".diff li").first).to_be_visible()
    page.get_by_role("button", name="여기서 갈래 내기").click()
    expect(page.locator(".sides section")).to_have_count(2)


def test_the_plan_is_drawn_and_who_reads_and_writes_what(page: Page) -> None:
    here = answered(page)
    page.goto(f"{here}/graph")
    expect(page.locator(".flow-step")).to_have_count(3)
    # All of it stays in sight when there is less room.
    page.set_viewport_size({"width": 360, "height": 740})
    page.wait_for_function(
        "() => { const right = (one) => one.getBoundingClientRect().right, flow = document.querySelector('.flow');"
        " return [...flow.querySelectorAll('.flow-step')].every((one) => right(one) <= right(flow)); }"
    )
    page.set_viewport_size({"width": 1280, "height": 860})
    expect(page.locator(".matrix td.writes")).not_to_have_count(0)


def test_the_request_behind_a_view_is_copied(browser: Browser, address: str) -> None:
    with visited(browser, address, permissions=["clipboard-read", "clipboard-write"]) as page:
        begin(page)
        here = answered(page)
        page.goto(f"{here}/state")
        for name, expected in {"curl": "curl -s '", "Python": "import httpx", "JavaScript": "await fetch("}.items():
            page.get_by_role("button", name="요청 복사").first.click()
            page.get_by_role("button", name=name, exact=True).click()
            expect(page.locator("#line")).to_have_text("복사했습니다.")
            assert expected in page.evaluate("navigator.clipboard.readText()")


def test_a_question_is_edited_answered_again_and_its_branches_walked(page: Page) -> None:
    answered(page)
    page.locator(".asked-row").hover()
    page.get_by_role("button", name="질문 고쳐 다시 보내기").click()
    page.get_by_role("textbox", name="질문 고쳐 다시 보내기").fill("전세 그대로 살까?")
    page.keyboard.press("Enter")
    expect(page.locator(".branches")).to_contain_text("2/2")
    expect(page.locator(".asked")).to_have_text(["전세 그대로 살까?"])
    expect(page.locator(".sources")).to_have_count(1)
    page.get_by_role("button", name="앞 갈래").click()
    expect(page.locator(".asked")).to_have_text([QUESTION])
    page.get_by_role("button", name="다시 답하기").click()
    expect(page.locator(".branches")).to_contain_text("/3")


def test_an_answer_is_rated_with_a_reason(page: Page) -> None:
    answered(page)
    page.get_by_role("button", name="아쉬워요").click()
    page.get_by_label("무엇이 아쉬웠나요?").fill("너무 짧아요")
    page.get_by_role("button", name="저장").click()
    page.reload()
    expect(page.get_by_role("button", name="아쉬워요")).to_have_attribute("aria-pressed", "true")


def test_a_file_that_cannot_be_read_says_why(browser: Browser, address: str) -> None:
    with browser.new_context(locale="ko-KR") as context:
        page = context.new_page()
        page.goto(address)
        begin(page)
        page.locator("#files").set_input_files({"name": "a.exe", "mimeType": "x/y", "buffer": b"MZ"})
        expect(page.locator("#line")).to_contain_text("a.exe: txt, md, csv")


def test_a_file_goes_with_a_question(page: Page) -> None:
    page.locator("#files").set_input_files(
        {"name": "메모.txt", "mimeType": "text/plain", "buffer": "전세 특약".encode()}
    )
    expect(page.locator(".attached .file")).to_contain_text("5자")
    ask(page, QUESTION)
    expect(page.locator(".sources")).to_have_count(1)
    expect(page.locator(".asked-row .file")).to_contain_text("메모.txt")


def test_a_conversation_is_shared_read_only_and_taken_back(page: Page, browser: Browser) -> None:
    answered(page)
    page.get_by_role("button", name="나누기·내보내기").click()
    page.get_by_role("button", name="주소를 만들고 복사하기").click()
    link = str(page.locator(".share-row a").get_attribute("href"))
    with visited(browser, link) as other:
        expect(other.locator(".sources")).to_have_count(1)
        expect(other.get_by_label("질문", exact=True)).to_have_count(0)
    page.get_by_role("button", name="거두기").click()
    expect(page.locator(".share-row")).to_have_count(0)
    with browser.new_context(locale="ko-KR") as context:
        gone = context.new_page()
        gone.goto(link)
        expect(gone.get_by_role("alert")).to_contain_text("거두어졌습니다")
    for form in ("Markdown", "JSON"):
        with page.expect_download() as download:
            page.get_by_role("button", name=form, exact=True).click()
        assert download.value.suggested_filename.startswith("전세금 5% 인상")


def test_a_plain_graph_gets_the_same_app(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> None:
    with (
        served(tmp_path_factory.mktemp("plain"), "tests.support.plain_graph:graph") as address,
        visited(browser, address) as page,
    ):
        page.locator(".pick").first.click()
        ask(page, "안녕")
        expect(page.locator(".answer")).to_be_visible()
        page.goto(f"{page.url}/state")
        expect(page.locator(".tree-row", has_text="messages")).to_be_visible()
        page.goto(page.url.replace("/state", "/history"))
        expect(page.locator(".checkpoint").first).to_be_visible()


def test_a_plain_graphs_turns_are_seen_as_they_ran(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> None:
    with (
        served(tmp_path_factory.mktemp("plain"), "tests.support.plain_graph:graph") as address,
        visited(browser, address) as page,
    ):
        # It has neither a description nor examples, and its card says so.
        expect(page.locator(".card ul")).to_have_count(0)
        expect(page.locator(".pick span")).to_have_text(
            "설명이 없는 그래프입니다. 말을 걸고 안을 들여다볼 수 있습니다."
        )
        page.locator(".pick").first.click()
        ask(page, "approve this")
        expect(page.locator(".sheet")).to_contain_text("go on?")
        steps = page.locator("#plan .step")
        expect(steps).to_have_text([re.compile("counter"), re.compile("think"), re.compile("approve.*기다리")])
        page.locator(".sheet textarea").fill("네, 가세요")
        page.keyboard.press("Enter")
        expect(page.locator(".answer")).to_be_visible()
        expect(page.locator("#plan .step.completed")).to_have_count(3)
        # What was asked and answered is still there when the page is opened again.
        page.reload()
        expect(page.locator(".before")).to_have_text("go on?")
        expect(page.locator(".asked")).to_have_text(["approve this", "네, 가세요"])
        ask(page, "fail")
        expect(page.locator(".notice.bad")).to_have_text("told to fail")
        expect(page.locator("#plan .step.failed")).to_contain_text("think")
        here = page.url
        page.goto(f"{here}/graph")
        expect(page.locator(".flow-step")).to_have_count(3)
        expect(page.locator(".flow-step.failed")).to_contain_text("think")
        expect(page.locator(".flow-step.skipped")).to_contain_text("approve")
        assert serious(page) == []
        page.goto(f"{here}/history")
        expect(page.locator(".timeline h3")).to_have_text(["fail", "approve this"])
        page.goto(f"{here}/state?path=count")
        expect(page.locator(".field-history li").last).to_contain_text("counter 씀")
