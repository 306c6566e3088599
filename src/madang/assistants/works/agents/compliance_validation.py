"""ComplianceValidation: facts from a text or a document, against dated rules."""

import asyncio
from typing import Any

from madang.assistants.works.data.rules import PENALTIES
from madang.assistants.works.state.agents import ComplianceValidationAgentState, RuleResult
from madang.assistants.works.tools import quality
from madang.assistants.works.tools.compliance import Facts, Judgement, judge, read_facts
from madang.assistants.works.tools.ledger import ledger_of
from madang.graph import AgentContext, View, agent

NOTE = "법률 자문이 아닙니다. 판단이 갈리는 경우 준법 담당자에게 확인하세요."


@agent(
    name="ComplianceValidationAgent",
    team="ComplianceValidationAgent",
    reads=("compliance_request", "document_generation", "company_id"),
    optional=("document_generation",),
    writes=("compliance_validation",),
    task="규정 검토",
    today=True,
    data=("rules", "archive", "sales"),
    timeout=30,
    retries=1,
)
async def compliance_validation(work: View, ctx: AgentContext) -> dict[str, Any]:
    """Judge the document of this turn, or the text that was asked about."""
    document = work.document_generation or {}
    request = work.compliance_request or {}
    text = str(document.get("compliance_text") or request.get("text") or "")
    facts = read_facts(text, ctx.today)
    customer = (document.get("form_data") or {}).get("customer") or facts.customer
    ledger = await asyncio.to_thread(ledger_of, ctx.services.warehouse, work.company_id, customer, ctx.today)
    book = ctx.services.rules
    judgement = judge(facts, book, ledger, ctx.today)
    ctx.usage["db_queries"] = 1 if customer else 0
    ctx.source("compliance_validation", tool="rules", source=f"rules.toml {book.version}", as_of=ctx.today.isoformat())
    kind = "document" if document else str(request.get("type") or "action")
    state = describe(judgement, facts, text, kind)
    state["resource_usage"] = {"rows_read": len(ledger), "db_queries": 1 if customer else 0}
    return {"compliance_validation": state}


def describe(judgement: Judgement, facts: Facts, text: str, kind: str) -> ComplianceValidationAgentState:
    results: list[RuleResult] = [
        RuleResult(
            rule=one.rule.id,
            title=one.rule.title,
            status=one.verdict.status,  # type: ignore[typeddict-item]
            confidence=one.verdict.confidence,
            details=one.verdict.details,
            severity=one.rule.severity,
            citation=one.rule.citation,
            as_of=one.rule.as_of,
            missing=one.verdict.missing,
        )
        for one in judgement.results
    ]
    checks = quality.of_compliance(list(results), sum(one.rule.problem is None for one in judgement.results))
    broken = judgement.violations
    return ComplianceValidationAgentState(
        validation_target={
            "text": text,
            "setting": facts.setting,
            "people": facts.people,
            "date": facts.day.isoformat() if facts.day else None,
            "customer": facts.customer,
            "benefits": [{"kind": b.kind, "text": b.text, "each": b.each, "total": b.total} for b in facts.benefits],
            "quoted": list(facts.quoted),
        },
        validation_type=kind,
        applied_rules=[one.rule.id for one in judgement.results],
        validation_results=results,
        violations=[
            {
                "rule": one.rule.id,
                "severity": one.rule.severity,  # type: ignore[typeddict-item]
                "text": one.rule.citation,
                "details": one.verdict.details,
                "penalty": PENALTIES[one.rule.severity],
            }
            for one in broken
        ],
        risk_level=judgement.risk,
        score=judgement.score,
        passed=judgement.status == "pass",
        status=judgement.status,
        recommendations=[*(f"확인할 것: {what}" for what in judgement.missing), NOTE],
        required_modifications=[
            {"rule": one.rule.id, "text": one.verdict.details, "suggestion": one.rule.change} for one in broken
        ],
        confidence_score=quality.score(checks),
        quality_checks=checks,
    )
