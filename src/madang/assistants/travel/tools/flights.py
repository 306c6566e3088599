"""Getting there and back: three estimated options, by air, rail or road.

An adult's return fare is `fare(distance) × tier × month × holiday × weekday of departure`, see `data/estimates.toml`;
children and infants pay a share. The same trip always has the same price, marked as an estimate with its date.
"""

from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from itertools import pairwise

from madang.assistants.travel.data.cities import TIERS, Tier
from madang.assistants.travel.data.rates import as_of, estimates, round_won
from madang.assistants.travel.data.world import Spot, locate, spot_distance
from madang.assistants.travel.tools.ground import by_price, ground_options, has_flight, overland
from madang.assistants.travel.tools.party import Party
from madang.assistants.travel.tools.seasons import days_of, holiday_factor, season_factor, weekday_factor
from madang.assistants.travel.tools.transport import Analysis, Leg, TransportOption, leg, pick_tier
from madang.errors import FieldProblem, InvalidState

_OTHER_CLOCKS = ("10:30", "14:00", "20:30", "22:30")
_AWAKE = ("06:00", "23:10")

__all__ = ["FlightRequest", "adult_fare", "departure_airport", "flight_minutes", "search_flights"]


@dataclass(frozen=True)
class FlightRequest:
    """What the flight expert is asked. `home_from` is the last city when the trip has several."""

    origin: str
    destination: str
    depart: date
    nights: int
    party: Party
    airline: str | None = None
    direct_only: bool = False
    home_from: str | None = None
    prefer: Tier | None = None
    warnings: tuple[str, ...] = field(default=())


def search_flights(request: FlightRequest) -> Analysis[TransportOption]:
    """Budget, standard and premium ways to travel, one recommended with its reasons.

    Raises NotFound for an unknown city and InvalidState for less than one night.
    """
    if request.nights < 1:
        raise InvalidState([FieldProblem("duration", "1박 이상이어야 합니다", "1박~14박")])
    origin, goal = locate(request.origin), locate(request.destination)
    home_from = locate(request.home_from) if request.home_from else goal
    if origin.name == goal.name:
        return _nowhere(request)
    if overland(origin, goal):
        options = ground_options(origin, goal, request.depart, request.nights, request.party)
        if has_flight(origin, goal):
            options = by_price([*options, _option("premium", request, origin, goal, home_from)])
    else:
        options = [_option(tier, request, origin, goal, home_from) for tier in TIERS]
    return _analyse(request, origin, goal, options)


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


def _option(tier: Tier, request: FlightRequest, origin: Spot, goal: Spot, home_from: Spot) -> TransportOption:
    table = estimates()["flight"]
    km = (spot_distance(origin, goal) + spot_distance(home_from, origin)) / 2
    stops = 1 if tier == "budget" and km > table["stop_beyond_km"] and not request.direct_only else 0
    fare = adult_fare(km, tier) * _calendar(request)
    if tier == "budget" and request.direct_only and km > table["stop_beyond_km"]:
        fare *= float(table["direct_surcharge"])
    clocks = table["depart_clock"]
    return TransportOption(
        type=tier,
        mode="flight",
        airline=_airline(tier, request.airline, goal),
        price=round_won(fare * request.party.shares(table["child_share"], table["infant_share"])),
        price_per_person=round_won(fare),
        outbound=_leg(origin, goal, request.depart, clocks["outbound"][tier], stops),
        inbound=_leg(
            home_from,
            origin,
            request.depart + timedelta(days=request.nights),
            clocks["inbound"][tier],
            stops,
            home=True,
        ),
        as_of=as_of(),
    )


def departure_airport(spot: Spot, other: Spot) -> str | None:
    """The airport used towards the other city: Seoul's overseas flights leave from Incheon."""
    return "ICN" if spot.name == "서울" and not other.domestic else spot.airport


def _leg(start: Spot, end: Spot, day: date, clock: str, stops: int, *, home: bool = False) -> Leg:
    """At the tier's clock time, or another one where that would land in the small hours (flights to Hawaii)."""
    minutes = flight_minutes(spot_distance(start, end), stops)
    airports = departure_airport(start, end), departure_airport(end, start)
    start, end = replace(start, airport=airports[0]), replace(end, airport=airports[1])
    if home:
        return leg(start, end, day, clock, minutes, stops=stops)
    tries = [leg(start, end, day, at, minutes, stops=stops) for at in (clock, *_OTHER_CLOCKS)]
    return next((found for found in tries if _AWAKE[0] <= found.arrive_at[11:16] <= _AWAKE[1]), tries[0])


def _calendar(request: FlightRequest) -> float:
    days = days_of(request.depart, request.nights)
    return season_factor(request.depart, "flight") * weekday_factor(request.depart, "flight") * holiday_factor(days)


def _airline(tier: Tier, preferred: str | None, goal: Spot) -> str:
    if preferred and preferred not in ("국적기", "저비용항공사"):
        return preferred
    table = estimates()["airlines"]
    row = table.get(goal.country, table["*"])
    if preferred == "국적기":
        return "대한항공" if tier == "premium" else "아시아나항공"
    return str(row[tier])


def _nowhere(request: FlightRequest) -> Analysis[TransportOption]:
    spot = locate(request.origin)
    home = request.depart + timedelta(days=request.nights)
    options = [
        TransportOption(
            tier,
            "none",
            None,
            0,
            0,
            leg(spot, spot, request.depart, "10:00", 0),
            leg(spot, spot, home, "18:00", 0),
            as_of(),
        )
        for tier in TIERS
    ]
    return Analysis(options, "standard", "출발지와 목적지가 같아 도시 간 이동이 없습니다.", [], [])


def _analyse(
    request: FlightRequest, origin: Spot, goal: Spot, options: list[TransportOption]
) -> Analysis[TransportOption]:
    tier = request.prefer or pick_tier(options, request.direct_only)
    chosen = next(option for option in options if option.type == tier)
    km = round(spot_distance(origin, goal))
    reasoning = (
        f"{origin.name}–{goal.name} 약 {km:,}km, {chosen.label} 편도 {chosen.outbound.duration_minutes // 60}시간 "
        f"{chosen.outbound.duration_minutes % 60}분. {chosen.reason()}"
    )
    return Analysis(options, tier, reasoning, _tips(request), list(request.warnings))


def _tips(request: FlightRequest) -> list[str]:
    tips = []
    days = days_of(request.depart, request.nights)
    if holiday_factor(days) > 1:
        tips.append("일정에 공휴일이 끼어 값이 올라 있습니다. 하루 이틀 비켜 잡으면 낮아집니다.")
    if request.depart.weekday() in (4, 5):
        tips.append("금·토 출발보다 화·수 출발이 대체로 10% 남짓 쌉니다.")
    if request.depart.month in (7, 8, 12, 1):
        tips.append("성수기입니다. 6~8주 전에 예약하는 편이 안전합니다.")
    tips.append("금액은 거리·계절·요일로 계산한 추정치이며 예약 전에 실제 운임을 확인하세요.")
    return tips
