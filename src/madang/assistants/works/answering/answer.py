"""The answer, composed from the results in the state: words, sections, sources."""

from typing import Any

from madang.assistants.works.answering.csv_file import export, is_export
from madang.assistants.works.answering.sections import sections_of
from madang.assistants.works.data import load
from madang.assistants.works.services import WorksServices
from madang.assistants.works.state import GlobalSessionState
from madang.assistants.works.state.documents import Document, Finding
from madang.assistants.works.tools.account_text import table as account_table
from madang.assistants.works.tools.analysis_text import table_words
from madang.assistants.works.understanding.summaries import summed_up
from madang.graph import Answer, TurnContext

KEPT_ROWS = 60
KEPT_FINDINGS = 6
KEPT_FOUND = 12


async def respond(state: GlobalSessionState, ctx: TurnContext[WorksServices]) -> tuple[Answer, dict[str, Any]]:
    """Put the results together in the order in which they were made."""
    sections = sections_of(state, ctx.today)
    answer = "\n\n".join(one.text for one in sections) or "요청을 처리하지 못했습니다."
    if said := shown_beside(state):
        answer = f"{said}\n\n{answer}"
    if (state.get("analysis_view") or {}).get("whose") == "unknown":
        answer = f"{answer}\n\n{load('words')['who']['unknown']}"
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
    return Answer(answer=answer, structured_data=structured), kept_of(state)


def shown_beside(state: GlobalSessionState) -> str:
    """The sum and the document that were asked to be seen while it is stored or checked."""
    wanted, document = state.get("show_request"), state.get("last_document")
    if not wanted or not document or state.get("data_analysis") or state.get("document_generation"):
        return ""
    return summed_up(wanted, state).answer


def kept_of(state: GlobalSessionState) -> dict[str, Any]:
    """What later turns may refer to: the document, the last figures, and what was found so far."""
    kept: dict[str, Any] = {}
    if written := written_document(state) or stored_document(state):
        kept["last_document"] = written
    stored = state.get("storage_decision")
    if stored and stored["storage_status"] == "completed":
        document = kept.get("last_document") or state.get("last_document") or {}
        kept["last_stored"] = f"{document.get('title')}:{document.get('version')}"
    analysis, change, query = state.get("data_analysis"), state.get("change_analysis"), state.get("analysis_query")
    found: list[Finding] = []
    if analysis and query:
        processed = analysis["processed_data"]
        kept["last_result"] = {
            "query": query,
            "heading": processed["heading"],
            "rows": analysis["raw_data"][:KEPT_ROWS],
        }
        found.append({"heading": processed["heading"], "sentence": processed["sentence"], "table": processed["table"]})
        for other in processed.get("further") or ():
            sentence = (
                f"{other['heading']}: {other['answer'].splitlines()[2]}"
                if other["answer"].count("\n") > 1
                else other["heading"]
            )
            found.append(
                {
                    "heading": other["heading"],
                    "sentence": sentence,
                    "table": table_words(other["columns"], other["rows"], 12),
                }
            )
    if accounts := state.get("account_review"):
        shown = accounts["rows"][:KEPT_FOUND]
        table = account_table(accounts["columns"], shown) if shown and accounts["kind"] != "profile" else ""
        found.append({"heading": accounts["heading"], "sentence": accounts["sentence"], "table": table})
    if change:
        lines = change["answer"].splitlines()
        found.append(
            {"heading": change["heading"], "sentence": f"{change['heading']}: {lines[2]}", "table": _first_table(lines)}
        )
    if found and not state.get("show_request"):
        headings = {one["heading"] for one in found}
        kept["findings"] = [*(f for f in state.get("findings") or () if f["heading"] not in headings), *found][
            -KEPT_FINDINGS:
        ]
    return kept


def _first_table(lines: list[str]) -> str:
    rows = [line for line in lines if line.startswith("|")]
    ends = next((i for i, line in enumerate(rows) if i > 1 and line.startswith("|---")), len(rows) + 1)
    return "\n".join(rows[: ends - 1])


def stored_document(state: GlobalSessionState) -> Document | None:
    """A text that was kept: it is open now."""
    stored, asked = state.get("storage_decision"), state.get("storage_request")
    if not stored or not asked or stored["storage_status"] != "completed":
        return None
    return {
        **asked,
        "document_id": stored["storage_metadata"]["document_id"],
        "version": stored["storage_metadata"]["version"],
    }


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
        "missing": made.get("missing") or [],
        "query": made.get("query"),
        "wish": made.get("wish"),
    }
