"""A contract judged clause by clause, by rules and by a model's opinion where it holds."""

import asyncio
from collections.abc import Sequence
from typing import Annotated

from madang.assistants.homes.answering.call_points import contract_point
from madang.assistants.homes.services import HomesServices
from madang.assistants.homes.state.paths import CONTRACT
from madang.assistants.homes.state.results import ContractAnalysis, ContractRisk
from madang.assistants.homes.tools.contract_review import ContractAnalysisTool
from madang.assistants.homes.tools.contract_rules import load_rules
from madang.graph import At, Context, Reads, Writes, agent


class ContractRequest(Reads):
    contract_text: str


class Reviewed(Writes):
    contract_analysis: Annotated[ContractAnalysis, At(CONTRACT)]


@agent(
    team="analysis",
    agent_name="analysis_team",
    task="계약서 검토",
    description="조항마다 불리한 내용과 근거 조문",
    timeout=60,
    data=("contract_rules", "policy"),
    model=True,
)
async def contract_analysis(asked: ContractRequest, ctx: Context[HomesServices]) -> Reviewed:
    review = await asyncio.to_thread(ContractAnalysisTool().review, asked.contract_text)
    found = review.as_result()
    ctx.source("contract_analysis", tool="ContractAnalysisTool", source="contract_rules.toml")
    return {
        "contract_analysis": {
            "risk_level": found["risk_level"],
            "risks": [*found["risks"], *await _opinions(ctx, asked.contract_text, found["risks"])],
            "compliance_check": found["compliance_check"],
            "recommendations": found["recommendations"],
            "clause_count": len(review.clauses),
            "missing_essentials": list(review.missing_essentials),
            "is_shop": review.is_shop,
        }
    }


async def _opinions(ctx: Context[HomesServices], contract: str, risks: Sequence[ContractRisk]) -> list[ContractRisk]:
    """What a model adds: only clauses that stand in the contract, only articles that the rules know."""
    articles = list(dict.fromkeys(name for rule in load_rules() for name in (*rule.articles, *rule.shop_articles)))
    found = "; ".join(f"{risk['type']}: {risk['clause']}" for risk in risks) or "없음"
    outcome = await ctx.call(contract_point(), {"contract": contract, "found": found, "articles": ", ".join(articles)})
    squeezed = "".join(contract.split())
    kept: list[ContractRisk] = []
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
