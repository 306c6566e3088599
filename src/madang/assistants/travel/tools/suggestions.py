"""Cities that fit what is wished: season, the way there, styles, who travels."""

from collections.abc import Sequence
from dataclasses import dataclass

from madang.assistants.travel.data.cities import City, Place, all_cities, regions
from madang.assistants.travel.data.climate import month_of
from madang.assistants.travel.state.results import Suggestion
from madang.assistants.travel.tools.guide import way_there
from madang.assistants.travel.tools.hotels import best_area
from madang.assistants.travel.tools.itinerary.day_trips import is_outing

_SHOWN = 3
_WARM, _COOL = 24, 18


@dataclass(frozen=True)
class Wishes:
    """What is known before a city is: every field narrows or ranks."""

    origin: str
    month: int | None = None
    climate: str | None = None
    scope: str | None = None
    max_flight: float | None = None
    styles: tuple[str, ...] = ()
    kids: bool = False
    no_flight: bool = False
    not_again: tuple[str, ...] = ()


def suggest(wishes: Wishes) -> list[Suggestion]:
    """Up to three cities, best first, each with its reasons; none when nothing fits."""
    scored = [
        (score, city, minutes)
        for city in all_cities().values()
        if (found := _score(city, wishes))
        for score, minutes in [found]
    ]
    ranked = sorted(scored, key=lambda row: (-row[0], row[1].name))
    return [
        Suggestion(city=city.name, reasons=_reasons(city, minutes, wishes), flight_minutes=minutes)
        for _, city, minutes in ranked[:_SHOWN]
    ]


def _score(city: City, wishes: Wishes) -> tuple[float, int | None] | None:
    if city.name == wishes.origin or city.name in wishes.not_again or not _within(city, wishes.scope):
        return None
    way = way_there(city.name, wishes.origin)
    minutes = way[0] if way else None
    flies = way is not None and way[1].startswith(("직항", "비행"))
    if wishes.no_flight and flies:
        return None
    if wishes.max_flight and minutes and minutes > wishes.max_flight * 60:
        return None
    score = 10.0 - (minutes or 240) / 90 + len(set(wishes.styles) & {place.category for place in city.places})
    score += sum(place.category in wishes.styles for place in city.places) / 4
    score += sum(place.kids for place in city.places) / 12 if wishes.kids else 0
    month = month_of(city.name, wishes.month) if wishes.month else None
    if month and wishes.climate == "warm" and month.high < _WARM:
        return None
    if month and wishes.climate == "cool" and month.high > _COOL:
        return None
    if month and wishes.climate == "warm":
        score += 2.0 if month.sea else 0.0
    score -= max(0, month.rain - 10) * 0.25 if month else 0
    return score, minutes


def _within(city: City, scope: str | None) -> bool:
    if scope is None:
        return True
    if scope in {"국내", "한국"}:
        return city.domestic
    if scope == "해외":
        return not city.domestic
    return city.name in regions().get(scope, {}).get("cities", ()) or scope in {city.country, city.region}


def _reasons(city: City, minutes: int | None, wishes: Wishes) -> list[str]:
    reasons = []
    way = way_there(city.name, wishes.origin)
    if way:
        limit = f"(말씀하신 {wishes.max_flight:g}시간 안)" if wishes.max_flight and minutes else ""
        reasons.append(f"{wishes.origin}에서 {way[1]}{limit}")
    month = month_of(city.name, wishes.month) if wishes.month else None
    if month:
        swim = "바다·수영장 물놀이 가능" if month.sea else "바다 수영은 어려움" if wishes.climate == "warm" else ""
        rain = f"비 {month.rain}일쯤"
        reasons.append(", ".join(part for part in (f"{month.month}월 낮 {month.high}°C", rain, swim) if part))
    fitting = [place.name for place in _fitting(city, wishes)]
    reasons.append(", ".join(fitting))
    reasons.append(f"4성급 1박 {city.lodging['standard']:,}원쯤(추정), 숙소는 {best_area(city)[0]} 쪽")
    return reasons


def _fitting(city: City, wishes: Wishes) -> Sequence[Place]:
    ranked = sorted(
        (place for place in city.places if not is_outing(place)),
        key=lambda place: (
            -(place.category in wishes.styles) - (wishes.kids and place.kids),
            -place.appeal,
            place.name,
        ),
    )
    return ranked[:3]
