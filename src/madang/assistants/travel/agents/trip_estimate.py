"""Trip Estimate: what another trip would cost (city, days, lodging), to compare it with the one planned."""

from datetime import date

from madang.assistants.travel.data.estimates import as_of
from madang.assistants.travel.data.sources import COSTS
from madang.assistants.travel.services import TravelServices
from madang.assistants.travel.state.requests import OriginRequest, PartyRequest
from madang.assistants.travel.state.results import TIERS, Accommodation, Mode, TripEstimate
from madang.assistants.travel.state.trip import Party, Trip
from madang.assistants.travel.tools.flights import search_flights
from madang.assistants.travel.tools.hotels import search_hotels, whole_stay
from madang.assistants.travel.tools.plans import PlanInputs, make_plans
from madang.graph import Argument, Context, Writes, agent


class EstimateRequest(PartyRequest, OriginRequest):
    city: Argument[str]
    nights: Argument[int]
    departs: Argument[str]
    lodging: Argument[Accommodation | None] = None
    budget: int | None
    direct_only: bool | None
    transport: Mode | None
    no_transport: list[Mode] | None

    @property
    def trip(self) -> Trip:
        """The other trip, travelled by the same people in the same way; by one, if it isn't known who travels."""
        return Trip(
            (self.city,),
            date.fromisoformat(self.departs),
            self.nights,
            self.party if self.num_people or self.assumed_people else Party(1),
            origin=self.start,
            direct_only=bool(self.direct_only),
            by=self.transport,
            not_by=tuple(self.no_transport or ()),
            accommodation=self.lodging,
        )


class EstimateResult(Writes):
    trip_estimates: list[TripEstimate]


@agent(
    team="planning",
    task="견주어 볼 비용",
    description="다른 도시·날짜·기간의 비용 어림",
    data=("estimates",),
    runs=12,
)
async def trip_estimate(request: EstimateRequest, ctx: Context[TravelServices]) -> EstimateResult:
    """Raises `NotFound` for an unknown city. Entrance fees are left out: no days are planned."""
    trip = request.trip
    plans, chosen = make_plans(
        PlanInputs(
            flights=search_flights(trip).options,
            hotels=whole_stay([search_hotels(part) for part in trip.parts()]).options,
            entrance_fees=dict.fromkeys(TIERS, 0),
            stays=trip.stays,
            party=trip.party,
            budget=request.budget,
        )
    )
    ctx.source("trip_estimates", tool="make_plans", source=COSTS, as_of=as_of())
    made: TripEstimate = {
        "city": request.city,
        "depart_date": request.departs,
        "nights": request.nights,
        "people": trip.party.size,
        "lodging": request.lodging,
        "totals": {plan["title"]: plan["total"] for plan in plans},
        "cheapest": min(plan["total"] for plan in plans),
        "budget": request.budget,
        "fits": chosen["fits"] if request.budget is not None else None,
        "as_of": as_of(),
    }
    return {"trip_estimates": [made]}
