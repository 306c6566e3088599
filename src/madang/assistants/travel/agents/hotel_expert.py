"""Hotel Expert: three stays, one recommended; in a trip of several cities each is the sum of its cities' stays."""

from dataclasses import replace

from madang.assistants.travel.data.estimates import as_of
from madang.assistants.travel.data.sources import LIVE_LODGING, LODGING
from madang.assistants.travel.services import TravelServices
from madang.assistants.travel.state.requests import StaysRequest, TripRequest
from madang.assistants.travel.state.results import Accommodation, ExpertAnalysis, HotelOption, Tier
from madang.assistants.travel.tools.hotels import search_hotels, whole_stay, within_budget
from madang.assistants.travel.tools.providers import live_or_estimated
from madang.graph import Context, Writes, agent


class HotelRequest(StaysRequest, TripRequest):
    accommodation_preference: Accommodation | None
    hotel_tier: Tier | None
    lodging_budget: int | None


class HotelResult(Writes):
    hotel_options: list[HotelOption]
    hotel_analysis: ExpertAnalysis


@agent(
    team="search",
    task="숙소 검색",
    description="머무는 도시마다 숙소 세 가지",
    timeout=20,
    retries=1,
    data=("estimates", "live_hotels"),
)
async def hotel_expert(request: HotelRequest, ctx: Context[TravelServices]) -> HotelResult:
    trip = replace(request.trip, asked=request.asked, accommodation=request.accommodation_preference)
    provider = ctx.services.hotel_provider
    parts = []
    for part in trip.parts():
        estimated = search_hotels(part, request.hotel_tier)
        parts.append(await live_or_estimated(estimated, provider.hotels(part) if provider else None, "숙박료를"))
    found = within_budget(whole_stay(parts), request.lodging_budget)
    live = not found.options[0]["is_estimate"]
    source, when = (LIVE_LODGING, ctx.today.isoformat()) if live else (LODGING, as_of())
    ctx.source("hotel_options", tool="search_hotels", source=source, as_of=when)
    return {"hotel_options": found.options, "hotel_analysis": found.analysis}
