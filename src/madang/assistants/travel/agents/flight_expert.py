"""Flight Expert: three ways there and back, one recommended."""

from typing import Any

from madang.assistants.travel.agents.trip_facts import WHEN, WHERE, WHO, cities_of, depart_of, origin_of, party
from madang.assistants.travel.data.rates import as_of
from madang.assistants.travel.tools.flights import FlightRequest, search_flights
from madang.errors import ServiceUnavailable
from madang.graph import AgentContext, View, agent


@agent(
    team="search",
    reads=(*WHERE, *WHEN, *WHO, "origin", "preferred_airline", "flight_tier", "direct_only"),
    writes=("flight_options", "flight_analysis"),
    task="항공권 검색",
    description="출발지에서 목적지까지 왕복 교통편 세 가지",
    timeout=20,
    retries=1,
    data=("estimates", "live_flights"),
)
async def flight_expert(trip: View, ctx: AgentContext) -> dict[str, Any]:
    cities = cities_of(trip)
    request = FlightRequest(
        origin=origin_of(trip),
        destination=cities[0],
        depart=depart_of(trip),
        nights=trip.duration,
        party=party(trip),
        airline=trip.preferred_airline,
        direct_only=bool(trip.direct_only),
        home_from=cities[-1],
        prefer=trip.flight_tier,
    )
    estimate = search_flights(request)
    options, notes = [option.as_dict() for option in estimate.options], list(estimate.notes)
    provider = ctx.services.flight_provider if ctx.services else None
    if provider is not None:
        try:
            live = await provider.flights(request)
        except ServiceUnavailable as error:
            notes.append(f"실시간 운임을 가져오지 못해 추정값을 씁니다: {error}")
        else:
            options = [option.as_dict() for option in live] or options
    _tell_source(ctx, options)
    analysis = {
        "recommendation": estimate.recommendation,
        "reasoning": estimate.reasoning,
        "tips": estimate.tips,
        "notes": notes,
    }
    return {"flight_options": options, "flight_analysis": analysis}


def _tell_source(ctx: AgentContext, options: list[dict[str, Any]]) -> None:
    estimated = bool(options) and options[0]["is_estimate"]
    source = "estimates.toml" if estimated else str(options[0]["source"]) if options else None
    ctx.source("flight_options", tool="search_flights", source=source, as_of=as_of() if estimated else None)
