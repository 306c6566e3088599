"""Checks that run over every record of every city: where, when, what kind, how well known, from whom and as of when."""

import json
from datetime import date, datetime, timedelta
from functools import lru_cache
from importlib.resources import files
from zoneinfo import ZoneInfo

import airportsdata
import pytest

from madang.assistants.travel.data.cities import City, all_cities, load_city
from madang.assistants.travel.data.climate import month_of
from madang.assistants.travel.data.estimates import estimates
from madang.assistants.travel.data.needs import need_words
from madang.assistants.travel.data.opening import HOLIDAYS, WEEKDAYS, closed_on, closing_words
from madang.assistants.travel.data.ways import table
from madang.assistants.travel.data.world import distance_km, other_cities
from madang.assistants.travel.understanding.slots.city_names import find_names

CITIES = list(all_cities().values())
each_city = pytest.mark.parametrize("city", CITIES, ids=lambda city: city.english)

USUAL = {"문화", "맛집", "쇼핑", "야경", "카페"}
RESTFUL = {"자연", "휴양"}
# Where we don't know a place that cooks without meat; whoever learns of one takes the city off the list.
NO_VEGETARIAN_KNOWN = {"강릉", "경주", "부산", "세부", "속초", "여수", "오키나와", "전주"}
WITH_HALAL = {
    "서울",
    "도쿄",
    "오사카",
    "방콕",
    "싱가포르",
    "홍콩",
    "런던",
    "파리",
    "코타키나발루",
    "치앙마이",
    "상하이",
}
WIDEST_AREA_KM = 25
WALK_OR_RIDE_KM = 10
A_WEEK = [date(2026, 11, 16) + timedelta(days=at) for at in range(7)]


@each_city
def test_places_and_tables_lie_in_the_city(city: City) -> None:
    for place in city.places:
        assert distance_km(city.lat, city.lon, place.lat, place.lon) < 180, place.name
        assert _offset(_zone_near(place.lat, place.lon)) == _offset(city.timezone), place.name
    for eatery in city.eateries:
        near = min(distance_km(eatery.lat, eatery.lon, place.lat, place.lon) for place in city.places)
        assert near < WALK_OR_RIDE_KM, eatery.name


@each_city
def test_an_area_is_one(city: City) -> None:
    for area in {place.area for place in city.places}:
        spots = [place for place in city.places if place.area == area]
        widest = max(distance_km(one.lat, one.lon, other.lat, other.lon) for one in spots for other in spots)
        assert widest < WIDEST_AREA_KM, area


@each_city
def test_hours_are_sane(city: City) -> None:
    for place in city.places:
        assert 0 <= place.opens < place.closes <= 1440, place.name
        assert place.minutes <= place.closes - place.opens, place.name
        assert place.last_entry is None or place.opens < place.last_entry <= place.closes, place.name
        assert "야시장" not in place.name or place.opens >= 15 * 60, place.name
        assert place.category != "야경" or place.closes >= 18 * 60, place.name
    for eatery in city.eateries:
        assert (eatery.opens is None) == (eatery.closes is None), eatery.name
        assert eatery.opens is None or 0 <= eatery.opens < (eatery.closes or 0) <= 1440, eatery.name


@each_city
def test_closings_are_well_formed_and_leave_a_day_open(city: City) -> None:
    for name, closed, months in [
        *((place.name, place.closed or (), place.months) for place in city.places),
        *((eatery.name, eatery.closed or (), ()) for eatery in city.eateries),
    ]:
        assert all(_closing(token) for token in closed), name
        assert set(months) <= set(range(1, 13)), name
        assert not all(closed_on(day, closed) for day in A_WEEK), name


@each_city
def test_closing_days_are_known_of_what_is_most_visited(city: City) -> None:
    assert all(place.closed is not None for place in city.places if place.appeal == 3)
    assert sum(place.closed is not None for place in city.places) >= len(city.places) * 0.6


@each_city
def test_kinds_of_places_are_complete(city: City) -> None:
    kinds = {place.category for place in city.places}
    assert kinds >= USUAL
    assert kinds & RESTFUL
    assert any(place.kids for place in city.places)
    assert sum(place.setting == "indoor" for place in city.places) >= 5, "rain needs somewhere to go"


@each_city
def test_there_is_somewhere_to_eat(city: City) -> None:
    kinds = [eatery.kind for eatery in city.eateries]
    assert kinds.count("restaurant") >= 3
    assert kinds.count("street") >= 1
    assert {diet for eatery in city.eateries for diet in eatery.diets} <= set(need_words()["diet"])
    assert all("채식" in eatery.diets for eatery in city.eateries if "비건" in eatery.diets)
    assert any("채식" in eatery.diets for eatery in city.eateries) != (city.name in NO_VEGETARIAN_KNOWN)
    assert city.name not in WITH_HALAL or any("할랄" in eatery.diets for eatery in city.eateries)


@each_city
def test_names_lead_to_one_record(city: City) -> None:
    assert len({eatery.name for eatery in city.eateries}) == len(city.eateries)
    known: dict[str, str] = {}
    for place in city.places:
        for name in (place.name, *place.aliases):
            assert known.setdefault(name.replace(" ", "").lower(), place.name) == place.name, name


@each_city
def test_every_record_is_dated_and_sourced(city: City) -> None:
    assert city.source
    assert date(2026, 1, 1) <= date.fromisoformat(city.as_of)


def test_details_belong_to_places() -> None:
    for entry in (files("madang.assistants.travel.data") / "cities").iterdir():
        raw = json.loads(entry.read_text("utf-8"))
        assert set(raw["details"]) <= {row[0] for row in raw["places"]}, entry.name


@pytest.mark.parametrize("name", ["ways", "alerts", "climate", "estimates", "facts", "getaways"])
def test_every_table_is_dated_and_sourced(name: str) -> None:
    assert table(name)["source"]
    assert table(name)["as_of"].startswith("2026")


@each_city
def test_what_is_told_beside_a_plan_is_known_of_every_city(city: City) -> None:
    ways = table("ways")
    assert city.name in ways["area"]
    assert city.name in ways["day_trip"]
    assert not city.airports or city.name in ways["from_airport"]
    assert all(month_of(city.name, month) for month in range(1, 13))
    assert city.name not in other_cities()
    assert {city.name, city.country} & set(estimates()["airlines"])


@each_city
def test_a_city_is_found_by_its_names(city: City) -> None:
    for name in (city.name, city.english, *city.aliases):
        assert city.name in [found.name for found in find_names(f"{name} 3박 여행")], name


@pytest.mark.parametrize(
    ("said", "city"),
    [
        ("나짱 3박4일", "나트랑"),
        ("나뜨랑 가족여행", "나트랑"),
        ("Nha Trang 4 nights", "나트랑"),
        ("상해 주말여행", "상하이"),
        ("나고야성 있는 나고야 2박", "나고야"),
        ("푸쿠옥 4박", "푸꾸옥"),
        ("phu quoc in february", "푸꾸옥"),
        ("챙마이 한달", "치앙마이"),
        ("Chiang Mai 5 nights", "치앙마이"),
        ("푸껫 신혼여행", "푸켓"),
        ("코타 키나발루 3박5일", "코타키나발루"),
        ("kota kinabalu with kids", "코타키나발루"),
        ("보라까이 우정여행", "보라카이"),
    ],
)
def test_new_cities_are_heard_in_usual_spellings(said: str, city: str) -> None:
    assert [found.name for found in find_names(said)] == [city]


def test_a_day_is_closed_by_weekday_date_holiday_and_season() -> None:
    louvre = load_city("파리").place("루브르")
    assert louvre is not None
    assert [louvre.closed_on(date(2026, 12, day)) for day in (1, 2, 25)] == [True, False, True]
    assert closed_on(date(2027, 2, 7), ["설날"])
    assert closed_on(date(2027, 2, 6), ["춘절"])
    assert not closed_on(date(2027, 2, 7), ["춘절"])
    assert closed_on(date(2027, 1, 5), (), (4, 5, 6))
    assert (
        closing_words(["mon", "01-01", "추석"], (4, 5, 6)) == "월요일, 1월 1일, 추석 당일에 쉬어요. 4~6월에만 열어요."
    )


def _closing(token: str) -> bool:
    if token in WEEKDAYS or token in HOLIDAYS:
        return True
    return f"{date.fromisoformat(f'2028-{token}'):%m-%d}" == token


def _offset(zone: str) -> timedelta | None:
    return datetime(2026, 7, 1, tzinfo=ZoneInfo(zone)).utcoffset()


def _zone_near(lat: float, lon: float) -> str:
    """The time zone of the nearest airport: a place whose coordinates are swapped or mistyped lies in another."""
    return min(_airports(), key=lambda row: (row[0] - lat) ** 2 + (row[1] - lon) ** 2)[2]


@lru_cache(maxsize=1)
def _airports() -> list[tuple[float, float, str]]:
    return [(row["lat"], row["lon"], row["tz"]) for row in airportsdata.load("IATA").values()]
