"""Insights, report, recommendations and chart from what the analyses found."""

from typing import Annotated

from madang.assistants.homes.answering.confidence import checks_of, confidence_of
from madang.assistants.homes.answering.findings import Findings
from madang.assistants.homes.answering.report_texts import (
    charts_of,
    facts_of,
    insights_of,
    metrics_of,
    recommendations_of,
    summary_of,
)
from madang.assistants.homes.services import HomesServices
from madang.assistants.homes.state.analysis import AnalysisReport
from madang.assistants.homes.state.paths import LEGAL, LISTINGS, LOANS, PRICES, RAW
from madang.assistants.homes.state.results import (
    Charts,
    LegalResult,
    LoanResult,
    MarketResult,
    PropertyResult,
    RawAnalysis,
)
from madang.graph import At, Context, Reads, Writes, agent

RESULTS = "team_results.analysis"


class FoundRequest(Reads):
    last_intent: str | None
    last_parts: list[str] | None
    raw_analysis: Annotated[RawAnalysis | None, At(RAW)] = None
    legal_search: Annotated[list[LegalResult] | None, At(LEGAL)] = None
    real_estate_search: Annotated[list[MarketResult] | None, At(PRICES)] = None
    property_search: Annotated[list[PropertyResult] | None, At(LISTINGS)] = None
    loan_search: Annotated[list[LoanResult] | None, At(LOANS)] = None

    @property
    def findings(self) -> Findings:
        return Findings(
            articles=self.legal_search,
            prices=self.real_estate_search or (),
            listings=self.property_search,
            loans=self.loan_search or (),
            raw=self.raw_analysis or {},
        )


class Reported(Writes):
    insights: Annotated[list[str], At(f"{RESULTS}.insights")]
    report: Annotated[AnalysisReport, At(f"{RESULTS}.report")]
    metrics: Annotated[dict[str, float], At(f"{RESULTS}.metrics")]
    visualization_data: Annotated[Charts | None, At(f"{RESULTS}.visualization_data")]
    recommendations: Annotated[list[str], At(f"{RESULTS}.recommendations")]
    confidence_score: Annotated[float | None, At(f"{RESULTS}.confidence_score")]
    confidence_checks: Annotated[dict[str, float], At(f"{RESULTS}.confidence_checks")]


@agent(
    team="analysis",
    agent_name="analysis_team",
    task="분석 결과 정리",
    description="알아 둘 점과 다음에 할 일",
    timeout=60,
)
async def report(request: FoundRequest, ctx: Context[HomesServices]) -> Reported:
    found = request.findings
    facts, sources = facts_of(found.raw), found.sources(found.articles or ())
    insights, recommendations = insights_of(found)[:6], recommendations_of(found)[:6]
    checks = checks_of(found)
    score = confidence_of(checks)
    as_of = found.prices[0]["as_of"] if found.prices else None
    contract = found.raw.get("contract_analysis")
    ctx.source("report", tool="report", source=", ".join(sources[:4]) or None, as_of=as_of)
    return {
        "insights": insights,
        "report": {
            "title": "분석 결과",
            "summary": summary_of(insights, facts),
            "key_findings": facts[:4],
            "recommendations": recommendations,
            "insights": [{"topic": "분석", "content": text, "confidence": score, "evidence": []} for text in insights],
            "risks": [f"{risk['type']}: {risk['clause']}" for risk in (contract["risks"] if contract else ())],
            "sources": sources,
            "as_of": as_of,
        },
        "metrics": metrics_of(found),
        "visualization_data": charts_of(found.raw),
        "recommendations": recommendations,
        "confidence_score": score,
        "confidence_checks": checks,
    }
