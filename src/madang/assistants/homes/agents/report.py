"""Insights, report, recommendations and chart from what the analyses found."""

from collections.abc import Mapping, Sequence
from typing import Any

from madang.assistants.homes.answering.call_points import insights_point, report_point
from madang.assistants.homes.answering.confidence import (
    analysis_checks,
    confidence_of,
    legal_checks,
    loan_checks,
    market_checks,
)
from madang.assistants.homes.answering.report_texts import (
    as_of,
    charts_of,
    facts_of,
    insights_of,
    metrics_of,
    recommendations_of,
    sources_of_results,
    summary_of,
)
from madang.assistants.homes.state.paths import ANALYSIS_TEAM, LEGAL, LISTINGS, LOANS, PRICES, RAW
from madang.graph import AgentContext, View, agent
from madang.llm import check_claims

OUT = "team_results.analysis"
SEARCHES = (LEGAL, PRICES, LISTINGS, LOANS)
NAMES = (
    "insights", "report", "metrics", "visualization_data", "recommendations", "confidence_score", "confidence_checks",
)  # fmt: skip


@agent(
    **ANALYSIS_TEAM,
    reads=(RAW, *SEARCHES, "last_intent", "last_parts"),
    optional=(RAW, *SEARCHES),
    writes=tuple(f"{OUT}.{name}" for name in NAMES),
    task="분석 결과 정리",
    description="알아 둘 점과 다음에 할 일",
    timeout=60,
    model=True,
)
async def report(found: View, ctx: AgentContext) -> dict[str, Any]:
    raw: Mapping[str, Any] = found.raw_analysis or {}
    facts = facts_of(raw)
    insights = await _insights(ctx, facts, insights_of(raw, found), raw, found)
    default = {
        "summary": summary_of(insights, facts),
        "key_findings": facts[:4],
        "recommendations": recommendations_of(raw, found)[:6],
    }
    told = await _told(ctx, facts, insights, default, raw, found)
    checks = {
        **(legal_checks(found.legal_search) if found.legal_search is not None else {}),
        **market_checks(found.real_estate_search or ()),
        **loan_checks(found.loan_search or ()),
        **analysis_checks(raw),
    }
    score = confidence_of(checks)
    sources = sources_of_results(found)
    ctx.source("report", tool="report", source=", ".join(sources[:4]) or None, as_of=as_of(found))
    return {
        "insights": insights,
        "report": {
            "title": "분석 결과",
            **told,
            "insights": [{"topic": "분석", "content": text, "confidence": score, "evidence": []} for text in insights],
            "risks": [
                f"{risk['type']}: {risk['clause']}" for risk in (raw.get("contract_analysis") or {}).get("risks", ())
            ],
            "sources": sources,
            "as_of": as_of(found),
        },
        "metrics": metrics_of(raw, found),
        "visualization_data": charts_of(raw),
        "recommendations": told["recommendations"],
        "confidence_score": score,
        "confidence_checks": checks,
    }


async def _insights(
    ctx: AgentContext, facts: list[str], default: list[str], raw: Mapping[str, Any], found: View
) -> list[str]:
    outcome = await ctx.call(
        insights_point(), {"query": ctx.step["description"], "facts": "\n".join(facts), "default": default[:6]}
    )
    if outcome.source != "model":
        return list(outcome.value.insights)
    kept = [text for text in outcome.value.insights if _sourced(text, raw, found, facts)]
    return kept or default


async def _told(
    ctx: AgentContext,
    facts: list[str],
    insights: list[str],
    default: dict[str, Any],
    raw: Mapping[str, Any],
    found: View,
) -> dict[str, Any]:
    outcome = await ctx.call(
        report_point(),
        {
            "query": ctx.step["description"],
            "facts": "\n".join(facts),
            "insights": "\n".join(insights),
            "default": default,
        },
    )
    told: dict[str, Any] = outcome.value.model_dump()
    if outcome.source != "model":
        return told
    for name in ("key_findings", "recommendations"):
        told[name] = [text for text in told[name] if _sourced(text, raw, found, facts)] or default[name]
    if not _sourced(told["summary"], raw, found, facts):
        told["summary"] = default["summary"]
    return told


def _sourced(text: str, raw: Mapping[str, Any], found: View, facts: Sequence[str]) -> bool:
    """Whether every figure and citation of a model's sentence stands in what was found."""
    figures = [raw, found.real_estate_search, found.loan_search, found.legal_search, list(facts)]
    return not check_claims(text, figures, sources_of_results(found)).flagged
