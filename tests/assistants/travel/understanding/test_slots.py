"""Reading messages into slots."""

from datetime import date
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bench.travel import score
from madang.assistants.travel.state.slots import LIMITS, SLOTS, allowed
from madang.assistants.travel.understanding.slots import apply, read_slots

TODAY = date(2026, 3, 10)


def talk(*messages: str, today: date = TODAY) -> list[dict[str, Any]]:
    """The slots after each message, every question answered by the next one."""
    slots: dict[str, Any] = {}
    pending: str | None = "destination"
    states = []
    for message in messages:
        update = read_slots(message, slots, today, pending)
        slots = apply(slots, update)
        pending = update.next_question.slot if update.next_question else None
        states.append({**slots, "asked": pending})
    return states


def test_the_conversation_of_the_specification_step_by_step() -> None:
    states = talk("오사카", "3박 4일", "100만원", "2명", "관광, 맛집")
    assert [state["asked"] for state in states] == ["duration", "num_people", "num_people", None, None]
    assert states[0]["destination"] == "오사카"
    assert states[1]["duration"] == 3
    assert states[2]["budget"] == 1_000_000
    last = states[-1]
    assert (last["num_people"], last["travel_style"]) == (2, ["관광", "맛집"])


def test_a_correction_replaces_and_moves_the_return_date() -> None:
    states = talk("오사카 4월 17일 출발 3박", "아니 4박으로")
    assert states[0]["return_date"] == "2026-04-20"
    assert states[1]["duration"] == 4
    assert states[1]["return_date"] == "2026-04-21"
    assert states[1]["destination"] == "오사카"


def test_a_budget_per_person_waits_for_the_people_and_follows_them() -> None:
    states = talk("다낭 4박", "두당 90", "셋이요", "둘은 빠진대요")
    assert states[1].get("budget") is None
    assert states[1]["budget_amount"] == 900_000
    assert states[1]["asked"] == "num_people"
    assert states[2]["budget"] == 2_700_000
    assert (states[3]["num_people"], states[3]["budget"]) == (1, 900_000)


def test_a_removal_takes_one_city_and_a_country_word_is_no_city() -> None:
    states = talk("오사카랑 나라 4박", "나라는 됐어요", "어느 나라가 더 따뜻해요?")
    assert states[0]["destinations"] == ["오사카", "나라"]
    assert states[1]["destination"] == "오사카"
    assert not states[1]["destinations"]
    assert states[2]["destination"] == "오사카"


@pytest.mark.parametrize(
    ("message", "field"),
    [
        ("방콕 20박", "duration"),
        ("당일치기로 부산", "duration"),
        ("파리 예산 3천만원", "budget"),
        ("제주 15명", "num_people"),
    ],
)
def test_a_value_out_of_range_is_refused_by_name_and_the_rest_is_kept(message: str, field: str) -> None:
    update = read_slots(message, {}, TODAY, None)
    assert [problem.field for problem in update.problems] == [field]
    assert update.problems[0].allowed == allowed(field)
    assert field not in update.changes
    assert "destination" in update.changes
    assert update.next_question is not None
    assert update.next_question.slot == field


def test_a_refused_value_leaves_what_was_known() -> None:
    update = read_slots("아니 20박으로", {"destination": "방콕", "duration": 4}, TODAY, None)
    assert apply({"duration": 4}, update)["duration"] == 4


def test_a_country_is_narrowed_by_one_question_with_choices() -> None:
    update = read_slots("베트남 가고 싶어요", {}, TODAY, "destination")
    assert update.next_question is not None
    assert update.next_question.kind == "narrow"
    assert set(update.next_question.choices) == {"다낭", "나트랑", "하노이", "푸꾸옥", "호치민"}
    assert "destination" not in update.changes


def test_an_unknown_city_is_said_to_be_unknown_and_others_are_offered() -> None:
    update = read_slots("듣보시티로 여행 가고 싶어요", {}, TODAY, "destination")
    assert [problem.field for problem in update.problems] == ["destination"]
    assert update.next_question is not None
    assert update.next_question.choices


@pytest.mark.parametrize(
    "message",
    [
        "바다 보러 가고 싶다",
        "다음달에 여행 가려고",
        "둘이서 갈거예요",
        "온천 가고 싶어요",
        "조용한 곳으로 가고 싶어요",
        "글쎄요",
        "안녕하세요",
    ],
)
def test_what_is_no_city_is_not_called_an_unknown_one(message: str) -> None:
    update = read_slots(message, {}, TODAY, "destination")
    assert update.problems == ()
    assert update.next_question is not None
    assert update.next_question.slot == "destination"


@pytest.mark.parametrize(
    "message", ["오사카나 도쿄", "오사카 아니면 도쿄", "오사카or도쿄", "오사카랑 도쿄 중에 고민이에요"]
)
def test_an_alternative_is_asked_about(message: str) -> None:
    update = read_slots(message, {}, TODAY, "destination")
    assert "destination" not in update.changes
    assert update.next_question is not None
    assert update.next_question.choices == ("오사카", "도쿄")


def test_an_airline_that_contains_a_city_is_no_destination() -> None:
    update = read_slots("제주항공 타고 다낭", {}, TODAY, "destination")
    assert update.changes["destination"] == "다낭"
    assert update.changes["preferred_airline"] == "제주항공"


def test_a_sum_that_cannot_pay_the_flights_of_all_is_asked_about() -> None:
    slots = {"destination": "파리", "duration": 6, "num_people": 4}
    update = read_slots("예산은 200이요", slots, TODAY, "budget")
    assert update.next_question is not None
    assert update.next_question.slot == "budget_basis"
    answered = apply(
        {**slots, **update.changes}, read_slots("1인당이요", {**slots, **update.changes}, TODAY, "budget_basis")
    )
    assert (answered["budget"], answered["budget_basis"]) == (8_000_000, "per_person")


@pytest.mark.parametrize(
    ("pending", "message", "slot", "value"),
    [
        ("duration", "3", "duration", 3),
        ("duration", "4일이요", "duration", 3),
        ("num_people", "둘", "num_people", 2),
        ("num_people", "4", "num_people", 4),
        ("budget", "250", "budget", 2_500_000),
        ("budget", "1500000", "budget", 1_500_000),
    ],
)
def test_a_bare_answer_is_read_in_the_light_of_its_question(pending: str, message: str, slot: str, value: int) -> None:
    assert read_slots(message, {"destination": "오사카"}, TODAY, pending).changes[slot] == value


@pytest.mark.parametrize("split", ["dev", "test"])
def test_the_evaluation_dialogues_stay_above_the_goal(split: str) -> None:
    found, _ = score(split)
    assert found.right / found.slots >= 0.92
    assert found.changed_right / found.changed >= 0.92


PIECES = st.sampled_from(
    [
        *(
            "오사카",
            "다낭",
            "나라",
            "3박4일",
            "20박",
            "당일치기",
            "두당 90",
            "총 200만원",
            "예산",
            "셋이",
            "애 둘",
            "열두명",
        ),
        *(
            "아니",
            "말고",
            "빼주세요",
            "일본",
            "동남아",
            "다음주 금요일",
            "추석 때",
            "꼭",
            "유니버설",
            "대한항공",
            "호텔",
        ),
        *("여유롭게", "ㅋㅋ", "???", "0", "99999999", "-5", "하루 미뤄주세요", "둘은 빠진대요", "1인당", "4월 말쯤"),
    ]
)
MESSAGES = st.one_of(st.text(max_size=60), st.lists(PIECES, max_size=8).map(" ".join))


@settings(max_examples=150, deadline=None)
@given(
    st.lists(MESSAGES, min_size=1, max_size=4),
    st.sampled_from([None, "destination", "duration", "budget", "num_people"]),
)
def test_whatever_is_typed_the_slots_stay_valid(messages: list[str], pending: str | None) -> None:
    slots: dict[str, Any] = {}
    for message in messages:
        before = dict(slots)
        update = read_slots(message, slots, TODAY, pending)
        assert slots == before
        slots = apply(slots, update)
        assert set(update.changes) <= set(SLOTS)
        for name, limits in LIMITS.items():
            assert slots.get(name) is None or slots[name] in limits
        if slots.get("budget_basis") == "per_person" and slots.get("budget"):
            assert slots["budget"] == slots["budget_amount"] * slots["num_people"]
        if slots.get("return_date"):
            away = date.fromisoformat(slots["return_date"]) - date.fromisoformat(slots["depart_date"])
            assert away.days == slots["duration"]
        young = (slots.get("children") or 0) + (slots.get("infants") or 0)
        if slots.get("adults") is not None and slots.get("num_people") and young:
            assert slots["adults"] + young == slots["num_people"]


@pytest.mark.parametrize(
    ("message", "people", "children", "infants"),
    [
        ("시어머니, 남편, 저, 그리고 8살 5살 아이들이에요", 5, 2, None),
        ("아기 데리고 가요 14개월이고 남편이랑 저랑", 3, None, 1),
        ("양가 부모님 모시고 저희 부부", 6, None, None),
        ("남편 나 딸 셋", 3, None, None),
        ("엄마 아빠 초5 초2", 4, 2, None),
        ("친구들이랑요", None, None, None),
        ("처가 식구들이랑 갑니다", None, None, None),
    ],
)
def test_everyone_named_is_counted_once(
    message: str, people: int | None, children: int | None, infants: int | None
) -> None:
    changes = read_slots(message, {}, TODAY, "num_people").changes
    assert [changes.get(name) for name in ("num_people", "children", "infants")] == [people, children, infants]


def test_blanks_left_out_make_no_difference() -> None:
    glued = talk(
        "제주도2박3일둘이서렌트카로여행하고싶어요", "예산은백이십만원이에요", "오설록이랑성산일출봉은꼭가고싶어요"
    )[-1]
    assert (glued["destination"], glued["duration"], glued["num_people"], glued["budget"]) == ("제주", 2, 2, 1_200_000)
    assert glued["must_visit_places"] == ["오설록 티뮤지엄", "성산일출봉"]
    assert not glued.get("depart_window")


@pytest.mark.parametrize(
    ("messages", "depart"),
    [
        (("오사카 5월 15일 출발 3박", "출발을 하루 당겨서 목욜로"), "2026-05-14"),
        (("오사카 5월 15일 출발 3박", "금요일 출발 대신 토요일 출발"), "2026-05-16"),
        (("홍콩 12월 마지막 주에 3박", "25일부터 28일까지로 할게요"), "2026-12-25"),
        (("여수 2박", "이번 달 마지막 금요일 출발"), "2026-03-27"),
        (("강릉 1박", "이번주 토요일에 가려구요", "아 이번주 말고 다음주 토요일"), "2026-03-21"),
        (("하와이 5박", "5월 23일 결혼하고 24일 출발이에요"), "2026-05-24"),
    ],
)
def test_days_are_read_beside_what_is_known(messages: tuple[str, ...], depart: str) -> None:
    assert talk(*messages)[-1]["depart_date"] == depart


def test_a_city_spoken_of_is_not_always_the_goal() -> None:
    states = talk(
        "오사카랑 교토 3박", "교토에서는 료칸이요", "후쿠오카는 작년에 갔어요", "교토는 다음에 가고 오사카만 갈게요"
    )
    assert states[1]["destinations"] == states[2]["destinations"] == ["오사카", "교토"]
    assert (states[3]["destination"], states[3]["destinations"]) == ("오사카", [])


@pytest.mark.parametrize(
    ("messages", "shares", "nights"),
    [
        (["오사카 3박 교토 2박"], {"오사카": 3, "교토": 2}, 5),
        (["오사카랑 교토", "오사카에서 2박하고 교토에서 1박"], {"오사카": 2, "교토": 1}, 3),
        (["오사카 3박 교토 2박", "교토 1박으로 줄이고 나라 1박 추가"], {"오사카": 3, "교토": 1, "나라": 1}, 5),
        (["파리 3박 런던 4박", "파리를 하루 줄이고 런던을 하루 늘려줘"], {"파리": 2, "런던": 5}, 7),
        (["로마 피렌체 베네치아", "각각 3박 2박 1박"], {"로마": 3, "피렌체": 2, "베네치아": 1}, 6),
        (["로마 피렌체", "2박씩이요"], {"로마": 2, "피렌체": 2}, 4),
        (["5박으로 오사카 교토, 교토에선 2박"], {"교토": 2}, 5),
        (["오사카 3박 교토 2박", "총 7박으로 늘려줘"], None, 7),
        (["오사카 3박 교토 2박", "교토는 빼자"], None, 5),
        (["방콕 3박, 파타야는 당일치기"], None, 3),
        (["오사카 3박"], None, 3),
    ],
)
def test_nights_of_single_cities_are_kept(messages: list[str], shares: dict[str, int] | None, nights: int) -> None:
    slots: dict[str, Any] = {}
    for message in messages:
        slots = apply(slots, read_slots(message, slots, TODAY, None))
    assert slots.get("city_nights") == shares
    assert slots["duration"] == nights


@pytest.mark.parametrize(
    "message",
    [
        "숙소는 1박에 20만원 이하로",
        "하룻밤 15만원 넘지 않게",
        "숙소 1박 10만원대로",
        "방값은 하루 13만원까지만",
        "밥값으로 30만원은 잡아줘",
        "항공권은 인당 30만원 안쪽으로",
    ],
)
def test_what_a_part_may_cost_is_no_budget_and_no_length(message: str) -> None:
    known = {"destination": "도쿄", "duration": 4, "budget": 2_000_000, "budget_amount": 2_000_000, "num_people": 2}
    assert read_slots(message, known, TODAY, None).changes == {}


@pytest.mark.parametrize(
    ("message", "people", "adults", "infants"),
    [("아니 애기 하나만", 3, 2, 1), ("애기는 빼고 갈게요", 2, 2, None), ("애기 셋으로 바꿔주세요", 5, 2, 3)],
)
def test_infants_are_corrected_and_the_adults_stay(message: str, people: int, adults: int, infants: int | None) -> None:
    known = {"destination": "괌", "num_people": 4, "adults": 2, "infants": 2}
    after = apply(known, read_slots(message, known, TODAY, None))
    assert (after["num_people"], after["adults"], after["infants"]) == (people, adults, infants)


@pytest.mark.parametrize(
    ("depart", "message", "moved"),
    [
        ("2026-03-13", "다음 주로 미루자", "2026-03-20"),
        ("2026-04-03", "다음 주로 미룰게요", "2026-04-10"),
        ("2026-03-20", "그 다음 주로 옮겨줘", "2026-03-27"),
        ("2026-03-20", "이틀만 당기자", "2026-03-18"),
        ("2026-03-20", "월요일로 미루자", "2026-03-23"),
    ],
)
def test_a_departure_is_moved_by_weeks_and_days(depart: str, message: str, moved: str) -> None:
    known = {"destination": "오사카", "duration": 3, "depart_date": depart}
    assert read_slots(message, known, date(2026, 3, 10), None).changes["depart_date"] == moved
