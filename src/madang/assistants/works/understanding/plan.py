"""Understanding a message: its meaning, what it asks of which agent, or the answer that ends the turn."""

import asyncio
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date

from madang.assistants.works.data.forms import find_form, form_of, forms
from madang.assistants.works.services import WorksServices
from madang.assistants.works.state import GlobalSessionState
from madang.assistants.works.state.documents import DocumentInput
from madang.assistants.works.tools.form_values import fill
from madang.assistants.works.tools.lexicon import Lexicon
from madang.assistants.works.understanding.analyzer_state import analyzer_state
from madang.assistants.works.understanding.intents import Wish
from madang.assistants.works.understanding.question import Reading, empty, read_question
from madang.assistants.works.understanding.rephrase import read_again
from madang.assistants.works.understanding.replies import answer_for, choices_for, guidance
from madang.assistants.works.understanding.requests import (
    compliance_text_of,
    document_request,
    report_query,
    search_text,
    storage_request,
)
from madang.errors import NotFound
from madang.graph import Answer, StepRequest, TurnContext, Understanding
from madang.graph.questions import choose
from madang.text.money import find_money
from madang.threads import in_thread

SAMPLE = "sample"
CHECK_AND_STORE = (StepRequest("ComplianceValidationAgent"), StepRequest("StorageDecisionAgent"))
_EDIT = re.compile(r"바꿔|바꾸|수정|고쳐|변경|낮춰|낮추|줄여|올려|늘려|으로\s?해|로\s?해|정정|다시")
_ABOUT_DATA = re.compile(r"매출|실적|목표|데이터|등급|테이블|삭제|지워")


@dataclass(frozen=True)
class _Message:
    """A message, and what it is read against."""

    text: str
    state: GlobalSessionState
    lexicon: Lexicon
    today: date


async def understand(state: GlobalSessionState, ctx: TurnContext[WorksServices]) -> Understanding:
    """Read the message and plan what it needs. Never raises for anything a user may type."""
    company, user = ctx.company_id or SAMPLE, str(ctx.user_id if ctx.user_id is not None else "anonymous")
    common: GlobalSessionState = {
        "company_id": company,
        "user_id": user,
        "analysis_query": None,
        "search_request": None,
        "document_request": None,
        "compliance_request": None,
        "storage_request": None,
        "open_question": None,
    }
    try:
        lexicon = await asyncio.to_thread(ctx.services.warehouse.lexicon, company, ctx.today)
    except NotFound as error:
        return Understanding(update=common, answer=Answer(type="guidance", answer=str(error)), intent="no_data")
    message = _Message(state.get("query") or "", state, lexicon, ctx.today)
    ours = await in_thread(_read, message)
    reading = await read_again(ctx, message.text, ours, lexicon, state)
    plan = await in_thread(_plan_of, message, reading)
    if plan.intent.startswith("document") and reading.query["kind"] != "other_agent":
        reading = replace(reading, query=empty("other_agent"), asks=None)
    analyzer = analyzer_state(message.text, reading, plan.intent, [s.agent for s in plan.steps], user, company, ctx)
    update = {**common, "query_analyzer_state": analyzer, "last_intent": plan.intent, **plan.update}
    return replace(plan, update=update, confidence=reading.confidence)


def _plan_of(message: _Message, reading: Reading) -> Understanding:
    return _edited(message) or _same_check(message, reading) or _planned(message, reading)


def _read(message: _Message) -> Reading:
    """The message's meaning, completing an open question or continuing the last one if it does."""
    asked = message.state.get("open_question")
    if asked and asked["partial"]:
        chosen = choose(asked["choices"], message.text) or message.text
        answer = read_question(chosen, message.lexicon, message.today, asked["partial"])
        if answer.followed or answer.query["kind"] == "query":
            return answer
    return read_question(message.text, message.lexicon, message.today, message.state.get("last_query"))


def _planned(message: _Message, reading: Reading) -> Understanding:
    kind = reading.query["kind"]
    if kind == "query":
        return _analysis(message, reading)
    if kind == "clarify":
        question = {"field": reading.asks or "", "choices": choices_for(reading), "partial": reading.partial}
        return Understanding(update={"open_question": question}, answer=answer_for(reading), intent="clarify")
    if kind != "other_agent":
        return Understanding(answer=answer_for(reading), intent=kind)
    wishes = [wish for wish in reading.wishes if wish != "smalltalk"]
    if "document" in wishes:
        return _document(message, wishes)
    if "storage" in wishes:
        return _storage(message, wishes)
    return _answers(message, wishes) if wishes else Understanding(answer=guidance(message.text), intent="guidance")


def _analysis(message: _Message, reading: Reading) -> Understanding:
    update: GlobalSessionState = {"analysis_query": reading.query, "last_query": reading.query}
    steps = [StepRequest("DataAnalysisAgent")]
    form = find_form(message.text) if "document" in reading.wishes else None
    if form is None:
        return Understanding(update=update, steps=steps, intent="analysis")
    update["document_request"] = document_request(form, message.text, message.lexicon, message.today)
    steps.append(StepRequest("DocumentGenerationAgent", description=form.title))
    return Understanding(update=update, steps=steps, intent="analysis_and_document")


def _document(message: _Message, wishes: Sequence[Wish]) -> Understanding:
    """A report needs its figures first; a document that is checked or kept passes compliance on the way."""
    text, last = message.text, message.state.get("last_document")
    form = find_form(text)
    if form is None:
        choices = [form.title for form in forms()]
        asked = f"어떤 문서를 만들까요? {', '.join(choices)}"
        answer = Answer(type="clarification", answer=asked, structured_data={"choices": choices})
        return Understanding(answer=answer, intent="document")
    update: GlobalSessionState = {
        "document_request": document_request(form, text, message.lexicon, message.today, last)
    }
    steps = [StepRequest("DocumentGenerationAgent", description=form.title)]
    if form.period:
        update["analysis_query"] = report_query(form, text, message.today)
        steps.insert(0, StepRequest("DataAnalysisAgent", description=f"{form.title}에 넣을 자료"))
    if "compliance" in wishes or "storage" in wishes:
        steps += CHECK_AND_STORE
    return Understanding(update=update, steps=steps, intent="_and_".join(wishes))


def _storage(message: _Message, wishes: Sequence[Wish]) -> Understanding:
    request = storage_request(message.text, message.state.get("last_document"))
    if request is None:
        asked = "무엇을 보관할까요? 보관할 글을 적어 주시거나 먼저 문서를 만들어 주세요."
        return Understanding(answer=Answer(type="clarification", answer=asked), intent="storage")
    update: GlobalSessionState = {
        "storage_request": request,
        "compliance_request": {"text": request.get("compliance_text", ""), "type": "document"},
    }
    return Understanding(update=update, steps=CHECK_AND_STORE, intent="_and_".join(wishes))


def _answers(message: _Message, wishes: Sequence[Wish]) -> Understanding:
    """A check, a search, or both."""
    update: GlobalSessionState = {}
    steps: list[StepRequest] = []
    if "compliance" in wishes:
        update["compliance_request"] = {"text": compliance_text_of(message.text, message.state), "type": "action"}
        steps.append(StepRequest("ComplianceValidationAgent"))
    if "retrieval" in wishes:
        update["search_request"] = search_text(message.text, message.state)
        steps.append(StepRequest("InformationRetrievalAgent"))
    return Understanding(update=update, steps=steps, intent="_and_".join(wishes))


def _edited(message: _Message) -> Understanding | None:
    """ "8만원으로 바꿔줘" after a form was written is its next version, checked and filed as before."""
    text, last = message.text, message.state.get("last_document")
    if not last or not _EDIT.search(text) or _ABOUT_DATA.search(text) or len(text) > 80:
        return None
    form = form_of(last["document_type"])
    changed = fill(form, text, last["form_data"], message.lexicon, message.today) if form.fields else {}
    if changed == last["form_data"]:
        return None
    request: DocumentInput = {**last, "form_data": changed, "text": text}
    steps = [StepRequest("DocumentGenerationAgent", description=form.title)]
    intent = message.state.get("last_intent") or "document"
    if "compliance" in intent or "storage" in intent:
        steps += CHECK_AND_STORE
    return Understanding(update={"document_request": request}, steps=steps, intent=intent)


def _same_check(message: _Message, reading: Reading) -> Understanding | None:
    """ "그럼 8만원이면?" after a check is the same situation with another amount."""
    text, state = message.text, message.state
    judged = state.get("compliance_request") if state.get("last_intent") == "compliance" else None
    before, amounts = judged["text"] if judged else "", find_money(text)
    if not before or not amounts or len(text) > 30 or reading.query["kind"] in {"reject_write", "reject_access"}:
        return None
    if re.search(r"매출|실적|방문수|목표|달성", text):
        return None
    old = find_money(before)
    changed = before[: old[0].span[0]] + amounts[0].text + before[old[0].span[1] :] if old else f"{before} {text}"
    update: GlobalSessionState = {"compliance_request": {"text": changed, "type": "action"}}
    return Understanding(update=update, steps=[StepRequest("ComplianceValidationAgent")], intent="compliance")
