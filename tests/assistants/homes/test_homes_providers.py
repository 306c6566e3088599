"""Live providers against a local server that answers in the services' own formats."""

import json
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

import pytest

from madang.assistants.homes.tools.providers import (
    LandMinistryApi,
    LawCentreApi,
    LoanProductApi,
    ProviderClient,
    ProviderSettings,
)
from madang.assistants.homes.tools.providers.transactions import district_code
from madang.errors import AccessDenied, ConfigurationError, InvalidInput, NotFound, QuotaExceeded, ServiceUnavailable

Answer = tuple[int, str]
Reply = Callable[[str, dict[str, str]], Answer]
KEY = "secret-key+/="


@dataclass
class Service:
    """A local server whose answer a test sets; it keeps what was asked."""

    url: str = ""
    reply: Reply = lambda _path, _query: (404, "")
    asked: list[tuple[str, dict[str, str]]] = field(default_factory=list)


@pytest.fixture
def service() -> Iterator[Service]:
    state = Service()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            parts = urlsplit(self.path)
            query = {name: values[0] for name, values in parse_qs(parts.query).items()}
            state.asked.append((parts.path, query))
            status, body = state.reply(parts.path, query)
            self.send_response(status)
            self.end_headers()
            self.wfile.write(body.encode())

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    state.url = f"http://127.0.0.1:{server.server_port}/api"
    yield state
    server.shutdown()
    thread.join()
    server.server_close()


def client(service: Service, *, key: str | None = KEY, waits: list[float] | None = None) -> ProviderClient:
    async def sleep(seconds: float) -> None:
        if waits is not None:
            waits.append(seconds)

    settings = ProviderSettings(base_url=service.url, key=key, timeout=5, retries=2, backoff=0.5)
    return ProviderClient("시험 서비스", settings, sleep=sleep)


def sale(number: int) -> str:
    return (
        f"<item><aptNm>한빛{number}</aptNm><umdNm>합정동</umdNm><dealAmount>  82,500</dealAmount>"
        "<excluUseAr>84.97</excluUseAr>"
        "<floor>12</floor><buildYear>2004</buildYear><dealYear>2024</dealYear><dealMonth>7</dealMonth>"
        "<dealDay>3</dealDay></item>"
    )


def page(items: list[str], total: int, code: str = "000", message: str = "OK") -> str:
    return (
        f"<?xml version='1.0' encoding='UTF-8'?><response><header><resultCode>{code}</resultCode>"
        f"<resultMsg>{message}</resultMsg></header><body><items>{''.join(items)}</items>"
        f"<totalCount>{total}</totalCount></body></response>"
    )


def gateway(code: str, message: str) -> str:
    return (
        "<OpenAPI_ServiceResponse><cmmMsgHeader><errMsg>SERVICE ERROR</errMsg>"
        f"<returnAuthMsg>{message}</returnAuthMsg><returnReasonCode>{code}</returnReasonCode></cmmMsgHeader></OpenAPI_ServiceResponse>"
    )


async def test_transactions_are_read_page_by_page(service: Service) -> None:
    service.reply = lambda _path, query: (
        (200, page([sale(n) for n in range(100)], 130))
        if query["pageNo"] == "1"
        else (200, page([sale(n) for n in range(30)], 130))
    )
    found = await LandMinistryApi(client(service)).transactions("11440", "202407")
    assert len(found) == 130
    assert (found[0].price, found[0].area, found[0].day.isoformat()) == (825_000_000, 84.97, "2024-07-03")
    path, query = service.asked[0]
    assert path.endswith("/RTMSDataSvcAptTrade/getRTMSDataSvcAptTrade")
    assert (query["serviceKey"], query["LAWD_CD"], query["DEAL_YMD"]) == (KEY, "11440", "202407")


async def test_leases_have_deposit_and_rent(service: Service) -> None:
    item = sale(1).replace("dealAmount", "deposit").replace("<floor>", "<monthlyRent>60</monthlyRent><floor>")
    service.reply = lambda _path, _query: (200, page([item], 1))
    found = await LandMinistryApi(client(service)).transactions("11440", "202407", "lease")
    assert (found[0].deposit, found[0].monthly_rent, found[0].price) == (825_000_000, 600_000, 0)


@pytest.mark.parametrize(
    ("body", "error"),
    [
        (gateway("22", "LIMITED_NUMBER_OF_SERVICE_REQUESTS_EXCEEDS_ERROR"), QuotaExceeded),
        (gateway("30", "SERVICE_KEY_IS_NOT_REGISTERED_ERROR"), AccessDenied),
        (gateway("12", "NO_OPENAPI_SERVICE_ERROR"), ServiceUnavailable),
        (page([], 0, "99", "UNKNOWN"), ServiceUnavailable),
        ("<html>busy", ServiceUnavailable),
        ("<!DOCTYPE x [<!ENTITY a 'b'>]><response/>", ServiceUnavailable),
        (page([sale(1).replace("84.97", "넓음")], 1), ServiceUnavailable),
    ],
)
async def test_error_codes_are_named_and_never_show_the_key(
    service: Service, body: str, error: type[Exception]
) -> None:
    service.reply = lambda _path, _query: (200, body)
    with pytest.raises(error) as raised:
        await LandMinistryApi(client(service)).transactions("11440", "202407")
    assert KEY not in str(raised.value)


async def test_no_data_is_an_empty_list(service: Service) -> None:
    service.reply = lambda _path, _query: (200, page([], 0, "03", "NODATA_ERROR"))
    assert await LandMinistryApi(client(service)).transactions("11440", "202407") == []


async def test_a_malformed_request_is_not_sent(service: Service) -> None:
    with pytest.raises(InvalidInput):
        await LandMinistryApi(client(service)).transactions("마포", "202413")
    assert service.asked == []
    assert district_code("마포") == "11440"
    with pytest.raises(NotFound):
        district_code("수원")


async def test_a_busy_service_is_asked_again_with_growing_pauses(service: Service) -> None:
    answers = iter([(503, ""), (429, ""), (200, page([sale(1)], 1))])
    service.reply = lambda _path, _query: next(answers)
    waits: list[float] = []
    assert len(await LandMinistryApi(client(service, waits=waits)).transactions("11440", "202407")) == 1
    assert waits == [0.5, 1.0]


@pytest.mark.parametrize(
    ("status", "error", "times"), [(429, QuotaExceeded, 3), (500, ServiceUnavailable, 3), (404, ServiceUnavailable, 1)]
)
async def test_giving_up_names_the_status(service: Service, status: int, error: type[Exception], times: int) -> None:
    service.reply = lambda _path, _query: (status, "")
    with pytest.raises(error):
        await LandMinistryApi(client(service)).transactions("11440", "202407")
    assert len(service.asked) == times


async def test_an_unreachable_service_is_unavailable(service: Service) -> None:
    waits: list[float] = []
    lost = client(Service(url="http://127.0.0.1:9"), waits=waits)
    with pytest.raises(ServiceUnavailable, match="연결"):
        await LoanProductApi(lost).loans("jeonse")
    assert len(waits) == 2


async def test_without_a_key_nothing_is_sent(service: Service) -> None:
    off = client(service, key=None)
    for call in (
        LandMinistryApi(off).transactions("11440", "202407"),
        LoanProductApi(off).loans("jeonse"),
        LawCentreApi(off).find("민법"),
    ):
        with pytest.raises(ConfigurationError):
            await call
    assert not LandMinistryApi(off).available
    assert service.asked == []
    assert KEY not in repr(ProviderSettings(base_url="x", key=KEY))


def loans_page(number: int) -> str:
    base = {
        "fin_co_no": "1",
        "fin_prdt_cd": f"P{number}",
        "kor_co_nm": "가나은행",
        "fin_prdt_nm": f"전세 {number}",
        "loan_lmt": "2억",
        "dcls_month": "202610",
    }
    option = {
        "fin_co_no": "1",
        "fin_prdt_cd": f"P{number}",
        "rpay_type_nm": "만기일시",
        "lend_rate_type_nm": "변동금리",
        "lend_rate_min": 4.5 - number,
        "lend_rate_max": 5.0,
        "lend_rate_avg": None,
    }
    result = {
        "err_cd": "000",
        "err_msg": "정상",
        "max_page_no": 2,
        "now_page_no": number,
        "baseList": [base],
        "optionList": [option],
    }
    return json.dumps({"result": result}, ensure_ascii=False)


async def test_loan_products_join_rates_over_pages(service: Service) -> None:
    service.reply = lambda _path, query: (200, loans_page(int(query["pageNo"])))
    found = await LoanProductApi(client(service)).loans("jeonse")
    assert [loan.rate_min for loan in found] == [2.5, 3.5]
    assert found[0].bank == "가나은행"
    assert service.asked[0][0].endswith("rentHouseLoanProductsSearch.json")
    with pytest.raises(InvalidInput):
        await LoanProductApi(client(service)).loans("car")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("code", "error"),
    [("020", QuotaExceeded), ("010", AccessDenied), ("021", AccessDenied), ("900", ServiceUnavailable)],
)
async def test_loan_errors_are_named(service: Service, code: str, error: type[Exception]) -> None:
    service.reply = lambda _path, _query: (200, json.dumps({"result": {"err_cd": code, "err_msg": "오류"}}))
    with pytest.raises(error):
        await LoanProductApi(client(service)).loans("mortgage")


@pytest.mark.parametrize("body", ["[]", "{", '{"result": {"err_cd": "000", "optionList": [{}]}}'])
async def test_loan_answers_of_another_shape_are_refused(service: Service, body: str) -> None:
    service.reply = lambda _path, _query: (200, body)
    with pytest.raises(ServiceUnavailable):
        await LoanProductApi(client(service)).loans("mortgage")


def entry(serial: str, name: str, kind: str) -> str:
    return (
        f"<law id='{serial}'><법령일련번호>{serial}</법령일련번호><법령명한글>{name}</법령명한글>"
        f"<시행일자>20260102</시행일자><법령구분명>{kind}</법령구분명></law>"
    )


LIST = (
    "<LawSearch><totalCnt>2</totalCnt><page>1</page>"
    + entry("1", "주택임대차보호법 시행령", "대통령령")
    + entry("2", "주택임대차보호법", "법률")
    + "</LawSearch>"
)
TEXT = (
    "<법령><기본정보><법령명_한글>주택임대차보호법</법령명_한글><시행일자>20260102</시행일자></기본정보><조문>"
    "<조문단위><조문번호>1</조문번호><조문여부>전문</조문여부><조문내용>제1장 총칙</조문내용></조문단위>"
    "<조문단위><조문번호>7</조문번호><조문가지번호>2</조문가지번호><조문여부>조문</조문여부><조문제목>전환</조문제목>"
    "<조문내용>제7조의2(전환)</조문내용><항><항번호>①</항번호><항내용>① 글이다.</항내용>"
    "<호><호번호>1.</호번호><호내용>1. 첫째</호내용></호></항></조문단위></조문></법령>"
)


async def test_laws_are_found_and_read(service: Service) -> None:
    service.reply = lambda path, _query: (200, LIST if path.endswith("lawSearch.do") else TEXT)
    api = LawCentreApi(client(service))
    entries = await api.find("주택임대차보호법")
    assert [(entry.name, entry.serial) for entry in entries] == [
        ("주택임대차보호법", "2"),
        ("주택임대차보호법 시행령", "1"),
    ]
    statute = await api.statute("2")
    assert [article.number for article in statute.articles] == ["제7조의2"]
    assert statute.effective == "2026-01-02"
    assert "① 글이다.\n  1. 첫째" in statute.quotation("제7조의2")


@pytest.mark.parametrize(
    ("body", "error"),
    [
        ("<Response><result>사용자 정보 검증에 실패하였습니다.</result><msg>OC를 확인</msg></Response>", AccessDenied),
        ("<법령></법령>", NotFound),
        ("<other/>", ServiceUnavailable),
    ],
)
async def test_law_errors_are_named(service: Service, body: str, error: type[Exception]) -> None:
    service.reply = lambda _path, _query: (200, body)
    with pytest.raises(error):
        await LawCentreApi(client(service)).statute("9")
