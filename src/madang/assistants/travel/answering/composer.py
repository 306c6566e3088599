"""The answer to a planned trip, composed from the state: every figure is one that an expert wrote."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from madang.assistants.travel.answering import guide, lines, tables
from madang.assistants.travel.answering.from_plan import GENERAL
from madang.assistants.travel.answering.needs import needs_heard
from madang.assistants.travel.answering.notes import notes_of
from madang.assistants.travel.answering.opening import opening
from madang.assistants.travel.data.estimates import as_of
from madang.assistants.travel.services import TravelTurn
from madang.assistants.travel.state import MultiAgentTravelState
from madang.assistants.travel.state.trip_facts import current_plan, moved_parts
from madang.assistants.travel.tools.budget import LABELS
from madang.graph import Answer
from madang.graph.state import Pending, Source
from madang.text.blocks import spaced
from madang.text.particles import with_topic

Section = dict[str, Any]
_SPENDING = frozenset({"flight_expert", "hotel_expert", "itinerary_planner"})


async def respond(state: MultiAgentTravelState, _ctx: TravelTurn) -> Answer | tuple[Answer, dict[str, Any]]:
    """What was asked first; then the plan, the cities suggested, or the question that is open."""
    asked = guide.answers(state)
    worked = {step["agent"] for step in state.get("execution_steps") or ()}
    if "coordinator" in worked:
        plan = _plan(state)
        return replace(plan, answer=f"{asked}\n\n{plan.answer}") if asked else plan
    if "destination_advisor" in worked:
        return _advice(state, asked)
    return _answer(state, asked)


def _advice(state: MultiAgentTravelState, asked: str) -> tuple[Answer, dict[str, Any]]:
    said, question = guide.advice(state)
    needs = [f"_{line}_" for line in needs_heard(state)]
    text = "\n\n".join(part for part in (asked, said, *needs, question.text) if part)
    shown = {
        "choices": list(question.choices),
        "slot": "destination",
        "kind": question.kind,
        "suggestions": state.get("suggestions"),
    }
    first = {"destination": question.choices[0]} if question.choices else {}
    pending = Pending(
        kind="choice", names=["destination"], question=question.text, choices=list(question.choices), then=first
    )
    return Answer(type="clarification", answer=text, structured_data=shown), {"pending": pending}


def _answer(state: MultiAgentTravelState, asked: str) -> Answer:
    """Answers alone, with the question that was open before them."""
    pending = state.get("pending") or {}
    open_question = "" if state.get("final_plans") else str(pending.get("question") or "")
    text = "\n\n".join(part for part in (asked, open_question) if part)
    text = text or " ".join(["네, 기억해 둘게요.", *needs_heard(state)])
    sources = sorted({f"{one['source']}" for one in state.get("guide_answers") or ()})
    return Answer(
        answer=text,
        structured_data={
            "choices": list(pending.get("choices") or ()),
            "metadata": {"sources": sources},
            "names_left": guide.names_rest(state),
        },
    )


def _plan(state: MultiAgentTravelState) -> Answer:
    """First what changed and the recommended plan with its total, then only what was made in this turn."""
    said = opening(state)
    sections = [section for section in _sections(state) if section]
    text = "\n\n".join([said, *(f"### {section['title']}\n\n{section['content']}" for section in sections)])
    return Answer(
        answer=text,
        structured_data={
            "sections": [{"title": "추천", "content": said}, *sections],
            "metadata": {
                "sources": _sources(state.get("provenance")),
                "estimates_as_of": as_of(),
                "assumptions": state.get("assumptions") or {},
                "remembered": state.get("remembered") or [],
                "kept": _agents(state, kept=True),
                "redone": _agents(state, kept=False),
            },
            "map": _map_points(state),
        },
    )


def _sections(state: MultiAgentTravelState) -> list[Section | None]:
    made = set(_agents(state, kept=False))
    before = state.get("before")
    planned = bool(state.get("final_plans"))
    moved = planned and before is not None and current_plan(state)["total"] != before["total"]
    first = before is None
    return [
        _transport_and_lodging(state, made),
        _days(state) if "itinerary_planner" in made or "flight_type" in moved_parts(state) else None,
        _plans(state) if "coordinator" in made else None,
        _costs(state) if first or (made & _SPENDING and moved) else None,
        _notes(state, first),
    ]


def _transport_and_lodging(state: MultiAgentTravelState, made: set[str]) -> Section | None:
    if not state.get("final_plans"):
        return None
    plan = current_plan(state)
    moved = moved_parts(state)
    found = lines.transport(state, plan) if "flight_expert" in made or "flight_type" in moved else []
    found += lines.lodging(state, plan) if "hotel_expert" in made or "hotel_type" in moved else []
    return {"title": "교통과 숙소", "content": spaced(found)} if found else None


def _days(state: MultiAgentTravelState) -> Section | None:
    days = (state.get("itinerary") or {}).get("days")
    if not days:
        return None
    if general := list(dict.fromkeys(day["city"] for day in days if GENERAL in day["title"])):
        names = "·".join(general)
        said = f"{with_topic(names)} 명소 자료가 없어 철과 취향에 맞춘 하루 틀만 잡았어요. 갈 곳은 직접 채워 주세요."
        return {"title": "날짜별 일정", "content": spaced([said, *lines.days(days)]), "table": tables.days(days)}
    return {"title": "날짜별 일정", "content": spaced(lines.days(days)), "table": tables.days(days)}


def _plans(state: MultiAgentTravelState) -> Section | None:
    plans = state.get("final_plans")
    if not plans:
        return None
    content = spaced(lines.plans(plans, state.get("recommendation")))
    return {"title": "세 가지 플랜", "content": content, "table": tables.plans(plans)}


def _costs(state: MultiAgentTravelState) -> Section | None:
    if not state.get("final_plans"):
        return None
    plan = current_plan(state)
    chart = [{"label": LABELS[item["category"]], "value": item["amount"]} for item in plan["items"]]
    return {
        "title": f"{plan['title']} 비용",
        "content": spaced(lines.costs(plan["items"])),
        "table": tables.costs(plan["items"]),
        "chart": {"type": "bar", "data": chart},
    }


def _notes(state: MultiAgentTravelState, first: bool) -> Section | None:
    notes = notes_of(state, first=first)
    return {"title": "알아 두세요", "content": spaced(f"- {note}" for note in notes)} if notes else None


def _agents(state: MultiAgentTravelState, *, kept: bool) -> list[str]:
    steps = state.get("execution_steps") or []
    if kept:
        return [step["agent"] for step in steps if step.get("reused")]
    return [step["agent"] for step in steps if step["status"] == "completed"]


def _map_points(state: MultiAgentTravelState) -> list[dict[str, Any]]:
    days = (state.get("itinerary") or {}).get("days") or ()
    return [
        {"day": day["day"], "name": place["name"], "lat": place["latitude"], "lon": place["longitude"]}
        for day in days
        for place in day["places"]
    ]


def _sources(provenance: Mapping[str, Source] | None) -> list[str]:
    """Each source once, with the date of its figures."""
    cited: dict[str, None] = {}
    for one in (provenance or {}).values():
        if title := one.get("source"):
            cited[f"{title} ({one['as_of']} 기준)" if one.get("as_of") else title] = None
    return list(cited)
