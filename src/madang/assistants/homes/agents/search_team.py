"""The search team: articles, prices, sample listings, loans. Each writes its list in `team_results.search`."""

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any

from madang.assistants.homes.agents.slots import DEAL_NAMES
from madang.assistants.homes.tools.legal_search import LegalResult
from madang.assistants.homes.tools.listings import SAMPLE_NOTE, Listing, ListingQuery, RealEstateSearchTool
from madang.assistants.homes.tools.loans import LoanDataTool, PolicyMatch, PolicyMatcher
from madang.assistants.homes.tools.market import Deal, MarketFigure
from madang.graph import AgentContext, View, agent

TEAM = {"team": "search", "agent_name": "search_team", "step_type": "search"}
FOUND = 5
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
    dates = [item["effective_date"] for item in found if item["effective_date"]]
    ctx.source("legal_search", tool="HybridLegalSearch", source="법령과 쟁점 자료", as_of=max(dates, default=None))
    return {"legal_search": found}


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


def to_show(articles: Sequence[Mapping[str, Any]], most: int = 3) -> list[Mapping[str, Any]]:
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
    reads=("regions", "deal_type", "area_m2", "property_type"),
    writes=("team_results.search.real_estate_search",),
    task="시세 조회",
    description="지역과 면적의 시세",
    timeout=15,
    data=("market",),
)
async def market_search(asked: View, ctx: AgentContext) -> dict[str, Any]:
    small = asked.property_type == "원룸" and asked.area_m2 is None
    rows = [
        as_price(figure)
        for region in asked.regions
        for deal in deals_of(asked.deal_type)
        for figure in ctx.services.market.query(
            region, deal, area=asked.area_m2, property_kind=asked.property_type or "아파트"
        )
        if not small or figure.size in STUDIO_SIZES
    ]
    first = rows[0]
    note = "추정값이 들어 있습니다" if any(row["is_estimate"] for row in rows) else None
    ctx.source("real_estate_search", tool="MarketDataTool", source=first["source"], as_of=first["as_of"], note=note)
    return {"real_estate_search": rows}


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
    matches = PolicyMatcher().match(profile_of(asked), kinds=tuple(asked.loan_kinds or ()))
    if not (asked.loan_facts or {}).get("victim"):
        matches = [match for match in matches if "victim" not in match.unknown]
    if asked.loan_words:
        named = {product.id for product in LoanDataTool().search(asked.loan_words)}
        matches = [m for m in matches if m.product.id in named] or matches
    ctx.source("loan_search", tool="PolicyMatcher", source="loans.toml", as_of=max(m.product.as_of for m in matches))
    return {"loan_search": [as_loan(match) for match in matches]}


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
    }
