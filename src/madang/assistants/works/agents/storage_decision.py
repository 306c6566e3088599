"""StorageDecision: where something is kept, and keeping it; only what passed compliance."""

import asyncio
from typing import Any

from madang.assistants.works.state.agents import StorageDecisionAgentState
from madang.assistants.works.tools import quality
from madang.assistants.works.tools.storage import decide, store
from madang.graph import AgentContext, View, agent
from madang.graph.views import thaw


@agent(
    name="StorageDecisionAgent",
    team="StorageDecisionAgent",
    reads=("storage_request", "document_generation", "compliance_validation", "company_id", "user_id"),
    optional=("document_generation",),
    writes=("storage_decision",),
    task="보관",
    timeout=60,
)
async def storage_decision(work: View, ctx: AgentContext) -> dict[str, Any]:
    """File the document of this turn or the one that was asked for; refuse it when it didn't pass."""
    document = to_store(work)
    compliance = work.compliance_validation or {}
    if compliance.get("status") != "pass":
        return {"storage_decision": refused(document, thaw(compliance))}
    warehouse, company = ctx.services.warehouse, work.company_id
    decision = await asyncio.to_thread(decide, document, warehouse, company, ctx.today)
    stored = await asyncio.to_thread(store, document, decision, warehouse, company, user_id=str(work.user_id or ""))
    again = any(
        d.document_id == stored.document_id for d in await asyncio.to_thread(warehouse.archive.documents, company)
    )
    checks = quality.of_storage(True, again)
    ctx.usage["db_queries"] = 3
    ctx.source("storage_decision", tool="filing", source=stored.location, as_of=ctx.today.isoformat())
    state = StorageDecisionAgentState(
        data_to_store={k: v for k, v in document.items() if k != "content"},
        data_type=str(document.get("document_type") or "note"),
        data_size=stored.bytes,
        storage_decision=decision.where,
        decision_reasoning=decision.reasoning,
        schema_mapping=decision.mapping,  # type: ignore[typeddict-item]
        storage_status="completed",
        stored_location=stored.location,
        storage_metadata={
            "document_id": stored.document_id,
            "version": stored.version,
            "files": stored.files,
            "rows": stored.rows,
            "skipped": stored.skipped,
        },
        confidence_score=quality.score(checks),
        quality_checks=checks,
        resource_usage={"bytes": stored.bytes, "db_queries": 3},
    )
    return {"storage_decision": state}


def to_store(work: View) -> dict[str, Any]:
    """The document of this turn, or the one the request names."""
    made = thaw(work.document_generation) or {}
    if made:
        return {
            "document_id": made.get("document_id"),
            "document_type": made["document_type"],
            "title": made["title"],
            "content": made["generated_document"]["content"],
            "form_data": made["form_data"],
        }
    return dict(thaw(work.storage_request) or {})


def refused(document: dict[str, Any], compliance: dict[str, Any]) -> StorageDecisionAgentState:
    """Nothing is kept: the reason is the rule, and what to change."""
    status = compliance.get("status")
    if status == "violation":
        cited = {r["rule"]: f"{r['title']}({r['citation']})" for r in compliance.get("validation_results", ())}
        changes = compliance.get("required_modifications", ())
        reasons = [f"{cited[m['rule']]} {m['text']} → {m['suggestion']}" for m in changes]
        why = "규정 위반이라 보관하지 않습니다: " + "; ".join(reasons)
    else:
        missing = [r for r in compliance.get("recommendations", ()) if r.startswith("확인할 것")]
        why = "규정을 다 확인하지 못해 보관하지 않습니다. " + " ".join(missing)
    return StorageDecisionAgentState(
        data_to_store={k: v for k, v in document.items() if k != "content"},
        data_type=str(document.get("document_type") or "note"),
        data_size=len(str(document.get("content") or "").encode()),
        storage_decision=None,
        decision_reasoning=why.strip(),
        schema_mapping={},
        storage_status="failed",
        stored_location=None,
        storage_metadata={"refused_by": [v["rule"] for v in compliance.get("violations", ())]},
        confidence_score=1.0,
        quality_checks={"refused_by_rule": 1.0},
    )
