"""Planning: from a message to slots and steps, or to a question, or to guidance."""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any, cast

from madang.assistants.homes.agents import AGENTS
from madang.assistants.homes.data.situation_base import Situation
from madang.assistants.homes.services import HomesServices
from madang.assistants.homes.state.conversation import FigureNeed, LetterRequest, SituationRequest
from madang.assistants.homes.state.supervisor import MainSupervisorState
from madang.assistants.homes.tools.calculators import calculator
from madang.assistants.homes.tools.documents import find_template
from madang.assistants.homes.tools.judgement_question import asks_of_the_act
from madang.assistants.homes.tools.legal_search import telling_words
from madang.assistants.homes.tools.letters import asks_to_write
from madang.assistants.homes.understanding import guidance
from madang.assistants.homes.understanding.agent_choice import choose_agents
from madang.assistants.homes.understanding.draft_answers import values_in
from madang.assistants.homes.understanding.facts import sums_by_role, told_by
from madang.assistants.homes.understanding.figure_needs import complete, with_inputs
from madang.assistants.homes.understanding.form import CALCULATED, FORM_INTENTS, inputs_from
from madang.assistants.homes.understanding.hearing import hear
from madang.assistants.homes.understanding.inquiry import (
    MEMBERS,
    Inquiry,
    asks_to_rewrite,
    read,
)
from madang.assistants.homes.understanding.intent_types import UNCLEAR_BELOW, IntentType
from madang.assistants.homes.understanding.intents import read_intent
from madang.assistants.homes.understanding.legal_evidence import weigh_law
from madang.assistants.homes.understanding.letters import letter_of, wanted_letter
from madang.assistants.homes.understanding.limits import limits_of, names_home, without_limits
from madang.assistants.homes.understanding.missing_inputs import gives_sums, missing_inputs, template_of
from madang.assistants.homes.understanding.questions import (
    CONNECTS,
    asked_in,
    told_in,
)
from madang.assistants.homes.understanding.replies import stands_for
from madang.assistants.homes.understanding.routing import LONG, asks_for_figure, is_idle, lease_kind, route
from madang.assistants.homes.understanding.routing import TOLD as ROUTE_TOLD
from madang.assistants.homes.understanding.situations import (
    asked_situations,
    faq_near,
    is_foreign,
    near_text,
    said_so_far,
    situations_near,
    situations_of,
)
from madang.assistants.homes.understanding.spelling import mend
from madang.assistants.homes.understanding.sureness import questions_of, unsure
from madang.assistants.homes.understanding.team_questions import loan_words, questions_for_teams, story_of
from madang.assistants.homes.understanding.wanted_figures import (
    figure_words,
    figures_of_story,
    risen,
    wanted_figures,
    with_form_values,
    without_rises,
)
from madang.assistants.homes.understanding.wishes import legal_question, wanted_loans
from madang.graph import Answer, StepRequest, TurnContext, Understanding
from madang.graph.inputs import TASK
from madang.graph.reading import Claim, Heard
from madang.threads import in_thread

State = Mapping[str, Any]
# The agents whose answers are texts: they work nothing out of the sums and days of a message.
_TELLS = frozenset({"legal_search", "judgement", "letter", "report"})
WORKED_OUT = 0.7
SITUATED = 0.8
_LAW = IntentType.LEGAL_CONSULT.value
# A follow-up this short changes the last calculation.
SHORT = 25
# A question whether, so short, is answered by its calculator's rule.
BRIEF = 30
_ASKS_REVIEW = re.compile(
    r"(?:계약서|특약)[^?]{0,12}(?:봐\s?(?:줘|주|줄)|검토|확인\s?(?:좀|해)|살펴|체크|이상한\s?(?:조항|것|거|데))"
)
_PRICES = re.compile(r"시세|매물|평당|호가|집값|가격|실거래|추천")
_SEEKS = re.compile(rf"{_PRICES.pattern}|얼마|구하|구해|찾|알아봐|싼|비싼|살만|살\s만")
_TASKS = {one.name: one.task for one in AGENTS}
_ENTITY_NAMES = {
    "regions": "지역", "amounts": "금액", "areas": "면적", "rates": "비율", "articles": "조문", "deal": "계약유형",
    "property": "주택유형",
}  # fmt: skip


async def understand(state: MainSupervisorState, ctx: TurnContext[HomesServices]) -> Understanding:
    """Read the message, ask for what a plan can't do without, or plan."""
    if state.get("form_input") and not (state.get("query") or "").strip():
        return await _from_form(state, ctx)
    raw: str = state["query"]
    heard = await in_thread(hear, raw, state, ctx) if ctx.heard is None else ctx.heard
    if (meant := stands_for(raw, state)) is not None:
        return await _replied(meant, state, ctx, heard)
    understanding, served = await _read_and_plan(state, ctx, heard, mend(raw))
    return _with_claims(understanding, state, heard, served)


async def _replied(
    meant: str, state: MainSupervisorState, ctx: TurnContext[HomesServices], heard: Heard
) -> Understanding:
    """A short reply, read as what it stands for: the choice, or what was offered."""
    again = cast(MainSupervisorState, {**state, "query": meant})
    understanding, _ = await _read_and_plan(again, ctx, await in_thread(hear, meant, again, ctx), meant)
    whole = (0, len(heard.message.text))
    return replace(understanding, claims=[heard.claim(whole, "pending", meant, "pending")])


async def _read_and_plan(  # noqa: PLR0912, PLR0915, the order in which a message is tried
    state: MainSupervisorState, ctx: TurnContext[HomesServices], heard: Heard, query: str
) -> tuple[Understanding, str | None]:
    """The understanding of a message, and the field that takes its words as they are."""
    raw = state["query"]
    state = {**state, "query": query}
    limits = limits_of(query)
    said = await in_thread(read_intent, query)
    intent, parts, confidence = route(heard, state, said.intent, said.parts, said.confidence)
    asked_here = asked_in(heard)
    words = figure_words(heard)
    anew = any(not one.says_little and one.task != "figure" for one in asked_here)
    inquiry = read(
        query,
        state,
        ctx.today,
        intent,
        parts,
        confidence,
        words,
        asks=bool(asked_here),
        asks_anew=anew,
        sums=sums_by_role(heard),
    )
    inquiry.asked = asked_here
    inquiry.told = told_in(heard)
    if not limits and not _ASKS_REVIEW.search(query):
        await weigh_law(query, inquiry, state, ctx)
    inquiry.known["lease_kind"] = lease_kind(heard) or state.get("lease_kind")
    _add_income(query, state, inquiry)
    needs = wanted_figures(inquiry) or figures_of_story(state, inquiry, ctx.today)
    inquiry.needs = without_rises(needs, said_so_far(state, raw))
    update = _base_update(state, raw, ctx, inquiry, said.keywords)
    situated = await _situations(state, ctx, heard, inquiry)
    about = situations_of(situated, state, ctx.services.situations) if ctx.services else []
    now = sum(one["clear"] for one in situated)
    if not inquiry.contract and (letter := wanted_letter(heard, state, about, now)) is not None:
        titles = letter if isinstance(letter, list) else []
        if not isinstance(letter, list) and not is_foreign(query):
            return _letter(state, inquiry, update, letter), "letter_request"
        # Nothing was told of what it is to say: the nearest ready text of what was talked about is shown.
        if ctx.services and (ready := await in_thread(near_text, heard, state, ctx.services.faq)):
            update |= {"story": story_of(state, inquiry)}
            return await _plan(state, ctx, _of_situations(inquiry), update, ready), "legal_questions"
        if not isinstance(letter, list):
            return _letter(state, inquiry, update, letter), "letter_request"
        answer = guidance.ask_letter(titles)
        choices = list((answer.structured_data or {}).get("choices") or ())
        update |= {"pending": {"kind": "topic", "names": [], "choices": choices}} if choices else {}
        return _end({**update, "story": story_of(state, inquiry)}, answer, inquiry), "story"
    if limits and limits[0].final and len(query) <= BRIEF:
        return _end(update, guidance.beyond(limits), inquiry), None
    if any(one["clear"] or one.get("faq_fit") == "sure" for one in situated):
        found = _of_situations(inquiry, about[:now])
        return await _plan(state, ctx, found, update, situated), "legal_questions"
    unsure_here = not limits or len(query) > LONG
    if limits and limits[0].final and not unsure_here:
        return _end(update, guidance.beyond(limits), inquiry), None
    if unsure_here and (
        unsure(heard, inquiry) or (_is_off(inquiry) and len(query) > LONG) or _near_the_last(state, inquiry, situated)
    ):
        near = faq_near(situated, ctx.services.faq, update["language"]) if ctx.services else []
        titles = [one.title for one in situations_near(situated, ctx.services.situations)] if ctx.services else []
        titles = list(dict.fromkeys([*titles[:1], *near, *titles[1:]]))
        answer = guidance.unsure_of(questions_of(inquiry, query), titles, update["language"])
        choices = list((answer.structured_data or {}).get("choices") or ())
        update |= {"story": story_of(state, inquiry), "last_intent": _LAW, "last_parts": [_LAW]}
        update |= {"pending": {"kind": "topic", "names": [], "choices": choices}} if choices else {}
        return _end(update, answer, inquiry), "legal_questions"
    if _tells_a_little(state, inquiry):
        update |= {"story": story_of(state, inquiry), **_slots(inquiry)}
        return _end(update, guidance.noted(), inquiry), "story"
    denies = bool({act["kind"] for act in heard.acts} & {"deny", "change", "choose"})
    still = not inquiry.inherited or not (_changes(state, inquiry) or denies)
    if is_idle(heard) and still and not inquiry.contract and (inquiry.inherited or _is_weak(inquiry)):
        return _end({**update, "pending": state.get("pending")}, guidance.small_talk(heard, state), inquiry), "talk"
    leans = any(one["found"] for one in situated) and len(telling_words(query)) > LITTLE
    off = _is_off(inquiry) or (limits and not (names_home(without_limits(query)) or inquiry.slots.get("region")))
    if off and not leans:
        answer = guidance.beyond(limits) if limits else guidance.welcome(query, state)
        return _end(update, answer, inquiry), "talk"
    if inquiry.inherited and not _changes(state, inquiry) and not asks_to_rewrite(query, state):
        return _end({**update, "pending": state.get("pending")}, guidance.ask_change(state), inquiry), None
    if (
        heard.roles_of("reference")
        and len(telling_words(query)) < 2
        and not (state.get("last_intent") or inquiry.inherited)
    ):
        update["planning_state"]["analyzed_intent"]["intent_type"] = IntentType.UNCLEAR.value
        return _end(update, guidance.ask_question(), replace(inquiry, intent=IntentType.UNCLEAR)), "talk"
    asked = missing_inputs(inquiry, query, state)
    where = asked is not None and (asked[1] or {}).get("kind") == "region"
    if where and len(query) > BRIEF and not (inquiry.asked and _SEEKS.search(query)):
        # Only whoever looks for prices or homes is asked where: land and neighbours have other questions.
        answer = guidance.unsure_of(questions_of(inquiry, query), [], update["language"])
        return _end({**update, "story": story_of(state, inquiry)}, answer, inquiry), "legal_questions"
    if leans and (off or (asked is not None and len(query) > LONG)):
        return await _plan(state, ctx, _of_situations(inquiry), update, situated), "legal_questions"
    if asked is not None:
        answer, pending = asked
        memory = _remembered(state, inquiry)
        return _end({**update, **_slots(inquiry), **memory, "pending": pending}, answer, inquiry), "legal_questions"
    return await _plan(state, ctx, inquiry, update, situated), "legal_questions"


def _near_the_last(state: State, inquiry: Inquiry, situated: Sequence[SituationRequest]) -> bool:
    """Whether a question is only near what was answered last: neither that again nor an article of its words is it."""
    last = list(state.get("last_situations") or ())[:1]
    near = bool(last) and any(one["found"][:1] == last for one in situated)
    return near and bool(inquiry.asked or len(state["query"]) > BRIEF) and not (inquiry.inherited or inquiry.needs)


async def _situations(
    state: State, ctx: TurnContext[HomesServices], heard: Heard, inquiry: Inquiry
) -> list[SituationRequest]:
    """The situations a message asks about; none where a contract was pasted or a calculation goes on."""
    if ctx.services is None or inquiry.contract or _asks_to_calculate(state, inquiry):
        return []
    tool, faq, elsewhere = ctx.services.situations, ctx.services.faq, _leads_elsewhere(state, inquiry)
    return await in_thread(lambda: asked_situations(heard, inquiry.asked, state, tool, faq, elsewhere=elsewhere))


def _asks_to_calculate(state: State, inquiry: Inquiry) -> bool:
    """Whether a short message asks for a sum that a calculator works out: that is never answered by a text instead."""
    return bool(inquiry.needs) and asks_for_figure(inquiry.asked) and len(state["query"]) <= LONG


def _leads_elsewhere(state: State, inquiry: Inquiry) -> bool:
    """Whether a short message asks for what other agents work out: a figure, prices, loans, a document, a risk."""
    query = state["query"]
    if len(query) > LONG:
        return False
    goes_on = state.get("figure_requests") or state.get("pending") or state.get("last_intent") != _LAW
    if inquiry.inherited and goes_on and len(query) <= SHORT:
        return True
    ready = bool(inquiry.needs) and all(not need["missing"] for need in inquiry.needs)
    whether = [one.kind for one in inquiry.asked] == ["ask_whether"] and len(query) <= BRIEF
    by_rule = whether and any(calculator(need["calculator"]).rule_suffices for need in inquiry.needs)
    wanted = set(inquiry.parts) - {IntentType.LEGAL_CONSULT, IntentType.COMPREHENSIVE}
    return (
        ready
        or by_rule
        or (IntentType.MARKET_INQUIRY in wanted and bool(_PRICES.search(query)))
        or (IntentType.RISK_ANALYSIS in wanted and gives_sums(inquiry))
        or wanted == {IntentType.LOAN_CONSULT}
        or (wanted == {IntentType.CONTRACT_CREATION} and asks_to_write(f"{query} 문자"))
    )


def _of_situations(inquiry: Inquiry, about: Sequence[Situation] = ()) -> Inquiry:
    """The inquiry whose situation is known: a question of law, with the figure that belongs to it if
    nothing is missing. The fee of a lease is not that of a sale."""
    asked = {one.calculator for one in about}
    needs = [need for need in inquiry.needs if need["calculator"] in asked and not need["missing"]]
    needs = [need for need in needs if need["calculator"] != "brokerage" or need["inputs"].get("deal") == "lease"]
    law = IntentType.LEGAL_CONSULT
    return replace(
        inquiry,
        intent=law,
        parts=(law,),
        confidence=max(inquiry.confidence, SITUATED),
        inherited=False,
        needs=needs,
        figures_asked=bool(inquiry.needs),
    )


_PARTNER = re.compile(r"배우자|남편|아내|와이프|신랑|남친|여친|약혼|신부")


def _add_income(query: str, state: State, inquiry: Inquiry) -> None:
    """A partner's income is added to one's own, which loans go by."""
    said, known = inquiry.slots.get("annual_income"), state.get("annual_income")
    if said and known and _PARTNER.search(query) and said != known:
        inquiry.known["annual_income"] = inquiry.slots["annual_income"] = said + known


def _tells_a_little(state: State, inquiry: Inquiry) -> bool:
    """Whether a few words only add to what was told: to be kept, not looked up."""
    open_question = state.get("last_intent") == IntentType.LEGAL_CONSULT and not state.get("pending")
    little = not inquiry.asked and bool(inquiry.told) and len(telling_words(state["query"])) < LITTLE
    turned = inquiry.known.get("lease_kind") != state.get("lease_kind") or bool(CONNECTS.match(state["query"]))
    return open_question and little and not (inquiry.inherited or inquiry.needs or inquiry.contract or turned)


def language_of(text: str) -> str:
    """The language an answer is framed in: English where most of the letters are."""
    latin, hangul = len(re.findall(r"[A-Za-z]", text)), len(re.findall(r"[가-힣]", text))
    return "en" if latin > LATIN_LEAST and latin > hangul else "ko"


def _is_weak(inquiry: Inquiry) -> bool:
    return inquiry.intent in (IntentType.IRRELEVANT, IntentType.UNCLEAR) or inquiry.confidence < ROUTE_TOLD


def _letter(state: State, inquiry: Inquiry, update: dict[str, Any], letter: LetterRequest) -> Understanding:
    """A letter or message is wanted: written from what was told."""
    intent = IntentType.CONTRACT_CREATION.value
    update["planning_state"]["analyzed_intent"]["intent_type"] = intent
    update |= {**_slots(inquiry), "last_intent": intent, "last_parts": [intent], "letter_request": letter}
    update |= {"story": story_of(state, inquiry)}
    steps = [StepRequest("letter", description="보낼 글 쓰기")]
    return Understanding(update=update, steps=steps, intent=intent, confidence=inquiry.confidence)


def _with_claims(understanding: Understanding, state: State, heard: Heard, served: str | None) -> Understanding:
    """The understanding with what each word became, and with the facts that only the roles of words tell."""
    update = dict(understanding.update)
    slots = {name: update.get(name) for name in MEMBERS if update.get(name) is not None}
    needs = update.get("figure_requests") or []
    used = {name: value for need in needs for name, value in need["inputs"].items()}
    for need in needs:
        used |= risen(need["inputs"])
    told = told_by(heard, slots, used, served)
    kept = {name: value for name, value in told.slots.items() if update.get(name) is None and state.get(name) is None}
    claims = told.claims
    works_out = needs or any(step.agent not in _TELLS for step in understanding.steps)
    asks_back = (update.get("pending") or {}).get("kind") not in (None, "topic")
    if not (works_out or asks_back or served == "talk"):
        # The answer takes the words as they were told; what became a field of its own is said to be that.
        told_as = "situation_requests" if update.get("situation_requests") else served or "story"
        plain = {name for name in slots.keys() | kept.keys() if _is_plain(heard, name)}
        claims = _as_told(heard, claims, plain, told_as)
    if served == "talk":
        kept = {}
    if told.facts:
        update["lease_facts"] = {**(state.get("lease_facts") or {}), **told.facts}
    return replace(understanding, update={**update, **kept}, claims=claims)


_PLAIN_WORDS: Mapping[str, Sequence[str]] = {
    "deposit": ("보증금", "전세", "deposit"),
    "monthly_rent": ("월세", "월", "rent"),
    "price": ("매매", "집값", "시세", "분양가", "매수", "사려", "파는"),
    "annual_income": ("연봉", "연소득", "소득"),
    "contract_end": ("만기", "까지", "끝"),
    "region": (),
}
_BESIDE = 8


def _is_plain(heard: Heard, name: str) -> bool:
    """Whether a message says a field's own word just before a value: what it says elsewhere is another matter's."""
    text = heard.message.text
    if name not in _PLAIN_WORDS:
        return False
    if not _PLAIN_WORDS[name]:
        return len(text) <= LONG
    starts = [value.span[0] for value in heard.message.values]
    return any(word in text[max(0, at - _BESIDE) : at] for at in starts for word in _PLAIN_WORDS[name])


def _as_told(heard: Heard, claims: Sequence[Claim], fields: Collection[str], field: str) -> tuple[Claim, ...]:
    """Everything that an answer in words was asked with, values that no other field takes among it."""
    taken = {at for claim in claims for at in range(*(claim["span"] or (0, 0)))}
    rest = [value for value in heard.message.values if taken.isdisjoint(range(*value.span))]
    told = [heard.claim(value.span, field, value.words, "parser") for value in rest]
    taken |= {at for value in rest for at in range(*value.span)}
    roles = [role for role in heard.roles if taken.isdisjoint(range(*role.span))]
    told += [heard.claim(role.span, field, role.words, "examples") for role in roles]
    kept: list[Claim] = [claim if claim["field"] in fields else {**claim, "field": field} for claim in claims]
    return (*kept, *told)


async def _from_form(state: MainSupervisorState, ctx: TurnContext[HomesServices]) -> Understanding:
    """A turn without a message: what is wanted, and everything it needs, are in the fields."""
    values = state.get("form_input") or {}
    # Without a task the last calculation is meant: a value of it was changed.
    before = [] if values.get(TASK) else list(state.get("figure_requests") or ())
    task = values.get(TASK) or (before[0]["calculator"] if before else "law")
    intent = FORM_INTENTS.get(task, IntentType.LEGAL_CONSULT)
    known = {name: state.get(name) for name in MEMBERS}
    # In a conversation that begins here nothing has been said of them.
    known |= {name: known[name] or {} for name in ("loan_facts", "listing_wish")}
    inquiry = Inquiry(intent, (intent,), 1.0, False, known=known)
    inquiry.known["lease_kind"] = state.get("lease_kind")
    if before:
        inquiry.needs = [complete(with_form_values(need, values), inquiry.known) for need in before]
    elif task in CALCULATED:
        need = with_inputs(FigureNeed(calculator=task, inputs={}, missing=[]), inputs_from(task, state))
        inquiry.needs = [complete(need, inquiry.known)]
    query = str(state.get("legal_question") or "")
    state = {**state, "query": query}
    update = _base_update(state, "", ctx, inquiry, ())
    if task == "letter":
        return _letter(state, inquiry, update, letter_of(query, state))
    asked = missing_inputs(inquiry, query, state, by_form=True)
    if asked is not None:
        return _end({**update, **_slots(inquiry), "pending": asked[1]}, asked[0], inquiry)
    if task == "law" and not query:
        return _end(update, guidance.ask_question(), inquiry)
    return await _plan(state, ctx, inquiry, update)


def _remembered(state: State, inquiry: Inquiry) -> dict[str, Any]:
    """What the answer to a question back will go on with."""
    query: str = state["query"]
    parts = [part.value for part in inquiry.parts]
    memory: dict[str, Any] = {"last_intent": inquiry.intent.value, "last_parts": parts}
    if not inquiry.inherited:
        memory |= {"legal_question": legal_question(parts, dict.fromkeys(parts, query)), "search_keywords": None}
        memory["legal_terms"] = []
        memory |= {"loan_kinds": wanted_loans(query, parts, inquiry.known), "loan_words": loan_words(query)}
    if IntentType.CONTRACT_CREATION in inquiry.parts and not inquiry.inherited:
        memory |= {"document_template": None, "document_fields": {}}
    return memory


def _is_off(inquiry: Inquiry) -> bool:
    unclear = inquiry.intent is IntentType.UNCLEAR and inquiry.confidence < UNCLEAR_BELOW
    return not inquiry.inherited and (inquiry.intent is IntentType.IRRELEVANT or unclear)


def _end(update: dict[str, Any], answer: Answer, inquiry: Inquiry) -> Understanding:
    return Understanding(update=update, answer=answer, intent=inquiry.intent.value, confidence=inquiry.confidence)


def _base_update(
    state: State, raw: str, ctx: TurnContext[HomesServices], inquiry: Inquiry, keywords: Sequence[str]
) -> dict[str, Any]:
    intent = {
        "intent_type": inquiry.intent.value,
        "confidence": inquiry.confidence,
        "keywords": list(keywords),
        "entities": entities_of(state["query"]),
        "reasoning": "앞선 질문을 이어 읽음" if inquiry.inherited else None,
    }
    planning = {"raw_query": raw, "analyzed_intent": intent, "intent_confidence": inquiry.confidence}
    return {
        "planning_state": planning,
        "user_id": ctx.user_id,
        "said": said_so_far(state, raw),
        "situation_requests": [],
        "pending": None,
        "language": language_of(state["query"]),
    }


def entities_of(query: str) -> dict[str, list[str]]:
    """What the question names, by kind, as words."""
    named: dict[str, list[str]] = {}
    for kind, value in read_intent(query).entities.items():
        values = value if isinstance(value, list) else [value]
        named[_ENTITY_NAMES[kind]] = [str(v["text"] if isinstance(v, Mapping) else v) for v in values]
    return named


def _changes(state: State, inquiry: Inquiry) -> bool:
    """Whether a follow-up says anything that was not known before."""
    said = [name for name in MEMBERS if name in inquiry.slots or inquiry.known.get(name)]
    news = any(inquiry.known.get(name) != state.get(name) for name in said)
    return news or inquiry.needs != (state.get("figure_requests") or []) or inquiry.confirmed


def _slots(inquiry: Inquiry) -> dict[str, Any]:
    update = {name: inquiry.known.get(name) for name in (*MEMBERS, "lease_kind")}
    update |= {"regions": update["regions"] or [], "risk_signs": update["risk_signs"] or []}
    for need in inquiry.needs:
        # What a calculation was last made with is what holds now: "7억5천으로 깎으면?".
        slots = {item.name: item.slot for item in calculator(need["calculator"]).inputs if item.is_money and item.slot}
        if inquiry.inherited:
            made = {slots[name]: value for name, value in need["inputs"].items() if name in slots and value}
            update |= {name: value for name, value in made.items() if name not in inquiry.slots}
    return {**update, "figure_requests": inquiry.needs}


async def _plan(
    state: State,
    ctx: TurnContext[HomesServices],
    inquiry: Inquiry,
    update: dict[str, Any],
    situated: Sequence[SituationRequest] = (),
) -> Understanding:
    query = state["query"]
    parts = [part.value for part in inquiry.parts if part is not IntentType.COMPREHENSIVE] or [inquiry.intent.value]
    update |= _slots(inquiry)
    update |= {"last_intent": inquiry.intent.value, "last_parts": parts}
    if inquiry.contract or IntentType.CONTRACT_REVIEW in inquiry.parts:
        update["contract_text"] = inquiry.contract or state.get("contract_text")
    if IntentType.CONTRACT_CREATION in inquiry.parts:
        template = template_of(inquiry, query, state)
        kept = state.get("document_fields") if inquiry.inherited else None
        form = find_template(str(template))
        given = values_in(form, query, form.fields, ctx.today)
        update |= {"document_template": template, "document_fields": {**(kept or {}), **given}}
    update |= await questions_for_teams(state, inquiry, parts)
    if open_names := [name for need in inquiry.needs if need["missing"] for name in need["missing"]]:
        update["pending"] = {"kind": "figure", "names": list(dict.fromkeys(open_names))}
    before = (state.get("plan") or {}).get("requests") or ()
    had_listings = any(request["agent"] == "property_search" for request in before)
    agents = choose_agents(inquiry, parts, query, update, had_listings=had_listings)
    if "legal_search" in agents and await _is_judged(query, inquiry, agents, ctx):
        agents.append("judgement")
    fitting = [one for one in situated if one["found"] or one.get("faq")]
    if fitting and "legal_search" in agents:
        update["situation_requests"] = list(situated)
        now = [one["found"][0] for one in fitting if one["clear"]]
        update["last_situations"] = list(dict.fromkeys([*now, *(state.get("last_situations") or ())]))[:SITUATIONS_KEPT]
    if not agents:
        return _end({**update, "pending": None}, guidance.welcome(query, state), inquiry)
    steps = [StepRequest(name, description=_describe(name, query, inquiry.known)) for name in agents]
    return Understanding(update=update, steps=steps, intent=inquiry.intent.value, confidence=inquiry.confidence)


async def _is_judged(query: str, inquiry: Inquiry, agents: Sequence[str], ctx: TurnContext[HomesServices]) -> bool:
    """Whether a decision rule answers. A figure, a risk or a review says more than a rule that fits only roughly, and a
    calculator answers "가능해?" itself."""
    figures = inquiry.needs or inquiry.figures_asked
    if ctx.services is None or (figures and await in_thread(asks_of_the_act, query)):
        return False
    worked_out = figures or {"calculation", "risk_analysis", "contract_analysis"} & set(agents)
    return await in_thread(ctx.services.judgements.fit, query) > (WORKED_OUT if worked_out else 0.0)


SITUATIONS_KEPT = 4
LITTLE = 2
LATIN_LEAST = 12


def _describe(name: str, query: str, known: Mapping[str, Any]) -> str:
    where = "·".join(known.get("regions") or ())
    if name in ("market_search", "market_analysis", "property_search") and where:
        return f"{where} {_TASKS[name]}"
    if name == "legal_search":
        return f"“{query[:40]}” 관련 법률 조회"
    return _TASKS[name]
