"""The answer, composed from the results in the state: words, sections, sources."""

from typing import Any

from madang.assistants.works.answering.csv_file import export, is_export
from madang.assistants.works.answering.sections import sections_of
from madang.assistants.works.answering.summary import summary_of
from madang.assistants.works.services import WorksServices
from madang.assistants.works.state import GlobalSessionState
from madang.assistants.works.state.documents import Document
from madang.graph import Answer, TurnContext


async def respond(state: GlobalSessionState, ctx: TurnContext[WorksServices]) -> tuple[Answer, dict[str, Any]]:
    """Put the results together in the order in which they were made."""
    sections = sections_of(state)
    answer = "\n\n".join(one.text for one in sections) or "요청을 처리하지 못했습니다."
    if state.get("data_analysis") and (said := await summary_of(ctx, state.get("query", ""), answer)):
        answer = f"{said}\n\n{answer}"
    taken: dict[str, Any] = {}
    if is_export(state):
        told, taken = await export(state, ctx)
        answer = f"{told}\n\n{answer}"
    sources = dict.fromkeys(source for one in sections for source in one.sources)
    meaning = (state.get("query_analyzer_state") or {}).get("semantic_query")
    structured = {
        "sections": [one.data for one in sections],
        "visualizations": [chart for one in sections for chart in one.charts],
        "metadata": {"sources": list(sources), "semantic_query": meaning},
        **taken,
    }
    written = written_document(state)
    return Answer(answer=answer, structured_data=structured), {"last_document": written} if written else {}


def written_document(state: GlobalSessionState) -> Document | None:
    """What later turns may refer to: the document that was written."""
    made, stored = state.get("document_generation"), state.get("storage_decision")
    if not made or not made["generated_document"]:
        return None
    return {
        "document_id": made["document_id"] or (stored["storage_metadata"].get("document_id") if stored else None),
        "document_type": made["document_type"],
        "title": made["title"],
        "content": made["generated_document"]["content"],
        "form_data": made["form_data"],
        "version": made["current_version"],
        "compliance_text": made["compliance_text"],
    }
