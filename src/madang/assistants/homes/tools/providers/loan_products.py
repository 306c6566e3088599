"""The supervisory service's loan products of banks (JSON: products and their rates apart)."""

import json
from dataclasses import dataclass
from typing import Any, Literal

from madang.assistants.homes.tools.providers.client import MAX_PAGES, ProviderApi
from madang.errors import AccessDenied, InvalidInput, QuotaExceeded, ServiceUnavailable

BASE_URL = "https://finlife.fss.or.kr/finlifeapi"
Kind = Literal["jeonse", "mortgage"]
_PATHS = {"jeonse": "rentHouseLoanProductsSearch.json", "mortgage": "mortgageLoanProductsSearch.json"}
_BANKS = "020000"
_DENIED = {"010", "011", "012", "013", "021"}


@dataclass(frozen=True, kw_only=True)
class BankLoan:
    """One way a bank's product is lent: rates in per cent a year. `code` is the product's, shared by its ways."""

    code: str
    bank: str
    product: str
    repayment: str
    rate_type: str
    rate_min: float | None
    rate_max: float | None
    rate_average: float | None
    limit: str
    disclosed: str


class LoanProductApi(ProviderApi):
    """The service's bank products, every page."""

    async def loans(self, kind: Kind) -> list[BankLoan]:
        """Products with their rates, lowest first; those without a rate last.

        Raises `ConfigurationError` without a key, `AccessDenied`, `QuotaExceeded`, `ServiceUnavailable`.
        """
        if kind not in _PATHS:
            raise InvalidInput(f"대출 종류 {kind!r}는 없습니다 (jeonse, mortgage)")
        found: list[BankLoan] = []
        page, last = 1, 1
        while page <= min(last, MAX_PAGES):
            params: dict[str, str | int] = {"auth": self._client.key, "topFinGrpNo": _BANKS, "pageNo": page}
            result = self._result(await self._client.get(_PATHS[kind], params))
            try:
                found += _read(result)
                last = int(result.get("max_page_no") or 1)
            except (KeyError, TypeError, ValueError) as error:
                raise ServiceUnavailable(f"{self._client.name}의 답에 필요한 값이 없습니다: {error!r}") from error
            page += 1
        return sorted(found, key=lambda loan: (loan.rate_min is None, loan.rate_min or 0.0, loan.bank))

    def _result(self, body: str) -> dict[str, Any]:
        try:
            result: dict[str, Any] = json.loads(body)["result"]
        except (json.JSONDecodeError, KeyError, TypeError) as error:
            raise ServiceUnavailable(f"{self._client.name}의 답을 읽을 수 없습니다") from error
        code, message = str(result.get("err_cd", "")), str(result.get("err_msg", ""))
        if code == "000":
            return result
        if code == "020":
            raise QuotaExceeded(f"{self._client.name}의 하루 호출 한도를 넘었습니다", provider_code=code)
        if code in _DENIED:
            raise AccessDenied(f"{self._client.name}이(가) 인증키를 거절했습니다 ({message})", provider_code=code)
        raise ServiceUnavailable(f"{self._client.name} 오류 {code}: {message}", provider_code=code)


def _read(result: dict[str, Any]) -> list[BankLoan]:
    products = {(item["fin_co_no"], item["fin_prdt_cd"]): item for item in result.get("baseList") or ()}
    loans = []
    for option in result.get("optionList") or ():
        product = products.get((option["fin_co_no"], option["fin_prdt_cd"]))
        if product is not None:
            loans.append(
                BankLoan(
                    code=f"{product['fin_co_no']}-{product['fin_prdt_cd']}",
                    bank=product["kor_co_nm"],
                    product=product["fin_prdt_nm"],
                    repayment=option.get("rpay_type_nm") or "",
                    rate_type=option.get("lend_rate_type_nm") or "",
                    rate_min=_rate(option.get("lend_rate_min")),
                    rate_max=_rate(option.get("lend_rate_max")),
                    rate_average=_rate(option.get("lend_rate_avg")),
                    limit=product.get("loan_lmt") or "",
                    disclosed=product.get("dcls_month") or "",
                )
            )
    return loans


def _rate(value: Any) -> float | None:
    return None if value in (None, "") else float(value)
