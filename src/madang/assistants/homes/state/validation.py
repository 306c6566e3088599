"""Whether a `homes` state holds together."""

import logging
from collections.abc import Mapping, Sequence
from typing import Any, get_args

from madang.assistants.homes.state.supervisor import MainSupervisorState
from madang.assistants.homes.state.teams import (
    AnalysisTeamState,
    DocumentTeamState,
    DocumentType,
    SearchScope,
    SearchTeamState,
    SharedState,
    SharedStatus,
)
from madang.state.validation import validate_update

logger = logging.getLogger(__name__)

Verdict = tuple[bool, list[str]]

ANALYSIS_TYPES = ("comprehensive", "market", "risk", "contract", "loan", "legal")


class StateValidator:
    """Each check answers whether the state is valid, and every reason why not."""

    @staticmethod
    def validate_shared_state(state: object) -> Verdict:
        """Needs a query and a session; the other fields only need to be right if they are there."""
        if not isinstance(state, Mapping):
            return False, [f"shared state must be a mapping, not {type(state).__name__}"]
        missing = [name for name in ("user_query", "session_id") if not state.get(name)]
        errors = [f"{name} is required" for name in missing]
        errors += _not_one_of("status", [state.get("status")], get_args(SharedStatus))
        return _verdict(errors + _type_errors(SharedState, state, but=("status", *missing)))

    @staticmethod
    def validate_search_state(state: object) -> Verdict:
        """The shared context, the scopes, and the type of every field."""
        errors = _shared_errors(state)
        if isinstance(state, Mapping):
            errors += _not_one_of("search scope", _items(state.get("search_scope")), get_args(SearchScope))
            errors += _type_errors(SearchTeamState, state, but=("shared_context", "search_scope"))
        return _verdict(errors)

    @staticmethod
    def validate_analysis_state(state: object) -> Verdict:
        """The shared context, the kind of analysis, the confidence, and the type of every field."""
        errors = _shared_errors(state)
        if isinstance(state, Mapping):
            errors += _not_one_of("analysis type", [state.get("analysis_type")], ANALYSIS_TYPES)
            errors += _type_errors(AnalysisTeamState, state, but=("shared_context", "analysis_type"))
        return _verdict(errors)

    @staticmethod
    def validate_document_state(state: object) -> Verdict:
        """The shared context, the kind of document, the review's risk level, and the type of every field."""
        errors = _shared_errors(state)
        if isinstance(state, Mapping):
            errors += _not_one_of("document type", [state.get("document_type")], get_args(DocumentType))
            errors += _type_errors(DocumentTeamState, state, but=("shared_context", "document_type"))
        return _verdict(errors)


def check_state_consistency(state: MainSupervisorState) -> list[str]:
    """Every way in which the lists of teams and the plan contradict each other, logged and returned."""
    planning = state.get("planning_state") or {}
    step_teams = {step["team"] for step in planning.get("execution_steps") or ()}
    active = set(state.get("active_teams") or ())
    completed = set(state.get("completed_teams") or ())
    failed = set(state.get("failed_teams") or ())
    planned = set(state.get("planned_teams") or active | completed | failed)
    problems = []
    if planned != step_teams:
        problems.append(f"planned_teams={sorted(planned)} but execution_steps are for {sorted(step_teams)}")
    if unplanned := (active | completed | failed) - planned:
        problems.append(f"{sorted(unplanned)} were not planned")
    if both := (active & completed) | (active & failed) | (completed & failed):
        problems.append(f"{sorted(both)} are in more than one list of teams")
    if problems:
        logger.warning("state inconsistency", extra={"problems": problems, "session_id": state.get("session_id")})
    return problems


def _shared_errors(state: object) -> list[str]:
    if not isinstance(state, Mapping):
        return [f"state must be a mapping, not {type(state).__name__}"]
    return StateValidator.validate_shared_state(state.get("shared_context") or {})[1]


def _type_errors(state_type: type, state: Mapping[str, Any], but: Sequence[str]) -> list[str]:
    _, problems = validate_update(state_type, {name: value for name, value in state.items() if name not in but})
    return [str(problem) for problem in problems]


def _not_one_of(what: str, values: Sequence[Any], allowed: Sequence[str]) -> list[str]:
    return [f"Invalid {what}: {value}" for value in values if value is not None and value not in allowed]


def _items(value: Any) -> Sequence[Any]:
    return value if isinstance(value, list | tuple) else [] if value is None else [value]


def _verdict(errors: list[str]) -> Verdict:
    return not errors, errors
