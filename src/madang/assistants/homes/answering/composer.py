"""The answer, composed from state: the answer first, then what it rests on, what is estimated, what to do next."""

import re
from collections.abc import Sequence
from datetime import date, timedelta

from madang.assistants.homes.answering import english, sections
from madang.assistants.homes.answering.confidence import checks_of, confidence_of
from madang.assistants.homes.answering.findings import Findings, findings_of
from madang.assistants.homes.answering.opening import STORY, opening
from madang.assistants.homes.answering.report_texts import loan_question
from madang.assistants.homes.answering.shown_articles import to_show
from madang.assistants.homes.services import HomesServices
from madang.assistants.homes.state.supervisor import MainSupervisorState, ResponseSection, StructuredData
from madang.assistants.homes.tools.legal_search import SUMMARY_NOTE
from madang.assistants.homes.understanding.limits import limits_of
from madang.graph import Answer, TurnContext
from madang.text.blocks import spaced
from madang.threads import in_thread

_PRODUCTS = re.compile(r"상품|추천|뭐가|뭐\s?있|어떤|가능한|받을\s?수|종류|조건")
_TREND = re.compile(r"추세|추이|변화|변동|올랐|떨어졌|내렸|흐름|전망|최근")


async def respond(state: MainSupervisorState, ctx: TurnContext[HomesServices]) -> Answer:
    """Every figure and citation is one that an agent wrote."""
    first, draft, structured = await in_thread(_drafted, state, ctx.today)
    return Answer(
        answer=draft,
        type="comprehensive_analysis" if state.get("last_intent") == "comprehensive" else "answer",
        structured_data=structured,
        data={"summary": first},
    )


def _drafted(state: MainSupervisorState, today: date) -> tuple[str, str, StructuredData]:
    """The first sentences, the whole answer, and its parts."""
    found, query = findings_of(state), state.get("query", "")
    parts = [part for part in _sections(found, query) if part]
    # A situation answers what lies beyond; what a court would say stays open.
    open_ = ("court", "criminal") if len(query) <= STORY else ()
    beyond = [limit.said for limit in limits_of(query) if not found.is_situated or limit.kind in open_]
    beyond = [] if found.document.get("letter") else beyond
    first = " ".join([opening(state, found), *beyond])
    listed = (
        ("다음에 할 일", _next_steps(found, query), "next"),
        ("참고", [*_notes(state, found), *_old(found, today)], "notes"),
    )
    parts += [
        {"title": title, "content": spaced(f"- {line}" for line in said), "type": kind}
        for title, said, kind in listed
        if said
    ]
    if state.get("language") == "en":
        parts = english.titled(parts, found.articles or ())
    body = [first, *(f"### {part['title']}\n\n{part['content']}" for part in parts)]
    draft = "\n\n".join(part for part in body if part)
    structured = _structured(query, found, parts)
    return first, draft, structured


def _only_figures(found: Findings, query: str) -> bool:
    """Whether a loan's figures were asked for and no products."""
    return found.is_about_a_loan and not _PRODUCTS.search(query)


def _sections(found: Findings, query: str) -> list[ResponseSection | None]:
    raw, contract = found.raw, found.raw.get("contract_analysis")
    market = raw.get("market_analysis")
    return [
        sections.contract(contract) if contract else None,
        sections.figures(found.figures),
        sections.risk(raw["jeonse_risk"]) if "jeonse_risk" in raw else None,
        sections.roi(raw["roi_calculation"]) if "roi_calculation" in raw else None,
        sections.prices(found.prices, market["trend"] if market and _TREND.search(query) else None),
        sections.listings(found.listings or ()),
        sections.repayment(raw.get("loan_simulation") or {}),
        None if _only_figures(found, query) else sections.loans(found.loans, raw.get("policy_matching")),
        None
        if found.is_situated or not found.has_fitting
        else sections.articles(
            found.fitting_articles,
            gist_told=found.begins_with_law,
            brief=contract is not None,
            most=4 if contract else 2 if found.figures else 3,
        ),
        _insights(found, query),
    ]


def _insights(found: Findings, query: str) -> ResponseSection | None:
    told = ("market_analysis", "policy_matching", "roi_calculation")
    if _only_figures(found, query) or not any(name in found.raw for name in told):
        return None
    return sections.section("알아 둘 점", [f"- {line}" for line in found.analysis.get("insights") or ()], "insights")


def _next_steps(found: Findings, query: str) -> list[str]:
    """What is recommended, but for what stands beside a clause already and for questions about loans not asked for."""
    contract, matching = found.raw.get("contract_analysis"), found.raw.get("policy_matching")
    if found.is_situated:
        return []
    told = list(contract["recommendations"]) if contract else []
    # Beside a calculation only the article it rests on is shown: the next one's steps are of another matter.
    shown = to_show(found.articles or (), 1 if found.figures else 2) if found.has_fitting else []
    steps = [step for item in shown for step in item.get("steps") or ()][:4]
    if matching and _only_figures(found, query):
        told += loan_question(matching)
    return [*steps, *(step for step in found.analysis.get("recommendations") or () if step not in told)][:6]


def _notes(state: MainSupervisorState, found: Findings) -> list[str]:
    notes: list[str] = []
    if found.prices and state.get("property_type") is None:
        notes.append("주택 종류를 말씀하지 않아 아파트로 보았습니다.")
    if found.articles and not found.is_situated and not any(item["is_statute_text"] for item in found.articles):
        notes.append(SUMMARY_NOTE)
    notes += _live_notes(state, found)
    if "contract_analysis" in found.raw:
        notes.append("자동 검토이며 법률 자문이 아닙니다. 중요한 계약은 전문가 상담을 받으세요.")
    return list(dict.fromkeys(notes))


def _old(found: Findings, today: date) -> list[str]:
    """Rules and prices that are more than a year old, said to be that."""
    dated = [(rule["name"], rule["as_of"]) for figure in found.figures for rule in figure["rules"] if rule["as_of"]]
    dated += [("시세", max(row["as_of"] for row in found.prices))] if found.prices else []
    dated += [(loan["name"], loan["as_of"]) for loan in found.loans[:1]]
    before = today - timedelta(days=365)
    old = {name: as_of for name, as_of in dated if as_of < before.isoformat()[: len(as_of)]}
    told = ", ".join(f"{name}({as_of})" for name, as_of in old.items())
    return [f"1년이 넘은 기준이 있으니 바뀌었는지 확인하세요: {told}"] if told else []


def _live_notes(state: MainSupervisorState, found: Findings) -> list[str]:
    """Why live data are missing from what was found, as the agents noted it."""
    provenance = state.get("provenance") or {}
    searches = (("real_estate_search", found.prices), ("loan_search", found.loans), ("legal_search", found.articles))
    sources = (provenance.get(f"team_results.search.{name}") for name, rows in searches if rows)
    return [source["note"] for source in sources if source and source["note"]]


def _structured(query: str, found: Findings, parts: Sequence[ResponseSection]) -> StructuredData:
    checks = found.analysis.get("confidence_checks") or checks_of(found)
    made: StructuredData = {
        "sections": [*parts],
        "metadata": {
            "confidence": confidence_of(checks),
            "sources": found.cited,
            "checks": {name: round(value, 3) for name, value in checks.items()},
            "estimates": sorted({f"{r['region']} {r['deal_type']}" for r in found.prices if r["is_estimate"]}),
            "statutes_loaded": any(item["is_statute_text"] for item in found.articles or ()),
            "limits": [limit.kind for limit in limits_of(query)],
        },
    }
    if drawn := found.analysis.get("visualization_data"):
        made["charts"] = drawn["charts"]
    if document := found.document:
        content = document.get("document_content")
        made["document"] = {
            "document_id": document.get("document_id"),
            "title": content["title"] if content else None,
            "formats": document.get("formats") or [],
        }
    return made
