"""Destination Advisor: cities for who hasn't chosen one, by season, the way there and what is wished."""

from datetime import date

from madang.assistants.travel.data.climate import climate_source
from madang.assistants.travel.services import TravelServices
from madang.assistants.travel.state.requests import OriginRequest
from madang.assistants.travel.state.results import Mode, Suggestion
from madang.assistants.travel.state.travel_state import DateWindow
from madang.assistants.travel.state.trip import departure_for
from madang.assistants.travel.tools.suggestions import Wishes, suggest
from madang.graph import Context, Writes, agent


class AdviceRequest(OriginRequest):
    depart_date: str | None
    depart_window: DateWindow | None
    climate: str | None
    scope: str | None
    max_flight: float | None
    travel_style: list[str] | None
    children: int | None
    infants: int | None
    transport: Mode | None
    no_transport: list[Mode] | None
    avoid: list[str] | None

    def wishes(self, today: date) -> Wishes:
        """What is known of the trip; warmth is looked for in the month that would be assumed, if none was said."""
        said = self.depart_date or (self.depart_window["from"] if self.depart_window else None)
        if not said and self.climate:
            said = departure_for(None, today).isoformat()
        grounded = "flight" in (self.no_transport or ()) or self.transport in {"train", "bus", "car"}
        return Wishes(
            origin=self.start,
            month=date.fromisoformat(said).month if said else None,
            climate=self.climate,
            scope=self.scope,
            max_flight=self.max_flight,
            styles=tuple(self.travel_style or ()),
            kids=bool(self.children or self.infants),
            no_flight=grounded,
            not_again=tuple(self.avoid or ()),
        )


class AdviceResult(Writes):
    suggestions: list[Suggestion]


@agent(
    team="search",
    task="여행지 추천",
    description="계절, 거리, 바라는 것에 맞는 도시",
    data=("climate", "cities"),
    today=True,
)
async def destination_advisor(request: AdviceRequest, ctx: Context[TravelServices]) -> AdviceResult:
    source, when = climate_source()
    ctx.source("suggestions", tool="suggest", source=source, as_of=when)
    return {"suggestions": suggest(request.wishes(ctx.today))}
