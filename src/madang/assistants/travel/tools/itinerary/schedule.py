"""Putting clock times to an order of places: travel, opening hours, meals, and the way back."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from madang.assistants.travel.data.cities import Place
from madang.assistants.travel.tools.itinerary.model import Window
from madang.assistants.travel.tools.itinerary.movement import Located, move_minutes

LUNCH = (11 * 60 + 30, 14 * 60, 60)
DINNER = (17 * 60 + 30, 20 * 60, 70)
_SELF_CATERED = 240
_EVENING = 17 * 60
_TOO_EARLY = 20
_MealKind = Literal["lunch", "dinner"]
_BANDS: tuple[tuple[_MealKind, tuple[int, int, int]], ...] = (("lunch", LUNCH), ("dinner", DINNER))


@dataclass(frozen=True)
class Stop:
    place: Place
    start: int
    end: int
    travel: int


@dataclass(frozen=True)
class DaySchedule:
    """A feasible day. `end` is the return to the base; `moving` includes that way back."""

    stops: tuple[Stop, ...]
    meals: tuple[tuple[_MealKind, int, int], ...]
    moving: int
    end: int

    @property
    def cost(self) -> int:
        """Minutes moving, and a penalty for each night view seen by day."""
        early = sum(stop.place.category == "야경" and stop.start < _EVENING for stop in self.stops)
        return self.moving + _TOO_EARLY * early


def schedule(window: Window, places: Sequence[Place]) -> DaySchedule | None:
    """Times for the places in this order, or None when they don't fit the day or the opening hours."""
    now, moving = window.start, 0
    at: Located = window.base
    meals = _Meals(window)
    stops: list[Stop] = []
    for place in places:
        travel = move_minutes(at, place)
        arrive = meals.before(now + travel, place)
        start = _after_rests(max(arrive, place.opens), place.minutes, window.rests)
        end = start + place.minutes
        if end > place.closes or end > window.end:
            return None
        meals.during(start, end, place)
        stops.append(Stop(place, start, end, travel))
        moving += travel
        now, at = end, place
    home = move_minutes(at, window.base) if places else 0
    end = meals.at_end(now) + home
    if end > window.end:
        return None
    return DaySchedule(tuple(stops), tuple(meals.taken), moving + home, end)


def _after_rests(start: int, minutes: int, rests: Sequence[tuple[int, int]]) -> int:
    """The first start from which a visit touches no time of rest."""
    for first, last in sorted(rests):
        if start < last and start + minutes > first:
            start = last
    return start


class _Meals:
    """Lunch and dinner, each taken once, where the day reaches its hours."""

    def __init__(self, window: Window) -> None:
        self.taken: list[tuple[_MealKind, int, int]] = []
        self.had: set[_MealKind] = set()
        if window.start >= LUNCH[1]:
            self.had.add("lunch")
        if window.end < DINNER[0] + DINNER[2] or window.start >= DINNER[1]:
            self.had.add("dinner")
        if window.end < LUNCH[0] + LUNCH[2]:
            self.had.add("lunch")

    def before(self, now: int, place: Place) -> int:
        """Eat before a visit that would run past the meal's last hour; a food place is the meal itself."""
        for kind, (first, last, minutes) in _BANDS:
            begins = max(now, place.opens)
            late = begins + place.minutes > last
            if kind in self.had or place.minutes >= _SELF_CATERED:
                continue
            if place.category == "맛집" and first <= begins <= last:
                continue
            if now >= first or (late and begins >= first - 30):
                now = self._eat(kind, max(now, first), minutes)
        return now

    def during(self, start: int, end: int, place: Place) -> None:
        if place.minutes >= _SELF_CATERED:
            self.had |= {kind for kind, band in _BANDS if start <= band[1] and end >= band[0]}
        elif place.category == "맛집":
            self.had |= {kind for kind, band in _BANDS if band[0] <= start <= band[1]}

    def at_end(self, now: int) -> int:
        """A meal still due in the last band the day reaches."""
        for kind, (first, last, minutes) in _BANDS:
            if kind not in self.had and first <= now <= last:
                now = self._eat(kind, now, minutes)
        return now

    def _eat(self, kind: _MealKind, start: int, minutes: int) -> int:
        self.had.add(kind)
        self.taken.append((kind, start, start + minutes))
        return start + minutes
