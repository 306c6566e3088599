"""A contract judged clause by clause, by rules."""

import asyncio
from typing import Annotated

from madang.assistants.homes.services import HomesServices
from madang.assistants.homes.state.paths import CONTRACT
from madang.assistants.homes.state.results import ContractAnalysis
from madang.assistants.homes.tools.contract_review import ContractAnalysisTool
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
)
async def contract_analysis(asked: ContractRequest, ctx: Context[HomesServices]) -> Reviewed:
    review = await asyncio.to_thread(ContractAnalysisTool().review, asked.contract_text)
    found = review.as_result()
    ctx.source("contract_analysis", tool="ContractAnalysisTool", source="contract_rules.toml")
    return {
        "contract_analysis": {
            "risk_level": found["risk_level"],
            "risks": found["risks"],
            "compliance_check": found["compliance_check"],
            "recommendations": found["recommendations"],
            "clause_count": len(review.clauses),
            "missing_essentials": list(review.missing_essentials),
            "is_shop": review.is_shop,
        }
    }
