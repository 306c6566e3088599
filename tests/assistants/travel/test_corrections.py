"""Change one thing, redo only what depends on it: which experts work again, by kind of correction."""

import pytest

from tests.support.trips import Traveller, kept, ran

FLIGHT, HOTEL, DAYS, MONEY, PLANS = EXPERTS = (
    "flight_expert",
    "hotel_expert",
    "itinerary_planner",
    "budget_manager",
    "coordinator",
)
TRIP = "12월 18일 출발 오사카랑 교토 3박4일 둘이 250만원, 맛집이랑 관광 위주로"
ALL = set(EXPERTS)
SUM = {MONEY, PLANS}

TABLE: list[tuple[str, set[str], tuple[str, str, str]]] = [
    ("nights", ALL, ("아니 4박으로", "하루 더 있을래", "4박5일로 늘려줘")),
    ("budget", SUM, ("예산 300만원으로 올릴게", "예산을 200만원으로 줄여줘", "총 320만원까지 쓸 수 있어")),
    ("budget per person", SUM, ("예산은 인당 150만원", "1인당 130만원으로 잡아줘", "각자 120만원씩 쓸게")),
    ("budget flexibility", SUM, ("예산은 조금 넘어도 돼", "예산 살짝 초과해도 괜찮아", "예산 좀 넘겨도 상관없어")),
    ("better hotel", {HOTEL} | SUM, ("호텔만 더 좋은 데로", "숙소를 한 단계 올려줘", "더 좋은 호텔로 바꿔줘")),
    ("cheaper hotel", {HOTEL} | SUM, ("숙소는 더 싼 데로", "호텔은 저렴한 걸로 바꿔줘", "숙소 한 등급 낮춰줘")),
    (
        "kind of lodging",
        {HOTEL} | SUM,
        ("숙소는 게스트하우스로 바꿔줘", "에어비앤비로 할래", "호텔 말고 게스트하우스로"),
    ),
    (
        "better flight",
        {FLIGHT} | SUM,
        ("비행기는 더 좋은 걸로", "항공편을 더 좋은 걸로 바꿔줘", "항공권 한 단계 올려줘"),
    ),
    ("cheaper flight", {FLIGHT} | SUM, ("비행기는 더 싼 걸로", "항공권 저렴한 걸로 바꿔줘", "항공은 더 싸게")),
    ("airline", {FLIGHT} | SUM, ("대한항공으로 바꿔줘", "아시아나 타고 싶어", "항공사는 제주항공으로")),
    ("people", {FLIGHT, HOTEL} | SUM, ("아니 3명이야", "셋이 가기로 했어", "한 명 더 가요")),
    ("fewer people", {FLIGHT, HOTEL} | SUM, ("혼자 가게 됐어", "한 명 빠졌어", "나 혼자 갈게")),
    ("a child comes along", ALL, ("초등학생 한 명 추가", "아이 한 명도 같이 가요", "애 하나 데려갈게")),
    ("departure", ALL, ("12월 21일 출발로 바꿔줘", "출발을 12월 20일로 옮겨줘", "12월 25일에 떠날래")),
    ("origin", {FLIGHT, DAYS} | SUM, ("부산에서 출발할게", "출발지는 부산이야", "대구에서 떠나요")),
    ("style", {DAYS} | SUM, ("쇼핑도 추가해줘", "쇼핑 위주로 바꿔줘", "카페도 넣어줘")),
    ("must visit", {DAYS} | SUM, ("유니버설은 꼭", "오사카성은 꼭 가고 싶어", "가이유칸 넣어줘")),
    ("without a place", {DAYS} | SUM, ("도톤보리는 빼줘", "오사카성은 안 갈래", "구로몬 시장은 빼고")),
    ("without a kind of place", {DAYS} | SUM, ("쇼핑은 빼줘", "쇼핑은 안 갈래", "쇼핑은 싫어")),
    ("without what isn't there", {DAYS}, ("놀이공원은 빼고", "테마파크는 빼줘", "놀이동산은 안 갈래")),
    ("pace", {DAYS} | SUM, ("일정을 여유롭게 해줘", "좀 천천히 다니고 싶어", "일정 빡빡하게 짜줘")),
    ("one day's pace", {DAYS} | SUM, ("둘째 날은 여유롭게", "셋째 날은 널널하게", "마지막 날은 여유롭게")),
    (
        "one day's places",
        {DAYS} | SUM,
        ("둘째 날 별로야 바꿔줘", "첫날 일정 다른 데로 바꿔줘", "셋째 날 다른 곳으로 바꿔줘"),
    ),
    ("nights of one city", {HOTEL, DAYS} | SUM, ("교토에서 2박으로", "오사카 1박 교토 2박으로", "오사카는 1박만 할래")),
    (
        "a limit for a night",
        {HOTEL} | SUM,
        ("숙소는 1박에 10만원 이하로", "호텔은 1박 12만원 안 넘게", "숙소 하룻밤에 9만원 이하로"),
    ),
    (
        "a limit that is kept",
        set(),
        ("숙소는 1박에 90만원 이하로", "호텔 1박 80만원 이하로", "하룻밤 70만원 이하면 돼"),
    ),
    ("a city removed", ALL, ("교토는 됐어요", "교토는 빼줘", "오사카만 갈래")),
    ("another city", ALL, ("도쿄로 바꿔줘", "목적지를 후쿠오카로 바꿔줘", "오사카 말고 삿포로로")),
    ("a city more", ALL, ("나라도 갈래", "나라도 추가해줘", "나라도 들르고 싶어")),
    ("arrival", {FLIGHT, DAYS} | SUM, ("첫날 밤 9시에 도착해", "첫날 오후 3시 도착이야", "저녁 7시에 도착해")),
    (
        "way home",
        {FLIGHT, DAYS} | SUM,
        ("마지막 날 오전 11시 비행기야", "돌아오는 비행기는 밤 8시야", "마지막 날 오후 2시에 출발해"),
    ),
    (
        "rest",
        {DAYS} | SUM,
        ("매일 1시부터 3시까지는 낮잠", "오후 1시부터 3시까지는 쉬어야 해", "낮잠 시간 1시~3시 비워줘"),
    ),
    ("outings", {DAYS} | SUM, ("하루에 두 군데만", "하루 세 곳까지만 다닐래", "하루에 2곳만 가자")),
    ("can't walk far", {DAYS} | SUM, ("무릎이 아파서 많이 못 걸어", "휠체어로 다녀요", "계단은 못 올라가요")),
    ("diet", {DAYS} | SUM, ("채식이에요", "비건이에요", "할랄만 먹어요")),
    ("booked stay", SUM, ("숙소는 이미 예약했어", "호텔은 예약해 뒀어", "숙소는 벌써 잡아놨어")),
    ("booked flights", SUM, ("비행기는 이미 예약했어", "항공권은 끊어놨어", "비행기표는 벌써 샀어")),
    ("the longest flight", {FLIGHT}, ("비행은 3시간 이내로", "비행기 4시간 넘게는 못 타", "비행 시간 3시간까지만")),
    ("no stops, as it is", set(), ("직항으로 해줘", "직항만 탈래", "경유는 싫어")),
    ("question: rain", set(), ("둘째 날 비 오면?", "비 오면 뭐 해?", "첫날 비 오면 어떡해?")),
    ("question: plans", set(), ("플랜 차이가 뭐야", "세 플랜이 어떻게 달라?", "플랜끼리 뭐가 달라?")),
    ("question: cost", set(), ("총 얼마야?", "비용이 어떻게 돼?", "왜 이 플랜이야?")),
    ("question: a day", set(), ("둘째 날 일정 보여줘", "첫날 뭐 해?", "마지막 날 일정 알려줘")),
    ("choice", set(), ("플랜 1로 할게", "알뜰 플랜으로 할게", "프리미엄으로 정할게")),
    ("the same again", set(), ("3박4일", "둘이 가요", "오사카랑 교토로")),
    ("thanks", set(), ("고마워", "좋아요", "감사합니다")),
]


@pytest.mark.parametrize(("again", "wordings"), [row[1:] for row in TABLE], ids=[row[0] for row in TABLE])
async def test_a_correction_redoes_only_what_depends_on_it(again: set[str], wordings: tuple[str, ...]) -> None:
    talk = Traveller()
    first = await talk.say(TRIP)
    assert ran(first) == ALL
    planned = await talk.here()
    for message in wordings:
        talk.config = planned
        state = await talk.say(message)
        assert ran(state) == again, message
        if again:
            assert kept(state) == ALL - again, message
        else:
            assert not state["execution_steps"], message
            assert state["final_plans"] == first["final_plans"], message


async def test_the_return_date_follows_the_nights_and_nothing_else_changes() -> None:
    talk = Traveller()
    before = await talk.say(TRIP)
    after = await talk.say("아니 4박으로")
    assert (before["return_date"], after["return_date"]) == ("2026-12-21", "2026-12-22")
    untouched = ("destination", "destinations", "budget", "num_people", "travel_style", "depart_date", "origin")
    assert {name: after[name] for name in untouched} == {name: before[name] for name in untouched}
    assert len(after["itinerary"]["days"]) == 5
    assert after["response"]["answer"].startswith("4박5일로 바꿨어요(12월 22일(화) 귀국).")


async def test_the_todo_list_shows_what_was_kept() -> None:
    talk = Traveller()
    await talk.say(TRIP)
    state = await talk.say("예산 300만원으로 올릴게")
    shown = {step["agent"]: (step["status"], step.get("reused", False)) for step in state["execution_steps"]}
    assert shown[FLIGHT] == shown[HOTEL] == shown[DAYS] == ("skipped", True)
    assert shown[MONEY] == shown[PLANS] == ("completed", False)
    assert state["plan"]["reused"] == [s["step_id"] for s in state["execution_steps"] if s.get("reused")]
    assert "교통편·숙소·일정은 그대로예요" in state["response"]["answer"]
    assert state["response"]["structured_data"]["metadata"]["kept"] == [FLIGHT, HOTEL, DAYS]


async def test_a_wish_and_a_correction_in_one_message() -> None:
    talk = Traveller()
    await talk.say(TRIP)
    state = await talk.say("호텔은 더 좋은 데로 하고 4박으로 바꿔줘")
    assert state["hotel_tier"] is not None
    assert state["duration"] == 4
    assert ran(state) == ALL


async def test_going_back_reuses_nothing_wrongly() -> None:
    talk = Traveller()
    first = await talk.say(TRIP)
    await talk.say("아니 4박으로")
    back = await talk.say("아니다 3박으로")
    assert back["final_plans"] == first["final_plans"]
    assert back["itinerary"] == first["itinerary"]


async def test_a_better_hotel_keeps_the_flight_of_the_plan() -> None:
    talk = Traveller()
    before = await talk.say("오사카 3박4일 둘이 200만원 맛집")
    after = await talk.say("호텔만 더 좋은 데로")
    tier = before["recommendation"]["type"]
    assert after["recommendation"]["type"] == tier
    old, new = (next(p for p in s["final_plans"] if p["type"] == tier) for s in (before, after))
    assert new["flight_type"] == old["flight_type"]
    assert (old["hotel_type"], new["hotel_type"]) == ("standard", "premium")
    assert not after["recommendation"]["fits"]
    assert "숙소 등급을 되돌리면" in after["recommendation"]["changes"][0]["text"]
    again = await talk.say("호텔 더 좋은 데로")
    assert "이미 가장 높은" in again["response"]["answer"]


async def test_nights_of_single_cities_are_slept_there() -> None:
    talk = Traveller()
    await talk.say("12월 18일 출발 오사카 1박 교토 3박 둘이 300만원 관광")
    state = await talk.say("오사카를 하루 늘려줘")
    assert [(stay["city"], stay["nights"]) for stay in state["hotel_options"][0]["stays"]] == [
        ("오사카", 2),
        ("교토", 3),
    ]
    assert [day["city"] for day in state["itinerary"]["days"]] == ["오사카"] * 2 + ["교토"] * 4
    assert state["response"]["answer"].startswith("오사카 2박, 교토 3박으로 나눴어요.")


async def test_a_limit_for_a_night_that_nothing_keeps_is_said() -> None:
    talk = Traveller()
    await talk.say(TRIP)
    state = await talk.say("숙소는 1박에 만원 이하로")
    assert not state["execution_steps"]
    assert "없어요" in state["response"]["answer"]
