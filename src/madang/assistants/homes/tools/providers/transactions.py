"""The land ministry's transactions of apartments (XML, by district code and month)."""

import re
from dataclasses import dataclass
from datetime import date
from typing import Literal, Protocol
from xml.etree import ElementTree as ET

from madang.assistants.homes.tools.market import resolve_region
from madang.assistants.homes.tools.providers.client import MAX_PAGES, ProviderClient, text_of
from madang.errors import AccessDenied, InvalidInput, NotFound, QuotaExceeded, ServiceUnavailable

BASE_URL = "https://apis.data.go.kr/1613000"
_PATHS = {
    "sale": "RTMSDataSvcAptTrade/getRTMSDataSvcAptTrade",
    "lease": "RTMSDataSvcAptRent/getRTMSDataSvcAptRent",
}
_OK = {"00", "000"}
_NO_DATA = {"03", "003"}
_QUOTA = {"22", "022"}
_DENIED = {"20", "30", "31", "32", "020", "030", "031", "032"}
_ROWS = 100
SEOUL_CODES = {
    "종로구": "11110", "중구": "11140", "용산구": "11170", "성동구": "11200", "광진구": "11215", "동대문구": "11230",
    "중랑구": "11260", "성북구": "11290", "강북구": "11305", "도봉구": "11320", "노원구": "11350", "은평구": "11380",
    "서대문구": "11410", "마포구": "11440", "양천구": "11470", "강서구": "11500", "구로구": "11530", "금천구": "11545",
    "영등포구": "11560", "동작구": "11590", "관악구": "11620", "서초구": "11650", "강남구": "11680", "송파구": "11710",
    "강동구": "11740",
}  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class Transaction:
    """One reported deal; sums in won. `price` is 0 for a lease."""

    name: str
    neighbourhood: str
    area: float
    floor: int | None
    built: int | None
    day: date
    price: int = 0
    deposit: int = 0
    monthly_rent: int = 0


class TransactionProvider(Protocol):
    """Where transactions come from."""

    @property
    def available(self) -> bool: ...

    async def transactions(
        self, code: str, month: str, kind: Literal["sale", "lease"] = "sale"
    ) -> list[Transaction]: ...


class LandMinistryApi:
    """The ministry's service; every page of a month is read."""

    def __init__(self, client: ProviderClient) -> None:
        self._client = client

    @property
    def available(self) -> bool:
        return self._client.available

    async def transactions(self, code: str, month: str, kind: Literal["sale", "lease"] = "sale") -> list[Transaction]:
        """Deals of a district (5 digits) in a month (YYYYMM), none if there were none.

        Raises `InvalidInput` for a malformed code or month, `ConfigurationError` without a key, `AccessDenied`
        for a key that is refused, `QuotaExceeded`, `ServiceUnavailable`.
        """
        if not re.fullmatch(r"\d{5}", code) or not re.fullmatch(r"\d{4}(?:0[1-9]|1[0-2])", month):
            raise InvalidInput("지역 코드는 5자리 숫자, 계약월은 YYYYMM이어야 합니다")
        params: dict[str, str | int] = {
            "serviceKey": self._client.key, "LAWD_CD": code, "DEAL_YMD": month, "numOfRows": _ROWS,
        }  # fmt: skip
        found: list[Transaction] = []
        for page in range(1, MAX_PAGES + 1):
            root = self._client.xml(await self._client.get(_PATHS[kind], {**params, "pageNo": page}))
            if self._is_empty(root):
                break
            items = root.findall("./body/items/item")
            found += [self._read(item, kind) for item in items]
            if not items or len(found) >= int(root.findtext("./body/totalCount") or 0):
                break
        return found

    def _is_empty(self, root: ET.Element) -> bool:
        """Whether the answer says that there is nothing; raises what its code means otherwise."""
        gateway = root.find("./cmmMsgHeader")
        code = (
            text_of(gateway, "returnReasonCode")
            if gateway is not None
            else (root.findtext("./header/resultCode") or "")
        )
        message = (
            text_of(gateway, "returnAuthMsg") if gateway is not None else (root.findtext("./header/resultMsg") or "")
        )
        if code in _OK:
            return False
        if code in _NO_DATA:
            return True
        if code in _QUOTA:
            raise QuotaExceeded(f"{self._client.name}의 하루 호출 한도를 넘었습니다", provider_code=code)
        if code in _DENIED:
            raise AccessDenied(
                f"{self._client.name}이(가) 인증키를 거절했습니다 ({message or code})", provider_code=code
            )
        raise ServiceUnavailable(f"{self._client.name} 오류 {code or '?'}: {message}", provider_code=code)

    def _read(self, item: ET.Element, kind: str) -> Transaction:
        try:
            return Transaction(
                name=text_of(item, "aptNm"),
                neighbourhood=text_of(item, "umdNm"),
                area=float(text_of(item, "excluUseAr")),
                floor=_number(text_of(item, "floor")),
                built=_number(text_of(item, "buildYear")),
                day=date(
                    int(text_of(item, "dealYear")), int(text_of(item, "dealMonth")), int(text_of(item, "dealDay"))
                ),
                price=_won(text_of(item, "dealAmount")) if kind == "sale" else 0,
                deposit=_won(text_of(item, "deposit")) if kind == "lease" else 0,
                monthly_rent=_won(text_of(item, "monthlyRent")) if kind == "lease" else 0,
            )
        except ValueError as error:
            raise ServiceUnavailable(f"{self._client.name}의 거래 내용을 읽을 수 없습니다: {error}") from error


def district_code(region: str) -> str:
    """The code of a district of Seoul by name. Raises `NotFound` for another place: its code must be given."""
    sido, district = resolve_region(region)
    if sido != "서울특별시" or district not in SEOUL_CODES:
        raise NotFound(f"{region}의 지역 코드를 모릅니다 (서울 자치구만 이름으로 찾을 수 있습니다)", region=region)
    return SEOUL_CODES[district]


def _won(text: str) -> int:
    """Ten thousands of won with commas, as the service writes them."""
    return int(text.replace(",", "").strip() or 0) * 10_000


def _number(text: str) -> int | None:
    return int(text) if text.lstrip("-").isdigit() else None
