"""The seed's bookkeeping fields, derived from the steps after each phase."""

from collections.abc import Mapping
from typing import Any, cast

from madang.assistants.travel.state import MultiAgentTravelState
from madang.assistants.travel.state.results import Itinerary
from madang.assistants.travel.state.trip_facts import current_plan, itinerary_of
from madang.state.clock import now_iso
from madang.state.steps import TERMINAL_STEPS

State = Mapping[str, Any]
_NO_DAYS: Itinerary = {}
DONE = {
    "flight_expert": "flights_searched",
    "hotel_expert": "hotels_searched",
    "itinerary_planner": "itinerary_planned",
    "budget_manager": "budget_analyzed",
    "coordinator": "plans_generated",
}
COUNTED = {
    "local_guide": ("guide_answers", "답"), "destination_advisor": ("suggestions", "도시"),
    "guide_lookup": ("looked_up", "답"), "trip_estimate": ("trip_estimates", "가지"),
    "outside_tool": ("tool_results", "답"),
}  # fmt: skip
ANALYSES = {"flight_expert": "flight_analysis", "hotel_expert": "hotel_analysis"}


def track(phase: str, state: State) -> dict[str, Any]:
    """What a phase changes in the bookkeeping of `MultiAgentTravelState`."""
    if phase in ("initialize", "planning", "aggregate"):
        step = {"current_step": _step(state), **_days_in_force(state)} if phase == "planning" else {}
        return {"updated_at": now_iso(), **step}
    if phase == "respond":
        return {"current_step": _step(state), "updated_at": now_iso(), "current_agent": "", "next_agent": ""}
    steps = state.get("execution_steps") or []
    running = [step["agent"] for step in steps if step["status"] == "in_progress"]
    waiting = [step["agent"] for step in steps if step["status"] == "pending"]
    update: dict[str, Any] = {
        "current_agent": running[0] if running else "",
        "next_agent": running if len(running) > 1 else (waiting[0] if waiting else ""),
        "current_step": _step(state),
    }
    if phase == "collect":
        update |= {**_finished(state), **_days_in_force(state)}
    return update


def _days_in_force(state: State) -> dict[str, Itinerary]:
    """`itinerary` is the days of the plan that is recommended or chosen; until there is one, of the usual one."""
    found = state.get("itineraries")
    if found is None:
        return {}
    if found and state.get("final_plans"):
        days = itinerary_of(found, current_plan(cast(MultiAgentTravelState, state)))
    else:
        days = next((one for one in found if one["type"] == "standard"), _NO_DAYS)
    return {} if days == (state.get("itinerary") or _NO_DAYS) else {"itinerary": days}


def _finished(state: State) -> dict[str, Any]:
    steps = state.get("execution_steps") or []
    ran = [s["agent"] for s in steps if s["status"] == "completed"]
    known = state.get("agent_history") or []
    there = {s["agent"] for s in steps if s["status"] == "completed" or s.get("reused")}
    lost = {s["agent"] for s in steps if s["status"] in TERMINAL_STEPS} - there
    flags = {DONE[name]: True for name in there if name in DONE} | {DONE[name]: False for name in lost if name in DONE}
    kept = state.get("agent_results") or {}
    found = {name: _result(state, name) for name in there if name not in kept or name in COUNTED}
    results = {name: result for name, result in found.items() if kept.get(name) != result}
    return {**flags, "agent_history": [name for name in ran if name not in known], "agent_results": results}


def _result(state: State, name: str) -> dict[str, Any]:
    """An agent's result as a summary; the result itself stays in its own fields."""
    if name in ANALYSES:
        analysis = state.get(ANALYSES[name]) or {}
        options = state.get("flight_options" if name == "flight_expert" else "hotel_options") or []
        tier = analysis.get("recommendation")
        chosen = next((option for option in options if option["type"] == tier), None)
        price = {k: chosen[k] for k in ("type", "price", "total_price") if k in chosen} if chosen else None
        return {"recommendation": price, "reasoning": analysis.get("reasoning", ""), "tips": analysis.get("tips", [])}
    if name == "itinerary_planner":
        gained = (state.get("itinerary_optimization") or {}).get("reasoning", "")
        return {"summary": (state.get("itinerary") or {}).get("summary", ""), "reasoning": gained}
    if name in COUNTED:
        field, what = COUNTED[name]
        return {"summary": f"{what} {len(state.get(field) or ())}"}
    if name == "budget_manager":
        return {"summary": f"합계 {state['budget_breakdown']['total']:,}원"}
    chosen_plan = state["recommendation"]
    return {
        "summary": f"{chosen_plan['title']} {chosen_plan['total']:,}원",
        "reasoning": " ".join(chosen_plan["reasons"]),
    }


def _step(state: State) -> str:
    steps = state.get("execution_steps") or []
    if not steps:
        return "done" if state.get("final_plans") and state.get("info_collected") else "collecting"
    open_agents = {s["agent"] for s in steps if s["status"] not in TERMINAL_STEPS}
    if not open_agents:
        return "done"
    return "searching" if open_agents & {"flight_expert", "hotel_expert"} else "planning"
