"""Which words of a message were used, and which of its acts are answered."""

from collections.abc import Sequence
from dataclasses import replace

from madang.assistants.travel.state.slots import Slots
from madang.assistants.travel.understanding.asked import Asked
from madang.assistants.travel.understanding.reading import TripReading, claims_of
from madang.assistants.travel.understanding.told import is_question
from madang.graph import Understanding
from madang.graph.reading import Claim, Heard, overlap

_COLLECTS = frozenset(
    {"plan_trip", "change_trip", "collect_needs", "keep_needs", "small_talk", "answer_questions", "recommend"}
)
_SHORTEST = 6


def claimed(
    understood: Understanding,
    heard: Heard,
    reading: TripReading,
    slots: Slots,
    asked: Sequence[Asked],
    *,
    done: bool = False,
) -> Understanding:
    """The understanding with claims on every word that was used, and which acts it serves. `done`: the whole message is
    what was done with the plan."""
    served_acts = range(len(heard.acts)) if done else _served(heard, understood, asked)
    made = [*reading.claims, *_names_used(heard, understood, reading)]
    made += asked_words(heard, made, served_acts)
    claims = claims_of(heard, slots, reading.update, made, pending=False)
    served = {index for one in asked for index in one.acts}
    served |= {index + 1 for index in served if index + 1 < len(heard.acts) and _fragment(heard, index + 1)}
    open_acts = [
        index for index in range(len(heard.acts)) if _left_open(heard, index, understood) and index not in served
    ]
    answered = [index for index in range(len(heard.acts)) if index not in open_acts]
    return replace(understood, claims=claims, answered=answered)


def _names_used(heard: Heard, understood: Understanding, reading: TripReading) -> list[Claim]:
    """Cities that are asked back about or compared, and the region that suggestions are for."""
    named = {choice for one in reading.update.questions for choice in one.choices}
    named |= {*((understood.update.get("pending") or {}).get("choices") or ()), str(understood.update.get("scope"))}
    values = [*heard.message.of("city"), *heard.message.of("region")]
    return [
        heard.claim(one.span, "scope" if one.kind == "region" else "asked", one.words, "parser")
        for one in values
        if one.value.name in named
    ]


def _fragment(heard: Heard, index: int) -> bool:
    """물도요: a question's last word, answered with it."""
    start, end = heard.acts[index]["span"]
    return end - start <= _SHORTEST


def _left_open(heard: Heard, index: int, understood: Understanding) -> bool:
    """A question about places that nothing here answers; one about the plan is answered by the plan."""
    act = heard.acts[index]
    about = act.get("task") == "ask_place" or (act.get("task") == "recommend" and understood.intent != "recommend")
    return is_question(heard, index) and about and understood.intent in _COLLECTS


def _served(heard: Heard, understood: Understanding, asked: Sequence[Asked]) -> list[int]:
    """The acts that are answered: questions we know something about, and what a follow-up does."""
    acts = [index for one in asked for index in one.acts]
    if understood.intent in _COLLECTS:
        return acts
    return acts + [index for index, act in enumerate(heard.acts) if act["kind"] not in {"tell", "add", "change"}]


def asked_words(heard: Heard, made: Sequence[Claim], acts: Sequence[int]) -> list[Claim]:
    taken = [claim["span"] for claim in made if claim["span"]]
    spans = [heard.acts[index]["span"] for index in acts]
    words = [role.span for role in heard.roles] + [value.span for value in heard.message.values]
    claims: list[Claim] = []
    for span in words:
        if any(overlap(span, act) for act in spans) and not any(overlap(span, other) for other in taken):
            claims.append(heard.claim(span, "asked", heard.message.text[slice(*span)], "examples"))
            taken.append([*span])
    return claims
