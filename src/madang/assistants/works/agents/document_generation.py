"""DocumentGeneration: reports and request forms; asks for what a form lacks."""

import asyncio
import re
from typing import Any

from madang.assistants.works.state.agents import DocumentGenerationAgentState
from madang.assistants.works.tools import quality
from madang.assistants.works.tools.documents import (
    Form,
    compliance_text,
    compose,
    fill,
    form_of,
    report_body,
    shown_fields,
)
from madang.errors import ConfigurationError
from madang.graph import AgentContext, Ask, NeedsInput, View, agent
from madang.graph.views import thaw
from madang.state.clock import now_iso
from madang.text.rendering import FORMATS, render

MAX_ROUNDS = 6


@agent(
    name="DocumentGenerationAgent",
    team="DocumentGenerationAgent",
    reads=("document_request", "data_analysis", "information_retrieval", "company_id"),
    optional=("data_analysis", "information_retrieval"),
    writes=("document_generation",),
    task="문서 작성",
    today=True,
    timeout=60,
)
async def document_generation(work: View, ctx: AgentContext) -> dict[str, Any] | NeedsInput:
    """Fill the form from what was said and from the answers, ask for the rest, then write it."""
    request = thaw(work.document_request)
    form = form_of(request["document_type"])
    lexicon = await asyncio.to_thread(ctx.services.warehouse.lexicon, work.company_id, ctx.today)
    values: dict[str, Any] = dict(request.get("form_data") or {})
    for name in sorted(ctx.answers):
        values = fill(form, thaw(ctx.answers[name]), values, lexicon, ctx.today)
    missing = form.missing(values)
    if missing and len(ctx.answers) < MAX_ROUNDS:
        return NeedsInput(questions=(question(form, values, len(ctx.answers)),))
    content = written(form, values, work, ctx)
    version = int(request.get("version") or 0) + 1
    document_id, skipped = await save(ctx, request, form, content)
    ctx.source(
        "document_generation", tool=form.template_id, source="사용자 입력과 판매 자료", as_of=ctx.today.isoformat()
    )
    return {"document_generation": describe(form, values, content, version, document_id, skipped, lexicon)}


def question(form: Form, values: dict[str, Any], asked: int) -> Ask:
    """One question for everything that is missing."""
    labels = [f.label for f in form.missing(values)]
    numbered = ", ".join(f"{i}) {label}" for i, label in enumerate(labels, 1))
    return Ask(
        id=f"form_{asked + 1}",
        question=f"{form.title}에 필요한 내용을 알려 주세요: {numbered}",
        field=form.missing(values)[0].name,
        draft={
            "title": form.title,
            "markdown": compose(form, values, empty="(아직 없음)"),
            "fields": shown_fields(form, values),
            "missing": labels,
        },
    )


def written(form: Form, values: dict[str, Any], work: View, ctx: AgentContext) -> str:
    """The finished text: the form, or the report over the figures that were computed."""
    if form.period is None:
        return compose(form, values)
    analysis = work.data_analysis or {}
    processed = analysis.get("processed_data") or {}
    answer = str(processed.get("answer", "계산된 자료가 없습니다."))
    sections = [(str(processed.get("heading", "자료 없음")), _without_heading(answer))]
    found = (work.information_retrieval or {}).get("citations") or []
    if found:
        sections.append(("참고한 자료", "\n".join(f"- {citation}" for citation in found)))
    return report_body(form, sections, ctx.today, str(processed.get("period", "")))


def _without_heading(answer: str) -> str:
    """An answer's text under the report's own heading: the period stays, the same words in bold don't."""
    return re.sub(r"\A\*\*.+?\*\* — ", "기간: ", answer)


async def save(ctx: AgentContext, request: dict[str, Any], form: Form, content: str) -> tuple[str | None, list[str]]:
    """Keep the document with the conversation in every form that can be made here; its id, and what couldn't be."""
    files: dict[str, bytes] = {}
    skipped: list[str] = []
    for name in FORMATS:
        try:
            files[name] = await asyncio.to_thread(render, content, name, form.title)
        except ConfigurationError as error:
            skipped.append(f"{name}: {error}")
    if ctx.turn.save_document is None:
        return request.get("document_id"), skipped
    made = {
        "document_id": request.get("document_id"),
        "kind": form.document_type,
        "title": form.title,
        "markdown": content,
        "files": files,
        "step_id": ctx.step["step_id"],
        "metadata": {"template_id": form.template_id},
    }
    return await ctx.turn.save_document(made), skipped


def describe(
    form: Form,
    values: dict[str, Any],
    content: str,
    version: int,
    document_id: str | None,
    skipped: list[str],
    lexicon: Any,
) -> DocumentGenerationAgentState:
    required = [f for f in form.fields if not f.optional]
    filled = [f for f in required if values.get(f.name) not in (None, "")]
    named = [f for f in form.fields if f.kind in {"customer", "product", "rep"} and values.get(f.name)]
    known = sum((f.kind, str(values[f.name])) in lexicon.names for f in named)
    checks = quality.of_document(len(required), len(filled), 1 if content else 0, known / len(named) if named else 1.0)
    return DocumentGenerationAgentState(
        document_type=form.document_type,
        template_id=form.template_id,
        title=form.title,
        form_data=values,
        source_data=[],
        draft_versions=[{"version": version, "content": content, "created_at": now_iso(), "note": None}],
        current_version=version,
        generated_document={
            "content": content,
            "format": "md",
            "metadata": {
                "formats": [f for f in FORMATS if not any(s.startswith(f) for s in skipped)],
                "skipped": skipped,
            },
            "file_path": None,
        },
        compliance_text=compliance_text(form, values),
        document_id=document_id,
        storage_location=None,
        document_url=f"/api/v1/documents/{document_id}" if document_id else None,
        confidence_score=quality.score(checks),
        quality_checks=checks,
        resource_usage={"bytes": len(content.encode())},
    )
