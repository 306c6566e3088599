"""The order of one day's places: exact for a few, insertion and 2-opt for more."""

from collections.abc import Sequence
from itertools import permutations

from madang.assistants.travel.data.cities import Place
from madang.assistants.travel.tools.itinerary.model import Window
from madang.assistants.travel.tools.itinerary.movement import tour_minutes
from madang.assistants.travel.tools.itinerary.schedule import DaySchedule, schedule

EXACT_UP_TO = 6


def best_order(window: Window, places: Sequence[Place]) -> DaySchedule | None:
    """The feasible order with the least travel, night views late; None when no order tried is feasible."""
    if len(places) <= EXACT_UP_TO:
        return exact_order(window, places)
    return _improved(window, _inserted(window, places))


def exact_order(window: Window, places: Sequence[Place]) -> DaySchedule | None:
    """The best of all orders, tried by rising travel time until no later one can be better."""
    best: DaySchedule | None = None
    tours = sorted(
        ((tour_minutes(window.base, order), order) for order in permutations(places)), key=lambda pair: pair[0]
    )
    for moving, order in tours:
        if best is not None and moving > best.cost:
            break
        timed = schedule(window, order)
        if timed and (best is None or (timed.cost, timed.end) < (best.cost, best.end)):
            best = timed
    return best


def _inserted(window: Window, places: Sequence[Place]) -> list[Place]:
    order: list[Place] = []
    for place in sorted(places, key=lambda place: (place.closes, -place.minutes, place.name)):
        tries = [[*order[:at], place, *order[at:]] for at in range(len(order) + 1)]
        feasible = [one for one in tries if schedule(window, one)]
        order = min(feasible or tries, key=lambda one: tour_minutes(window.base, one))
    return order


def _improved(window: Window, order: list[Place]) -> DaySchedule | None:
    best = schedule(window, order)
    improved = True
    while improved:
        improved = False
        for first in range(len(order)):
            for last in range(first + 1, len(order)):
                turned = [*order[:first], *reversed(order[first : last + 1]), *order[last + 1 :]]
                if tour_minutes(window.base, turned) < tour_minutes(window.base, order) or best is None:
                    timed = schedule(window, turned)
                    if timed and (best is None or timed.cost < best.cost):
                        order, best, improved = turned, timed, True
    return best
