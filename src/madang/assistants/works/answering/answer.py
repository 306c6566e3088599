"""The answer, composed from the results in the state: words, sections, sources."""

from collections.abc import Mapping
from typing import Any

from madang.assistants.works.answering.csv_file import export, is_export
from madang.assistants.works.answering.summary import summary_of
from madang.assistants.works.tools.analysis_text import with_object
from madang.graph import Answer, TurnContext

State = Mapping[str, Any]
STATUS = {"pass": "통과", "violation": "위반", "unverified": "확인 필요"}
RISK = {"low": "낮음", "medium": "보통", "high": "높음", "critical": "매우 높음"}
FORMS = {"md": "Markdown", "html": "HTML", "docx": "Word", "pdf": "PDF"}
SHOWN_HITS = 4
SHOWN_ROWS = 50


async def respond(state: State, ctx: TurnContext) -> tuple[Answer, dict[str, Any]]:
    """Put the results together in the order in which they were made."""
    parts: list[str] = []
    sections: list[dict[str, Any]] = []
    sources: list[str] = []
    writers = (_analysis, _search, _document, _compliance, _storage)
    for write in writers:
        made = write(state)
        if made is None:
            continue
        text, section, cited = made
        parts.append(text)
        sections.append(section)
        sources += cited
    answer = "\n\n".join(parts) or "요청을 처리하지 못했습니다."
    if state.get("data_analysis") and (said := await summary_of(ctx, str(state.get("query") or ""), answer)):
        answer = f"{said}\n\n{answer}"
    taken: dict[str, Any] = {}
    if is_export(state):
        told, taken = await export(state, ctx)
        answer = f"{told}\n\n{answer}"
    charts = [c for s in sections for c in s.pop("visualizations", ())]
    structured = {
        "sections": sections,
        "visualizations": charts,
        "metadata": {"sources": list(dict.fromkeys(sources)), "semantic_query": _meaning(state)},
        **taken,
    }
    return Answer(answer=answer, structured_data=structured), _remembered(state)


def _meaning(state: State) -> Any:
    return (state.get("query_analyzer_state") or {}).get("semantic_query")


def _remembered(state: State) -> dict[str, Any]:
    """What later turns may refer to: the document that was written."""
    made, stored = state.get("document_generation"), state.get("storage_decision") or {}
    if not made:
        return {}
    kept = (stored.get("storage_metadata") or {}).get("document_id")
    return {
        "last_document": {
            "document_id": made.get("document_id") or kept,
            "document_type": made["document_type"],
            "title": made["title"],
            "content": made["generated_document"]["content"],
            "form_data": made["form_data"],
            "version": made["current_version"],
            "compliance_text": made.get("compliance_text", ""),
        }
    }


Made = tuple[str, dict[str, Any], list[str]]


def _analysis(state: State) -> Made | None:
    result = state.get("data_analysis")
    if not result or _is_for_report(state):
        return None
    processed = result["processed_data"]
    text = str(processed["answer"])
    other = processed.get("alternative")
    if other:
        text += f"\n\n가까운 이름으로 보면, {other['heading']}: {other['answer']}"
    section = {
        "type": "analysis",
        "title": processed["heading"],
        "period": processed["period"],
        "columns": processed["columns"],
        "rows": result["raw_data"][:SHOWN_ROWS],
        "row_count": processed["row_count"],
        "statistics": result["statistics"],
        "notes": processed["notes"],
        "unknown": processed["unknown"],
        "visualizations": result["visualizations"],
    }
    source = f"판매 자료 {processed['data_version']}" + (" (가상의 표본)" if processed["sample"] else "")
    return text, section, [source]


def _is_for_report(state: State) -> bool:
    return bool((state.get("document_generation") or {}).get("template_id", "").startswith("sales_report"))


def _search(state: State) -> Made | None:
    result = state.get("information_retrieval")
    if not result:
        return None
    hits = result["filtered_results"][:SHOWN_HITS]
    if not hits:
        return (
            "찾는 내용을 내부 자료와 규정에서 찾지 못했습니다.",
            {"type": "search", "title": "검색 결과", "items": []},
            [],
        )
    lines = [f"{i}. **{h['title']}** — {_first(h['content'])} ({h['citation']})" for i, h in enumerate(hits, 1)]
    section = {"type": "search", "title": "검색 결과", "items": hits}
    return "찾은 자료입니다.\n\n" + "\n".join(lines), section, [h["citation"] for h in hits]


def _first(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= 160 else line[:159] + "…"


def _document(state: State) -> Made | None:
    made = state.get("document_generation")
    if not made:
        return None
    content = made["generated_document"]["content"]
    formats = made["generated_document"]["metadata"]["formats"]
    head = f"{with_object(made['title'])} 작성했습니다({made['current_version']}판)."
    if made.get("document_id"):
        head += f" {', '.join(FORMS.get(name, name) for name in formats)} 파일로 내려받을 수 있습니다."
    text = f"{head}\n\n{content.strip()}"
    section = {
        "type": "document",
        "title": made["title"],
        "document_id": made.get("document_id"),
        "document_type": made["document_type"],
        "form_data": made["form_data"],
        "content": content,
        "formats": formats,
        "url": made.get("document_url"),
    }
    charts = (state.get("data_analysis") or {}).get("visualizations") or []
    if _is_for_report(state):
        section["visualizations"] = charts
    return text, section, []


def _compliance(state: State) -> Made | None:
    result = state.get("compliance_validation")
    if not result:
        return None
    status = result["status"]
    head = f"**규정 검토: {STATUS[status]}** (점수 {result['score']}, 위험 {RISK[result['risk_level']]})"
    lines = [head]
    for one in result["validation_results"]:
        if one["status"] != "pass" or one["confidence"] >= 0.9:
            lines.append(
                f"- [{STATUS[one['status']]}] {one['title']}: {one['details']} ({one['citation']}, {one['as_of']} 기준)"
            )
    for change in result["required_modifications"]:
        lines.append(f"- 고칠 것: {change['suggestion']}")
    lines += [f"- {r}" for r in result["recommendations"]]
    section = {
        "type": "compliance",
        "title": "규정 검토",
        "status": status,
        "score": result["score"],
        "risk_level": result["risk_level"],
        "results": result["validation_results"],
        "required_modifications": result["required_modifications"],
    }
    cited = [f"{r['citation']} ({r['as_of']})" for r in result["validation_results"] if r["citation"]]
    return "\n".join(lines), section, cited


def _storage(state: State) -> Made | None:
    result = state.get("storage_decision")
    if not result:
        return None
    section = {
        "type": "storage",
        "title": "보관",
        "status": result["storage_status"],
        "decision": result["storage_decision"],
        "location": result["stored_location"],
        "reason": result["decision_reasoning"],
    }
    if result["storage_status"] != "completed":
        return f"**보관하지 않았습니다.** {result['decision_reasoning']}", section, []
    kept = result["storage_metadata"]
    text = f"**보관했습니다**({kept['version']}판). {result['decision_reasoning']}."
    return text, section, []
