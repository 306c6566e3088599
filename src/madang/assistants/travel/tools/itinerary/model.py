"""What an itinerary is asked for and what it consists of."""

from dataclasses import asdict, dataclass, field
from datetime import date
from typing import Any, Literal

from madang.assistants.travel.data.cities import Place

Pace = Literal["relaxed", "normal", "packed"]
Shares = tuple[tuple[str, int], ...]
"""Nights asked for in single cities."""


@dataclass(frozen=True)
class ItineraryRequest:
    """`arrive_at` and `leave_at` are local ISO times of the flight or train; without them whole days are assumed."""

    destinations: tuple[str, ...]
    depart: date
    nights: int
    styles: tuple[str, ...] = ()
    pace: Pace = "normal"
    must_visit: tuple[str, ...] = ()
    kids: bool = False
    arrive_at: str | None = None
    leave_at: str | None = None
    by_air: bool = True
    day_paces: tuple[tuple[int, Pace], ...] = ()
    avoid: tuple[str, ...] = ()
    shares: Shares = ()


@dataclass(frozen=True)
class Visit:
    """One place on one day, and the way to it from the stop before. The fee is in won."""

    name: str
    category: str
    start: str
    end: str
    minutes: int
    fee: int | None
    latitude: float
    longitude: float
    indoor: bool
    travel_minutes: int
    travel_km: float
    note: str | None = None


@dataclass(frozen=True)
class Meal:
    kind: Literal["lunch", "dinner"]
    start: str
    end: str


@dataclass(frozen=True)
class Day:
    """A day with its stops in order, its meals, and its figures. The way back to the lodging counts as moving."""

    day: int
    date: str
    city: str
    title: str
    window: tuple[str, str]
    places: list[Visit]
    meals: list[Meal]
    rain_alternative: list[Visit]
    moving_minutes: int
    visiting_minutes: int
    km: float
    pace: Pace


@dataclass(frozen=True)
class ItineraryPlan:
    """All days, with what was left out and what the ordering gained."""

    days: list[Day]
    summary: str
    notes: list[str] = field(default_factory=list)
    is_general: bool = False
    total_travel_minutes: int = 0
    total_travel_km: float = 0.0
    unordered_travel_minutes: int = 0
    unordered_travel_km: float = 0.0
    left_out: list[str] = field(default_factory=list)
    reasoning: str = ""

    def itinerary(self) -> dict[str, Any]:
        """As the state's `itinerary`."""
        return {
            "days": [asdict(day) for day in self.days],
            "summary": self.summary,
            "notes": self.notes,
            "is_general": self.is_general,
        }

    def optimization(self) -> dict[str, Any]:
        """As the state's `itinerary_optimization`."""
        return {
            "total_travel_minutes": self.total_travel_minutes,
            "total_travel_km": self.total_travel_km,
            "unordered_travel_minutes": self.unordered_travel_minutes,
            "unordered_travel_km": self.unordered_travel_km,
            "left_out": self.left_out,
            "reasoning": self.reasoning,
        }

    def fees_per_person(self) -> int:
        """Entrance fees of every stop, for one adult."""
        return sum(visit.fee or 0 for day in self.days for visit in day.places)


@dataclass(frozen=True)
class Point:
    """Where a day begins and ends."""

    lat: float
    lon: float


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

    @property
    def length(self) -> int:
        return max(0, self.end - self.start)


def clock(minutes: int) -> str:
    """ "09:30" of minutes after midnight; past midnight it goes on counting (25:10)."""
    return f"{minutes // 60:02d}:{minutes % 60:02d}"


def indoor(place: Place) -> bool:
    return place.setting == "indoor"
