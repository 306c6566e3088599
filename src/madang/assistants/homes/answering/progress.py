"""The seed's bookkeeping fields, derived from the steps after each phase. Results stay in `team_results`."""

from collections.abc import Mapping
from typing import Any

from madang.assistants.homes.understanding.plan_fields import teams_of
from madang.state.clock import now_iso, seconds_between
from madang.state.steps import TERMINAL_STEPS, ExecutionStepState

State = Mapping[str, Any]
PHASES = {
    "initialize": "initialization",
    "planning": "planning",
    "dispatch": "executing",
    "collect": "executing",
    "aggregate": "aggregation",
    "respond": "response_generation",
}
LISTS = ("legal_search", "real_estate_search", "property_search", "loan_search")
SCOPES = {"legal_search": "legal", "market_search": "real_estate", "property_search": "property", "loan_search": "loan"}


def track(phase: str, state: State) -> dict[str, Any]:
    """What a phase changes in the bookkeeping of `MainSupervisorState`."""
    update: dict[str, Any] = {"current_phase": PHASES[phase]}
    if phase == "initialize":
        started = {"status": "initialized", "start_time": now_iso(), "chat_session_id": state.get("session_id")}
        return {**update, **started}
    steps = steps_of(state)
    update |= _teams(steps)
    if phase == "planning":
        return {**update, "planned_teams": teams_of(steps), "status": "processing"}
    if phase in ("dispatch", "collect"):
        return {**update, **team_states(state, steps)}
    if phase == "aggregate":
        results = {team: _marks(state, team, steps) for team in teams_of(steps)}
        return {
            **update,
            **team_states(state, steps),
            "team_results": results,
            "aggregated_results": {team: _outcome(state, team, steps) for team in teams_of(steps)},
        }
    return {**update, **_ended(state)}


def steps_of(state: State) -> list[ExecutionStepState]:
    return list((state.get("planning_state") or {}).get("execution_steps") or ())


def _teams(steps: list[ExecutionStepState]) -> dict[str, list[str]]:
    """A team is active until all its steps are terminal, then completed if any of them has a result."""
    active, completed, failed = [], [], []
    for team in teams_of(steps):
        own = [step for step in steps if step["team"] == team]
        if any(step["status"] not in TERMINAL_STEPS for step in own):
            active.append(team)
        elif any(step["status"] == "completed" or step.get("reused") for step in own):
            completed.append(team)
        else:
            failed.append(team)
    return {"active_teams": active, "completed_teams": completed, "failed_teams": failed}


def team_states(state: State, steps: list[ExecutionStepState]) -> dict[str, Any]:
    """Each planned team's own state, in short."""
    makers = {"search": _search_state, "analysis": _analysis_state, "document": _document_state}
    return {f"{team}_team_state": makers[team](state, steps) for team in teams_of(steps)}


def _common(state: State, team: str, steps: list[ExecutionStepState]) -> dict[str, Any]:
    own = [step for step in steps if step["team"] == team]
    begun = [step["started_at"] for step in own if step["started_at"]]
    ended = all(step["status"] in TERMINAL_STEPS for step in own)
    errors = [str(step["error"]) for step in own if step["status"] == "failed"]
    return {
        "team_name": team,
        "status": _status(own),
        "shared_context": {
            "user_query": state.get("query", ""),
            "session_id": state.get("session_id", ""),
            "user_id": state.get("user_id"),
            "language": state.get("language") or "ko",
            "status": "completed" if ended else "processing",
        },
        "start_time": min(begun, default=None),
        "end_time": max((str(step["completed_at"]) for step in own), default=None) if ended else None,
        "error": "; ".join(errors) or None,
    }


def _status(own: list[ExecutionStepState]) -> str:
    if any(step["status"] not in TERMINAL_STEPS for step in own):
        return "running" if any(step["status"] == "in_progress" for step in own) else "pending"
    return "completed" if any(step["status"] == "completed" or step.get("reused") for step in own) else "failed"


def _progress(team: str, steps: list[ExecutionStepState]) -> dict[str, str]:
    return {step["agent"]: "reused" if step.get("reused") else step["status"] for step in steps if step["team"] == team}


def _seconds(team: str, steps: list[ExecutionStepState]) -> float:
    return round(sum(step.get("execution_time") or 0.0 for step in steps if step["team"] == team), 3)


def _counts(state: State) -> dict[str, int]:
    search = (state.get("team_results") or {}).get("search") or {}
    return {name: len(search[name]) for name in LISTS if search.get(name) is not None}


def _search_state(state: State, steps: list[ExecutionStepState]) -> dict[str, Any]:
    counts = _counts(state)
    scopes = [SCOPES[step["agent"]] for step in steps if step["agent"] in SCOPES]
    running = [step["agent"] for step in steps if step["team"] == "search" and step["status"] == "in_progress"]
    return {
        **_common(state, "search", steps),
        "keywords": state.get("search_keywords"),
        "search_scope": scopes,
        "filters": {name: state[name] for name in ("region", "deal_type", "area_m2") if state.get(name)},
        "aggregated_results": counts,
        "total_results": sum(counts.values()),
        "search_time": _seconds("search", steps),
        "sources_used": list(counts),
        "search_progress": _progress("search", steps),
        "current_search": running[0] if running else None,
        "execution_strategy": (state.get("planning_state") or {}).get("execution_strategy"),
    }


def _analysis_state(state: State, steps: list[ExecutionStepState]) -> dict[str, Any]:
    found = (state.get("team_results") or {}).get("analysis") or {}
    return {
        **_common(state, "analysis", steps),
        "analysis_type": _analysis_type(state),
        "confidence_score": found.get("confidence_score"),
        "analysis_time": _seconds("analysis", steps),
        "analysis_progress": _progress("analysis", steps),
    }


def _analysis_type(state: State) -> str:
    kinds = {
        "market_inquiry": "market", "loan_consult": "loan", "risk_analysis": "risk", "contract_review": "contract",
        "legal_consult": "legal",
    }  # fmt: skip
    return kinds.get(str(state.get("last_intent")), "comprehensive")


def _document_state(state: State, steps: list[ExecutionStepState]) -> dict[str, Any]:
    found = (state.get("team_results") or {}).get("document") or {}
    return {
        **_common(state, "document", steps),
        "document_type": found.get("document_type"),
        "review_needed": not found.get("review_result"),
        "generation_time": _seconds("document", steps),
        "generation_progress": _progress("document", steps),
    }


def _marks(state: State, team: str, steps: list[ExecutionStepState]) -> dict[str, Any]:
    own = [step for step in steps if step["team"] == team]
    errors = [str(step["error"]) for step in own if step["status"] == "failed"]
    marks: dict[str, Any] = {"status": _word(own), "error": "; ".join(errors) or None}
    if team == "search":
        counts = _counts(state)
        marks |= {"total_results": sum(counts.values()), "sources_used": list(counts)}
    return marks


def _word(own: list[ExecutionStepState]) -> str:
    good = [step["status"] == "completed" or bool(step.get("reused")) for step in own]
    return "success" if all(good) else "partial" if any(good) else "failed"


def _outcome(state: State, team: str, steps: list[ExecutionStepState]) -> dict[str, Any]:
    own = [step for step in steps if step["team"] == team]
    found = (state.get("team_results") or {}).get(team) or {}
    if team == "search":
        top = (found.get("legal_search") or [{}])[0]
        data: dict[str, Any] = {"counts": _counts(state), "best": top.get("source")}
    elif team == "analysis":
        raw = found.get("raw_analysis") or {}
        data = {"tools": sorted(raw), "insights": len(found.get("insights") or ())}
        data["summary"] = (found.get("report") or {}).get("summary")
    else:
        content = found.get("document_content") or {}
        data = {
            "title": content.get("title"),
            "document_id": found.get("document_id"),
            "decision": found.get("decision"),
        }
    return {"status": _word(own), "data": data}


def _ended(state: State) -> dict[str, Any]:
    end = now_iso()
    start = state.get("start_time")
    failures = state.get("failures") or []
    return {
        "status": "completed",
        "end_time": end,
        "total_execution_time": round(seconds_between(start, end), 3) if start else None,
        "error_log": [{"timestamp": end, "error": f["error"], "where": f["agent"]} for f in failures],
    }
