"""Hotel Expert: three stays, one recommended; in a trip of several cities each is the sum of its cities' stays."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from madang.assistants.travel.answering.sources import LIVE_LODGING, LODGING
from madang.assistants.travel.data.rates import as_of
from madang.assistants.travel.state.trip_facts import STAYS, WHEN, WHO, slots_of
from madang.assistants.travel.tools.hotels import HotelRequest, StayOption, search_hotels
from madang.assistants.travel.tools.requests import hotel_requests, whole_stay
from madang.assistants.travel.tools.transport import Analysis
from madang.errors import ServiceUnavailable
from madang.graph import AgentContext, View, agent


@agent(
    team="search",
    reads=(*STAYS, *WHEN, *WHO, "accommodation_preference", "hotel_tier"),
    writes=("hotel_options", "hotel_analysis"),
    task="숙소 검색",
    description="머무는 도시마다 숙소 세 가지",
    timeout=20,
    retries=1,
    data=("estimates", "live_hotels"),
)
async def hotel_expert(trip: View, ctx: AgentContext) -> dict[str, Any]:
    notes: list[str] = []
    requests = hotel_requests(slots_of(trip), ctx.today, prefer=trip.hotel_tier)
    found = [await _stays(ctx, request, notes) for request in requests]
    whole = whole_stay(found)
    first = whole.options[0]
    source, when = (LODGING, as_of()) if first.is_estimate else (LIVE_LODGING, ctx.today.isoformat())
    ctx.source("hotel_options", tool="search_hotels", source=source, as_of=when)
    analysis = {
        "recommendation": whole.recommendation,
        "reasoning": whole.reasoning,
        "tips": whole.tips,
        "notes": [*notes, *whole.notes],
    }
    return {"hotel_options": [_option(option, found) for option in whole.options], "hotel_analysis": analysis}


def _option(option: StayOption, found: Sequence[Analysis[StayOption]]) -> dict[str, Any]:
    if len(found) == 1:
        return option.as_dict()
    parts = [next((o for o in one.options if o.type == option.type), one.options[0]) for one in found]
    return {**option.as_dict(), "stays": [part.as_dict() for part in parts]}


async def _stays(ctx: AgentContext, request: HotelRequest, notes: list[str]) -> Analysis[StayOption]:
    estimated = search_hotels(request)
    provider = ctx.services.hotel_provider if ctx.services else None
    if provider is None:
        return estimated
    try:
        live = await provider.hotels(request)
    except ServiceUnavailable as error:
        notes.append(f"실시간 숙박료를 가져오지 못해 추정값을 씁니다: {error}")
        return estimated
    return replace(estimated, options=list(live)) if live else estimated
