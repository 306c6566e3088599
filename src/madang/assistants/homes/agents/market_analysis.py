"""Prices compared and drawn: what the analysis team makes of a market search."""

from typing import Annotated

from madang.assistants.homes.agents.market_search import deals_of
from madang.assistants.homes.services import HomesServices
from madang.assistants.homes.state.conversation import DealType
from madang.assistants.homes.state.paths import PRICES, RAW
from madang.assistants.homes.state.results import MarketAnalysis, MarketResult
from madang.assistants.homes.tools.calculators.calculation import won
from madang.assistants.homes.tools.market import MarketAnalysisTool
from madang.errors import NotFound
from madang.graph import At, Context, Reads, Writes, agent


class PricesRequest(Reads):
    real_estate_search: Annotated[list[MarketResult], At(PRICES)]
    regions: list[str]
    deal_type: DealType | None
    area_m2: float | None
    property_type: str | None


class Analysed(Writes):
    market_analysis: Annotated[MarketAnalysis, At(f"{RAW}.market_analysis")]


@agent(
    team="analysis",
    agent_name="analysis_team",
    task="시세 분석",
    description="시세를 견주고 그래프로",
    timeout=15,
    data=("market",),
)
async def market_analysis(asked: PricesRequest, ctx: Context[HomesServices]) -> Analysed:
    rows, first = asked.real_estate_search, asked.regions[0]
    tool = MarketAnalysisTool(ctx.services.market)
    kind, deal = asked.property_type or "아파트", deals_of(asked.deal_type)[0]
    several = len(asked.regions) > 1
    gaps: dict[str, int] = {}
    if several or asked.area_m2 is not None:
        regions = asked.regions if several else _neighbours(first)
        compared = tool.compare(regions, deal, area=asked.area_m2 or 84.0, property_kind=kind)
        chart, gaps = compared.chart, compared.gaps if several else {}
    else:
        chart = tool.chart(first, deal, property_kind=kind)
    estimated = any(row["is_estimate"] for row in rows)
    ctx.source("market_analysis", tool="MarketAnalysisTool", source=rows[0]["source"], as_of=rows[0]["as_of"])
    return {
        "market_analysis": {
            "trend": _trend(tool, first),
            "comparison": {"gaps": gaps} if several else {},
            "summary": [_price_line(row) for row in rows[:6]],
            "jeonse_ratio": _jeonse_ratio(ctx.services, asked, kind),
            "chart": chart,
            "notes": ["추정값은 매매 실거래나 지역별 추정 단가에서 계산했습니다."] if estimated else [],
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
    if found.change_percent is None:
        return None
    months = f"{found.months[0]}~{found.months[-1]}"
    return f"{found.region} ㎡당 매매 중위가는 {months}에 {found.change_percent:+g}% (기간이 짧아 추세는 아닙니다)"


def _jeonse_ratio(services: HomesServices, asked: PricesRequest, kind: str) -> float | None:
    """Jeonse over sale price, where the sale price comes from trades and the jeonse price was not derived from it."""
    area = asked.area_m2
    rows = asked.real_estate_search
    if area is None or rows[0]["deal_type"] != "전세":
        return None
    sale = services.market.query(asked.regions[0], "매매", area=area, property_kind=kind)[0]
    return round(rows[0]["median"] / sale["median"], 3) if sale["median"] else None


def _price_line(row: MarketResult) -> str:
    rent = f"에 월 {won(rent)}" if (rent := row.get("monthly_rent")) else ""
    mark = "추정" if row["is_estimate"] else f"거래 {row['transaction_count']}건"
    return (
        f"{row['region']} {row['property_type']} {row['size_band']} {row['deal_type']}: 중위 {won(row['median'])}{rent}"
        f" (낮게는 {won(row['low'])}, 높게는 {won(row['high'])}; {mark}, {row['as_of']} 기준)"
    )
