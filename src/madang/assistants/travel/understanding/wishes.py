"""Wishes about a finished plan: which field each one sets, and what the plan was before."""

import re
from collections.abc import Mapping
from typing import Any

from madang.assistants.travel.data.cities import all_cities
from madang.assistants.travel.state import MultiAgentTravelState
from madang.assistants.travel.state.initial import no_wishes
from madang.assistants.travel.state.results import EarlierPlan, Mode, SlotChange
from madang.assistants.travel.state.trip_facts import cities_of, current_plan
from madang.assistants.travel.tools.plans import shifted
from madang.assistants.travel.tools.transport import MODE_LABELS, TIER_LABELS
from madang.assistants.travel.understanding.follow_ups import FollowUp
from madang.assistants.travel.understanding.night_limits import within_limit
from madang.assistants.travel.understanding.slots.side_prices import nightly_limit
from madang.graph import Answer
from madang.text.normalise import normalise
from madang.text.particles import with_direction, with_topic

_DERIVED = ("adults", "budget_total_said", "assumptions", "waived", "day_paces", "chosen_plan")
_UNDO = re.compile(r"원래대로|되돌려|아까\s?(?:대로|걸로|꺼로)|취소하고\s?원래")
_TIRING = re.compile(r"빡[세센셀빡]|힘들|피곤|무리(?:야|예|인)|너무\s?많이\s?(?:걸|돌)")
_TOP = re.compile(r"5\s?성|최고급|(?:제일|가장)\s?(?:좋은|비싼)")
_MODES: dict[Mode, re.Pattern[str]] = {
    "train": re.compile(r"(?:ktx|srt|기차|열차)(?:로|를|을|\s?타)", re.IGNORECASE),
    "bus": re.compile(r"버스(?:로|를|\s?타)"),
    "car": re.compile(r"(?:렌트카|렌터카|자가용|자차|차)(?:로|를|\s?(?:몰|끌|운전))|운전해"),
    "flight": re.compile(r"비행기(?:로|를)\s?(?:갈|가|타)"),
}
_MODE_NAMES: dict[Mode, str] = {**MODE_LABELS, "flight": "비행기"}


def unnamed_wish(state: MultiAgentTravelState) -> dict[str, Any] | Answer | None:
    """Wishes said without naming what they are about: as it was, less tiring, by another means of transport."""
    said = state["query"]
    if _UNDO.search(said):
        empty = {**no_wishes(), "transport": None, "no_transport": []}
        undone = {name: value for name, value in empty.items() if state.get(name)}
        return undone or Answer(answer="되돌릴 것이 없어요. 처음 계획 그대로예요.")
    if limit := nightly_limit(normalise(said)):
        return within_limit(state, limit)
    if mode := next((name for name, pattern in _MODES.items() if pattern.search(said)), None):
        return _by(state, mode)
    if _TIRING.search(said) and state.get("pace") != "relaxed":
        return {"pace": "relaxed"}
    return None


def _by(state: MultiAgentTravelState, mode: Mode) -> dict[str, Any] | Answer:
    """The option that goes by this means of transport, if there is one."""
    offered = {option["mode"]: option["type"] for option in reversed(state["flight_options"])}
    if mode in offered:
        if offered[mode] == current_plan(state)["flight_type"]:
            return Answer(answer=f"이미 {with_direction(_MODE_NAMES[mode])} 잡혀 있어요.")
        return {"flight_tier": offered[mode]}
    names = ", ".join(_MODE_NAMES[name] for name in offered)
    missing = with_topic(_MODE_NAMES[mode])
    return Answer(answer=f"{missing} 이 구간의 세 가지 선택지에 없어요. 고를 수 있는 교통편은 {names}예요.")


def wish(state: MultiAgentTravelState, meant: FollowUp) -> dict[str, Any] | Answer:
    """The update that a follow-up asks for, or an answer when there is nothing to change."""
    if meant.kind in ("hotel_tier", "flight_tier"):
        return _tier(state, meant)
    if meant.kind == "direct_only":
        return _direct(state)
    days = state["itinerary"]["days"]
    if meant.kind == "avoid_place":
        planned = {place["name"] for day in days for place in day["places"]}
        if meant.place not in planned and meant.place not in (state.get("must_visit_places") or ()):
            return Answer(answer=f"{with_topic(str(meant.place))} 지금 일정에 없어요.")
        kept = [place for place in state.get("must_visit_places") or () if place != meant.place]
        return {"avoid_places": _more(state, [str(meant.place)]), "must_visit_places": kept}
    number = len(days) if meant.day == -1 else meant.day or 1
    if number > len(days):
        return Answer(type="guidance", answer=f"일정은 {len(days)}일까지 있어요. 며칠째 날을 바꿀까요?")
    if meant.kind == "swap_day" and days[number - 1]["city"] not in all_cities():
        return Answer(type="guidance", answer="이 도시는 상세 장소 자료가 없어 다른 장소를 권해 드리기 어려워요.")
    if meant.kind == "swap_day":
        must = state.get("must_visit_places") or ()
        gone = [place["name"] for place in days[number - 1]["places"] if place["name"] not in must]
        return {"avoid_places": _more(state, gone)}
    return {"day_paces": {**(state.get("day_paces") or {}), str(number): meant.pace or "relaxed"}}


def turn_changes(state: MultiAgentTravelState, changed: Mapping[str, Any]) -> dict[str, Any]:
    """For the answer: what this turn changes, and the plan as it stood."""
    recommended = state.get("recommendation")
    if not state.get("final_plans") or not recommended:
        return {}
    changes: list[SlotChange] = [
        {"slot": name, "before": state.get(name), "after": after}
        for name, after in changed.items()
        if name not in _DERIVED and (state.get(name) or None) != (after or None)
    ]
    if changed.keys() & {"destination", "destinations"}:
        cities: SlotChange = {"slot": "cities", "before": _cities(state), "after": _cities({**state, **changed})}
        changes = [cities, *(change for change in changes if change["slot"] not in ("destination", "destinations"))]
    plan = current_plan(state)
    plan_before: EarlierPlan = {
        "type": plan["type"],
        "flight_type": plan["flight_type"],
        "hotel_type": plan["hotel_type"],
        "title": plan["title"],
        "total": plan["total"],
        "fits": recommended["fits"],
    }
    return {"slot_changes": changes, "before": plan_before}


def _cities(slots: Mapping[str, Any]) -> list[str]:
    return list(cities_of(slots)) if slots.get("destination") else []


def _tier(state: MultiAgentTravelState, meant: FollowUp) -> dict[str, Any] | Answer:
    plan, hotel = current_plan(state), meant.kind == "hotel_tier"
    now = plan["hotel_type"] if hotel else plan["flight_type"]
    wanted = "premium" if meant.step > 0 and _TOP.search(state["query"]) else shifted(now, meant.step)
    if wanted != now:
        return {meant.kind: wanted}
    what = "숙소" if hotel else "교통편"
    edge = "높은" if meant.step > 0 else "저렴한"
    text = f"{with_topic(what)} 이미 가장 {edge} {TIER_LABELS[now]} 등급이에요."
    if hotel and meant.step < 0:
        text += " 게스트하우스나 에어비앤비로 바꾸면 더 낮출 수 있어요."
    return Answer(answer=text)


def _direct(state: MultiAgentTravelState) -> dict[str, Any] | Answer:
    options = state["flight_options"]
    if all(option["mode"] != "flight" for option in options):
        return Answer(answer="이 여행은 비행기를 타지 않아 경유가 없어요.")
    if all(not option["outbound"]["stops"] and not option["inbound"]["stops"] for option in options):
        return Answer(answer="지금 보여 드린 항공편은 모두 직항이에요.")
    return {"direct_only": True}


def _more(state: MultiAgentTravelState, places: list[str]) -> list[str]:
    return list(dict.fromkeys([*(state.get("avoid_places") or ()), *places]))
