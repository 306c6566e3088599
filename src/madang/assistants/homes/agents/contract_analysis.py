"""A contract judged clause by clause, by rules and by a model's opinion where it holds."""

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any

from madang.assistants.homes.answering.call_points import contract_point
from madang.assistants.homes.state.paths import ANALYSIS_TEAM, RAW
from madang.assistants.homes.tools.contract_review import ContractAnalysisTool, Finding
from madang.assistants.homes.tools.contract_rules import load_rules
from madang.graph import AgentContext, View, agent


@agent(
    **ANALYSIS_TEAM,
    reads=("contract_text",),
    writes=(f"{RAW}.contract_analysis",),
    task="계약서 검토",
    description="조항마다 불리한 내용과 근거 조문",
    timeout=60,
    data=("contract_rules", "policy"),
    model=True,
)
async def contract_analysis(asked: View, ctx: AgentContext) -> dict[str, Any]:
    review = await asyncio.to_thread(ContractAnalysisTool().review, asked.contract_text)
    risks = [as_risk(finding) for finding in review.findings]
    risks += await _opinions(ctx, asked.contract_text, risks)
    ctx.source("contract_analysis", tool="ContractAnalysisTool", source="contract_rules.toml")
    return {
        "contract_analysis": {
            "risk_level": "high" if review.risk_level == "critical" else review.risk_level,
            "risks": risks,
            "compliance_check": {
                rule: outcome == "pass"
                for rule, outcome in review.compliance_check.items()
                if outcome != "not_mentioned"
            },
            "recommendations": [f"{finding.title}: {finding.instead}" for finding in review.findings],
            "clause_count": len(review.clauses),
            "missing_essentials": list(review.missing_essentials),
            "is_shop": review.is_shop,
        }
    }


def as_risk(finding: Finding) -> dict[str, Any]:
    return {
        "type": finding.title,
        "severity": finding.severity,
        "clause": finding.quoted,
        "clause_label": finding.clause_label or None,
        "reason": finding.why,
        "article": finding.articles[0] if finding.articles else None,
        "articles": list(finding.articles),
        "suggestion": finding.instead,
        "rule_id": finding.rule_id,
        "found_by": "rules",
    }


async def _opinions(ctx: AgentContext, contract: str, risks: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """What a model adds: only clauses that stand in the contract, only articles that the rules know."""
    articles = list(dict.fromkeys(name for rule in load_rules() for name in (*rule.articles, *rule.shop_articles)))
    found = "; ".join(f"{risk['type']}: {risk['clause']}" for risk in risks) or "없음"
    outcome = await ctx.call(contract_point(), {"contract": contract, "found": found, "articles": ", ".join(articles)})
    squeezed = "".join(contract.split())
    kept = []
    for opinion in outcome.value.opinions:
        quoted = "".join(opinion.clause.split())
        known = any(
            quoted in "".join(risk["clause"].split()) or "".join(risk["clause"].split()) in quoted for risk in risks
        )
        if quoted in squeezed and not known:
            article = opinion.article if opinion.article in articles else None
            kept.append(
                {
                    "type": "모델이 본 확인할 조항", "severity": "low", "clause": opinion.clause,
                    "reason": opinion.concern, "article": article, "articles": [article] if article else [],
                    "suggestion": opinion.suggestion or None, "rule_id": None, "found_by": "model",
                }
            )  # fmt: skip
    return kept
