"""Insights, report, recommendations and chart from what the analyses found."""

from collections.abc import Mapping, Sequence
from typing import Any

from madang.assistants.homes.agents import points
from madang.assistants.homes.agents.analysis_team import LOANS, PRICES, RAW, TEAM
from madang.assistants.homes.agents.confidence import (
    analysis_checks,
    confidence_of,
    legal_checks,
    loan_checks,
    market_checks,
)
from madang.assistants.homes.tools.calculators import won
from madang.graph import AgentContext, View, agent
from madang.llm import check_claims

LEGAL = "team_results.search.legal_search"
LISTINGS = "team_results.search.property_search"
OUT = "team_results.analysis"
SEARCHES = (LEGAL, PRICES, LISTINGS, LOANS)
NAMES = (
    "insights", "report", "metrics", "visualization_data", "recommendations", "confidence_score", "confidence_checks",
)  # fmt: skip


@agent(
    **TEAM,
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
        "summary": _summary(insights, facts),
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
    ctx.source("report", tool="report", source=", ".join(sources[:4]) or None, as_of=_as_of(found))
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
            "as_of": _as_of(found),
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
        points.INSIGHTS, {"query": ctx.step["description"], "facts": "\n".join(facts), "default": default[:6]}
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
        points.REPORT,
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


def facts_of(raw: Mapping[str, Any]) -> list[str]:
    """What was found, a line each."""
    lines: list[str] = []
    for figure in raw.get("legal_calculation") or ():
        lines += figure["explanation"]
    if market := raw.get("market_analysis"):
        lines += market["summary"]
        lines += [market["trend"]] if market.get("trend") else []
    if roi := raw.get("roi_calculation"):
        lines += roi["calculation"]["explanation"][:3]
    if risk := raw.get("jeonse_risk"):
        lines += risk["factors"]
        lines += [line for figure in risk["calculations"][:1] for line in figure["explanation"]]
    if contract := raw.get("contract_analysis"):
        lines += [f"{r['type']}: “{r['clause']}” ({r['article'] or '조문 없음'})" for r in contract["risks"]]
    if matching := raw.get("policy_matching"):
        lines += [f"조건이 맞는 상품: {', '.join(matching['eligible'])}"] if matching["eligible"] else []
        lines += [f"더 확인할 상품: {', '.join(matching['unknown'][:5])}"] if matching["unknown"] else []
    return lines


def insights_of(raw: Mapping[str, Any], found: View) -> list[str]:
    """What a reader should take away, from the figures alone."""
    said: list[str] = []
    if market := raw.get("market_analysis"):
        gaps = (market.get("comparison") or {}).get("gaps") or {}
        if len(gaps) > 1:
            ordered = sorted(gaps, key=gaps.__getitem__)
            said.append(f"{ordered[-1]}의 중위가가 {ordered[0]}보다 {won(gaps[ordered[-1]])} 높습니다.")
        rows = found.real_estate_search or ()
        if any(row["is_estimate"] for row in rows):
            said.append("추정이라고 적힌 시세는 실제 계약 전에 최근 실거래가로 확인하세요.")
    if risk := raw.get("jeonse_risk"):
        if risk.get("level"):
            said.append(f"보증금 위험은 ‘{risk['level_name']}’ 수준입니다.")
        said += risk.get("unsaid") or []
    if contract := raw.get("contract_analysis"):
        count = len([r for r in contract["risks"] if r["found_by"] == "rules"])
        said.append(f"불리한 조항 {count}개를 찾았습니다." if count else "규칙에 어긋나는 조항은 찾지 못했습니다.")
    if matching := raw.get("policy_matching"):
        if matching["questions"]:
            said.append("대출 가능 여부는 아직 모르는 조건이 있어 단정하지 않았습니다.")
        if (matching.get("at_median") or {}).get("excluded"):
            said.append("정책 대출은 보증금이나 집값에 한도가 있어, 조건에 맞는 집을 함께 찾아보는 것이 좋습니다.")
    if roi := raw.get("roi_calculation"):
        said.append(f"입력한 값으로는 연 수익률이 {roi['estimated_roi']:g}%입니다.")
    return said


def recommendations_of(raw: Mapping[str, Any], found: View) -> list[str]:
    """What to do next."""
    advice: list[str] = []
    if contract := raw.get("contract_analysis"):
        advice += contract.get("recommendations") or []
        if not contract["risks"]:
            advice.append("계약 전에 등기사항증명서와 상대방의 신분을 확인하세요.")
    if risk := raw.get("jeonse_risk"):
        advice += risk["advice"]
    if raw.get("market_analysis"):
        advice.append("국토교통부 실거래가 공개시스템에서 같은 단지의 최근 거래를 확인하세요.")
    if matching := raw.get("policy_matching"):
        if matching["questions"]:
            advice.append("대출 조건을 가리려면 알려 주세요: " + " ".join(matching["questions"][:4]))
        advice.append("신청 전에 주택도시기금(기금e든든)이나 은행에서 지금 조건과 금리를 확인하세요.")
    if found.property_search:
        advice.append("매물은 예시이니 실제 매물은 공인중개사를 통해 확인하세요.")
    return list(dict.fromkeys(advice))


def metrics_of(raw: Mapping[str, Any], found: View) -> dict[str, float]:
    """Figures worth comparing; only those that there are."""
    rows = found.real_estate_search or ()
    metrics: dict[str, float | None] = {}
    if rows:
        metrics |= {f"{name}_price": float(rows[0][name]) for name in ("low", "median", "high")}
    metrics["jeonse_ratio"] = (raw.get("market_analysis") or {}).get("jeonse_ratio")
    if risk := raw.get("jeonse_risk"):
        metrics["risk_score"] = risk["score"]
        for figure in risk["calculations"][:1]:
            metrics["jeonse_ratio"] = figure["values"]["jeonse_ratio"] / 100
    for figure in raw.get("legal_calculation") or ():
        values = figure["values"]
        if figure["calculator"] == "loan_payment":
            metrics["monthly_payment"] = values.get("monthly_payment")
        elif figure["calculator"] in ("dsr", "dti", "ltv"):
            metrics["loan_limit"] = values.get("limit")
        elif figure["calculator"] == "conversion":
            metrics["conversion_rate"] = values.get("rate")
    if roi := raw.get("roi_calculation"):
        metrics |= {"estimated_roi": roi["estimated_roi"], "payback_period": roi["payback_period"]}
    return {name: float(value) for name, value in metrics.items() if value is not None}


def charts_of(raw: Mapping[str, Any]) -> dict[str, Any] | None:
    """The charts to draw."""
    charts = [
        chart
        for chart in (
            (raw.get("market_analysis") or {}).get("chart"),
            (raw.get("loan_simulation") or {}).get("chart"),
        )
        if chart
    ]
    return {"charts": charts} if charts else None


def sources_of_results(found: Mapping[str, Any]) -> list[str]:
    """The articles that were retrieved or that a tool rests on."""
    named = [item["source"] for item in found["legal_search"] or ()]
    raw: Mapping[str, Any] = found["raw_analysis"] or {}
    named += [a for risk in (raw.get("contract_analysis") or {}).get("risks", ()) for a in risk["articles"]]
    figures = [*(raw.get("legal_calculation") or ()), *(raw.get("jeonse_risk") or {}).get("calculations", ())]
    named += [rule["article"] for figure in figures for rule in figure["rules"] if rule["article"]]
    return list(dict.fromkeys(named))


def _summary(insights: Sequence[str], facts: Sequence[str]) -> str:
    return " ".join(insights[:2]) if insights else (facts[0] if facts else "분석할 자료가 없습니다.")


def _as_of(found: View) -> str | None:
    rows = found.real_estate_search or ()
    return rows[0]["as_of"] if rows else None
