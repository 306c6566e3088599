"""Putting clock times to an order of places: travel, opening hours, meals, and the way back."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from madang.assistants.travel.data.cities import Place
from madang.assistants.travel.tools.itinerary.model import Window
from madang.assistants.travel.tools.itinerary.movement import Located, move_minutes

LUNCH = (11 * 60 + 30, 14 * 60, 60)
DINNER = (17 * 60 + 30, 20 * 60, 70)
DEAD_MINUTES = 100
LONG_WAY = 140
_SELF_CATERED = 240
_EVENING = 17 * 60
_SHORT_WAIT = 30
_MealKind = Literal["lunch", "dinner"]
_BANDS: tuple[tuple[_MealKind, tuple[int, int, int]], ...] = (("lunch", LUNCH), ("dinner", DINNER))


@dataclass(frozen=True)
class Stop:
    place: Place
    start: int
    end: int
    travel: int


@dataclass(frozen=True)
class MealTime:
    """`near` is the place where one is then; without one it is had near the lodging."""

    kind: _MealKind
    start: int
    end: int
    near: Place | None


@dataclass(frozen=True)
class DaySchedule:
    """A feasible day. `end` is the return to the base; `moving` includes that way back; `waits` are minutes before
    each stop with nothing to do."""

    stops: tuple[Stop, ...]
    meals: tuple[MealTime, ...]
    moving: int
    end: int
    waits: tuple[int, ...] = ()

    @property
    def cost(self) -> int:
        """Minutes moving, and those of waiting that are more than a pause."""
        return self.moving + sum(max(0, wait - _SHORT_WAIT) for wait in self.waits)

    @property
    def dead(self) -> bool:
        """Whether somewhere between two stops one would stand about."""
        return max(self.waits, default=0) > DEAD_MINUTES

    @property
    def balance(self) -> int:
        """Minutes at places, a quarter more, less those of a long way to them; below zero the way isn't worth it."""
        visiting = sum(stop.place.minutes for stop in self.stops)
        return visiting * 5 // 4 - (self.moving if self.moving > LONG_WAY else 0)


def schedule(window: Window, places: Sequence[Place]) -> DaySchedule | None:
    """Times for the places in this order, or None when they don't fit the day or the opening hours."""
    now, moving = window.start, 0
    at: Located = window.base
    meals = _Meals(window)
    stops: list[Stop] = []
    waits: list[int] = []
    for place in places:
        travel = move_minutes(at, place)
        now = meals.on_the_way(now, travel, stops[-1].place if stops else None)
        arrive = meals.before(now + travel, place)
        start = _after_rests(max(arrive, _from(place)), place.minutes, window.rests)
        end = start + place.minutes
        if end > place.closes or end > window.end or start > (place.last_entry or start):
            return None
        meals.during(start, end, place)
        waits.append(_waiting(arrive, start, window.rests) if stops or meals.taken else 0)
        stops.append(Stop(place, start, end, travel))
        moving += travel
        now, at = end, place
    home = move_minutes(at, window.base) if places else 0
    end = meals.at_end(now, home, places[-1] if places else None)
    if end > window.end:
        return None
    return DaySchedule(tuple(stops), tuple(meals.taken), moving + home, end, tuple(waits))


def _from(place: Place) -> int:
    """When it is worth being there: a night view from the evening on, where it is open then."""
    if place.category == "야경" and place.closes - place.minutes >= _EVENING:
        return max(place.opens, _EVENING)
    return place.opens


def _after_rests(start: int, minutes: int, rests: Sequence[tuple[int, int]]) -> int:
    """The first start from which a visit touches no time of rest."""
    for first, last in sorted(rests):
        if start < last and start + minutes > first:
            start = last
    return start


def _waiting(since: int, until: int, rests: Sequence[tuple[int, int]]) -> int:
    """Minutes with nothing to do; times of rest are wanted."""
    return until - since - sum(max(0, min(until, last) - max(since, first)) for first, last in rests)


class _Meals:
    """Lunch and dinner, each taken once, where the day reaches its hours."""

    def __init__(self, window: Window) -> None:
        self.taken: list[MealTime] = []
        self.had: set[_MealKind] = set()
        self.until, self.rests = window.end, window.rests
        if window.start >= LUNCH[1]:
            self.had.add("lunch")
        if window.end < DINNER[0] + DINNER[2] or window.start >= DINNER[1]:
            self.had.add("dinner")
        if window.end < LUNCH[0] + LUNCH[2]:
            self.had.add("lunch")

    def before(self, now: int, place: Place) -> int:
        """Eat before a visit that would run past the meal's last hour; a food place is the meal itself."""
        for kind, (first, last, minutes) in _BANDS:
            begins = _after_rests(max(now, _from(place)), place.minutes, self.rests)
            late = begins + place.minutes > last
            if kind in self.had or place.minutes >= _SELF_CATERED:
                continue
            if place.category == "맛집" and first <= begins <= last:
                continue
            if first <= now <= last or (late and now <= last and begins >= first - 30):
                now = self._eat(kind, max(now, first), minutes, place)
        return now

    def on_the_way(self, now: int, travel: int, here: Place | None) -> int:
        """Eat where one is when it would be too late after the way to the next place."""
        for kind, (first, last, minutes) in _BANDS:
            if kind not in self.had and first <= now <= last < now + travel:
                now = self._eat(kind, now, minutes, here)
        return now

    def during(self, start: int, end: int, place: Place) -> None:
        if place.minutes >= _SELF_CATERED:
            self.had |= {kind for kind, band in _BANDS if start <= band[1] and end >= band[0]}
        elif place.category == "맛집":
            self.had |= {kind for kind, band in _BANDS if band[0] <= start <= band[1]}

    def at_end(self, now: int, home: int, last_place: Place | None) -> int:
        """When the day is over: back at the base, meals that are still due had on the way or near the lodging."""
        at, way = last_place, home
        for kind, (first, last, minutes) in _BANDS:
            if kind in self.had or now > last:
                continue
            if first - now > _SHORT_WAIT:
                now, at, way = now + way, None, 0
            start = max(now, first)
            if start + minutes + way <= self.until or now >= first:
                now = self._eat(kind, start, minutes, at)
        return now + way

    def _eat(self, kind: _MealKind, start: int, minutes: int, near: Place | None) -> int:
        self.had.add(kind)
        self.taken.append(MealTime(kind, start, start + minutes, near))
        return start + minutes
