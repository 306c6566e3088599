"""Each agent's result as a section of the answer: its words, its data, its sources."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from madang.assistants.works.state import GlobalSessionState
from madang.assistants.works.state.agents import (
    AccountReviewAgentState,
    ChangeAnalysisAgentState,
    ComplianceValidationAgentState,
    DataAnalysisAgentState,
    DocumentGenerationAgentState,
    FurtherResult,
    InformationRetrievalAgentState,
    StorageDecisionAgentState,
    Visualization,
)
from madang.assistants.works.state.documents import ComplianceInput
from madang.assistants.works.tools.guide import Topic, topic_of
from madang.assistants.works.tools.guide_text import guide_text
from madang.assistants.works.tools.text_writing import filled
from madang.text.particles import with_object

STATUS = {"pass": "통과", "violation": "위반", "unverified": "확인 필요"}
RISK = {"low": "낮음", "medium": "보통", "high": "높음", "critical": "매우 높음"}
FORMS = {"md": "Markdown", "html": "HTML", "docx": "Word", "pdf": "PDF"}
SHOWN_HITS = 4
SHOWN_ROWS = 50
SHOWN_LETTERS = 160


@dataclass(frozen=True)
class Section:
    """A part of the answer. `data` is what a page shows beside the text."""

    text: str
    data: dict[str, Any]
    sources: list[str] = field(default_factory=list)
    charts: list[Visualization] = field(default_factory=list)


def sections_of(state: GlobalSessionState, today: date) -> list[Section]:
    """The sections of a turn's results, in the order in which they are made. A report holds its own figures."""
    found: list[Section] = []
    topics = [topic_of(name) for name in state.get("guide_topics") or ()]
    document, analysis = state.get("document_generation"), state.get("data_analysis")
    report = bool(document and (document["template_id"] or "").startswith("sales_report"))
    if analysis and not report:
        found.append(
            analysis_section(
                analysis,
                (state.get("show_request") or {}).get("form"),
                _TABBED.search(state.get("query", "")) is not None,
            )
        )
    if accounts := state.get("account_review"):
        found.append(account_section(accounts))
    if change := state.get("change_analysis"):
        found.append(change_section(change))
    found += [query_section(one) for one in state.get("query_results") or ()]
    if retrieval := state.get("information_retrieval"):
        found.append(search_section(retrieval, state.get("query", "")))
    if document:
        later = "store" in (state.get("last_intent") or "") and not state.get("storage_decision")
        charts = analysis["visualizations"] if report and analysis else []
        text = document["document_type"] == "letter"
        found.append(text_section(document) if text else document_section(document, charts, store_later=later))
    if topics:
        found.append(guide_section(topics, state.get("query", ""), today))
    compliance = state.get("compliance_validation")
    # What the guide explains is not passed or doubted beside it on the few facts that a question states.
    if compliance and (compliance["status"] == "violation" or not topics):
        found.append(compliance_section(compliance, state.get("compliance_request")))
    if storage := state.get("storage_decision"):
        found.append(storage_section(storage))
    return sorted(found, key=lambda one: one.data["type"] != first_of(state))


def first_of(state: GlobalSessionState) -> str:
    """What was asked about most directly: that section comes first."""
    intent = state.get("last_intent") or ""
    if state.get("guide_topics") and "text" not in intent:
        return "guide"
    return "compliance" if "check" in intent and "store" not in intent else "storage" if "store" in intent else ""


_TABBED = re.compile(r"탭으로|탭\s?구분|tsv", re.IGNORECASE)


def tabbed(result: DataAnalysisAgentState) -> str:
    """The rows to paste into a sheet: names and bare numbers between tabs, and their sum."""
    columns = result["processed_data"]["columns"]
    lines = ["\t".join(one["label"] for one in columns)]
    lines += ["\t".join(str(row.get(one["name"], "")) for one in columns) for row in result["raw_data"]]
    sums = [
        sum(v for row in result["raw_data"] if isinstance(v := row.get(one["name"]), int))
        if one["unit"] == "원"
        else ""
        for one in columns
    ]
    lines.append("\t".join(["합계", *(str(value) for value in sums[1:])]))
    return "```\n" + "\n".join(lines) + "\n```\n\n단위는 원입니다."


def analysis_section(result: DataAnalysisAgentState, form: str | None = None, tabs: bool = False) -> Section:
    """The figures; a table or a chart that was asked for is said to be there."""
    processed = result["processed_data"]
    text = f"**{processed['heading']}** — {processed['period']}\n\n{tabbed(result)}" if tabs else processed["answer"]
    if form == "chart":
        drawn = "그래프로 그렸습니다." if result["visualizations"] else "값이 하나뿐이라 그래프로 그릴 것이 없습니다."
        text = f"{drawn}\n\n{text}"
    for beside in processed.get("further") or ():
        text += f"\n\n{beside['answer']}"
    if other := processed.get("alternative"):
        text += f"\n\n가까운 이름으로 보면, {other['heading']}: {other['answer']}"
    data = {
        "type": "analysis",
        "title": processed["heading"],
        "period": processed["period"],
        "columns": processed["columns"],
        "rows": result["raw_data"][:SHOWN_ROWS],
        "row_count": processed["row_count"],
        "statistics": result["statistics"],
        "notes": processed["notes"],
        "unknown": processed["unknown"],
    }
    source = f"판매 자료 {processed['data_version']}" + (" (가상의 표본)" if processed["sample"] else "")
    return Section(text, data, [source], result["visualizations"])


def account_section(result: AccountReviewAgentState) -> Section:
    """Customers as they were asked for."""
    data = {
        "type": "accounts", "title": result["heading"], "period": result["period"], "columns": result["columns"],
        "rows": result["rows"][:SHOWN_ROWS], "row_count": result["row_count"],
    }  # fmt: skip
    return Section(result["answer"], data, [f"판매 자료 {result['data_version']}"])


def guide_section(topics: Sequence[Topic], text: str, today: date) -> Section:
    """What the guide says beside the figures."""
    data = {"type": "guide", "title": topics[0].title, "topics": [one.id for one in topics]}
    return Section(guide_text(topics, text, today), data, [one.basis for one in topics])


def text_section(made: DocumentGenerationAgentState) -> Section:
    """A text as it can be sent, what is open in it, and what was left out."""
    document, wish = made["generated_document"], made.get("wish")
    content = (document["content"] if document else "").strip()
    changed = made["draft_versions"][-1].get("note")
    head = (
        f"{made['title']} {made['current_version']}판으로 고쳤습니다 ({changed})."
        if changed
        else f"{made['title']} 초안입니다."
    )
    told = [head + (" ( ) 안은 채워서 쓰세요." if "( " in content else "")]
    told.append("\n".join(f"> {line}" if line else ">" for line in content.splitlines()))
    if wish and (left_out := wish.get("without")):
        told.append(f"빼 달라고 하신 {', '.join(f'‘{word}’' for word in left_out)} 이야기는 넣지 않았습니다.")
    if wish and (note := wish.get("note")):
        told.append(filled(note, wish["slots"]))
    data: dict[str, Any] = {
        "type": "document", "title": made["title"], "document_id": made["document_id"], "document_type": "letter",
        "form_data": {}, "content": content, "formats": document["metadata"]["formats"] if document else [],
        "missing": [], "url": made["document_url"],
    }  # fmt: skip
    return Section("\n\n".join(told), data)


def change_section(result: ChangeAnalysisAgentState) -> Section:
    data = {
        "type": "change", "title": result["heading"], "period": result["period"],
        "compare_period": result["compare_period"], "before": result["before"], "after": result["after"],
        "change": result["change"], "effects": result.get("effects"), "contributions": result["contributions"],
    }  # fmt: skip
    return Section(result["answer"], data, [f"판매 자료 {result['data_version']}"], result["visualizations"])


def query_section(result: FurtherResult) -> Section:
    """A further question that was asked while a change was looked into."""
    data = {"type": "query", "title": result["heading"], "columns": result["columns"], "rows": result["rows"]}
    return Section(result["answer"], data)


def search_section(result: InformationRetrievalAgentState, query: str = "") -> Section:
    """What was found; a document that is asked for comes before rules that share its words."""
    kept = bool(re.search(r"저장|보관|메모|보고서|신청서|문서|적어\s?[둔놓]", query))
    hits = sorted(result["filtered_results"], key=lambda h: kept and not h["id"].startswith("document:"))[:SHOWN_HITS]
    data = {"type": "search", "title": "검색 결과", "items": hits}
    if not hits:
        return Section("찾는 내용을 내부 자료와 규정에서 찾지 못했습니다.", data)
    head = "찾은 자료입니다."
    if "원문" in query:
        head = "법령 원문은 실려 있지 않습니다. 그 조항을 근거로 든 규칙을 보여드립니다."
    lines = [f"{i}. **{h['title']}** — {_first(h['content'])} ({h['citation']})" for i, h in enumerate(hits, 1)]
    return Section(f"{head}\n\n" + "\n".join(lines), data, [h["citation"] for h in hits])


def _first(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= SHOWN_LETTERS else line[: SHOWN_LETTERS - 1] + "…"


def document_section(
    made: DocumentGenerationAgentState, charts: list[Visualization], *, store_later: bool = False
) -> Section:
    """The document as it stands, what was changed in it, and what it still lacks."""
    document = made["generated_document"]
    content, formats = (document["content"], document["metadata"]["formats"]) if document else ("", [])
    missing = made.get("missing") or []
    head = f"{with_object(made['title'])} 작성했습니다({made['current_version']}판)."
    if changed := made["draft_versions"][-1].get("note"):
        head = f"{made['title']} {made['current_version']}판으로 고쳤습니다 ({changed})."
    elif missing:
        head = f"{made['title']} 초안입니다({made['current_version']}판). 말씀하신 내용으로 채웠습니다."
    if made["document_id"]:
        head += f" {', '.join(FORMS.get(name, name) for name in formats)} 파일로 내려받을 수 있습니다."
    data = {
        "type": "document",
        "title": made["title"],
        "document_id": made["document_id"],
        "document_type": made["document_type"],
        "form_data": made["form_data"],
        "content": content,
        "formats": formats,
        "missing": missing,
        "url": made["document_url"],
    }
    stored_later = " 다 채워지면 보관합니다." if store_later else ""
    asked = f"\n\n아직 비어 있는 항목을 알려 주세요: {', '.join(missing)}{stored_later}" if missing else ""
    return Section(f"{head}\n\n{content.strip()}{asked}", data, charts=charts)


def compliance_section(result: ComplianceValidationAgentState, asked: ComplianceInput | None = None) -> Section:
    """What was broken, what is open, and what was passed on facts; passes on silence are only in the data."""
    order = ("violation", "unverified", "pass")
    status, risk, results = result["status"] or "unverified", result["risk_level"], result["validation_results"]
    # Points count violations only: they say nothing of what could not be read.
    points = f" (점수 {result['score']}, 위험 {RISK.get(risk or '', '-')})" if status != "unverified" else ""
    lines = [f"**규정 검토: {STATUS[status]}**{points}"]
    lines += [
        f"- [{STATUS[one['status']]}] {one['title']}: {one['details']} ({one['citation']}, {one['as_of']} 기준)"
        for one in sorted(results, key=lambda one: order.index(one["status"]))
        if one["status"] != "pass" or one["facts"]
    ]
    if asked and asked["type"] == "addition":
        why = "규정에 걸려" if status == "violation" else "규정을 확인해야 해서"
        lines.insert(0, f"‘{asked['text'].strip()}’ — {why} 문서에 넣지 않았습니다.\n")
    lines += [f"- 고칠 것: {change['suggestion']}" for change in result["required_modifications"]]
    lines += [f"- {recommended}" for recommended in result["recommendations"]]
    data = {
        "type": "compliance",
        "title": "규정 검토",
        "status": status,
        "score": result["score"],
        "risk_level": risk,
        "results": results,
        "required_modifications": result["required_modifications"],
    }
    return Section("\n".join(lines), data, [f"{r['citation']} ({r['as_of']})" for r in results if r["citation"]])


def storage_section(result: StorageDecisionAgentState) -> Section:
    data = {
        "type": "storage",
        "title": "보관",
        "status": result["storage_status"],
        "decision": result["storage_decision"],
        "location": result["stored_location"],
        "reason": result["decision_reasoning"],
    }
    if result["storage_status"] != "completed":
        return Section(f"**보관하지 않았습니다.** {result['decision_reasoning']}", data)
    version = result["storage_metadata"]["version"]
    return Section(f"**보관했습니다**({version}판). {result['decision_reasoning']}.", data)
