"""A plan from what a model understood: questions checked by the engine, documents by their forms."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal, cast, get_args

from pydantic import BaseModel, ConfigDict, Field

from madang.assistants.works.data.forms import Form, form_of, forms
from madang.assistants.works.data.semantics import semantics
from madang.assistants.works.services import WorksServices
from madang.assistants.works.state import GlobalSessionState
from madang.assistants.works.state.documents import DocumentInput
from madang.assistants.works.state.semantic_query import CompareType, Dimension, Metric, SemanticQuery
from madang.assistants.works.tools.query_validation import OPERATORS, check_query
from madang.assistants.works.understanding.composing import empty
from madang.assistants.works.understanding.continuing import applicable
from madang.assistants.works.understanding.document_plan import form_of_document, lacks
from madang.assistants.works.understanding.question import Understood
from madang.assistants.works.understanding.replies import nothing_open
from madang.assistants.works.understanding.requests import show_request, storage_request
from madang.assistants.works.understanding.speaker import known_as
from madang.assistants.works.understanding.summaries import summed_up
from madang.assistants.works.understanding.text_plan import LETTER
from madang.assistants.works.understanding.turn_plan import CHECK, Incoming, TurnPlan
from madang.errors import InvalidState, MadangError
from madang.graph import StepRequest, TurnContext
from madang.graph.model import Choice, Loop, ModelReading, Tool, asked_for

QUERIES, NAMES = 6, 60
REFUSED = ("unsupported_forecast", "reject_write", "reject_access")
STORE = StepRequest("StorageDecisionAgent")


class Days(BaseModel):
    model_config = ConfigDict(populate_by_name=True)
    start: str = Field(alias="from", description="YYYY-MM-DD")
    end: str = Field(alias="to", description="YYYY-MM-DD")


class Condition(BaseModel):
    field: str
    op: Literal[OPERATORS]  # type: ignore[valid-type]
    value: str | int | float | list[str]


class Comparison(BaseModel):
    type: Literal[get_args(CompareType)]  # type: ignore[valid-type]
    period: Days | None


class Order(BaseModel):
    by: str
    order: Literal["asc", "desc"]


class Query(BaseModel):
    """One question over the sales data."""

    metrics: list[Literal[get_args(Metric)]] = Field(max_length=6)  # type: ignore[valid-type]
    dimensions: list[Literal[get_args(Dimension)]] = Field(max_length=6)  # type: ignore[valid-type]
    filters: list[Condition] = Field(max_length=12, description="지표도 거를 수 있다: attendee_count lte 2")
    period: Days | None
    compare: Comparison | None
    sort: Order | None
    limit: int | None


class AnalysisArguments(BaseModel):
    queries: list[Query] = Field(max_length=QUERIES)


class QueryArguments(BaseModel):
    query: Query


class ChangeArguments(BaseModel):
    query: Query
    falls: bool = Field(description="줄어든 것을 물으면 true")


class TextArguments(BaseModel):
    text: str = Field(max_length=2000, description="판단하거나 찾을 상황·말. 사용자가 말한 사실을 빠짐없이")


class FormValue(BaseModel):
    name: str
    value: str | int


class DocumentArguments(BaseModel):
    form: str = Field(max_length=40, description="아래 문서의 이름(document_type)")
    edit: bool = Field(description="열린 문서를 고치면 true")
    values: list[FormValue] = Field(max_length=20, description="사용자가 말한 항목의 값")
    query: Query | None = Field(description="보고서면 담을 숫자")


class StoreArguments(BaseModel):
    note: str | None = Field(max_length=2000, description="새로 적어 둘 글. 열린 문서를 보관하면 null")


TOOLS = (
    Tool("DataAnalysisAgent", "숫자·순위·추이·비교를 물을 때. 질문 하나에 query 하나.", AnalysisArguments),
    Tool("ChangeAnalysisAgent", "왜 늘거나 줄었는지, 무엇 때문인지 나눠 볼 때.", ChangeArguments),
    Tool("ComplianceValidationAgent", "해도 되는지, 규정에 맞는지 물을 때. 상황마다 하나씩.", TextArguments),
    Tool("InformationRetrievalAgent", "규정·기록·보관한 글을 찾을 때, 그 밖의 업무 질문.", TextArguments),
    Tool("DocumentGenerationAgent", "아래 문서 가운데 하나를 쓰거나 고칠 때만.", DocumentArguments),
    Tool("StorageDecisionAgent", "보관·저장해 달라고 할 때.", StoreArguments),
)
INTENTS = {
    "analysis": "숫자", "why": "증감 원인", "check": "규정 판단", "search": "찾기", "document": "문서", "store": "보관",
    "show": "결과를 다른 모양으로", "unsupported_forecast": "예측", "reject_write": "자료를 바꾸라는 말",
    "reject_access": "다른 회사·개인정보", "chat": "그 밖",
}  # fmt: skip


def documents() -> list[Form]:
    """The documents with a form. A letter has none: the answer writes it."""
    return [one for one in forms() if one.document_type != LETTER]


def reference(_services: Any) -> str:
    """The names that questions and documents may use."""
    layer = semantics()
    metrics = ", ".join(f"{name}({m.label}, {m.unit})" for name, m in layer.metrics.items())
    dimensions = ", ".join(f"{name}({d.label})" for name, d in layer.dimensions.items())
    lines = [f"### metrics\n{metrics}", f"### dimensions와 filters의 field\n{dimensions}", "### 문서"]
    for one in documents():
        fields = ", ".join(f"{f.name}({f.label}, {f.kind}{', 없어도 됨' if f.optional else ''})" for f in one.fields)
        lines.append(f"- {one.document_type}: {one.title} [{fields or '숫자로 채움'}]")
    return "\n".join(lines)


def asks(state: GlobalSessionState, ctx: TurnContext[WorksServices]) -> Mapping[str, str]:
    """The rep that the user is linked to, or who they said to be; empty where neither is known."""
    user = str(ctx.user_id if ctx.user_id is not None else "anonymous")
    try:
        return known_as(state, ctx.services.linked(ctx.company_id or "sample", user, ctx.today)) or {}
    except MadangError:
        return known_as(state, None) or {}


def here(state: GlobalSessionState, ctx: TurnContext[WorksServices]) -> dict[str, Any]:
    """What is open, and the names in the company's data."""
    company = ctx.company_id or "sample"
    try:
        names = ctx.services.warehouse.lexicon(company, ctx.today).names.values
        held = ctx.services.warehouse.coverage(company, ctx.today)
    except MadangError:
        return {}
    document = state.get("last_document") or {}
    return {
        "자료 기간": f"{held.start} ~ {held.end}" if held else None,
        "자료에 있는 이름": {
            field: list(names.get(field, ()))[:NAMES]
            for field in ("region", "branch", "team", "product_class", "product", "rep", "customer_type", "grade")
        },
        "열린 문서": {
            k: document.get(k) for k in ("document_type", "title", "form_data", "missing") if document.get(k)
        },
    }


def further(choice: Choice) -> StepRequest | None:
    """A step for a further question, if the engine can compute it."""
    query = _query(choice.arguments["query"])
    return StepRequest(choice.agent, arguments={"query": query}) if query is not None else None


LOOP = Loop(
    when=lambda state: bool(asked_for(state) & {"ask_why", "why"}),
    tools=(Tool("DataQueryAgent", "지표를 다른 기준으로 나누거나 좁혀 볼 때. 질문 하나에 한 번.", QueryArguments),),
    step=further,
)


def understood(read: ModelReading) -> Understood:
    """The meaning of the message as the record of the analyzer keeps it."""
    if read.intent in REFUSED:
        return Understood(empty(cast(Any, read.intent)))
    queries = queries_of(read)
    if not queries:
        return Understood(empty("other_agent"), claims=read.claims)
    return Understood(queries[0], ("analysis",), further=tuple(queries[1:]), claims=read.claims)


def queries_of(read: ModelReading) -> list[SemanticQuery]:
    """The model's questions that the engine can compute."""
    made = [_query(one) for one in (read.step("DataAnalysisAgent") or {}).get("queries", ())]
    return [query for query in made if query is not None]


def _query(given: Mapping[str, Any] | None) -> SemanticQuery | None:
    """A question in the engine's form; None if it can't be computed."""
    if given is None:
        return None
    filters = [{**one, "op": _operator(one)} for one in given["filters"]]
    query = cast(
        SemanticQuery, {**given, "kind": "query", "filters": filters, "metrics": given["metrics"] or ["sales_amount"]}
    )
    try:
        usable = applicable(query, semantics())
        check_query(usable, semantics())
    except (InvalidState, KeyError, TypeError, ValueError):
        return None
    return usable


def _operator(one: Mapping[str, Any]) -> str:
    if isinstance(one["value"], list):
        return "in"
    return "eq" if one["op"] == "in" else str(one["op"])


def planned(message: Incoming, meaning: Understood, read: ModelReading) -> TurnPlan:
    """What each of the model's steps comes to. Nothing is kept without having been checked first."""
    plan = TurnPlan()
    plan.claims += read.claims
    if read.intent in REFUSED and not read.steps:
        plan.served = [read.intent]
    for name, arguments in read.steps:
        _add(name, arguments, message, plan, meaning)
    if not plan.steps and plan.answer is None and "show" in read.tasks():
        _show(message, plan)
    if plan.steps or plan.answer is not None:
        return plan
    # Whatever is said or asked, the answer is worded from what the company has on it.
    plan.update["search_request"] = "; ".join(one.restated for one in read.asked()) or message.text
    plan.add(StepRequest("InformationRetrievalAgent"))
    plan.served.append("search")
    return plan


def _add(name: str, arguments: Mapping[str, Any], message: Incoming, plan: TurnPlan, meaning: Understood) -> None:
    match name:
        case "DataAnalysisAgent" if meaning.query["kind"] == "query":
            further = list(meaning.further)
            last = further[-1] if further else meaning.query
            plan.update |= {"analysis_query": meaning.query, "last_query": last, "further_queries": further}
            plan.add(StepRequest(name))
            plan.served.append("analysis")
        case "ChangeAnalysisAgent" if (why := _query(arguments["query"])) is not None:
            plan.update |= {"why_query": {**why, "dimensions": []}, "analysis_view": {"falls": arguments["falls"]}}
            plan.update.setdefault("last_query", why)
            plan.add(StepRequest(name))
            plan.served.append("why")
        case "ComplianceValidationAgent":
            _check(arguments["text"], plan)
            plan.served.append("check")
        case "InformationRetrievalAgent":
            before = plan.update.get("search_request")
            plan.update["search_request"] = f"{before}; {arguments['text']}" if before else arguments["text"]
            plan.add(StepRequest(name))
            plan.served.append("search")
        case "DocumentGenerationAgent":
            _document(arguments, message, plan)
        case "StorageDecisionAgent":
            _store(arguments, message, plan)


def _check(text: str, plan: TurnPlan) -> None:
    """A situation to judge; each further one is judged by itself."""
    if first := plan.update.get("compliance_request"):
        plan.update["compliance_request"] = {**first, "more": [*first.get("more", ()), text]}
        return
    plan.update["compliance_request"] = {"text": text, "type": "action"}
    plan.add(CHECK)


def _document(arguments: Mapping[str, Any], message: Incoming, plan: TurnPlan) -> None:
    """A form filled with what was said, or a report of computed figures."""
    last = message.state.get("last_document") or {}
    kind = last.get("document_type") if arguments["edit"] and last else arguments["form"]
    if kind not in {one.document_type for one in documents()}:
        return
    form = form_of(str(kind))
    editing = bool(arguments["edit"]) and bool(last) and (form_of_document(last) is not None or bool(last.get("query")))
    before = dict(last.get("form_data") or {}) if editing else {}
    values = {**before, **_values(form, arguments["values"])}
    request: DocumentInput = {
        "document_type": form.document_type, "form_data": values, "text": message.text, "title": form.title,
        "document_id": last.get("document_id") if editing else None,
        "version": last.get("version", 0) if editing else 0,
        "changed": message.text[:80] if editing else None, "findings": (message.state.get("findings") or [])[-4:],
    }  # fmt: skip
    if form.period:
        query = (
            _query(arguments["query"]) or (last.get("query") if editing else None) or message.state.get("last_query")
        )
        if query is None:
            plan.answer = nothing_open("summary")
            return
        plan.update["analysis_query"] = query
        plan.add(StepRequest("DataAnalysisAgent", description=f"{form.title}에 넣을 자료"))
    plan.update["document_request"] = request
    plan.add(StepRequest("DocumentGenerationAgent", description=form.title))
    plan.served.append("edit" if editing else "document")
    if any(values.get(one.name) for one in form.fields if one.kind == "won"):
        plan.add(CHECK)


def _values(form: Form, given: Sequence[Mapping[str, Any]]) -> dict[str, str | int]:
    """The values that fit the form's fields."""
    fields = {one.name: one for one in form.fields}
    return {one["name"]: one["value"] for one in given if one["name"] in fields and one["value"] not in ("", None)}


def _store(arguments: Mapping[str, Any], message: Incoming, plan: TurnPlan) -> None:
    """What is kept, checked before: the document of this turn once it is whole, the open one, or a note."""
    from madang.assistants.works.understanding.requests import note_document

    plan.served.append("store")
    if request := plan.update.get("document_request"):
        plan.add(CHECK, *([] if lacks(request) else [STORE]))
        return
    kept = note_document(arguments["note"]) if arguments["note"] else storage_request(message.heard, message.state)
    if kept is None:
        plan.answer = plan.answer or nothing_open("store")
        return
    kind = "document" if kept.get("form_data") else "report" if kept.get("query") else "note"
    checked = {"text": kept.get("compliance_text", ""), "type": kind}
    plan.update |= {"storage_request": kept, "compliance_request": checked}
    plan.add(CHECK, STORE)


def _show(message: Incoming, plan: TurnPlan) -> None:
    wanted, last = show_request(message.heard, message.state), message.state.get("last_query")
    if wanted is None:
        return
    plan.served.append("show")
    if wanted["form"] in {"summary", "document", "docx", "pdf"} or last is None:
        plan.answer = summed_up(wanted, message.state)
        return
    plan.update |= {"show_request": wanted, "analysis_query": last, "last_query": last}
    plan.add(StepRequest("DataAnalysisAgent"))
