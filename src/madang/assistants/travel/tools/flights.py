"""Getting there and back: three estimated options, by air, rail or road.

An adult's return fare is `fare(distance) × tier × month × holiday × weekday of departure`, see `data/estimates.toml`;
children and infants pay a share. The same trip always has the same price, marked as an estimate with its date.
"""

from dataclasses import replace
from datetime import date
from itertools import pairwise

from madang.assistants.travel.data.estimates import estimates, rounded_won
from madang.assistants.travel.data.world import Location, distance_between, locate
from madang.assistants.travel.state.results import TIERS, FlightLeg, FlightOption, Tier
from madang.assistants.travel.state.trip import Trip
from madang.assistants.travel.state.trip_facts import of_tier
from madang.assistants.travel.tools.ground import by_price, ground_options, has_flight, overland
from madang.assistants.travel.tools.seasons import holiday_factor, season_factor, weekday_factor
from madang.assistants.travel.tools.transport import MODE_LABELS, TIER_LABELS, SearchResult, estimated, leg
from madang.text.particles import with_direction, with_topic

_OTHER_CLOCKS = ("10:30", "14:00", "20:30", "22:30")
_AWAKE = ("06:00", "23:10")


def search_flights(trip: Trip, prefer: Tier | None = None) -> SearchResult[FlightOption]:
    """Budget, standard and premium ways to travel, one recommended with its reasons: the preferred tier, if any.

    Home is flown from the last city slept in. Raises NotFound for an unknown city.
    """
    origin, goal, last = locate(trip.origin), locate(trip.cities[0]), locate(trip.stays[-1][0])
    if origin.name == goal.name:
        return _nowhere(trip, origin)
    if overland(origin, goal):
        options = ground_options(origin, goal, trip)
        if has_flight(origin, goal) and trip.goes_by("flight"):
            options = by_price([*options, _option("premium", trip, origin, goal, last)])
    else:
        options = [_option(tier, trip, origin, goal, last) for tier in TIERS]
    chosen = of_tier(options, prefer or _best_tier(options, trip.direct_only))
    minutes = chosen["outbound"]["duration_minutes"]
    reasoning = (
        f"{origin.name}–{goal.name} 약 {round(distance_between(origin, goal)):,}km, {MODE_LABELS[chosen['mode']]} "
        f"편도 {minutes // 60}시간 {minutes % 60}분. {_reason(chosen)}"
    )
    return SearchResult(
        options,
        {
            "recommendation": chosen["type"],
            "reasoning": reasoning,
            "tips": _tips(trip),
            "notes": _not_by(trip, options),
        },
    )


def _not_by(trip: Trip, options: list[FlightOption]) -> list[str]:
    """Means of transport that were asked for and can't be had on this way."""
    modes = {option["mode"] for option in options}
    if trip.by and trip.by not in modes:
        instead = ", ".join(MODE_LABELS[mode] for mode in modes)
        return [f"{with_topic(MODE_LABELS[trip.by])} 이 구간의 자료에 없어 {with_direction(instead)} 계산했어요."]
    unwanted = [mode for mode in trip.not_by if mode in modes]
    return [
        f"{MODE_LABELS[mode]} 없이 가는 길은 자료에 없어 {with_direction(MODE_LABELS[mode])} 계산했어요."
        for mode in unwanted
    ]


def adult_fare(km: float, tier: Tier) -> float:
    """The return fare before season: linear between the points of the table, rising with distance."""
    table = estimates()["flight"]
    points = list(zip(table["fare_km"], table["fare_won"], strict=True))
    factor = float(table["tier"][tier])
    for (km0, won0), (km1, won1) in pairwise(points):
        if km <= km1:
            return float(won0 + (won1 - won0) * (km - km0) / (km1 - km0)) * factor
    return float(points[-1][1]) * factor


def flight_minutes(km: float, stops: int = 0) -> int:
    """Gate to gate, with a detour over the great circle and time on the ground."""
    table = estimates()["flight"]
    flying = km * table["detour"] / table["cruise_kmh"] * 60
    return 5 * round(float(flying + table["ground_minutes"] + stops * table["stop_minutes"]) / 5)


def _option(tier: Tier, trip: Trip, origin: Location, goal: Location, last: Location) -> FlightOption:
    table = estimates()["flight"]
    km = (distance_between(origin, goal) + distance_between(last, origin)) / 2
    stops = 1 if tier == "budget" and km > table["stop_beyond_km"] and not trip.direct_only else 0
    fare = adult_fare(km, tier) * _calendar(trip)
    if tier == "budget" and trip.direct_only and km > table["stop_beyond_km"]:
        fare *= float(table["direct_surcharge"])
    clocks = table["depart_clock"]
    return {
        "type": tier,
        "mode": "flight",
        "airline": _airline(tier, trip.airline, goal),
        "price": rounded_won(fare * trip.party.shares(table["child_share"], table["infant_share"])),
        "price_per_person": rounded_won(fare),
        "outbound": _leg(origin, goal, trip.depart, clocks["outbound"][tier], stops),
        "inbound": _leg(last, origin, trip.home, clocks["inbound"][tier], stops, home=True),
        **estimated(),
    }


def departure_airport(spot: Location, other: Location) -> str | None:
    """The airport used towards the other city: Seoul's overseas flights leave from Incheon."""
    return "ICN" if spot.name == "서울" and not other.domestic else spot.airport


def _leg(start: Location, end: Location, day: date, clock: str, stops: int, *, home: bool = False) -> FlightLeg:
    """At the tier's clock time, or another one where that would land in the small hours (flights to Hawaii)."""
    minutes = flight_minutes(distance_between(start, end), stops)
    airports = departure_airport(start, end), departure_airport(end, start)
    start, end = replace(start, airport=airports[0]), replace(end, airport=airports[1])
    if home:
        return leg(start, end, day, clock, minutes, stops=stops)
    tries = [leg(start, end, day, at, minutes, stops=stops) for at in (clock, *_OTHER_CLOCKS)]
    return next((found for found in tries if _AWAKE[0] <= found["arrive_at"][11:16] <= _AWAKE[1]), tries[0])


def _calendar(trip: Trip) -> float:
    return season_factor(trip.depart, "flight") * weekday_factor(trip.depart, "flight") * holiday_factor(trip.days)


def _airline(tier: Tier, preferred: str | None, goal: Location) -> str:
    if preferred and preferred not in ("국적기", "저비용항공사"):
        return preferred
    table = estimates()["airlines"]
    row = table.get(goal.name) or table.get(goal.country, table["*"])
    if preferred == "국적기":
        return "대한항공" if tier == "premium" else "아시아나항공"
    return str(row[tier])


def _nowhere(trip: Trip, spot: Location) -> SearchResult[FlightOption]:
    options: list[FlightOption] = [
        {
            "type": tier,
            "mode": "none",
            "airline": None,
            "price": 0,
            "price_per_person": 0,
            "outbound": leg(spot, spot, trip.depart, "10:00", 0),
            "inbound": leg(spot, spot, trip.home, "18:00", 0),
            **estimated(),
        }
        for tier in TIERS
    ]
    reasoning = "출발지와 목적지가 같아 도시 간 이동이 없습니다."
    return SearchResult(options, {"recommendation": "standard", "reasoning": reasoning, "tips": [], "notes": []})


def _best_tier(options: list[FlightOption], direct_only: bool) -> Tier:
    """Standard, unless the budget option costs under 70 % of it and takes no stop."""
    cheap, usual = of_tier(options, "budget"), of_tier(options, "standard")
    if not direct_only and not cheap["outbound"]["stops"] and cheap["price"] < 0.7 * usual["price"]:
        return "budget"
    return "standard"


def _reason(option: FlightOption) -> str:
    """Why one would take it."""
    if option["mode"] != "flight":
        label = MODE_LABELS[option["mode"]]
        return f"{TIER_LABELS[option['type']]} 선택지로 {label}가 시간과 값의 균형이 맞습니다."
    return "직항으로 시간과 값의 균형이 맞습니다." if not option["outbound"]["stops"] else "경유하는 대신 가장 쌉니다."


def _tips(trip: Trip) -> list[str]:
    tips = []
    if holiday_factor(trip.days) > 1:
        tips.append("일정에 공휴일이 끼어 값이 올라 있습니다. 하루 이틀 비켜 잡으면 낮아집니다.")
    if trip.depart.weekday() in (4, 5):
        tips.append("금·토 출발보다 화·수 출발이 대체로 10% 남짓 쌉니다.")
    if trip.depart.month in (7, 8, 12, 1):
        tips.append("성수기입니다. 6~8주 전에 예약하는 편이 안전합니다.")
    tips.append("금액은 거리·계절·요일로 계산한 추정치이며 예약 전에 실제 운임을 확인하세요.")
    return tips
