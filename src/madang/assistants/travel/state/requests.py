"""What several experts read of the state, and the trip it describes."""

from datetime import date
from typing import Annotated

from madang.assistants.travel.state.trip import DEFAULT_ORIGIN, CityNights, Party, Trip, party_of
from madang.graph import At, Reads


class RouteRequest(Reads):
    """Where to, when and for how long; the departure is said, or assumed and marked as such."""

    destination: str
    destinations: list[str] | None
    duration: int | None
    assumed_nights: Annotated[str | None, At("assumptions.nights")]
    depart_date: str | None
    assumed_departure: Annotated[str | None, At("assumptions.departure")]

    @property
    def cities(self) -> tuple[str, ...]:
        return tuple(self.destinations or [self.destination])

    @property
    def nights(self) -> int:
        return self.duration or int(self.assumed_nights or 0)

    @property
    def departure(self) -> date:
        return date.fromisoformat(self.depart_date or self.assumed_departure or "")


class StaysRequest(RouteRequest):
    """A route with the nights asked for in single cities."""

    city_nights: dict[str, int] | None

    @property
    def asked(self) -> CityNights:
        return tuple((self.city_nights or {}).items())


class PartyRequest(Reads):
    """Those who travel: said, or assumed and marked as such."""

    num_people: int | None
    assumed_people: Annotated[str | None, At("assumptions.people")]
    adults: int | None
    children: int | None
    infants: int | None

    @property
    def party(self) -> Party:
        people = self.num_people or int(self.assumed_people or 0)
        return party_of(people, self.adults, self.children, self.infants)


class TripRequest(RouteRequest, PartyRequest):
    """A route and those who travel it."""

    @property
    def trip(self) -> Trip:
        return Trip(self.cities, self.departure, self.nights, self.party)


class OriginRequest(Reads):
    """Where the trip starts: said, or assumed and marked as such."""

    origin: str | None
    assumed_start: Annotated[str | None, At("assumptions.start")]

    @property
    def start(self) -> str:
        return self.origin or self.assumed_start or DEFAULT_ORIGIN
