"""Understanding a message: its meaning, what it asks of which agent, or the answer that ends the turn."""

import asyncio
import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import date

from madang.assistants.works.data.forms import Form, find_form, form_of, forms
from madang.assistants.works.services import WorksServices
from madang.assistants.works.state import GlobalSessionState
from madang.assistants.works.state.documents import DocumentInput
from madang.assistants.works.state.session import OpenQuestion
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

SAMPLE = "sample"
_EDIT = re.compile(r"바꿔|바꾸|수정|고쳐|변경|낮춰|낮추|줄여|올려|늘려|으로\s?해|로\s?해|정정|다시")
_ABOUT_DATA = re.compile(r"매출|실적|목표|데이터|등급|테이블|삭제|지워")


@dataclass
class _Plan:
    """What a message comes to: an update of the state, and steps or an answer."""

    update: GlobalSessionState = field(default_factory=GlobalSessionState)
    steps: list[StepRequest] = field(default_factory=list)
    answer: Answer | None = None
    intent: str = ""


async def understand(state: GlobalSessionState, ctx: TurnContext[WorksServices]) -> Understanding:
    """Read the message and plan what it needs. Never raises for anything a user may type."""
    company, user = ctx.company_id or SAMPLE, str(ctx.user_id if ctx.user_id is not None else "anonymous")
    text = str(state.get("query") or "")
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
    reading = await read_again(ctx, text, read(text, state, lexicon, ctx.today), lexicon, state)
    plan = _edited(text, state, lexicon, ctx.today) or _plan(text, reading, state, lexicon, ctx.today)
    if plan.intent.startswith("document") and reading.query["kind"] != "other_agent":
        reading = replace(reading, query=empty("other_agent"), asks=None)
    analyzer = analyzer_state(text, reading, plan.intent, [s.agent for s in plan.steps], user, company, ctx)
    return Understanding(
        update={**common, "query_analyzer_state": analyzer, "last_intent": plan.intent, **plan.update},
        steps=plan.steps,
        answer=plan.answer,
        intent=plan.intent,
        confidence=reading.confidence,
    )


def read(text: str, state: GlobalSessionState, lexicon: Lexicon, today: date) -> Reading:
    """The message's meaning, completing an open question or continuing the last one if it does."""
    asked = state.get("open_question")
    if asked and asked["partial"]:
        chosen = choose(asked["choices"], text)
        answer = read_question(chosen or text, lexicon, today, asked["partial"])
        if answer.followed or answer.query["kind"] == "query":
            return answer
    return read_question(text, lexicon, today, state.get("last_query"))


def _plan(text: str, reading: Reading, state: GlobalSessionState, lexicon: Lexicon, today: date) -> _Plan:
    kind = reading.query["kind"]
    if again := _same_check(text, reading, state):
        return again
    if kind == "query":
        return _query_plan(text, reading, lexicon, today)
    if kind == "clarify":
        question: OpenQuestion = {
            "field": reading.asks or "",
            "choices": choices_for(reading),
            "partial": reading.partial,
        }
        return _Plan({"open_question": question}, answer=answer_for(reading), intent="clarify")
    if kind != "other_agent":
        return _Plan(answer=answer_for(reading), intent=kind)
    wishes = [w for w in reading.wishes if w != "smalltalk"]
    if not wishes:
        return _Plan(answer=guidance(text), intent="guidance")
    return _wished(text, wishes, state, lexicon, today)


def _query_plan(text: str, reading: Reading, lexicon: Lexicon, today: date) -> _Plan:
    query = reading.query
    plan = _Plan({"analysis_query": query, "last_query": query}, [StepRequest("DataAnalysisAgent")], intent="analysis")
    if "document" in reading.wishes and (form := find_form(text)):
        plan.update["document_request"] = document_request(form, text, lexicon, today)
        plan.steps.append(StepRequest("DocumentGenerationAgent", description=form.title))
        plan.intent = "analysis_and_document"
    return plan


def _wished(text: str, wishes: Sequence[Wish], state: GlobalSessionState, lexicon: Lexicon, today: date) -> _Plan:
    plan = _Plan(intent="_and_".join(wishes))
    if "document" in wishes:
        form = find_form(text)
        if form is None:
            return _Plan(answer=_which_document(), intent="document")
        _add_document(plan, form, text, lexicon, today, state)
        if "compliance" in wishes or "storage" in wishes:
            plan.steps += [StepRequest("ComplianceValidationAgent"), StepRequest("StorageDecisionAgent")]
        return plan
    if "storage" in wishes:
        return _storage(text, plan, state)
    if "compliance" in wishes:
        plan.update["compliance_request"] = {"text": compliance_text_of(text, state), "type": "action"}
        plan.steps.append(StepRequest("ComplianceValidationAgent"))
    if "retrieval" in wishes:
        plan.update["search_request"] = {"query": search_text(text, state)}
        plan.steps.append(StepRequest("InformationRetrievalAgent"))
    return plan


def _add_document(plan: _Plan, form: Form, text: str, lexicon: Lexicon, today: date, state: GlobalSessionState) -> None:
    plan.update["document_request"] = document_request(form, text, lexicon, today, state.get("last_document"))
    if form.period:
        plan.update["analysis_query"] = report_query(form, text, today)
        plan.steps.append(StepRequest("DataAnalysisAgent", description=f"{form.title}에 넣을 자료"))
    plan.steps.append(StepRequest("DocumentGenerationAgent", description=form.title))


def _storage(text: str, plan: _Plan, state: GlobalSessionState) -> _Plan:
    request = storage_request(text, state.get("last_document"))
    if request is None:
        return _Plan(
            answer=Answer(
                type="clarification", answer="무엇을 보관할까요? 보관할 글을 적어 주시거나 먼저 문서를 만들어 주세요."
            ),
            intent="storage",
        )
    plan.update["storage_request"] = request
    plan.update["compliance_request"] = {"text": request.get("compliance_text") or "", "type": "document"}
    plan.steps += [StepRequest("ComplianceValidationAgent"), StepRequest("StorageDecisionAgent")]
    return plan


def _edited(text: str, state: GlobalSessionState, lexicon: Lexicon, today: date) -> _Plan | None:
    """ "8만원으로 바꿔줘" after a form was written is its next version, checked and filed as before."""
    last = state.get("last_document")
    if not last or not _EDIT.search(text) or _ABOUT_DATA.search(text) or len(text) > 80:
        return None
    form = form_of(last["document_type"])
    changed = fill(form, text, last["form_data"], lexicon, today) if form.fields else {}
    if changed == last["form_data"]:
        return None
    request: DocumentInput = {**last, "form_data": changed, "text": text}
    plan = _Plan({"document_request": request}, [StepRequest("DocumentGenerationAgent", description=form.title)])
    plan.intent = str(state.get("last_intent") or "document")
    if "compliance" in plan.intent or "storage" in plan.intent:
        plan.steps += [StepRequest("ComplianceValidationAgent"), StepRequest("StorageDecisionAgent")]
    return plan


def _same_check(text: str, reading: Reading, state: GlobalSessionState) -> _Plan | None:
    """ "그럼 8만원이면?" after a check is the same situation with another amount."""
    judged = state.get("compliance_request") if state.get("last_intent") == "compliance" else None
    before, amounts = judged["text"] if judged else "", find_money(text)
    if not before or not amounts or len(text) > 30 or reading.query["kind"] in {"reject_write", "reject_access"}:
        return None
    if re.search(r"매출|실적|방문수|목표|달성", text):
        return None
    old = find_money(before)
    changed = before[: old[0].span[0]] + amounts[0].text + before[old[0].span[1] :] if old else f"{before} {text}"
    return _Plan(
        {"compliance_request": {"text": changed, "type": "action"}},
        [StepRequest("ComplianceValidationAgent")],
        intent="compliance",
    )


def _which_document() -> Answer:
    choices = [form.title for form in forms()]
    return Answer(
        type="clarification", answer=f"어떤 문서를 만들까요? {', '.join(choices)}", structured_data={"choices": choices}
    )
