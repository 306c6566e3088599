"""The text of a document from its fields, or from the figures of a report."""

import re
from datetime import date

from madang.assistants.works.data.forms import Form
from madang.assistants.works.state.documents import FormValues

_EMPTY = "(없음)"


def compose(form: Form, values: FormValues, empty: str = _EMPTY) -> str:
    """The document as Markdown, with `empty` where there is no value. Values are text in it, never markup."""
    shown = {f.name: _shown(f.kind, values.get(f.name), empty) for f in form.fields}
    attendees, each = values.get("attendees"), values.get("cost_per_person")
    shown["total"] = f"{attendees * each:,}원" if isinstance(attendees, int) and isinstance(each, int) else empty
    return re.sub(r"\{(\w+)\}", lambda m: shown.get(m[1], empty), form.body).strip() + "\n"


def shown_fields(form: Form, values: FormValues) -> dict[str, str]:
    """What a form holds so far, by the labels of its fields and as it is read: 1인당 비용: 80,000원."""
    return {f.label: _plainly(f.kind, values[f.name]) for f in form.fields if values.get(f.name) not in (None, "")}


def compliance_text(form: Form, values: FormValues) -> str:
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


def _shown(kind: str, value: str | int | None, empty: str) -> str:
    if value in (None, ""):
        return empty
    return _plainly(kind, value).replace("|", "\\|").replace("\r", " ").replace("<", "&lt;")


def _plainly(kind: str, value: str | int | None) -> str:
    if kind == "won" and isinstance(value, int):
        return f"{value:,}원"
    if kind == "count" and isinstance(value, int):
        return f"{value}명"
    return str(value)
