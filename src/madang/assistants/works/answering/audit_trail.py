"""The audit trail: who asked what, which data was read, what was decided and why."""

from madang.assistants.works.answering.tasks import has_ended, is_done, task_id
from madang.assistants.works.state import GlobalSessionState
from madang.assistants.works.state.session import AuditEntry
from madang.state.clock import now_iso
from madang.state.steps import ExecutionStepState


def audit_asked(state: GlobalSessionState) -> list[AuditEntry]:
    """The entry for the question itself; none when it was not even read."""
    if not (analyzer := state.get("query_analyzer_state")):
        return [_entry(state, "asked", "QueryAnalyzer")]
    meaning, intent = analyzer["semantic_query"], analyzer["parsed_intents"][0]["intent"]
    agents = ", ".join(analyzer["suggested_agents"])
    return [
        {
            **_entry(state, "asked", "QueryAnalyzer"),
            "query": state.get("query"),
            "decision": meaning["kind"] if meaning else intent,
            "reason": f"의도 {intent}" + (f", 실행 {agents}" if agents else ", 실행 없음"),
        }
    ]


def audit_steps(state: GlobalSessionState, steps: list[ExecutionStepState]) -> list[AuditEntry]:
    """An entry for each step that has ended since the last look."""
    request = state.get("request_id", "")
    logged = {e.get("task_id") for e in state.get("audit_trail") or () if e.get("request_id") == request}
    return [_step_entry(state, step) for step in steps if has_ended(step) and task_id(step) not in logged]


def _step_entry(state: GlobalSessionState, step: ExecutionStepState) -> AuditEntry:
    action = "reused" if step.get("reused") else step["status"]
    entry: AuditEntry = {**_entry(state, action, step["agent"]), "task_id": task_id(step)}
    if not is_done(step):
        return {**entry, "reason": step["error"]}
    read, decision, reason = _account(step["agent"], state)
    return {**entry, "data_read": read, "decision": decision, "reason": reason}


def _account(agent: str, state: GlobalSessionState) -> tuple[list[str], str, str]:
    """What an agent read, what it came to, and why."""
    if agent == "DataAnalysisAgent" and (analysis := state.get("data_analysis")):
        data = analysis["processed_data"]
        read = [f"{table} ({data['data_version']})" for table in data["tables"]]
        return read, data["heading"], f"기간 {data['period']}, {data['row_count']}행"
    if agent == "InformationRetrievalAgent" and (found := state.get("information_retrieval")):
        read = [one["id"] for one in found["sources"]]
        return read, f"{len(read)}건", f"검색어 {', '.join(found['search_queries'])}"
    if agent == "DocumentGenerationAgent" and (made := state.get("document_generation")):
        read = [made["template_id"] or "", *(one["field"] for one in made["source_data"])]
        return read, f"{made['title']} v{made['current_version']}", f"채운 항목 {len(made['form_data'])}개"
    if agent == "ComplianceValidationAgent" and (judged := state.get("compliance_validation")):
        broken = "; ".join(f"{v['rule']}: {v['details']}" for v in judged["violations"])
        read = [f"rules: {rule}" for rule in judged["applied_rules"]]
        return read, judged["status"] or "", broken or f"점수 {judged['score']}, 위험 {judged['risk_level']}"
    if agent == "StorageDecisionAgent" and (stored := state.get("storage_decision")):
        return [], stored["storage_decision"] or "refused", stored["decision_reasoning"] or ""
    return [], "", ""


def _entry(state: GlobalSessionState, action: str, agent: str) -> AuditEntry:
    return {
        "timestamp": now_iso(),
        "request_id": state.get("request_id", ""),
        "user_id": state.get("user_id", ""),
        "company_id": state.get("company_id", ""),
        "action": action,
        "agent": agent,
        "task_id": None,
        "query": None,
        "data_read": [],
        "decision": None,
        "reason": None,
    }
