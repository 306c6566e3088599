"""Figures from transactions: low, median and high price and the count, for our own data and for live ones alike.

Also builds `data/market.json` and `data/listings.json` from a file of transactions; only figures leave the file.
"""

import csv
import json
import random
import statistics
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from madang.assistants.homes.tools.market import SIZE_BANDS, band_of
from madang.errors import UnreadableData

_LOW, _HIGH = 0.1, 0.9
MINIMUM = 3
_LISTINGS = 204
_SEED = 20240229
_COMPLEXES = ("한빛", "푸른", "햇살", "다솜", "은하", "새봄", "가람", "누리", "마루", "미르")
_KINDS = (("아파트", 1.0), ("아파트", 1.0), ("오피스텔", 0.75), ("빌라", 0.55))


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


def build_listings(market: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Invented sample listings around the median prices, the same on every run."""
    chance = random.Random(_SEED)
    districts = sorted(market["districts"])
    listings: list[dict[str, Any]] = []
    for number in range(_LISTINGS):
        district = districts[number % len(districts)]
        bands = market["districts"][district]
        band = SIZE_BANDS[int(chance.random() * len(SIZE_BANDS))]
        figures = bands.get(band.key) or bands[next(iter(bands))]
        kind, factor = _KINDS[int(chance.random() * len(_KINDS))]
        deal = ("매매", "전세", "월세")[number % 3]
        price = _round(figures["median"] * factor * (0.85 + 0.3 * chance.random()))
        area = round(band.typical * (0.96 + 0.08 * chance.random()), 1)
        listings.append(_listing(number, (district, kind, deal), price, area, chance))
    return listings


def write_data(transactions: Path, into: Path) -> None:
    """Read the transactions and write both data files into the directory `into`."""
    with transactions.open(encoding="utf-8-sig", newline="") as file:
        market = build_market(csv.DictReader(file))
    for name, content in (("market.json", market), ("listings.json", build_listings(market))):
        text = json.dumps(content, ensure_ascii=False, indent=1)
        (into / name).write_text(text + "\n", encoding="utf-8")


def price_figures(prices: Sequence[int]) -> dict[str, int] | None:
    """Low (10%), median and high (90%) price in won with the count; None if there are too few to tell."""
    if len(prices) < MINIMUM:
        return None
    ordered = sorted(prices)
    return {
        "low": _round(_quantile(ordered, _LOW)),
        "median": _round(statistics.median(ordered)),
        "high": _round(_quantile(ordered, _HIGH)),
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


def _round(price: float) -> int:
    """To a million won: listings and medians are not known more closely."""
    return round(price / 1_000_000) * 1_000_000


def _listing(
    number: int, about: tuple[str, str, str], price: int, area: float, chance: random.Random
) -> dict[str, Any]:
    district, kind, deal = about
    jeonse = _round(price * (0.5 + 0.12 * chance.random()))
    deposit = price if deal == "매매" else jeonse if deal == "전세" else _round(jeonse * 0.1)
    rent = round((jeonse - deposit) * 0.055 / 12 / 10_000) * 10_000 if deal == "월세" else 0
    name = f"{_COMPLEXES[int(chance.random() * len(_COMPLEXES))]}{kind} {number % 7 + 1}단지"
    return {
        "id": f"sample-{number + 1:03d}",
        "sample": True,
        "name": name,
        "sido": "서울특별시",
        "district": district,
        "property_kind": kind,
        "deal": deal,
        "price": deposit if deal == "매매" else 0,
        "deposit": 0 if deal == "매매" else deposit,
        "monthly_rent": rent,
        "area": area,
        "rooms": 1 if area < 35 else 2 if area < 60 else 3 if area < 100 else 4,
        "floor": 1 + int(chance.random() * 20),
        "built": 1990 + int(chance.random() * 34),
        "station_minutes": 2 + int(chance.random() * 18),
        "maintenance": round(area * (1500 + 1500 * chance.random()) / 10_000) * 10_000,
    }
