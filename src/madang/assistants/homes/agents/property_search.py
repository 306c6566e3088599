"""Sample listings that fit a wish."""

from typing import Any

from madang.assistants.homes.state.paths import SEARCH_TEAM
from madang.assistants.homes.tools.listings import SAMPLE_NOTE, Listing, ListingQuery, RealEstateSearchTool
from madang.assistants.homes.understanding.slots import DEAL_NAMES
from madang.graph import AgentContext, View, agent


@agent(
    **SEARCH_TEAM,
    reads=("regions", "deal_type", "area_m2", "property_type", "listing_wish"),
    writes=("team_results.search.property_search",),
    task="매물 검색",
    description="조건에 맞는 매물 예시",
    timeout=15,
    data=("listings",),
)
async def property_search(asked: View, ctx: AgentContext) -> dict[str, Any]:
    wish = asked.listing_wish or {}
    area = asked.area_m2
    query = ListingQuery(
        regions=tuple(asked.regions or ()),
        deal=DEAL_NAMES.get(asked.deal_type or ""),
        property_kind=asked.property_type,
        min_area=area * 0.9 if area else None,
        max_area=area * 1.1 if area else None,
        **{name: value for name, value in wish.items() if value is not None},
    )
    found = RealEstateSearchTool().search(query, limit=5)
    ctx.source("property_search", tool="RealEstateSearchTool", source="예시 매물", note=SAMPLE_NOTE)
    return {"property_search": [as_listing(item) for item in found]}


def as_listing(item: Listing) -> dict[str, Any]:
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
