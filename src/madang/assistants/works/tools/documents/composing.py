"""The text of a document from its fields, or from the figures of a report."""

import re
from collections.abc import Mapping
from datetime import date
from typing import Any

from madang.assistants.works.tools.documents.forms import Form

_EMPTY = "(없음)"


def compose(form: Form, values: Mapping[str, Any]) -> str:
    """The document as Markdown. Values are text in it, never markup."""
    shown = {f.name: _shown(f.kind, values.get(f.name)) for f in form.fields}
    attendees, each = values.get("attendees"), values.get("cost_per_person")
    shown["total"] = f"{attendees * each:,}원" if isinstance(attendees, int) and isinstance(each, int) else _EMPTY
    return re.sub(r"\{(\w+)\}", lambda m: shown.get(m[1], _EMPTY), form.body).strip() + "\n"


def compliance_text(form: Form, values: Mapping[str, Any]) -> str:
    """What the document says happens, in the words that the rules are checked against."""
    if form.document_type == "seminar_request":
        return (
            f"{values.get('date', '')} 제품설명회, {values.get('customer', '')} 참석 {values.get('attendees', '')}명, "
            f"1인당 식사 {values.get('cost_per_person', '')}원, 장소 {values.get('place', '')}. "
            f"{values.get('note') or ''}"
        )
    if form.document_type == "visit_report":
        said = [values.get(name) for name in ("purpose", "content", "next_action")]
        return f"{values.get('date', '')} {values.get('customer', '')} 방문. " + " ".join(str(s) for s in said if s)
    return ""


def report_body(form: Form, sections: list[tuple[str, str]], day: date, period: str) -> str:
    """A sales report: its period and sections of (heading, Markdown)."""
    lines = [f"# {form.title}", "", f"- 기간: {period}", f"- 작성일: {day.isoformat()}", ""]
    for heading, text in sections:
        lines += [f"## {heading}", "", text, ""]
    return "\n".join(lines).strip() + "\n"


def _shown(kind: str, value: Any) -> str:
    if value in (None, ""):
        return _EMPTY
    if kind == "won" and isinstance(value, int):
        return f"{value:,}원"
    if kind == "count" and isinstance(value, int):
        return f"{value}명"
    return str(value).replace("|", "\\|").replace("\r", " ").replace("<", "&lt;")
