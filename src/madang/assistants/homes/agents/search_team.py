"""The search team: articles, prices, sample listings, loans. Each writes its list in `team_results.search`."""

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

from madang.assistants.homes.agents.slots import DEAL_NAMES
from madang.assistants.homes.tools.legal_search import LegalResult
from madang.assistants.homes.tools.listings import SAMPLE_NOTE, Listing, ListingQuery, RealEstateSearchTool
from madang.assistants.homes.tools.loans import (
    KIND_NAMES,
    Kind,
    LoanDataTool,
    LoanProduct,
    PolicyMatch,
    PolicyMatcher,
    load_products,
)
from madang.assistants.homes.tools.market import LIVE_SOURCE, Deal, MarketFigure, PriceQuestion
from madang.graph import AgentContext, View, agent

Article = TypeVar("Article", bound=Mapping[str, Any])

TEAM = {"team": "search", "agent_name": "search_team", "step_type": "search"}
FOUND = 5
QUOTED = 4
BANK_PRODUCTS = 10
ESTIMATED = "추정값이 들어 있습니다"
STUDIO_SIZES = ("40㎡ 이하", "40~60㎡")
HARDLY = 0.1
RELEVANT = 0.3
CLEARLY = 0.85
_CONTRACT = "team_results.analysis.raw_analysis.contract_analysis"


@agent(
    **TEAM,
    reads=("legal_question", "legal_terms", _CONTRACT),
    optional=(_CONTRACT,),
    writes=("team_results.search.legal_search",),
    task="법률 정보 검색",
    description="질문에 맞는 법령 조문",
    timeout=60,
    data=("issues", "statutes"),
)
async def legal_search(asked: View, ctx: AgentContext) -> dict[str, Any]:
    found = await asyncio.to_thread(_articles, ctx.services, asked)
    lost = await _quote(ctx, found)
    dates = [item["effective_date"] for item in found if item["effective_date"]]
    ctx.source(
        "legal_search", tool="HybridLegalSearch", source="법령과 쟁점 자료", as_of=max(dates, default=None), note=lost
    )
    return {"legal_search": found}


async def _quote(ctx: AgentContext, found: Sequence[dict[str, Any]]) -> str | None:
    """Put the law centre's text in place of our summary where the statute isn't loaded; why it couldn't be had."""
    lacking = [item for item in to_show(found, QUOTED) if not item["is_statute_text"]]
    if ctx.services.live_law is None or not lacking:
        return None
    statutes, lost = await ctx.services.live_law.statutes(item["law_name"] for item in lacking)
    for item in found:
        statute = statutes.get(item["law_name"]) if item in lacking else None
        article = statute and next((a for a in statute.articles if a.number == item["article"]), None)
        if statute and article and article.text and not article.deleted:
            item["summary"], item["content"] = item["content"], article.text
            item["title"], item["is_statute_text"] = article.title or item["title"], True
            item["effective_date"] = statute.effective
    return str(lost) if lost else None


def _articles(services: Any, asked: View) -> list[dict[str, Any]]:
    """The articles, best first: those that a contract's findings rest on, then those that fit the question."""
    found: dict[str, dict[str, Any]] = {}
    for risk in (asked.contract_analysis or {}).get("risks", ()):
        for name in risk.get("articles", ()):
            law, _, number = name.rpartition(" ")
            item = services.legal.look_up(law, number)
            if item is not None:
                found.setdefault(item.source, as_result(item))
    if asked.legal_question:
        query = " ".join([asked.legal_question, *(asked.legal_terms or ())])
        for item in services.legal.search(query, FOUND, min_score=HARDLY):
            found.setdefault(item.source, as_result(item))
    return list(found.values())[: FOUND + 3]


def to_show(articles: Sequence[Article], most: int = 3) -> list[Article]:
    """The articles worth showing: named ones, and those that fit nearly as well as the best."""
    if not articles:
        return []
    best = max(float(item["relevance_score"]) for item in articles)
    least = max(RELEVANT, CLEARLY * best)
    return [item for item in articles if item.get("exact") or float(item["relevance_score"]) >= least][:most]


def as_result(item: LegalResult) -> dict[str, Any]:
    """A hit as it is kept: the statute's own words if they are loaded, else our summary, marked as one."""
    body = item.quotation.split("\n", 1)[1] if item.quotation and "\n" in item.quotation else None
    return {
        "law_name": item.law_name,
        "article": item.article,
        "title": item.title or None,
        "content": body or item.content,
        "relevance_score": item.relevance_score,
        "source": item.source,
        "is_statute_text": body is not None,
        "effective_date": item.effective_date or None,
        "related_articles": list(item.related),
        "calculator": item.calculator,
        "kind": item.kind,
        "summary": item.content if body is None or item.content != body else None,
        "conditions": list(item.conditions),
        "matched_phrase": item.matched_phrase,
        "exact": item.exact,
    }


@agent(
    **TEAM,
    reads=("regions", "deal_type", "area_m2", "property_type", "price_months"),
    writes=("team_results.search.real_estate_search",),
    task="시세 조회",
    description="지역과 면적의 시세",
    timeout=20,
    data=("market",),
)
async def market_search(asked: View, ctx: AgentContext) -> dict[str, Any]:
    small = asked.property_type == "원룸" and asked.area_m2 is None
    kind, deals = asked.property_type or "아파트", deals_of(asked.deal_type)
    lost = await _fetch_prices(ctx, PriceQuestion(asked.regions, deals, kind, asked.area_m2, asked.price_months))
    rows = [
        as_price(figure)
        for region in asked.regions
        for deal in deals
        for figure in ctx.services.market.query(
            region, deal, area=asked.area_m2, property_kind=kind, months=asked.price_months
        )
        if not small or figure.size in STUDIO_SIZES
    ]
    note = told_of_live(lost, rows) if ctx.services.live_prices is not None else None
    if note is None and any(row["is_estimate"] for row in rows):
        note = ESTIMATED
    sources = ", ".join(dict.fromkeys(row["source"] for row in rows))
    ctx.source("real_estate_search", tool="MarketDataTool", source=sources, as_of=rows[0]["as_of"], note=note)
    return {"real_estate_search": rows}


async def _fetch_prices(ctx: AgentContext, question: PriceQuestion) -> list[str]:
    """Fetch the transactions that the question is about, if they can be; why not otherwise."""
    live = ctx.services.live_prices
    return [] if live is None else list(await live.refresh(question, ctx.today))


def told_of_live(lost: Sequence[str], rows: Sequence[Mapping[str, Any]]) -> str | None:
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


def deals_of(deal_type: str | None) -> tuple[Deal, ...]:
    """The deal that was asked for, or all three."""
    deals: dict[str, Deal] = {"sale": "매매", "jeonse": "전세", "monthly_rent": "월세"}
    return (deals[deal_type],) if deal_type else tuple(deals.values())


def as_price(figure: MarketFigure) -> dict[str, Any]:
    return {
        "region": figure.region,
        "property_type": figure.property_kind,
        "deal_type": figure.deal,
        "size_band": figure.size,
        "low": figure.low,
        "median": figure.median,
        "high": figure.high,
        "monthly_rent": figure.monthly_rent,
        "transaction_count": figure.count,
        "as_of": figure.as_of,
        "is_estimate": figure.estimated,
        "source": figure.source,
        "basis": figure.basis,
    }


@agent(
    **TEAM,
    reads=("regions", "deal_type", "area_m2", "property_type", "listing_wish"),
    writes=("team_results.search.property_search",),
    task="매물 검색",
    description="조건에 맞는 매물 예시",
    timeout=15,
    data=("listings",),
)
async def property_search(asked: View, ctx: AgentContext) -> dict[str, Any]:
    wish = asked.listing_wish or {}
    area = asked.area_m2
    query = ListingQuery(
        regions=tuple(asked.regions or ()),
        deal=DEAL_NAMES.get(asked.deal_type or ""),
        property_kind=asked.property_type,
        min_area=area * 0.9 if area else None,
        max_area=area * 1.1 if area else None,
        **{name: value for name, value in wish.items() if value is not None},
    )
    found = RealEstateSearchTool().search(query, limit=5)
    ctx.source("property_search", tool="RealEstateSearchTool", source="예시 매물", note=SAMPLE_NOTE)
    return {"property_search": [as_listing(item) for item in found]}


def as_listing(item: Listing) -> dict[str, Any]:
    return {
        "listing_id": item.id,
        "title": item.name,
        "region": f"{item.sido} {item.district}",
        "property_type": item.property_kind,
        "deal_type": item.deal,
        "price": item.price or None,
        "deposit": item.deposit or None,
        "monthly_rent": item.monthly_rent or None,
        "area_m2": item.area,
        "floor": f"{item.floor}층",
        "walk_minutes": item.station_minutes,
        "rooms": item.rooms,
        "built": item.built,
        "maintenance": item.maintenance,
        "is_sample": item.sample,
        "source": SAMPLE_NOTE,
    }


PERSON = ("annual_income", "age", "homes_owned", "loan_facts")


@agent(
    **TEAM,
    reads=("loan_kinds", "loan_words", "sido", "price", "deposit", "monthly_rent", "area_m2", *PERSON),
    writes=("team_results.search.loan_search",),
    task="대출·지원 상품 검색",
    description="조건으로 가려 본 정책 대출과 지원",
    timeout=15,
    data=("loans",),
)
async def loan_search(asked: View, ctx: AgentContext) -> dict[str, Any]:
    kinds = tuple(asked.loan_kinds or ())
    bank, lost = await _bank_loans(ctx, kinds)
    matches = PolicyMatcher((*load_products(), *bank)).match(profile_of(asked), kinds=kinds)
    if not (asked.loan_facts or {}).get("victim"):
        matches = [match for match in matches if "victim" not in match.unknown]
    if asked.loan_words:
        named = {product.id for product in LoanDataTool(bank=bank).search(asked.loan_words)}
        matches = [m for m in matches if m.product.id in named] or matches
    sources = ["loans.toml", *dict.fromkeys(m.product.source for m in matches if m.product.decided_by_bank)]
    dates = max(m.product.as_of for m in matches)
    ctx.source("loan_search", tool="PolicyMatcher", source=", ".join(sources), as_of=dates, note=lost)
    return {"loan_search": [as_loan(match) for match in matches]}


async def _bank_loans(ctx: AgentContext, kinds: Sequence[Kind]) -> tuple[list[LoanProduct], str | None]:
    """The banks' products with the lowest rates of each kind, if they can be had; why not otherwise."""
    if ctx.services.live_loans is None:
        return [], None
    found, lost = await ctx.services.live_loans.products(kinds, ctx.today)
    best = [p for kind in KIND_NAMES for p in [p for p in found if p.kind == kind][:BANK_PRODUCTS]]
    return best, lost


def profile_of(known: Mapping[str, Any]) -> dict[str, Any]:
    """What is known of the person and the home, by the names of the loan conditions."""
    profile = {
        "annual_income": known["annual_income"],
        "age": known["age"],
        "homes": known["homes_owned"],
        "price": known["price"],
        "deposit": known["deposit"],
        "monthly_rent": known["monthly_rent"],
        "area": known["area_m2"],
        "region": known["sido"],
        **(known["loan_facts"] or {}),
    }
    return {name: value for name, value in profile.items() if value is not None}


def as_loan(match: PolicyMatch) -> dict[str, Any]:
    product = match.product
    return {
        "product_id": product.id,
        "name": product.name,
        "provider": product.provider,
        "product_type": product.kind,
        "limit": product.limit,
        "rate_min": product.rate[0] if product.rate else None,
        "rate_max": product.rate[1] if product.rate else None,
        "eligible": {"eligible": True, "unknown": None, "ineligible": False}[match.status],
        "reasons": list(match.failed or match.met),
        "missing": list(match.unknown),
        "questions": list(match.questions),
        "summary": product.summary,
        "note": product.note or None,
        "as_of": product.as_of,
        "source": product.source,
        "decided_by_bank": product.decided_by_bank,
    }
