"""Checks of the days of one plan."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import date, datetime
from itertools import pairwise
from typing import Any

from bench.trips.plans import option, route_of
from madang.assistants.travel.data.cities import Place, all_cities, load_city, minutes_of
from madang.assistants.travel.data.world import distance_km, locate
from madang.assistants.travel.tools.itinerary.avoiding import avoided_categories, avoided_names

State = Mapping[str, Any]
Day = Mapping[str, Any]
Span = tuple[int, int]
Point = tuple[float, float]

_FAR_KM = 90
_WHOLE_DAY = 360
_SELF_CATERED = 240
_DEAD = 120
_LUNCH, _DINNER = (11 * 60 + 30, 14 * 60), (17 * 60 + 30, 20 * 60)
_EVENING = 17 * 60
_LATE = 22 * 60 + 30
_SEVERAL = 3
_HOURS = {"relaxed": (10 * 60, 20 * 60), "normal": (9 * 60, 21 * 60), "packed": (8 * 60 + 30, 22 * 60)}
_STOPS = {"relaxed": 5, "normal": 7, "packed": 9}


def span(item: Mapping[str, Any]) -> Span:
    return minutes_of(item["start"]), minutes_of(item["end"])


def place_of(day: Day, visit: Mapping[str, Any]) -> Place | None:
    return load_city(day["city"]).place(visit["name"])


def known_days(days: State) -> list[Day]:
    """Days in cities whose places we have; a general plan names none."""
    return [day for day in days["days"] if day["city"] in all_cities()]


def hours(state: State, days: State, day: Day) -> Span:
    """From when to when a day could be used, whatever the plan made of it."""
    begin, end = _HOURS[day["pace"]]
    flight, midnight = option(state["flight_options"], days["type"]), datetime.fromisoformat(day["date"])
    if day["move"]:
        begin = span(day["move"])[1] + 45
    arrives, leaves = (
        datetime.fromisoformat(flight[leg][name]).replace(tzinfo=None)
        for leg, name in (("outbound", "arrive_at"), ("inbound", "depart_at"))
    )
    away = locate(day["city"]).transfer_minutes if flight["mode"] == "flight" else 20
    ready = round((arrives - midnight).total_seconds() / 60) + away + 45
    gone = round((leaves - midnight).total_seconds() / 60) - away - (120 if flight["mode"] == "flight" else 20)
    return max(begin, ready), min(end, gone)


def whole(state: State, days: State, day: Day) -> bool:
    """Neither arrival nor departure nor a move cuts the day."""
    begin, end = hours(state, days, day)
    return begin <= 10 * 60 and end >= 19 * 60


def fits_flights(state: State, days: State) -> Iterator[str]:
    """Nothing before one has arrived with the plan's own flight, nothing after one has to leave for it."""
    flight = option(state["flight_options"], days["type"])
    arrives, leaves = (
        datetime.fromisoformat(flight[leg][name]).replace(tzinfo=None)
        for leg, name in (("outbound", "arrive_at"), ("inbound", "depart_at"))
    )
    by_air = flight["mode"] == "flight"
    for day in days["days"]:
        midnight = datetime.fromisoformat(day["date"])
        things = [span(item) for item in (*day["places"], *day["meals"])]
        if not things:
            continue
        ready = (arrives - midnight).total_seconds() / 60 + (30 if by_air else 0)
        gone = (leaves - midnight).total_seconds() / 60 - (60 if by_air else 15)
        if min(start for start, _ in things) < ready:
            yield f"{day['date']} begins before the arrival at {arrives:%m-%d %H:%M}"
        if max(end for _, end in things) > gone:
            yield f"{day['date']} goes on after leaving for {leaves:%m-%d %H:%M}"


def in_city(_state: State, days: State) -> Iterator[str]:
    """Every place is one of the day's city, where it really lies, near enough for a day."""
    for day in known_days(days):
        spot = locate(day["city"])
        for visit in day["places"]:
            place = place_of(day, visit)
            if place is None:
                yield f"{visit['name']} is no place of {day['city']}"
            elif (place.lat, place.lon) != (visit["latitude"], visit["longitude"]):
                yield f"{visit['name']} lies elsewhere"
            elif distance_km(spot.lat, spot.lon, place.lat, place.lon) > _FAR_KM:
                yield f"{visit['name']} is far from {day['city']}"


def slept_there(state: State, days: State) -> Iterator[str]:
    """Days are spent where one sleeps; the last one where one woke up."""
    cities = [city for city, nights in route_of(state).stays for _ in range(nights)]
    if [day["city"] for day in days["days"]] != [*cities, cities[-1]]:
        yield f"{[day['city'] for day in days['days']]} for nights in {cities}"


def no_repeats(_state: State, days: State) -> Iterator[str]:
    names = [visit["name"] for day in known_days(days) for visit in day["places"]]
    if twice := {name for name in names if names.count(name) > 1}:
        yield f"twice: {twice}"


def no_conflict(_state: State, days: State) -> Iterator[str]:
    """Nothing at the same time as something else, and time to get from one place to the next, meals between counted."""
    for day in days["days"]:
        items = [*day["places"], *day["meals"], *([day["move"]] if day["move"] else [])]
        for one, other in pairwise(sorted(items, key=span)):
            if span(other)[0] < span(one)[1]:
                yield f"{day['date']} {_name(other)} at {other['start']} while {_name(one)}"
        for first, then in pairwise(day["places"]):
            between = [span(meal) for meal in day["meals"] if span(first)[1] <= span(meal)[0] < span(then)[0]]
            needed = then["travel_minutes"] + sum(end - start for start, end in between)
            if span(then)[0] < span(first)[1] + needed:
                yield f"{day['date']} {then['name']} at {then['start']} is too soon after {first['name']}"
        if any(span(item)[1] > 24 * 60 for item in (*day["places"], *day["meals"])):
            yield f"{day['date']} goes past midnight"


def _name(item: Mapping[str, Any]) -> str:
    return str(item.get("name") or item.get("place") or item.get("origin"))


def route(state: State, days: State) -> Iterator[str]:
    """No zigzag: not much longer than the shortest way through the same places; and not a quarter more time on
    the way than there, with a far place only on a whole day."""
    for day in known_days(days):
        stops = [(visit["latitude"], visit["longitude"]) for visit in day["places"]]
        if not stops:
            continue
        base = _lodging(state, day["city"])
        way, least = _path([base, *stops, base]), _shortest(base, stops)
        if way > least * 1.35 + 3:
            yield f"{day['date']} {way:.0f} km where {least:.0f} would do"
        spent = sum(visit["minutes"] for visit in day["places"]) if whole(state, days, day) else 0
        asked = max((_way_to(visit, day) for visit in day["places"] if visit["note"]), default=0)
        if day["moving_minutes"] > max(150, spent * 1.25, asked):
            yield f"{day['date']} {day['moving_minutes']} minutes on the way"


def _way_to(visit: Mapping[str, Any], day: Day) -> float:
    """What it takes to go to a place that was asked for and back, with an hour for what lies near it."""
    spot = locate(day["city"])
    return 60 + 2 * (25 + distance_km(spot.lat, spot.lon, visit["latitude"], visit["longitude"]) * 1.3 / 50 * 60)


def _path(stops: Sequence[Point]) -> float:
    return sum(distance_km(*first, *second) for first, second in pairwise(stops))


def _lodging(state: State, city: str) -> Point:
    """Where one sleeps in that city."""
    stays = state["hotel_options"][0].get("stays") or state["hotel_options"][:1]
    return next((part["latitude"], part["longitude"]) for part in stays if part["city"] == city)


def _shortest(base: Point, stops: Sequence[Point]) -> float:
    """The shortest way from the lodging through all stops and back (Held and Karp)."""
    count = len(stops)
    away = [[distance_km(*first, *second) for second in stops] for first in stops]
    best = {(1 << at, at): distance_km(*base, *stops[at]) for at in range(count)}
    for seen in range(1, 1 << count):
        for last in range(count):
            if (seen, last) in best:
                for then in range(count):
                    if not seen >> then & 1:
                        key, km = (seen | 1 << then, then), best[seen, last] + away[last][then]
                        best[key] = min(km, best.get(key, km))
    return min(best[(1 << count) - 1, last] + distance_km(*stops[last], *base) for last in range(count))


def opening_hours(_state: State, days: State) -> Iterator[str]:
    for day in known_days(days):
        for visit in (*day["places"], *day["rain_alternative"]):
            place, (start, end) = place_of(day, visit), span(visit)
            if place and (start < place.opens or end > place.closes or start > (place.last_entry or start)):
                yield f"{day['date']} {visit['start']}–{visit['end']} {visit['name']} is shut then"


def closing_days(_state: State, days: State) -> Iterator[str]:
    for day in known_days(days):
        on = date.fromisoformat(day["date"])
        for visit in (*day["places"], *day["rain_alternative"]):
            place = place_of(day, visit)
            if place and place.closed_on(on):
                yield f"{visit['name']} is closed on {day['date']}"


def no_dead_hours(state: State, days: State) -> Iterator[str]:
    """Between the first and the last thing of a day nobody stands about; times of rest are wanted."""
    rests = [tuple(map(minutes_of, times.split("-"))) for times in state.get("rest_times") or ()]
    for day in known_days(days):
        items = sorted([*day["places"], *day["meals"]], key=span)
        last = max((span(visit) for visit in day["places"]), default=(0, 0))
        for first, second in pairwise(item for item in items if span(item) <= last):
            since, until = span(first)[1], span(second)[0] - (second.get("travel_minutes") or 0)
            resting = sum(max(0, min(until, end) - max(since, start)) for start, end in rests)
            if until - since - resting > _DEAD:
                yield f"{day['date']} nothing from {first['end']} to {second['start']}"


def filled(state: State, days: State) -> Iterator[str]:
    """A whole day has something to do into the afternoon, unless little was wanted or the city is all seen."""
    slow = state.get("outings_a_day") or state.get("access") or state.get("rest_times")
    seen = {visit["name"] for day in known_days(days) for visit in day["places"]}
    for day in known_days(days):
        if not whole(state, days, day) or slow:
            continue
        spent = sum(visit["minutes"] for visit in day["places"])
        ends = max((span(visit)[1] for visit in day["places"]), default=0)
        if (spent < _SELF_CATERED or ends < 15 * 60) and not _all_seen(state, day, seen):
            yield f"{day['date']} only {spent} minutes, until {ends // 60}:{ends % 60:02d}"


def _all_seen(state: State, day: Day, seen: set[str]) -> bool:
    """Whether next to nothing is left that one would want to see and that takes less than a day."""
    unwanted = avoided_categories(state.get("avoid") or ())
    left = [
        place
        for place in load_city(day["city"]).places
        if place.name not in seen and place.minutes < _WHOLE_DAY and place.category not in unwanted
    ]
    return len(left) <= _SEVERAL


def meals(state: State, days: State) -> Iterator[str]:
    """Lunch and dinner on every day that spans their hours: a meal, somewhere to eat, or a whole day out."""
    for day in known_days(days):
        begin, end = hours(state, days, day)
        for kind, (first, last) in (("lunch", _LUNCH), ("dinner", _DINNER)):
            if begin > first or end < last + 30 or any(meal["kind"] == kind for meal in day["meals"]):
                continue
            eaten = any(
                (visit["category"] == "맛집" and first - 30 <= span(visit)[0] <= last)
                or (visit["minutes"] >= _SELF_CATERED and span(visit)[0] <= last and span(visit)[1] >= first)
                for visit in day["places"]
            )
            if not eaten:
                yield f"{day['date']} no {kind}"


def meal_places(_state: State, days: State) -> Iterator[str]:
    for day in known_days(days):
        for meal in day["meals"]:
            start, _ = span(meal)
            first, last = _LUNCH if meal["kind"] == "lunch" else _DINNER
            if not meal["place"]:
                yield f"{day['date']} {meal['kind']} nowhere"
            if not first <= start <= last:
                yield f"{day['date']} {meal['kind']} at {meal['start']}"


def theme_park(_state: State, days: State) -> Iterator[str]:
    """What takes a whole day has one, but for something small beside it."""
    for day in known_days(days):
        long = [visit for visit in day["places"] if visit["minutes"] >= _WHOLE_DAY]
        if long and len(day["places"]) > 2:
            yield f"{day['date']} {long[0]['name']} with {len(day['places']) - 1} others"


def city_moves(_state: State, days: State) -> Iterator[str]:
    """A day that begins in one city and ends in another has the way between them, and nothing before its end."""
    for before, day in pairwise(days["days"]):
        move = day["move"]
        if before["move"] and any(
            span(item)[0] + 24 * 60 < span(before["move"])[1] for item in (*day["places"], *day["meals"])
        ):
            yield f"{day['date']} something before the arrival in {day['city']}"
        if before["city"] == day["city"]:
            if move:
                yield f"{day['date']} a move within {day['city']}"
            continue
        if not move or not move["mode"] or move["minutes"] <= 0 or move["fare"] <= 0:
            yield f"{day['date']} no way from {before['city']} to {day['city']}"
        elif (move["origin"], move["destination"]) != (before["city"], day["city"]):
            yield f"{day['date']} a way from {move['origin']} to {move['destination']}"
        elif any(span(item)[0] < span(move)[1] for item in (*day["places"], *day["meals"])):
            yield f"{day['date']} something before the arrival in {day['city']}"


def wishes(state: State, days: State) -> Iterator[str]:
    """Must-visits are in or named, what is to be left out is out, rests are free, outings are few."""
    names = [visit["name"] for day in known_days(days) for visit in day["places"]]
    said = " ".join(days["notes"])
    for wish in state.get("must_visit_places") or ():
        here = {wish} | {
            name for day in known_days(days) if (place := load_city(day["city"]).place(wish)) for name in [place.name]
        }
        if not here & {*names} and wish not in said:
            yield f"{wish} is neither in nor named"
    for thing in (*(state.get("avoid_places") or ()), *avoided_names(state.get("avoid") or ())):
        others = [name for name in names if name not in (state.get("must_visit_places") or ())]
        if any(thing == name or (len(thing) > 1 and thing in name) for name in others):
            yield f"{thing} is in"
    kinds = avoided_categories(state.get("avoid") or ())
    for day in known_days(days):
        for visit in day["places"]:
            if visit["category"] in kinds and not visit["note"]:
                yield f"{visit['name']} is a {visit['category']}"
            for times in state.get("rest_times") or ():
                start, end = map(minutes_of, times.split("-"))
                if span(visit)[0] < end and span(visit)[1] > start:
                    yield f"{visit['name']} at the time of rest"
        most = state.get("outings_a_day") or _STOPS[day["pace"]]
        if len(day["places"]) > most:
            yield f"{day['date']} {len(day['places'])} places where {most} are wanted"


def evenings(state: State, days: State) -> Iterator[str]:
    """Night views in the evening; children are in bed at night."""
    young = state.get("children") or state.get("infants")
    for day in known_days(days):
        for visit in day["places"]:
            place, (start, end) = place_of(day, visit), span(visit)
            shuts = place.closes if place else 0
            if visit["category"] == "야경" and start < _EVENING and shuts - visit["minutes"] >= _EVENING:
                yield f"{day['date']} {visit['name']} at {visit['start']}"
            if young and end > _LATE:
                yield f"{day['date']} {visit['name']} until {visit['end']} with children"


def rain(_state: State, days: State) -> Iterator[str]:
    """What is offered for rain is indoors, without conflicts, and not what another day has."""
    seen = {visit["name"]: day["date"] for day in known_days(days) for visit in day["places"]}
    for day in known_days(days):
        for visit in day["rain_alternative"]:
            if not visit["indoor"]:
                yield f"{visit['name']} is outdoors"
            if seen.get(visit["name"], day["date"]) != day["date"]:
                yield f"{visit['name']} is also on {seen[visit['name']]}"
        for first, second in pairwise(day["rain_alternative"]):
            if span(second)[0] < span(first)[1] + second["travel_minutes"]:
                yield f"{day['date']} {second['name']} comes too soon"


def says_general(_state: State, days: State) -> Iterator[str]:
    """A city without places of its own is said to be one, and nothing is invented for it; the others have real days."""
    unknown = {day["city"] for day in days["days"] if day["city"] not in all_cities()}
    for city in unknown:
        named = any(note.startswith(city) for note in days["notes"])
        if not named or any(visit["note"] is None for visit in _visits_in(days, city)):
            yield f"{city} is planned as if we knew it"
    for city in {day["city"] for day in known_days(days)}:
        if any(visit["note"] == "일반 계획" for visit in _visits_in(days, city)):
            yield f"{city} is planned in general"


def _visits_in(days: State, city: str) -> Iterator[Mapping[str, Any]]:
    return (visit for day in days["days"] if day["city"] == city for visit in day["places"])


DAY_CHECKS = {
    "days fit the plan's flights": fits_flights,
    "within the city": in_city,
    "days where one sleeps": slept_there,
    "no repeats": no_repeats,
    "nothing at once": no_conflict,
    "sensible route": route,
    "opening hours": opening_hours,
    "closing days": closing_days,
    "no dead hours": no_dead_hours,
    "whole days filled": filled,
    "meals": meals,
    "meals have place and time": meal_places,
    "a theme park is a day": theme_park,
    "moves between cities": city_moves,
    "wishes": wishes,
    "evenings": evenings,
    "rain": rain,
    "unknown cities said": says_general,
}
