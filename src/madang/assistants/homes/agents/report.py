"""Insights, report, recommendations and chart from what the analyses found."""

from collections.abc import Sequence
from typing import Annotated

from madang.assistants.homes.answering.call_points import ReportReply, insights_point, report_point
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
from madang.llm import check_claims

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
    model=True,
)
async def report(request: FoundRequest, ctx: Context[HomesServices]) -> Reported:
    found = request.findings
    facts, sources = facts_of(found.raw), found.sources(found.articles or ())
    insights = await _insights(ctx, facts, found)
    default = ReportReply(
        summary=summary_of(insights, facts),
        key_findings=facts[:4],
        recommendations=recommendations_of(found)[:6],
    )
    told = await _told(ctx, facts, insights, default, found)
    checks = checks_of(found)
    score = confidence_of(checks)
    as_of = found.prices[0]["as_of"] if found.prices else None
    contract = found.raw.get("contract_analysis")
    ctx.source("report", tool="report", source=", ".join(sources[:4]) or None, as_of=as_of)
    return {
        "insights": insights,
        "report": {
            "title": "분석 결과",
            "summary": told.summary,
            "key_findings": told.key_findings,
            "recommendations": told.recommendations,
            "insights": [{"topic": "분석", "content": text, "confidence": score, "evidence": []} for text in insights],
            "risks": [f"{risk['type']}: {risk['clause']}" for risk in (contract["risks"] if contract else ())],
            "sources": sources,
            "as_of": as_of,
        },
        "metrics": metrics_of(found),
        "visualization_data": charts_of(found.raw),
        "recommendations": told.recommendations,
        "confidence_score": score,
        "confidence_checks": checks,
    }


async def _insights(ctx: Context[HomesServices], facts: list[str], found: Findings) -> list[str]:
    default = insights_of(found)
    inputs = {"query": ctx.step["description"], "facts": "\n".join(facts), "default": default[:6]}
    outcome = await ctx.call(insights_point(), inputs)
    if outcome.source != "model":
        return list(outcome.value.insights)
    return [text for text in outcome.value.insights if _sourced(text, found, facts)] or default


async def _told(
    ctx: Context[HomesServices], facts: list[str], insights: list[str], default: ReportReply, found: Findings
) -> ReportReply:
    inputs = {"query": ctx.step["description"], "facts": "\n".join(facts), "insights": "\n".join(insights)}
    outcome = await ctx.call(report_point(), {**inputs, "default": default.model_dump()})
    told = outcome.value
    if outcome.source != "model":
        return told

    def kept(lines: list[str], instead: list[str]) -> list[str]:
        return [text for text in lines if _sourced(text, found, facts)] or instead

    return ReportReply(
        summary=told.summary if _sourced(told.summary, found, facts) else default.summary,
        key_findings=kept(told.key_findings, default.key_findings),
        recommendations=kept(told.recommendations, default.recommendations),
    )


def _sourced(text: str, found: Findings, facts: Sequence[str]) -> bool:
    """Whether every figure and citation of a model's sentence stands in what was found."""
    figures = [found.raw, found.prices, found.loans, found.articles, list(facts)]
    return not check_claims(text, figures, found.sources(found.articles or ())).flagged
