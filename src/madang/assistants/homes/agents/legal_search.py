"""Articles that fit the question, or that a contract's findings rest on."""

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

from madang.assistants.homes.state.paths import CONTRACT, SEARCH_TEAM
from madang.assistants.homes.tools.legal_search import LegalResult
from madang.graph import AgentContext, View, agent

Article = TypeVar("Article", bound=Mapping[str, Any])

FOUND = 5
QUOTED = 4
# Scores: below the first nothing is kept; shown is what reaches the second and that share of the best.
LEAST_KEPT = 0.1
LEAST_SHOWN = 0.3
SHARE_OF_BEST = 0.85


@agent(
    **SEARCH_TEAM,
    reads=("legal_question", "legal_terms", CONTRACT),
    optional=(CONTRACT,),
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
        for item in services.legal.search(query, FOUND, min_score=LEAST_KEPT):
            found.setdefault(item.source, as_result(item))
    return list(found.values())[: FOUND + 3]


def to_show(articles: Sequence[Article], most: int = 3) -> list[Article]:
    """The articles worth showing: named ones, and those that fit nearly as well as the best."""
    if not articles:
        return []
    best = max(float(item["relevance_score"]) for item in articles)
    least = max(LEAST_SHOWN, SHARE_OF_BEST * best)
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
