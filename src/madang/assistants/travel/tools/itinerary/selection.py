"""Which places, on which day: by taste, then where they add the least travel."""

from dataclasses import dataclass, replace

from madang.assistants.travel.data.cities import Place, all_cities, load_city
from madang.assistants.travel.data.estimates import in_won
from madang.assistants.travel.state.results import Pace, Tier
from madang.assistants.travel.tools.itinerary.day_trips import day_trips_due, elsewhere_anyway, famous
from madang.assistants.travel.tools.itinerary.model import ItineraryQuery, Window
from madang.assistants.travel.tools.itinerary.movement import move_minutes
from madang.assistants.travel.tools.itinerary.schedule import LONG_WAY, DaySchedule, schedule
from madang.assistants.travel.tools.itinerary.visit_order import best_order
from madang.assistants.travel.tools.itinerary.windows import EARLIER_STARTS, LATEST_END

_APPEAL = 20.0
_STYLE = 60.0
_KIDS = 14.0
_FULL_DAY = 360
_SMALL = 90
_TRIED = 5
_LATER_STARTS = (10 * 60 + 30, 12 * 60)
_AFTER_LUNCH = 13 * 60 + 30
_TRAVEL_WEIGHT = 0.55
_DETOUR_WEIGHT = 1.0
_LEAST_VALUE = 1.0
_EMPTY_DAY = 90.0
_FILLED: dict[Pace, int] = {"relaxed": 240, "normal": 300, "packed": 360}
_LATE = 18 * 60
_WON_A_POINT: dict[Tier, int] = {"budget": 1250, "standard": 2500, "premium": 5000}
_NEAR_STYLES = {"휴양": ("자연",), "관광": ("문화", "야경"), "사진": ("야경", "카페", "자연"), "로맨틱": ("야경",)}


@dataclass
class DayPlan:
    """One day while it is being filled; `order` is always feasible."""

    window: Window
    order: list[Place]

    def added(self, place: Place) -> tuple[int, int]:
        """The cheapest insertion: minutes of travel it adds, and where."""
        base = self.window.base
        best = (10**6, 0)
        for at in range(len(self.order) + 1):
            before = self.order[at - 1] if at else base
            after = self.order[at] if at < len(self.order) else base
            extra = move_minutes(before, place) + move_minutes(place, after) - move_minutes(before, after)
            best = min(best, (extra, at))
        return best

    def accept(self, place: Place, *, must: bool = False, later: bool = False) -> bool:
        """Take the place if some order of the day stays feasible and, unless it is a must, is worth going.

        `later`: a day may begin later, which is better than to stand about before the evening.
        """
        if len(self.order) >= self.window.stops:
            return False
        if place.closed_on(self.window.date):
            return False
        _, at = self.added(place)
        tried = [*self.order[:at], place, *self.order[at:]]
        if not whole_days_alone(tried):
            return False
        starts = [start for start in _LATER_STARTS if start > self.window.start] if later else []
        for window in (self.window, *(replace(self.window, start=start) for start in starts)):
            timed = _timed(window, tried)
            if timed and (must or self._worth_it(timed)):
                self.window, self.order = window, [stop.place for stop in timed.stops]
                return True
            if timed is None or not timed.dead:
                return False
        return False

    def _worth_it(self, timed: DaySchedule) -> bool:
        """No dead hours, and a long way only on a whole day and for as much time there, or where one goes anyway."""
        before = schedule(self.window, self.order)
        if timed.dead and not (before and before.dead and max(timed.waits) <= max(before.waits)):
            return False
        if timed.moving <= LONG_WAY:
            return True
        if before and before.moving > LONG_WAY:
            return timed.balance >= min(0, before.balance)
        return timed.balance >= 0 and not self.cut_short

    def sleep_in(self) -> None:
        """Begin later a day on which one would otherwise stand about before something that was asked for."""
        timed = schedule(self.window, self.order)
        for start in (*_LATER_STARTS, _AFTER_LUNCH):
            if timed is None or not timed.dead or start <= self.window.start:
                continue
            window = replace(self.window, start=start)
            later = schedule(window, self.order) or best_order(window, self.order)
            if later and max(later.waits) < max(timed.waits):
                self.window, self.order, timed = window, [stop.place for stop in later.stops], later

    @property
    def cut_short(self) -> bool:
        """Whether an arrival, a departure or a move leaves only part of the day."""
        return self.window.start > 10 * 60 or self.window.end < 19 * 60

    @property
    def least_gain(self) -> float:
        """What a place must be worth to be added; a day that is still rather empty takes more."""
        visiting = sum(place.minutes for place in self.order)
        return _LEAST_VALUE if self.cut_short or visiting >= _FILLED[self.window.pace] else -_EMPTY_DAY


def _timed(window: Window, places: list[Place]) -> DaySchedule | None:
    """The places in this order, or in the best one where this isn't feasible or has dead hours."""
    timed = schedule(window, places)
    if timed is None or timed.dead:
        timed = best_order(window, places) if len(places) <= _TRIED else None
    return timed


def whole_days_alone(places: list[Place]) -> bool:
    """A place that takes the whole day has it, but for something small beside it."""
    whole = [place for place in places if place.minutes >= _FULL_DAY]
    beside = [place for place in places if place.minutes < _FULL_DAY]
    return not whole or (len(whole) == 1 and len(beside) <= 1 and all(place.minutes <= _SMALL for place in beside))


def fill_days(windows: list[Window], query: ItineraryQuery) -> tuple[list[DayPlan], dict[str, str]]:
    """Days with their places, and the must-visits that could not be placed with the reason why."""
    days = [DayPlan(window, []) for window in windows]
    left: dict[str, str] = {}
    used: set[str] = set()
    for name, city, place in wanted(query):
        if place is None:
            left[name] = "자료에 없는 곳입니다"
        elif place.name not in used and not _place_must(days, place, city):
            left[name] = "이동과 운영 시간을 지키면 들어갈 날이 없습니다"
        else:
            used.add(place.name)
    for city in dict.fromkeys(window.city for window in windows):
        _fill_city([day for day in days if day.window.city == city], city, query, used)
    return days, left


def wanted(query: ItineraryQuery) -> list[tuple[str, str, Place | None]]:
    """Every must-visit with its city and place; longest visits first, since they are hardest to fit."""
    found: list[tuple[str, str, Place | None]] = []
    for name in dict.fromkeys(query.must_visit):
        hits = [(city, load_city(city).place(name)) for city in query.cities if city in all_cities()]
        city, place = next((hit for hit in hits if hit[1]), (query.cities[0], None))
        found.append((name, city, place))
    return sorted(found, key=lambda item: -(item[2].minutes if item[2] else 0))


def value(place: Place, query: ItineraryQuery, currency: str = "KRW") -> float:
    """How much a place is worth to this party, its fee taken off."""
    points = _APPEAL * place.appeal - in_won(place.fee, currency) / _WON_A_POINT[query.tier]
    if place.category in query.styles:
        points += _STYLE
    elif any(place.category in _NEAR_STYLES.get(style, ()) for style in query.styles):
        points += _STYLE / 2
    if query.kids:
        points += _KIDS if place.kids else -_KIDS
        points -= _KIDS if place.opens >= _LATE else 0
    if (place.minutes >= _FULL_DAY or place.category == "테마파크") and not (query.kids or "테마파크" in query.styles):
        points -= _STYLE
    return points


def _place_must(days: list[DayPlan], place: Place, city: str) -> bool:
    own = [day for day in days if day.window.city == city] or days
    for day in sorted(
        own, key=lambda day: (len(day.order) > 0 and place.minutes >= 240, day.added(place), -day.window.length)
    ):
        if day.accept(place, must=True):
            return True
    return any(
        _stretch(day, place, start)
        for start in EARLIER_STARTS
        for day in sorted(own, key=lambda day: (len(day.order), -day.window.length))
    )


def _stretch(day: DayPlan, place: Place, start: int) -> bool:
    """Take the place by beginning a whole day earlier and ending it later, with one stop more."""
    narrow = day.window
    day.window = narrow if narrow.capped else replace(narrow, stops=narrow.stops + 1)
    if narrow.start <= 10 * 60 and narrow.end >= 19 * 60:
        day.window = replace(day.window, start=min(narrow.start, start), end=max(narrow.end, LATEST_END))
    if day.accept(place, must=True):
        return True
    day.window = narrow
    return False


def _fill_city(days: list[DayPlan], city: str, query: ItineraryQuery, used: set[str]) -> None:
    """In turn each day takes the place that is worth most after the travel it adds, until none is worth it."""
    pool = {
        place.name: (place, value(place, query, load_city(city).currency))
        for place in load_city(city).places
        if place.name not in used and query.wanted(place) and not elsewhere_anyway(place, query.cities)
    }
    _go_out(days, city, query, pool, used)
    for day in sorted(days, key=lambda day: -day.window.length):
        _seed(day, days, pool, used)
    for later in (False, True):
        refused: dict[int, set[str]] = {day.window.day: set() for day in days}
        open_days = [day for day in days if not later or day.least_gain < 0]
        while open_days and pool:
            for day in list(open_days):
                if not _take_best(day, pool, used, refused[day.window.day], query.styles, later=later):
                    open_days.remove(day)


def _go_out(
    days: list[DayPlan], city: str, query: ItineraryQuery, pool: dict[str, tuple[Place, float]], used: set[str]
) -> None:
    """Give a long stay its days out, each a whole day; who can go out only a little stays in the city."""
    outings = [place for place in famous(load_city(city)) if not elsewhere_anyway(place, query.cities)]
    due = day_trips_due(dict(query.stays).get(city, 0)) - sum(place.name in used for place in outings)
    if any(day.window.capped or day.window.pace == "relaxed" for day in days):
        due = 0
    for place in sorted(outings, key=lambda place: -pool[place.name][1] if place.name in pool else 0):
        whole = [day for day in days if not day.order and not day.cut_short]
        if due < 1 or place.name not in pool:
            continue
        middle = sorted(whole, key=lambda day: abs(day.window.day - (query.nights + 2) / 2))
        if any(day.accept(place) for day in middle):
            used.add(place.name)
            due -= 1
    for place in outings:
        if place.name in used:
            pool.pop(place.name, None)


def _seed(day: DayPlan, days: list[DayPlan], pool: dict[str, tuple[Place, float]], used: set[str]) -> None:
    """Begin each day in an area no other day has yet, so that days don't cross each other."""
    if day.order:
        return
    taken = {place.area for other in days for place in other.order}
    fresh = [
        (worth - _TRAVEL_WEIGHT * day.added(place)[0], place)
        for place, worth in pool.values()
        if place.area not in taken
    ]
    for _, place in sorted(fresh, key=lambda pair: (-pair[0], pair[1].name))[:6]:
        if day.accept(place):
            used.add(place.name)
            del pool[place.name]
            return


def _take_best(
    day: DayPlan,
    pool: dict[str, tuple[Place, float]],
    used: set[str],
    refused: set[str],
    styles: tuple[str, ...],
    *,
    later: bool,
) -> bool:
    if len(day.order) >= day.window.stops:
        return False
    areas = {place.area for place in day.order}
    ranked = []
    for name, (place, worth) in pool.items():
        if name not in refused:
            near = 12.0 if place.area in areas else 0.0
            same = 0 if place.category in styles else sum(place.category == other.category for other in day.order)
            ranked.append((worth + near - 6.0 * same - _DETOUR_WEIGHT * day.added(place)[0], name))
    for gain, name in sorted(ranked, key=lambda pair: (-pair[0], pair[1])):
        if gain < day.least_gain:
            return False
        if day.accept(pool[name][0], later=later):
            used.add(name)
            del pool[name]
            return True
        refused.add(name)
    return False
