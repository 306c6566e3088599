"""What the trip had to respect: which of it the plan does, and which of it nobody could check."""

from collections.abc import Mapping
from typing import Any

from madang.assistants.travel.answering.phrases import won
from madang.assistants.travel.data.cities import all_cities
from madang.assistants.travel.tools.itinerary.avoiding import avoided_categories, avoided_names
from madang.text.particles import with_direction, with_topic

_MODES = {"flight": "비행기", "train": "기차", "bus": "버스", "car": "자동차"}
_BOOKED = {"flights": "교통편", "hotel": "숙소"}


def needs_heard(state: Mapping[str, Any]) -> list[str]:
    """A line for what is kept to and one for what could not be checked; none without needs."""
    met, missed = _measured(state)
    kept, unchecked = [*_kept(state), *met], _unchecked(state)
    lines = [f"지킨 조건: {', '.join(kept)}."] if kept and state.get("destination") else []
    if kept and not state.get("destination"):
        lines = [f"기억해 둔 조건: {', '.join(kept)}."]
    if missed:
        lines.append(f"지키지 못한 조건: {', '.join(missed)}.")
    if unchecked:
        lines.append(f"자료로 확인하지 못한 조건: {', '.join(unchecked)}. 예약하기 전에 직접 물어봐 주세요.")
    return lines


def _kept(state: Mapping[str, Any]) -> list[str]:
    said = [f"{times.replace('-', '~')} 쉬는 시간 비우기" for times in state.get("rest_times") or ()]
    if count := state.get("outings_a_day"):
        said.append(f"하루 {count}곳까지만 나가기")
    if state.get("arrive_time"):
        said.append(f"{state['arrive_time']} 도착")
    if state.get("leave_time"):
        said.append(f"마지막 날 {state['leave_time']} 출발")
    said += [f"{with_topic(_BOOKED[name])} 예산에서 빼기(이미 있음)" for name in state.get("booked") or ()]
    if _slow(state):
        said.append("많이 걷지 않게 여유로운 일정")
    things = [*(state.get("avoid") or ()), *(["술"] if "술 제외" in (state.get("diet") or ()) else ())]
    return said + [f"{thing} 빼기" for thing in things if _known(thing, state)]


def _measured(state: Mapping[str, Any]) -> tuple[list[str], list[str]]:
    """Limits and means of transport: those that what was found keeps to, and those it doesn't."""
    flights, hotels = state.get("flight_options") or (), state.get("hotel_options") or ()
    modes = {option["mode"] for option in flights}
    minutes = min((option["outbound"]["duration_minutes"] for option in flights), default=0)
    nightly = min((option["total_price"] // (option["nights"] * option["rooms"]) for option in hotels), default=0)
    said: list[tuple[bool, str]] = []
    if limit := state.get("lodging_budget"):
        said.append((nightly <= limit, f"숙소 1박 {won(limit)} 이하"))
    if hours := state.get("max_flight"):
        said.append(("flight" not in modes or minutes <= hours * 60, f"비행 {hours:g}시간 이내"))
    if mode := state.get("transport"):
        said.append((not modes or mode in modes, f"{with_direction(_MODES[mode])} 이동"))
    said += [(mode not in modes, f"{_MODES[mode]} 빼기") for mode in state.get("no_transport") or ()]
    return [text for fits, text in said if fits], [text for fits, text in said if not fits]


def _unchecked(state: Mapping[str, Any]) -> list[str]:
    diet = [one for one in state.get("diet") or () if one != "술 제외"]
    said = [f"음식({', '.join(diet)})"] if diet else []
    said += [f"{thing} 피하기" for thing in state.get("avoid") or () if not _known(thing, state)]
    if state.get("access"):
        said.append(f"이동·건강({', '.join(state['access'])})")
    if state.get("pets"):
        said.append(f"반려동물 동반({', '.join(state['pets'])})")
    return said + list(state.get("wishes") or ())


def _slow(state: Mapping[str, Any]) -> bool:
    days = (state.get("itinerary") or {}).get("days") or ()
    return bool(state.get("access")) and bool(days) and all(day["pace"] == "relaxed" for day in days)


def _known(thing: str, state: Mapping[str, Any]) -> bool:
    """Whether our places can tell what is to be avoided."""
    city = all_cities().get(state.get("destination") or "")
    named = city is not None and any(thing in place.name for place in city.places)
    return named or bool(avoided_categories([thing])) or len(avoided_names([thing])) > 1
