"""Places exchanged between the days of a city wherever both days get shorter by it."""

from collections.abc import Sequence
from itertools import combinations

from madang.assistants.travel.data.cities import Place
from madang.assistants.travel.tools.itinerary.movement import tour_minutes
from madang.assistants.travel.tools.itinerary.schedule import LONG_WAY, DaySchedule, schedule
from madang.assistants.travel.tools.itinerary.selection import DayPlan, whole_days_alone

_WORTH = 4
_ROUNDS = 6
_AFTERNOON, _FILLED = 16 * 60, 240


def exchange(days: Sequence[DayPlan]) -> None:
    """Swap places between days of the same city while that saves time on the way; every day stays feasible."""
    pairs = [(one, other) for one, other in combinations(days, 2) if one.window.city == other.window.city]
    for _ in range(_ROUNDS):
        if not sum(_swap(one, other) for one, other in pairs):
            return


def _swap(one: DayPlan, other: DayPlan) -> bool:
    """Take the first swap that saves something."""
    before = schedule(one.window, one.order), schedule(other.window, other.order)
    if before[0] is None or before[1] is None:
        return False
    cost = before[0].cost + before[1].cost
    for leaves in one.order:
        for comes in other.order:
            first, second = _instead(one, leaves, comes), _instead(other, comes, leaves)
            ways = tour_minutes(one.window.base, first) + tour_minutes(other.window.base, second)
            if ways + _WORTH > cost:
                continue
            after = _timed(one, first, before[0]), _timed(other, second, before[1])
            if after[0] and after[1] and after[0].cost + after[1].cost + _WORTH <= cost:
                one.order, other.order = first, second
                return True
    return False


def _instead(day: DayPlan, leaves: Place, comes: Place) -> list[Place]:
    """The day's places with one for another, where it adds the least travel."""
    rest = DayPlan(day.window, [place for place in day.order if place is not leaves])
    _, at = rest.added(comes)
    return [*rest.order[:at], comes, *rest.order[at:]]


def _timed(day: DayPlan, order: list[Place], before: DaySchedule) -> DaySchedule | None:
    """The day in that order, if it is no worse to live through than it was."""
    if not whole_days_alone(order) or any(place.closed_on(day.window.date) for place in order):
        return None
    timed = schedule(day.window, order)
    if timed is None or timed.moving > max(LONG_WAY, before.moving) or timed.end < min(_AFTERNOON, before.end):
        return None
    if sum(place.minutes for place in order) < min(_FILLED, sum(stop.place.minutes for stop in before.stops)):
        return None
    return None if max(timed.waits, default=0) > max(30, *before.waits, 0) else timed
