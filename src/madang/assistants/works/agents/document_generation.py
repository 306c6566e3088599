"""DocumentGeneration: reports and request forms; asks for what a form lacks."""

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
from madang.assistants.works.tools import quality
from madang.assistants.works.tools.document_text import compliance_text, compose, report_body, shown_fields
from madang.assistants.works.tools.form_values import fill
from madang.graph import Ask, Context, NeedsInput, Reads, Writes, agent
from madang.state.clock import now_iso
from madang.text.rendering import render_all

MAX_ROUNDS = 6


class DocumentRequest(Reads):
    document_request: DocumentInput
    data_analysis: DataAnalysisAgentState | None = None
    information_retrieval: InformationRetrievalAgentState | None = None
    company_id: str


class DocumentResult(Writes):
    document_generation: DocumentGenerationAgentState


@agent(name="DocumentGenerationAgent", task="문서 작성", today=True, timeout=60)
async def document_generation(asked: DocumentRequest, ctx: Context[WorksServices]) -> DocumentResult | NeedsInput:
    """Fill the form from what was said and from the answers, ask for the rest, then write it."""
    request = asked.document_request
    form = form_of(request["document_type"])
    lexicon = await asyncio.to_thread(ctx.services.warehouse.lexicon, asked.company_id, ctx.today)
    values = dict(request["form_data"])
    for name in sorted(ctx.answers):
        values = fill(form, ctx.answers[name], values, lexicon, ctx.today)
    if form.missing(values) and len(ctx.answers) < MAX_ROUNDS:
        return NeedsInput(questions=(question(form, values, len(ctx.answers)),))
    checks = quality.of_form(form, values, lexicon.names) if form.fields else quality.of_report(asked.data_analysis)
    content = compose(form, values) if form.period is None else report(form, asked, ctx)
    document_id, formats = await save(ctx, request, form, content)
    version = request["version"] + 1
    ctx.source(
        "document_generation", tool=form.template_id, source="사용자 입력과 판매 자료", as_of=ctx.today.isoformat()
    )
    state: DocumentGenerationAgentState = {
        "document_type": form.document_type,
        "template_id": form.template_id,
        "title": form.title,
        "form_data": values,
        "source_data": sources(asked),
        "draft_versions": [{"version": version, "content": content, "created_at": now_iso(), "note": None}],
        "current_version": version,
        "generated_document": {"content": content, "format": "md", "metadata": formats, "file_path": None},
        "compliance_text": compliance_text(form, values),
        "document_id": document_id,
        "storage_location": None,
        "document_url": f"/api/v1/documents/{document_id}" if document_id else None,
        "confidence_score": quality.score(checks),
        "quality_checks": checks,
        "resource_usage": {"bytes": len(content.encode())},
    }
    return {"document_generation": state}


def question(form: Form, values: FormValues, asked: int) -> Ask:
    """One question for everything that is missing."""
    missing = form.missing(values)
    labels = [f.label for f in missing]
    numbered = ", ".join(f"{i}) {label}" for i, label in enumerate(labels, 1))
    return Ask(
        id=f"form_{asked + 1}",
        question=f"{form.title}에 필요한 내용을 알려 주세요: {numbered}",
        field=missing[0].name,
        draft={
            "title": form.title,
            "markdown": compose(form, values, empty="(아직 없음)"),
            "fields": shown_fields(form, values),
            "missing": labels,
        },
    )


def report(form: Form, asked: DocumentRequest, ctx: Context[WorksServices]) -> str:
    """A report over the figures that were computed and what was found."""
    processed = asked.data_analysis["processed_data"] if asked.data_analysis else {}
    answer = processed.get("answer", "계산된 자료가 없습니다.")
    # Under the report's own heading the period stays, the same words in bold don't.
    told = re.sub(r"\A\*\*.+?\*\* — ", "기간: ", answer)
    sections = [(processed.get("heading", "자료 없음"), told)]
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
    ctx: Context[WorksServices], request: DocumentInput, form: Form, content: str
) -> tuple[str | None, DocumentFormats]:
    """Keep the document with the conversation in every form that can be made here; its id and its forms."""
    files, skipped = await asyncio.to_thread(render_all, content, form.title)
    formats: DocumentFormats = {"formats": list(files), "skipped": skipped}
    if ctx.turn.save_document is None:
        return request.get("document_id"), formats
    made: dict[str, Any] = {
        "document_id": request.get("document_id"),
        "kind": form.document_type,
        "title": form.title,
        "markdown": content,
        "files": files,
        "step_id": ctx.step["step_id"],
        "metadata": {"template_id": form.template_id},
    }
    return await ctx.turn.save_document(made), formats
