"""Travel over land within Korea, and between the cities of one trip."""

from madang.assistants.travel.data.estimates import estimates, rounded_won
from madang.assistants.travel.data.world import Location, distance_between
from madang.assistants.travel.state.results import TIERS, FlightOption, Mode
from madang.assistants.travel.state.trip import Trip
from madang.assistants.travel.tools.transport import estimated, leg

_ISLANDS = ("제주", "울릉도")
_CAPITAL = ("서울", "김포", "인천")
_CHILD_SHARE = 0.5
_FLY_BEYOND_KM = 250.0


def overland(origin: Location, goal: Location) -> bool:
    """Whether one can go by train, bus or car."""
    return origin.domestic and goal.domestic and origin.name not in _ISLANDS and goal.name not in _ISLANDS


def has_flight(origin: Location, goal: Location) -> bool:
    """Whether a domestic flight makes sense: two airports, and far enough."""
    return bool(origin.airport and goal.airport) and distance_between(origin, goal) > _FLY_BEYOND_KM


def ground_options(origin: Location, goal: Location, trip: Trip) -> list[FlightOption]:
    """Three ways by land, cheapest first: bus, train, car and a better seat, whichever run."""
    ways: list[tuple[Mode, bool]] = [("bus", False), ("car", False)]
    ways += [("train", False), ("train", True)] if _route(origin, goal, "train") else [("bus", True)]
    wanted = [way for way in ways if trip.goes_by(way[0])] or ways
    return by_price([_option(mode, first_class, origin, goal, trip) for mode, first_class in wanted])


def by_price(options: list[FlightOption]) -> list[FlightOption]:
    """The cheapest, a train in between (else the next) and the dearest, as the three tiers."""
    ranked = sorted(options, key=lambda option: option["price"])
    ranked = [ranked[0]] * (len(TIERS) - len(ranked)) + ranked
    middle = next((option for option in ranked[1:-1] if option["mode"] == "train"), ranked[1])
    return [{**option, "type": tier} for tier, option in zip(TIERS, (ranked[0], middle, ranked[-1]), strict=True)]


def _option(mode: Mode, first_class: bool, origin: Location, goal: Location, trip: Trip) -> FlightOption:
    table = estimates()["ground"]
    minutes, fare = _one_way(origin, goal, mode)
    party = trip.party
    if mode == "car":
        fare *= -(-party.size // int(table["car_seats"]))
        price = rounded_won(2 * fare)
    else:
        fare *= float(table["first_class"]) if first_class else 1.0
        price = rounded_won(2 * fare * party.shares(_CHILD_SHARE, 0.0))
    return {
        "type": "premium" if first_class else "standard",
        "mode": mode,
        "airline": None,
        "price": price,
        "price_per_person": rounded_won(price / party.size if mode == "car" else 2 * fare),
        "outbound": leg(origin, goal, trip.depart, "09:00", minutes),
        "inbound": leg(goal, origin, trip.home, "17:30", minutes),
        **estimated(),
    }


def usual_way(origin: Location, goal: Location) -> tuple[Mode, int]:
    """The means most people take over land, and its minutes: a train where one runs, else a bus."""
    mode: Mode = "train" if _route(origin, goal, "train") else "bus"
    return mode, _one_way(origin, goal, mode)[0]


def _one_way(origin: Location, goal: Location, mode: Mode) -> tuple[int, float]:
    """Minutes and one adult's fare (a whole car's cost by car)."""
    if row := _route(origin, goal, mode):
        return row
    table = estimates()["ground"]
    km = distance_between(origin, goal) * float(table["road_detour"])
    kmh, rate = float(table[f"{mode}_kmh"]), float(table[f"{mode}_won_per_km"])
    return 5 * round((km / kmh * 60 + 10) / 5), km * rate


def _route(origin: Location, goal: Location, mode: Mode) -> tuple[int, float] | None:
    for start, end in ((origin, goal), (goal, origin)):
        if start.name in _CAPITAL:
            for row in estimates()["ground"]["route"]:
                if row["to"] == end.name and row["mode"] == mode:
                    return int(row["minutes"]), float(row["fare"])
    return None


def between_cities(first: Location, second: Location) -> tuple[Mode, int, float]:
    """Mode, minutes and one adult's fare from one city of a trip to the next."""
    table = estimates()["ground"]
    km = distance_between(first, second)
    if first.country == second.country and km <= float(table["intercity_limit_km"]) and no_sea_between(first, second):
        road = km * float(table["road_detour"])
        return (
            "train",
            5 * round((road / float(table["train_kmh"]) * 60 + 20) / 5),
            road * float(table["train_won_per_km"]),
        )
    from madang.assistants.travel.tools.flights import adult_fare, flight_minutes

    return "flight", flight_minutes(km), adult_fare(km, "budget") * 0.6


def no_sea_between(first: Location, second: Location) -> bool:
    """Whether no sea lies between, as far as our islands go."""
    islands = {*_ISLANDS, "오키나와", "삿포로", "하와이", "괌", "세부", "발리"}
    return first.name not in islands and second.name not in islands
