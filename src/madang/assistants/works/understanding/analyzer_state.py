"""The seed's record of how a question was understood: every field computed, or null."""

from madang.assistants.works.services import WorksServices
from madang.assistants.works.state.semantic_query import SemanticQuery
from madang.assistants.works.state.stages import Ambiguity, QueryAnalyzerState
from madang.assistants.works.understanding.question import Understood
from madang.assistants.works.understanding.replies import answer_for, choices_for
from madang.graph import TurnContext
from madang.state.clock import now_iso

CAPABILITIES = {
    "AccountReviewAgent": ["customer_lists", "visit_plans"],
    "ChangeAnalysisAgent": ["change_decomposition"],
    "DataQueryAgent": ["sql_query"],
    "DataAnalysisAgent": ["sql_query", "data_visualization"],
    "InformationRetrievalAgent": ["internal_search", "rule_search"],
    "DocumentGenerationAgent": ["form_filling", "document_rendering"],
    "ComplianceValidationAgent": ["fact_extraction", "rule_check"],
    "StorageDecisionAgent": ["filing"],
    "outside_tool": ["outside_tools"],
}
SCOPES = ("customer", "rep", "team", "branch", "region")


def analyzer_state(
    text: str,
    reading: Understood,
    intent: str,
    agents: list[str],
    user: str,
    company: str,
    ctx: TurnContext[WorksServices],
) -> QueryAnalyzerState:
    """What was asked, by whom, and whether it can be done."""
    query = reading.query
    clarify = query["kind"] == "clarify"
    return {
        "raw_query": text,
        "query_timestamp": now_iso(),
        "user_context": {
            "user_id": user,
            "company_id": company,
            "today": ctx.today.isoformat(),
            "followed": reading.followed,
        },
        "parsed_intents": [{"intent": intent, "confidence": reading.confidence}],
        "required_capabilities": [c for name in agents for c in CAPABILITIES[name]],
        "complexity_score": complexity(query, agents),
        "suggested_agents": agents,
        "context_requirements": {"need_auth": query["kind"] == "reject_access", "data_scope": scope(query)},
        "extracted_entities": list(reading.entities),
        "ambiguities": [_ambiguity(reading, text)] if clarify else [],
        "clarification_needed": clarify,
        "feasibility_check": {
            "data_available": not reading.unknown_names if query["kind"] == "query" else None,
            "permission_granted": query["kind"] not in {"reject_access", "reject_write"},
            "estimated_time": _estimated(agents, ctx),
            "resource_status": None,
        },
        "semantic_query": query,
    }


def complexity(query: SemanticQuery, agents: list[str]) -> float:
    """From 0 to 1: how many things the question combines."""
    things = len(query["metrics"]) + len(query["dimensions"]) + len(query["filters"]) + 2 * len(agents)
    things += sum(part is not None for part in (query["period"], query["compare"], query["sort"]))
    return round(min(1.0, things / 12), 2)


def scope(query: SemanticQuery) -> str:
    """Whose data is read: that of the narrowest unit the question names, else the whole company's."""
    named = {one["field"] for one in query["filters"] if one["op"] in {"eq", "in"}}
    return next((unit for unit in SCOPES if unit in named), "company")


def _ambiguity(reading: Understood, text: str) -> Ambiguity:
    return {
        "field": reading.asks or "",
        "text": reading.unknown_metric or text,
        "question": answer_for(reading).answer,
        "choices": choices_for(reading),
    }


def _estimated(agents: list[str], ctx: TurnContext[WorksServices]) -> float | None:
    known = [ctx.estimates[name] for name in agents if name in ctx.estimates]
    return round(sum(known), 3) if agents and len(known) == len(agents) else None
