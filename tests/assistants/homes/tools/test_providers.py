"""Live providers against a local server that answers in the services' own formats."""

import json
import logging
from collections.abc import Iterator

import pytest

from madang.assistants.homes.tools.providers import (
    LandMinistryApi,
    LawCentreApi,
    LoanProductApi,
    ProviderClient,
    ProviderSettings,
)
from madang.assistants.homes.tools.providers.districts import codes_of
from madang.assistants.homes.tools.regions import resolve_region
from madang.errors import AccessDenied, ConfigurationError, InvalidInput, NotFound, QuotaExceeded, ServiceUnavailable
from tests.support.live_services import (
    KEY,
    LAW_LIST,
    LAW_TEXT,
    Service,
    gateway,
    loans_page,
    page,
    sale,
    served,
)


@pytest.fixture
def service() -> Iterator[Service]:
    with served() as made:
        yield made


def client(service: Service, *, key: str | None = KEY, waits: list[float] | None = None) -> ProviderClient:
    async def sleep(seconds: float) -> None:
        if waits is not None:
            waits.append(seconds)

    settings = ProviderSettings(base_url=service.url, key=key, timeout=5, retries=2, backoff=0.5)
    return ProviderClient("시험 서비스", settings, sleep=sleep)


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


def test_districts_have_codes_and_cities_those_of_their_wards() -> None:
    assert codes_of(*resolve_region("마포")) == ("11440",)
    assert codes_of(*resolve_region("부산 강서구")) == ("26440",)
    assert codes_of(*resolve_region("분당구")) == ("41135",)
    assert codes_of(*resolve_region("수원시")) == ("41111", "41113", "41115", "41117")
    assert codes_of(*resolve_region("세종시")) == ("36110",)
    for place in ("서울", "경기도", "뉴욕"):
        with pytest.raises(NotFound):
            codes_of(*resolve_region(place))


async def test_other_homes_have_services_of_their_own(service: Service) -> None:
    item = sale(1).replace("aptNm", "offiNm")
    service.reply = lambda _path, _query: (200, page([item], 1))
    [found] = await LandMinistryApi(client(service)).transactions("11440", "202407", "sale", "officetel")
    assert found.name == "한빛1"
    assert service.asked[0][0].endswith("/RTMSDataSvcOffiTrade/getRTMSDataSvcOffiTrade")


async def test_cancelled_deals_are_left_out_but_counted_as_read(service: Service) -> None:
    gone = sale(1).replace("<floor>", "<cdealType>O</cdealType><floor>")
    service.reply = lambda _path, _query: (200, page([gone, sale(2)], 2))
    found = await LandMinistryApi(client(service)).transactions("11440", "202407")
    assert [item.name for item in found] == ["한빛2"]
    assert len(service.asked) == 1


@pytest.mark.parametrize("status", [401, 403])
async def test_a_refused_key_is_named_at_once(service: Service, status: int) -> None:
    service.reply = lambda _path, _query: (status, "Forbidden")
    with pytest.raises(AccessDenied, match="인증키"):
        await LandMinistryApi(client(service)).transactions("11440", "202407")
    assert len(service.asked) == 1


async def test_a_key_copied_from_an_address_is_decoded(service: Service) -> None:
    service.reply = lambda _path, _query: (200, page([], 0))
    await LandMinistryApi(client(service, key="secret-key%2B%2F%3D")).transactions("11440", "202407")
    assert service.asked[0][1]["serviceKey"] == KEY


async def test_requests_are_logged_without_the_key(service: Service, caplog: pytest.LogCaptureFixture) -> None:
    service.reply = lambda _path, _query: (200, page([], 0))
    with caplog.at_level(logging.DEBUG, logger="httpx"):
        await LandMinistryApi(client(service)).transactions("11440", "202407")
    assert "HTTP Request" in caplog.text
    assert "secret" not in caplog.text


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
    assert service.asked == []
    assert KEY not in repr(ProviderSettings(base_url="x", key=KEY))


async def test_loan_products_join_rates_over_pages(service: Service) -> None:
    service.reply = lambda _path, query: (200, loans_page(int(query["pageNo"])))
    found = await LoanProductApi(client(service)).loans("jeonse")
    assert [loan.rate_min for loan in found] == [2.5, 3.5, None, None]
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


async def test_laws_are_found_and_read(service: Service) -> None:
    service.reply = lambda path, _query: (200, LAW_LIST if path.endswith("lawSearch.do") else LAW_TEXT)
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
