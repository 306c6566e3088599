"""StorageDecision: where something is kept, and keeping it; only what passed compliance."""

import asyncio

from madang.assistants.works.services import WorksServices
from madang.assistants.works.state.agents import (
    ComplianceValidationAgentState,
    DocumentGenerationAgentState,
    StorageDecisionAgentState,
)
from madang.assistants.works.state.documents import Document
from madang.assistants.works.tools import quality
from madang.assistants.works.tools.query_notes import noted_queries
from madang.assistants.works.tools.storage import decide, store
from madang.graph import Context, Reads, Writes, agent


class StorageRequest(Reads):
    storage_request: Document | None
    document_generation: DocumentGenerationAgentState | None = None
    compliance_validation: ComplianceValidationAgentState
    company_id: str
    user_id: str


class StorageResult(Writes):
    storage_decision: StorageDecisionAgentState


@agent(name="StorageDecisionAgent", task="보관", timeout=60)
async def storage_decision(asked: StorageRequest, ctx: Context[WorksServices]) -> StorageResult:
    """Store the document of this turn or the one that was asked for; refuse it when it didn't pass."""
    document, compliance = to_store(asked), asked.compliance_validation
    content = document.get("content", "")
    state: StorageDecisionAgentState = {
        "data_to_store": {**document, "content": ""},
        "data_type": document.get("document_type", "note"),
        "data_size": len(content.encode()),
    }
    if compliance["status"] != "pass":
        return {"storage_decision": {**state, **refused(compliance)}}
    warehouse, company = ctx.services.warehouse, asked.company_id
    with noted_queries() as queries:
        decision = await asyncio.to_thread(decide, document, warehouse, company, ctx.today)
        stored = await asyncio.to_thread(store, document, decision, warehouse, company, user_id=asked.user_id)
        kept = await asyncio.to_thread(warehouse.archive.documents, company)
    checks = quality.of_storage(
        document, decision, stored, found_again=any(d.document_id == stored.document_id for d in kept)
    )
    ctx.usage["db_queries"] = len(queries)
    ctx.source("storage_decision", tool="filing", source=stored.location, as_of=ctx.today.isoformat())
    done: StorageDecisionAgentState = {
        "data_size": stored.bytes,
        "storage_decision": decision.where,
        "decision_reasoning": decision.reasoning,
        "schema_mapping": decision.mapping,
        "storage_status": "completed",
        "stored_location": stored.location,
        "storage_metadata": {
            "document_id": stored.document_id,
            "version": stored.version,
            "files": stored.files,
            "rows": stored.rows,
            "skipped": stored.skipped,
        },
        "confidence_score": quality.score(checks),
        "quality_checks": checks,
        "resource_usage": {"bytes": stored.bytes, "db_queries": len(queries)},
    }
    return {"storage_decision": {**state, **done}}


def to_store(asked: StorageRequest) -> Document:
    """The document of this turn, or the one the request names."""
    if made := asked.document_generation:
        return {
            "document_id": made["document_id"],
            "document_type": made["document_type"],
            "title": made["title"],
            "content": (made["generated_document"] or {}).get("content", ""),
            "form_data": made["form_data"],
            "version": made["current_version"],
        }
    return asked.storage_request or {}


def refused(compliance: ComplianceValidationAgentState) -> StorageDecisionAgentState:
    """Nothing is kept: the reason is the rule and what to change. As sure as the check that it follows from."""
    if compliance["status"] == "violation":
        cited = {r["rule"]: f"{r['title']}({r['citation']})" for r in compliance["validation_results"]}
        changes = compliance["required_modifications"]
        reasons = [f"{cited[m['rule']]} {m['text']} → {m['suggestion']}" for m in changes]
        why = "규정 위반이라 보관하지 않습니다: " + "; ".join(reasons)
    else:
        missing = [r for r in compliance["recommendations"] if r.startswith("확인할 것")]
        why = "규정을 다 확인하지 못해 보관하지 않습니다. " + " ".join(missing)
    return {
        "storage_decision": None,
        "decision_reasoning": why.strip(),
        "schema_mapping": {},
        "storage_status": "failed",
        "stored_location": None,
        "storage_metadata": {"refused_by": [v["rule"] for v in compliance["violations"]]},
        "confidence_score": compliance["confidence_score"],
        "quality_checks": compliance["quality_checks"],
    }
