"""Trips told in English or half in it fill the same slots, and are put right the same way."""

from datetime import date
from typing import Any

import pytest

from madang.assistants.travel.understanding.hearing import heard_on
from madang.assistants.travel.understanding.reading import read_trip

TODAY = date(2026, 11, 18)
KNOWN: dict[str, Any] = {
    "destination": "방콕", "duration": 4, "num_people": 2, "depart_date": "2026-12-03", "return_date": "2026-12-07",
}  # fmt: skip


def read(text: str, known: dict[str, Any] | None = None) -> dict[str, Any]:
    return read_trip(heard_on(text, TODAY), known or {}, TODAY, None).update.changes


@pytest.mark.parametrize(
    ("said", "slots"),
    [
        (
            "trip to Osaka in May, 3 nights for two adults, one kid (6), budget 2000 dollars",
            {"destination": "오사카", "duration": 3, "adults": 2, "children": 1, "num_people": 3, "budget": 2_860_000}
            | {"depart_window": {"from": "2027-05-01", "to": "2027-05-31"}},
        ),
        (
            "We want to go to Bangkok Dec 3 for 4 nights, 2 adults and 1 infant",
            {"depart_date": "2026-12-03", "return_date": "2026-12-07", "num_people": 3, "infants": 1},
        ),
        (
            "Planning a trip to Da Nang from Busan, Dec 20 - Dec 24, family of 4 with kids 5 and 8.",
            {"destination": "다낭", "origin": "부산", "duration": 4, "num_people": 4, "adults": 2, "children": 2},
        ),
        ("me and my husband want a week in Paris next May", {"duration": 6, "num_people": 2, "destination": "파리"}),
        (
            "5 days in Tokyo with my wife and our 3 year old, leaving March 12",
            {"duration": 4, "depart_date": "2027-03-12", "num_people": 3, "children": 1},
        ),
        ("Dec 3-7 Taipei solo, $900", {"depart_date": "2026-12-03", "duration": 4, "num_people": 1}),
        (
            "3 nights in Osaka and 2 nights in Kyoto, couple, mid April, $500 each",
            {"duration": 5, "city_nights": {"오사카": 3, "교토": 2}, "num_people": 2, "budget_amount": 715_000}
            | {"budget_basis": "per_person", "budget": 1_430_000},
        ),
        (
            "next weekend Busan with 3 friends from Seoul",
            {"origin": "서울", "depart_date": "2026-11-28", "num_people": 4},
        ),
        (
            "오사카 3 nights 둘이, Dec 3 출발, budget은 $1500 정도",
            {"duration": 3, "num_people": 2, "budget": 2_145_000},
        ),
    ],
)
def test_english_fills_the_same_slots(said: str, slots: dict[str, Any]) -> None:
    found = read(said)
    assert {name: found.get(name) for name in slots} == slots


@pytest.mark.parametrize(
    ("said", "slots"),
    [
        ("make it 5 nights", {"duration": 5, "return_date": "2026-12-08"}),
        ("Actually let's leave on January 10th", {"depart_date": "2027-01-10", "return_date": "2027-01-14"}),
        ("change it to 3 people please", {"num_people": 3}),
    ],
)
def test_english_puts_right_what_it_names(said: str, slots: dict[str, Any]) -> None:
    assert read(said, KNOWN) == slots


@pytest.mark.parametrize(
    "said",
    [
        "Is the Grand Palace open on Dec 25?",
        "My passport expires in May",
        "Do I need a visa for 30 days?",
        "one of us is vegan",
    ],
)
def test_a_question_or_another_matter_moves_nothing(said: str) -> None:
    assert read(said, KNOWN) == {}
