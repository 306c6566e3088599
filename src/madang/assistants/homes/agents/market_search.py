"""Prices of the regions asked about."""

from collections.abc import Sequence
from typing import Annotated

from madang.assistants.homes.services import HomesServices
from madang.assistants.homes.state.conversation import DealType
from madang.assistants.homes.state.paths import PRICES
from madang.assistants.homes.state.results import MarketResult
from madang.assistants.homes.tools.market import DEAL_NAMES, DEALS, LIVE_SOURCE, Deal, PriceQuestion
from madang.graph import At, Context, Reads, Writes, agent

STUDIO_SIZES = ("40㎡ 이하", "40~60㎡")


class MarketRequest(Reads):
    regions: list[str]
    deal_type: DealType | None
    area_m2: float | None
    property_type: str | None
    price_months: int | None


class MarketFound(Writes):
    real_estate_search: Annotated[list[MarketResult], At(PRICES)]


@agent(
    team="search",
    agent_name="search_team",
    task="시세 조회",
    description="지역과 면적의 시세",
    timeout=20,
    data=("market",),
)
async def market_search(asked: MarketRequest, ctx: Context[HomesServices]) -> MarketFound:
    small = asked.property_type == "원룸" and asked.area_m2 is None
    kind, deals = asked.property_type or "아파트", deals_of(asked.deal_type)
    question = PriceQuestion(asked.regions, deals, kind, asked.area_m2, asked.price_months)
    rows, note = await priced(ctx, question, STUDIO_SIZES if small else ())
    sources = ", ".join(dict.fromkeys(row["source"] for row in rows))
    ctx.source("real_estate_search", tool="MarketDataTool", source=sources, as_of=rows[0]["as_of"], note=note)
    return {"real_estate_search": rows}


async def priced(
    ctx: Context[HomesServices], question: PriceQuestion, sizes: Sequence[str] = ()
) -> tuple[list[MarketResult], str | None]:
    """The figures (of some sizes only, if they are named), and what is to be said of live prices."""
    lost = await _fetch_prices(ctx, question)
    rows = [
        figure
        for region in question.regions
        for deal in question.deals
        for figure in ctx.services.market.query(
            region, deal, area=question.area, property_kind=question.property_kind, months=question.months
        )
        if not sizes or figure["size_band"] in sizes
    ]
    return rows, told_of_live(lost, rows) if ctx.services.live_prices is not None else None


async def _fetch_prices(ctx: Context[HomesServices], question: PriceQuestion) -> list[str]:
    """Fetch the transactions that the question is about, if they can be; why not otherwise."""
    live = ctx.services.live_prices
    return [] if live is None else list(await live.refresh(question, ctx.today))


def told_of_live(lost: Sequence[str], rows: Sequence[MarketResult]) -> str | None:
    """What to say of live prices: why there are none, or which figures rest on something else."""
    others = [row for row in rows if row["source"] != LIVE_SOURCE or row["is_estimate"]]
    dates = ", ".join(dict.fromkeys(row["as_of"] for row in others if row["source"] != LIVE_SOURCE))
    why = " ".join(f"{line}." for line in lost)
    if lost and dates:
        return f"{why} {dates} 기준으로 갖고 있는 자료로 답했습니다."
    if lost or not others:
        return why or None
    which = ", ".join(dict.fromkeys(f"{row['size_band']} {row['deal_type']}" for row in others))
    return f"최근 1년 실거래가 적거나 조회되지 않는 것({which})은 다른 자료나 추정값입니다."


def deals_of(deal_type: DealType | None) -> tuple[Deal, ...]:
    """The deal that was asked for, or all three."""
    return (DEAL_NAMES[deal_type],) if deal_type else DEALS
