"""DocumentGeneration: reports, request forms and summaries; says what a form lacks."""

import asyncio
import re
from typing import Any

from madang.assistants.works.data.forms import Form, form_of
from madang.assistants.works.services import WorksServices
from madang.assistants.works.state.agents import (
    DataAnalysisAgentState,
    DocumentFormats,
    DocumentGenerationAgentState,
    DocumentSource,
    InformationRetrievalAgentState,
)
from madang.assistants.works.state.documents import DocumentInput, FormValues
from madang.assistants.works.state.semantic_query import SemanticQuery
from madang.assistants.works.tools import quality
from madang.assistants.works.tools.document_text import compliance_text, compose, report_body, summary_body
from madang.assistants.works.tools.lexicon import Lexicon
from madang.assistants.works.tools.text_writing import write_text
from madang.graph import Context, Reads, Writes, agent
from madang.state.clock import now_iso
from madang.text.rendering import render_all


class DocumentRequest(Reads):
    document_request: DocumentInput
    analysis_query: SemanticQuery | None
    data_analysis: DataAnalysisAgentState | None = None
    information_retrieval: InformationRetrievalAgentState | None = None
    company_id: str


class DocumentResult(Writes):
    document_generation: DocumentGenerationAgentState


@agent(name="DocumentGenerationAgent", task="문서 작성", today=True, timeout=60)
async def document_generation(asked: DocumentRequest, ctx: Context[WorksServices]) -> DocumentResult:
    """Write what is known, with the rest left open and asked for in the same answer."""
    request = asked.document_request
    form = form_of(request["document_type"])
    lexicon = await asyncio.to_thread(ctx.services.warehouse.lexicon, asked.company_id, ctx.today)
    values, title = dict(request["form_data"]), request.get("title") or form.title
    checks = checks_of(form, values, lexicon, asked)
    content = written(form, values, title, asked, ctx)
    document_id, formats = await save(ctx, request, title, content, form)
    version = request["version"] + 1
    ctx.source(
        "document_generation", tool=form.template_id, source="사용자 입력과 판매 자료", as_of=ctx.today.isoformat()
    )
    state: DocumentGenerationAgentState = {
        "document_type": form.document_type,
        "template_id": form.template_id,
        "title": title,
        "form_data": values,
        "source_data": sources(asked),
        "draft_versions": [
            {"version": version, "content": content, "created_at": now_iso(), "note": request.get("changed")}
        ],
        "current_version": version,
        "generated_document": {"content": content, "format": "md", "metadata": formats, "file_path": None},
        "compliance_text": compliance_text(form, values),
        "missing": [one.label for one in form.missing(values)],
        "query": asked.analysis_query if form.period else None,
        "wish": request.get("wish"),
        "document_id": document_id,
        "storage_location": None,
        "document_url": f"/api/v1/documents/{document_id}" if document_id else None,
        "confidence_score": quality.score(checks),
        "quality_checks": checks,
        "resource_usage": {"bytes": len(content.encode())},
    }
    return {"document_generation": state}


def checks_of(form: Form, values: FormValues, lexicon: Lexicon, asked: DocumentRequest) -> dict[str, float]:
    """How good the document is: its form's fields, its figures, or what it sums up."""
    if form.fields:
        return quality.of_form(form, values, lexicon.names)
    if form.period:
        return quality.of_report(asked.data_analysis)
    if wish := asked.document_request.get("wish"):
        return {"occasion": 1.0 if wish["occasion"] or wish.get("body") else 0.8}
    return {"findings": min(1.0, len(asked.document_request.get("findings") or ()) / 2)}


def written(form: Form, values: FormValues, title: str, asked: DocumentRequest, ctx: Context[WorksServices]) -> str:
    """The document's text."""
    if wish := asked.document_request.get("wish"):
        return write_text(wish)
    if form.fields:
        return compose(form, values)
    if form.period:
        return report(form, asked, ctx)
    return summary_body(title, asked.document_request.get("findings") or [], ctx.today)


def report(form: Form, asked: DocumentRequest, ctx: Context[WorksServices]) -> str:
    """A report over the figures that were computed and what was found."""
    processed = asked.data_analysis["processed_data"] if asked.data_analysis else {}
    answer = processed.get("answer", "계산된 자료가 없습니다.")
    # Under the report's own heading the period stays, the same words in bold don't.
    told = re.sub(r"\A\*\*.+?\*\* — ", "기간: ", answer)
    sections = [(processed.get("heading", "자료 없음"), told)]
    told_before = {processed.get("heading")}
    for one in asked.document_request.get("findings") or ():
        if one["heading"] not in told_before:
            sections.append((one["heading"], f"{one['sentence']}\n\n{one['table']}".strip()))
    if asked.information_retrieval and (found := asked.information_retrieval["citations"]):
        sections.append(("참고한 자료", "\n".join(f"- {citation}" for citation in found)))
    return report_body(form, sections, ctx.today, processed.get("period", ""))


def sources(asked: DocumentRequest) -> list[DocumentSource]:
    """What the document was made from, beside what the user said."""
    made: list[DocumentSource] = []
    if analysis := asked.data_analysis:
        processed = analysis["processed_data"]
        made.append({"field": "data_analysis", "title": processed["heading"], "version": processed["data_version"]})
    for one in asked.information_retrieval["sources"] if asked.information_retrieval else ():
        made.append({"field": "information_retrieval", "title": one["title"], "version": one["as_of"]})
    return made


async def save(
    ctx: Context[WorksServices], request: DocumentInput, title: str, content: str, form: Form
) -> tuple[str | None, DocumentFormats]:
    """Keep the document with the conversation in every form that can be made here; its id and its forms."""
    files, skipped = await asyncio.to_thread(render_all, content, title)
    formats: DocumentFormats = {"formats": list(files), "skipped": skipped}
    if ctx.turn.save_document is None:
        return request.get("document_id"), formats
    made: dict[str, Any] = {
        "document_id": request.get("document_id"),
        "kind": form.document_type,
        "title": title,
        "markdown": content,
        "files": files,
        "step_id": ctx.step["step_id"],
        "metadata": {"template_id": form.template_id},
    }
    return await ctx.turn.save_document(made), formats
