"""The seed's record of how a question was understood: every field computed, or null."""

from typing import Any

from madang.assistants.works.state.stages import Ambiguity, Entity, QueryAnalyzerState
from madang.assistants.works.understanding.question import Reading
from madang.assistants.works.understanding.replies import answer_for, choices_for
from madang.graph import TurnContext
from madang.state.clock import now_iso

CAPABILITIES = {
    "DataAnalysisAgent": ["sql_query", "data_visualization"],
    "InformationRetrievalAgent": ["internal_search", "rule_search"],
    "DocumentGenerationAgent": ["form_filling", "document_rendering"],
    "ComplianceValidationAgent": ["fact_extraction", "rule_check"],
    "StorageDecisionAgent": ["filing"],
}


def analyzer_state(
    text: str,
    reading: Reading,
    intent: str,
    agents: list[str],
    user: str,
    company: str,
    ctx: TurnContext,
) -> QueryAnalyzerState:
    """What was asked, by whom, and whether it can be done."""
    query = reading.query
    clarify = query["kind"] == "clarify"
    return QueryAnalyzerState(
        raw_query=text,
        query_timestamp=now_iso(),
        user_context={
            "user_id": user,
            "company_id": company,
            "today": ctx.today.isoformat(),
            "followed": reading.followed,
        },
        parsed_intents=[{"intent": intent, "confidence": reading.confidence}],
        required_capabilities=[c for name in agents for c in CAPABILITIES[name]],
        complexity_score=complexity(reading, agents),
        suggested_agents=agents,
        context_requirements={"need_auth": query["kind"] == "reject_access", "data_scope": "company"},
        extracted_entities=[Entity(**e) for e in reading.entities],  # type: ignore[typeddict-item]
        ambiguities=[_ambiguity(reading)] if clarify else [],
        clarification_needed=clarify,
        feasibility_check={
            "data_available": None if not agents else True,
            "permission_granted": query["kind"] not in {"reject_access", "reject_write"},
            "estimated_time": _estimated(agents, ctx),
            "resource_status": "available" if agents else None,
        },
        semantic_query=query,
    )


def complexity(reading: Reading, agents: list[str]) -> float:
    """From 0 to 1: how many things the question combines."""
    query = reading.query
    things = len(query["metrics"]) + len(query["dimensions"]) + len(query["filters"]) + 2 * len(agents)
    things += sum(query[name] is not None for name in ("period", "compare", "sort"))
    return round(min(1.0, things / 12), 2)


def _ambiguity(reading: Reading) -> Ambiguity:
    asks: dict[str, Any] = reading.asks or {}
    return {
        "field": asks.get("field", ""),
        "text": asks.get("text", ""),
        "question": answer_for(reading).answer,
        "choices": choices_for(reading),
    }


def _estimated(agents: list[str], ctx: TurnContext) -> float | None:
    known = [ctx.estimates[name] for name in agents if name in ctx.estimates]
    return round(sum(known), 3) if agents and len(known) == len(agents) else None
