"""The answer, composed from state: the answer first, then what it rests on, what is estimated, what to do next."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from madang.assistants.homes.agents.legal_search import to_show
from madang.assistants.homes.agents.market_search import ESTIMATED
from madang.assistants.homes.answering import first_sentences, sections
from madang.assistants.homes.answering.call_points import answer_point
from madang.assistants.homes.answering.confidence import (
    analysis_checks,
    confidence_of,
    legal_checks,
    loan_checks,
    market_checks,
)
from madang.assistants.homes.answering.report_texts import sources_of_results
from madang.assistants.homes.tools.legal_search import COURT_NOTE
from madang.assistants.homes.understanding.limits import limits_of
from madang.graph import Answer, TurnContext
from madang.graph.state import add_usage
from madang.state.clock import now_iso
from madang.text.blocks import spaced

State = Mapping[str, Any]
_HANGUL = re.compile(r"[가-힣]{2,}")
LEAST_WORDS = 4
_PRODUCTS = re.compile(r"상품|추천|뭐가|뭐\s?있|어떤|가능한|받을\s?수|종류|조건")
_TREND = re.compile(r"추세|추이|변화|변동|올랐|떨어졌|내렸|흐름|전망|최근")


async def respond(state: State, ctx: TurnContext) -> Answer:
    """Every figure and citation is one that an agent wrote; a model may only put them into better words."""
    found = results_of(state)
    parts = [part for part in _sections(found, state.get("query", "")) if part]
    notes = _notes(state, found)
    steps = _next_steps(found, state.get("query", ""))
    beyond = [limit.said for limit in limits_of(state.get("query", ""))]
    opening = " ".join([*beyond, first_sentences.answer(state, found)])
    listed = (("다음에 할 일", steps, "next"), ("참고", notes, "notes"))
    parts += [
        {"title": title, "content": spaced(f"- {s}" for s in said), "type": kind}
        for title, said, kind in listed
        if said
    ]
    body = [opening, *(f"### {part['title']}\n\n{part['content']}" for part in parts)]
    draft = "\n\n".join(part for part in body if part)
    structured = _structured(state, found, parts)
    text, flagged, streamed = await _worded(state, ctx, draft, found)
    if flagged:
        structured["flagged"] = flagged
    return Answer(
        answer=text,
        type="comprehensive_analysis" if state.get("last_intent") == "comprehensive" else "answer",
        structured_data=structured,
        data={"summary": opening, **({"streamed": True} if streamed else {})},
    )


def results_of(state: State) -> dict[str, Any]:
    """What the teams found, flat; None where nothing was looked for."""
    results = state.get("team_results") or {}
    search, analysis = results.get("search") or {}, results.get("analysis") or {}
    lists = ("legal_search", "real_estate_search", "property_search", "loan_search")
    return {
        **{name: search.get(name) for name in lists},
        "raw_analysis": analysis.get("raw_analysis") or {},
        "analysis": analysis,
        "document": results.get("document") or {},
    }


def _sections(found: Mapping[str, Any], query: str) -> list[dict[str, Any] | None]:
    raw = found["raw_analysis"]
    unasked = first_sentences.works_out_loan(found) and not _PRODUCTS.search(query)
    reviewed = bool(raw.get("contract_analysis"))
    trend = (raw.get("market_analysis") or {}).get("trend")
    return [
        sections.contract(raw.get("contract_analysis")),
        sections.figures(raw.get("legal_calculation") or ()),
        sections.risk(raw.get("jeonse_risk")),
        sections.roi(raw.get("roi_calculation")),
        sections.prices(found["real_estate_search"] or (), trend if _TREND.search(query) else None),
        sections.listings(found["property_search"] or ()),
        sections.repayment(raw.get("loan_simulation")),
        None if unasked else sections.loans(found["loan_search"] or (), raw.get("policy_matching")),
        sections.articles(
            fitting_articles(found),
            gist_told=first_sentences.tells_law(found),
            brief=reviewed,
            most=4 if reviewed else 2 if raw.get("legal_calculation") else 3,
        ),
        _insights(found, unasked=unasked),
    ]


def _insights(found: Mapping[str, Any], *, unasked: bool) -> dict[str, Any] | None:
    told = ("market_analysis", "policy_matching", "roi_calculation")
    said = found["analysis"].get("insights") or []
    if unasked or not any(found["raw_analysis"].get(name) for name in told):
        return None
    return sections.section("알아 둘 점", [f"- {line}" for line in said], "insights")


def _next_steps(found: Mapping[str, Any], query: str) -> list[str]:
    steps = list(found["analysis"].get("recommendations") or ())
    if first_sentences.works_out_loan(found) and not _PRODUCTS.search(query):
        steps = [step for step in steps if not step.startswith("대출 조건")]
    if found["raw_analysis"].get("contract_analysis"):
        steps = [step for step in steps if ": " not in step]
    return steps[:6]


def _notes(state: State, found: Mapping[str, Any]) -> list[str]:
    notes: list[str] = []
    rows = found["real_estate_search"] or ()
    if rows and state.get("property_type") is None:
        notes.append("주택 종류를 말씀하지 않아 아파트로 보았습니다.")
    if found["legal_search"]:
        if not any(item["is_statute_text"] for item in found["legal_search"]):
            notes.append("조문 내용은 원문이 아니라 요약입니다. 국가법령정보센터에서 원문을 확인하세요.")
        notes.append(COURT_NOTE)
    notes += _live_notes(state, found)
    if found["raw_analysis"].get("contract_analysis"):
        notes.append("자동 검토이며 법률 자문이 아닙니다. 중요한 계약은 전문가 상담을 받으세요.")
    return list(dict.fromkeys(notes))


def _live_notes(state: State, found: Mapping[str, Any]) -> list[str]:
    """Why live data are missing from what was found, as the agents noted it."""
    provenance = state.get("provenance") or {}
    searches = ("real_estate_search", "loan_search", "legal_search")
    told = [(provenance.get(f"team_results.search.{name}") or {}).get("note") for name in searches if found[name]]
    return [note for note in told if note and note != ESTIMATED]


def _structured(state: State, found: Mapping[str, Any], parts: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    checks = found["analysis"].get("confidence_checks") or _checks(found)
    rows = found["real_estate_search"] or ()
    charts = (found["analysis"].get("visualization_data") or {}).get("charts") or []
    made: dict[str, Any] = {
        "sections": [dict(part) for part in parts],
        "metadata": {
            "confidence": confidence_of(checks),
            "sources": cited(found),
            "checks": {name: round(value, 3) for name, value in checks.items()},
            "estimates": sorted({f"{r['region']} {r['deal_type']}" for r in rows if r["is_estimate"]}),
            "statutes_loaded": any(item["is_statute_text"] for item in found["legal_search"] or ()),
            "limits": [limit.kind for limit in limits_of(state.get("query", ""))],
        },
    }
    if charts:
        made["charts"] = charts
    if found["document"]:
        document = found["document"]
        made["document"] = {
            "document_id": document.get("document_id"),
            "title": (document.get("document_content") or {}).get("title"),
            "formats": document.get("formats") or [],
        }
    return made


def _checks(found: Mapping[str, Any]) -> dict[str, float]:
    return {
        **(legal_checks(found["legal_search"]) if found["legal_search"] is not None else {}),
        **market_checks(found["real_estate_search"] or ()),
        **loan_checks(found["loan_search"] or ()),
        **analysis_checks(found["raw_analysis"]),
    }


def fitting_articles(found: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The articles found; beside a figure only those of the laws that it rests on."""
    articles = list(found["legal_search"] or ())
    figures = found["raw_analysis"].get("legal_calculation") or ()
    laws = {rule["article"].rpartition(" ")[0] for figure in figures for rule in figure["rules"] if rule["article"]}
    if not laws:
        return articles
    return [item for item in articles if any(item["law_name"].startswith(law) for law in laws)]


def cited(found: Mapping[str, Any]) -> list[str]:
    """The articles the answer rests on: those of the figures and findings, then those it shows."""
    shown = {**found, "legal_search": to_show(fitting_articles(found))}
    return sources_of_results(shown)


async def _worded(
    state: State, ctx: TurnContext, draft: str, found: Mapping[str, Any]
) -> tuple[str, list[dict[str, Any]], bool]:
    """The draft in a model's words, streamed as it comes; sentences without a source are dropped and flagged."""
    from madang.llm import Restart, sources_of, stream

    if ctx.models is None or not ctx.models.configured or found["document"]:
        return draft, [], False
    query = state.get("query", "")
    allowed = sources_of([draft, query, found["raw_analysis"]], [*cited(found), *_all_articles(found), draft])
    speaking = stream(answer_point(), {"query": query, "draft": draft}, ctx.models, sources=allowed)
    async for piece in speaking:
        if isinstance(piece, Restart):
            ctx.token("", restart=True)
        else:
            ctx.token(piece)
    outcome = speaking.outcome
    ctx.fallbacks.extend(dict(note) for note in outcome.fallbacks)
    text = outcome.value
    if len(_HANGUL.findall(text)) < LEAST_WORDS:
        note = {"point": answer_point().name, "reason": "nonsense", "detail": text[:80], "at": now_iso()}
        ctx.fallbacks.append(note)
        ctx.token("", restart=True)
        ctx.token(draft)
        text = draft
    total = add_usage(ctx.usage, {"llm": outcome.usage})
    ctx.usage.clear()
    ctx.usage.update(total)
    flagged = [{"text": claim.text, "kind": claim.kind} for claim in outcome.flagged]
    return text, flagged, True


def _all_articles(found: Mapping[str, Any]) -> list[str]:
    return [item["source"] for item in found["legal_search"] or ()]
