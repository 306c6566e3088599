"""Prices from the ministry's transactions: fetched by district and month, kept, and worked out as our own are."""

import asyncio
import statistics
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from functools import partial
from itertools import chain
from typing import Any, NamedTuple

from madang.assistants.homes.tools.market import (
    LIVE_SOURCE,
    SIZE_BANDS,
    Deal,
    LiveFigure,
    PriceQuestion,
    SizeBand,
    band_of,
)
from madang.assistants.homes.tools.market_build import MINIMUM, monthly_figures, price_figures
from madang.assistants.homes.tools.providers.districts import codes_of
from madang.assistants.homes.tools.providers.live import LiveService
from madang.assistants.homes.tools.providers.transactions import Home, Kind, LandMinistryApi, Transaction
from madang.assistants.homes.tools.regions import resolve_region
from madang.errors import InvalidInput, NotFound

KINDS: tuple[Kind, ...] = ("sale", "lease")
HOMES: dict[str, Home] = {"아파트": "apartment", "오피스텔": "officetel", "빌라": "villa"}
_NAMES = {f"{k}-{home}": f"{name} {'매매' if k == 'sale' else '전월세'}" for name, home in HOMES.items() for k in KINDS}
RECENT, YEAR = 4, 12
MOST_REGIONS = 6
_AT_ONCE = 6
# Deals are reported within a month of the contract; later only cancellations change a month.
_OPEN_MONTHS = 2
_OPEN_SECONDS, _CLOSED_SECONDS = 12 * 3600.0, 7 * 24 * 3600.0


class _Trade(NamedTuple):
    """A deal as it is kept: no names, only what a figure needs."""

    area: float
    day: str
    amount: int
    rent: int
    renewed: bool


@dataclass(frozen=True)
class _Request:
    """One district, month and kind of deal."""

    code: str
    month: str
    kind: Kind
    home: Home

    @property
    def service(self) -> str:
        return f"{self.kind}-{self.home}"

    @property
    def key(self) -> str:
        return f"market-{self.service}-{self.code}-{self.month}"


class LivePrices(LiveService[LandMinistryApi]):
    """Fetches what a question needs, within a time; answers figures from what is kept, at once."""

    source = LIVE_SOURCE

    prefix = "market-"
    budget = 10.0
    # Each of the ministry's services has a quota and a permission of its own.
    services = tuple(_NAMES)
    _newest: str | None = None

    async def refresh(self, question: PriceQuestion, today: date) -> list[str]:
        """Fetch what isn't kept yet, within the budget. A service that fails is told, a line each, never raised."""
        self._newest = today.strftime("%Y%m")
        months = months_before(self._newest, YEAR)
        soon, services = question.months or RECENT, _services(question)
        places, notes = _places(question.regions)
        recent = [
            _Request(code, month, kind, home)
            for month in months[:soon]
            for codes in places.values()
            for code in codes
            for kind, home in services
        ]
        async with self._in_time(f"{kind}-{home}" for kind, home in services):
            await self._fetch_all(recent)
            await self._fetch_all(self._wider(question, places, months[soon:]))
        return notes + self._failures(recent)

    def _failures(self, wanted: Sequence[_Request]) -> list[str]:
        """Why some of what was wanted is not kept, a line for each reason."""
        why: dict[str, list[str]] = {}
        for name in dict.fromkeys(r.service for r in wanted if self._cache.get(r.key) is None):
            if (error := self._outages[name].current) is not None:
                why.setdefault(error.message, []).append(_NAMES[name])
        return [f"국토교통부 {'·'.join(names)} 실거래가를 지금 받을 수 없습니다: {said}" for said, names in why.items()]

    def figure(
        self, sido: str, district: str | None, deal: Deal, kind: str, band: SizeBand, months: int | None = None
    ) -> LiveFigure | None:
        """Low, median and high of the recent months, or of the year if there were too few; None with fewer still."""
        if kind not in HOMES:
            return None
        trades: list[_Trade] = []
        for number, month in enumerate(self._months(sido, district, _kind(deal), HOMES[kind]), 1):
            trades += [trade for trade in month if band_of(trade.area) == band and _is_deal(trade, deal)]
            if number == (months or RECENT) and len(trades) >= MINIMUM:
                break
        return _figure(trades, deal)

    def months(self, sido: str, district: str | None) -> dict[str, dict[str, int]]:
        """Median sale price of an apartment per square metre, by month."""
        per_sqm: dict[str, list[float]] = {}
        for trade in chain.from_iterable(self._months(sido, district, "sale", "apartment")):
            per_sqm.setdefault(trade.day[:7], []).append(trade.amount / trade.area)
        return monthly_figures({month: values for month, values in per_sqm.items() if len(values) >= MINIMUM})

    async def _fetch_all(self, requests: Sequence[_Request]) -> None:
        gate = asyncio.Semaphore(_AT_ONCE)

        async def one(request: _Request) -> None:
            still_open = request.month in months_before(self._newest or request.month, _OPEN_MONTHS)
            seconds = _OPEN_SECONDS if still_open else _CLOSED_SECONDS
            async with gate:
                await self._keep(request.service, request.key, partial(self._fetch, request), seconds)

        await asyncio.gather(*(one(request) for request in requests))

    async def _fetch(self, request: _Request) -> list[list[Any]]:
        found = await self._provider.transactions(request.code, request.month, request.kind, request.home)
        return [_row(item) for item in found if _is_home(item.area)]

    def _wider(
        self, question: PriceQuestion, places: dict[tuple[str, str | None], tuple[str, ...]], months: Sequence[str]
    ) -> list[_Request]:
        """The rest of the year for places where the recent months have too few deals of what was asked."""
        home = HOMES.get(question.property_kind)
        if home is None:
            return []
        bands = SIZE_BANDS if question.area is None else (band_of(question.area),)
        thin = dict.fromkeys(
            (place, _kind(deal))
            for place in places
            for deal in question.deals
            if not any(self.figure(*place, deal, question.property_kind, band, question.months) for band in bands)
        )
        return [_Request(code, month, kind, home) for place, kind in thin for code in places[place] for month in months]

    def _months(self, sido: str, district: str | None, kind: Kind, home: Home) -> Iterator[list[_Trade]]:
        """What is kept of a place, newest month first, an empty list for a month that isn't."""
        try:
            codes = codes_of(sido, district)
        except NotFound:
            return
        prefixes = [f"market-{kind}-{home}-{code}-" for code in codes]
        newest = self._newest or max((key[-6:] for p in prefixes for key in self._cache.keys(p)), default=None)
        for month in months_before(newest, YEAR) if newest else ():
            yield [_Trade(*row) for prefix in prefixes for row in self._cache.get(f"{prefix}{month}") or ()]


def months_before(newest: str, count: int) -> list[str]:
    """So many months as YYYYMM, the newest first."""
    last = int(newest[:4]) * 12 + int(newest[4:]) - 1
    return [f"{month // 12:04d}{month % 12 + 1:02d}" for month in range(last, last - count, -1)]


def _places(regions: Sequence[str]) -> tuple[dict[tuple[str, str | None], tuple[str, ...]], list[str]]:
    """The places with codes, and what to say of the others."""
    places: dict[tuple[str, str | None], tuple[str, ...]] = {}
    notes: list[str] = []
    for region in regions:
        try:
            place = resolve_region(region)
            codes = codes_of(*place)
        except NotFound as error:
            notes.append(f"최근 실거래를 조회하지 못했습니다({error.message})")
            continue
        if len(places) < MOST_REGIONS:
            places[place] = codes
        elif place not in places:
            notes.append(f"최근 실거래는 한 번에 {MOST_REGIONS}곳까지 조회합니다. {region}은(는) 빠졌습니다")
    return places, notes


def _services(question: PriceQuestion) -> list[tuple[Kind, Home]]:
    """What to ask the service for. A lease is judged by the sale price, and estimates start from it."""
    home = HOMES.get(question.property_kind)
    leased = any(deal != "매매" for deal in question.deals)
    found: list[tuple[Kind, Home]] = [("sale", home or "apartment")]
    return [*found, ("lease", home)] if leased and home is not None else found


def _kind(deal: Deal) -> Kind:
    return "sale" if deal == "매매" else "lease"


def _is_deal(trade: _Trade, deal: Deal) -> bool:
    return deal == "매매" or (trade.rent > 0) == (deal == "월세")


def _is_home(area: float) -> bool:
    try:
        band_of(area)
    except InvalidInput:
        return False
    return True


def _row(item: Transaction) -> list[Any]:
    return [item.area, item.day.isoformat(), item.price or item.deposit, item.monthly_rent, item.renewed]


def _figure(found: Sequence[_Trade], deal: Deal) -> LiveFigure | None:
    """A lease that goes on is bound to its old price: new ones tell the market, if there are enough of them."""
    new = [trade for trade in found if not trade.renewed]
    trades = new if len(new) >= MINIMUM else found
    figures = price_figures([trade.amount for trade in trades])
    if figures is None:
        return None
    days = sorted(trade.day for trade in trades)
    rent = round(statistics.median(trade.rent for trade in trades) / 10_000) * 10_000 if deal == "월세" else None
    return LiveFigure(
        **figures,
        monthly_rent=rent,
        since=days[0],
        as_of=days[-1],
        source=LIVE_SOURCE,
        new_only=len(new) < len(found) and trades is new,
    )
