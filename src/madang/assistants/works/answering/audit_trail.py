"""The audit trail: who asked what, which data was read, what was decided and why."""

from collections.abc import Mapping
from typing import Any

from madang.assistants.works.answering.tasks import State, has_ended, is_done, result_of, task_id
from madang.assistants.works.state.session import AuditEntry
from madang.state.clock import now_iso
from madang.state.steps import ExecutionStepState


def audit_asked(state: State) -> list[AuditEntry]:
    """The entry for the question itself."""
    analyzer = state.get("query_analyzer_state") or {}
    meaning = analyzer.get("semantic_query") or {}
    intents = analyzer.get("parsed_intents") or [{}]
    agents = ", ".join(analyzer.get("suggested_agents") or ())
    return [
        _entry(
            state,
            action="asked",
            agent="QueryAnalyzer",
            query=str(state.get("query") or ""),
            decision=str(meaning.get("kind") or intents[0].get("intent") or ""),
            reason=f"의도 {intents[0].get('intent', '')}" + (f", 실행 {agents}" if agents else ", 실행 없음"),
        )
    ]


def audit_steps(state: State, steps: list[ExecutionStepState]) -> list[AuditEntry]:
    """An entry for each step that has ended since the last look."""
    request = state.get("request_id", "")
    logged = {e.get("task_id") for e in state.get("audit_trail") or () if e.get("request_id") == request}
    return [_step_entry(state, step) for step in steps if has_ended(step) and task_id(step) not in logged]


def _step_entry(state: State, step: ExecutionStepState) -> AuditEntry:
    agent, task = step["agent"], task_id(step)
    if not is_done(step):
        return _entry(state, action=step["status"], agent=agent, task=task, reason=step["error"])
    describe = {
        "DataAnalysisAgent": _analysis,
        "InformationRetrievalAgent": _search,
        "DocumentGenerationAgent": _document,
        "ComplianceValidationAgent": _compliance,
        "StorageDecisionAgent": _storage,
    }[agent]
    read, decision, reason = describe(result_of(agent, state))
    action = "reused" if step.get("reused") else "completed"
    return _entry(state, action=action, agent=agent, task=task, read=read, decision=decision, reason=reason)


def _analysis(result: Mapping[str, Any]) -> tuple[list[str], str, str]:
    processed = result.get("processed_data") or {}
    read = [f"{table} ({processed.get('data_version')})" for table in processed.get("tables") or ()]
    return read, str(processed.get("heading", "")), f"기간 {processed.get('period')}, {processed.get('row_count')}행"


def _search(result: Mapping[str, Any]) -> tuple[list[str], str, str]:
    read = [str(s.get("id")) for s in result.get("sources") or ()]
    return read, f"{len(read)}건", f"검색어 {', '.join(result.get('search_queries') or ())}"


def _document(result: Mapping[str, Any]) -> tuple[list[str], str, str]:
    return (
        [str(result.get("template_id"))],
        f"{result.get('title')} v{result.get('current_version')}",
        "양식의 필수 항목이 모두 있음",
    )


def _compliance(result: Mapping[str, Any]) -> tuple[list[str], str, str]:
    broken = [f"{v['rule']}: {v['details']}" for v in result.get("violations") or ()]
    reason = "; ".join(broken) or f"점수 {result.get('score')}, 위험 {result.get('risk_level')}"
    return [f"rules: {r}" for r in result.get("applied_rules") or ()], str(result.get("status")), reason


def _storage(result: Mapping[str, Any]) -> tuple[list[str], str, str]:
    decision = result.get("storage_decision") or "refused"
    return [], str(decision), str(result.get("decision_reasoning") or "")


def _entry(
    state: State,
    *,
    action: str,
    agent: str,
    task: str | None = None,
    query: str | None = None,
    read: list[str] | None = None,
    decision: str | None = None,
    reason: str | None = None,
) -> AuditEntry:
    return AuditEntry(
        timestamp=now_iso(),
        request_id=str(state.get("request_id", "")),
        user_id=str(state.get("user_id", "")),
        company_id=str(state.get("company_id", "")),
        action=action,
        agent=agent,
        task_id=task,
        query=query,
        data_read=read or [],
        decision=decision,
        reason=reason,
    )
