"""What the transport and lodging estimates return."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import date, datetime, time, timedelta
from typing import Any, Generic, Literal, TypeVar
from zoneinfo import ZoneInfo

from madang.assistants.travel.data.cities import Tier, minutes_of
from madang.assistants.travel.data.world import Spot

Mode = Literal["flight", "train", "bus", "car", "none"]
_LABELS: dict[Mode, str] = {"flight": "항공", "train": "기차", "bus": "고속버스", "car": "자가용", "none": "이동 없음"}
TIER_LABELS: dict[Tier, str] = {"budget": "알뜰", "standard": "표준", "premium": "프리미엄"}

T = TypeVar("T")


@dataclass(frozen=True)
class Leg:
    """One way; times are local with their offset. `day_change` is how many calendar days later it arrives."""

    origin: str
    destination: str
    depart_at: str
    arrive_at: str
    duration_minutes: int
    stops: int
    day_change: int


@dataclass(frozen=True)
class TransportOption:
    """A way there and back for everyone. `price` is for all, `price_per_person` an adult's."""

    type: Tier
    mode: Mode
    airline: str | None
    price: int
    price_per_person: int
    outbound: Leg
    inbound: Leg
    as_of: str | None
    is_estimate: bool = True
    source: str = "estimate"

    @property
    def label(self) -> str:
        return _LABELS[self.mode]

    def reason(self) -> str:
        """Why one would take it."""
        if self.mode != "flight":
            return f"{TIER_LABELS[self.type]} 선택지로 {self.label}가 시간과 값의 균형이 맞습니다."
        return "직항으로 시간과 값의 균형이 맞습니다." if not self.outbound.stops else "경유하는 대신 가장 쌉니다."

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)


@dataclass(frozen=True)
class Analysis(Generic[T]):
    """An expert's options, the tier it recommends, and why."""

    options: list[T]
    recommendation: Tier
    reasoning: str
    tips: list[str]
    notes: list[str]


def leg(start: Spot, end: Spot, day: date, clock: str, minutes: int, *, stops: int = 0) -> Leg:
    """A leg that starts at a local clock time and arrives at the goal's local time."""
    at = minutes_of(clock)
    departs = datetime.combine(day, time(at // 60, at % 60), ZoneInfo(start.timezone))
    arrives = (departs.astimezone(ZoneInfo("UTC")) + timedelta(minutes=minutes)).astimezone(ZoneInfo(end.timezone))
    return Leg(
        origin=start.airport or start.name,
        destination=end.airport or end.name,
        depart_at=departs.isoformat(timespec="minutes"),
        arrive_at=arrives.isoformat(timespec="minutes"),
        duration_minutes=minutes,
        stops=stops,
        day_change=(arrives.date() - departs.date()).days,
    )


def pick_tier(options: Sequence[TransportOption], direct_only: bool) -> Tier:
    """Standard, unless the budget option costs under 70 % of it and takes no stop."""
    by_tier = {option.type: option for option in options}
    cheap, usual = by_tier["budget"], by_tier["standard"]
    if not direct_only and not cheap.outbound.stops and cheap.price < 0.7 * usual.price:
        return "budget"
    return "standard"
