"""What is meant once there is a plan."""

from datetime import date
from typing import Any

import pytest

from madang.assistants.travel.understanding.follow_ups import FollowUp, follow_up
from madang.assistants.travel.understanding.slots import read_slots

SLOTS: dict[str, Any] = {
    "destination": "오사카", "duration": 3, "budget": 2_000_000, "budget_amount": 2_000_000, "budget_basis": "total",
    "num_people": 2, "travel_style": ["관광"],
}  # fmt: skip


def read(message: str) -> FollowUp:
    return follow_up(message, read_slots(message, SLOTS, date(2026, 3, 10)), ("오사카",), "standard")


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ("호텔만 더 좋은 데로", FollowUp("hotel_tier", step=1)),
        ("숙소는 좀 싼 걸로 바꿔줘", FollowUp("hotel_tier", step=-1)),
        ("비행기 더 저렴한 걸로", FollowUp("flight_tier", step=-1)),
        ("둘째 날 비 오면?", FollowUp("rain", day=2)),
        ("비가 오면 어떡하죠", FollowUp("rain")),
        ("유니버설은 꼭", FollowUp("slots")),
        ("아니 4박으로", FollowUp("slots")),
        ("예산 250으로 올려줘", FollowUp("slots")),
        ("플랜 차이가 뭐야", FollowUp("difference")),
        ("세 개 비교해 주세요", FollowUp("difference")),
        ("더 싸게", FollowUp("cheaper", step=-1)),
        ("직항으로", FollowUp("direct_only")),
        ("첫날은 여유롭게", FollowUp("day_pace", day=1, pace="relaxed")),
        ("마지막 날은 알차게 채워줘", FollowUp("day_pace", day=-1, pace="packed")),
        ("플랜 2로 할게", FollowUp("choose_plan", plan="standard")),
        ("프리미엄으로 할게요", FollowUp("choose_plan", plan="premium")),
        ("이대로 진행해 주세요", FollowUp("choose_plan", plan="standard")),
        ("셋째 날 일정 보여줘", FollowUp("show_day", day=3)),
        ("왜 이 플랜을 추천했어?", FollowUp("why")),
        ("총 얼마 들어?", FollowUp("cost")),
        ("도톤보리는 빼줘", FollowUp("avoid_place", place="도톤보리")),
        ("달력에 넣게 ics로 줘", FollowUp("export", format="ics")),
        ("저렴한 숙소로 바꿔줘", FollowUp("hotel_tier", step=-1)),
        ("다른 호텔은 없어?", FollowUp("other_hotels")),
        ("3일차 일정 바꿔줘", FollowUp("swap_day", day=3)),
        ("1번 플랜 자세히 알려줘", FollowUp("show_plan", plan="budget")),
        ("좋아요 확정할게요", FollowUp("choose_plan", plan="standard")),
        ("처음부터 다시 짜줘", FollowUp("restart")),
        ("지도 보여줘", FollowUp("export", format="map")),
        ("예산 초과야?", FollowUp("cost")),
        ("교토도 하루 넣어줘", FollowUp("slots")),
        ("고마워요", FollowUp("thanks")),
        ("음...", FollowUp("unknown")),
    ],
)
def test_a_follow_up_has_one_meaning(message: str, expected: FollowUp) -> None:
    assert read(message) == expected


def test_a_question_is_answered_and_a_better_hotel_changes_no_slot() -> None:
    assert not read("둘째 날 비 오면?").reruns
    assert read("호텔만 더 좋은 데로").reruns
    assert not read_slots("호텔만 더 좋은 데로", SLOTS, date(2026, 3, 10)).changes
