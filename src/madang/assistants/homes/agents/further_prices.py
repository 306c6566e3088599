"""Prices of one more region or deal, looked up while things are compared; its results accumulate."""

from madang.assistants.homes.agents.market_search import deals_of, priced
from madang.assistants.homes.services import HomesServices
from madang.assistants.homes.state.conversation import DealType
from madang.assistants.homes.state.results import MarketResult
from madang.assistants.homes.tools.market import PriceQuestion
from madang.graph import Argument, Context, Reads, Writes, agent


class FurtherPriceRequest(Reads):
    region: Argument[str]
    deal_type: Argument[DealType]
    area_m2: Argument[float | None] = None
    property_type: Argument[str | None] = None


class FurtherPrices(Writes):
    further_prices: list[MarketResult]


@agent(
    team="search",
    agent_name="search_team",
    task="견주어 볼 시세",
    description="견주는 데 필요한 지역과 거래의 시세",
    timeout=20,
    data=("market",),
    runs=8,
)
async def further_prices(asked: FurtherPriceRequest, ctx: Context[HomesServices]) -> FurtherPrices:
    kind = asked.property_type or "아파트"
    question = PriceQuestion([asked.region], deals_of(asked.deal_type), kind, asked.area_m2)
    rows, note = await priced(ctx, question)
    sources = ", ".join(dict.fromkeys(row["source"] for row in rows))
    ctx.source("further_prices", tool="MarketDataTool", source=sources, as_of=rows[0]["as_of"], note=note)
    return {"further_prices": rows}
