"""Understanding a message: what each of its acts wants of which agent, or the answer that ends the turn."""

import asyncio
import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from madang.assistants.works.services import WorksServices
from madang.assistants.works.state import GlobalSessionState
from madang.assistants.works.state.documents import Finding
from madang.assistants.works.state.session import OpenQuestion
from madang.assistants.works.tools.compliance import read_facts
from madang.assistants.works.tools.guide_text import language_of
from madang.assistants.works.tools.lexicon_search import scan
from madang.assistants.works.tools.typed_sums import sums_of
from madang.assistants.works.understanding.account_plan import plan_accounts, plan_beside_text, plan_own_month
from madang.assistants.works.understanding.account_request import WHICH_TEAM, coverage_types
from madang.assistants.works.understanding.analyzer_state import analyzer_state
from madang.assistants.works.understanding.composing import empty
from madang.assistants.works.understanding.continuing import continued
from madang.assistants.works.understanding.declining import cannot, declined
from madang.assistants.works.understanding.document_plan import lacks, makes_form, plan_document
from madang.assistants.works.understanding.export_requests import wants_export
from madang.assistants.works.understanding.figures import figures_named, figures_of, figures_stressed
from madang.assistants.works.understanding.form_input import asked_of, query_of
from madang.assistants.works.understanding.guiding import (
    guided,
    is_judged,
    is_kept_or_changed,
    is_known,
    is_looked_up,
    is_searched,
    near_narrow,
    near_topics,
    offered_narrow,
    set_aside,
    topics_of,
    unanswered,
)
from madang.assistants.works.understanding.hearing import SAMPLE, hear_text
from madang.assistants.works.understanding.meaning import read_said
from madang.assistants.works.understanding.model_plan import planned
from madang.assistants.works.understanding.model_plan import understood as understood_by_model
from madang.assistants.works.understanding.narrow_questions import narrow_questions
from madang.assistants.works.understanding.question import Understood, read_heard
from madang.assistants.works.understanding.refusals import Refusal, refusal_of
from madang.assistants.works.understanding.replies import answer_for, choices_for, guidance, nothing_open, stay_safe
from madang.assistants.works.understanding.requests import (
    check_request,
    search_text,
    show_request,
    storage_request,
)
from madang.assistants.works.understanding.speaker import ask_who, known_as, speaker_of, who_was_asked
from madang.assistants.works.understanding.summaries import summed_up
from madang.assistants.works.understanding.tasks import Task, is_idle, tasks_of
from madang.assistants.works.understanding.text_plan import plan_text
from madang.assistants.works.understanding.turn_plan import CHECK, Incoming, TurnPlan
from madang.assistants.works.understanding.unexplained import unexplained
from madang.errors import NotFound
from madang.graph import Answer, StepRequest, TurnContext, Understanding
from madang.graph.model import ModelReading
from madang.graph.questions import choose
from madang.graph.reading import Claim, Heard
from madang.text.money import find_money

# Letters up to which a message is judged, or figures are looked up, beside what the guide says.
JUDGED, BESIDE = 45, 90
REFUSED: tuple[Refusal, ...] = ("reject_write", "reject_access", "unsupported_forecast")
STORE = StepRequest("StorageDecisionAgent")


async def understand(state: GlobalSessionState, ctx: TurnContext[WorksServices]) -> Understanding:
    """Read the message and plan what it needs. Never raises for anything a user may type."""
    company, user = ctx.company_id or SAMPLE, str(ctx.user_id if ctx.user_id is not None else "anonymous")
    common: dict[str, Any] = {
        "company_id": company, "user_id": user, "analysis_query": None, "further_queries": [], "analysis_view": None,
        "why_query": None, "show_request": None, "search_request": None, "document_request": None,
        "compliance_request": None, "storage_request": None, "open_question": None, "account_request": None,
        "guide_topics": [],
    }  # fmt: skip
    try:
        lexicon = await asyncio.to_thread(ctx.services.warehouse.lexicon, company, ctx.today)
    except NotFound as error:
        return Understanding(update=common, answer=Answer(type="guidance", answer=str(error)), intent="no_data")
    if not (state.get("query") or "").strip() and state.get("form_input"):
        return _from_form(state, common)
    heard = ctx.heard or hear_text(state.get("query") or "", lexicon, ctx.today)
    linked: Mapping[str, str] | None = await asyncio.to_thread(ctx.services.linked, company, user, ctx.today)
    held = await asyncio.to_thread(ctx.services.warehouse.coverage, company, ctx.today)
    teams = await asyncio.to_thread(ctx.services.teams, company, ctx.today)
    if told := speaker_of(heard.message.text, lexicon, state):
        found = await asyncio.to_thread(ctx.services.rep, company, told.get("rep", ""), ctx.today)
        common["speaker"] = found or told
        linked = linked or known_as({"speaker": common["speaker"]}, None)
    linked = linked or known_as(state, None)
    message = Incoming(heard, state, lexicon, ctx.today, linked, held, teams, sample=company == SAMPLE)
    before = next(iter(message.said_before), "")
    narrow = await asyncio.to_thread(narrow_questions, heard, before, ctx.services.faq)
    message = replace(message, narrow=narrow)
    if ctx.read is None:
        common["language"] = language_of(heard.message.text)
    if ctx.read is not None:
        understood = understood_by_model(ctx.read)
        plan = planned(message, understood, ctx.read)
    else:
        understood = _read(message)
        plan = _planned(message, understood)
        own = set(plan.served) & {"analysis", "accounts", "why", "clarify"} and sums_of(message.text)
        if own or unexplained(message.heard, plan, understood.claims):
            understood, plan = Understood(empty("other_agent")), TurnPlan()
            _decline(message, plan)
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


async def from_model(state: GlobalSessionState, ctx: TurnContext[WorksServices], read: ModelReading) -> Understanding:
    """The same, with what a model understood."""
    return await understand(state, replace(ctx, read=read))


def _from_form(state: GlobalSessionState, common: dict[str, Any]) -> Understanding:
    """A turn without a message: the figures that the form asks for."""
    query = query_of(state.get("asked") or {})
    if query is None:
        return Understanding(update=common, answer=guidance(""), intent="guidance")
    update = {**common, "analysis_query": query, "last_query": query}
    return Understanding(update=update, steps=[StepRequest("DataAnalysisAgent")], intent="analysis")


def _read(message: Incoming) -> Understood:
    """The message's meaning, completing an open question or continuing the last one if it does."""
    asked = message.state.get("open_question")
    if (
        asked
        and asked.get("partial")
        and _answers_who(message, asked)
        and not (message.state.get("last_document") or {}).get("query")
    ):
        chosen = choose(asked["choices"], message.text) or message.text
        heard = message.heard if chosen == message.text else hear_text(chosen, message.lexicon, message.today)
        said = read_said(heard, [(0, len(chosen))], message.lexicon)
        if said.something or said.metrics:
            partial = asked["partial"]
            assert partial is not None
            return Understood(continued(partial, said), ("analysis",), followed=True, claims=tuple(said.claims))
    return read_heard(message.heard, message.lexicon, message.state.get("last_query"))


def _answers_who(message: Incoming, asked: OpenQuestion) -> bool:
    """Whether the message tells who writes, where that was asked; another question is no answer to it."""
    if asked.get("field") != "who":
        return True
    units = [one for one in scan(message.text, message.lexicon) if one.meaning.name in {"rep", "team", "branch"}]
    return bool(units) and len(message.text) <= SHORT_CASE


def _planned(message: Incoming, understood: Understood) -> TurnPlan:
    plan, tasks = TurnPlan(), set(tasks_of(message.heard))
    kind = understood.query["kind"]
    document = message.state.get("last_document")
    editing = bool(document and document.get("form_data"))
    if any(act["kind"] == "danger" for act in message.heard.acts):
        plan.answer, plan.served = stay_safe(), ["danger"]
        return plan
    topics = [one.id for one in topics_of(message)]
    if plan_text(message, plan):
        if plan.served != ["cannot"]:
            plan_beside_text(message, plan, topics)
        return plan
    made = makes_form(message.text)
    if not topics and not made and not editing and set_aside(message):
        _decline(message, plan)
        return plan
    refused = refusal_of(message.heard, editing=editing)
    if not topics and not made and not editing and refused != "reject_write" and plan_accounts(message, plan):
        return plan
    if refused and not topics and (refused != "unsupported_forecast" or kind == refused):
        plan.answer, plan.served = answer_for(Understood(empty(refused))), [refused]
        return plan
    if message.state.get("open_question") and understood.followed and understood.query["kind"] == "query":
        tasks = {"analysis"}
    _plan_tasks(message, understood, plan, tasks, [] if made else topics)
    return plan


def _plan_tasks(message: Incoming, understood: Understood, plan: TurnPlan, tasks: set[Task], topics: list[str]) -> None:
    """Figures as a file, what the guide knows, a form, a check, keeping, showing again, a search; else figures."""
    made, document = makes_form(message.text), message.state.get("last_document")
    if wants_export(message.text) and not topics:
        _figures(message, understood, plan)
        return
    if is_known(message) and not made and not is_kept_or_changed(message, tasks):
        _guided(message, understood, plan, tasks, topics)
        return
    written = plan_document(message, understood, plan, tasks)
    figure_changed = tasks == {"edit"} and not document and find_money(message.text) and message.state.get("last_query")
    if not written and figure_changed:
        plan.answer, plan.served = answer_for(Understood(empty("reject_write"))), ["reject_write"]
        return
    _check_and_store(message, plan, tasks)
    if not plan.steps and plan.answer is None and "show" in tasks:
        _show(message, plan)
    elif "show" in tasks and (wanted := show_request(message.heard, message.state)):
        plan.update["show_request"] = wanted
        plan.served.append("show")
    followed = understood.query["kind"] == "query" and understood.followed
    if "search" in tasks and not plan.steps and not followed and is_searched(message):
        plan.update["search_request"] = search_text(message.text, message.state)
        plan.add(StepRequest("InformationRetrievalAgent"))
        plan.served.append("search")
        _figures_beside(message, understood, plan)
    if not plan.steps and plan.answer is None:
        _figures(message, understood, plan)
    if plan.steps:
        plan.update.setdefault("guide_topics", topics)


def _guided(message: Incoming, understood: Understood, plan: TurnPlan, tasks: set[Task], topics: list[str]) -> None:
    """What the guide answers; beside it the rules are applied, records searched or figures computed where asked for."""
    plan.update["guide_topics"] = topics
    plan.served.append("guide")
    again = "check" in (message.state.get("last_intent") or "") and _same_check(message) is not None
    benefits = read_facts(message.text, message.today).benefits
    told = any(one.each or one.total for one in benefits) or ("check" in tasks and bool(benefits))
    # Of a long story the rules read too little for a verdict beside what the guide says.
    if again or (told and sum(map(str.isalnum, message.text)) <= JUDGED):
        judged: set[Task] = {*tasks, "check"}
        _check_and_store(message, plan, judged - {"store"})
    elif "search" in tasks and is_looked_up(message.text):
        plan.update["search_request"] = search_text(message.text, message.state)
        plan.add(StepRequest("InformationRetrievalAgent"))
        plan.served.append("search")
        _figures_beside(message, understood, plan)
    short = sum(map(str.isalnum, message.text)) <= BESIDE
    if not plan.steps and short:
        plan_accounts(message, plan, strictly=True)
    if not plan.steps and short and figures_stressed(message):
        _figures(message, understood, plan)
        if not plan.steps:
            plan.update.pop("open_question", None)
            plan.answer = None
    if not plan.steps:
        asked, plan.answer = plan.answer, guided(message)
        _counted(message, plan)
        if asked is not None and plan.answer is not None and plan.update.get("open_question"):
            plan.answer = replace(plan.answer, answer=f"{plan.answer.answer}\n\n{asked.answer}")
        if plan.answer and "커버리지" in message.text:
            plan.update["last_accounts"] = {"kind": "coverage", "filters": coverage_types(message.text)}
            plan.answer = replace(plan.answer, answer=f"{plan.answer.answer}\n\n{WHICH_TEAM}")
    plan.claims += [message.heard.claim((0, len(message.text)), "task.guide", None, "parser")]


def _figures_beside(message: Incoming, understood: Understood, plan: TurnPlan) -> None:
    """Figures that a sentence of its own asks for beside a search."""
    asked = [act for act in message.heard.acts if act["kind"] == "ask_how_much" and act.get("task") == "analysis"]
    if asked and understood.query["kind"] == "query":
        _figures(message, understood, plan)


def _figures(message: Incoming, understood: Understood, plan: TurnPlan) -> None:
    """Figures, why they moved, a question back, or what this assistant is for."""
    if not (wants_export(message.text) or figures_named(message, understood)):
        _decline(message, plan)
        return
    asked = who_was_asked(message)
    found = figures_of(message.heard, understood, message.state, message.lexicon, message.linked, asked=asked)
    plan.claims += found.claims
    if found.who_is_asked:
        question: OpenQuestion = {"field": "who", "choices": [], "partial": found.query}
        plan.update, plan.answer, plan.served = {"open_question": question}, ask_who(message), ["clarify"]
        return
    if found.query is not None:
        plan.update |= {
            "analysis_query": found.query,
            "last_query": found.next or found.query,
            "further_queries": list(found.further),
            "analysis_view": found.view,
        }
        plan.add(StepRequest("DataAnalysisAgent"))
        plan.served.append("analysis")
    if found.why is not None:
        plan.update |= {"why_query": found.why, "analysis_view": found.view}
        plan.update.setdefault("last_query", message.state.get("last_query") or found.why)
        plan.add(StepRequest("ChangeAnalysisAgent"))
        plan.served.append("why")
    if plan.steps:
        return
    if understood.asks == "period" and understood.partial and plan_own_month(message, understood.partial, plan):
        return
    if understood.query["kind"] == "clarify":
        question = {"field": understood.asks or "", "choices": choices_for(understood), "partial": understood.partial}
        plan.update, plan.answer, plan.served = {"open_question": question}, answer_for(understood), ["clarify"]
    elif understood.query["kind"] in {"unsupported_forecast", "reject_write", "reject_access"}:
        plan.answer, plan.served = answer_for(understood), [understood.query["kind"]]
    elif message.state.get("last_document") and "edit" in tasks_of(message.heard):
        plan.answer, plan.served = nothing_open("edit"), ["edit"]
    else:
        _decline(message, plan)


def _decline(message: Incoming, plan: TurnPlan) -> None:
    """What this assistant is for, to a greeting; else an honest no."""
    if is_idle(message.heard):
        plan.answer = guidance(message.text)
        return
    plan.answer, plan.served = _no(message), ["cannot"]
    plan.claims.append(declined(message.heard))
    _counted(message, plan)


def _counted(message: Incoming, plan: TurnPlan) -> None:
    """What can be counted of the message's own figures comes first, and later texts may use it."""
    told = sums_of(message.text)
    if not told or plan.answer is None:
        return
    only = plan.served == ["cannot"] and not near_narrow(message)
    plan.answer = Answer(
        answer=told if only else f"{told}\n\n{plan.answer.answer}", structured_data=plan.answer.structured_data
    )
    lines = [
        line.removeprefix("- ").replace("**", "") for line in told.splitlines() if line.startswith(("- ", "| 합계"))
    ]
    found: Finding = {"heading": "말씀하신 숫자", "sentence": " / ".join(lines), "table": ""}
    plan.update["findings"] = [*(message.state.get("findings") or []), found][-KEPT:]


KEPT, OFFERED = 6, 3


def _no(message: Incoming) -> Answer:
    near = [*offered_narrow(message), *(one.title for one in near_topics(message))][:OFFERED]
    return cannot(message, near, near_narrow(message))


def _check_and_store(message: Incoming, plan: TurnPlan, tasks: set[Task]) -> None:
    if "check" in tasks and not plan.steps and not _judged(message):
        tasks = tasks - {"check"}
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
        plan.add(CHECK, *([] if lacks(request) else [STORE]))
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


def _judged(message: Incoming) -> bool:
    """Whether there is anything to judge: what is told, what is open, or the case before with something changed."""
    before = message.state.get("last_intent") or ""
    return (
        is_judged(message)
        or bool(message.state.get("last_document"))
        or ("check" in before and _same_check(message) is not None)
    )


def _is_kept(message: Incoming) -> bool:
    """Whether the last turn kept what is open."""
    stored = message.state.get("last_stored")
    document = message.state.get("last_document") or {}
    return bool(stored) and stored == f"{document.get('title')}:{document.get('version')}"


def _same_check(message: Incoming) -> Any:
    """ "그럼 8만원이면?" after a check is the same situation with another amount."""
    before, amounts = message.state.get("compliance_request"), find_money(message.text)
    if not before and (searched := message.state.get("search_request")):
        before = {"text": searched, "type": "action"}
    if not before or before["type"] != "action":
        return None
    if not amounts and len(message.text) <= SHORT_CASE and _SAME_CASE.search(message.text):
        return {"text": f"{before['text']} {message.text}", "type": "action"}
    if not amounts or len(message.text) > 30:
        return None
    old = find_money(before["text"])
    text = before["text"]
    changed = text[: old[0].span[0]] + amounts[0].text + text[old[0].span[1] :] if old else f"{text} {message.text}"
    return {"text": changed, "type": "action"}


SHORT_CASE = 40
_SAME_CASE = re.compile(
    r"(?:가|하|이|으|오)면(?:요|은|은요)?\s?\??$|\d\s?(?:번|회|명|분)|IRB|승인|공직자|교수|국립|보건소|배우자|사모|세금\s?(?:포함|별도)|여러\s?기관"
)


def _show(message: Incoming, plan: TurnPlan) -> None:
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


def _used(understood: Understood, plan: TurnPlan) -> tuple[Claim, ...]:
    """The parts of a sales question are read as such only where one is asked."""
    figures = {"analysis", "why", "clarify"} & set(plan.served) or plan.update.get("analysis_query")
    return understood.claims if figures else ()


def _by_task(heard: Heard, plan: TurnPlan, understood: Understood) -> list[Claim]:
    """Words that say what a task is about or in which form, where that task is done."""
    names = {name for task in plan.served for name in _ROLES_OF.get(task, ())}
    names |= {"reference"} if understood.followed else set()
    if plan.answer is not None and plan.answer.type == "refusal":
        return [heard.claim((0, len(heard.message.text)), "task.refused", heard.message.text, "parser")]
    whole = [heard.claim(span, "task.text", None, "parser") for span in _taken_whole(heard, plan)]
    roles = [role for role in heard.roles if role.name in names]
    if {"document", "edit"} & set(plan.served):
        spoken = [value.span for value in heard.message.values if value.kind in {"metric", "noun", "dimension"}]
        whole += [heard.claim(span, "task.document", None, "parser") for span in spoken]
    return [*whole, *(heard.claim(role.span, f"task.{role.name}", role.words, "examples") for role in roles)]


def _taken_whole(heard: Heard, plan: TurnPlan) -> list[tuple[int, int]]:
    """The parts of the message that are judged, searched for or kept as they are."""
    judged, kept = plan.update.get("compliance_request") or {}, plan.update.get("storage_request") or {}
    tasks = {"search"} if plan.update.get("search_request") else set()
    tasks |= {"check"} if judged.get("type") in {"action", "note"} and "store" not in plan.served else set()
    tasks |= {"store"} if kept.get("document_type") == "note" else set()
    if tasks and len(plan.served) == 1:
        return [(0, len(heard.message.text))]
    return [(act["span"][0], act["span"][1]) for act in heard.acts if act.get("task") in tasks]


def _apart(claims: list[Claim]) -> list[Claim]:
    """Each place claimed once for a field."""
    seen: dict[tuple[Any, ...], Claim] = {}
    for claim in claims:
        seen.setdefault((tuple(claim["span"] or ()), claim["field"]), claim)
    return list(seen.values())


def _answered(heard: Heard, plan: TurnPlan) -> list[int]:
    """The acts that the plan serves. A question of a task that nothing was done for is named as not answered."""
    served = set(plan.served) | ({"analysis", "why"} if {"analysis", "why"} & set(plan.served) else set())
    served |= {"document", "edit"} if {"document", "edit"} & set(plan.served) else set()
    if plan.served[:1] == ["text"]:
        return list(range(len(heard.acts)))
    if plan.served == ["guide"] and plan.update.get("guide_topics"):
        left = unanswered(heard, plan.update["guide_topics"])
        return [index for index in range(len(heard.acts)) if index not in left]
    if len(heard.acts) < 2 or not plan.steps or {"guide", "accounts"} & set(plan.served):
        return list(range(len(heard.acts)))
    claimed = {claim["act"] for claim in plan.claims if claim["act"] is not None}
    return [
        index
        for index, act in enumerate(heard.acts)
        if act.get("task") in served or act.get("task") == "chat" or index in claimed or (act.get("sure") or 0) < 0.4
    ]
