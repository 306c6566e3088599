"""Ways of saying things: chat spellings, days beside holidays, households, wishes taken back."""

from datetime import date
from typing import Any

import pytest

from madang.assistants.travel.understanding.slots import apply, read_slots
from madang.assistants.travel.understanding.slots.side_prices import nightly_limit
from madang.text.particles import with_companion, with_direction, with_object, with_subject, with_topic

TODAY = date(2026, 3, 10)
PLANNED: dict[str, Any] = {
    "destination": "부산",
    "duration": 2,
    "num_people": 2,
    "accommodation_preference": "hotel",
    "preferred_airline": "진에어",
    "pace": "relaxed",
    "must_visit_places": ["해운대 해수욕장", "감천문화마을"],
}


def read(*messages: str, known: dict[str, Any] | None = None) -> dict[str, Any]:
    slots = dict(known or {})
    for message in messages:
        slots = apply(slots, read_slots(message, slots, TODAY, None))
    return slots


@pytest.mark.parametrize(
    ("message", "slots"),
    [
        ("다낭4박 남친이랑 갈건데여", {"destination": "다낭", "duration": 4, "num_people": 2}),
        ("부산 2박 친구넷이서", {"duration": 2, "num_people": 4}),
        ("도쿄 3박 둘이감", {"num_people": 2}),
        ("타이베이 3박 둘임", {"num_people": 2}),
        ("속초 1박 둘이 20만원컷", {"duration": 1, "budget": 200_000}),
        ("괌 5.3~5.6 둘이여", {"depart_date": "2026-05-03", "duration": 3}),
        ("제주 4월17일출발 혼자", {"depart_date": "2026-04-17", "num_people": 1}),
    ],
)
def test_a_hasty_message_reads_like_a_careful_one(message: str, slots: dict[str, Any]) -> None:
    after = read(message)
    assert {name: after.get(name) for name in slots} == slots
    assert not after.get("travel_style")


@pytest.mark.parametrize(
    ("said", "depart"),
    [
        ("추석 다음 날 출발", "2026-09-26"),
        ("추석 전날 출발", "2026-09-24"),
        ("추석 연휴 첫날 출발", "2026-09-24"),
        ("추석 연휴 마지막 날 출발", "2026-09-27"),
        ("내년 설날 당일에 출발", "2027-02-07"),
        ("현충일 전날 출발", "2026-06-05"),
        ("어린이날 이틀 전에 출발", "2026-05-03"),
        ("오늘부터 보름 뒤에 출발", "2026-03-25"),
        ("다음 달 18일에 출발합니다", "2026-04-18"),
        ("3월 27일 출발인데 하루 미루자", "2026-03-28"),
    ],
)
def test_a_departure_is_found_by_the_day_beside_it(said: str, depart: str) -> None:
    after = read(f"{said}, 부산 2박")
    assert after["depart_date"] == depart
    assert not after.get("depart_window")


@pytest.mark.parametrize(
    ("message", "people"),
    [
        ("처갓집 식구 넷에 우리 식구 셋이 갑니다", 7),
        ("딸네 식구 넷하고 우리 둘이 같이 가요", 6),
        ("동창 다섯 부부가 모여서 가요", 10),
        ("나 빼고 세 명이요", 4),
        ("나랑 남친 둘", 2),
        ("영감하고 나하고 둘이지 뭐", 2),
        ("아빠, 엄마, 쌍둥이 둘, 할머니 이렇게 가요", 5),
        ("남편은 일 때문에 못 가고 저랑 애들 둘만 가요", 3),
    ],
)
def test_everyone_who_comes_along_is_counted(message: str, people: int) -> None:
    after = read(message)
    assert after["num_people"] == people
    assert not after.get("destination")


@pytest.mark.parametrize(
    ("message", "slot"),
    [
        ("숙소 취향은 없던 걸로 해주세요", "accommodation_preference"),
        ("호텔은 취소", "accommodation_preference"),
        ("항공사 상관없어졌어요", "preferred_airline"),
        ("아무 항공사나 괜찮아요", "preferred_airline"),
        ("꼭 갈 곳 다 취소", "must_visit_places"),
    ],
)
def test_a_wish_is_taken_back_and_nothing_else_is(message: str, slot: str) -> None:
    after = read(message, known=PLANNED)
    assert not after[slot]
    assert {name: after[name] for name in PLANNED if name != slot} == {
        name: value for name, value in PLANNED.items() if name != slot
    }


def test_a_place_that_names_its_city_is_the_place_once_the_city_is_known() -> None:
    after = read("해운대 빼줘", known=PLANNED)
    assert after["destination"] == "부산"
    assert after["must_visit_places"] == ["감천문화마을"]
    assert read("해운대 가고 싶어요")["destination"] == "부산"


@pytest.mark.parametrize(
    ("message", "limit"),
    [("숙소는 1박에 20만원 이하로", 200_000), ("하룻밤 15만원 안 넘게", 150_000), ("예산은 총 200만원", None)],
)
def test_a_limit_for_a_night_is_read(message: str, limit: int | None) -> None:
    assert nightly_limit(message) == limit


def test_particles_follow_the_sound() -> None:
    assert [with_topic("부산"), with_subject("오사카"), with_object("괌"), with_companion("제주")] == [
        "부산은",
        "오사카가",
        "괌을",
        "제주와",
    ]
    assert [with_direction("서울"), with_direction("부산"), with_direction("파리")] == ["서울로", "부산으로", "파리로"]
