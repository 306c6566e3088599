"""Sample listings, searched by what people say they want. Every one is invented and says so."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from madang.assistants.homes import data
from madang.assistants.homes.tools.regions import resolve_region
from madang.errors import InvalidInput

SAMPLE_NOTE = "실제 매물이 아닌 예시입니다."


@dataclass(frozen=True, kw_only=True)
class Listing:
    """A home on offer; sums in won, area in square metres of exclusive floor."""

    id: str
    sample: bool
    name: str
    sido: str
    district: str
    property_kind: str
    deal: str
    price: int
    deposit: int
    monthly_rent: int
    area: float
    rooms: int
    floor: int
    built: int
    station_minutes: int
    maintenance: int

    @property
    def amount(self) -> int:
        """The sale price or the deposit."""
        return self.price or self.deposit


@dataclass(frozen=True, kw_only=True)
class ListingQuery:
    """What is wanted; an empty field asks for nothing."""

    regions: Sequence[str] = ()
    deal: str | None = None
    property_kind: str | None = None
    min_amount: int | None = None
    max_amount: int | None = None
    max_rent: int | None = None
    min_area: float | None = None
    max_area: float | None = None
    max_station_minutes: int | None = None
    min_built: int | None = None


@cache
def sample_listings() -> tuple[Listing, ...]:
    """The packaged samples."""
    return tuple(Listing(**item) for item in json.loads(data.text("listings.json")))


class RealEstateSearchTool:
    """Listings by region, deal, price, area and distance to a station."""

    def __init__(self, listings: Sequence[Listing] | None = None) -> None:
        self._listings = tuple(sample_listings() if listings is None else listings)

    def search(self, query: ListingQuery, limit: int = 10) -> list[Listing]:
        """Matching listings, cheapest first. Raises `NotFound` (unknown region) or `InvalidInput` (bad range)."""
        if limit < 1:
            raise InvalidInput("limit must be at least 1")
        _check(query.min_amount, query.max_amount, "가격")
        _check(query.min_area, query.max_area, "면적")
        places = [resolve_region(region) for region in query.regions]
        found = [listing for listing in self._listings if _fits(listing, query, places)]
        return sorted(found, key=lambda listing: (listing.amount, listing.monthly_rent, listing.id))[:limit]


def _fits(listing: Listing, query: ListingQuery, places: Sequence[tuple[str, str | None]]) -> bool:
    in_place = not places or any(
        listing.sido == sido and (district is None or listing.district == district) for sido, district in places
    )
    return (
        in_place
        and query.deal in (None, listing.deal)
        and query.property_kind in (None, listing.property_kind)
        and _between(listing.amount, query.min_amount, query.max_amount)
        and (query.max_rent is None or listing.monthly_rent <= query.max_rent)
        and _between(listing.area, query.min_area, query.max_area)
        and (query.max_station_minutes is None or listing.station_minutes <= query.max_station_minutes)
        and (query.min_built is None or listing.built >= query.min_built)
    )


def _between(value: float, low: float | None, high: float | None) -> bool:
    return (low is None or value >= low) and (high is None or value <= high)


def _check(low: float | None, high: float | None, name: str) -> None:
    if low is not None and high is not None and low > high:
        raise InvalidInput(f"{name}의 아래 끝({low:,.0f})이 위 끝({high:,.0f})보다 큽니다")
