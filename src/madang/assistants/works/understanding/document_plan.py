"""Planning documents: a new one with what is known, the open one with what is changed, a report of other figures."""

import re
from dataclasses import replace

from madang.assistants.works.data.forms import Form, find_form, form_of, forms
from madang.assistants.works.state.documents import Document, DocumentInput, FormValues
from madang.assistants.works.state.semantic_query import SemanticQuery
from madang.assistants.works.tools.document_text import plainly
from madang.assistants.works.tools.periods import days_of
from madang.assistants.works.understanding.continuing import continued
from madang.assistants.works.understanding.figures import figures_of
from madang.assistants.works.understanding.form_reading import FormReading, read_form
from madang.assistants.works.understanding.meaning import read_said
from madang.assistants.works.understanding.question import Understood
from madang.assistants.works.understanding.replies import nothing_open
from madang.assistants.works.understanding.requests import report_query
from madang.assistants.works.understanding.speaker import ask_who, who_was_asked
from madang.assistants.works.understanding.tasks import Task
from madang.assistants.works.understanding.turn_plan import CHECK, Incoming, TurnPlan
from madang.graph import Answer, StepRequest
from madang.graph.reading import Heard

FORM_ROLES = ("meal_cost", "gift_cost", "lecture_fee", "headcount", "venue", "speaker", "institution", "minutes",
              "event_date", "event_time", "memo")  # fmt: skip
_NEW = re.compile(r"만들|작성|써\s?줘|써\s?주|써줄|쓰고|쓸게|맹글|뽑아|초안|정리|부탁|준비|생성|형식으로|필요")
_TITLE = re.compile(r"(?P<title>[가-힣]{2,10}\s?(?:자료|보고서|파트))")


def plan_document(message: Incoming, understood: Understood, plan: TurnPlan, tasks: set[Task]) -> bool:
    """A document to write, or the open one to change. False when the message is about neither."""
    text, last = message.text, message.state.get("last_document")
    form = find_form(text)
    if "document" in tasks and form is not None and _NEW.search(text):
        _write(message, understood, plan, form, last)
    elif "document" in tasks and _NEW.search(text) and not (last and _about_form(message)):
        if message.state.get("findings"):
            _write(message, understood, plan, form_of("summary_sheet"), last)
        elif not _PAPER.search(text):
            return False
        else:
            choices = [one.title for one in forms() if one.document_type not in {"summary_sheet", "letter"}]
            asked = f"어떤 문서를 만들까요? {', '.join(choices)}"
            plan.answer = Answer(type="clarification", answer=asked, structured_data={"choices": choices})
            plan.served.append("document")
    elif last and _is_edit(message, tasks, last):
        return _edit(message, plan, last)
    elif "document" in tasks and form is not None:
        _write(message, understood, plan, form, last)
    else:
        return False
    return True


_PAPER = re.compile(r"보고서|신청서|문서|양식|서류|리포트|품의|기안")


def makes_form(text: str) -> bool:
    """Whether a form or report is to be made, in so many words: 보고서 써줘, 신청서 초안으로."""
    return bool(_MADE.search(text)) and find_form(text) is not None


_MADE = re.compile(
    r"(?<!지출)(?<!지출 )(?:보고서|신청서|일지|양식|리포트|레포트|일보|주보|월보|자료|한\s?장)"
    r"(?:를|을|로|으로|도|에|좀)?\s?(?:\S{0,8}\s){0,3}?\S{0,4}"
    r"(?:만들|작성|써\s?(?:줘|주|줄)|초안|준비|뽑아|정리|부탁|필요)"
)


def _about_form(message: Incoming) -> bool:
    return any(role.name in FORM_ROLES for role in message.heard.roles)


def _write(message: Incoming, understood: Understood, plan: TurnPlan, form: Form, last: Document | None) -> None:
    heard = message.heard
    again: Document = (
        last
        if last and last["document_type"] == form.document_type and re.search("수정|고쳐|바꿔|다시", message.text)
        else {}
    )
    request: DocumentInput = {
        "document_type": form.document_type, "form_data": {}, "text": message.text, "title": form.title,
        "document_id": again.get("document_id"), "version": again.get("version", 0), "changed": None,
    }  # fmt: skip
    if form.fields:
        reading = read_form(form, heard, again.get("form_data", {}), message.lexicon, [(0, len(message.text))])
        request["form_data"] = {**_in_context(form, message), **reading.values}
        plan.claims += reading.claims
    elif form.period:
        pointed = bool(heard.roles_of("reference")) and message.state.get("last_query")
        said = read_said(heard, [(0, len(message.text))], message.lexicon)
        query = report_query(form, said, message.today, message.state.get("last_query") if pointed else None)
        plan.claims += said.claims
        found = figures_of(
            heard,
            replace(understood, query=query),
            message.state,
            message.lexicon,
            message.linked,
            settled=True,
            asked=who_was_asked(message),
        )
        if found.who_is_asked:
            plan.update["open_question"] = {"field": "who", "choices": [], "partial": query}
            plan.answer = ask_who(message)
            plan.update["last_document"] = _open_report(form, query)
            plan.served.append("document")
            return
        if (outside := _not_held(message, found.query or query)) is not None:
            plan.answer, plan.update["last_document"] = outside, _open_report(form, query)
            plan.served.append("document")
            return
        plan.update["analysis_query"] = found.query or query
        request["findings"] = (message.state.get("findings") or [])[-4:] if pointed else []
        plan.add(StepRequest("DataAnalysisAgent", description=f"{form.title}에 넣을 자료"))
    else:
        request["title"] = _title(message.text, form)
        request["findings"] = (message.state.get("findings") or [])[-4:]
    if form.document_type == "summary_sheet" and not request.get("findings"):
        plan.answer = nothing_open("summary")
        plan.served.append("document")
        return
    _put(message, plan, form, request, "document")


def _in_context(form: Form, message: Incoming) -> FormValues:
    """The customer that was talked of last, for a form that names none."""
    last = message.state.get("last_query")
    names = {one.name for one in form.fields if not one.audience}
    found = [f["value"] for f in (last or {"filters": []})["filters"] if f["field"] == "customer" and f["op"] == "eq"]
    return {"customer": str(found[0])} if found and "customer" in names else {}


def _open_report(form: Form, query: SemanticQuery) -> Document:
    """A report that is wanted and not yet written: what is said next completes it."""
    return {
        "document_type": form.document_type, "title": form.title, "content": "", "form_data": {}, "version": 0,
        "compliance_text": "", "missing": [], "query": query, "document_id": None,
    }  # fmt: skip


def _not_held(message: Incoming, query: SemanticQuery) -> Answer | None:
    """What to say when the data has nothing of the period."""
    held, period = message.held, query["period"]
    if held is None or period is None:
        return None
    days = days_of(period)
    if days.end >= held.start and days.start <= held.end:
        return None
    told = f"{days.start} ~ {days.end}의 자료가 없어 보고서를 만들지 않았습니다."
    return Answer(
        type="clarification", answer=f"{told} 자료는 {held.start}부터 {held.end}까지 있습니다. 어느 기간으로 만들까요?"
    )


def _title(text: str, form: Form) -> str:
    match = _TITLE.search(text)
    return match["title"].strip() if match and "월간" not in match["title"] else form.title


def _put(message: Incoming, plan: TurnPlan, form: Form, request: DocumentInput, task: str) -> None:
    plan.update["document_request"] = request
    plan.add(StepRequest("DocumentGenerationAgent", description=form.title))
    plan.served.append(task)
    values = request["form_data"]
    if any(values.get(one.name) for one in form.fields if one.kind == "won") or _rechecked(message):
        plan.add(CHECK)


def _rechecked(message: Incoming) -> bool:
    """Whether the document was checked before: its next version is checked again."""
    return bool(re.search(r"check|store", message.state.get("last_intent") or "")) and bool(
        message.state.get("last_document")
    )


def _is_edit(message: Incoming, tasks: set[Task], last: Document) -> bool:
    """Whether the message is about the open document: it changes, adds or tells something that the document holds."""
    form_open, report_open = bool(form_of_document(last)), bool(last.get("query"))
    acts = {act["kind"] for act in message.heard.acts}
    if report_open:
        waiting = not last.get("content")
        return (waiting or "edit" in tasks or bool(acts & {"change", "add"})) and "show" not in tasks
    if not form_open or (tasks & {"analysis", "why"} and any(r.name == "metric" for r in message.heard.roles)):
        return False
    if "edit" in tasks or ("document" in tasks and not _NEW.search(message.text)):
        return True
    if tasks <= {"check", "store", "document"} and _about_form(message):
        return True
    return (
        bool(last.get("missing"))
        and not tasks - {"document", "edit", "check"}
        and "tell" in acts
        and not (tasks & {"check"})
    )


def form_of_document(document: Document) -> Form | None:
    """The form that a document fills in, if it does."""
    found = next((one for one in forms() if one.document_type == document.get("document_type")), None)
    return found if found and found.fields else None


def _edit(message: Incoming, plan: TurnPlan, last: Document) -> bool:
    heard = message.heard
    if last.get("query"):
        return _edit_report(message, plan, last)
    form = form_of(last["document_type"])
    wish, at = _wish(heard) or (None, None)
    spans = [(0, at[0]), (at[1], len(message.text))] if at else [(0, len(message.text))]
    reading = read_form(form, heard, last["form_data"], message.lexicon, spans)
    plan.claims += [*reading.claims, *([heard.claim(at, "task.addition", wish, "parser")] if at else [])]
    if not reading.changed and not wish:
        return False
    request: DocumentInput = {
        **last,
        "form_data": reading.values,
        "text": message.text,
        "changed": _changes(form, reading),
        "findings": [],
    }
    request["version"] = last.get("version", 0)
    _put(message, plan, form, request, "edit")
    if wish:
        plan.update["compliance_request"] = {"text": wish, "type": "addition"}
        plan.add(CHECK)
        plan.served.append("check")
    return True


_ADDED = re.compile(r"넣어|추가|포함|끼워|올려")
_BENEFIT = re.compile(r"(?:동반\s?)?(?:배우자|가족|사모|비서|골프|상품권|현금|선물|숙박|교통비|와인|여행)")


def _wish(heard: Heard) -> tuple[str, tuple[int, int]] | None:
    """Something wanted in the document that has no field of its own, with its place: it is checked, not put in."""
    for act in heard.acts:
        start, end = act["span"]
        words = heard.message.text[start:end]
        if _ADDED.search(words) and (benefit := _BENEFIT.search(words)):
            return words[benefit.start() :], (start + benefit.start(), end)
    return None


def _changes(form: Form, reading: FormReading) -> str:
    labels, kinds = {one.name: one.label for one in form.fields}, {one.name: one.kind for one in form.fields}
    told = [
        f"{labels[name]} {plainly(kinds[name], new)}" if old in (None, "")
        else f"{labels[name]} {plainly(kinds[name], old)} → {plainly(kinds[name], new)}"
        for name, (old, new) in reading.changed.items()
        if name != "content"
    ]  # fmt: skip
    return ", ".join(told) or "내용"


def _edit_report(message: Incoming, plan: TurnPlan, last: Document) -> bool:
    """A report with another period, scope or split is its next version."""
    query = last.get("query")
    said = read_said(message.heard, [(0, len(message.text))], message.lexicon)
    if query is None or not (said.something or said.metrics or said.names):
        return False
    changed: SemanticQuery = continued(query, said)
    form = form_of(last["document_type"])
    plan.claims += said.claims
    plan.update["analysis_query"] = changed
    plan.add(StepRequest("DataAnalysisAgent", description=f"{form.title}에 넣을 자료"))
    _put(message, plan, form, {**last, "text": message.text, "changed": message.text[:80], "findings": []}, "edit")
    return True


def lacks(request: DocumentInput) -> bool:
    """Whether a form has no value yet for what it needs."""
    form = form_of(request["document_type"])
    return any(not one.optional for one in form.missing(request["form_data"]))
