"""Lines of an answer: transport, lodging, days, plans and costs, each from what an expert wrote."""

from collections.abc import Sequence

from madang.assistants.travel.answering.phrases import day_text, won
from madang.assistants.travel.data.cities import all_cities
from madang.assistants.travel.data.world import locate
from madang.assistants.travel.state import MultiAgentTravelState
from madang.assistants.travel.state.results import (
    BudgetItem,
    FlightLeg,
    FlightOption,
    ItineraryDay,
    Recommendation,
    Stay,
    TripPlan,
    Visit,
)
from madang.assistants.travel.state.trip_facts import cities_of, clock_span, of_tier, origin_of, stays_of
from madang.assistants.travel.tools.budget import LABELS
from madang.assistants.travel.tools.itinerary.planner import MUST_VISIT
from madang.assistants.travel.tools.transport import MODE_LABELS

_LISTED_DAYS = 6
MEALS = {"lunch": "점심", "dinner": "저녁"}
_AIRPORTS = {"ICN": "인천", "GMP": "김포"}


def transport(state: MultiAgentTravelState, plan: TripPlan) -> list[str]:
    """There and back with the plan's option."""
    option = of_tier(state["flight_options"], plan["flight_type"])
    if option["mode"] == "none":
        return []
    if "flights" in (state.get("booked") or ()):
        return [_own_travel(state)]
    by = option["airline"] or MODE_LABELS[option["mode"]]
    home, cities = origin_of(state), cities_of(state)
    if unsure := _unsure_route(option, home, cities):
        return [f"- {unsure}", f"- 교통비: {won(option['price'])}{_mark(option)}"]
    if option["mode"] == "car":
        minutes = option["outbound"]["duration_minutes"]
        way = f"{minutes // 60}시간 {minutes % 60}분" if minutes >= 60 else f"{minutes}분"
        return [
            f"- 교통: {home} ↔ {cities[0]} 자가용, 편도 약 {way}(막히면 더)",
            f"- 교통비: {won(option['price'])}{_mark(option)}",
        ]
    by_air = option["mode"] == "flight"
    there = _leg(option["outbound"], home, cities[0], by_air=by_air)
    back = _leg(option["inbound"], cities[-1], home, by_air=by_air)
    return [
        f"- 가는 편: {there}, {by}",
        f"- 오는 편: {back}",
        f"- 교통비: {won(option['price'])}{_mark(option)}",
    ]


def _unsure_route(option: FlightOption, home: str, cities: Sequence[str]) -> str:
    """A way of which we don't know that it runs: its times are not told as if it did."""
    if "울릉도" in cities:
        return "교통: 배로 가요(포항·후포·강릉·묵호). 날씨로 자주 바뀌어 시각은 적지 않았어요"
    served = {airport for city in all_cities().values() for airport in city.airports}
    ends = [city for city in (cities[0], cities[-1]) if city not in all_cities() and locate(city).airport not in served]
    if option["mode"] != "flight" or not option["is_estimate"] or not ends:
        return ""
    return (
        f"교통: {home}–{'·'.join(dict.fromkeys(ends))} 직항이 있는지 자료에 없어 시각은 적지 않았어요(경유면 더 걸려요)"
    )


def _own_travel(state: MultiAgentTravelState) -> str:
    times = [f"{state['arrive_time']} 도착"] if state.get("arrive_time") else []
    times += [f"마지막 날 {state['leave_time']} 출발"] if state.get("leave_time") else []
    return f"- 교통편: 이미 있는 표로({', '.join(times) or '시각을 알려 주시면 첫날과 마지막 날을 맞출게요'})"


def lodging(state: MultiAgentTravelState, plan: TripPlan) -> list[str]:
    """Where one sleeps in the plan."""
    if "hotel" in (state.get("booked") or ()):
        return ["- 숙소: 예약하신 곳"]
    return [stay(part) for part in stays_of(of_tier(state["hotel_options"], plan["hotel_type"]))]


def stay(option: Stay, name: str = "숙소") -> str:
    """A stay after the name it is told by."""
    rooms = f" 객실 {option['rooms']}개" if option["rooms"] > 1 else ""
    return f"- {name}: {option['name']}{rooms}, {option['nights']}박 {won(option['total_price'])}{_mark(option)}"


def days(found: Sequence[ItineraryDay]) -> list[str]:
    """Every day with its stops; a long trip has one line a day."""
    lines: list[str] = []
    for day in found:
        lines.append(day_head(day))
        if len(found) <= _LISTED_DAYS:
            lines += [f"- {line}" for line in timeline(day)]
            continue
        parts = [move(day), *(f"{place['start']} {place['name']}" for place in day["places"])]
        lines += ["- " + " → ".join(filter(None, parts))] if any(parts) else []
    return lines


def timeline(day: ItineraryDay) -> list[str]:
    """What a day has, by the clock: the way from another city, places and meals."""
    visits = [(place["start"], place["end"], f"{place['name']}{_must(place)}") for place in day["places"]]
    meals = [(meal["start"], meal["end"], f"{MEALS[meal['kind']]}: {meal['place']}") for meal in day["meals"]]
    return [*filter(None, [move(day)]), *(f"{start}–{end} {name}" for start, end, name in sorted(visits + meals))]


def move(day: ItineraryDay) -> str:
    """The way from the city before, if one changes it on that day."""
    way = day.get("move")
    if not way:
        return ""
    by = f"{MODE_LABELS[way['mode']]} 약 {way['minutes']}분, 1인 {won(way['fare'])}(추정)"
    return f"{clock_span(way)} {way['origin']} → {way['destination']} {by}"


def day_head(day: ItineraryDay) -> str:
    moving = f" · 이동 {day['moving_minutes']}분" if day["moving_minutes"] else ""
    return f"**{day['day']}일째 {day_text(day['date'])} {day['city']}, {day['title']}**{moving}"


def plans(found: Sequence[TripPlan], recommendation: Recommendation | None) -> list[str]:
    """A line for each plan: its total, what it consists of, and whether the budget carries it."""
    lines = []
    for plan in found:
        flight, hotel = plan["highlights"][0], plan["highlights"][1]
        mark = _arrow(recommendation) if recommendation and plan["type"] == recommendation["type"] else ""
        left = plan["remaining"]
        fits = "" if left is None else f", 예산보다 {won(-left)} 많음" if left < 0 else f", {won(left)} 남음"
        lines.append(f"- **{plan['title']}** {won(plan['total'])}{fits}{mark}: {flight}, {hotel}")
    return lines


def costs(items: Sequence[BudgetItem]) -> list[str]:
    return [f"- {LABELS[item['category']]}: {won(item['amount'])} ({item['note']})" for item in items]


def _arrow(recommendation: Recommendation) -> str:
    return " ← 추천" if recommendation["fits"] else " ← 지금 계획"


def _leg(leg: FlightLeg, origin: str, goal: str, *, by_air: bool) -> str:
    start, end = leg["depart_at"], leg["arrive_at"]
    late = f"(+{leg['day_change']}일)" if leg["day_change"] else ""
    stops = f", {leg['stops']}회 경유" if leg["stops"] else ""
    if by_air:
        origin, goal = _airport(leg["origin"], origin), _airport(leg["destination"], goal)
    return f"{day_text(start[:10])} {start[11:16]} {origin} → {end[11:16]}{late} {goal}{stops}"


def _airport(code: str, city: str) -> str:
    """An airport by the name people use and its code: 인천(ICN), 오사카(KIX)."""
    return city if code == city else f"{_AIRPORTS.get(code, city)}({code})"


def _mark(option: FlightOption | Stay) -> str:
    return "(추정)" if option["is_estimate"] else ""


def _must(place: Visit) -> str:
    return " ★" if place["note"] == MUST_VISIT else ""
