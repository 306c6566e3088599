"""What changes a `homes` state. Nothing here changes what it is given: each function returns the new value."""

from collections.abc import Mapping
from copy import deepcopy
from typing import Any, cast, get_origin, get_type_hints

from typing_extensions import is_typeddict

from madang.assistants.homes.state.planning import PlanningState
from madang.assistants.homes.state.supervisor import MainSupervisorState
from madang.assistants.homes.state.teams import AnalysisTeamState, DocumentTeamState, SearchTeamState, SharedState
from madang.errors import FieldProblem, InvalidState
from madang.state.clock import now_iso
from madang.state.reducers import append_unique, merge_to_depth
from madang.state.size import cleanup
from madang.state.steps import StepStatus, update_step
from madang.state.validation import validate_update

TEAM_STATES: dict[str, type] = {
    "search": SearchTeamState,
    "analysis": AnalysisTeamState,
    "document": DocumentTeamState,
}
_INITIAL: dict[str, dict[str, Any]] = {
    "search": {"search_scope": ["legal", "real_estate", "loan"]},
    "analysis": {"analysis_type": "comprehensive"},
    "document": {"review_needed": True},
}
_SUCCESS = ("completed", "success")
_LEFT_OUT_OF_CHECKPOINTS = ("loaded_memories",)


def team_update(state: Mapping[str, Any], team: str, result: Mapping[str, Any]) -> dict[str, Any]:
    """The fields that change when a team has ended: its results, and in which list of teams it is.

    A team is in one list only, once, whether or not it was active. Results of the same team are merged; those of a
    failed attempt give way to a successful one.
    """
    succeeded = result.get("status") in _SUCCESS
    results = dict(state.get("team_results") or {})
    if succeeded and team in (state.get("failed_teams") or ()):
        results.pop(team, None)
    ended = "completed_teams" if succeeded else "failed_teams"
    other = "failed_teams" if succeeded else "completed_teams"
    return {
        "team_results": merge_to_depth(2)(results, {team: dict(result)}),
        ended: append_unique(state.get(ended), [team]),
        other: _without(state.get(other), team),
        "active_teams": _without(state.get("active_teams"), team),
    }


_EMPTY = {list: list, dict: dict, int: int, float: float}


def _empty_state(team: str) -> dict[str, Any]:
    """Every field of a team's state before anything is known: empty, zero or null by its type."""
    hints = get_type_hints(TEAM_STATES[team])
    makers = {
        name: dict if is_typeddict(hint) else _EMPTY.get(get_origin(hint) or hint) for name, hint in hints.items()
    }
    return {**{name: make() if make else None for name, make in makers.items()}, **deepcopy(_INITIAL[team])}


class StateManager:
    """The seeds' names for the functions above."""

    @staticmethod
    def create_shared_state(
        query: str,
        session_id: str,
        user_id: int | None = None,
        language: str = "ko",
        timestamp: str | None = None,
    ) -> SharedState:
        """What every team is given, in status `pending`."""
        return SharedState(
            user_query=query,
            session_id=session_id,
            user_id=user_id,
            timestamp=timestamp or now_iso(),
            language=language,
            status="pending",
            error_message=None,
        )

    @staticmethod
    def update_step_status(
        planning_state: PlanningState,
        step_id: str,
        new_status: StepStatus,
        progress: int | None = None,
        error: str | None = None,
    ) -> PlanningState:
        """The plan with one step in its new status. Raises `NotFound`, `IllegalTransition` or `InvalidState`."""
        steps = update_step(
            planning_state.get("execution_steps") or [], step_id, new_status, progress=progress, error=error
        )
        return {**planning_state, "execution_steps": steps}

    @staticmethod
    def merge_team_results(
        main_state: MainSupervisorState, team_name: str, team_result: Mapping[str, Any]
    ) -> MainSupervisorState:
        """The state after a team has ended, as `team_update` says."""
        return cast(MainSupervisorState, {**main_state, **team_update(main_state, team_name, team_result)})

    @staticmethod
    def create_initial_team_state(
        team_type: str, shared_state: SharedState, additional_data: Mapping[str, Any] | None = None
    ) -> dict[str, Any]:
        """A team's state before it starts, with `additional_data` over the defaults.

        Raises `InvalidState` for an unknown team, an unknown field or a value of the wrong type.
        """
        if team_type not in TEAM_STATES:
            raise InvalidState([FieldProblem("team_type", f"no team {team_type!r}", ", ".join(TEAM_STATES))])
        good, problems = validate_update(TEAM_STATES[team_type], dict(additional_data or {}))
        if problems:
            raise InvalidState(problems)
        return {
            **_empty_state(team_type),
            "team_name": team_type,
            "status": "initialized",
            "shared_context": dict(shared_state),
            **good,
        }


def prepare_state_for_checkpoint(state: MainSupervisorState) -> MainSupervisorState:
    """The state without what can be loaded again: long-term memories."""
    return cast(MainSupervisorState, cleanup(state, drop=_LEFT_OUT_OF_CHECKPOINTS))


def _without(teams: list[str] | None, team: str) -> list[str]:
    return [other for other in teams or () if other != team]
