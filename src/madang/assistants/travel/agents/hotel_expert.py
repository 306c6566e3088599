"""Hotel Expert: three stays in each city, one recommended."""

from datetime import timedelta
from typing import Any

from madang.assistants.travel.agents.trip_facts import WHEN, WHERE, WHO, depart_of, party, stays_of
from madang.assistants.travel.data.rates import as_of
from madang.assistants.travel.tools.hotels import HotelRequest, search_hotels
from madang.errors import ServiceUnavailable
from madang.graph import AgentContext, View, agent


@agent(
    team="search",
    reads=(*WHERE, *WHEN, *WHO, "accommodation_preference", "hotel_tier"),
    writes=("hotel_options", "hotel_analysis"),
    task="숙소 검색",
    description="머무는 도시마다 숙소 세 가지",
    timeout=20,
    retries=1,
    data=("estimates", "live_hotels"),
)
async def hotel_expert(trip: View, ctx: AgentContext) -> dict[str, Any]:
    options: list[dict[str, Any]] = []
    reasons: list[str] = []
    notes: list[str] = []
    tips: list[str] = []
    tier = "standard"
    day = depart_of(trip)
    for city, nights in stays_of(trip):
        request = HotelRequest(city, day, nights, party(trip), trip.accommodation_preference, trip.hotel_tier)
        found = search_hotels(request)
        tier = found.recommendation
        options += await _offers(ctx, request, [option.as_dict() for option in found.options], notes)
        reasons.append(found.reasoning)
        tips += [tip for tip in found.tips if tip not in tips]
        notes += found.notes
        day += timedelta(days=nights)
    ctx.source("hotel_options", tool="search_hotels", source="estimates.toml", as_of=as_of())
    analysis = {"recommendation": tier, "reasoning": " ".join(reasons), "tips": tips, "notes": notes}
    return {"hotel_options": options, "hotel_analysis": analysis}


async def _offers(
    ctx: AgentContext, request: HotelRequest, estimated: list[dict[str, Any]], notes: list[str]
) -> list[dict[str, Any]]:
    provider = ctx.services.hotel_provider if ctx.services else None
    if provider is None:
        return estimated
    try:
        live = await provider.hotels(request)
    except ServiceUnavailable as error:
        notes.append(f"실시간 숙박료를 가져오지 못해 추정값을 씁니다: {error}")
        return estimated
    return [option.as_dict() for option in live] or estimated
