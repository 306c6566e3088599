"""What answers a question of law: the situation it is about, and the articles that fit it or a contract's findings."""

import asyncio
from collections.abc import Sequence
from typing import Annotated

from madang.assistants.homes.answering.shown_articles import to_show
from madang.assistants.homes.services import HomesServices
from madang.assistants.homes.state.conversation import LeaseKind, LegalQuestion, SituationRequest
from madang.assistants.homes.state.paths import CONTRACT, LEGAL
from madang.assistants.homes.state.results import (
    CitedArticle,
    ContractAnalysis,
    FaqAnswer,
    LegalResult,
    SituationAnswer,
)
from madang.assistants.homes.tools.legal_search import ArticleHit
from madang.assistants.homes.tools.situations import bearing_on
from madang.graph import At, Context, Reads, Writes, agent

FOUND = 5
QUOTED = 4
LEAST_SCORE = 0.1


class LegalRequest(Reads):
    legal_questions: list[LegalQuestion] | None
    lease_kind: LeaseKind | None
    legal_terms: list[str] | None
    situation_requests: list[SituationRequest] | None
    language: str | None
    contract_analysis: Annotated[ContractAnalysis | None, At(CONTRACT)] = None


class LegalFound(Writes):
    legal_search: Annotated[list[LegalResult], At(LEGAL)]
    situations: Annotated[list[SituationAnswer], At("situations")]
    faq_answers: Annotated[list[FaqAnswer], At("faq_answers")]


@agent(
    team="search",
    agent_name="search_team",
    task="법률 정보 검색",
    description="질문에 맞는 법령 조문",
    timeout=60,
    data=("issues", "statutes", "situations", "faq"),
)
async def legal_search(asked: LegalRequest, ctx: Context[HomesServices]) -> LegalFound:
    found = await asyncio.to_thread(_articles, ctx.services, asked)
    lost = await _quote(ctx.services, found)
    dates = [item["effective_date"] for item in found if item["effective_date"]]
    ctx.source(
        "legal_search", tool="HybridLegalSearch", source="법령과 쟁점 자료", as_of=max(dates, default=None), note=lost
    )
    told = await asyncio.to_thread(_situations, ctx.services, asked) if asked.situation_requests else []
    sources = "; ".join(dict.fromkeys(name for item in told for name in item["sources"]))
    ctx.source(
        "situations", tool="SituationTool", source=sources or None, as_of=max((i["as_of"] for i in told), default=None)
    )
    narrow = await asyncio.to_thread(_narrow, ctx.services, asked)
    dates = [item["as_of"] for item in narrow]
    cited = "; ".join(dict.fromkeys(name for item in narrow for name in item["sources"]))
    ctx.source("faq_answers", tool="Faq", source=cited or None, as_of=max(dates, default=None))
    return {"legal_search": found, "situations": told, "faq_answers": narrow}


def _narrow(services: HomesServices, asked: LegalRequest) -> list[FaqAnswer]:
    """The narrow questions that are near what was asked, each once."""
    found: dict[str, FaqAnswer] = {}
    for request in asked.situation_requests or ():
        for key in request.get("faq") or ():
            one = services.faq.find(key)
            if one is None:
                raise KeyError(key)
            english = asked.language == "en"
            found.setdefault(
                key,
                {
                    "question": request["question"],
                    "asked": one.asked_in("en" if english else "ko"),
                    "answer": one.english if english else one.answer,
                    "text": one.text or None,
                    "topic": one.topic,
                    "sources": list(one.law),
                    "articles": _cited(services, one.law),
                    "fit": request.get("faq_fit", "near"),
                    "as_of": one.as_of,
                },
            )
    return list(found.values())


def _situations(services: HomesServices, asked: LegalRequest) -> list[SituationAnswer]:
    """The situation that each question is about; of one that isn't clear the two nearest."""
    return [
        _answer(request, key, services, asked)
        for request in asked.situation_requests or ()
        for key in (request["found"][:1] if request["clear"] else request["found"][:2])
    ]


def _cited(services: HomesServices, names: Sequence[str]) -> list[CitedArticle]:
    """What the articles say, for whoever opens one; those that are loaded nowhere are left out."""
    hits = [services.legal.look_up(*name.rsplit(" ", 1)) for name in names if " " in name]
    results = [as_result(hit) for hit in hits if hit is not None]
    return [
        {
            "source": one["source"],
            "title": one["title"],
            "content": one["content"],
            "is_statute_text": one["is_statute_text"],
            "effective_date": one["effective_date"],
        }
        for one in results
    ]


def _answer(request: SituationRequest, key: str, services: HomesServices, asked: LegalRequest) -> SituationAnswer:
    one = services.situations.find(key)
    if one is None:
        raise KeyError(key)
    english = asked.language == "en" and bool(one.english)
    brief = english or request["again"]
    return {
        "question": request["question"],
        "situation": one.id,
        "title": one.title,
        "answer": one.english if english else bearing_on(request["question"], one) if brief else one.answer,
        "figures": request["figures"] if not english else [],
        "steps": [] if brief else list(one.steps),
        "ask": None if english else one.ask or None,
        "sources": list(one.law),
        "articles": _cited(services, one.law),
        "clear": request["clear"],
        "as_of": one.as_of,
    }


async def _quote(services: HomesServices, found: Sequence[LegalResult]) -> str | None:
    """Put the law centre's text in place of our summary where the statute isn't loaded; why it couldn't be had."""
    lacking = [item for item in to_show(found, QUOTED) if not item["is_statute_text"]]
    if services.live_law is None or not lacking:
        return None
    statutes, lost = await services.live_law.statutes(item["law_name"] for item in lacking)
    for item in found:
        statute = statutes.get(item["law_name"]) if item in lacking else None
        article = statute and next((a for a in statute.articles if a.number == item["article"]), None)
        if statute and article and article.text and not article.deleted:
            item["summary"], item["content"] = item["content"], article.text
            item["title"], item["is_statute_text"] = article.title or item["title"], True
            item["effective_date"] = statute.effective
    return str(lost) if lost else None


def _articles(services: HomesServices, asked: LegalRequest) -> list[LegalResult]:
    """The articles, best first: those that a contract's findings rest on, then those that fit the question."""
    found: dict[str, LegalResult] = {}
    for risk in asked.contract_analysis["risks"] if asked.contract_analysis else ():
        for name in risk.get("articles", ()):
            law, _, number = name.rpartition(" ")
            item = services.legal.look_up(law, number)
            if item is not None:
                found.setdefault(item.source, as_result(item))
    for place, question in enumerate(asked.legal_questions or ()):
        for fitting in _fitting(services, question, asked):
            result = found.setdefault(fitting.source, as_result(fitting))
            result.setdefault("answers", []).append(place)
            result["relevance_score"] = max(result["relevance_score"], fitting.relevance_score)
    several = len(asked.legal_questions or ()) > 1
    best = sorted(found.values(), key=lambda item: -item["relevance_score"]) if several else list(found.values())
    return best[: FOUND + 3 * max(1, len(asked.legal_questions or ()))]


def _fitting(services: HomesServices, question: LegalQuestion, asked: LegalRequest) -> list[ArticleHit]:
    """What fits the question or one of the terms to look for; each is looked for by itself, the best score counts."""
    shop = "상가 " if asked.lease_kind == "shop" else ""
    hits = list(
        services.legal.search_told(shop + question["question"], question["told"], FOUND, before=question["before"])
    )
    for term in asked.legal_terms or ():
        hits += services.legal.search_told(shop + term, (), FOUND, before=())
    best: dict[str, ArticleHit] = {}
    for hit in hits:
        if hit.source not in best or hit.relevance_score > best[hit.source].relevance_score:
            best[hit.source] = hit
    ranked = sorted(best.values(), key=lambda hit: -hit.relevance_score)
    return [hit for hit in ranked if hit.relevance_score >= LEAST_SCORE]


def as_result(item: ArticleHit) -> LegalResult:
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
        "steps": list(item.steps),
    }
