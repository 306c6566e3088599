"""ComplianceValidation: facts from a text or a document, against dated rules."""

import asyncio
from collections.abc import Sequence
from datetime import date

from madang.assistants.works.data.rules import PENALTIES, RuleBook
from madang.assistants.works.services import WorksServices
from madang.assistants.works.state.agents import (
    ComplianceValidationAgentState,
    DocumentGenerationAgentState,
    JudgedSituation,
    RuleResult,
)
from madang.assistants.works.state.documents import ComplianceInput
from madang.assistants.works.tools import quality
from madang.assistants.works.tools.compliance import Facts, Judgement, LedgerEntry, judge, read_facts
from madang.assistants.works.tools.ledger import ledger_of
from madang.assistants.works.tools.query_notes import noted_queries
from madang.graph import Context, Reads, Writes, agent

NOTE = "법률 자문이 아닙니다. 판단이 갈리는 경우 준법 담당자에게 확인하세요."


class ComplianceRequest(Reads):
    compliance_request: ComplianceInput | None
    document_generation: DocumentGenerationAgentState | None = None
    company_id: str


class ComplianceResult(Writes):
    compliance_validation: ComplianceValidationAgentState


@agent(
    name="ComplianceValidationAgent",
    task="규정 검토",
    today=True,
    data=("rules", "archive", "sales"),
    timeout=30,
    retries=1,
)
async def compliance_validation(asked: ComplianceRequest, ctx: Context[WorksServices]) -> ComplianceResult:
    """Judge the document of this turn, or the text that was asked about."""
    document, request = asked.document_generation, asked.compliance_request
    kind = "document" if document else request["type"] if request else "action"
    text = (document and document["compliance_text"]) or (request["text"] if request else "")
    if document and request and request["type"] == "addition":
        text = f"{text} {request['text']}"
    facts = read_facts(text, ctx.today)
    customer = facts.customer
    if document and (named := document["form_data"].get("customer")):
        customer = str(named)
    with noted_queries() as queries:
        ledger = await asyncio.to_thread(ledger_of, ctx.services.warehouse, asked.company_id, customer, ctx.today)
    book = ctx.services.rules
    judgement = judge(facts, book, ledger, ctx.today, kind)
    ctx.usage["db_queries"] = len(queries)
    ctx.source("compliance_validation", tool="rules", source=f"rules.toml {book.version}", as_of=ctx.today.isoformat())
    state = describe(judgement, facts, text)
    state["validation_type"] = kind
    state["further"] = [
        _beside(other, book, ledger, ctx.today) for other in (request.get("more") or () if request else ())
    ]
    state["resource_usage"] = {"rows_read": len(ledger), "db_queries": len(queries)}
    return {"compliance_validation": state}


def _beside(text: str, book: RuleBook, ledger: Sequence[LedgerEntry], today: date) -> JudgedSituation:
    judgement = judge(read_facts(text, today), book, ledger, today, "action")
    return {"text": text, "status": judgement.status, "results": _results(judgement)}


def describe(judgement: Judgement, facts: Facts, text: str) -> ComplianceValidationAgentState:
    """The agent's state from a judgement."""
    results = _results(judgement)
    checks = quality.of_compliance(results)
    return {
        "validation_target": {
            "text": text,
            "setting": facts.setting,
            "people": facts.people,
            "date": facts.day.isoformat() if facts.day else None,
            "customer": facts.customer,
            "benefits": [{"kind": b.kind, "text": b.text, "each": b.each, "total": b.total} for b in facts.benefits],
            "quoted": list(facts.quoted),
        },
        "applied_rules": [one.rule.id for one in judgement.results],
        "validation_results": results,
        "violations": [
            {
                "rule": one.rule.id,
                "severity": one.rule.severity,
                "text": one.rule.citation,
                "details": one.verdict.details,
                "penalty": PENALTIES[one.rule.severity],
            }
            for one in judgement.violations
        ],
        "risk_level": judgement.risk,
        "score": judgement.score,
        "passed": judgement.status == "pass",
        "status": judgement.status,
        "recommendations": [
            *(
                ["제공이나 금액을 적은 내용이 없어 걸리는 규칙이 없습니다"]
                if not facts.benefits and judgement.status == "pass"
                else []
            ),
            *(f"확인할 것: {what}" for what in judgement.missing),
            NOTE,
        ],
        "required_modifications": [
            {"rule": one.rule.id, "text": one.verdict.details, "suggestion": one.rule.change}
            for one in judgement.violations
        ],
        "confidence_score": quality.score(checks),
        "quality_checks": checks,
    }


def _results(judgement: Judgement) -> list[RuleResult]:
    return [
        {
            "rule": one.rule.id,
            "title": one.rule.title,
            "status": one.verdict.status,
            "confidence": one.verdict.confidence,
            "details": one.verdict.details,
            "facts": one.verdict.rests_on,
            "severity": one.rule.severity,
            "citation": one.rule.citation,
            "as_of": one.rule.as_of,
            "missing": one.verdict.missing,
        }
        for one in judgement.results
    ]
