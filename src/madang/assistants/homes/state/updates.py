"""What changes a `homes` state. Nothing here changes what it is given: each function returns the new value."""

from collections.abc import Mapping
from typing import Any, cast

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


def initial_search_state() -> SearchTeamState:
    return SearchTeamState(
        keywords=None,
        search_scope=["legal", "real_estate", "loan"],
        filters={},
        legal_results=[],
        real_estate_results=[],
        property_search_results=[],
        loan_results=[],
        aggregated_results={},
        total_results=0,
        search_time=0.0,
        sources_used=[],
        search_progress={},
        current_search=None,
        execution_strategy=None,
    )


def initial_analysis_state() -> AnalysisTeamState:
    return AnalysisTeamState(
        analysis_type="comprehensive",
        input_data={},
        raw_analysis={},
        metrics={},
        insights=[],
        report={},
        visualization_data=None,
        recommendations=[],
        confidence_score=None,
        analysis_progress={},
        analysis_time=None,
    )


def initial_document_state() -> DocumentTeamState:
    return DocumentTeamState(
        document_type=None,
        template=None,
        document_content=None,
        generation_progress={},
        review_needed=True,
        review_result=None,
        final_document=None,
        generation_time=None,
        review_time=None,
    )


_INITIAL = {"search": initial_search_state, "analysis": initial_analysis_state, "document": initial_document_state}


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
            "team_name": team_type,
            "status": "initialized",
            "shared_context": dict(shared_state),
            "start_time": None,
            "end_time": None,
            "error": None,
            **_INITIAL[team_type](),
            **good,
        }


def prepare_state_for_checkpoint(state: MainSupervisorState) -> MainSupervisorState:
    """The state without what can be loaded again: long-term memories."""
    return cast(MainSupervisorState, cleanup(state, drop=_LEFT_OUT_OF_CHECKPOINTS))


def _without(teams: list[str] | None, team: str) -> list[str]:
    return [other for other in teams or () if other != team]
