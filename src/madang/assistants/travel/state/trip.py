"""A trip as the tools take it: who goes, where, when and for how long."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import date, timedelta

from madang.assistants.travel.state.results import Accommodation, Mode
from madang.errors import FieldProblem, InvalidState

DEFAULT_ORIGIN = "서울"
_LEAD_DAYS = 28
_FRIDAY = 4
CityNights = tuple[tuple[str, int], ...]


@dataclass(frozen=True)
class Party:
    """At least one person; everyone is an adult unless said otherwise."""

    adults: int
    children: int = 0
    infants: int = 0

    def __post_init__(self) -> None:
        if min(self.adults, self.children, self.infants) < 0 or self.size < 1:
            raise InvalidState([FieldProblem("num_people", "인원이 올바르지 않습니다", "1명~10명")])

    @property
    def size(self) -> int:
        return self.adults + self.children + self.infants

    def shares(self, child: float, infant: float) -> float:
        """Everyone counted as a share of an adult's price."""
        return self.adults + self.children * child + self.infants * infant


def party_of(people: int, adults: int | None, children: int | None, infants: int | None) -> Party:
    """A party from the slots; the number of people wins where they disagree."""
    young, small = children or 0, infants or 0
    if adults is not None and adults + young + small == people:
        return Party(adults, young, small)
    young = min(young, people)
    small = min(small, people - young)
    return Party(people - young - small, young, small)


@dataclass(frozen=True)
class Route:
    """The cities of a trip in order, its first day and its nights. `asked` are the nights asked for in single cities.

    Raises InvalidState for less than one night or no city.
    """

    cities: tuple[str, ...]
    depart: date
    nights: int
    asked: CityNights = field(default=(), kw_only=True)

    def __post_init__(self) -> None:
        if self.nights < 1 or not self.cities:
            raise InvalidState([FieldProblem("duration", "목적지와 1박 이상의 기간이 있어야 합니다", "1박~14박")])

    @property
    def home(self) -> date:
        """The day of the way back."""
        return self.depart + timedelta(days=self.nights)

    @property
    def days(self) -> list[date]:
        """Every day, first and last included."""
        return [self.depart + timedelta(days=offset) for offset in range(self.nights + 1)]

    @property
    def stays(self) -> CityNights:
        """The cities slept in with their nights; cities beyond the nights are left out.

        What was asked for holds as long as it leaves a night for each of the other cities.
        """
        said = {city: count for city, count in self.asked if city in self.cities}
        others = [city for city in self.cities if city not in said]
        left = self.nights - sum(said.values())
        if not said or left < len(others) or (left and not others):
            said, others, left = {}, list(self.cities), self.nights
        split = dict(zip(others, split_nights(left, len(others)), strict=True)) if others else {}
        return tuple((city, count) for city in self.cities if (count := {**said, **split}[city]))


@dataclass(frozen=True)
class Trip(Route):
    """A route with those who travel it and what they want of transport and lodging."""

    party: Party
    origin: str = field(default=DEFAULT_ORIGIN, kw_only=True)
    airline: str | None = field(default=None, kw_only=True)
    direct_only: bool = field(default=False, kw_only=True)
    by: Mode | None = field(default=None, kw_only=True)
    not_by: tuple[Mode, ...] = field(default=(), kw_only=True)
    accommodation: Accommodation | None = field(default=None, kw_only=True)

    def goes_by(self, mode: Mode) -> bool:
        """Whether this means of transport is among those wanted."""
        return mode not in self.not_by and (self.by is None or self.by == mode)

    def parts(self) -> "Iterator[Trip]":
        """The trip city by city, each part with its own first day."""
        day = self.depart
        for city, nights in self.stays:
            yield replace(self, cities=(city,), depart=day, nights=nights, asked=())
            day += timedelta(days=nights)


def split_nights(nights: int, cities: int) -> list[int]:
    """Nights for each city, as even as can be, the first ones longer; none when there are more cities than nights."""
    return [nights // cities + (1 if at < nights % cities else 0) for at in range(cities)]


def departure_for(window: Mapping[str, str] | None, today: date) -> date:
    """The day to assume: the first Friday of the window, or of four weeks from today.

    A window without a Friday begins on its first day; days before today are never taken.
    """
    if not window:
        return _friday(today + timedelta(days=_LEAD_DAYS))
    first = max(today, date.fromisoformat(window["from"]))
    last = max(first, date.fromisoformat(window["to"]))
    day = _friday(first)
    while day <= last and _on_holiday(day):
        day += timedelta(days=7)
    return day if day <= last else first


def _on_holiday(day: date) -> bool:
    from madang.assistants.travel.tools.seasons import holiday_name

    return holiday_name(day) is not None


def _friday(day: date) -> date:
    return day + timedelta(days=(_FRIDAY - day.weekday()) % 7)
