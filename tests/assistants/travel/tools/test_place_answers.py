"""What is said about a place and about where to eat, from the records."""

from datetime import date

from madang.assistants.travel.data.cities import City, Place, load_city
from madang.assistants.travel.tools.place_answers import about_place, where_to_eat
from tests.support.trips import Traveller


def place_of(city: City, name: str) -> Place:
    found = city.place(name)
    assert found is not None
    return found


def test_closing_days_last_entry_booking_and_access_are_told() -> None:
    paris = load_city("파리")
    said = about_place(place_of(paris, "루브르"), paris, [date(2026, 12, day) for day in range(1, 4)])
    assert "화요일, 1월 1일, 5월 1일, 12월 25일에 쉬어요" in said
    assert "여행하는 날 가운데 12월 1일에는 닫혀 있어요" in said
    assert "입장은 17:00까지예요" in said
    assert "예약해야 들어갈 수 있어요" in said
    assert "자료에 없어" not in said


def test_what_is_not_known_is_said_to_be_unknown() -> None:
    city = load_city("강릉")
    unknown = next(place for place in city.places if place.closed is None)
    assert "쉬는 날" in about_place(unknown, city)
    assert "자료에 없어" in about_place(unknown, city)


def test_food_is_found_by_diet_dish_and_part_of_town() -> None:
    tokyo = load_city("도쿄")
    assert "나리타야" in where_to_eat(tokyo, "할랄 식당 있어?")
    assert "돈카쓰" not in where_to_eat(tokyo, "맛집 추천해줘", ["비건"])
    assert "이마한" in where_to_eat(tokyo, "아사쿠사에서 스키야키 먹을 데")
    assert "비건으로 먹을 만한 곳은 자료에 없어요" in where_to_eat(load_city("부산"), "비건 식당 추천")


async def test_a_new_city_is_planned_and_asked_about() -> None:
    talk = Traveller()
    state = await talk.say("냐짱 3박4일 둘이 1월 15일 출발")
    assert state["destination"] == "나트랑"
    assert not state["itinerary"]["is_general"]
    asked = await talk.say("예르생 박물관 쉬는 날 있어?")
    assert "토요일, 일요일에 쉬어요" in asked["response"]["answer"]
    assert asked["itinerary"] == state["itinerary"]
