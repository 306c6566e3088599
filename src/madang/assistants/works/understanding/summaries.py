"""What was found so far, said again: a few lines, or the open document as it stands. Nothing is computed anew."""

from madang.assistants.works.data.forms import forms
from madang.assistants.works.state import GlobalSessionState
from madang.assistants.works.state.documents import ShowRequest
from madang.assistants.works.tools.document_text import total_words
from madang.assistants.works.understanding.replies import nothing_open
from madang.graph import Answer


def summed_up(wanted: ShowRequest, state: GlobalSessionState) -> Answer:
    """The answer to "3줄로 요약해줘", "신청서 보여줘", "워드로 줘"."""
    if wanted["form"] == "summary":
        return _lines(state, wanted.get("lines") or 3)
    return _document(wanted, state)


def _lines(state: GlobalSessionState, count: int) -> Answer:
    findings = state.get("findings") or []
    if not findings:
        return nothing_open("show")
    latest = list({one["heading"]: one for one in findings}.values())[-count:]
    lines = [one["sentence"] for one in latest]
    if len(lines) < count:
        more = [part.strip() for one in latest for part in one["table"].splitlines()[2:] if part.strip()]
        lines += [" ".join(cell.strip() for cell in row.strip("|").split("|")) for row in more[: count - len(lines)]]
    text = "\n".join(f"{number}. {line}" for number, line in enumerate(lines[:count], 1))
    return Answer(answer=text, structured_data={"sections": [{"type": "summary", "title": "요약", "lines": lines}]})


def _document(wanted: ShowRequest, state: GlobalSessionState) -> Answer:
    document = state.get("last_document")
    if not document:
        return nothing_open("show")
    parts = []
    if wanted.get("total"):
        parts.append(total_words(document["form_data"]) or "아직 금액이 없어 합계를 낼 수 없습니다.")
    url = f"/api/v1/documents/{document['document_id']}" if document.get("document_id") else None
    if wanted["form"] in {"docx", "pdf"}:
        name = {"docx": "워드(DOCX)", "pdf": "PDF"}[wanted["form"]]
        said = (
            f"{name} 파일은 {url}?format={wanted['form']} 에서 내려받을 수 있습니다."
            if url
            else f"이 자리에서는 {name} 파일을 만들 수 없습니다."
        )
        parts.append(f"{document['title']} {document.get('version', 1)}판입니다. {said}")
    parts.append(document.get("content", "").strip())
    if missing := document.get("missing"):
        parts.append(f"아직 비어 있는 항목: {', '.join(missing)}")
    titles = {one.document_type: one.title for one in forms()}
    shown = {
        "type": "document", "title": document.get("title") or titles.get(document["document_type"], ""),
        "document_id": document.get("document_id"), "content": document.get("content", ""), "url": url,
    }  # fmt: skip
    return Answer(answer="\n\n".join(parts), structured_data={"sections": [shown]})
