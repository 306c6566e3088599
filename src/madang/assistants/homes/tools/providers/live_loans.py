"""Banks' loans beside the policy loans: fetched once a day, one product for all the ways it is lent."""

import asyncio
import logging
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict
from datetime import date
from itertools import groupby

from madang.assistants.homes.state.results import LoanKind
from madang.assistants.homes.tools.loans import LoanProduct
from madang.assistants.homes.tools.providers import loan_products
from madang.assistants.homes.tools.providers.cache import LiveCache
from madang.assistants.homes.tools.providers.loan_products import BankLoan, LoanProvider
from madang.assistants.homes.tools.providers.outages import Outages
from madang.errors import MadangError, ServiceUnavailable

log = logging.getLogger(__name__)

SOURCE = "금융감독원 금융상품한눈에(API)"
BUDGET = 8.0
_LASTS = 24 * 3600.0
_SERVICES: dict[LoanKind, loan_products.Kind] = {"jeonse": "jeonse", "purchase": "mortgage"}


class LiveLoans:
    """The products of the kinds that are asked for, and why some are missing."""

    def __init__(
        self,
        provider: LoanProvider,
        cache: LiveCache,
        *,
        budget: float = BUDGET,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._provider = provider
        self._cache = cache
        self._budget = budget
        self._outages = Outages("loan", clock)

    @property
    def version(self) -> str:
        """Changes with what is kept, and when the service may be asked again."""
        return f"{self._cache.version('loans-')}{self._outages.version}"

    async def products(self, kinds: Sequence[LoanKind], today: date) -> tuple[list[LoanProduct], str | None]:
        """Banks' products of those kinds (all without any), lowest rate first, and a line if they can't be had now."""
        wanted = [kind for kind in _SERVICES if not kinds or kind in kinds]
        if not wanted:
            return [], None
        try:
            async with asyncio.timeout(self._budget), self._provider.connected():
                await asyncio.gather(*(self._keep(kind) for kind in wanted))
        except TimeoutError:
            self._outages.note(ServiceUnavailable(f"{self._budget:g}초 안에 답이 오지 않았습니다"))
        found = [
            product
            for kind in wanted
            for product in as_products([BankLoan(**row) for row in self._cache.get(_key(kind)) or ()], kind, today)
        ]
        failed = self._outages.current
        lost = failed is not None and any(self._cache.get(_key(kind)) is None for kind in wanted)
        return found, f"은행 대출 상품을 지금 받을 수 없습니다: {failed.message}." if failed and lost else None

    async def _keep(self, kind: LoanKind) -> None:
        if self._cache.get(_key(kind)) is not None or self._outages.current is not None:
            return
        try:
            found = await self._provider.loans(_SERVICES[kind])
        except MadangError as error:
            log.info("loan products not fetched", extra={"kind": kind, "error": error.code})
            self._outages.note(error)
            return
        self._cache.put(_key(kind), [asdict(loan) for loan in found], _LASTS)


def as_products(loans: Iterable[BankLoan], kind: LoanKind, today: date) -> list[LoanProduct]:
    """One product for all the ways it is lent, the lowest rate first, those without a rate last.

    Nobody but the bank can say who gets it: it has no conditions to judge a person by.
    """
    ordered = sorted(loans, key=lambda loan: loan.code)
    products = [_product(list(ways), kind, today) for _, ways in groupby(ordered, key=lambda loan: loan.code)]
    return sorted(products, key=lambda p: (p.rate is None, p.rate or (0.0, 0.0), p.id))


def _product(ways: Sequence[BankLoan], kind: LoanKind, today: date) -> LoanProduct:
    first = ways[0]
    lows = [way.rate_min for way in ways if way.rate_min is not None]
    highs = [way.rate_max for way in ways if way.rate_max is not None] or lows
    averages = [way.rate_average for way in ways if way.rate_average is not None]
    rate = (round(min(lows) / 100, 6), round(max(*highs, *lows) / 100, 6)) if lows else None
    lent = ", ".join(dict.fromkeys(f"{way.rate_type} {way.repayment}".strip() for way in ways))
    average = f"전월 평균 연 {min(averages):g}%" if averages else ""
    return LoanProduct(
        id=f"bank-{kind}-{first.code}",
        name=first.product,
        kind=kind,
        provider=first.bank,
        summary=", ".join(part for part in (lent, average) if part),
        as_of=_month(first.disclosed) or today.isoformat(),
        source=SOURCE,
        conditions=(),
        rate=rate,
        note=f"한도: {first.limit}" if first.limit else "",
        decided_by_bank=True,
    )


def _month(text: str) -> str:
    """The month of disclosure, as YYYY-MM."""
    return f"{text[:4]}-{text[4:6]}" if len(text) >= 6 and text[:6].isdigit() else ""


def _key(kind: LoanKind) -> str:
    return f"loans-{kind}"
