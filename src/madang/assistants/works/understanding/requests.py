"""What each agent is asked to work on, from the message and the conversation."""

import re
from collections.abc import Sequence
from datetime import date

from madang.assistants.works.data.forms import Form
from madang.assistants.works.state import GlobalSessionState
from madang.assistants.works.state.documents import ComplianceInput, Document, ShowRequest
from madang.assistants.works.state.semantic_query import SemanticQuery
from madang.assistants.works.tools.periods import Days
from madang.assistants.works.understanding.composing import compose
from madang.assistants.works.understanding.form_reading import added_words
from madang.assistants.works.understanding.meaning import Said
from madang.graph.reading import Heard
from madang.text.calendars import add_months, month_days, week_days
from madang.text.numbers import parse_number

_STORE_WORDS = re.compile(
    r"(?:(?:이|그|방금|위|아까)\s?)?(?:(?:쓴|만든|작성한|말한)\s?)?(?:거|것|걸|보고서|신청서|문서|내용|초안|메모|기록)?(?:를|을|은|는|도|로|으로)?\s?"
    r"(?:저장|보관|파일링|기록|남겨|올려|넣어|적어)\s?(?:해|하|둬|두|줘|주|놔|부탁)?\S{0,8}\s?(?:줘|주세요|둬|놔|부탁\S{0,6})?[.!?~]{0,6}\s?$"
)
_HEADED = re.compile(
    r"^[^:：\n]{0,40}(?:저장|보관|남겨|기록|적어|검토|확인|메모|체크|봐)\S{0,6}\s?(?:줘|주세요|둬|놔)?\s?[:：]\s?(?P<body>.+)$",
    re.S,
)
_POINTING = re.compile(
    r"이거|이걸|그거|그걸|이대로|이\s?(?:문서|신청서|보고서)|그\s?(?:문서|신청서|보고서)|방금|위에|아까|신청서|보고서|최종본"
)
_LINES = re.compile(r"(?P<n>\d{1,2}|한|두|세|네|다섯)\s?줄")
_FORMS = (
    ("docx", re.compile(r"워드|docx|doc\b", re.IGNORECASE)),
    ("pdf", re.compile(r"pdf|피디에프", re.IGNORECASE)),
    ("summary", re.compile(r"줄로|줄\s?(?:요약|정도|만|이내)|요약|짧게|간단히|간추려|정리해")),
    ("chart", re.compile(r"그래프|차트|막대|꺾은선|원형")),
    ("table", re.compile(r"표로|표를|표\b|테이블")),
)  # fmt: skip


def report_query(form: Form, said: Said, today: date, base: SemanticQuery | None) -> SemanticQuery:
    """The figures of a sales report: those that are pointed at, else its own period's, with what the message names."""
    own = compose(said)
    last_month = add_months(today.replace(day=1), -1)
    whole = {
        "day": Days(today, today),
        "week": Days(*week_days(today)),
        "month": Days(*month_days(last_month.year, last_month.month)),
    }[form.period or "month"]
    if base is not None:
        return {**base, "period": own["period"] or base["period"] or whole.as_period()}
    days, monthly = said.times.days or whole, form.period == "month"
    visits = said.metrics == ["visit_count"] or ("방문" in said.text and not monthly)
    return SemanticQuery(
        kind="query",
        metrics=["sales_amount", "achievement_rate", "visit_count"]
        if monthly
        else ["visit_count"]
        if visits
        else ["sales_amount", "visit_count"],
        dimensions=own["dimensions"] or ["branch"],
        filters=own["filters"],
        period=days.as_period(),
        compare={"type": "mom", "period": None} if days.months == 1 else {"type": "wow", "period": None},
        sort={"by": "visit_count" if visits and not monthly else "sales_amount", "order": "desc"},
        limit=None,
    )


def check_request(heard: Heard, state: GlobalSessionState) -> ComplianceInput | None:
    """What is to be judged: the text that is pasted or quoted, what is told in the message, else what is open.

    None when there is nothing: the request sentence itself is never judged.
    """
    text, document = heard.message.text, state.get("last_document")
    if pasted := pasted_text(heard):
        return {"text": pasted, "type": "note"}
    told = _situation(heard)
    if told and not (document and _POINTING.search(text) and len(told) < 25):
        return {"text": told, "type": "action"}
    if document:
        form = bool(document.get("form_data"))
        text = document.get("compliance_text") or document.get("content", "")
        return {"text": text, "type": "document" if form else "report" if document.get("query") else "note"}
    before = state.get("compliance_request")
    return before or ({"text": told, "type": "action"} if told else None)


def pasted_text(heard: Heard) -> str | None:
    """A text that comes with the request: after its colon, or quoted."""
    if match := _HEADED.match(heard.message.text.strip()):
        return match["body"].strip(" '\"“”‘’")
    return added_words(heard) if heard.message.quotes else None


_REQUEST = re.compile(
    r"(?:규정|규약|컴플라이언스|준법|법적|내규)\S{0,3}\s?(?:에|상|으로|을|를|좀|한번|도|까지)?\s?(?:\S{0,8}\s?){0,3}"
    r"(?:봐|검토|확인|체크|점검|검사|검증|괜찮|걸리|문제|위반|맞는)\S{0,6}\s?(?:\S{0,6}\s?)?(?:봐\s?줘|줘|주세요|부탁\S*|없\S*)?[?.!~]*"
    r"|(?:다시|한\s?번\s?더)?\s?(?:검사|검토|확인|체크|점검)\S{0,3}\s?(?:해|하)?\S{0,3}\s?(?:줘|주세요|부탁\S*)?[?.!~]*"
)


def _situation(heard: Heard) -> str:
    """The message without the request to check it."""
    rest = _REQUEST.sub(" ", heard.message.text)
    rest = re.sub(r"^(?:이거|이걸|그거|그걸|이대로|그럼|그러면|그래서)\s*", "", " ".join(rest.split()))
    return rest if len(re.sub(r"[\s.,?!~]|이거|그거|이걸|그걸|좀|다시", "", rest)) >= 4 else ""


def search_text(text: str, state: GlobalSessionState) -> str:
    """What to search for: "관련 규정" is about what was checked before."""
    before = state.get("compliance_request")
    if before and before["text"] and re.search(r"관련|그에|그거|해당|그\s?규정|이에", text) and len(text) < 30:
        return f"{text} {before['text']}"
    return text


def storage_request(heard: Heard, state: GlobalSessionState) -> Document | None:
    """The note that the message carries, else what is open: the document, or the text that was checked last."""
    last, checked = state.get("last_document"), state.get("compliance_request")
    added = added_words(heard)
    if (
        added
        and last
        and not last.get("form_data")
        and any(a["kind"] == "add" or "추가" in _words(heard, a["span"]) for a in heard.acts)
    ):
        content = f"{last.get('content', '')}\n{added}"
        return {**last, "content": content, "compliance_text": content, "version": last.get("version", 1) + 1}
    memo = pasted_text(heard) or next((role.words for role in heard.roles_of("memo") if role.sure >= 0.6), None)
    note = memo or _note(_to_keep(heard))
    if note:
        return note_document(note)
    if checked and checked["type"] == "note" and checked["text"]:
        return note_document(checked["text"])
    return last


def _to_keep(heard: Heard) -> str:
    """The part of the message that is about keeping something: other questions in it are no note."""
    own = [act["span"] for act in heard.acts if act.get("task") == "store"]
    return " ".join(_words(heard, span) for span in own)


def _words(heard: Heard, span: Sequence[int]) -> str:
    return heard.message.text[span[0] : span[1]]


def note_document(note: str) -> Document:
    """A text as something to keep."""
    return {
        "document_type": "note", "title": f"메모: {note[:30]}", "content": note, "form_data": {},
        "compliance_text": note,
    }  # fmt: skip


def _note(text: str) -> str | None:
    note = _STORE_WORDS.sub("", text.strip()).strip(" ,.:\"'")
    note = re.sub(r"(?:라고|이라고|다고|는\s?내용|내용(?:을|으로)?|메모(?:를|로)?)$", "", note).strip()
    bare = re.sub(r"\s", "", note)
    if len(bare) < 10 or re.fullmatch(r"(?:이|그|방금|위|아까|다시|검사|통과|고쳐|최종|총)\S*(?:\s\S+){0,4}", note):
        return None
    return note


def show_request(heard: Heard, state: GlobalSessionState) -> ShowRequest | None:
    """In which form the last result or the open document is wanted; None when there is neither."""
    text, document = heard.message.text, state.get("last_document")
    total = bool(re.search(r"총\s?(?:예산|비용|액)|예산\s?(?:얼마|합계)|다\s?해서\s?얼마", text))
    form = next((name for name, pattern in _FORMS if pattern.search(text)), None)
    if document and (total or form in {"docx", "pdf"} or (form is None and _POINTING.search(text))):
        return {"form": form or "document", "total": total}
    if form == "summary":
        match = _LINES.search(text)
        number = parse_number(match["n"]) if match else None
        return {"form": "summary", "lines": int(number) if number else 3} if state.get("findings") else None
    if state.get("last_query") and form in {"chart", "table"}:
        return {"form": form}
    if document and form is None:
        return {"form": "document"}
    return {"form": form or "table"} if state.get("last_query") else None
