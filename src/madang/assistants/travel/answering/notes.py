"""What a traveller should know about a plan: what was assumed, remembered, estimated, or left out."""

from madang.assistants.travel.answering.needs import needs_heard
from madang.assistants.travel.answering.phrases import STAYS, day_text, nights_text
from madang.assistants.travel.data.estimates import as_of
from madang.assistants.travel.data.ways import alerts_for
from madang.assistants.travel.state import MultiAgentTravelState
from madang.assistants.travel.state.results import Booked
from madang.assistants.travel.state.slots import NEEDS
from madang.assistants.travel.state.trip_facts import cities_of, current_plan, departure_of, people_of
from madang.assistants.travel.tools.guide import country_of

_ESTIMATE = "추정"
_TIPS = 1
_EXPERTS: dict[str, Booked] = {"flight_expert": "flights", "hotel_expert": "hotel"}


def notes_of(state: MultiAgentTravelState, *, first: bool) -> list[str]:
    """The notes; after a correction only those that are new or about what was made again."""
    notes = _season(state) if first or _moved(state) else []
    notes += needs_heard(state) if first or _needs_changed(state) else []
    notes += _assumed(state) + _remembered(state) + _left_open(state) if first else []
    made = {step["agent"] for step in state.get("execution_steps") or () if step["status"] == "completed"}
    analyses = {"flight_expert": state.get("flight_analysis"), "hotel_expert": state.get("hotel_analysis")}
    booked = state.get("booked") or ()
    for agent, found in analyses.items():
        if found and agent in made and _EXPERTS[agent] not in booked:
            notes += found["notes"]
            notes += [tip for tip in found["tips"] if _ESTIMATE not in tip][:_TIPS] if first else []
    if "itinerary_planner" in made:
        notes += (state.get("itinerary") or {}).get("notes") or []
    if first:
        chosen = state.get("recommendation")
        notes += chosen["savings"] if chosen and not chosen["fits"] else []
        notes += _estimates(state)
    return list(dict.fromkeys(notes))


def _season(state: MultiAgentTravelState) -> list[str]:
    month = departure_of(state).month
    return [text for city in cities_of(state) for text in alerts_for(city, country_of(city), month)]


def _moved(state: MultiAgentTravelState) -> bool:
    moved = {"cities", "destination", "depart_date", "depart_window"}
    return any(change["slot"] in moved for change in state.get("slot_changes") or ())


def _assumed(state: MultiAgentTravelState) -> list[str]:
    assumed = state.get("assumptions") or {}
    notes = []
    if day := assumed.get("departure"):
        window = state.get("depart_window")
        why = "말씀하신 기간에서" if window else "출발일을 말씀하지 않아"
        notes.append(f"{why} {day_text(day)} 출발로 잡았어요. 날짜를 알려 주시면 다시 계산할게요.")
    if group := int(assumed.get("group") or 0):
        each = current_plan(state)["total"] // (people_of(state) or 1)
        notes.insert(
            0,
            f"{group}명은 한 번에 계산하지 못해 {people_of(state)}명으로 셈했어요. 1인당 {each:,}원이라 "
            f"{group}명이면 약 {each * group:,}원이고, 2인 1실이면 방이 {-(-group // 2)}개 필요해요. "
            "단체 운임과 전세버스는 여행사에 물어보세요.",
        )
        assumed = {**assumed, "people": ""}
    basics = [f"{nights_text(int(assumed['nights']))}"] if assumed.get("nights") else []
    basics += [f"{assumed['people']}명"] if assumed.get("people") else []
    if basics:
        notes.insert(0, f"말씀이 없어 {', '.join(basics)}으로 가정했어요. 다르면 알려 주세요.")
    if (start := assumed.get("start")) and not _own_start(state):
        notes.append(f"출발지는 {start}로 가정했어요. 다른 곳이면 말씀해 주세요.")
    return notes


def _own_start(state: MultiAgentTravelState) -> bool:
    """Where one starts is remembered, or doesn't matter since the tickets are there."""
    return "origin" in (state.get("remembered") or ()) or "flights" in (state.get("booked") or ())


def _remembered(state: MultiAgentTravelState) -> list[str]:
    """What earlier trips say: what was used, and what is only offered."""
    liked = state.get("user_preferences") or {}
    notes = []
    if "origin" in (state.get("remembered") or ()):
        start = (state.get("assumptions") or {}).get("start")
        notes.append(f"지난 여행에서 기억해 둔 출발지 {start}에서 떠나는 것으로 잡았어요. 아니면 말씀해 주세요.")
    stay = STAYS.get(str(liked.get("accommodation_preference")))
    if stay and not state.get("accommodation_preference"):
        notes.append(f"지난번에는 {stay}에 묵고 싶어 하셨어요. 이번에도 원하시면 “{stay}로 바꿔줘”라고 해 주세요.")
    airline = liked.get("preferred_airline")
    if airline and not state.get("preferred_airline"):
        notes.append(f"지난번에는 {airline}을 고르셨어요. 이번에도 원하시면 말씀해 주세요.")
    return notes


def _needs_changed(state: MultiAgentTravelState) -> bool:
    return any(change["slot"] in NEEDS for change in state.get("slot_changes") or ())


def _left_open(state: MultiAgentTravelState) -> list[str]:
    notes = []
    if not state.get("budget"):
        notes.append("예산을 말씀하지 않아 표준 플랜으로 잡았어요. 예산을 알려 주시면 거기에 맞출게요.")
    pending = state.get("pending") or {}
    if not state.get("travel_style") and "travel_style" in (pending.get("then") or {}):
        notes.append(str(pending.get("question")))
    elif not state.get("travel_style"):
        notes.append(
            "여행 스타일을 말씀하지 않아 인기 있는 곳 위주로 짰어요. 맛집, 휴양, 쇼핑처럼 알려 주시면 바꿀게요."
        )
    return notes


def _estimates(state: MultiAgentTravelState) -> list[str]:
    options = [*(state.get("flight_options") or ()), *(state.get("hotel_options") or ())]
    if not any(option["is_estimate"] for option in options):
        return []
    return [f"요금은 거리·계절·휴일로 계산한 추정값입니다({as_of()} 기준). 예약 전에 실제 값을 확인하세요."]
