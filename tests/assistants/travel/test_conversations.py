"""Conversations as travellers have them: slots, refusals, follow-ups, starting over, memory, files."""

from collections.abc import Mapping
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from madang.assistants.travel.data.climate import Month, month_of
from madang.assistants.travel.graph import assistant
from madang.assistants.travel.services import TravelServices
from madang.graph import build
from madang.runtime import Runtime, TurnRequest
from madang.runtime.assistant_graph import AssistantGraph
from madang.store import SessionSaver
from madang.store.database import Database
from tests.support.trips import OSAKA, Traveller, ran


def answer(state: Mapping[str, Any]) -> str:
    return str(state["response"]["answer"])


async def test_greeting_and_off_topic_get_guidance() -> None:
    for text in ("안녕하세요", "오늘 점심 뭐 먹지", "ㅎㅇ"):
        state = await Traveller().say(text)
        assert state["response"]["type"] in ("guidance", "clarification")
        assert "어디로 여행 가고 싶으세요?" in answer(state)
        assert state["depart_date"] is None
        assert not state["execution_steps"]


@pytest.mark.parametrize(
    ("message", "slot", "allowed"),
    [
        ("20박으로 바꿔줘", "duration", "1박~14박"),
        ("예산은 5만원", "budget", "10만원~1000만원"),
        ("30명이 가요", "num_people", "1명~10명"),
    ],
)
async def test_a_value_out_of_range_is_refused_by_name_and_the_rest_kept(message: str, slot: str, allowed: str) -> None:
    talk = Traveller()
    before = await talk.say(OSAKA)
    state = await talk.say(message)
    assert state["response"]["type"] == "clarification"
    assert state["response"]["structured_data"]["problems"][0]["field"] == slot
    assert allowed in answer(state)
    assert "지금 계획은 그대로" in answer(state)
    assert state["pending"]["names"] == [slot]
    assert state[slot] == before[slot]
    assert state["final_plans"] == before["final_plans"]


async def test_good_values_beside_a_bad_one_are_taken() -> None:
    talk = Traveller()
    state = await talk.say("오사카 20박 둘이 200만원 맛집")
    assert (state["destination"], state["num_people"], state["budget"]) == ("오사카", 2, 2_000_000)
    assert state["duration"] is None
    state = await talk.say("3박이요")
    assert state["duration"] == 3
    assert len(state["final_plans"]) == 3


async def test_a_country_is_asked_down_to_a_city_by_one_question() -> None:
    talk = Traveller()
    state = await talk.say("일본 3박 둘이 200만원 맛집")
    assert "오사카" in state["response"]["structured_data"]["choices"]
    again = await talk.say("어디가 좋을까?")
    assert "오사카" in again["response"]["structured_data"]["choices"]
    state = await talk.say("후쿠오카")
    assert state["destination"] == "후쿠오카"
    assert state["final_plans"]


def _months(city: str) -> list[Month]:
    return [found for month in range(1, 13) if (found := month_of(city, month))]


async def test_who_does_not_know_where_to_go_is_offered_cities() -> None:
    talk = Traveller()
    state = await talk.say("어디가 좋을까 추천해줘")
    assert len(state["response"]["structured_data"]["choices"]) == 3
    state = await talk.say("따뜻한 데")
    choices = state["response"]["structured_data"]["choices"]
    assert choices
    assert all(min(month.high for month in _months(city)) >= 24 for city in choices)
    assert all(one["reasons"] for one in state["suggestions"])
    first = state["suggestions"][0]["city"]
    assert (await talk.say("네"))["destination"] == first


async def test_another_means_of_transport_and_back() -> None:
    talk = Traveller()
    first = await talk.say("부산 2박 둘이 100만원 맛집")
    assert {option["mode"] for option in first["flight_options"]} >= {"bus", "train"}
    bus = await talk.say("버스로 갈래")
    plan = next(p for p in bus["final_plans"] if p["type"] == bus["recommendation"]["type"])
    taken = next(o for o in bus["flight_options"] if o["type"] == plan["flight_type"])
    assert taken["mode"] == "bus"
    back = await talk.say("원래대로 해줘")
    assert back["final_plans"] == first["final_plans"]
    assert (await talk.say("너무 빡센데"))["pace"] == "relaxed"


async def test_a_wish_beyond_a_budget_that_did_not_suffice_before() -> None:
    talk = Traveller()
    await talk.say("오사카 3박4일 둘이 총 100만원 맛집")
    state = await talk.say("호텔 5성급으로")
    chosen = state["recommendation"]
    assert not chosen["fits"]
    raised = chosen["changes"][-1]["slots"]["budget"]
    assert raised >= chosen["total"] > raised - 10_000
    assert all("되돌리고" in change["text"] for change in chosen["changes"][:-1])


async def test_an_unknown_place_is_handled_honestly() -> None:
    state = await Traveller().say("아틀란티스 가고 싶어")
    assert "아틀란티스" in answer(state)
    assert state["destination"] is None
    general = await Traveller().say("레이캬비크 4박 2명 500만원 자연")
    assert general["itinerary"]["is_general"]
    assert "상세 명소 자료가 없습니다" in answer(general)


async def test_a_korean_city_is_reached_over_land() -> None:
    state = await Traveller().say("강릉 1박2일 둘이 60만원 바다 휴양")
    assert {option["mode"] for option in state["flight_options"]} <= {"train", "bus", "car"}
    assert "서울" in answer(state)


async def test_children_infants_and_a_budget_per_person() -> None:
    state = await Traveller().say("제주 2박3일 성인 2명 초등학생 1명 아기 1명, 인당 60만원, 휴양")
    assert (state["adults"], state["children"], state["infants"]) == (2, 1, 1)
    assert state["num_people"] == 4
    assert (state["budget"], state["budget_basis"]) == (2_400_000, "per_person")
    assert state["final_plans"]


async def test_several_cities_have_a_stay_each() -> None:
    state = await Traveller().say("도쿄랑 교토 5박6일 둘이 400만원 쇼핑")
    assert state["destinations"] == ["도쿄", "교토"]
    assert len(state["hotel_options"]) == 3
    assert [stay["city"] for stay in state["hotel_options"][0]["stays"]] == ["도쿄", "교토"]
    assert {day["city"] for day in state["itinerary"]["days"]} == {"도쿄", "교토"}


async def test_a_budget_that_cannot_work_is_said_with_the_smallest_change() -> None:
    talk = Traveller()
    state = await talk.say("파리 5박 둘이 총 150만원 관광")
    if state["response"]["type"] == "clarification":
        state = await talk.say("전체예요")
    chosen = state["recommendation"]
    assert not chosen["fits"]
    assert "어렵습니다" in answer(state)
    sizes = [change["size"] for change in chosen["changes"]]
    assert sizes == sorted(sizes)
    smallest = chosen["changes"][0]
    assert smallest["text"] in answer(state)
    assert state["budget"] < chosen["total"]
    if smallest["kind"] == "budget":
        state = await talk.say(f"예산을 총 {smallest['slots']['budget'] // 10_000}만원으로 바꿔줘")
        assert state["recommendation"]["fits"]


async def test_what_is_left_to_us_is_not_asked_again() -> None:
    talk = Traveller()
    state = await talk.say("후쿠오카 2박 둘이")
    assert state["final_plans"]
    assert state["budget"] is None
    assert "예산을 말씀하지 않아" in answer(state)
    assert "열어 두고" in answer(await talk.say("예산은 아직 안 정했어"))


FOLLOW_UPS = {
    "둘째 날 비 오면?": "비 올 때",
    "플랜 차이가 뭐야": "알뜰 플랜 → 표준 플랜",
    "더 싸게": "아낄 수 있어요",
    "직항으로": "모두 직항",
    "왜 이 플랜을 추천했어?": "추천한 이유",
    "총 얼마야?": "1인당",
    "3일째 일정 보여줘": "3일째",
    "다른 숙소도 보여줘": "고를 수 있는 숙소",
    "9일째 일정 보여줘": "4일까지",
    "고마워": "캘린더",
    "ㅋㅋㅋㅋ": "지금 계획은",
}


@pytest.mark.parametrize(("message", "expected"), FOLLOW_UPS.items())
async def test_follow_ups_are_answered_from_the_state(message: str, expected: str) -> None:
    talk = Traveller()
    before = await talk.say(OSAKA)
    state = await talk.say(message)
    assert expected in answer(state)
    assert not state["execution_steps"]
    assert state["final_plans"] == before["final_plans"]


async def test_a_must_see_place_gets_into_the_days() -> None:
    state = await Traveller().talk(OSAKA, "유니버설은 꼭")
    names = [place["name"] for day in state["itinerary"]["days"] for place in day["places"]]
    assert "유니버설 스튜디오 재팬" in names
    assert answer(state).startswith("유니버설 스튜디오 재팬을 꼭 갈 곳에 넣었어요.")


async def test_direct_flights_where_there_was_a_stop() -> None:
    talk = Traveller()
    before = await talk.say("파리 5박 둘이 총 700만원 관광")
    assert any(option["outbound"]["stops"] for option in before["flight_options"])
    state = await talk.say("직항으로")
    assert not any(option["outbound"]["stops"] for option in state["flight_options"])
    assert "hotel_expert" not in ran(state)


async def test_a_chosen_plan_holds_through_a_correction() -> None:
    talk = Traveller()
    state = await talk.talk(OSAKA, "플랜 1로 할게")
    assert state["chosen_plan"] == "budget"
    state = await talk.say("아니 4박으로")
    assert "알뜰 플랜, 총" in answer(state).splitlines()[0]


@pytest.mark.parametrize("said", ["처음부터 다시", "다 지우고 리셋해줘"])
async def test_starting_over_forgets_the_trip(said: str) -> None:
    talk = Traveller()
    first = await talk.say(OSAKA)
    state = await talk.say(said)
    assert state["destination"] is None
    assert state["final_plans"] == []
    assert state["current_step"] == "collecting"
    again = await talk.say(OSAKA)
    assert ran(again) == ran(first)
    assert again["final_plans"] == first["final_plans"]


async def test_starting_over_with_a_new_trip_in_the_same_breath() -> None:
    talk = Traveller()
    await talk.say(OSAKA)
    state = await talk.say("처음부터 다시, 다낭 3박 4명 400만원 휴양")
    assert (state["destination"], state["num_people"], state["travel_style"]) == ("다낭", 4, ["휴양"])
    assert state["final_plans"]


async def test_a_departure_that_has_passed_is_asked_again() -> None:
    talk = Traveller()
    await talk.say("12월 1일 출발 " + OSAKA)
    talk.today = date(2026, 12, 20)
    state = await talk.say("예산 300만원으로")
    assert state["pending"]["names"] == ["depart_date"]
    state = await talk.say("내년 1월 8일")
    assert state["depart_date"] == "2027-01-08"
    assert state["budget"] == 3_000_000
    assert state["itinerary"]["days"][0]["date"] == "2027-01-08"


class Remembers:
    """A memory of one user's earlier trips."""

    def __init__(self, **liked: Any) -> None:
        self.liked = liked

    async def load(self, _session: str, _query: str) -> dict[str, Any]:
        return {"user_preferences": self.liked, "loaded_memories": []}

    async def remember(self, _session: str, turn: Mapping[str, Any]) -> None:
        self.liked |= {name: value for name, value in turn["preferences"].items() if value}


async def test_what_is_remembered_is_used_openly() -> None:
    memory = Remembers(origin="부산", travel_style=["맛집", "휴양"], accommodation_preference="guesthouse")
    talk = Traveller(memory=memory)
    asked = await talk.say("오사카 3박4일 둘이 200만원")
    assert "지난번에는 맛집·휴양" in answer(asked)
    assert asked["travel_style"] == []
    state = await talk.say("지난번처럼")
    assert state["travel_style"] == ["맛집", "휴양"]
    assert state["origin"] is None
    assert state["assumptions"]["start"] == "부산"
    assert "기억해 둔 출발지 부산" in answer(asked)
    assert state["accommodation_preference"] is None
    assert "게스트하우스에 묵고 싶어" in answer(asked)
    corrected = await talk.say("서울에서 출발할게")
    assert corrected["origin"] == "서울"
    assert memory.liked["origin"] == "서울"


async def test_an_export_is_a_file_and_a_document() -> None:
    saved: list[dict[str, Any]] = []

    async def save(made: dict[str, Any]) -> str:
        saved.append(made)
        return "doc-1"

    talk = Traveller(save_document=save)
    await talk.say(OSAKA)
    for said, form in (("캘린더로 내보내줘", "ics"), ("문서로 저장해줘", "md"), ("지도로 보여줘", "svg")):
        state = await talk.say(said)
        data = state["response"]["structured_data"]
        assert data["document_id"] == "doc-1"
        assert data["files"][0]["filename"].endswith(form)
        assert set(saved[-1]["files"]) == {"md", "ics", "svg"}
        assert saved[-1]["files"][form].decode() == data["files"][0]["content"]
    assert "BEGIN:VEVENT" in saved[0]["files"]["ics"].decode()


async def test_an_export_without_a_store_is_still_a_file() -> None:
    state = await Traveller().talk(OSAKA, "캘린더로 내보내줘")
    assert "document_id" not in state["response"]["structured_data"]
    assert state["response"]["structured_data"]["files"]


async def test_a_session_goes_on_after_a_restart(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/travel.db"

    async def turn(text: str, *, new: bool = False) -> dict[str, Any]:
        db = await Database.open(url)
        saver = SessionSaver(db)
        served = AssistantGraph("travel", build(assistant, saver), assistant, TravelServices())
        runtime = Runtime(db, saver, {"travel": served}, today=lambda: date(2026, 11, 16))
        try:
            if new:
                await runtime.sessions.create("trip", assistant="travel")
            await runtime.wait((await runtime.start("trip", TurnRequest(text=text))).run_id)
            state = await served.graph.aget_state({"configurable": {"thread_id": "trip"}})
            return dict(state.values)
        finally:
            await runtime.close()
            await db.close()

    await turn(OSAKA, new=True)
    state = await turn("호텔만 더 좋은 데로")
    assert ran(state) == {"hotel_expert", "budget_manager", "coordinator"}
    exported = await turn("캘린더로 내보내줘")
    assert exported["response"]["structured_data"]["document_id"]
