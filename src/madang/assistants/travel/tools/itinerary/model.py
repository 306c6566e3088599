"""What an itinerary is asked for, and the hours of a day it may use."""

from dataclasses import dataclass
from datetime import date

from madang.assistants.travel.data.cities import Place
from madang.assistants.travel.state.results import Mode, Pace, Tier
from madang.assistants.travel.state.trip import Route


@dataclass(frozen=True, kw_only=True)
class ItineraryQuery(Route):
    """`arrive_at` and `leave_at` are local ISO times of the flight or train; without them whole days are assumed.

    `tier` is the plan's: a budget plan weighs entrance fees more, a premium one less.
    """

    styles: tuple[str, ...] = ()
    pace: Pace = "normal"
    must_visit: tuple[str, ...] = ()
    kids: bool = False
    arrive_at: str | None = None
    leave_at: str | None = None
    by_air: bool = True
    day_paces: tuple[tuple[int, Pace], ...] = ()
    avoid: tuple[str, ...] = ()
    avoid_kinds: frozenset[str] = frozenset()
    rests: tuple[tuple[int, int], ...] = ()
    outings: int | None = None
    tier: Tier = "standard"
    diet: tuple[str, ...] = ()

    def wanted(self, place: Place) -> bool:
        """Whether a place may be in the plan: neither it nor its kind is to be left out."""
        named = any(word == place.name or (len(word) > 1 and word in place.name) for word in self.avoid)
        return not named and place.category not in self.avoid_kinds


@dataclass(frozen=True)
class Point:
    """Where a day begins and ends."""

    lat: float
    lon: float


@dataclass(frozen=True)
class CityMove:
    """From one city to the next on the day one changes it: minutes after midnight, local to each end."""

    origin: str
    mode: Mode
    start: int
    end: int
    minutes: int
    fare: int


@dataclass(frozen=True)
class Window:
    """The minutes of one day that may be used, from and back to the base."""

    day: int
    date: date
    city: str
    start: int
    end: int
    base: Point
    stops: int
    pace: Pace
    rests: tuple[tuple[int, int], ...] = ()
    capped: bool = False
    move: CityMove | None = None

    @property
    def length(self) -> int:
        return max(0, self.end - self.start)


def clock(minutes: int) -> str:
    """ "09:30" of minutes after midnight; past midnight it goes on counting (25:10)."""
    return f"{minutes // 60:02d}:{minutes % 60:02d}"


def indoor(place: Place) -> bool:
    return place.setting == "indoor"
