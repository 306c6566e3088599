"""The document team: asks for what is missing, shows the draft, and makes the contract once it is approved."""

import asyncio
from collections.abc import Mapping
from typing import Annotated, NotRequired

from madang.assistants.homes.services import HomesServices
from madang.assistants.homes.state.teams import DocumentContent, DocumentType, ReviewResult
from madang.assistants.homes.tools.contract_review import ContractAnalysisTool, ContractReview
from madang.assistants.homes.tools.document_fields import FieldValue
from madang.assistants.homes.tools.documents import ContractTemplate, draft, find_template, finish, missing_fields
from madang.assistants.homes.understanding.draft_progress import ask_approval, ask_fields, replay
from madang.errors import ConfigurationError
from madang.graph import At, Context, NeedsInput, Reads, Writes, agent
from madang.state.clock import now_iso
from madang.text.rendering import render

RESULTS = "team_results.document"
FORMATS = ("docx", "html", "md", "pdf")


class DraftRequest(Reads):
    document_template: str
    document_fields: dict[str, FieldValue] | None


class Drafted(Writes):
    document_type: Annotated[DocumentType, At(f"{RESULTS}.document_type")]
    decision: Annotated[str, At(f"{RESULTS}.decision")]
    document_content: NotRequired[Annotated[DocumentContent, At(f"{RESULTS}.document_content")]]
    review_result: NotRequired[Annotated[ReviewResult, At(f"{RESULTS}.review_result")]]
    final_document: NotRequired[Annotated[str, At(f"{RESULTS}.final_document")]]
    document_id: NotRequired[Annotated[str | None, At(f"{RESULTS}.document_id")]]
    formats: NotRequired[Annotated[list[str], At(f"{RESULTS}.formats")]]
    notes: NotRequired[Annotated[list[str], At(f"{RESULTS}.notes")]]


@agent(
    team="document",
    agent_name="document_team",
    task="계약서 작성",
    description="빠진 내용을 묻고, 초안을 보이고, 승인을 받아 작성",
    timeout=60,
    data=("contract_rules",),
)
async def drafting(wanted: DraftRequest, ctx: Context[HomesServices]) -> Drafted | NeedsInput:
    template = find_template(wanted.document_template)
    talk = replay(template, wanted.document_fields or {}, ctx.answers, ctx.today)
    if talk.decision == "reject":
        return {"document_type": template.document_type, "decision": "reject"}
    missing = missing_fields(template, talk.values)
    if missing or talk.problems:
        return NeedsInput(questions=(ask_fields(template, missing, talk),))
    text = draft(template, talk.values)
    review = await asyncio.to_thread(ContractAnalysisTool().review, text)
    if talk.decision != "approve":
        return NeedsInput(questions=(ask_approval(template, text, review, talk),))
    ctx.progress(60, "문서 만드는 중")
    return await _made(template, talk.values, review, ctx)


async def _made(
    template: ContractTemplate, values: Mapping[str, FieldValue], review: ContractReview, ctx: Context[HomesServices]
) -> Drafted:
    text = finish(template, values, ctx.today)
    files, notes = await asyncio.to_thread(rendered, text, template.template_name)
    metadata = {"template_id": template.template_id, "document_type": template.document_type, "deal": template.deal}
    document_id = None
    if ctx.turn.save_document is not None:
        document_id = await ctx.turn.save_document(
            {
                "title": template.template_name, "kind": template.document_type, "markdown": text, "files": files,
                "metadata": metadata,
            }
        )  # fmt: skip
    ctx.source("final_document", tool="documents", source=template.template_id)
    return {
        "document_type": template.document_type,
        "document_content": {
            "title": template.template_name,
            "content": f"{len(text)}자",
            "metadata": metadata,
            "created_at": now_iso(),
        },
        "review_result": review.as_result(),
        "final_document": text,
        "document_id": document_id,
        "decision": "approve",
        "formats": list(files) if document_id else [],
        "notes": notes,
    }


def rendered(text: str, title: str) -> tuple[dict[str, bytes], list[str]]:
    """The document in every form that can be made here, and why one can't."""
    files: dict[str, bytes] = {}
    notes: list[str] = []
    for form in FORMATS:
        try:
            files[form] = render(text, form, title=title)
        except ConfigurationError as error:
            notes.append(str(error))
    return files, notes
