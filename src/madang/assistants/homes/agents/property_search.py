"""Sample listings that fit a wish."""

from typing import Annotated

from madang.assistants.homes.services import HomesServices
from madang.assistants.homes.state.conversation import DealType, ListingWish
from madang.assistants.homes.state.paths import LISTINGS
from madang.assistants.homes.state.results import PropertyResult
from madang.assistants.homes.tools.listings import SAMPLE_NOTE, Listing, ListingQuery, RealEstateSearchTool
from madang.assistants.homes.tools.market import DEAL_NAMES
from madang.graph import At, Context, Reads, Writes, agent


class PropertyRequest(Reads):
    regions: list[str]
    deal_type: DealType | None
    area_m2: float | None
    property_type: str | None
    listing_wish: ListingWish | None


class PropertyFound(Writes):
    property_search: Annotated[list[PropertyResult], At(LISTINGS)]


@agent(
    team="search",
    agent_name="search_team",
    task="매물 검색",
    description="조건에 맞는 매물 예시",
    timeout=15,
    data=("listings",),
)
async def property_search(asked: PropertyRequest, ctx: Context[HomesServices]) -> PropertyFound:
    wish: ListingWish = asked.listing_wish or {}
    area = asked.area_m2
    query = ListingQuery(
        regions=tuple(asked.regions),
        deal=DEAL_NAMES[asked.deal_type] if asked.deal_type else None,
        property_kind=asked.property_type,
        min_area=area * 0.9 if area else None,
        max_area=area * 1.1 if area else None,
        max_amount=wish.get("max_amount"),
        min_amount=wish.get("min_amount"),
        max_rent=wish.get("max_rent"),
        max_station_minutes=wish.get("max_station_minutes"),
        min_built=wish.get("min_built"),
    )
    found = RealEstateSearchTool().search(query, limit=5)
    ctx.source("property_search", tool="RealEstateSearchTool", source="예시 매물", note=SAMPLE_NOTE)
    return {"property_search": [as_listing(item) for item in found]}


def as_listing(item: Listing) -> PropertyResult:
    return {
        "listing_id": item.id,
        "title": item.name,
        "region": f"{item.sido} {item.district}",
        "property_type": item.property_kind,
        "deal_type": item.deal,
        "price": item.price or None,
        "deposit": item.deposit or None,
        "monthly_rent": item.monthly_rent or None,
        "area_m2": item.area,
        "floor": f"{item.floor}층",
        "walk_minutes": item.station_minutes,
        "rooms": item.rooms,
        "built": item.built,
        "maintenance": item.maintenance,
        "is_sample": item.sample,
        "source": SAMPLE_NOTE,
    }
