"""The cities and places we know."""

from zoneinfo import ZoneInfo

import pytest

from madang.assistants.travel.data.cities import City, all_cities, load_city, regions
from madang.assistants.travel.data.estimates import estimates
from madang.assistants.travel.data.words import patterns
from madang.assistants.travel.data.world import (
    costs_of,
    distance_between,
    locate,
    nearest_supported,
    other_cities,
)
from madang.assistants.travel.state.results import TIERS
from madang.errors import NotFound

CITIES = list(all_cities().values())


def test_there_are_enough_cities_at_home_and_abroad() -> None:
    assert len(CITIES) >= 39
    assert {"제주", "부산", "강릉", "경주", "여수"} <= {city.name for city in CITIES if city.domestic}


@pytest.mark.parametrize("city", CITIES, ids=lambda city: city.english)
def test_a_city_is_complete(city: City) -> None:
    assert 20 <= len(city.places) <= 40
    assert city.currency in estimates()["exchange"]
    ZoneInfo(city.timezone)
    assert city.lodging["budget"] < city.lodging["standard"] < city.lodging["premium"]
    assert set(city.lodging) == set(TIERS)
    assert set(city.seasons) == {"spring", "summer", "autumn", "winter"}


@pytest.mark.parametrize("city", CITIES, ids=lambda city: city.english)
def test_its_places_are_of_a_known_kind_and_worth(city: City) -> None:
    styles = set(patterns("styles"))
    assert len({place.name for place in city.places}) == len(city.places)
    for place in city.places:
        assert place.category in styles, place.name
        assert place.appeal in (1, 2, 3)
        assert place.fee >= 0


def test_a_place_is_found_by_its_alias_whatever_the_spacing() -> None:
    found = load_city("오사카").place("유니버설스튜디오")
    assert found is not None
    assert found.name == "유니버설 스튜디오 재팬"


def test_every_region_leads_to_known_cities() -> None:
    for name, region in regions().items():
        assert region["cities"], name
        assert set(region["cities"]) <= {*all_cities(), *other_cities()}, name


def test_every_other_city_can_be_located_and_priced() -> None:
    for name in other_cities():
        spot = locate(name)
        assert -90 <= spot.lat <= 90
        ZoneInfo(spot.timezone)
        assert costs_of(name).food > 0


def test_an_unknown_city_raises_and_a_known_one_names_its_neighbours() -> None:
    with pytest.raises(NotFound):
        locate("듣보시티")
    with pytest.raises(NotFound):
        load_city("라스베이거스")
    assert nearest_supported("고베")[0] in {"오사카", "교토"}


def test_distances_are_those_of_the_globe() -> None:
    seoul, osaka = locate("서울"), locate("오사카")
    assert distance_between(seoul, osaka) == pytest.approx(826, rel=0.05)
    assert distance_between(seoul, osaka) == distance_between(osaka, seoul)
