"""What the searches for transport and lodging share: labels, a leg with its clock times, and what a search gives."""

from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import Generic, TypeVar
from zoneinfo import ZoneInfo

from madang.assistants.travel.data.cities import minutes_of
from madang.assistants.travel.data.estimates import as_of
from madang.assistants.travel.data.world import Location
from madang.assistants.travel.state.results import (
    ExpertAnalysis,
    FlightLeg,
    FlightOption,
    HotelOption,
    Mode,
    PriceSource,
    Tier,
)

MODE_LABELS: dict[Mode, str] = {
    "flight": "항공",
    "train": "기차",
    "bus": "고속버스",
    "car": "자가용",
    "none": "이동 없음",
}
TIER_LABELS: dict[Tier, str] = {"budget": "알뜰", "standard": "표준", "premium": "프리미엄"}

T = TypeVar("T", FlightOption, HotelOption)


@dataclass(frozen=True)
class SearchResult(Generic[T]):
    """The options found, one a tier, and what an expert says about them."""

    options: list[T]
    analysis: ExpertAnalysis


def estimated() -> PriceSource:
    """What marks a price as ours, with the date of its constants."""
    return {"is_estimate": True, "as_of": as_of(), "source": "estimate"}


def leg(start: Location, end: Location, day: date, clock: str, minutes: int, *, stops: int = 0) -> FlightLeg:
    """A leg that starts at a local clock time and arrives at the goal's local time."""
    at = minutes_of(clock)
    departs = datetime.combine(day, time(at // 60, at % 60), ZoneInfo(start.timezone))
    arrives = (departs.astimezone(ZoneInfo("UTC")) + timedelta(minutes=minutes)).astimezone(ZoneInfo(end.timezone))
    return {
        "origin": start.airport or start.name,
        "destination": end.airport or end.name,
        "depart_at": departs.isoformat(timespec="minutes"),
        "arrive_at": arrives.isoformat(timespec="minutes"),
        "duration_minutes": minutes,
        "stops": stops,
        "day_change": (arrives.date() - departs.date()).days,
    }
