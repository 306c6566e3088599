"""The text of a document from its fields, or from the figures of a report."""

import re
from collections.abc import Sequence
from datetime import date

from madang.assistants.works.data.forms import Form
from madang.assistants.works.state.documents import Finding, FormValues
from madang.text.money import find_money

_EMPTY = "(미정)"
_UNITS = {"won": "{:,}원", "count": "{}명", "minutes": "{}분"}


def compose(form: Form, values: FormValues, empty: str = _EMPTY) -> str:
    """The document as Markdown, with `empty` where there is no value. Values are text in it, never markup."""
    shown = {f.name: _shown(f.kind, values.get(f.name), "" if f.kind == "time" else empty) for f in form.fields}
    whole = total(values)
    shown["total"] = f"{whole:,}원" if whole is not None else empty
    return re.sub(r"\{(\w+)\}", lambda m: shown.get(m[1], empty), form.body).strip() + "\n"


def total(values: FormValues) -> int | None:
    """What an event costs: meals and gifts of all who come, and the lecture."""
    people = values.get("attendees")
    each = sum(int(values.get(name) or 0) for name in ("cost_per_person", "gift_per_person"))
    fee = int(values.get("lecture_fee") or 0)
    if not isinstance(people, int):
        return fee or None
    return people * each + fee if each or fee else None


def total_words(values: FormValues) -> str | None:
    """The sum with how it comes about."""
    whole, people = total(values), values.get("attendees")
    if whole is None:
        return None
    each = [f"{int(values[n]):,}원" for n in ("cost_per_person", "gift_per_person") if values.get(n)]
    parts = [f"{people}명 × ({' + '.join(each)})"] if each and people else []
    parts += [f"강연료 {int(values['lecture_fee']):,}원"] if values.get("lecture_fee") else []
    return f"총 예산은 {whole:,}원입니다 ({' + '.join(parts)})."


def compliance_text(form: Form, values: FormValues) -> str:
    """What the document says happens, in the words that the rules are checked against."""
    say = {name: str(value) for name, value in values.items() if value not in (None, "")}
    if form.document_type == "seminar_request":
        parts = [f"{say.get('date', '')} 제품설명회, {say.get('customer', '')} 참석 {say.get('attendees', '여러 ')}명"]
        parts += [f"1인당 식사 {say['cost_per_person']}원"] if "cost_per_person" in say else []
        parts += [f"1인당 기념품 {say['gift_per_person']}원"] if "gift_per_person" in say else []
        parts += [f"장소 {say['place']}"] if "place" in say else []
        if "lecture_fee" in say:
            parts.append(
                f"연자 {say.get('speaker', '')}의 강연료 {say['lecture_fee']}원, 강연 {say.get('minutes', '60')}분"
            )
        return ", ".join(parts) + f". {say.get('note', '')}"
    if form.document_type == "visit_report":
        told = " ".join(say[name] for name in ("purpose", "content", "next_action") if name in say)
        cost = say.get("cost_per_person")
        given = f" 식사 1인당 {cost}원." if cost and not find_money(told) else ""
        return f"{say.get('date', '')} {say.get('customer', '')} 방문. {say.get('contact', '')} {told}{given}"
    return ""


def report_body(form: Form, sections: list[tuple[str, str]], day: date, period: str) -> str:
    """A sales report: its period and sections of (heading, Markdown)."""
    lines = [f"# {form.title}", "", f"- 기간: {period}", f"- 작성일: {day.isoformat()}", ""]
    for heading, text in sections:
        lines += [f"## {heading}", "", text, ""]
    return "\n".join(lines).strip() + "\n"


def summary_body(title: str, findings: Sequence[Finding], day: date) -> str:
    """One page of what was found in the conversation: sentences first, then the tables. No judgement is added."""
    lines = [f"# {title}", "", f"- 작성일: {day.isoformat()}", ""]
    lines += [f"- {one['sentence']}" for one in findings]
    for one in findings:
        lines += ["", f"## {one['heading']}", "", one["table"] or one["sentence"]]
    return "\n".join(lines).strip() + "\n"


def _shown(kind: str, value: str | int | None, empty: str) -> str:
    if value in (None, ""):
        return empty
    return plainly(kind, value).replace("|", "\\|").replace("\r", " ").replace("<", "&lt;")


def plainly(kind: str, value: str | int | None) -> str:
    """A value as it is read: 80,000원, 12명."""
    return _UNITS[kind].format(value) if kind in _UNITS and isinstance(value, int) else str(value)
