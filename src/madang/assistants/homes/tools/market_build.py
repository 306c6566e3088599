"""Figures from transactions: low, median and high price and the count, for our own data and for live ones alike."""

import statistics
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from madang.assistants.homes.tools.market import SIZE_BANDS, band_of, in_millions
from madang.errors import UnreadableData

_LOW, _HIGH = 0.1, 0.9
MINIMUM = 3


def build_market(rows: Iterable[Mapping[str, str]]) -> dict[str, Any]:
    """Prices in won by district and size band. Raises `UnreadableData` for a row without its figures."""
    seen: set[tuple[str, ...]] = set()
    prices: dict[tuple[str, str], list[int]] = defaultdict(list)
    months: dict[tuple[str, str], list[float]] = defaultdict(list)
    dates: list[str] = []
    for number, row in enumerate(rows, 2):
        key = tuple(row.get(name, "") for name in ("Gu", "Dong", "Name", "Date", "Price", "Area", "Floor"))
        if key in seen:
            continue
        seen.add(key)
        try:
            price, area, day = int(float(row["Price"])) * 10_000, float(row["Area"]), str(int(row["Date"]))
        except (KeyError, ValueError) as error:
            raise UnreadableData(f"line {number} of the transactions can't be read: {error!r}") from error
        prices[row["Gu"], band_of(area).key].append(price)
        months[row["Gu"], f"{day[:4]}-{day[4:6]}"].append(price / area)
        dates.append(f"{day[:4]}-{day[4:6]}-{day[6:]}")
    return {
        "source": "서울 아파트 매매 실거래 자료에서 계산",
        "as_of": max(dates),
        "from": min(dates),
        "sido": "서울특별시",
        "property": "아파트",
        "deal": "매매",
        "bands": {band.key: band.label for band in SIZE_BANDS},
        "districts": _districts(prices),
        "monthly_per_sqm": _monthly(months),
    }


def price_figures(prices: Sequence[int]) -> dict[str, int] | None:
    """Low (10%), median and high (90%) price in won with the count; None if there are too few to tell."""
    if len(prices) < MINIMUM:
        return None
    ordered = sorted(prices)
    return {
        "low": in_millions(_quantile(ordered, _LOW)),
        "median": in_millions(statistics.median(ordered)),
        "high": in_millions(_quantile(ordered, _HIGH)),
        "count": len(ordered),
    }


def monthly_figures(months: Mapping[str, Sequence[float]]) -> dict[str, dict[str, int]]:
    """Median price per square metre and count of each month, in order."""
    return {
        month: {"median_per_sqm": int(statistics.median(values)), "count": len(values)}
        for month, values in sorted(months.items())
    }


def _districts(prices: Mapping[tuple[str, str], list[int]]) -> dict[str, dict[str, dict[str, int]]]:
    found: dict[str, dict[str, dict[str, int]]] = defaultdict(dict)
    for (district, band), values in sorted(prices.items()):
        figures = price_figures(values)
        if figures is not None:
            found[district][band] = figures
    return dict(found)


def _monthly(months: Mapping[tuple[str, str], list[float]]) -> dict[str, dict[str, dict[str, int]]]:
    found: dict[str, dict[str, list[float]]] = defaultdict(dict)
    for (district, month), values in sorted(months.items()):
        found[district][month] = values
    return {district: monthly_figures(values) for district, values in found.items()}


def _quantile(ordered: Sequence[int], share: float) -> float:
    place = share * (len(ordered) - 1)
    low = int(place)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (ordered[high] - ordered[low]) * (place - low)
