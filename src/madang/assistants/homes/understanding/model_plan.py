"""A plan from what a model understood: its steps and arguments, checked; what was asked outright is done anyway."""

from collections.abc import Callable, Mapping, Sequence
from datetime import date
from typing import Any, Literal

from pydantic import BaseModel, Field

from madang.assistants.homes.agents import AGENTS
from madang.assistants.homes.data.judgement_rules import load_rules
from madang.assistants.homes.services import HomesServices
from madang.assistants.homes.state.conversation import (
    FigureNeed,
    LegalQuestion,
    LetterRequest,
    SituationRequest,
)
from madang.assistants.homes.state.supervisor import MainSupervisorState
from madang.assistants.homes.tools.calculators import calculator, calculators, inputs_by_name
from madang.assistants.homes.tools.calculators.spec import Input
from madang.assistants.homes.tools.figure_facts import Facts
from madang.assistants.homes.tools.letters import letters
from madang.assistants.homes.understanding import agent_defaults
from madang.assistants.homes.understanding.figure_needs import (
    complete,
    questions_for,
    read_input,
    read_needs,
    sums_among,
    with_inputs,
)
from madang.assistants.homes.understanding.inquiry import MEMBERS
from madang.assistants.homes.understanding.intent_types import IntentType
from madang.assistants.homes.understanding.planner import SITUATIONS_KEPT, entities_of
from madang.assistants.homes.understanding.situations import said_so_far, situations_beside
from madang.assistants.homes.understanding.slots import read_slots
from madang.assistants.homes.understanding.wishes import wanted_loans
from madang.graph import Answer, StepRequest, TurnContext, Understanding
from madang.graph.assistant import nest
from madang.graph.model import ModelReading, Tool
from madang.graph.model.quotes import place_of
from madang.text.message import Message
from madang.threads import in_thread

State = Mapping[str, Any]
SURE_RULE = 0.75
STORY_MOST, YEAR = 12, 12
_TASKS = {one.name: one.task for one in AGENTS}


class ChosenRule(BaseModel):
    """A decision rule that answers a question of the message."""

    rule: str = Field(max_length=60, description="판단 규칙의 id")
    question: str = Field(max_length=300, description="그 규칙이 답하는 질문(다시 쓴 것)")
    reversed: bool = Field(description="질문이 규칙의 문장과 반대로 물으면 true")


class JudgementArguments(BaseModel):
    rules: list[ChosenRule] = Field(max_length=4)


class FigureInput(BaseModel):
    name: str
    value: int | float | str | bool


class Figure(BaseModel):
    calculator: Literal[tuple(calculators())]  # type: ignore[valid-type]
    inputs: list[FigureInput] = Field(max_length=12)


class FigureArguments(BaseModel):
    figures: list[Figure] = Field(max_length=8)


class ContractArguments(BaseModel):
    first_words: str = Field(max_length=60, description="계약서·특약이 시작되는 말 그대로")
    last_words: str = Field(max_length=60, description="끝나는 말 그대로")


class LetterArguments(BaseModel):
    kind: str = Field(max_length=40, description="글의 종류(아래 목록의 이름)")
    short: bool = Field(description="문자·카톡처럼 짧은 글이면 true")
    told: list[str] = Field(max_length=8, description="글에 넣을 사정, 사용자의 말로")
    sender: str | None
    receiver: str | None
    deadline: str | None


class DraftArguments(BaseModel):
    template: Literal["전세", "월세", "매매"]


TOOLS = (
    Tool("legal_search", "법을 묻는 질문이면 언제나. 찾을 말은 queries에 적는다."),
    Tool("judgement", "되는지·해야 하는지를 판단 규칙으로 답할 수 있을 때. 꼭 맞는 규칙만 고른다.", JudgementArguments),
    Tool("calculation", "금액·한도·기한을 계산할 때. 말한 값만 넣고 모르는 입력은 뺀다.", FigureArguments),
    Tool("market_search", "지역의 시세를 물을 때. region이 있어야 한다."),
    Tool("property_search", "매물을 찾을 때. region이 있어야 한다."),
    Tool("loan_search", "정책 대출·지원 상품을 찾을 때."),
    Tool("risk_analysis", "보증금이 안전한지(깡통전세, 전세사기) 따질 때."),
    Tool("contract_analysis", "붙여 넣은 계약서나 특약을 검토할 때.", ContractArguments),
    Tool("letter", "집주인·세입자에게 보낼 문자나 내용증명을 써 달라고 할 때.", LetterArguments),
    Tool("drafting", "계약서 자체를 만들어 달라고 할 때.", DraftArguments),
)  # fmt: skip


def reference(_services: Any) -> str:
    """What arguments may name: the calculators with their inputs, the letters and the decision rules."""
    lines = [*calculator_lines("calculation"), "\n### 글의 종류 (letter): 이름: 제목"]
    lines += [f"- {one.kind}: {one.title}" for one in letters().values()]
    return "\n".join([*lines, "", *rule_lines()])


def calculator_lines(agent: str) -> list[str]:
    """The calculators with their inputs, as the arguments of `agent` name them."""
    lines = [f"### 계산기 ({agent}): 이름: 하는 일 [입력]"]
    for name, one in calculators().items():
        inputs = ", ".join(f"{i.name}={i.label or i.question or i.name}({i.kind})" for i in one.inputs)
        lines.append(f"- {name}: {one.label} [{inputs}]")
    return lines


def rule_lines() -> list[str]:
    """The decision rules by topic."""
    lines = ["### 판단 규칙 (judgement): id: 규칙의 문장(맞는지 틀리는지가 정해져 있음)"]
    topic = ""
    for rule in load_rules():
        if rule.topic != topic:
            topic = rule.topic
            lines.append(f"({topic})")
        lines.append(f"- {rule.id}: {rule.act}")
    return lines


async def plan(state: MainSupervisorState, ctx: TurnContext[HomesServices], read: ModelReading) -> Understanding:
    """Steps for everything the message wants, or the one question back."""
    update = _update(state, ctx, read)
    after: dict[str, Any] = {**state, **{k: v for k, v in update.items() if k != "lease_facts"}}
    after["lease_facts"] = {**(state.get("lease_facts") or {}), **update.get("lease_facts", {})}
    needs = await in_thread(_needs, state, ctx, read, after)
    update["figure_requests"] = needs
    agents: dict[str, StepRequest] = {}
    for name, arguments in read.steps:
        for step in _steps(name, arguments, state, after, update):
            agents.setdefault(step.agent, step)
    for step in await _insisted(ctx, read, needs, agents):
        agents.setdefault(step.agent, step)
    _complete(agents, needs)
    situated = await in_thread(_situations, state, ctx, read) if "drafting" not in agents else []
    if situated and (agents or read.asked()):
        agents.setdefault("legal_search", StepRequest("legal_search"))
        now = [one["found"][0] for one in situated if one["clear"]]
        kept = list(dict.fromkeys([*now, *(state.get("last_situations") or ())]))[:SITUATIONS_KEPT]
        update |= {"situation_requests": situated, "last_situations": kept}
    lacking = [need for need in needs if need["missing"] and not calculator(need["calculator"]).rule_suffices]
    if lacking and not (agents.keys() - {"report"}):
        names = [name for need in lacking for name in need["missing"]]
        question = " ".join(questions_for(lacking))
        update["pending"] = {"kind": "figure", "names": names, "question": question}
        return _ended(update, read, Answer(answer=question, type="clarification"))
    if read.ask is not None and not agents:
        names = [read.ask.field] if read.ask.field else []
        pending = {"kind": "model", "names": names, "question": read.ask.question, "choices": list(read.ask.choices)}
        shown = {"choices": list(read.ask.choices)}
        answer = Answer(answer=read.ask.question, type="clarification", structured_data=shown)
        return _ended({**update, "pending": pending}, read, answer)
    if not agents:
        if read.asked():
            agents["legal_search"] = StepRequest("legal_search", description="관련 법률 조회")
            update["legal_questions"] = update["legal_questions"] or [_question(read, one.restated, one.act, one.kind)
                                                                      for one in read.asked()]  # fmt: skip
        else:
            return _ended(update, read, Answer(answer="말씀하신 내용을 기억해 둘게요. 궁금한 점을 물어봐 주세요."))
    return Understanding(
        update=update, steps=list(agents.values()), intent=read.intent, confidence=1.0, claims=list(read.claims)
    )


def _situations(state: State, ctx: TurnContext[HomesServices], read: ModelReading) -> list[SituationRequest]:
    """What is known of situations like those asked about."""
    asked = [one.restated for one in read.asked() if one.task not in ("draft", "review", "price")]
    if ctx.services is None or not asked:
        return []
    message = Message.read(state["query"], ctx.today, context="housing")
    return situations_beside(asked, message, state, ctx.services.situations, ctx.services.faq)


def _ended(update: dict[str, Any], read: ModelReading, answer: Answer) -> Understanding:
    return Understanding(update=update, answer=answer, intent=read.intent, confidence=1.0, claims=list(read.claims))


def _update(state: State, ctx: TurnContext[HomesServices], read: ModelReading) -> dict[str, Any]:
    """The fields that the message sets, the questions and the seeds' record of how it was read."""
    query: str = state["query"]
    parts = _parts(read)
    update: dict[str, Any] = {
        "planning_state": {
            "raw_query": query,
            "analyzed_intent": {
                "intent_type": read.intent,
                "confidence": 1.0,
                "keywords": list(read.keywords),
                "entities": entities_of(query),
                "reasoning": "; ".join(one.restated for one in read.asked())[:300] or None,
            },
            "intent_confidence": 1.0,
        },
        "user_id": ctx.user_id,
        "pending": None,
        "last_intent": read.intent,
        "last_parts": parts,
        "search_keywords": {"legal": list(read.queries), "real_estate": [], "loan": [], "general": list(read.keywords)},
        "legal_terms": list(read.queries),
        "lease_facts": {},
        "said": said_so_far(state, query),
        "situation_requests": [],
    }
    for path, value in (*read.values.items(), *((path, None) for path in read.cleared if path not in read.values)):
        where = nest(path, value)
        if path.startswith("lease_facts."):
            update["lease_facts"] |= where["lease_facts"]
        else:
            update |= where
    places = read_slots(str(read.values.get("region") or ""), ctx.today) if read.values.get("region") else {}
    update |= {name: places[name] for name in ("regions", "sido", "region") if places.get(name)}
    rules = read_slots(query, ctx.today)
    for name in ("loan_facts", "risk_signs", "listing_wish", "price_months"):
        if rules.get(name):
            update[name] = rules[name]
    law = [one for one in read.asked() if one.task in ("law", "risk", "review", "letter", "chat", *calculators())]
    update["legal_questions"] = [_question(read, one.restated, one.act, one.kind) for one in law]
    update["legal_question"] = "; ".join(one.restated for one in law) or state.get("legal_question")
    told = [one.words for one in read.wanted if one.kind in ("tell", "change", "add", "danger")]
    update["story"] = [*(state.get("story") or ()), *told, *(one.restated for one in law)][-STORY_MOST:]
    known = {name: update.get(name, state.get(name)) for name in MEMBERS}
    update |= {"loan_kinds": wanted_loans(query, parts, known), "loan_words": None}
    return update


def _question(read: ModelReading, text: str, act: int, kind: str) -> LegalQuestion:
    told = [one.words for one in read.wanted if one.kind in ("tell", "change", "add", "danger")]
    return LegalQuestion(act=act, kind=kind, question=text, told=told[-4:], before=[])


_PART = {
    "law": IntentType.LEGAL_CONSULT, "price": IntentType.MARKET_INQUIRY, "loan": IntentType.LOAN_CONSULT,
    "risk": IntentType.RISK_ANALYSIS, "review": IntentType.CONTRACT_REVIEW, "draft": IntentType.CONTRACT_CREATION,
    "letter": IntentType.LEGAL_CONSULT,
}  # fmt: skip


def _parts(read: ModelReading) -> list[str]:
    found = [_PART.get(one.task, IntentType.LEGAL_CONSULT).value for one in read.asked() if one.task != "chat"]
    return list(dict.fromkeys(found)) or [read.intent]


def _needs(
    state: State, ctx: TurnContext[HomesServices], read: ModelReading, after: Mapping[str, Any]
) -> list[FigureNeed]:
    """The calculations a model asks for, with inputs that were said; and those asked for in so many words."""
    known = [after.get(name) for name in MEMBERS] + list((after.get("lease_facts") or {}).values())

    def knows(value: Any) -> bool:
        return read.said_number(value) or value in known

    figures = (read.step("calculation") or {}).get("figures", ())
    needs = [figure_need(figure, after, ctx.today, knows) for figure in figures]
    if not needs and any(one.kind == "ask_how_much" for one in read.asked()):
        ready = [need for need in read_needs(state["query"], ctx.today, after) if not need["missing"]]
        needs += [need for need in ready if not _mistaken(need, read)]
    return needs


def figure_need(
    figure: Mapping[str, Any], after: Mapping[str, Any], today: date, knows: Callable[[Any], bool]
) -> FigureNeed:
    """A calculation that a model chose, with those of its inputs that hold."""
    inputs = {item.name: item for item in calculator(figure["calculator"]).inputs}
    given = {
        given["name"]: made
        for given in figure["inputs"]
        if given["name"] in inputs
        and (made := _input_value(inputs[given["name"]], given["value"], today, knows)) is not None
    }
    if given.get("method") == "interest_only" and not given.keys() & {"years", "months"}:
        given["months"] = YEAR
    return complete(with_inputs(FigureNeed(calculator=figure["calculator"], inputs={}, missing=[]), given), after)


def _mistaken(need: FigureNeed, read: ModelReading) -> bool:
    """Whether rules took a sum for something else than the model did: a loan for a price."""
    roles: dict[Any, set[str]] = {}
    for path, value in read.values.items():
        roles.setdefault(value if isinstance(value, int) else None, set()).add(path.rpartition(".")[2])
    return any(
        need["inputs"][name] in roles and not roles[need["inputs"][name]] & {name, inputs_by_name()[name].slot}
        for name in sums_among(need["inputs"])
    )


def _input_value(one: Input, value: Any, today: date, knows: Callable[[Any], bool]) -> Any:
    """An input of a calculator: a number must be one that the user said or that is known; a choice is read."""
    kind = one.kind
    if kind == "option" and isinstance(value, str):
        said = read_input(one.name, Facts(value, today))
        return said if said is not None or any(char > "z" for char in value) else value
    if isinstance(value, int | float) and not isinstance(value, bool):
        if not knows(value):
            return None
        if kind == "rate":
            return str(value / 100)
        return int(value) if float(value).is_integer() else value
    if kind in ("won", "yearly_won", "rate", "count", "years", "months", "area"):
        return None
    return value


def _steps(
    name: str,
    arguments: Mapping[str, Any],
    state: State,
    after: Mapping[str, Any],
    update: dict[str, Any],
) -> Sequence[StepRequest]:
    """The steps that one of a model's choices comes to; none if it lacks what it needs."""
    match name:
        case "judgement":
            known = {rule.id for rule in load_rules()}
            rules = [one for one in arguments["rules"] if one["rule"] in known]
            return [StepRequest("judgement", arguments={"rules": rules})] if rules else []
        case "calculation":
            return []
        case "contract_analysis":
            update["contract_text"] = _contract(arguments, state)
            return [StepRequest(name), StepRequest("legal_search"), StepRequest("report")]
        case "letter" if arguments["kind"] in letters():
            update["letter_request"] = LetterRequest(**{**arguments, "wishes": []})  # type: ignore[typeddict-item]
            return [StepRequest(name)]
        case "drafting":
            update |= {
                "document_template": arguments["template"],
                "document_fields": state.get("document_fields") or {},
            }
            return [StepRequest(name)]
        case "market_search" | "property_search":
            if not (after.get("regions") or after.get("region")):
                return []
            update.setdefault("regions", after.get("regions") or [after["region"]])
            more = [StepRequest("market_analysis"), StepRequest("report")] if name == "market_search" else []
            return [StepRequest(name), *more]
        case "loan_search":
            return [StepRequest(name), StepRequest("loan_analysis"), StepRequest("report")]
        case "risk_analysis":
            return [StepRequest(name), StepRequest("report")]
        case "legal_search":
            return [StepRequest(name, description=f"“{state['query'][:40]}” 관련 법률 조회")]
        case _:
            return []


def _contract(arguments: Mapping[str, Any], state: State) -> str:
    """The contract in the message, between the words it begins and ends with; one reviewed before otherwise."""
    text: str = state["query"]
    first, last = place_of(arguments["first_words"], text), place_of(arguments["last_words"], text)
    if first and last and last[1] > first[0]:
        return text[first[0] : last[1]]
    return state.get("contract_text") or text


async def _insisted(
    ctx: TurnContext[HomesServices], read: ModelReading, needs: Sequence[FigureNeed], agents: Mapping[str, Any]
) -> list[StepRequest]:
    """A judgement that the question asks for in so many words is made, whether the model thought of it or not."""
    added: list[StepRequest] = []
    if "judgement" in agents or ctx.services is None or needs:
        return added
    rules = []
    for one in read.asked():
        if one.kind == "ask_whether" and (found := await in_thread(ctx.services.judgements.nearest, one.restated)):
            score, rule = found
            if score >= SURE_RULE:
                rules.append({"rule": rule, "question": one.restated, "reversed": None})
    return [StepRequest("judgement", arguments={"rules": rules[:2]})] if rules else added


def _complete(agents: dict[str, StepRequest], needs: Sequence[FigureNeed]) -> None:
    """What goes with the figures that can be worked out, and the articles beside a judgement."""
    ready = agent_defaults.subjects(needs)
    if ready & {"law", "loan"}:
        agents.setdefault("calculation", StepRequest("calculation"))
    if "return" in ready:
        agents.setdefault("roi_analysis", StepRequest("roi_analysis"))
    if "risk" in ready:
        agents.setdefault("risk_analysis", StepRequest("risk_analysis"))
    if "judgement" in agents or "calculation" in agents:
        agents.setdefault("legal_search", StepRequest("legal_search"))
