"""Checks of a trip's options, stays, sums and budget."""

from collections.abc import Iterator, Mapping
from datetime import date, datetime, timedelta
from typing import Any

from madang.assistants.travel.data.cities import all_cities
from madang.assistants.travel.data.estimates import estimates
from madang.assistants.travel.data.world import distance_km, locate
from madang.assistants.travel.state.trip import Route, party_of

State = Mapping[str, Any]
_FAR_KM = 60
_ROOM = {"hotel": 3, "guesthouse": 3, "airbnb": 4}
_SHARE_OF_BUDGET = {"flexible": 1.1}


def assumed(state: State, slot: str, name: str) -> Any:
    """What was said, or is assumed and marked as such."""
    return state.get(slot) or (state.get("assumptions") or {}).get(name)


def route_of(state: State) -> Route:
    cities = tuple(state.get("destinations") or [state["destination"]])
    depart = date.fromisoformat(assumed(state, "depart_date", "departure"))
    nights = int(assumed(state, "duration", "nights"))
    return Route(cities, depart, nights, asked=tuple((state.get("city_nights") or {}).items()))


def option(found: list[dict[str, Any]], tier: str) -> dict[str, Any]:
    return next(one for one in found if one["type"] == tier)


def complete(state: State) -> Iterator[str]:
    """Three of everything, every day of the trip once and in order, each visit with what one needs to go there."""
    for name in ("flight_options", "hotel_options", "itineraries", "final_plans"):
        tiers = [one["type"] for one in state.get(name) or ()]
        if tiers != ["budget", "standard", "premium"]:
            yield f"{name}: {tiers}"
    if (state.get("recommendation") or {}).get("type") not in {plan["type"] for plan in state["final_plans"]}:
        yield "no recommendation"
    dates = [day.isoformat() for day in route_of(state).days]
    for days in state["itineraries"]:
        if [day["date"] for day in days["days"]] != dates:
            yield f"{days['type']}: days {[day['date'] for day in days['days']]}"
        for day in days["days"]:
            for visit in day["places"]:
                if None in (visit["latitude"], visit["start"], visit["end"]) or not visit["name"]:
                    yield f"{day['date']} {visit['name']} lacks something"
                if visit["fee"] is None and day["city"] in all_cities():
                    yield f"{day['date']} {visit['name']} has no fee"


def three_differ(state: State) -> Iterator[str]:
    """The three plans are three: other flights or stays, another sum."""
    plans = state["final_plans"]
    free = {"flights", "hotel"} <= {*(state.get("booked") or ())}
    if len({plan["total"] for plan in plans}) < len(plans) and not free:
        yield f"totals {[plan['total'] for plan in plans]}"
    if len({(plan["flight_type"], plan["hotel_type"]) for plan in plans}) < len(plans):
        yield "two plans have the same flights and stay"


def shown_days(state: State) -> Iterator[str]:
    """The days shown are those of the plan that is recommended or chosen."""
    tier = state.get("chosen_plan") or state["recommendation"]["type"]
    plan = option(state["final_plans"], tier)
    if state["itinerary"] != option(state["itineraries"], plan["flight_type"]):
        yield "the itinerary shown is another plan's"


def legs(state: State) -> Iterator[str]:
    """Flights in time: duration and clocks agree, there before back, on the days of the trip."""
    route = route_of(state)
    for one in state["flight_options"]:
        out, back = one["outbound"], one["inbound"]
        for leg in (out, back):
            start, end = (datetime.fromisoformat(leg[name]) for name in ("depart_at", "arrive_at"))
            if start.tzinfo and end - start != timedelta(minutes=leg["duration_minutes"]):
                yield f"{one['type']}: {leg['depart_at']} to {leg['arrive_at']} is not {leg['duration_minutes']} min"
        arrives, leaves = (datetime.fromisoformat(leg) for leg in (out["arrive_at"], back["depart_at"]))
        if arrives >= leaves:
            yield f"{one['type']}: arrives {arrives} after leaving {leaves}"
        late = timedelta(days=1) if state.get("leave_time") else timedelta()
        if not route.home <= leaves.date() <= route.home + late:
            yield f"{one['type']}: leaves on {leaves.date()}, not on {route.home}"


def stay(state: State) -> Iterator[str]:
    """Every night has a bed in the city of that day; rooms for everyone, one adult in each."""
    route = route_of(state)
    party = party_of(
        int(assumed(state, "num_people", "people")), state.get("adults"), state.get("children"), state.get("infants")
    )
    for one in state["hotel_options"]:
        parts = one.get("stays") or [one]
        if tuple((part["city"], part["nights"]) for part in parts) != route.stays:
            yield f"{one['type']}: {[(part['city'], part['nights']) for part in parts]} for {route.stays}"
        wanted = state.get("accommodation_preference")
        for part in parts:
            spot = locate(part["city"])
            if part["rooms"] * _ROOM[part["accommodation"]] < party.adults + party.children:
                yield f"{one['type']}: {part['rooms']} rooms for {party}"
            if party.adults and part["rooms"] > party.adults:
                yield f"{one['type']}: a room without an adult ({part['rooms']} for {party})"
            if wanted and part["accommodation"] != wanted:
                yield f"{one['type']}: {part['accommodation']} instead of {wanted}"
            if part["latitude"] and distance_km(spot.lat, spot.lon, part["latitude"], part["longitude"]) > _FAR_KM:
                yield f"{one['type']}: far from {part['city']}"
        if sum(part["total_price"] for part in parts) != one["total_price"]:
            yield f"{one['type']}: stays don't add up"


def party(state: State) -> Iterator[str]:
    """What is paid for the way lies between the grown-ups' fares and everyone's."""
    people = int(assumed(state, "num_people", "people"))
    who = party_of(people, state.get("adults"), state.get("children"), state.get("infants"))
    for one in state["flight_options"]:
        if one["mode"] in ("car", "none"):
            continue
        least, most = one["price_per_person"] * who.adults, one["price_per_person"] * people
        if not least - 100 * people <= one["price"] <= most + 100 * people:
            yield f"{one['type']}: {one['price']} for {who} at {one['price_per_person']}"


def limits(state: State) -> Iterator[str]:
    """Limits and means that were asked for hold, or the answer says that they don't."""
    answer = state["response"]["answer"]
    flights, rooms = state["flight_options"], state["hotel_options"]
    if limit := state.get("lodging_budget"):
        dear = [one for one in rooms if one["total_price"] / (one["nights"] * one["rooms"]) > limit + 100]
        if dear and "1박" not in answer:
            yield f"{len(dear)} stays above {limit}"
    if hours := state.get("max_flight"):
        longest = max(one["outbound"]["duration_minutes"] for one in flights if one["mode"] == "flight")
        if longest > hours * 60 and f"{hours:g}시간" not in answer:
            yield f"{longest} minutes of flight"
    modes = {one["mode"] for one in flights}
    if (mode := state.get("transport")) and modes != {mode} and "계산했어요" not in answer:
        yield f"by {modes} instead of {mode}"


def budget(state: State) -> Iterator[str]:
    """The best plan that the budget carries is recommended; when it carries none, that is said with a way out."""
    if not (amount := state.get("budget")):
        return
    chosen, plans = state["recommendation"], state["final_plans"]
    limit = amount * _SHARE_OF_BUDGET.get(state.get("budget_flexibility") or "", 1)
    carried = [plan for plan in plans if plan["total"] <= limit]
    plan = option(plans, chosen["type"])
    if chosen["total"] != plan["total"]:
        yield f"recommended at {chosen['total']}, the plan is {plan['total']}"
    if chosen["fits"] != (plan["total"] <= limit):
        yield f"fits is {chosen['fits']} at {plan['total']} of {limit}"
    if carried and plan not in carried and not (state.get("flight_tier") or state.get("hotel_tier")):
        yield "a plan above the budget is recommended beside one that it carries"
    if not carried and not chosen["changes"]:
        yield "no way out is offered"


def total(state: State, plan: State) -> Iterator[str]:
    """The total is the sum of the items; what remains of the budget follows."""
    if plan["total"] != sum(item["amount"] for item in plan["items"]):
        yield f"{plan['total']} is not the sum of its items"
    if min(item["amount"] for item in plan["items"]) < 0:
        yield "an item below zero"
    amount = state.get("budget")
    if amount and plan["remaining"] != amount - plan["total"]:
        yield f"remaining {plan['remaining']} of {amount} after {plan['total']}"


def own_parts(state: State, plan: State) -> Iterator[str]:
    """Flights, stay and entrance fees of the sum are the plan's own."""
    items = {item["category"]: item["amount"] for item in plan["items"]}
    booked = state.get("booked") or ()
    flight, hotel = (
        option(state["flight_options"], plan["flight_type"]),
        option(state["hotel_options"], plan["hotel_type"]),
    )
    if "flights" not in booked and items["flights"] != flight["price"]:
        yield f"flights {items['flights']} instead of {flight['price']}"
    if "hotel" not in booked and items["hotel"] != hotel["total_price"]:
        yield f"hotel {items['hotel']} instead of {hotel['total_price']}"
    days = option(state["itineraries"], plan["flight_type"])
    people = int(assumed(state, "num_people", "people"))
    who = party_of(people, state.get("adults"), state.get("children"), state.get("infants"))
    each = sum(visit["fee"] or 0 for day in days["days"] for visit in day["places"])
    fees = each * who.shares(float(estimates()["daily"]["child_share"]), 0.0)
    if abs(items["entrance_fees"] - fees) > 100:
        yield f"entrance fees {items['entrance_fees']} instead of {fees:.0f}"
    moved = sum(day["move"]["fare"] for day in days["days"] if day["move"])
    if items["local_transport"] < moved * who.adults:
        yield f"transport {items['local_transport']} doesn't cover {moved} between cities"


TRIP_CHECKS = {
    "complete": complete,
    "three plans differ": three_differ,
    "days shown are the plan's": shown_days,
    "legs in time": legs,
    "valid stay": stay,
    "fares by party": party,
    "limits kept or said": limits,
    "budget": budget,
}
PLAN_CHECKS = {"sum of items": total, "own flights, stay and fees": own_parts}
