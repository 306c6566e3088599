"""Plans for cities whose places we don't know: by style, season and party, and without invented names."""

from datetime import date

import pytest

from madang.assistants.travel.data.ways import table
from madang.assistants.travel.data.words import patterns
from madang.assistants.travel.tools.itinerary import ItineraryQuery, plan_itinerary
from madang.assistants.travel.tools.itinerary.general import weather_of
from tests.support.trips import Traveller

WINTER, SUMMER = date(2027, 1, 15), date(2027, 7, 16)
STYLES = ("관광", "문화", "자연", "휴양", "쇼핑", "액티비티", "맛집", "카페", "사진", "야경")


def told(city: str, depart: date, styles: tuple[str, ...] = (), *, kids: bool = False) -> list[str]:
    plan, _ = plan_itinerary(ItineraryQuery((city,), depart, 3, styles=styles, kids=kids))
    assert plan["is_general"]
    return [place["name"] for day in plan["days"] for place in day["places"]]


@pytest.mark.parametrize("city", ["프라하", "시드니", "두바이", "통영", "고베"])
def test_styles_and_seasons_make_other_days(city: str) -> None:
    by_style = {tuple(told(city, WINTER, (style,))) for style in STYLES}
    assert len(by_style) == len(STYLES)
    assert told(city, WINTER) != told(city, SUMMER)


def test_days_of_one_plan_are_not_all_the_same() -> None:
    plan, _ = plan_itinerary(ItineraryQuery(("프라하",), SUMMER, 3, styles=("관광", "문화")))
    days = [tuple(place["name"] for place in day["places"]) for day in plan["days"]]
    assert len(set(days)) >= 3


def test_children_and_what_is_not_wanted_change_it() -> None:
    assert told("프라하", SUMMER, kids=True) != told("프라하", SUMMER)
    plan, _ = plan_itinerary(ItineraryQuery(("프라하",), SUMMER, 3, styles=("쇼핑",), avoid_kinds=frozenset({"쇼핑"})))
    assert all(place["category"] != "쇼핑" for day in plan["days"] for place in day["places"])


def test_weather_is_the_climates_or_the_latitudes() -> None:
    assert "cold" in weather_of("프라하", 1)
    assert "sea" in weather_of("몰디브", 1)
    assert weather_of("고베", 8) == {"summer", "hot"}
    assert weather_of("브리즈번", 1) == {"summer", "hot"}
    assert weather_of("고베", 4) == {"spring"}


def test_every_part_of_the_day_has_something_in_any_weather() -> None:
    rows = table("general_days")["block"]
    assert {row["style"] for row in rows} <= {"", "아이", *patterns("styles")}
    for part in ("morning", "afternoon", "evening"):
        for weather in ({"hot"}, {"cold"}, {"wet"}, {"hot", "wet"}, {"cold", "wet"}, set[str]()):
            fits = [
                row
                for row in rows
                if row["part"] == part
                and not row["style"]
                and (not row.get("when") or weather & {*row["when"]})
                and not weather & {*row.get("unless", ())}
            ]
            assert fits, (part, weather)


async def test_the_answer_shows_the_days_and_says_what_they_are() -> None:
    state = await Traveller().say("프라하 3박4일 둘이 2월 5일 출발 문화 위주로")
    answer = state["response"]["answer"]
    assert "명소 자료가 없어 철과 취향에 맞춘 하루 틀만 잡았어요" in answer
    assert "박물관이나 미술관" in answer
