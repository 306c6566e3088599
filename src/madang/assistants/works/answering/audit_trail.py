"""The audit trail: who asked what, which data was read, what was decided and why."""

from madang.assistants.works.answering.tasks import has_ended, is_done, readable, result_of, task_id
from madang.assistants.works.state import GlobalSessionState
from madang.assistants.works.state.session import AuditEntry
from madang.graph.outside_tools import OUTSIDE
from madang.state.clock import now_iso
from madang.state.steps import ExecutionStepState

MOVED_OUT = "커서 따로 보관한 결과"


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
    """What an agent read, what it came to, and why. What was too large for the state is told by its summary."""
    result = result_of(agent, state)
    if not result:
        return [], "", MOVED_OUT
    if agent == "DataAnalysisAgent":
        data = readable(result.get("processed_data"))
        read = [f"{table} ({data.get('data_version')})" for table in data.get("tables") or ()]
        return read, str(data.get("heading", "")), f"기간 {data.get('period')}, {data.get('row_count')}행"
    if agent == "AccountReviewAgent":
        read = [f"{table} ({result.get('data_version')})" for table in ("customers", "sales", "visits")]
        return read, str(result.get("heading", "")), f"기간 {result.get('period')}, {result.get('row_count')}곳"
    if agent == "ChangeAnalysisAgent":
        read = [f"sales ({result.get('data_version')})"]
        return read, str(result.get("heading", "")), f"기간 {result.get('period')}, 비교 {result.get('compare_period')}"
    if agent == "DataQueryAgent":
        headings = [str(one.get("heading", "")) for one in result.get("results") or ()]
        return ["sales"], "; ".join(headings), f"{len(headings)}가지"
    if agent == OUTSIDE:
        tools = [str(one.get("tool", "")) for one in result.get("results") or ()]
        return tools, f"{len(tools)}건", "외부 도구"
    if agent == "InformationRetrievalAgent":
        sources, queries = result.get("sources"), result.get("search_queries")
        read = [one["id"] for one in sources] if isinstance(sources, list) else []
        return read, f"{len(read)}건", f"검색어 {', '.join(queries)}" if isinstance(queries, list) else MOVED_OUT
    if agent == "DocumentGenerationAgent":
        made = readable(result.get("form_data"))
        read = [str(result.get("template_id") or "")]
        read += [one["field"] for one in result.get("source_data") or () if isinstance(one, dict) and "field" in one]
        return read, f"{result.get('title')} v{result.get('current_version')}", f"채운 항목 {len(made)}개"
    if agent == "ComplianceValidationAgent":
        broken, applied = result.get("violations"), result.get("applied_rules")
        told = "; ".join(f"{v['rule']}: {v['details']}" for v in broken) if isinstance(broken, list) else MOVED_OUT
        read = [f"rules: {rule}" for rule in applied] if isinstance(applied, list) else []
        return read, result.get("status") or "", told or f"점수 {result.get('score')}, 위험 {result.get('risk_level')}"
    return [], str(result.get("storage_decision") or "refused"), str(result.get("decision_reasoning") or "")


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
