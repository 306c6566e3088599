"""Prices compared and drawn: what the analysis team makes of a market search."""

from collections.abc import Mapping, Sequence
from typing import Any

from madang.assistants.homes.state.paths import ANALYSIS_TEAM, PRICES, RAW
from madang.assistants.homes.tools.calculators.calculation import won
from madang.assistants.homes.tools.market import MarketAnalysisTool
from madang.errors import NotFound
from madang.graph import AgentContext, View, agent


@agent(
    **ANALYSIS_TEAM,
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
