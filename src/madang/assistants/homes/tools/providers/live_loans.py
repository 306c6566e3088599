"""Banks' loans beside the policy loans: fetched once a day, one product for all the ways it is lent."""

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from datetime import date
from functools import partial
from itertools import groupby
from typing import Any

from madang.assistants.homes.state.results import LoanKind
from madang.assistants.homes.tools.loans import LoanProduct
from madang.assistants.homes.tools.providers import loan_products
from madang.assistants.homes.tools.providers.live import LiveService
from madang.assistants.homes.tools.providers.loan_products import BankLoan, LoanProductApi

SOURCE = "금융감독원 금융상품한눈에(API)"
_LASTS = 24 * 3600.0
_KINDS: dict[LoanKind, loan_products.Kind] = {"jeonse": "jeonse", "purchase": "mortgage"}


class LiveLoans(LiveService[LoanProductApi]):
    """The products of the kinds that are asked for, and why some are missing."""

    prefix = "loans-"
    budget = 8.0
    services = ("loan",)

    async def products(self, kinds: Sequence[LoanKind], today: date) -> tuple[list[LoanProduct], str | None]:
        """Banks' products of those kinds (all without any), lowest rate first, and a line if they can't be had now."""
        wanted = [kind for kind in _KINDS if not kinds or kind in kinds]
        async with self._in_time(self.services):
            await asyncio.gather(
                *(self._keep("loan", _key(kind), partial(self._fetch, kind), _LASTS) for kind in wanted)
            )
        kept = {kind: self._cache.get(_key(kind)) for kind in wanted}
        found = [
            product
            for kind, rows in kept.items()
            for product in as_products([BankLoan(**row) for row in rows or ()], kind, today)
        ]
        failed = self._outages["loan"].current
        lost = failed is not None and None in kept.values()
        return found, f"은행 대출 상품을 지금 받을 수 없습니다: {failed.message}." if failed and lost else None

    async def _fetch(self, kind: LoanKind) -> list[dict[str, Any]]:
        return [asdict(loan) for loan in await self._provider.loans(_KINDS[kind])]


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
