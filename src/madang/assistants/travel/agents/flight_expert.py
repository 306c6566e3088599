"""Flight Expert: three ways there and back, one recommended."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from madang.assistants.travel.answering.sources import FARES, LIVE_FARES
from madang.assistants.travel.data.rates import as_of
from madang.assistants.travel.state.trip_facts import FROM, WHEN, WHERE, WHO, slots_of
from madang.assistants.travel.tools.flights import FlightRequest, search_flights
from madang.assistants.travel.tools.requests import flight_request
from madang.assistants.travel.tools.transport import TransportOption
from madang.errors import ServiceUnavailable
from madang.graph import AgentContext, View, agent


@agent(
    team="search",
    reads=(*WHERE, *WHEN, *WHO, *FROM, "preferred_airline", "flight_tier", "direct_only"),
    writes=("flight_options", "flight_analysis", "flight_times"),
    task="항공권 검색",
    description="출발지에서 목적지까지 왕복 교통편 세 가지",
    timeout=20,
    retries=1,
    data=("estimates", "live_flights"),
)
async def flight_expert(trip: View, ctx: AgentContext) -> dict[str, Any]:
    request = flight_request(slots_of(trip), ctx.today, direct_only=bool(trip.direct_only), prefer=trip.flight_tier)
    found = search_flights(request)
    notes = list(found.notes)
    options = await _live(ctx, request, notes) or found.options
    _tell_source(ctx, options[0])
    analysis = {
        "recommendation": found.recommendation,
        "reasoning": found.reasoning,
        "tips": found.tips,
        "notes": notes,
    }
    return {
        "flight_options": [option.as_dict() for option in options],
        "flight_analysis": analysis,
        "flight_times": times_of(options),
    }


def times_of(options: Sequence[TransportOption]) -> dict[str, Any]:
    """The last arrival and the first departure: days planned within them hold for every option."""
    return {
        "arrive_at": max((option.outbound.arrive_at for option in options), key=datetime.fromisoformat),
        "leave_at": min((option.inbound.depart_at for option in options), key=datetime.fromisoformat),
        "by_air": any(option.mode == "flight" for option in options),
    }


async def _live(ctx: AgentContext, request: FlightRequest, notes: list[str]) -> list[TransportOption]:
    provider = ctx.services.flight_provider if ctx.services else None
    if provider is None:
        return []
    try:
        offers: list[TransportOption] = await provider.flights(request)
    except ServiceUnavailable as error:
        notes.append(f"실시간 운임을 가져오지 못해 추정값을 씁니다: {error}")
        return []
    return offers


def _tell_source(ctx: AgentContext, option: TransportOption) -> None:
    source, when = (FARES, as_of()) if option.is_estimate else (LIVE_FARES, option.as_of or ctx.today.isoformat())
    ctx.source("flight_options", tool="search_flights", source=source, as_of=when)
