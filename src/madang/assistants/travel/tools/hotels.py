"""Where to sleep: three estimated options.

A room-night is `city's price of the tier × kind of lodging × month × weekday`, the whole stay times the holiday factor,
see `data/estimates.toml`. No hotel is invented: an option names the kind and the area, never a house.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace

from madang.assistants.travel.data.cities import City, all_cities
from madang.assistants.travel.data.estimates import as_of, estimates, rounded_won
from madang.assistants.travel.data.world import costs_of, locate
from madang.assistants.travel.state.results import TIERS, Accommodation, HotelOption, Tier
from madang.assistants.travel.state.trip import Party, Trip
from madang.assistants.travel.state.trip_facts import of_tier
from madang.assistants.travel.tools.seasons import holiday_factor, season_factor, weekday_factor
from madang.assistants.travel.tools.transport import TIER_LABELS, SearchResult

_KINDS: dict[Accommodation, dict[Tier, str]] = {
    "hotel": {"budget": "3성급 비즈니스 호텔", "standard": "4성급 호텔", "premium": "5성급 호텔"},
    "guesthouse": {"budget": "게스트하우스", "standard": "부티크 게스트하우스", "premium": "고급 게스트하우스"},
    "airbnb": {"budget": "소형 숙소 전체", "standard": "아파트 전체", "premium": "고급 주택 전체"},
}
_HOME_SLEEPS = 4


_SEASONS = ("winter", "spring", "summer", "autumn")


def search_hotels(trip: Trip, prefer: Tier | None = None) -> SearchResult[HotelOption]:
    """Budget, standard and premium stays in the first city of a trip, one recommended with its reasons.

    Raises NotFound for an unknown city.
    """
    options = [_option(tier, trip) for tier in TIERS]
    chosen = of_tier(options, prefer or "standard")
    where = f"{chosen['area']} 일대는 볼거리가 모여 있어 이동이 짧습니다. " if chosen["area"] else ""
    label, price = TIER_LABELS[chosen["type"]], f"{chosen['total_price']:,}원(추정)"
    reasoning = f"{where}{label} 등급 {chosen['rooms']}실 {trip.nights}박에 {price}입니다."
    return SearchResult(
        options,
        {"recommendation": chosen["type"], "reasoning": reasoning, "tips": _tips(trip), "notes": []},
    )


def whole_stay(found: Sequence[SearchResult[HotelOption]]) -> SearchResult[HotelOption]:
    """The stays of several cities as one: three options, each the sum of its cities' options, which it keeps."""
    if len(found) == 1:
        return found[0]
    options = [_summed([of_tier(one.options, tier) for one in found]) for tier in TIERS]
    reasons = [f"{one.options[0]['city']}: {one.analysis['reasoning']}" for one in found]
    tips = list(dict.fromkeys(tip for one in found for tip in one.analysis["tips"]))
    notes = list(dict.fromkeys(note for one in found for note in one.analysis["notes"]))
    first = found[0].analysis["recommendation"]
    return SearchResult(
        options, {"recommendation": first, "reasoning": " ".join(reasons), "tips": tips, "notes": notes}
    )


def within_budget(found: SearchResult[HotelOption], limit: int | None) -> SearchResult[HotelOption]:
    """The options with those dearer than the limit for a room and night replaced by the best one within it; if none
    is, they stay and a note says so."""
    if limit is None:
        return found
    prices = {option["type"]: option["total_price"] // (option["nights"] * option["rooms"]) for option in found.options}
    fitting = [option for option in found.options if prices[option["type"]] <= limit]
    if not fitting:
        least = min(prices.values())
        note = f"1박 {limit:,}원 이하인 숙소는 추정값에 없어요. 가장 저렴한 곳이 1박 평균 {least:,}원이에요."
        return replace(found, analysis={**found.analysis, "notes": [*found.analysis["notes"], note]})
    best = fitting[-1]
    options: list[HotelOption] = []
    for option in found.options:
        capped: HotelOption = {**best, "type": option["type"]}
        options.append(option if option in fitting else capped)
    return replace(found, options=options)


def _summed(parts: list[HotelOption]) -> HotelOption:
    nights = sum(part["nights"] for part in parts)
    total = sum(part["total_price"] for part in parts)
    return {
        **parts[0],
        "name": " + ".join(f"{part['city']} {part['nights']}박 {part['name']}" for part in parts),
        "city": "·".join(part["city"] for part in parts),
        "area": None,
        "nights": nights,
        "total_price": total,
        "price_per_night": total // nights,
        "is_estimate": any(part["is_estimate"] for part in parts),
        "stays": [*parts],
    }


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


def _option(tier: Tier, trip: Trip) -> HotelOption:
    city, kind, nights = trip.cities[0], trip.accommodation or "hotel", trip.days[:-1]
    price = costs_of(city).lodging[tier] * float(estimates()["lodging"][kind])
    calendar = sum(season_factor(night, "lodging") * weekday_factor(night, "lodging") for night in nights)
    rooms = rooms_for(trip.party, kind)
    total = rounded_won(price * rooms * calendar * holiday_factor(nights))
    area, lat, lon = _area(city)
    return {
        "type": tier,
        "name": f"{area or city} 인근 {_KINDS[kind][tier]}",
        "city": city,
        "area": area,
        "accommodation": kind,
        "price_per_night": rounded_won(total / trip.nights),
        "rooms": rooms,
        "nights": trip.nights,
        "total_price": total,
        "rating": None,
        "latitude": lat,
        "longitude": lon,
        "is_estimate": True,
        "as_of": as_of(),
        "source": "estimate",
    }


def _area(name: str) -> tuple[str | None, float, float]:
    if city := all_cities().get(name):
        return best_area(city)
    spot = locate(name)
    return None, spot.lat, spot.lon


def _tips(trip: Trip) -> list[str]:
    tips = []
    if any(night.weekday() in (4, 5) for night in trip.days[:-1]):
        tips.append("금·토 밤은 평일보다 비쌉니다. 평일로 옮기면 숙박비가 줄어듭니다.")
    if trip.party.children or trip.party.infants:
        tips.append("아이 동반이면 침대 가드·패밀리룸 여부를 예약 전에 확인하세요.")
    if city := all_cities().get(trip.cities[0]):
        tips.append(city.seasons[_SEASONS[trip.depart.month % 12 // 3]])
    tips.append("숙박비는 도시·등급·요일로 계산한 추정치입니다.")
    return tips
