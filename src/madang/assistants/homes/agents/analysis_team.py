"""The analysis team: figures, prices, loans, risk, contracts, returns. Each writes what its tool found."""

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any

from madang.assistants.homes.agents import figure_needs, points
from madang.assistants.homes.agents.search_team import PERSON, profile_of
from madang.assistants.homes.agents.slots import HAPPENED
from madang.assistants.homes.tools.calculators import Calculation, won
from madang.assistants.homes.tools.contract_review import ContractAnalysisTool, Finding
from madang.assistants.homes.tools.contract_rules import load_rules
from madang.assistants.homes.tools.loans import KIND_NAMES, LoanSimulator, PolicyMatcher
from madang.assistants.homes.tools.market import MarketAnalysisTool
from madang.assistants.homes.tools.policy import section
from madang.assistants.homes.tools.risk import SIGNS, JeonseRiskTool
from madang.errors import InvalidState, NotFound
from madang.graph import AgentContext, View, agent

TEAM = {"team": "analysis", "agent_name": "analysis_team", "step_type": "analysis"}
RAW = "team_results.analysis.raw_analysis"
PRICES = "team_results.search.real_estate_search"
LOANS = "team_results.search.loan_search"


@agent(
    **TEAM,
    reads=("figure_requests",),
    writes=(f"{RAW}.legal_calculation",),
    task="금액·기한 계산",
    description="법정 한도와 금액을 식으로 계산",
    timeout=15,
    data=("policy",),
)
async def calculation(asked: View, ctx: AgentContext) -> dict[str, Any]:
    wanted = [
        need
        for need in asked.figure_requests
        if not need["missing"] and need["calculator"] not in ("roi", "jeonse_risk")
    ]
    worked: list[Calculation] = []
    refused: list[InvalidState] = []
    for need in wanted:
        try:
            worked.append(figure_needs.run(need))
        except InvalidState as error:
            refused.append(error)
    if not worked and refused:
        raise refused[0]
    rules = [rule for figure in worked for rule in figure.rules]
    first = rules[0] if rules else None
    ctx.source(
        "legal_calculation", tool="calculators", source=first.source if first else None,
        as_of=max((rule.as_of for rule in rules), default=None),
    )  # fmt: skip
    return {"legal_calculation": [figure.as_dict() for figure in worked]}


@agent(
    **TEAM,
    reads=(PRICES, "regions", "deal_type", "area_m2", "property_type"),
    writes=(f"{RAW}.market_analysis",),
    task="시세 분석",
    description="시세를 견주고 그래프로",
    timeout=15,
    data=("market",),
)
async def market_analysis(asked: View, ctx: AgentContext) -> dict[str, Any]:
    rows: Sequence[Mapping[str, Any]] = asked.real_estate_search
    tool = MarketAnalysisTool(ctx.services.market)
    kind, deal = asked.property_type or "아파트", rows[0]["deal_type"]
    compared: dict[str, Any] = {}
    if len(asked.regions) > 1:
        compared = tool.compare(asked.regions, deal, area=asked.area_m2 or 84.0, property_kind=kind)
        chart = compared.pop("chart")
    elif asked.area_m2 is None:
        chart = tool.summary(asked.regions[0], deal, property_kind=kind)["chart"]
    else:
        chart = tool.compare(_neighbours(asked.regions[0]), deal, area=asked.area_m2, property_kind=kind)["chart"]
    trend = _trend(tool, asked.regions[0])
    ratio = _jeonse_ratio(ctx, asked, kind)
    ctx.source("market_analysis", tool="MarketAnalysisTool", source=rows[0]["source"], as_of=rows[0]["as_of"])
    return {
        "market_analysis": {
            "trend": trend,
            "comparison": {"gaps": compared.get("gaps", {})} if compared else {},
            "summary": [_price_line(row) for row in rows[:6]],
            "jeonse_ratio": ratio,
            "chart": chart,
            "notes": ["추정값은 매매 실거래나 지역별 추정 단가에서 계산했습니다."]
            if any(row["is_estimate"] for row in rows)
            else [],
        }
    }


def _neighbours(region: str) -> list[str]:
    """The region with the whole of its province beside it, to see where it stands."""
    sido = region.split(maxsplit=1)[0]
    return [region] if sido == region else [region, sido]


def _trend(tool: MarketAnalysisTool, region: str) -> str | None:
    try:
        found = tool.trend(region)
    except NotFound:
        return None
    if found["change_percent"] is None:
        return None
    months = f"{found['months'][0]}~{found['months'][-1]}"
    return (
        f"{found['region']} ㎡당 매매 중위가는 {months}에 {found['change_percent']:+g}% (기간이 짧아 추세는 아닙니다)"
    )


def _jeonse_ratio(ctx: AgentContext, asked: View, kind: str) -> float | None:
    """Jeonse over sale price, where the sale price comes from trades and the jeonse price was not derived from it."""
    area = asked.area_m2
    rows = asked.real_estate_search
    if area is None or rows[0]["deal_type"] != "전세":
        return None
    sale = ctx.services.market.query(asked.regions[0], "매매", area=area, property_kind=kind)[0]
    return round(rows[0]["median"] / sale.median, 3) if sale.median else None


def _price_line(row: Mapping[str, Any]) -> str:
    rent = f"에 월 {won(row['monthly_rent'])}" if row.get("monthly_rent") else ""
    mark = "추정" if row["is_estimate"] else f"거래 {row['transaction_count']}건"
    return (
        f"{row['region']} {row['property_type']} {row['size_band']} {row['deal_type']}: 중위 {won(row['median'])}{rent}"
        f" (낮게는 {won(row['low'])}, 높게는 {won(row['high'])}; {mark}, {row['as_of']} 기준)"
    )


@agent(
    **TEAM,
    reads=(
        LOANS, PRICES, "loan_kinds", "sido", "price", "deposit", "monthly_rent", "area_m2", "deal_type",
        "figure_requests", *PERSON,
    ),
    optional=(PRICES,),
    writes=(f"{RAW}.policy_matching", f"{RAW}.loan_simulation"),
    task="대출 분석",
    description="받을 수 있는지와 갚을 금액",
    timeout=15,
    data=("loans", "policy"),
)  # fmt: skip
async def loan_analysis(asked: View, ctx: AgentContext) -> dict[str, Any]:
    loans: Sequence[Mapping[str, Any]] = asked.loan_search
    asked_for = [question for loan in loans if loan["eligible"] is None for question in loan["questions"]]
    open_facts = sorted(dict.fromkeys(asked_for), key=lambda question: -asked_for.count(question))
    matching: dict[str, Any] = {
        "eligible": [loan["name"] for loan in loans if loan["eligible"] is True],
        "unknown": [loan["name"] for loan in loans if loan["eligible"] is None],
        "ineligible": {loan["name"]: loan["reasons"] for loan in loans if loan["eligible"] is False},
        "questions": open_facts,
        "at_median": _at_median(asked),
    }
    ctx.source("policy_matching", tool="PolicyMatcher", source="loans.toml", as_of=max(loan["as_of"] for loan in loans))
    simulation = _simulation(asked)
    return {"policy_matching": matching, "loan_simulation": simulation}


def _at_median(asked: View) -> dict[str, Any] | None:
    """How the products stand if the home costs the region's median, said to be a supposition."""
    rows = asked.real_estate_search
    if not rows or asked.deposit is not None or asked.price is not None:
        return None
    row = rows[0]
    name = "price" if row["deal_type"] == "매매" else "deposit"
    profile = {**profile_of(asked), name: row["median"]}
    matches = PolicyMatcher().match(profile, kinds=tuple(asked.loan_kinds or ()))
    return {
        "basis": f"{row['region']} {row['deal_type']} 중위 {won(row['median'])}이라고 보면",
        "excluded": {m.product.name: list(m.failed) for m in matches if m.status == "ineligible"},
        "possible": [m.product.name for m in matches if m.status != "ineligible"],
    }


def _simulation(asked: View) -> dict[str, Any]:
    """The ways of repaying, if the loan was described; nothing is supposed."""
    for need in asked.figure_requests or ():
        inputs = need["inputs"]
        if need["calculator"] == "loan_payment" and not need["missing"] and inputs.get("years"):
            return LoanSimulator().simulate(inputs["principal"], inputs["annual_rate"], inputs["years"])
    return {}


@agent(
    **TEAM,
    reads=(
        "deposit",
        "price",
        "senior_debt",
        "other_deposits",
        "region",
        "area_m2",
        "property_type",
        "risk_signs",
        PRICES,
    ),
    optional=(PRICES,),
    writes=(f"{RAW}.jeonse_risk",),
    task="보증금 위험 분석",
    description="전세가율과 부담률, 확인할 것",
    timeout=15,
    data=("policy", "market"),
)
async def risk_analysis(asked: View, ctx: AgentContext) -> dict[str, Any]:
    signs = tuple(sign for sign in asked.risk_signs or () if sign != HAPPENED)
    table = section("jeonse_risk")
    ctx.source("jeonse_risk", tool="JeonseRiskTool", source=table["source"], as_of=table["as_of"])
    can_judge = asked.deposit is not None and (asked.price is not None or (asked.region and asked.area_m2))
    if not can_judge:
        return {"jeonse_risk": _checklist(signs, happened=HAPPENED in (asked.risk_signs or ()))}
    report = JeonseRiskTool(ctx.services.market).analyse(
        asked.deposit,
        price=asked.price,
        senior_debt=asked.senior_debt or 0,
        other_deposits=asked.other_deposits or 0,
        region=asked.region,
        area=asked.area_m2,
        property_kind=asked.property_type or "아파트",
        signs=signs,
    )
    found = report.as_dict()
    found["unsaid"] = [] if asked.senior_debt is not None else ["선순위 채권(근저당)은 말씀이 없어 0원으로 보았습니다."]
    return {"jeonse_risk": found}


_AFTERWARDS = (
    "이사하기 전에 임차권등기명령을 신청해 대항력을 지키세요 (주택임대차보호법 제3조의3).",
    "전세사기피해자 결정을 시·도나 전세사기피해지원센터에 신청하세요"
    " (전세사기피해자 지원 및 주거안정에 관한 특별법 제12조).",
    "전세보증금 반환보증에 들었다면 보증기관에 사고를 알리고 이행을 청구하세요.",
    "대한법률구조공단(132)에서 무료 법률 상담을 받으세요.",
)


def _checklist(signs: Sequence[str], *, happened: bool) -> dict[str, Any]:
    """What to do when there are no sums to judge by: before a contract, or after the harm is done."""
    report = JeonseRiskTool().analyse(0, price=1, signs=())
    named = [SIGNS[sign] for sign in signs]
    if happened:
        return {
            "level": None, "level_name": None, "score": None, "factors": [], "advice": list(_AFTERWARDS),
            "price_estimated": False, "calculations": [], "unsaid": [], "happened": True,
        }  # fmt: skip
    return {
        "level": None,
        "level_name": None,
        "score": None,
        "factors": [name for name, _, _ in named],
        "advice": [*(advice for _, _, advice in named), *report.advice],
        "price_estimated": False,
        "calculations": [],
        "unsaid": ["보증금과 시세(또는 지역과 전용면적), 근저당을 알려 주시면 부담률을 계산해 드립니다."],
    }


@agent(
    **TEAM,
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
    outcome = await ctx.call(points.CONTRACT, {"contract": contract, "found": found, "articles": ", ".join(articles)})
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


@agent(
    **TEAM,
    reads=("figure_requests",),
    writes=(f"{RAW}.roi_calculation",),
    task="수익률 분석",
    description="임대 투자 수익률",
    timeout=15,
)
async def roi_analysis(asked: View, ctx: AgentContext) -> dict[str, Any]:
    need = next(n for n in asked.figure_requests if n["calculator"] == "roi" and not n["missing"])
    worked = figure_needs.run(need)
    net, initial = worked.values["yearly_net"], worked.values["initial_cost"]
    payback = round(float(initial or 0) / float(net), 1) if net and float(net) > 0 else None
    ctx.source("roi_calculation", tool="RoiCalculator", source="입력값")
    return {
        "roi_calculation": {
            "estimated_roi": float(worked.values["roi"] or 0.0),
            "payback_period": payback,
            "calculation": worked.as_dict(),
        }
    }


def kind_name(kind: str) -> str:
    return KIND_NAMES.get(kind, kind)
