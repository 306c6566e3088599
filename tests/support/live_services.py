"""A local server that answers as the live services do: their XML and JSON, error codes, pages and quotas."""

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

Answer = tuple[int, str]
Reply = Callable[[str, dict[str, str]], Answer]
KEY = "secret-key+/="


@dataclass
class Service:
    """A server whose answer a test sets; it keeps what was asked."""

    url: str = ""
    reply: Reply = lambda _path, _query: (404, "")
    asked: list[tuple[str, dict[str, str]]] = field(default_factory=list)


@contextmanager
def served() -> Iterator[Service]:
    state = Service()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            parts = urlsplit(self.path)
            query = {name: values[0] for name, values in parse_qs(parts.query).items()}
            state.asked.append((parts.path, query))
            status, body = state.reply(parts.path, query)
            self.send_response(status)
            self.end_headers()
            with suppress(BrokenPipeError):
                self.wfile.write(body.encode())

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    state.url = f"http://127.0.0.1:{server.server_port}/api"
    try:
        yield state
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def sale(number: int, *, price: str = "82,500", area: float = 84.97, day: tuple[int, int, int] = (2024, 7, 3)) -> str:
    return f"<item><aptNm>한빛{number}</aptNm><dealAmount>  {price}</dealAmount>{_common(area, day)}</item>"


def lease(number: int, *, deposit: str, rent: str = "0", area: float = 84.9, day: tuple[int, int, int]) -> str:
    sums = f"<deposit>{deposit}</deposit><monthlyRent>{rent}</monthlyRent>"
    return f"<item><aptNm>한빛{number}</aptNm>{sums}{_common(area, day)}</item>"


def _common(area: float, day: tuple[int, int, int]) -> str:
    year, month, date = day
    return (
        f"<umdNm>합정동</umdNm><excluUseAr>{area}</excluUseAr><floor>12</floor><buildYear>2004</buildYear>"
        f"<dealYear>{year}</dealYear><dealMonth>{month}</dealMonth><dealDay>{date}</dealDay>"
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


QUOTA = gateway("22", "LIMITED_NUMBER_OF_SERVICE_REQUESTS_EXCEEDS_ERROR")


def loans_page(number: int, *, name: str = "전세", pages: int = 2) -> str:
    base = {
        "fin_co_no": "1",
        "fin_prdt_cd": f"P{number}",
        "kor_co_nm": "가나은행",
        "fin_prdt_nm": f"{name} {number}",
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
        "max_page_no": pages,
        "now_page_no": number,
        "baseList": [base],
        "optionList": [option, {**option, "lend_rate_type_nm": "고정금리", "lend_rate_min": None}],
    }
    return json.dumps({"result": result}, ensure_ascii=False)


def entry(serial: str, name: str, kind: str) -> str:
    return (
        f"<law id='{serial}'><법령일련번호>{serial}</법령일련번호><법령명한글>{name}</법령명한글>"
        f"<시행일자>20260102</시행일자><법령구분명>{kind}</법령구분명></law>"
    )


def statute(name: str, number: str, title: str, text: str) -> str:
    """One article's statute; `text` is its first paragraph."""
    main, _, branch = number.removeprefix("제").partition("조의")
    branched = f"<조문가지번호>{branch}</조문가지번호>" if branch else ""
    return (
        f"<법령><기본정보><법령명_한글>{name}</법령명_한글><시행일자>20260102</시행일자></기본정보><조문>"
        "<조문단위><조문번호>1</조문번호><조문여부>전문</조문여부><조문내용>제1장 총칙</조문내용></조문단위>"
        f"<조문단위><조문번호>{main.removesuffix('조')}</조문번호>{branched}<조문여부>조문</조문여부>"
        f"<조문제목>{title}</조문제목><조문내용>{number}({title})</조문내용>"
        f"<항><항번호>①</항번호><항내용>① {text}</항내용>"
        "<호><호번호>1.</호번호><호내용>1. 첫째</호내용></호></항></조문단위></조문></법령>"
    )


LAW_LIST = (
    "<LawSearch><totalCnt>2</totalCnt><page>1</page>"
    + entry("1", "주택임대차보호법 시행령", "대통령령")
    + entry("2", "주택임대차보호법", "법률")
    + "</LawSearch>"
)
LAW_TEXT = statute("주택임대차보호법", "제7조의2", "전환", "글이다.")
