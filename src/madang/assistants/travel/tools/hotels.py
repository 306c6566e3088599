"""Where to sleep: three estimated options.

A room-night is `city's price of the tier × kind of lodging × month × weekday`, the whole stay times the holiday factor,
see `data/estimates.toml`. No hotel is invented: an option names the kind and the area, never a house.
"""

from collections import defaultdict
from dataclasses import asdict, dataclass
from datetime import date
from typing import Any, Literal

from madang.assistants.travel.data.cities import TIERS, City, Tier, all_cities
from madang.assistants.travel.data.rates import as_of, estimates, round_won
from madang.assistants.travel.data.world import costs_of, locate
from madang.assistants.travel.tools.party import Party
from madang.assistants.travel.tools.seasons import days_of, holiday_factor, season_factor, weekday_factor
from madang.assistants.travel.tools.transport import TIER_LABELS, Analysis
from madang.errors import FieldProblem, InvalidState

Accommodation = Literal["hotel", "guesthouse", "airbnb"]
_KINDS: dict[Accommodation, dict[Tier, str]] = {
    "hotel": {"budget": "3성급 비즈니스 호텔", "standard": "4성급 호텔", "premium": "5성급 호텔"},
    "guesthouse": {"budget": "게스트하우스", "standard": "부티크 게스트하우스", "premium": "고급 게스트하우스"},
    "airbnb": {"budget": "소형 숙소 전체", "standard": "아파트 전체", "premium": "고급 주택 전체"},
}
_HOME_SLEEPS = 4


@dataclass(frozen=True)
class HotelRequest:
    """What the hotel expert is asked, for one city's stay."""

    city: str
    check_in: date
    nights: int
    party: Party
    preference: Accommodation | None = None
    prefer: Tier | None = None


@dataclass(frozen=True)
class StayOption:
    """A stay. `total_price` is for all rooms and nights, `price_per_night` their average for all rooms."""

    type: Tier
    name: str
    city: str
    area: str | None
    accommodation: Accommodation
    price_per_night: int
    rooms: int
    nights: int
    total_price: int
    latitude: float | None
    longitude: float | None
    as_of: str | None
    rating: float | None = None
    is_estimate: bool = True
    source: str = "estimate"

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)


def search_hotels(request: HotelRequest) -> Analysis[StayOption]:
    """Budget, standard and premium stays, one recommended with its reasons.

    Raises NotFound for an unknown city and InvalidState for less than one night.
    """
    if request.nights < 1:
        raise InvalidState([FieldProblem("duration", "1박 이상이어야 합니다", "1박~14박")])
    options = [_option(tier, request) for tier in TIERS]
    tier = request.prefer or "standard"
    chosen = next(option for option in options if option.type == tier)
    where = f"{chosen.area} 일대는 볼거리가 모여 있어 이동이 짧습니다. " if chosen.area else ""
    reasoning = (
        f"{where}{TIER_LABELS[tier]} 등급 {chosen.rooms}실 {request.nights}박에 {chosen.total_price:,}원(추정)입니다."
    )
    return Analysis(options, tier, reasoning, _tips(request), [])


def rooms_for(party: Party, accommodation: Accommodation) -> int:
    """Two adults and a child to a room; a whole home sleeps four; infants share."""
    guests = max(1, party.adults + party.children)
    if accommodation == "airbnb":
        return -(-guests // _HOME_SLEEPS)
    return max(1, -(-party.adults // 2), -(-guests // 3))


def best_area(city: City) -> tuple[str, float, float]:
    """The area with the most to see, and its centre."""
    appeal: dict[str, int] = defaultdict(int)
    for place in city.places:
        appeal[place.area] += place.appeal
    name = max(appeal, key=lambda area: (appeal[area], area))
    spots = [place for place in city.places if place.area == name]
    return name, sum(p.lat for p in spots) / len(spots), sum(p.lon for p in spots) / len(spots)


def _option(tier: Tier, request: HotelRequest) -> StayOption:
    kind: Accommodation = request.preference or "hotel"
    nights = days_of(request.check_in, request.nights)[:-1]
    price = costs_of(request.city).lodging[tier] * float(estimates()["lodging"][kind])
    calendar = sum(season_factor(night, "lodging") * weekday_factor(night, "lodging") for night in nights)
    rooms = rooms_for(request.party, kind)
    total = round_won(price * rooms * calendar * holiday_factor(nights))
    area, lat, lon = _area(request.city)
    return StayOption(
        type=tier,
        name=f"{area or request.city} 인근 {_KINDS[kind][tier]}",
        city=request.city,
        area=area,
        accommodation=kind,
        price_per_night=round_won(total / request.nights),
        rooms=rooms,
        nights=request.nights,
        total_price=total,
        latitude=lat,
        longitude=lon,
        as_of=as_of(),
    )


def _area(name: str) -> tuple[str | None, float, float]:
    if city := all_cities().get(name):
        return best_area(city)
    spot = locate(name)
    return None, spot.lat, spot.lon


def _tips(request: HotelRequest) -> list[str]:
    tips = []
    nights = days_of(request.check_in, request.nights)[:-1]
    if any(night.weekday() in (4, 5) for night in nights):
        tips.append("금·토 밤은 평일보다 비쌉니다. 평일로 옮기면 숙박비가 줄어듭니다.")
    if request.party.children or request.party.infants:
        tips.append("아이 동반이면 침대 가드·패밀리룸 여부를 예약 전에 확인하세요.")
    if city := all_cities().get(request.city):
        season = (
            "winter",
            "winter",
            "spring",
            "spring",
            "spring",
            "summer",
            "summer",
            "summer",
            "autumn",
            "autumn",
            "autumn",
            "winter",
        )
        tips.append(city.seasons[season[request.check_in.month - 1]])
    tips.append("숙박비는 도시·등급·요일로 계산한 추정치입니다.")
    return tips
