"""Live data as a user gets them: questions to the runtime, with a local server in place of the services."""

import json
import statistics
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from madang.bootstrap import open_runtime
from madang.runtime import TurnRequest
from madang.settings import Settings
from tests.support.live_services import (
    KEY,
    QUOTA,
    Answer,
    Service,
    entry,
    gateway,
    lease,
    loans_page,
    page,
    sale,
    served,
    statute,
)

TODAY = date(2026, 11, 16)
SOURCE = "국토교통부 실거래가 공개 자료(API)"
PRICES = "마포구 84㎡ 전세 시세"
# Deposits in ten thousands of won, by month: new leases of 84.9 m².
DEPOSITS = {"202611": [61000, 62000], "202610": [63000, 64000, 65000], "202609": [66000], "202608": [70000]}


@pytest.fixture
def service() -> Iterator[Service]:
    with served() as made:
        yield made


def settings(service: Service, folder: Path, *on: str) -> Settings:
    keys = {f"{name}_api_key": KEY for name in on}
    given: dict[str, Any] = {**keys, **{f"{name}_api_url": service.url for name in on}}
    return Settings(data_dir=folder, **given)


async def ask(given: Settings, *texts: str, session: str = "") -> dict[str, Any]:
    """The outcome of the last of these turns of one conversation."""
    async with open_runtime(given, only="homes", today=TODAY) as runtime:
        session_id = session or (await runtime.sessions.create(assistant="homes")).session_id
        for text in texts:
            run = await runtime.start(session_id, TurnRequest(text=text))
            outcome = dict(await runtime.outcome(run.run_id))
    assert KEY not in json.dumps(outcome, ensure_ascii=False, default=str)
    return outcome


def search_of(outcome: dict[str, Any], name: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = outcome["state"]["team_results"]["search"][name]
    return found


def answer_of(outcome: dict[str, Any]) -> str:
    return str(outcome["response"]["answer"])


def steps_of(outcome: dict[str, Any]) -> dict[str, str]:
    steps = outcome["state"]["planning_state"]["execution_steps"]
    return {step["agent"]: "kept" if step.get("reused") else step["status"] for step in steps}


def ministry(path: str, query: dict[str, str]) -> Answer:
    """Leases by month, two to a page; dear old renewals and monthly rents that must not count; no sales."""
    month = query["DEAL_YMD"]
    if "Rent" not in path or month not in DEPOSITS or query["LAWD_CD"] != "11440":
        return 200, page([], 0, "03", "NODATA_ERROR")
    day = (int(month[:4]), int(month[4:]), 9)
    items = [lease(n, deposit=f"{deposit:,}", day=day) for n, deposit in enumerate(DEPOSITS[month])]
    renewed = lease(90, deposit="10,000", day=day).replace("<floor>", "<contractType>갱신</contractType><floor>")
    items += [renewed, lease(91, deposit="5,000", rent="150", day=day)]
    start = (int(query["pageNo"]) - 1) * 2
    return 200, page(items[start : start + 2], len(items))


async def test_prices_come_from_the_ministry_with_source_and_date(service: Service, tmp_path: Path) -> None:
    service.reply = ministry
    outcome = await ask(settings(service, tmp_path, "land"), PRICES)
    [row] = search_of(outcome, "real_estate_search")
    deposits = [deposit * 10_000 for month in DEPOSITS.values() for deposit in month]
    assert row["median"] == statistics.median(deposits)
    assert (row["transaction_count"], row["is_estimate"]) == (len(deposits), False)
    assert (row["source"], row["as_of"]) == (SOURCE, "2026-11-09")
    assert row["basis"].startswith("2026-08-09~2026-11-09 신규 계약 거래 7건")
    answer = answer_of(outcome)
    assert f"{SOURCE}, 2026-11-09 기준" in answer
    assert "6억 4,000만원" in answer
    assert outcome["state"]["provenance"]["team_results.search.real_estate_search"]["source"] == SOURCE
    leases = {query["DEAL_YMD"] for path, query in service.asked if "Rent" in path}
    assert leases == set(DEPOSITS)
    assert {query["serviceKey"] for _, query in service.asked} == {KEY}


async def test_a_used_up_quota_gives_the_embedded_figures_and_says_so(service: Service, tmp_path: Path) -> None:
    service.reply = lambda _path, _query: (200, QUOTA)
    outcome = await ask(settings(service, tmp_path, "land"), PRICES)
    [row] = search_of(outcome, "real_estate_search")
    without = await ask(Settings(data_dir=tmp_path / "off"), PRICES)
    assert row == search_of(without, "real_estate_search")[0]
    assert steps_of(outcome)["market_search"] == "completed"
    answer = answer_of(outcome)
    assert "하루 호출 한도를 넘었습니다" in answer
    assert f"{row['as_of']} 기준으로 갖고 있는 자료로 답했습니다" in answer
    assert "한도를 넘었습니다" not in answer_of(without)


@pytest.mark.parametrize(
    ("status", "body", "said"),
    [
        (200, gateway("30", "SERVICE_KEY_IS_NOT_REGISTERED_ERROR"), "인증키를 거절했습니다"),
        (403, "Forbidden", "인증키를 거절했습니다"),
        (200, "<html>점검 중", "읽을 수 없습니다"),
        (500, "", "HTTP 500"),
    ],
)
async def test_other_failures_are_told_plainly(
    service: Service, tmp_path: Path, status: int, body: str, said: str
) -> None:
    service.reply = lambda _path, _query: (status, body)
    outcome = await ask(settings(service, tmp_path, "land"), "송파구 아파트 매매 시세")
    assert said in answer_of(outcome)
    assert {row["as_of"] for row in search_of(outcome, "real_estate_search")} == {"2024-02-29"}


async def test_a_province_is_told_to_be_too_wide_and_is_not_asked_for(service: Service, tmp_path: Path) -> None:
    outcome = await ask(settings(service, tmp_path, "land"), "부산 아파트 전세 시세")
    assert "시·군·구까지 말씀해 주셔야 합니다" in answer_of(outcome)
    assert service.asked == []


async def test_cities_outside_seoul_have_real_prices_too(service: Service, tmp_path: Path) -> None:
    def sales(path: str, query: dict[str, str]) -> Answer:
        month = query["DEAL_YMD"]
        if "AptTrade" not in path or month != "202610":
            return 200, page([], 0)
        price = {"41111": "50,000", "41113": "60,000", "41115": "70,000"}.get(query["LAWD_CD"], "80,000")
        return 200, page([sale(1, price=price, area=84.5, day=(2026, 10, 2))], 1)

    service.reply = sales
    outcome = await ask(settings(service, tmp_path, "land"), "수원시 84㎡ 아파트 매매 시세")
    [row] = search_of(outcome, "real_estate_search")
    assert (row["median"], row["transaction_count"], row["is_estimate"]) == (650_000_000, 4, False)


async def test_what_was_fetched_is_kept_for_later_turns_and_processes(service: Service, tmp_path: Path) -> None:
    service.reply = ministry
    given = settings(service, tmp_path, "land")
    first = await ask(given, PRICES)
    asked = len(service.asked)
    later = await ask(given, f"{PRICES}랑 대출", session=first["session_id"])
    assert steps_of(later)["market_search"] == "kept"
    other = await ask(given, PRICES)
    assert search_of(other, "real_estate_search") == search_of(first, "real_estate_search")
    assert len(service.asked) == asked


async def test_a_result_without_the_service_is_not_kept_once_it_answers(service: Service, tmp_path: Path) -> None:
    service.reply = lambda _path, _query: (200, QUOTA)
    given = settings(service, tmp_path, "land")
    first = await ask(given, PRICES)
    service.reply = ministry
    later = await ask(given, f"{PRICES}랑 대출", session=first["session_id"])
    assert steps_of(later)["market_search"] == "completed"
    assert search_of(later, "real_estate_search")[0]["source"] == SOURCE


async def test_banks_products_stand_beside_policy_loans(service: Service, tmp_path: Path) -> None:
    service.reply = lambda path, query: (200, loans_page(int(query["pageNo"]), name="든든전세"))
    outcome = await ask(settings(service, tmp_path, "loan"), "전세대출 상품 추천해줘")
    loans = search_of(outcome, "loan_search")
    bank = [loan for loan in loans if loan["decided_by_bank"]]
    assert [(loan["name"], loan["rate_min"], loan["rate_max"]) for loan in bank] == [
        ("든든전세 2", 0.025, 0.05),
        ("든든전세 1", 0.035, 0.05),
    ]
    assert {(loan["eligible"], loan["as_of"], loan["note"]) for loan in bank} == {(None, "2026-10", "한도: 2억")}
    assert any(not loan["decided_by_bank"] for loan in loans)
    answer = answer_of(outcome)
    assert "가나은행 든든전세 2: 연 2.5~5%" in answer
    assert "은행이 심사합니다" in answer
    assert "금융감독원 금융상품한눈에(API), 2026-10 기준" in answer
    assert {path.rsplit("/", 1)[1] for path, _ in service.asked} == {"rentHouseLoanProductsSearch.json"}


async def test_without_the_banks_products_the_policy_loans_remain(service: Service, tmp_path: Path) -> None:
    refused = json.dumps({"result": {"err_cd": "020", "err_msg": "일일검색 허용횟수 초과"}})
    service.reply = lambda _path, _query: (200, refused)
    outcome = await ask(settings(service, tmp_path, "loan"), "전세대출 상품 추천해줘")
    loans = search_of(outcome, "loan_search")
    assert loans
    assert not any(loan["decided_by_bank"] for loan in loans)
    assert "은행 대출 상품을 지금 받을 수 없습니다" in answer_of(outcome)


def centre(path: str, query: dict[str, str]) -> Answer:
    if path.endswith("lawSearch.do"):
        name = query["query"]
        return 200, f"<LawSearch><totalCnt>1</totalCnt>{entry(name, name, '법률')}</LawSearch>"
    return 200, statute(query["MST"], "제7조", "차임 등의 증감청구권", "시험용 원문입니다.&lt;개정 2020. 1. 1.&gt;")


async def test_the_cited_article_is_quoted_from_the_law_centre(service: Service, tmp_path: Path) -> None:
    service.reply = centre
    outcome = await ask(settings(service, tmp_path, "law"), "전세금 5% 인상 가능해?")
    best = search_of(outcome, "legal_search")[0]
    assert (best["source"], best["is_statute_text"]) == ("주택임대차보호법 제7조", True)
    assert best["content"] == "① 시험용 원문입니다.\n  1. 첫째"
    assert best["effective_date"] == "2026-01-02"
    answer = answer_of(outcome)
    assert "> ① 시험용 원문입니다." in answer
    assert "[시행 2026-01-02]" in answer
    asked = len(service.asked)
    await ask(settings(service, tmp_path, "law"), "전세금 5% 인상 가능해?")
    assert len(service.asked) == asked


async def test_without_the_law_centre_our_summary_is_shown_as_one(service: Service, tmp_path: Path) -> None:
    service.reply = lambda _path, _query: (
        200,
        "<Response><result>사용자 정보 검증에 실패하였습니다.</result><msg>OC를 확인하세요</msg></Response>",
    )
    outcome = await ask(settings(service, tmp_path, "law"), "전세금 5% 인상 가능해?")
    assert not any(item["is_statute_text"] for item in search_of(outcome, "legal_search"))
    answer = answer_of(outcome)
    assert "법령 원문을 지금 받을 수 없습니다" in answer
    assert "OC를 확인하세요" in answer


async def test_the_months_that_are_asked_for_are_those_that_are_fetched(service: Service, tmp_path: Path) -> None:
    service.reply = ministry
    given = settings(service, tmp_path, "land")
    outcome = await ask(given, "마포구 84㎡ 전세 최근 2개월 시세")
    [row] = search_of(outcome, "real_estate_search")
    assert row["transaction_count"] == len(DEPOSITS["202611"] + DEPOSITS["202610"])
    assert {query["DEAL_YMD"] for path, query in service.asked if "Rent" in path} == {"202611", "202610"}


async def test_a_ward_is_itself_and_not_its_city(service: Service, tmp_path: Path) -> None:
    service.reply = lambda _path, query: (
        200,
        page([sale(n, price="150,000", day=(2026, 10, 1)) for n in range(3)], 3)
        if query["DEAL_YMD"] == "202610"
        else page([], 0),
    )
    outcome = await ask(settings(service, tmp_path, "land"), "분당구 84㎡ 매매 시세")
    assert search_of(outcome, "real_estate_search")[0]["region"] == "경기도 성남시 분당구"
    assert {query["LAWD_CD"] for _, query in service.asked} == {"41135"}
