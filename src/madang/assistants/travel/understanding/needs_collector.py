"""Consultant and Needs Collector: a message becomes slots and needs, an answer, a question, or the steps of a plan."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, cast

from madang.assistants.travel.answering.needs import needs_heard
from madang.assistants.travel.data.cues import cue
from madang.assistants.travel.data.facts import topics_in
from madang.assistants.travel.services import TravelTurn
from madang.assistants.travel.state import MultiAgentTravelState
from madang.assistants.travel.state.initial import forgotten_trip
from madang.assistants.travel.state.results import AskedQuestion
from madang.assistants.travel.state.slots import BESIDE, LIMITS, LIST_SLOTS, NEEDS, ONLY_KEPT, SLOTS, Slots
from madang.assistants.travel.state.travel_state import NIGHTS
from madang.assistants.travel.state.trip_facts import cities_of
from madang.assistants.travel.understanding import wishes
from madang.assistants.travel.understanding.after_plan import follow, is_follow_up
from madang.assistants.travel.understanding.asked import Asked, just_looking, questions_of, unanswered
from madang.assistants.travel.understanding.assumptions import assume, certainty, guess
from madang.assistants.travel.understanding.beyond_limits import MOST, as_ten, group_of, long_stay_of, without_refusals
from madang.assistants.travel.understanding.claims import claimed
from madang.assistants.travel.understanding.clarification import (
    ask,
    asked_beside,
    asked_slot,
    nothing_changed,
    open_question,
    pending_for,
    remembered_styles,
)
from madang.assistants.travel.understanding.narrow_questions import with_narrow
from madang.assistants.travel.understanding.reading import TripReading, read_trip
from madang.assistants.travel.understanding.slots import SlotQuestion, SlotUpdate, apply
from madang.assistants.travel.understanding.stories import only_sure
from madang.assistants.travel.understanding.told import is_question
from madang.assistants.travel.understanding.told_facts import told_facts
from madang.graph import Answer, StepRequest, Understanding
from madang.graph.dialogue import pending_of, read_reply
from madang.graph.reading import NAMED_AT_MOST, Heard
from madang.threads import in_thread

PLAN = (StepRequest("coordinator"),)
GUIDE = (StepRequest("local_guide"),)
ADVICE = (StepRequest("destination_advisor"),)
_STORY = 60
GETAWAYS = frozenset({"quiet_sea", "hot_spring_near", "near_places"})
_START_OVER = re.compile(
    r"처음부터(?:\s?(?:다시|새로|해|할|하자|짜|시작)|[\s.!]*$)|리셋|초기화|다\s?(?:지우|지워|잊)|새(?:로운)?\s?여행\s?(?:계획|으로|짜|시작)|(?:아예|완전)\s?(?:새로|다시)"
    r"|다른\s?여행\s?(?:계획|짜|으로)"
)
_TRAVELS = re.compile(r"출발|떠나|여행|부터|갈|가고|가요|간다|당장")
_CHOOSES = frozenset(
    {
        "depart_date",
        "depart_window",
        "climate",
        "scope",
        "max_flight",
        "travel_style",
        "no_transport",
        "transport",
        "avoid",
    }
)
_URGENT = frozenset({"lost_child"})
_BARE = 14  # a shorter message only answers what was asked
_SHORT = 10  # a longer message answers no question that was only asked beside a plan
_WISHED_FOR = ("climate", "scope", "max_flight", "no_transport", "transport")


async def understand(state: MultiAgentTravelState, ctx: TravelTurn) -> Understanding:
    """Read the message in the light of what is known and what was asked, and keep what is sure."""
    spoken = _spoken_trip(state, ctx)
    state = cast(MultiAgentTravelState, {**state, **spoken})
    understood = await _understand(state, ctx)
    understood = replace(understood, update={**spoken, **understood.update}) if spoken else understood
    sure = only_sure(understood, state, ctx.heard)
    return sure if ctx.services is None else await in_thread(with_narrow, sure, state, ctx.heard, ctx.services.faq)


def _spoken_trip(state: MultiAgentTravelState, ctx: TravelTurn) -> dict[str, Any]:
    """Where to and how long, as it was told before, for a plan that is ordered without saying it again."""
    heard = ctx.heard
    if heard is None or planned(state) or not cue("orders_plan").search(heard.message.text):
        return {}
    nights = {one.value.nights for one in heard.message.of("nights")}
    if state.get("destination"):
        return {"duration": nights.pop()} if len(nights) == 1 and all(one in NIGHTS for one in nights) else {}
    if heard.message.of("city") or heard.message.of("region") or heard.message.of("place"):
        return {}
    said = [str(one.text) for one in state.get("messages") or () if one.type == "human"]
    facts = told_facts([text for text in said if text != state["query"]] + [state["query"]], ctx.today)
    cities: list[str] = list(facts.get("cities") or [])
    if len(cities) != 1 or facts["unclear"]:
        return {}
    spoken: dict[str, Any] = {"destination": cities[0]}
    if int(facts.get("nights") or 0) in NIGHTS and not state.get("duration"):
        spoken["duration"] = int(facts["nights"])
    if int(facts.get("people") or 0) in LIMITS["num_people"] and not state.get("num_people"):
        spoken["num_people"] = int(facts["people"])
    if facts.get("depart") and not state.get("depart_date"):
        spoken["depart_date"] = facts["depart"].isoformat()
    return spoken


async def _understand(state: MultiAgentTravelState, ctx: TravelTurn) -> Understanding:
    heard = ctx.heard
    if heard is None:
        return from_form(state, ctx)
    if any(act["kind"] == "danger" for act in heard.acts):
        return _in_danger(state)
    if _START_OVER.search(state["query"]):
        cleared = forgotten_trip(state)
        begun = await _collect(cast(MultiAgentTravelState, {**state, **cleared}), ctx, heard, fresh=True)
        return replace(begun, update={**cleared, **begun.update}, intent="start_over")
    if (replied := _reply(state, ctx)) is not None:
        return replied
    if planned(state):
        reading = await _read(state, ctx, heard)
        asked = questions_of(heard, cities_of(state), state.get("spoken_of") or (), _travellers(state))
        if not any(one.stops for one in asked) and is_follow_up(state, heard, reading, asked):
            followed = await follow(state, ctx, heard, reading)
            if followed is not None:
                return _with_guide(_finished(state, ctx, followed, reading), heard, reading, state, asked)
    return await _collect(state, ctx, heard)


def planned(state: MultiAgentTravelState) -> bool:
    """Whether a finished plan stands for the slots as they are."""
    return bool(state.get("final_plans") and state.get("info_collected"))


def _in_danger(state: MultiAgentTravelState) -> Understanding:
    """The kit says what matters first; here only whom to call where the trip goes, and that the plan can wait."""
    cities = cities_of(state) if state.get("destination") else ()
    if not cities:
        return Understanding(
            answer=Answer(type="guidance", answer="여행 이야기는 나중에 이어서 도와드릴게요."), intent="danger"
        )
    topics = [topic.id for topic in topics_in(state["query"]) if topic.id in _URGENT]
    words = state["query"][:200]
    asked = [{"words": words, "topics": [*topics, "hospital"], "cities": list(cities), "places": []}]
    return Understanding(update={"asked": asked}, steps=GUIDE, intent="danger")


def _reply(state: MultiAgentTravelState, ctx: TravelTurn) -> Understanding | None:
    """네, 아니요: what they do with the question that waits. Anything else is read as a message."""
    pending = pending_of(state)
    reply = read_reply(state["query"], ()) if pending else None
    if pending is None or reply is None or reply.kind not in {"yes", "no", "that"}:
        return None
    if reply.kind == "no":
        if planned(state):
            return None
        question = SlotQuestion(asked_slot(state) or "destination", "그럼 어떻게 할까요? " + str(pending["question"]))
        return Understanding(answer=Answer(type="clarification", answer=question.text), intent="denied")
    then = pending.get("then") or {}
    if not then:
        return None
    after = {**_slots(state), **then}
    changed = {name: value for name, value in then.items() if state.get(name) != value}
    missing = open_question(SlotUpdate(), after, ctx.today)
    if missing is not None:
        return ask(state, changed, SlotUpdate(), missing, standing=False)
    return _plan(state, ctx, changed, after, SlotUpdate())


async def _read(state: MultiAgentTravelState, ctx: TravelTurn, heard: Heard, *, fresh: bool = False) -> TripReading:
    """What the message changes."""
    known = {**_slots(state), **{name: state.get(name) for name in NEEDS}}
    pending = asked_slot(state)
    if not fresh and not pending and not known["destination"]:
        pending = "destination"
    if planned(state) and pending in BESIDE and len(heard.message.text.strip()) > _SHORT:
        pending = None
    assumed = (state.get("assumptions") or {}).get("departure") if planned(state) else None
    reading = await in_thread(read_trip, heard, known, ctx.today, pending, assumed)
    if styles := remembered_styles(state):
        reading = replace(
            reading, update=replace(reading.update, changes={**reading.update.changes, "travel_style": styles})
        )
    update = reading.update
    if _only_today(state, update.changes, ctx):
        update = replace(update, changes={})
    return replace(reading, update=update)


async def _collect(
    state: MultiAgentTravelState, ctx: TravelTurn, heard: Heard, *, fresh: bool = False
) -> Understanding:
    slots = _slots(state)
    reading = await _read(state, ctx, heard, fresh=fresh)
    after = apply(slots, reading.update)
    spoken = list(cities_of(after)) if after.get("destination") else list(state.get("considered") or ())
    asked = questions_of(heard, spoken, state.get("spoken_of") or (), _travellers(state))
    if any(one.stops for one in asked):
        return _only_answered(state, heard, reading, asked)
    considered = _considered(state, heard, after)
    compares = any("compare" in one.question["topics"] for one in asked)
    if (just_looking(heard) or compares) and not slots["destination"]:
        after = {**after, "destination": None, "destinations": None}
    if not after.get("destination") and considered and _enough(after) and not just_looking(heard):
        after |= {"destination": considered[0], "destinations": considered if len(considered) > 1 else None}
    changed: dict[str, Any] = {name: _value(name, after) for name in SLOTS if after.get(name) != slots[name]}
    changed |= reading.needs
    assumed = state.get("assumptions") or {}
    large = len(heard.message.text) > _BARE or {"group", "long"} & {*assumed}
    group, long_stay = (group_of(reading.update, assumed), long_stay_of(reading.update, assumed)) if large else (0, 0)
    if group:
        reading = replace(reading, update=without_refusals(reading.update, "num_people", "budget"))
        changed, after = as_ten(changed, after)
    if long_stay:
        reading = replace(reading, update=without_refusals(reading.update, "duration"))
    if large and not group and any(one.field == "budget" for one in reading.update.problems):
        reading = replace(reading, update=without_refusals(reading.update, "budget"))
    question = open_question(reading.update, after, ctx.today)
    if question is not None and question.kind == "narrow" and len(question.choices) == 1 and _tells(heard):
        only: dict[str, Any] = {"destination": question.choices[0], "destinations": []}
        after, changed = {**after, **only}, {**changed, **only}
        reading = replace(reading, update=replace(reading.update, questions=(), next_question=None))
        question = open_question(reading.update, after, ctx.today)
    if long_stay and after.get("destination") and question is not None and question.slot in {"duration", "num_people"}:
        return claimed(_long_stay(state, changed, after, asked, long_stay), heard, reading, slots, asked)
    asked = [*asked, *_not_known(heard, asked, question, is_planned=planned(state))]
    idle = not changed and not reading.update.problems and not reading.update.questions and not asked
    if idle and not _wants_advice(heard, state, after) and (question is not None or planned(state)):
        return claimed(
            nothing_changed(state, question, planned=planned(state), fresh=fresh), heard, reading, slots, asked
        )
    if {"destination", "destinations"} & changed.keys():
        changed |= {"avoid_places": [], "day_paces": {}, "chosen_plan": None}
    if considered != (state.get("considered") or []):
        changed["considered"] = considered
    understood = _settled(state, ctx, heard, changed, after, reading, question, asked, group)
    return claimed(understood, heard, reading, slots, asked)


def _settled(
    state: MultiAgentTravelState,
    ctx: TravelTurn,
    heard: Heard,
    changed: dict[str, Any],
    after: dict[str, Any],
    reading: TripReading,
    question: SlotQuestion | None,
    asked: Sequence[Asked],
    group: int = 0,
) -> Understanding:
    """A plan, advice where to go, answers, or a question, whichever the message makes possible."""
    told = _spoken(state, asked)
    guessed = guess(question, after, state, heard, asked)
    if group and after.get("destination") and (after.get("duration") or guessed):
        guessed = {**guessed, "people": str(MOST), "group": str(group)}
    if question is None or guessed:
        if (planned(state) and not _moves(changed)) or _only_asks(heard, asked):
            return _kept(state, changed, told)
        understood = _plan(state, ctx, changed, after, reading.update, guessed)
        return replace(
            understood, update={**understood.update, **told}, steps=[*understood.steps, *(GUIDE if asked else ())]
        )
    unsure = question.kind in {"refused", "unknown"}
    looking = just_looking(heard)
    if question.slot == "destination" and not asked and _advised(state, heard, changed):
        return ask(state, {**changed, **told}, reading.update, _which(state), standing=False)
    if (
        question.slot == "destination"
        and not unsure
        and not looking
        and _wants_advice(heard, {**state, **changed}, after)
    ):
        named = any({"compare", *GETAWAYS} & {*one.question["topics"]} for one in asked)
        steps = [*(() if named else ADVICE), *(GUIDE if asked else ())]
        scope = _scope(heard)
        assumed, remembered = assume(after, state, ctx.today)
        start = {
            "assumptions": {**(state.get("assumptions") or {}), "start": assumed.get("start", "")},
            "remembered": remembered,
        }
        update = {**changed, **told, **({"scope": scope} if scope else {}), **(start if assumed.get("start") else {})}
        return Understanding(update={**update, "pending": _choice(question, asked)}, steps=steps, intent="recommend")
    if asked:
        wants = cue("plans").search(heard.message.text) and any(one.question["topics"] for one in asked)
        pending = pending_for(question) if wants and not looking and _begun(after) else None
        return Understanding(update={**changed, **told, "pending": pending}, steps=GUIDE, intent="answer_questions")
    standing = planned(state) and not changed.keys() & {*SLOTS, *NEEDS}
    return ask(state, changed, reading.update, question, standing=standing)


def _only_asks(heard: Heard, asked: Sequence[Asked]) -> bool:
    """Whether a long message asks what the guide knows and orders no plan: what is said in passing there was judged
    to be misread nearly always, so no plan is made of it."""
    known = any(one.question["topics"] for one in asked)
    orders = any(act["kind"] in ("order", "change", "add", "take_back") for act in heard.acts)
    return known and not orders and sum(map(str.isalnum, heard.message.text)) >= _STORY


def _kept(state: MultiAgentTravelState, changed: dict[str, Any], told: dict[str, Any]) -> Understanding:
    """Answers, and needs that no expert can check: they are kept and said, the plan stays."""
    update = {**changed, **told}
    added = {name: _added(state.get(name), changed[name]) for name in changed.keys() & {*NEEDS}}
    unchecked = needs_heard({**added, "destination": state.get("destination")}) if added else []
    if told["asked"]:
        return Understanding(update={**update, "said_first": unchecked}, steps=GUIDE, intent="answer_questions")
    said = " ".join(["네, 기억해 둘게요. 계획은 그대로예요.", *unchecked])
    return Understanding(update=update, answer=Answer(answer=said), intent="keep_needs")


def _plan(
    state: MultiAgentTravelState,
    ctx: TravelTurn,
    changed: dict[str, Any],
    after: Slots,
    update: SlotUpdate,
    guessed: Mapping[str, str] | None = None,
) -> Understanding:
    """Everything needed is known: assume the rest openly, and let the experts work."""
    assumed, remembered = assume(after, state, ctx.today)
    told = {
        **changed,
        "assumptions": {**assumed, **(guessed or {})},
        "remembered": remembered,
        "pending": asked_beside(state, after),
        "info_collected": True,
        **wishes.turn_changes(state, changed),
    }
    intent = "change_trip" if state.get("final_plans") else "plan_trip"
    return Understanding(update=told, steps=PLAN, intent=intent, confidence=certainty(after, assumed, update))


def from_form(state: MultiAgentTravelState, ctx: TravelTurn) -> Understanding:
    """A turn without a message: what was filled in stands in the state already."""
    slots = _slots(state)
    question = open_question(SlotUpdate(), slots, ctx.today)
    if (state.get("form_input") or {}).get("task") == "recommend" or (
        question is not None and question.slot == "destination" and any(state.get(name) for name in _WISHED_FOR)
    ):
        return Understanding(update={"pending": pending_for(question)}, steps=ADVICE, intent="recommend")
    if question is not None:
        return ask(state, {}, SlotUpdate(), question, standing=False)
    return _plan(state, ctx, {}, slots, SlotUpdate())


def _finished(
    state: MultiAgentTravelState, ctx: TravelTurn, followed: Understanding | dict[str, Any], reading: TripReading
) -> Understanding:
    """A follow-up that only changes fields becomes a plan with them."""
    if isinstance(followed, Understanding):
        return followed
    needs = {name: value for name, value in reading.needs.items() if name != "avoid" or "avoid_places" not in followed}
    after = {**_slots(state), **followed}
    return _plan(state, ctx, {**needs, **followed}, after, reading.update)


def _with_guide(
    understood: Understanding, heard: Heard, reading: TripReading, state: MultiAgentTravelState, asked: Sequence[Asked]
) -> Understanding:
    """What was asked beside a follow-up is answered before it."""
    if asked:
        update = {**understood.update, **_spoken(state, asked)}
        if understood.answer is not None:
            update["said_first"] = [understood.answer.answer]
        understood = replace(understood, update=update, steps=[*understood.steps, *GUIDE], answer=None)
    return claimed(understood, heard, reading, _slots(state), asked, done=True)


def _travellers(state: Mapping[str, Any]) -> str:
    """What is known of those who travel, in words that a topic may be brought up by."""
    return " ".join(f"|{one}" for name in ("access", "pets", "diet") for one in state.get(name) or ())


def _spoken(state: Mapping[str, Any], asked: Sequence[Asked]) -> dict[str, Any]:
    """What is asked now, and every topic spoken of so far."""
    topics = [topic for one in asked for topic in one.question["topics"]]
    spoken = list(dict.fromkeys([*(state.get("spoken_of") or ()), *topics]))
    return {"asked": [one.question for one in asked], **({"spoken_of": spoken} if topics else {})}


def _only_answered(
    state: MultiAgentTravelState, heard: Heard, reading: TripReading, asked: Sequence[Asked]
) -> Understanding:
    """What comes before any trip: nothing of the message is taken for one."""
    update = {**_spoken(state, asked), "pending": None}
    every = tuple(range(len(heard.acts)))
    done = [replace(one, acts=every) for one in asked]
    answered = Understanding(update=update, steps=GUIDE, intent="answer_questions")
    return claimed(answered, heard, replace(reading, update=SlotUpdate(), needs={}), _slots(state), done)


def _tells(heard: Heard) -> bool:
    return len(heard.message.text) > _BARE and cue("plans").search(heard.message.text) is not None


def _long_stay(
    state: MultiAgentTravelState, changed: dict[str, Any], after: Slots, asked: Sequence[Asked], nights: int
) -> Understanding:
    """A stay too long for days: what it costs and what the season is like."""
    about = AskedQuestion(words="", topics=["long_stay"], cities=list(cities_of(after)), places=[])
    already = "long_stay" in (state.get("spoken_of") or ()) and asked
    every = [*asked, *(() if already else (Asked(about, ()),))]
    kept = {**(state.get("assumptions") or {}), "long": str(nights)}
    update = {**changed, **_spoken(state, every), "assumptions": kept, "pending": None}
    return Understanding(update=update, steps=GUIDE, intent="answer_questions")


def _not_known(
    heard: Heard,
    asked: Sequence[Asked],
    question: SlotQuestion | None,
    *,
    is_planned: bool,
) -> list[Asked]:
    """Questions that our data has nothing for: they are named, two at most."""
    left = unanswered(heard, asked)
    if not is_planned and not asked and question is None:  # the plan that is made now answers what asks for one
        left = [words for words in left if "?" in words and not cue("answered_by_plan").search(words)]
    if not is_planned and cue("plans").search(heard.message.text):
        left = [words for words in left if not cue("plans").search(words)]
    if not is_planned and question is not None and question.slot == "destination":
        left = [words for words in left if not cue("where").search(words)]
    acts = tuple(index for index, act in enumerate(heard.acts) if act["kind"].startswith(("ask_", "order")))
    return [Asked(AskedQuestion(words=words, topics=[], cities=[], places=[]), acts) for words in left[:NAMED_AT_MOST]]


def _considered(state: MultiAgentTravelState, heard: Heard, after: Slots) -> list[str]:
    """The cities that are thought of but not chosen, of who is only looking."""
    if just_looking(heard) and after.get("destination"):
        return list(cities_of(after))
    return list(state.get("considered") or ())


def _choice(question: SlotQuestion, asked: Sequence[Asked]) -> Any:
    cities = next((one.question["cities"] for one in asked if "compare" in one.question["topics"]), None)
    return pending_for(replace(question, choices=tuple(cities)) if cities else question)


def _advised(state: MultiAgentTravelState, heard: Heard, changed: Mapping[str, Any]) -> bool:
    """Whether cities stand there to choose from, and nothing that was said would change them."""
    offered = asked_slot(state) == "destination" and (pending_of(state) or {}).get("choices")
    asks = any(act.get("task") == "recommend" for act in heard.acts)
    return bool(offered) and not asks and not changed.keys() & _CHOOSES


def _which(state: MultiAgentTravelState) -> SlotQuestion:
    choices = tuple((pending_of(state) or {}).get("choices") or ())
    return SlotQuestion("destination", f"네, 기억해 둘게요. 어디로 할까요? {', '.join(choices)}", "narrow", choices)


def _wants_advice(heard: Heard, state: Mapping[str, Any], after: Slots) -> bool:
    """Whether cities should be suggested: it is asked for, or enough is said to choose by."""
    if after.get("destination"):
        return False
    if GETAWAYS & {*(state.get("spoken_of") or ())} and not cue("abroad").search(heard.message.text):
        return False
    asked = [
        act
        for act in heard.acts
        if act.get("task") == "recommend" and act["kind"] in {"order", "ask_which", "ask_what", "ask_whether"}
    ]
    if asked or _scope(heard) is not None:
        return True
    asks = any(act.get("task") == "ask_place" and is_question(heard, index) for index, act in enumerate(heard.acts))
    return not asks and any(state.get(name) for name in _WISHED_FOR)


def _scope(heard: Heard) -> str | None:
    """A region or country named instead of a city."""
    for value in heard.message.of("region"):
        act = heard.act_at(value.span[0])
        if act is None or not is_question(heard, act) or heard.acts[act].get("task") == "recommend":
            return str(value.value.name)
    return None


def _moves(changed: Mapping[str, Any]) -> bool:
    """Whether an expert has anything to do with what changed."""
    return bool(changed.keys() & {*SLOTS, *NEEDS} - ONLY_KEPT)


def _added(before: Any, after: Any) -> Any:
    return [one for one in after if one not in (before or ())] if isinstance(after, list) else after


def _value(name: str, after: Slots) -> Any:
    return after.get(name) or ([] if name in LIST_SLOTS else None)


def _enough(after: Slots) -> bool:
    return bool(after.get("duration") and after.get("num_people"))


def _begun(after: Slots) -> bool:
    return any(after.get(name) for name in ("destination", "duration", "num_people"))


def _only_today(state: MultiAgentTravelState, changed: Mapping[str, Any], ctx: TravelTurn) -> bool:
    """오늘 점심 뭐 먹지: a word for today in a message about something else is no departure."""
    leaving = {"depart_date", "return_date"}.issuperset(changed) and changed.get("depart_date") == ctx.today.isoformat()
    return leaving and asked_slot(state) != "depart_date" and not _TRAVELS.search(state["query"])


def _slots(state: MultiAgentTravelState) -> dict[str, Any]:
    return {name: state.get(name) for name in SLOTS}
