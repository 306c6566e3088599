"""Prices by region, kind and deal: real figures where there are transactions, estimates that say so elsewhere."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cache, partial
from typing import Any, Literal, Protocol

from madang.assistants.homes import data
from madang.assistants.homes.state.conversation import DealType
from madang.assistants.homes.state.results import Chart, ChartSeries, MarketResult
from madang.assistants.homes.tools.regions import city_of, place_name, resolve_region
from madang.errors import InvalidInput, NotFound

Deal = Literal["매매", "전세", "월세"]
LIVE_SOURCE = "국토교통부 실거래가 공개 자료(API)"
DEAL_NAMES: Mapping[DealType, Deal] = {"sale": "매매", "jeonse": "전세", "monthly_rent": "월세"}
DEALS = tuple(DEAL_NAMES.values())


@dataclass(frozen=True)
class SizeBand:
    """A range of exclusive areas in square metres and a typical size in it."""

    key: str
    label: str
    below: float
    typical: float


SIZE_BANDS = (
    SizeBand("small", "40㎡ 이하", 40.01, 27.0),
    SizeBand("compact", "40~60㎡", 60.01, 59.0),
    SizeBand("standard", "60~85㎡", 85.01, 84.0),
    SizeBand("large", "85~135㎡", 135.01, 114.0),
    SizeBand("extra", "135㎡ 초과", float("inf"), 160.0),
)


def band_of(area: float) -> SizeBand:
    """The band of an exclusive area. Raises `InvalidInput` unless it is a size of a home."""
    if not 5 <= area <= 1000:
        raise InvalidInput(f"전용면적 {area}㎡는 범위를 벗어났습니다 (5~1000㎡)")
    return next(band for band in SIZE_BANDS if area < band.below)


@dataclass(frozen=True)
class PriceQuestion:
    """What figures are wanted for; `months` if so many of the last months were asked for."""

    regions: Sequence[str]
    deals: Sequence[Deal]
    property_kind: str = "아파트"
    area: float | None = None
    months: int | None = None


@dataclass(frozen=True, kw_only=True)
class LiveFigure:
    """What transactions of the last months say; `new_only` when leases that only went on were left out."""

    low: int
    median: int
    high: int
    count: int
    monthly_rent: int | None
    since: str
    as_of: str
    source: str
    new_only: bool = False


class LiveFigures(Protocol):
    """Figures of transactions that were fetched, at once; None where there are none."""

    source: str

    def figure(
        self, sido: str, district: str | None, deal: Deal, kind: str, band: SizeBand, months: int | None = None
    ) -> LiveFigure | None: ...

    def months(self, sido: str, district: str | None) -> Mapping[str, Mapping[str, int]]: ...


@dataclass(frozen=True)
class _Wanted:
    """What was asked for, with the region settled."""

    sido: str
    district: str | None
    deal: Deal
    kind: str
    area: float | None

    months: int | None = None

    @property
    def name(self) -> str:
        return place_name(self.sido, self.district)


@cache
def _market() -> Mapping[str, Any]:
    found: dict[str, Any] = json.loads(data.text("market.json"))
    return found


_estimates = cache(partial(data.load, "market_estimates.toml"))


class MarketDataTool:
    """Prices for a region as people name it, with the date and source of each figure.

    `prices` are figures from other transactions, in the form of the packaged ones; `live` comes before them where
    it has enough transactions.
    """

    def __init__(self, prices: Mapping[str, Any] | None = None, live: LiveFigures | None = None) -> None:
        self.prices = _market() if prices is None else prices
        self.live = live

    def query(
        self,
        region: str,
        deal: Deal = "매매",
        *,
        area: float | None = None,
        property_kind: str = "아파트",
        months: int | None = None,
    ) -> list[MarketResult]:
        """One figure for each size band, or for the band of `area`; live ones of so many of the last `months`.

        Raises `NotFound` for a region that isn't known and `InvalidInput` for another deal or kind of home.
        """
        if deal not in DEALS:
            raise InvalidInput(f"거래 종류는 {', '.join(DEALS)} 중 하나여야 합니다")
        if property_kind not in _estimates()["property_factor"]:
            kinds = ", ".join(_estimates()["property_factor"])
            raise InvalidInput(f"주택 종류 {property_kind!r}는 다루지 않습니다 ({kinds})")
        sido, district = resolve_region(region)
        wanted = _Wanted(sido, district, deal, property_kind, area, months)
        return [self._figure(wanted, band) for band in (SIZE_BANDS if area is None else (band_of(area),))]

    def _figure(self, wanted: "_Wanted", band: SizeBand) -> MarketResult:
        live = self._live(wanted, wanted.deal, wanted.kind, band)
        if live is not None:
            return _traded(wanted, band, live)
        seoul = wanted.sido == "서울특별시"
        sale = self._real(wanted.district, band) if seoul else None
        if sale and wanted.deal == "매매" and wanted.kind == "아파트":
            market = self.prices
            basis = f"{market['from']}~{market['as_of']} 거래 {sale['count']}건의 하위 10%·중위·상위 10%"
            return _result(wanted, band, sale, basis, market, count=sale["count"])
        if sale is None and seoul and wanted.district is None:
            sale = self._city(band)
        base = self._live(wanted, "매매", "아파트", band)
        if base is not None:
            return _estimate(
                wanted,
                band,
                {"low": base.low, "median": base.median, "high": base.high},
                {"as_of": base.as_of, "source": base.source},
            )
        size = wanted.area or band.typical
        spread = sale or _spread(_per_sqm(wanted.sido, wanted.district) * size * 10_000)
        return _estimate(wanted, band, spread, self.prices if sale is not None else None)

    def _live(self, wanted: "_Wanted", deal: Deal, kind: str, band: SizeBand) -> LiveFigure | None:
        if self.live is None:
            return None
        return self.live.figure(wanted.sido, wanted.district, deal, kind, band, wanted.months)

    def months(self, region: str) -> tuple[Mapping[str, Mapping[str, int]], str, str]:
        """Sale prices per square metre by month, live if there are two months of them, with their date and source.

        Raises `NotFound` for an unknown region.
        """
        sido, district = resolve_region(region)
        live = self.live.months(sido, district) if self.live is not None else {}
        if self.live is not None and len(live) > 1:
            return live, max(live), self.live.source
        own: Mapping[str, Mapping[str, int]] = {}
        if sido == "서울특별시":
            own = self.prices["monthly_per_sqm"].get(district or "", {})
        return own, self.prices["as_of"], self.prices["source"]

    def _real(self, district: str | None, band: SizeBand) -> dict[str, int] | None:
        found: dict[str, int] | None = self.prices["districts"].get(district or "", {}).get(band.key)
        return found

    def _city(self, band: SizeBand) -> dict[str, int]:
        """Seoul as a whole: its districts' figures weighted by their counts."""
        rows = [bands[band.key] for bands in self.prices["districts"].values() if band.key in bands]
        total = sum(row["count"] for row in rows)
        return {
            key: in_millions(sum(row[key] * row["count"] for row in rows) / total) for key in ("low", "median", "high")
        }


@dataclass(frozen=True)
class Comparison:
    """Regions side by side: how much dearer each is than the cheapest, and a chart."""

    gaps: dict[str, int]
    chart: Chart


@dataclass(frozen=True)
class Trend:
    """How the median price of a square metre changed over the months there are data for."""

    region: str
    months: tuple[str, ...]
    median_per_sqm: tuple[int, ...]
    change_percent: float | None
    as_of: str


class MarketAnalysisTool:
    """Comparisons and the short trend in the data, with charts that can be drawn."""

    def __init__(self, data: MarketDataTool | None = None) -> None:
        self._data = data or MarketDataTool()

    def compare(
        self, regions: Sequence[str], deal: Deal = "매매", *, area: float = 84.0, property_kind: str = "아파트"
    ) -> Comparison:
        """Median prices of regions side by side, dearest first, with a bar chart. Raises as `MarketDataTool.query`."""
        if not regions:
            raise InvalidInput("비교할 지역을 알려 주세요")
        figures = [
            figure
            for region in dict.fromkeys(regions)
            for figure in self._data.query(region, deal, area=area, property_kind=property_kind)
        ]
        figures.sort(key=lambda figure: -figure["median"])
        title = f"{property_kind} {deal} 중위가 ({band_of(area).label})"
        labels = [figure["region"].split()[-1] for figure in figures]
        gaps = {figure["region"]: figure["median"] - figures[-1]["median"] for figure in figures}
        return Comparison(gaps, price_chart(title, labels, figures))

    def trend(self, region: str) -> Trend:
        """The months there are data for, per square metre. Raises `NotFound` where there are none."""
        months, as_of, _ = self._data.months(region)
        if not months:
            raise NotFound(f"{region}의 월별 거래 자료가 없습니다", region=region)
        values = tuple(int(month["median_per_sqm"]) for month in months.values())
        change = round((values[-1] / values[0] - 1) * 100, 1) if len(values) > 1 else None
        _, district = resolve_region(region)
        return Trend(district or region, tuple(months), values, change, as_of)

    def chart(self, region: str, deal: Deal = "매매", *, property_kind: str = "아파트") -> Chart:
        """A region's prices of every size."""
        figures = self._data.query(region, deal, property_kind=property_kind)
        title = f"{figures[0]['region']} {property_kind} {deal} 시세"
        return price_chart(title, [str(figure["size_band"]) for figure in figures], figures)


def price_chart(title: str, labels: list[str], figures: Sequence[MarketResult]) -> Chart:
    """Low, median and high of each figure as bars."""
    series: list[ChartSeries] = [
        {"name": "하위", "values": [figure["low"] for figure in figures]},
        {"name": "중위", "values": [figure["median"] for figure in figures]},
        {"name": "상위", "values": [figure["high"] for figure in figures]},
    ]
    return {"type": "bar", "title": title, "unit": "원", "labels": labels, "series": series, "note": _note(figures)}


def _per_sqm(sido: str, district: str | None) -> float:
    table: Mapping[str, float] = _estimates()["sale_per_sqm"]
    for name in (district, city_of(district)):
        if name and name in table:
            return table[name]
    if sido not in table:
        raise NotFound(f"{sido}의 시세 추정값이 없습니다", region=sido)
    return table[sido]


def _spread(median: float) -> dict[str, int]:
    share = _estimates()["rent"]["spread"]
    return {
        "low": in_millions(median * (1 - share)),
        "median": in_millions(median),
        "high": in_millions(median * (1 + share)),
    }


def _traded(wanted: "_Wanted", band: SizeBand, live: LiveFigure) -> MarketResult:
    """A figure of real transactions, with the time they are from."""
    new = "신규 계약 " if live.new_only else ""
    rent = "보증금의 하위 10%·중위·상위 10%와 월세의 중위" if wanted.deal == "월세" else "하위 10%·중위·상위 10%"
    basis = f"{live.since}~{live.as_of} {new}거래 {live.count}건의 {rent}"
    return _result(wanted, band, asdict(live), basis, asdict(live), live.monthly_rent, count=live.count)


def _estimate(
    wanted: "_Wanted", band: SizeBand, sale: Mapping[str, int], trades: Mapping[str, Any] | None
) -> MarketResult:
    """A figure derived from sale prices, of `trades` if there are any; it says so."""
    estimates = _estimates()
    factor = float(estimates["property_factor"][wanted.kind])
    ratio = float(estimates["jeonse_ratio"].get(wanted.sido, estimates["jeonse_ratio"]["default"]))
    rent_table = estimates["rent"]
    prices = {key: sale[key] * factor for key in ("low", "median", "high")}
    basis = [f"아파트 대비 {factor:g}" if factor != 1 else "", "매매 실거래" if trades else "지역 ㎡당 추정가"]
    rent: int | None = None
    if wanted.deal != "매매":
        prices = {key: value * ratio for key, value in prices.items()}
        basis.append(f"전세가율 {ratio:.0%}")
    if wanted.deal == "월세":
        deposit = prices["median"] * rent_table["deposit_share"]
        rent = round((prices["median"] - deposit) * rent_table["conversion_rate"] / 12 / 10_000) * 10_000
        prices = {key: value * rent_table["deposit_share"] for key, value in prices.items()}
        basis.append("보증금 10%와 연 5.5% 월세 환산")
    told = "추정: " + ", ".join(part for part in basis if part)
    return _result(
        wanted, band, {key: in_millions(price) for key, price in prices.items()}, told, trades or estimates, rent
    )


def _result(
    wanted: "_Wanted",
    band: SizeBand,
    prices: Mapping[str, int],
    basis: str,
    source: Mapping[str, Any],
    monthly_rent: int | None = None,
    *,
    count: int | None = None,
) -> MarketResult:
    """One figure; without a count of transactions it is an estimate."""
    return {
        "region": wanted.name,
        "property_type": wanted.kind,
        "deal_type": wanted.deal,
        "size_band": band.label,
        "low": prices["low"],
        "median": prices["median"],
        "high": prices["high"],
        "monthly_rent": monthly_rent,
        "transaction_count": count,
        "as_of": source["as_of"],
        "is_estimate": count is None,
        "source": source["source"],
        "basis": basis,
    }


def in_millions(price: float) -> int:
    """To a million won: medians are not known more closely."""
    return round(price / 1_000_000) * 1_000_000


def _note(figures: Sequence[MarketResult]) -> str:
    first = figures[0]
    estimated = " 일부 또는 전부가 추정값입니다." if any(figure["is_estimate"] for figure in figures) else ""
    return f"{first['source']}, {first['as_of']} 기준.{estimated}"
