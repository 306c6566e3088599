"""What is done with a message that is more than a request for a trip: sure answers, and what has none is named.

Nothing of it is planned, and of the trip only what its words carry for sure is kept.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from madang.assistants.travel.data.cues import cue
from madang.assistants.travel.data.facts import topics
from madang.assistants.travel.data.texts import phrase
from madang.assistants.travel.state import MultiAgentTravelState
from madang.assistants.travel.state.results import AskedQuestion
from madang.assistants.travel.state.slots import LIMITS, NEEDS, SLOTS
from madang.assistants.travel.tools.guide import FROM_PLAN, country_of, is_english
from madang.assistants.travel.tools.topic_likeness import NONE, NOTED, SAID, UNSAID, closest, likeness_to_topics
from madang.assistants.travel.understanding.asked import Asked, questions_of, unanswered
from madang.assistants.travel.understanding.plain_requests import is_plain
from madang.graph import StepRequest, Understanding
from madang.graph.reading import Claim, Heard, overlap
from madang.graph.state import Pending
from madang.text.learnt import Role

GUIDE = (StepRequest("local_guide"),)
# What is made of a plan is no answer to a story.
OF_PLANS = frozenset({*FROM_PLAN, "short_note", "per_person"})
_UNREAD = frozenset({"danger", "start_over"})
_ABOUT_PLAN = frozenset({"coordinator", "destination_advisor"})
_OF_TRIPS = frozenset({"city", "region", "nights", "people", "money", "date"})
_HELD_TO = frozenset({"date", "money", "nights", "duration"})
_OF_PEOPLE = ("child_months", "diet", "access", "pets")
_SURE = 0.9
_FEW = 60
_LONG_STORY, _OF_ALL = 110, frozenset({"휠체어", "임신"})
_LOOKED_UP = 6  # questions without a topic
_CARDS = frozenset({"food_card", "consent_letter"})
_TEXTS = _CARDS | {"agency_refund_message", "job_scam_refuse"}
_SURE_OF_PEOPLE = 0.85
_TRIP = (
    (("destination",), ("destination",), _SURE),
    (("nights",), ("duration",), _SURE),
    (("travel_dates", "depart_date"), ("depart_date", "return_date", "depart_window"), _SURE),
    (("people",), ("num_people", "adults", "children", "infants"), _SURE_OF_PEOPLE),
    (("budget", "budget_per_person"), ("budget", "budget_amount", "budget_basis"), _SURE),
)


def only_sure(understood: Understanding, state: MultiAgentTravelState, heard: Heard | None) -> Understanding:
    """The understanding as it is for a plain request; for anything more only what is sure of it."""
    if heard is None or understood.intent in _UNREAD:
        return understood
    if is_plain(heard) and not _letter(heard) and not _other_question(heard):
        return _without_plan(understood, heard)
    asked = [one for one in _asked(state, heard) if one.question["topics"]]
    if not asked and not _letter(heard) and (_ordered(understood, heard) or _wished(understood, heard)):
        return understood
    planned = bool(state.get("final_plans") and state.get("info_collected"))
    kept, claims = ({}, []) if planned else _sure_of_trip(understood, heard)
    about, told = _of_travellers(understood, heard)
    kept, claims = {**kept, **about}, [*claims, *told]
    update: dict[str, Any] = {**kept, "pending": _offer(state, kept, heard), "asked": _told(heard, asked)}
    if found := [topic for one in asked for topic in one.question["topics"]]:
        update["spoken_of"] = list(dict.fromkeys([*(state.get("spoken_of") or ()), *found]))
    acts = [index for one in asked for index in one.acts]
    return Understanding(
        update=update, steps=GUIDE, intent="answer_questions", claims=claims, answered=acts or (), confidence=None
    )


def _left_out(understood: Understanding, heard: Heard) -> bool:
    """Whether a day or a sum was told that the plan does not hold to."""
    claimed = [claim["span"] for claim in understood.claims if claim["span"]]
    told = [value.span for value in heard.message.values if value.kind in _HELD_TO]
    return any(not any(overlap(span, other) for other in claimed) for span in told)


def _asks_only(heard: Heard) -> bool:
    """A question or two, short and with nothing told: its words alone tell what it is about."""
    text = heard.message.text
    return len(text) <= _FEW and all(cue("asks").search(part) for part in parts_of(heard))


def _letter(heard: Heard) -> bool:
    """A text to someone else is wanted: that is no change of the trip, whatever days and people are in it."""
    text = heard.message.text
    return all(cue(name).search(text) for name in ("wants_text", "letters")) and not cue("orders_plan").search(text)


def _other_question(heard: Heard) -> bool:
    """A question that others asked much alike and that is no order of a plan, with no day, night or sum in it."""
    text = heard.message.text
    told = {value.kind for value in heard.message.values} & (_HELD_TO | {"people"})
    if "?" not in text or told or cue("orders_plan").search(text):
        return False
    like = likeness_to_topics(text, parts_of(heard))
    best = max(like, key=lambda topic: like[topic], default=NONE)
    return best not in {NONE, *OF_PLANS} and like[best] >= UNSAID


def _ordered(understood: Understanding, heard: Heard) -> bool:
    """A plan is asked for in so many words, and every place, day, sum and person of the message went into it."""
    claimed = [claim["span"] for claim in understood.claims if claim["span"]]
    values = [value for value in heard.message.values if value.kind in _OF_TRIPS]
    return cue("orders_plan").search(heard.message.text) is not None and all(
        any(overlap(value.span, span) for span in claimed) for value in values
    )


def _wished(understood: Understanding, heard: Heard) -> bool:
    """Somewhere warm, no more than five hours: wishes that the data can choose cities by, and no city is named."""
    fields = {claim["field"] for claim in understood.claims}
    named = [*heard.message.of("city"), *heard.message.of("region"), *heard.message.of("place")]
    return understood.intent == "recommend" and bool(fields & {"climate", "max_flight"}) and not named


def _of_travellers(understood: Understanding, heard: Heard) -> tuple[dict[str, Any], list[Claim]]:
    """What is said of those who travel (ages in months, what they can't eat, how they move, animals), and cities that
    are only thought of. In a long story it may be said of anybody: only what a whole party feels is kept."""
    long = len(heard.message.text) > _LONG_STORY
    claims = [claim for claim in understood.claims if claim["field"] in _OF_PEOPLE]
    if long:
        claims = [claim for claim in claims if str(claim["value"]) in _OF_ALL or claim["field"] == "pets"]
    fields = {claim["field"] for claim in claims}
    kept = {name: understood.update[name] for name in (*_OF_PEOPLE, "considered") if name in understood.update}
    if long:
        kept = {name: value for name, value in kept.items() if name not in {"diet", "access"} or name in fields}
    return kept, claims


def _without_plan(understood: Understanding, heard: Heard) -> Understanding:
    """A question without an answer is no order of a plan: what was told is kept, and nothing is planned beside it."""
    names = {step.agent for step in understood.steps}
    asked = understood.update.get("asked")
    ordered = any(act["kind"] in {"order", "change", "add", "take_back", "choose"} for act in heard.acts)
    if ordered or not names & _ABOUT_PLAN or not (asked or _left_out(understood, heard)):
        return understood
    update = {name: value for name, value in understood.update.items() if name != "info_collected"}
    return replace(understood, update={**update, "pending": None}, steps=GUIDE, intent="answer_questions")


def _asked(state: MultiAgentTravelState, heard: Heard) -> list[Asked]:
    """The questions that there are sure answers to: what comes before any trip, and topics of which others wrote alike.
    A topic whose words are not said must be much like the message."""
    cities = [value.value.name for value in heard.message.of("city")]
    found = questions_of(heard, cities or state.get("destinations") or (), state.get("spoken_of") or ())
    like = likeness_to_topics(heard.message.text, parts_of(heard))
    short = _asks_only(heard)
    spoken = {*(state.get("spoken_of") or ())}
    if _letter(heard):
        found = [one for one in found if {*one.question["topics"]} & _TEXTS]
    first = [one for one in found if one.stops and _follows_or_alike(one, like)]
    if first := [one for one in first if not spoken & {*one.question["topics"]}]:
        return first
    known = topics()
    english = is_english(heard.message.text)
    unfit = {*OF_PLANS, *(topic.id for topic in known.values() if english and not topic.en and topic.id not in _CARDS)}
    unfit |= {topic.id for topic in known.values() if topic.stops and topic.id in spoken}  # said once
    sure: list[Asked] = []
    said: set[str] = set()
    for one in found:
        kept = [
            topic
            for topic in one.question["topics"]
            if like.get(topic, 0.0) >= _least(topic, one.question, short) and topic not in {*said, *unfit}
        ]
        said |= {*kept}
        sure += [replace(one, question={**one.question, "topics": kept})] if kept else []
    best = max(like, key=lambda topic: like[topic], default=NONE)
    if best not in {*said, *unfit, NONE} and like[best] >= UNSAID:
        question = AskedQuestion(words=heard.message.text, topics=[best], cities=cities, places=[])
        sure.append(Asked(question, tuple(range(len(heard.acts)))))
    return sure


def _least(topic: str, question: AskedQuestion, short: bool) -> float:
    """How much like a topic a message must be that has its words. A short question may hold few words of others;
    one to which the answer differs by country is none without a place."""
    by = topics()[topic].by if topic in topics() else {}
    if short and (question["cities"] or not by):
        return 0.0
    own = any({city, country_of(city)} & {*by} for city in question["cities"])
    return NOTED if own else SAID


def _follows_or_alike(one: Asked, like: Mapping[str, float]) -> bool:
    """What follows a topic that was spoken of needs no other evidence than its words."""
    return any(topics()[topic].after or like.get(topic, 0.0) >= SAID for topic in one.question["topics"])


def parts_of(heard: Heard) -> list[str]:
    """The sentences of a message."""
    return [heard.message.text[start:end] for start, end in heard.message.sentences]


def _told(heard: Heard, asked: Sequence[Asked]) -> list[AskedQuestion]:
    """The questions with an answer; then those without, which stand for all that is left of the message."""
    asking = [part for part in parts_of(heard) if cue("asks").search(part)]
    served = [
        one
        if one.question["words"] in asking
        else replace(one, question={**one.question, "words": closest(topic, asking)}, acts=())
        for one in asked
        for topic in one.question["topics"]
    ]
    left = [] if any(one.stops for one in asked) else unanswered(heard, served)
    rest = [
        AskedQuestion(words=words, topics=[], cities=[], places=[], rest=True) for words in (left or [""])[-_LOOKED_UP:]
    ]
    return [*(one.question for one in asked), *rest]


def _sure_of_trip(understood: Understanding, heard: Heard) -> tuple[dict[str, Any], list[Claim]]:
    """What one word alone says for sure of where, when, how long, with whom and for how much."""
    kept: dict[str, Any] = {}
    claims: list[Claim] = []
    changes = {name: value for name, value in understood.update.items() if name in {*SLOTS} - {*NEEDS}}
    for roles, slots, least in _TRIP:
        said = heard.roles_of(*roles)
        found = {name: changes[name] for name in slots if changes.get(name)}
        if len(said) != 1 or said[0].sure < least or not found or _of_another_time(heard, said[0]):
            continue
        if ("num_people" in slots and not _adds_up(found)) or ("destination" in found and not _named(said[0], found)):
            continue
        if "duration" in found and not _as_long(said[0], found):
            continue
        kept |= found
        claims.append(heard.claim(said[0].span, next(iter(found)), next(iter(found.values())), "examples"))
    return (kept, claims) if "destination" in kept or "destination" not in changes else ({}, [])


def _named(role: Role, found: Mapping[str, Any]) -> bool:
    """Whether the city is the one that is said: 네팔 산 is not 카트만두."""
    return role.value is not None and getattr(role.value.value, "name", None) == found["destination"]


def _as_long(role: Role, found: Mapping[str, Any]) -> bool:
    """Whether the nights are those that are said."""
    return role.value is None or getattr(role.value.value, "nights", found["duration"]) == found["duration"]


def _adds_up(party: Mapping[str, Any]) -> bool:
    """Whether the people are counted and those named among them fit the count."""
    people = party.get("num_people") or 0
    named = [party.get(name) or 0 for name in ("adults", "children", "infants")]
    return people in LIMITS["num_people"] and max(named) <= people and sum(named) in {0, people}


def _of_another_time(heard: Heard, role: Role) -> bool:
    """칸쿤 5박하고 왔는데: what was, or what others do, is no trip to plan."""
    text = next(heard.message.text[start:end] for start, end in heard.message.sentences if start <= role.span[0] < end)
    return cue("earlier").search(text) is not None


def _offer(state: MultiAgentTravelState, kept: Mapping[str, Any], heard: Heard) -> Pending | None:
    """A plan is offered where the goal and the nights are sure and one is wished for."""
    known = {name: kept.get(name) or state.get(name) for name in ("destination", "duration")}
    if state.get("final_plans") or not kept or not all(known.values()) or not cue("plans").search(heard.message.text):
        return None
    return Pending(
        kind="yes_no",
        names=["destination"],
        question=phrase("offer", "en" if is_english(heard.message.text) else "ko"),
        choices=[],
        then={"destination": known["destination"]},
    )
