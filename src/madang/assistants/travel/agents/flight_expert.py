"""Flight Expert: three ways there and back, one recommended."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from madang.assistants.travel.data.estimates import as_of
from madang.assistants.travel.data.sources import FARES, LIVE_FARES
from madang.assistants.travel.services import TravelServices
from madang.assistants.travel.state.requests import OriginRequest, TripRequest
from madang.assistants.travel.state.results import ExpertAnalysis, FlightLeg, FlightOption, FlightTimes, Mode, Tier
from madang.assistants.travel.state.trip import Trip
from madang.assistants.travel.tools.flights import search_flights
from madang.assistants.travel.tools.providers import live_or_estimated
from madang.graph import Context, Writes, agent

_SMALL_HOURS = "05:00"


class FlightRequest(TripRequest, OriginRequest):
    preferred_airline: str | None
    flight_tier: Tier | None
    direct_only: bool | None
    transport: Mode | None
    no_transport: list[Mode] | None
    max_flight: float | None
    arrive_time: str | None
    leave_time: str | None

    @property
    def wanted(self) -> Trip:
        """The trip as it is to be travelled."""
        return replace(
            self.trip,
            origin=self.start,
            airline=self.preferred_airline,
            direct_only=bool(self.direct_only),
            by=self.transport,
            not_by=tuple(self.no_transport or ()),
        )


class FlightResult(Writes):
    flight_options: list[FlightOption]
    flight_analysis: ExpertAnalysis
    flight_times: list[FlightTimes]


@agent(
    team="search",
    task="항공권 검색",
    description="출발지에서 목적지까지 왕복 교통편 세 가지",
    timeout=20,
    retries=1,
    version="2",
    data=("estimates", "live_flights"),
)
async def flight_expert(request: FlightRequest, ctx: Context[TravelServices]) -> FlightResult:
    trip = request.wanted
    provider, estimated = ctx.services.flight_provider, search_flights(trip, request.flight_tier)
    found = await live_or_estimated(estimated, provider.flights(trip) if provider else None, "운임을")
    options = [at_own_times(option, request) for option in found.options]
    live = not options[0]["is_estimate"]
    source, when = (LIVE_FARES, ctx.today.isoformat()) if live else (FARES, as_of())
    ctx.source("flight_options", tool="search_flights", source=source, as_of=when)
    return {
        "flight_options": options,
        "flight_analysis": {**found.analysis, "notes": [*found.analysis["notes"], *_too_long(options, request)]},
        "flight_times": [
            own_times(times_of(option), trip, request.arrive_time, request.leave_time) for option in options
        ],
    }


def at_own_times(option: FlightOption, request: FlightRequest) -> FlightOption:
    """An estimated option at the hours that the traveller said; its own are only typical ones."""
    if not option["is_estimate"] or option["mode"] == "none":
        return option
    own = own_times(times_of(option), request.trip, request.arrive_time, request.leave_time)
    there, back = option["outbound"], option["inbound"]
    return {
        **option,
        "outbound": _moved(there, own["arrive_at"], there["arrive_at"]) if request.arrive_time else there,
        "inbound": _moved(back, own["leave_at"], back["depart_at"]) if request.leave_time else back,
    }


def _moved(leg: FlightLeg, said: str, typical: str) -> FlightLeg:
    """A leg moved so that what was typical is at the local time said."""
    by = datetime.fromisoformat(said).replace(tzinfo=None) - datetime.fromisoformat(typical).replace(tzinfo=None)
    starts, ends = (datetime.fromisoformat(leg[name]) + by for name in ("depart_at", "arrive_at"))
    return {
        **leg,
        "depart_at": starts.isoformat(timespec="minutes"),
        "arrive_at": ends.isoformat(timespec="minutes"),
        "day_change": (ends.date() - starts.date()).days,
    }


def own_times(times: FlightTimes, trip: Trip, arrive: str | None, leave: str | None) -> FlightTimes:
    """The times with arrival and departure as the traveller said them; the small hours are those of the next day."""
    times = {**times}
    if arrive:
        day = trip.depart + timedelta(days=1 if arrive < _SMALL_HOURS else 0)
        times["arrive_at"] = f"{day.isoformat()}T{arrive}"
    if leave:
        day = trip.home + timedelta(days=1 if leave < _SMALL_HOURS else 0)
        times["leave_at"] = f"{day.isoformat()}T{leave}"
    return times


def _too_long(options: Sequence[FlightOption], request: FlightRequest) -> list[str]:
    shortest = min(option["outbound"]["duration_minutes"] for option in options)
    if not request.max_flight or options[0]["mode"] != "flight" or shortest <= request.max_flight * 60:
        return []
    return [f"가는 데 {shortest // 60}시간 {shortest % 60}분이라 말씀하신 {request.max_flight:g}시간을 넘어요."]


def times_of(option: FlightOption) -> FlightTimes:
    """When one gets there with this option, and when one has to leave."""
    return {
        "type": option["type"],
        "arrive_at": option["outbound"]["arrive_at"],
        "leave_at": option["inbound"]["depart_at"],
        "by_air": option["mode"] == "flight",
    }
