"""Flight Expert: three ways there and back, one recommended."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from madang.assistants.travel.data.estimates import as_of
from madang.assistants.travel.data.sources import FARES, LIVE_FARES
from madang.assistants.travel.services import TravelServices
from madang.assistants.travel.state.requests import OriginRequest, TripRequest
from madang.assistants.travel.state.results import ExpertAnalysis, FlightOption, FlightTimes, Tier
from madang.assistants.travel.tools.flights import search_flights
from madang.assistants.travel.tools.providers import live_or_estimated
from madang.graph import Context, Writes, agent


class FlightRequest(TripRequest, OriginRequest):
    preferred_airline: str | None
    flight_tier: Tier | None
    direct_only: bool | None


class FlightResult(Writes):
    flight_options: list[FlightOption]
    flight_analysis: ExpertAnalysis
    flight_times: FlightTimes


@agent(
    team="search",
    task="항공권 검색",
    description="출발지에서 목적지까지 왕복 교통편 세 가지",
    timeout=20,
    retries=1,
    data=("estimates", "live_flights"),
)
async def flight_expert(request: FlightRequest, ctx: Context[TravelServices]) -> FlightResult:
    trip = replace(
        request.trip, origin=request.start, airline=request.preferred_airline, direct_only=bool(request.direct_only)
    )
    provider, estimated = ctx.services.flight_provider, search_flights(trip, request.flight_tier)
    found = await live_or_estimated(estimated, provider.flights(trip) if provider else None, "운임을")
    live = not found.options[0]["is_estimate"]
    source, when = (LIVE_FARES, ctx.today.isoformat()) if live else (FARES, as_of())
    ctx.source("flight_options", tool="search_flights", source=source, as_of=when)
    return {
        "flight_options": found.options,
        "flight_analysis": found.analysis,
        "flight_times": times_of(found.options),
    }


def times_of(options: Sequence[FlightOption]) -> FlightTimes:
    """The last arrival and the first departure: days planned within them hold for every option."""
    return {
        "arrive_at": max((option["outbound"]["arrive_at"] for option in options), key=datetime.fromisoformat),
        "leave_at": min((option["inbound"]["depart_at"] for option in options), key=datetime.fromisoformat),
        "by_air": any(option["mode"] == "flight" for option in options),
    }
