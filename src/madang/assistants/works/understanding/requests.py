"""What each agent is asked to work on, from the message and the conversation."""

import re
from collections.abc import Mapping
from datetime import date
from typing import Any

from madang.assistants.works.data.forms import Form
from madang.assistants.works.state import GlobalSessionState
from madang.assistants.works.state.documents import Document, DocumentInput
from madang.assistants.works.state.semantic_query import SemanticQuery
from madang.assistants.works.tools.form_values import fill
from madang.assistants.works.tools.lexicon import Lexicon
from madang.assistants.works.tools.periods import Days
from madang.assistants.works.understanding.time_phrases import read_times
from madang.graph import Question
from madang.graph.questions import read_answer as read_plainly
from madang.text.calendars import add_months, month_days, week_days

LONG = 100
_STORE_WORDS = re.compile(
    r"(?:(?:이|그|방금|위|아까)\s?)?(?:(?:쓴|만든|작성한|말한)\s?)?(?:거|것|걸|보고서|신청서|문서|내용|초안|메모|기록)?(?:를|을|은|는|도|로|으로)?\s?"
    r"(?:저장|보관|파일링|기록|남겨|올려|넣어)\s?(?:해|하|둬|두|줘|주|놔|부탁)?\S{0,8}\s?(?:줘|주세요|둬|놔|부탁\S{0,6})?[.!?~]{0,6}\s?$"
)


def read_answer(question: Question, text: str, _state: Mapping[str, Any]) -> Any | None:
    """What the text answers to a pending question, or None when it is a message of its own.

    A report's content may be long; a question or a request to stop is no answer.
    """
    if re.fullmatch(r"\s*(?:취소|그만|됐어|안\s?할래|중단|나중에)\S{0,6}[.!]*\s*", text):
        return None
    if question["kind"] == "clarification" and len(text) > LONG:
        return text.strip()
    return read_plainly(question, text)


def document_request(
    form: Form, text: str, lexicon: Lexicon, today: date, last: Document | None = None
) -> DocumentInput:
    """The form to fill and what the message already says. Asking for the same kind again is its next version."""
    same = last and last.get("document_type") == form.document_type and re.search(r"수정|고쳐|바꿔|다시", text)
    again: Document = last if last and same else {}
    return {
        "document_type": form.document_type,
        "form_data": fill(form, text, again.get("form_data", {}), lexicon, today) if form.fields else {},
        "text": text,
        "document_id": again.get("document_id"),
        "version": again.get("version", 0),
    }


def report_query(form: Form, text: str, today: date) -> SemanticQuery:
    """The figures of a sales report: its own period unless the message names one."""
    last_month = add_months(today.replace(day=1), -1)
    whole = {
        "day": Days(today, today),
        "week": Days(*week_days(today)),
        "month": Days(*month_days(last_month.year, last_month.month)),
    }[form.period or "month"]
    days, monthly = read_times(text, today).days or whole, form.period == "month"
    return SemanticQuery(
        kind="query",
        metrics=["sales_amount", "achievement_rate", "visit_count"] if monthly else ["sales_amount", "visit_count"],
        dimensions=["branch"],
        filters=[],
        period=days.as_period(),
        compare={"type": "mom", "period": None} if days.months == 1 else {"type": "wow", "period": None},
        sort={"by": "sales_amount", "order": "desc"},
        limit=None,
    )


def compliance_text_of(text: str, state: GlobalSessionState) -> str:
    """The situation to judge: the message, or the last document when the message only points at it."""
    judged = (state.get("last_document") or {}).get("compliance_text")
    pointing = len(text) < 25 and re.search(
        r"이거|그거|이\s?문서|이\s?신청서|그\s?신청서|방금|위에|신청서|보고서", text
    )
    return judged if pointing and judged else text


def search_text(text: str, state: GlobalSessionState) -> str:
    """What to search for: "관련 규정" is about what was checked before."""
    before = state.get("compliance_request")
    if before and before["text"] and re.search(r"관련|그에|그거|해당|그\s?규정|이에", text) and len(text) < 30:
        return f"{text} {before['text']}"
    return text


def storage_request(text: str, last: Document | None) -> Document | None:
    """The note that the message carries, or the last document; None when there is neither."""
    note = _STORE_WORDS.sub("", text.strip()).strip(" ,.:\"'")
    note = re.sub(r"(?:라고|이라고|다고|는\s?내용|내용(?:을|으로)?|메모(?:를|로)?)$", "", note).strip()
    if len(note) >= 8 and not re.fullmatch(r"(?:이|그|방금|위)\S*\s?\S{0,6}", note):
        return {
            "document_type": "note", "title": f"메모: {note[:30]}", "content": note, "form_data": {},
            "compliance_text": note,
        }  # fmt: skip
    return last
