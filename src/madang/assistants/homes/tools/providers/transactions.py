"""The land ministry's transactions of homes (XML, by district code and month)."""

import re
from dataclasses import dataclass
from datetime import date
from typing import Literal
from xml.etree import ElementTree as ET

from madang.assistants.homes.tools.providers.client import MAX_PAGES, ProviderApi, text_of
from madang.errors import AccessDenied, InvalidInput, QuotaExceeded, ServiceUnavailable

BASE_URL = "https://apis.data.go.kr/1613000"
Kind = Literal["sale", "lease"]
Home = Literal["apartment", "officetel", "villa"]
# The part of a service's name for each kind of home, and where it writes the building's name.
_HOMES: dict[str, tuple[str, str]] = {
    "apartment": ("Apt", "aptNm"),
    "officetel": ("Offi", "offiNm"),
    "villa": ("RH", "mhouseNm"),
}
_KINDS = {"sale": "Trade", "lease": "Rent"}
_OK = {"00", "000"}
_NO_DATA = {"03", "003"}
_QUOTA = {"22", "022"}
_DENIED = {"20", "30", "31", "32", "020", "030", "031", "032"}
_ROWS = 1000


@dataclass(frozen=True, kw_only=True)
class Transaction:
    """One reported deal; sums in won. `price` is 0 for a lease, `renewed` says that a lease went on with its tenant."""

    name: str
    neighbourhood: str
    area: float
    floor: int | None
    built: int | None
    day: date
    price: int = 0
    deposit: int = 0
    monthly_rent: int = 0
    renewed: bool = False


class LandMinistryApi(ProviderApi):
    """The ministry's service; every page of a month is read."""

    async def transactions(
        self, code: str, month: str, kind: Kind = "sale", home: Home = "apartment"
    ) -> list[Transaction]:
        """Deals of a district (5 digits) in a month (YYYYMM), none if there were none; cancelled ones are left out.

        Raises `InvalidInput` for a malformed code or month, `ConfigurationError` without a key, `AccessDenied`
        for a key that is refused, `QuotaExceeded`, `ServiceUnavailable`.
        """
        if not re.fullmatch(r"\d{5}", code) or not re.fullmatch(r"\d{4}(?:0[1-9]|1[0-2])", month):
            raise InvalidInput("지역 코드는 5자리 숫자, 계약월은 YYYYMM이어야 합니다")
        params: dict[str, str | int] = {
            "serviceKey": self._client.key, "LAWD_CD": code, "DEAL_YMD": month, "numOfRows": _ROWS,
        }  # fmt: skip
        service = f"RTMSDataSvc{_HOMES[home][0]}{_KINDS[kind]}"
        items: list[ET.Element] = []
        for page in range(1, MAX_PAGES + 1):
            root = self._client.xml(await self._client.get(f"{service}/get{service}", {**params, "pageNo": page}))
            if self._is_empty(root):
                break
            more = root.findall("./body/items/item")
            items += more
            if not more or len(items) >= self._total(root):
                break
        return [self._read(item, kind, _HOMES[home][1]) for item in items if text_of(item, "cdealType") != "O"]

    def _total(self, root: ET.Element) -> int:
        count = root.findtext("./body/totalCount") or "0"
        if not count.strip().isdigit():
            raise ServiceUnavailable(f"{self._client.name}의 거래 수를 읽을 수 없습니다: {count!r}")
        return int(count)

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

    def _read(self, item: ET.Element, kind: str, name: str) -> Transaction:
        try:
            return Transaction(
                name=text_of(item, name),
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
                renewed=text_of(item, "contractType") == "갱신",
            )
        except ValueError as error:
            raise ServiceUnavailable(f"{self._client.name}의 거래 내용을 읽을 수 없습니다: {error}") from error


def _won(text: str) -> int:
    """Ten thousands of won with commas, as the service writes them."""
    return int(text.replace(",", "").strip() or 0) * 10_000


def _number(text: str) -> int | None:
    return int(text) if text.lstrip("-").isdigit() else None
