"""Understanding a message: what each of its acts wants of which agent, or the answer that ends the turn."""

import asyncio
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Any

from madang.assistants.works.data.forms import Form, find_form, form_of, forms
from madang.assistants.works.services import WorksServices
from madang.assistants.works.state import GlobalSessionState
from madang.assistants.works.state.documents import Document, DocumentInput, FormValues
from madang.assistants.works.state.semantic_query import SemanticQuery
from madang.assistants.works.tools.document_text import plainly
from madang.assistants.works.tools.lexicon import Lexicon
from madang.assistants.works.tools.periods import Days, days_of
from madang.assistants.works.understanding.analyzer_state import analyzer_state
from madang.assistants.works.understanding.composing import empty
from madang.assistants.works.understanding.continuing import continued
from madang.assistants.works.understanding.export_requests import wants_export
from madang.assistants.works.understanding.figures import figures_of
from madang.assistants.works.understanding.form_input import asked_of, query_of
from madang.assistants.works.understanding.form_reading import FormReading, read_form
from madang.assistants.works.understanding.hearing import SAMPLE, hear_text
from madang.assistants.works.understanding.meaning import read_said
from madang.assistants.works.understanding.question import Understood, read_heard
from madang.assistants.works.understanding.refusals import Refusal, refusal_of
from madang.assistants.works.understanding.rephrase import read_again
from madang.assistants.works.understanding.replies import answer_for, choices_for, guidance, nothing_open
from madang.assistants.works.understanding.requests import (
    check_request,
    report_query,
    search_text,
    show_request,
    storage_request,
)
from madang.assistants.works.understanding.summaries import summed_up
from madang.assistants.works.understanding.tasks import Task, tasks_of
from madang.errors import NotFound
from madang.graph import Answer, StepRequest, TurnContext, Understanding
from madang.graph.questions import choose
from madang.graph.reading import Claim, Heard
from madang.text.money import find_money

REFUSED: tuple[Refusal, ...] = ("reject_write", "reject_access", "unsupported_forecast")
CHECK, STORE = StepRequest("ComplianceValidationAgent"), StepRequest("StorageDecisionAgent")
FORM_ROLES = ("meal_cost", "gift_cost", "lecture_fee", "headcount", "venue", "speaker", "institution", "minutes",
              "event_date", "event_time", "memo")  # fmt: skip
_NEW = re.compile(r"만들|작성|써\s?줘|써\s?주|써줄|쓰고|쓸게|맹글|뽑아|초안|정리|부탁|준비|생성|형식으로|필요")
_TITLE = re.compile(r"(?P<title>[가-힣]{2,10}\s?(?:자료|보고서|파트))")


@dataclass(frozen=True)
class _Message:
    """A message, and what it is read against."""

    heard: Heard
    state: GlobalSessionState
    lexicon: Lexicon
    today: date
    linked: Mapping[str, str] | None = None
    held: Days | None = None

    @property
    def text(self) -> str:
        return self.heard.message.text


@dataclass
class _Plan:
    """What is put together, task by task."""

    update: dict[str, Any] = field(default_factory=dict)
    steps: list[StepRequest] = field(default_factory=list)
    served: list[str] = field(default_factory=list)
    claims: list[Claim] = field(default_factory=list)
    answer: Answer | None = None

    def add(self, *steps: StepRequest) -> None:
        self.steps += [one for one in steps if one.agent not in {s.agent for s in self.steps}]


async def understand(state: GlobalSessionState, ctx: TurnContext[WorksServices]) -> Understanding:
    """Read the message and plan what it needs. Never raises for anything a user may type."""
    company, user = ctx.company_id or SAMPLE, str(ctx.user_id if ctx.user_id is not None else "anonymous")
    common: dict[str, Any] = {
        "company_id": company, "user_id": user, "analysis_query": None, "further_queries": [], "analysis_view": None,
        "why_query": None, "show_request": None, "search_request": None, "document_request": None,
        "compliance_request": None, "storage_request": None, "open_question": None,
    }  # fmt: skip
    try:
        lexicon = await asyncio.to_thread(ctx.services.warehouse.lexicon, company, ctx.today)
    except NotFound as error:
        return Understanding(update=common, answer=Answer(type="guidance", answer=str(error)), intent="no_data")
    if not (state.get("query") or "").strip() and state.get("form_input"):
        return _from_form(state, common)
    heard = ctx.heard or hear_text(state.get("query") or "", lexicon, ctx.today)
    linked = await asyncio.to_thread(ctx.services.linked, company, user, ctx.today)
    held = await asyncio.to_thread(ctx.services.warehouse.coverage, company, ctx.today)
    message = _Message(heard, state, lexicon, ctx.today, linked, held)
    understood = await read_again(ctx, message.text, _read(message), lexicon, state)
    plan = _planned(message, understood)
    if (
        plan.served
        and plan.served[0] in {"document", "edit", "check", "store"}
        and understood.query["kind"] not in {"other_agent", "query"}
    ):
        understood = replace(understood, query=empty("other_agent"), asks=None)
    query = plan.update.get("analysis_query") or understood.query
    if plan.served and plan.served[0] in REFUSED:
        query = empty(plan.served[0])
    analyzed = replace(understood, query=query)
    intent = "_and_".join(plan.served) or ("guidance" if plan.answer else understood.query["kind"])
    analyzer = analyzer_state(message.text, analyzed, intent, [s.agent for s in plan.steps], user, company, ctx)
    update = {**common, "query_analyzer_state": analyzer, "last_intent": intent, **plan.update}
    if plan.update.get("analysis_query"):
        update["asked"] = asked_of(plan.update["analysis_query"])
    return Understanding(
        update=update,
        steps=plan.steps,
        answer=plan.answer,
        intent=intent,
        confidence=understood.confidence,
        claims=_apart([*_used(understood, plan), *plan.claims, *_by_task(heard, plan, understood)]),
        answered=_answered(heard, plan),
    )


def _from_form(state: GlobalSessionState, common: dict[str, Any]) -> Understanding:
    """A turn without a message: the figures that the form asks for."""
    query = query_of(state.get("asked") or {})
    if query is None:
        return Understanding(update=common, answer=guidance(""), intent="guidance")
    update = {**common, "analysis_query": query, "last_query": query}
    return Understanding(update=update, steps=[StepRequest("DataAnalysisAgent")], intent="analysis")


def _read(message: _Message) -> Understood:
    """The message's meaning, completing an open question or continuing the last one if it does."""
    asked = message.state.get("open_question")
    if asked and asked.get("partial") and not (message.state.get("last_document") or {}).get("query"):
        chosen = choose(asked["choices"], message.text) or message.text
        heard = message.heard if chosen == message.text else hear_text(chosen, message.lexicon, message.today)
        said = read_said(heard, [(0, len(chosen))], message.lexicon)
        if said.something or said.metrics:
            partial = asked["partial"]
            assert partial is not None
            return Understood(continued(partial, said), ("analysis",), followed=True, claims=tuple(said.claims))
    return read_heard(message.heard, message.lexicon, message.state.get("last_query"))


def _planned(message: _Message, understood: Understood) -> _Plan:
    plan, tasks = _Plan(), set(tasks_of(message.heard))
    kind = understood.query["kind"]
    document = message.state.get("last_document")
    editing = bool(document and document.get("form_data"))
    refused = refusal_of(message.heard, editing=editing)
    if refused and (refused != "unsupported_forecast" or kind == refused):
        plan.answer, plan.served = answer_for(Understood(empty(refused))), [refused]
        return plan
    if message.state.get("open_question") and understood.followed and understood.query["kind"] == "query":
        tasks = {"analysis"}
    if wants_export(message.text):
        _figures(message, understood, plan)
        return plan
    if not _document(message, understood, plan, tasks):
        if tasks == {"edit"} and not document and find_money(message.text) and message.state.get("last_query"):
            plan.answer, plan.served = answer_for(Understood(empty("reject_write"))), ["reject_write"]
            return plan
    _check_and_store(message, plan, tasks)
    if not plan.steps and plan.answer is None and "show" in tasks:
        _show(message, plan)
    elif "show" in tasks and (wanted := show_request(message.heard, message.state)):
        plan.update["show_request"] = wanted
        plan.served.append("show")
    if "search" in tasks and not plan.steps and not (understood.query["kind"] == "query" and understood.followed):
        plan.update["search_request"] = search_text(message.text, message.state)
        plan.add(StepRequest("InformationRetrievalAgent"))
        plan.served.append("search")
    if not plan.steps and plan.answer is None:
        _figures(message, understood, plan)
    return plan


def _figures(message: _Message, understood: Understood, plan: _Plan) -> None:
    """Figures, why they moved, a question back, or what this assistant is for."""
    found = figures_of(message.heard, understood, message.state, message.lexicon, message.linked)
    plan.claims += found.claims
    if found.who_is_asked:
        partial = found.query
        question = {"field": "who", "choices": [], "partial": partial}
        plan.update, plan.answer, plan.served = (
            {"open_question": question},
            answer_for(Understood(empty("clarify"), asks="who")),
            ["clarify"],
        )
        return
    if found.query is not None:
        plan.update |= {"analysis_query": found.query, "last_query": found.further[-1] if found.further and not found.view else found.query, "further_queries": list(found.further),
                        "analysis_view": found.view}  # fmt: skip
        plan.add(StepRequest("DataAnalysisAgent"))
        plan.served.append("analysis")
    if found.why is not None:
        plan.update |= {"why_query": found.why, "analysis_view": found.view}
        plan.update.setdefault("last_query", found.why)
        plan.add(StepRequest("ChangeAnalysisAgent"))
        plan.served.append("why")
    if plan.steps:
        return
    if understood.query["kind"] == "clarify":
        question = {"field": understood.asks or "", "choices": choices_for(understood), "partial": understood.partial}
        plan.update, plan.answer, plan.served = {"open_question": question}, answer_for(understood), ["clarify"]
    elif understood.query["kind"] in {"unsupported_forecast", "reject_write", "reject_access"}:
        plan.answer, plan.served = answer_for(understood), [understood.query["kind"]]
    else:
        plan.answer = guidance(message.text)


def _document(message: _Message, understood: Understood, plan: _Plan, tasks: set[Task]) -> bool:
    """A document to write, or the open one to change. False when the message is about neither."""
    text, last = message.text, message.state.get("last_document")
    form = find_form(text)
    if "document" in tasks and form is not None and _NEW.search(text):
        _write(message, understood, plan, form, last)
    elif "document" in tasks and _NEW.search(text) and not (last and _about_form(message)):
        if message.state.get("findings"):
            _write(message, understood, plan, form_of("summary_sheet"), last)
        else:
            choices = [one.title for one in forms() if one.document_type != "summary_sheet"]
            asked = f"어떤 문서를 만들까요? {', '.join(choices)}"
            plan.answer = Answer(type="clarification", answer=asked, structured_data={"choices": choices})
            plan.served.append("document")
    elif last and _is_edit(message, understood, tasks, last):
        return _edit(message, plan, tasks, last)
    elif "document" in tasks and form is not None:
        _write(message, understood, plan, form, last)
    else:
        return False
    return True


def _about_form(message: _Message) -> bool:
    return any(role.name in FORM_ROLES for role in message.heard.roles)


def _write(message: _Message, understood: Understood, plan: _Plan, form: Form, last: Document | None) -> None:
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
            heard, replace(understood, query=query), message.state, message.lexicon, message.linked, settled=True
        )
        if found.who_is_asked:
            plan.update["open_question"] = {"field": "who", "choices": [], "partial": query}
            plan.answer = answer_for(Understood(empty("clarify"), asks="who"))
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


def _in_context(form: Form, message: _Message) -> FormValues:
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


def _not_held(message: _Message, query: SemanticQuery) -> Answer | None:
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


def _put(message: _Message, plan: _Plan, form: Form, request: DocumentInput, task: str) -> None:
    plan.update["document_request"] = request
    plan.add(StepRequest("DocumentGenerationAgent", description=form.title))
    plan.served.append(task)
    values = request["form_data"]
    if any(values.get(one.name) for one in form.fields if one.kind == "won") or _rechecked(message):
        plan.add(CHECK)


def _rechecked(message: _Message) -> bool:
    """Whether the document was checked before: its next version is checked again."""
    return bool(re.search(r"check|store", message.state.get("last_intent") or "")) and bool(
        message.state.get("last_document")
    )


def _is_edit(message: _Message, understood: Understood, tasks: set[Task], last: Document) -> bool:
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


def _edit(message: _Message, plan: _Plan, tasks: set[Task], last: Document) -> bool:
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


def _edit_report(message: _Message, plan: _Plan, last: Document) -> bool:
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
    _put(message, plan, form, {**last, "text": message.text, "changed": message.text[:80]}, "edit")
    return True


def _check_and_store(message: _Message, plan: _Plan, tasks: set[Task]) -> None:
    if "check" in tasks and not plan.update.get("document_request"):
        request = _same_check(message) or check_request(message.heard, message.state)
        if request is None:
            plan.answer = plan.answer or nothing_open("check")
        else:
            plan.update["compliance_request"] = request
            plan.add(CHECK)
        plan.served.append("check")
    elif "check" in tasks:
        plan.add(CHECK)
        plan.served.append("check")
    request = plan.update.get("document_request")
    waiting = bool(request) and "store" in (message.state.get("last_intent") or "") and not _is_kept(message)
    if "store" not in tasks and not waiting:
        return
    plan.served.append("store")
    if request:
        # A form that lacks what it needs is kept once it is whole, not before.
        plan.add(CHECK, *([] if _lacks(request) else [STORE]))
        return
    kept = storage_request(message.heard, message.state)
    if kept is None:
        plan.answer = plan.answer or nothing_open("store")
        return
    kind = (
        "document"
        if kept.get("form_data")
        else "report"
        if kept.get("query") or kept["document_type"] == "summary_sheet"
        else "note"
    )
    plan.update |= {
        "storage_request": kept,
        "compliance_request": {"text": kept.get("compliance_text", ""), "type": kind},
    }
    plan.add(CHECK, STORE)


def _lacks(request: DocumentInput) -> bool:
    form = form_of(request["document_type"])
    return any(not one.optional for one in form.missing(request["form_data"]))


def _is_kept(message: _Message) -> bool:
    """Whether the last turn kept what is open."""
    stored = message.state.get("last_stored")
    document = message.state.get("last_document") or {}
    return bool(stored) and stored == f"{document.get('title')}:{document.get('version')}"


def _same_check(message: _Message) -> Any:
    """ "그럼 8만원이면?" after a check is the same situation with another amount."""
    before, amounts = message.state.get("compliance_request"), find_money(message.text)
    if not before and (searched := message.state.get("search_request")):
        before = {"text": searched, "type": "action"}
    if not before or before["type"] != "action":
        return None
    if not amounts and len(message.text) <= 30 and re.search(r"가면|하면|이면|번|회", message.text):
        return {"text": f"{before['text']} {message.text}", "type": "action"}
    if not amounts or len(message.text) > 30:
        return None
    old = find_money(before["text"])
    text = before["text"]
    changed = text[: old[0].span[0]] + amounts[0].text + text[old[0].span[1] :] if old else f"{text} {message.text}"
    return {"text": changed, "type": "action"}


def _show(message: _Message, plan: _Plan) -> None:
    """The last result or the open document again, in the form that is wanted; no new question is made of it."""
    wanted = show_request(message.heard, message.state)
    plan.served.append("show")
    if wanted is None:
        if not any(role.name == "metric" for role in message.heard.roles):
            plan.answer = nothing_open("show")
        else:
            plan.served.pop()
        return
    form = wanted["form"]
    if form in {"summary", "document", "docx", "pdf"}:
        plan.answer = summed_up(wanted, message.state)
        return
    last = message.state.get("last_query")
    plan.update |= {"show_request": wanted, "analysis_query": last, "last_query": last}
    plan.add(StepRequest("DataAnalysisAgent"))


_ROLES_OF = {
    "show": ("format", "reference", "document", "total_budget"),
    "document": ("document", "format", "reference", "metric", "specialty", "wish"),
    "edit": ("document", "reference", "total_budget"),
    "check": ("reference", "document", "rule_topic"),
    "store": ("reference", "document", "memo", "format"),
    "search": ("rule_topic", "document", "reference", "customer", "product", "rep", "period"),
    "analysis": ("format",),
}


def _used(understood: Understood, plan: _Plan) -> tuple[Claim, ...]:
    """The parts of a sales question are read as such only where one is asked."""
    figures = {"analysis", "why", "clarify"} & set(plan.served) or plan.update.get("analysis_query")
    return understood.claims if figures else ()


def _by_task(heard: Heard, plan: _Plan, understood: Understood) -> list[Claim]:
    """Words that say what a task is about or in which form, where that task is done."""
    names = {name for task in plan.served for name in _ROLES_OF.get(task, ())}
    names |= {"reference"} if understood.followed else set()
    if plan.answer is not None and plan.answer.type == "refusal":
        whole = (0, len(heard.message.text))
        return [heard.claim(whole, "task.refused", heard.message.text, "parser")]
    return [
        heard.claim(role.span, f"task.{role.name}", role.words, "examples")
        for role in heard.roles
        if role.name in names
    ]


def _apart(claims: list[Claim]) -> list[Claim]:
    """Each place claimed once for a field."""
    seen: dict[tuple[Any, ...], Claim] = {}
    for claim in claims:
        seen.setdefault((tuple(claim["span"] or ()), claim["field"]), claim)
    return list(seen.values())


def _answered(heard: Heard, plan: _Plan) -> list[int]:
    """The acts that the plan serves. A question of a task that nothing was done for is named as not answered."""
    served = set(plan.served) | ({"analysis", "why"} if {"analysis", "why"} & set(plan.served) else set())
    served |= {"document", "edit"} if {"document", "edit"} & set(plan.served) else set()
    if len(heard.acts) < 2 or not plan.steps:
        return list(range(len(heard.acts)))
    claimed = {claim["act"] for claim in plan.claims if claim["act"] is not None}
    return [
        index
        for index, act in enumerate(heard.acts)
        if act.get("task") in served or act.get("task") == "chat" or index in claimed or (act.get("sure") or 0) < 0.4
    ]
