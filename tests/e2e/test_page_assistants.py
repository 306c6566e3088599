"""The page with each of our own assistants: a first question, answered in a real Chromium."""

import re
from typing import Any

import httpx
import pytest
from playwright.sync_api import Browser, Route, expect

from madang.runtime.loading import installed
from tests.support.browsing import PHONE, SMALL, ask, browser, overflows, serious, visited

__all__ = ["browser"]
pytestmark = pytest.mark.timeout(240)
QUESTIONS = {
    "homes": ("전세금 5% 인상 가능해?", "주택임대차보호법 제7조"),
    "works": ("지난달 지점별 매출 상위 5개 보여줘", "지점"),
    "travel": ("오사카 3박4일 둘이 250만원, 맛집 위주로", "오사카"),
}
CONTRACT = (
    "월세 계약서 만들어줘. 소재지 서울 마포구 합정동 1-2 101호, 보증금 5천만원, 월세 60만원, 계약금 500만원, "
    "잔금 4500만원, 계약일 2026-11-20, 잔금일 2026-12-01, 시작 2026-12-01, 종료 2028-11-30, "
    "임대인 김마당, 임차인 이세입"
)


def test_every_assistant_has_a_question() -> None:
    assert set(QUESTIONS) == {entry.name for entry in installed()}


@pytest.mark.parametrize("name", QUESTIONS)
def test_a_first_question(browser: Browser, assistants: str, name: str) -> None:
    question, expected = QUESTIONS[name]
    with visited(browser, assistants, viewport=PHONE) as page:
        expect(page.locator(".card")).to_have_count(len(installed()))
        page.locator(".card .pick").nth([entry.name for entry in installed()].index(name)).click()
        expect(page.locator(".welcome .chip").first).to_be_visible()
        ask(page, question)
        expect(page.locator(".answer")).to_contain_text(expected)
        expect(page.get_by_role("button", name="보내기", exact=True)).to_be_visible()
        assert page.locator("#plan .step.completed").count() >= 1
        assert not overflows(page)
        page.reload()
        expect(page.locator(".answer")).to_contain_text(expected)


def test_a_source_opens_the_article_it_names(browser: Browser, assistants: str) -> None:
    with visited(browser, assistants) as page:
        page.locator(".card .pick").first.click()
        ask(page, "전세금 5% 인상 가능해?")
        # What the answer names opens where it stands and isn't listed again.
        expect(page.locator(".answer .cite").first).to_be_visible()
        cited = page.locator(".answer .cite").all_text_contents()
        listed = page.locator(".sources button").all_text_contents()
        assert not set(cited) & set(listed)
        page.locator(".answer .cite").first.click()
        expect(page.locator(".source-body").first).to_contain_text("2026-01-02 기준")
        expect(page.locator(".source-body").first).to_contain_text("20분의 1")
        # The sentence that the answer leans on.
        expect(page.locator(".source-body mark")).to_contain_text("20분의 1")


def test_a_source_of_values_leads_to_what_it_gave(browser: Browser, assistants: str) -> None:
    with visited(browser, f"{assistants}/#/new/travel") as page:
        ask(page, "제주 2박3일 넷이 150만원")
        page.locator(".sources button", has_text="교통 요금").click()
        expect(page.locator(".source-body")).to_contain_text("search_flights")
        expect(page.locator(".source-body .quoted")).to_have_count(0)
        page.locator(".source-body a", has_text="flight_options").click()
        expect(page.locator(".field-view")).to_contain_text("flight_options")


def test_an_example_on_the_first_page_is_asked_at_once(browser: Browser, assistants: str) -> None:
    with visited(browser, assistants) as page:
        page.get_by_role("button", name="5억 전세를 보증금 3억으로 내리면 월세 상한은?").click()
        expect(page.locator(".answer")).to_contain_text("월 75만원")


def test_a_question_without_an_assistant_waits_for_one(browser: Browser, assistants: str) -> None:
    with visited(browser, assistants) as page:
        ask(page, "전세금 5% 인상 가능해?")
        expect(page.get_by_role("heading", name="이 질문을 누구에게 맡길까요?")).to_be_visible()
        expect(page.locator(".card .pick").first).to_be_focused()
        page.keyboard.press("ArrowRight")
        expect(page.locator(".card .pick").nth(1)).to_be_focused()
        page.keyboard.press("ArrowLeft")
        page.keyboard.press("Enter")
        expect(page.locator(".answer")).to_contain_text("주택임대차보호법 제7조")
        expect(page.locator(".asked")).to_have_text("전세금 5% 인상 가능해?")


def test_figures_of_several_series_are_drawn_and_the_document_is_given_in_every_format(
    browser: Browser, assistants: str
) -> None:
    with visited(browser, assistants) as page:
        page.locator(".card .pick").first.click()
        ask(page, "마포구 84㎡ 전세 시세와 대출까지")
        expect(page.locator("figure [role=img]")).to_have_attribute("aria-label", re.compile("하위 .*중위 .*상위 "))
        expect(page.locator("figure canvas")).to_be_visible()
        ask(page, CONTRACT)
        page.locator(".sheet").get_by_role("button", name="승인", exact=True).click()
        for form in ("docx", "md", "html", "pdf"):
            with page.expect_download() as download:
                page.get_by_role("button", name=f"{form} 받기").click()
            assert download.value.suggested_filename == f"주택 월세 계약서.{form}"


def test_a_trip_is_made_in_the_form_and_a_change_shows_what_it_redoes(browser: Browser, assistants: str) -> None:
    with visited(browser, assistants, refused=True) as page:
        page.goto(f"{assistants}/#/new/travel/understood")
        page.locator("[data-field=task] select").select_option("plan")
        for field, value in {"destination": "오사카", "duration": "3", "num_people": "2"}.items():
            page.locator(f"[data-field={field}] input").fill(value)
        page.get_by_role("button", name="시작하기").click()
        expect(page.locator(".plan-card")).to_have_count(3)
        expect(page.locator(".map circle").first).to_be_visible()
        page.locator("[data-field=duration] input").fill("99")
        expect(page.locator("[data-field=duration]").get_by_role("alert")).to_contain_text("1박 ~ 14박")
        page.locator("[data-field=duration] input").fill("2")
        expect(page.locator(".redone")).to_contain_text("일정 계획")
        page.get_by_role("button", name="다시 하기").click()
        expect(page.locator(".answer").last).to_contain_text("기간 2박")


def test_no_field_is_shown_before_what_stands_in_it(browser: Browser, assistants: str) -> None:
    with visited(browser, f"{assistants}/#/new/travel") as page:
        ask(page, "제주 2박3일 넷이 150만원")
        expect(page.locator(".actions")).to_be_visible()
        held: list[Route] = []
        late = True

        def hold(route: Route) -> None:
            if late:
                held.append(route)
            else:
                route.continue_()

        page.route(re.compile(r"/inputs$"), hold)
        with page.expect_request(re.compile(r"/inputs$")):
            page.goto(f"{page.url}/understood")
        expect(page.locator("#plan-body")).to_have_text("불러오는 중입니다.")
        late = False
        for route in held:
            route.continue_()
        expect(page.locator("[data-field=num_people] input")).to_have_value("4")


def test_a_calculation_is_made_in_the_form(browser: Browser, assistants: str) -> None:
    with visited(browser, f"{assistants}/#/new/homes/understood") as page:
        page.locator("[data-field=task] select").select_option("conversion")
        page.locator("[data-field='lease_facts.old_deposit'] input").fill("5억")
        page.locator("[data-field='lease_facts.new_deposit'] input").fill("3억")
        page.get_by_role("button", name="시작하기").click()
        expect(page.locator(".answer")).to_contain_text("75만원")


def test_a_sales_question_is_made_in_the_form(browser: Browser, assistants: str) -> None:
    with visited(browser, f"{assistants}/#/new/works/understood") as page:
        page.locator("[data-field=task] select").select_option("analysis")
        page.locator("[data-field='asked.metrics']").get_by_text("매출", exact=True).click()
        page.locator("[data-field='asked.dimensions']").get_by_text("지점", exact=True).click()
        page.locator("[data-field='asked.period'] input").first.fill("2026-10-01 ~ 2026-10-31")
        page.locator("[data-field='asked.compare'] select").select_option("yoy")
        page.get_by_role("button", name="시작하기").click()
        expect(page.locator(".answer table")).to_contain_text("비교 기간")
        # Both periods are drawn.
        expect(page.locator("figure [role=img]")).to_have_attribute("aria-label", re.compile("비교 기간"))


def test_words_that_were_read_are_underlined_and_lead_to_their_field(browser: Browser, assistants: str) -> None:
    with visited(browser, assistants) as page:
        page.goto(f"{assistants}/#/new/travel")
        ask(page, QUESTIONS["travel"][0])
        expect(page.locator(".claim", has_text="250만원")).to_be_visible()
        page.locator(".claim", has_text="250만원").click()
        expect(page.locator(".input.marked")).to_contain_text("예산")


def test_a_contract_is_made_in_the_sheet_alone(browser: Browser, assistants: str) -> None:
    blanks = {"address": "서울 마포구 합정동 1-2 101호", "deposit": "5천만원", "monthly_rent": "60만원"}
    blanks |= {"down_payment": "500만원", "contract_date": "2026-11-20", "balance_date": "2026-12-01"}
    blanks |= {"start_date": "2026-12-01", "end_date": "2028-11-30", "landlord_name": "김마당"}
    with visited(browser, f"{assistants}/#/new/homes") as page:
        ask(page, "월세 계약서 만들어줘")
        for name, value in blanks.items():
            page.locator(f".ask-form [data-field={name}] input").fill(value)
        expect(page.locator("[data-field=deposit] .meta")).to_have_text("5,000만원")
        page.get_by_label("답", exact=True).fill("임차인은 이세입입니다")
        page.get_by_role("button", name="답하기").click()
        expect(page.locator(".sheet .draft")).to_contain_text("이세입")
        expect(page.locator(".asked").last).to_contain_text("월세 60만원")
        page.locator(".ask-form [data-field=monthly_rent] input").fill("65만원")
        expect(page.locator(".input.edited")).to_have_count(1)
        page.get_by_role("button", name="수정해서 다시").click()
        expect(page.locator(".sheet .draft")).to_contain_text("650,000")
        page.reload()
        expect(page.locator(".asked")).to_have_count(3)
        expect(page.locator(".asked").last).to_have_text("수정: 월세 65만원")
        page.locator(".sheet").get_by_role("button", name="승인", exact=True).click()
        expect(page.get_by_role("button", name="docx 받기")).to_be_visible()


def test_what_is_sensitive_is_shown_on_request_only(browser: Browser, assistants: str) -> None:
    with visited(browser, f"{assistants}/#/new/homes") as page:
        ask(page, "연봉 5천만원인데 전세대출 얼마까지 돼?")
        expect(page.locator(".actions")).to_be_visible()
        page.goto(f"{page.url}/state?path=annual_income")
        expect(page.locator(".field-view pre")).to_have_text("가린 값입니다")
        expect(page.get_by_role("button", name="값 바꾸기")).to_have_count(0)
        page.get_by_role("button", name="가린 값 보기").click()
        expect(page.locator(".field-view pre")).to_have_text("50000000")


def test_what_is_remembered_bears_the_name_that_the_assistant_gives_it(browser: Browser, assistants: str) -> None:
    httpx.put(f"{assistants}/api/v1/memory/preferences", json={"deal_type": "jeonse"}).raise_for_status()
    with visited(browser, f"{assistants}/#/settings") as page:
        kind = page.get_by_label("거래", exact=True)
        expect(kind.locator("option:checked")).to_have_text("전세")
        page.get_by_role("button", name="지우기: 거래").click()
        expect(kind).to_have_count(0)


@pytest.mark.parametrize("device", [{}, SMALL], ids=["desk", "phone"])
def test_what_may_be_meant_and_the_form_are_one_tap_away(
    browser: Browser, assistants: str, device: dict[str, Any]
) -> None:
    with visited(browser, f"{assistants}/#/new/works", **device) as page:
        ask(page, "매출 알려줘")
        expect(page.locator(".further .chip")).not_to_have_count(0)
        expect(page.locator(".further .chip").last).to_have_text("칸에서 고르기")
        assert serious(page) == []
        page.locator(".further .chip").last.click()
        expect(page.locator("#plan [data-field='asked.period'] input")).to_be_visible()
        page.go_back()
        page.locator(".further .chip").first.click()
        expect(page.locator(".asked")).to_have_count(2)
        assert not overflows(page)
