"""A trip from what a model understood: claims become slots, its steps the experts; what they imply is derived here."""

from collections.abc import Mapping
from datetime import date, timedelta
from typing import Any, Literal, get_args

from pydantic import BaseModel, Field

from madang.assistants.travel.answering import follow_up_answers as answers
from madang.assistants.travel.data.cities import all_cities
from madang.assistants.travel.data.facts import topics
from madang.assistants.travel.services import TravelTurn
from madang.assistants.travel.state import MultiAgentTravelState
from madang.assistants.travel.state.results import AskedQuestion, Pace, Tier
from madang.assistants.travel.state.slots import LIST_NEEDS, LIST_SLOTS, NEEDS, ONLY_KEPT, SLOTS
from madang.assistants.travel.state.travel_state import NIGHTS
from madang.assistants.travel.state.trip_facts import cities_of
from madang.assistants.travel.understanding import wishes
from madang.assistants.travel.understanding.assumptions import assume, certainty
from madang.assistants.travel.understanding.clarification import asked_beside, open_question, pending_for
from madang.assistants.travel.understanding.follow_ups import FollowUp, FollowUpKind
from madang.assistants.travel.understanding.slots import SlotQuestion, SlotUpdate
from madang.graph import Answer, StepRequest, Understanding
from madang.graph.inputs import Input
from madang.graph.model import ModelReading, Tool
from madang.graph.model.reading import as_number

State = Mapping[str, Any]
COMPARED, OF_CITY, OF_PLACE = "compare", "city", "place"
AVOIDED = "avoid_places"


class PlanChange(BaseModel):
    """What is wanted of the plan as it stands."""

    kind: Literal[tuple(k for k in get_args(FollowUpKind) if k not in ("slots", "unknown", "thanks"))]  # type: ignore[valid-type]
    day: int | None = Field(description="며칠째 날, 마지막 날은 -1")
    pace: Pace | None
    plan: Tier | None
    place: str | None
    step: Literal[-1, 0, 1] = Field(description="더 좋게 1, 더 싸게 -1")
    format: Literal["markdown", "ics", "map"] | None


class TripArguments(BaseModel):
    change: PlanChange | None


class GuideQuestion(BaseModel):
    question: str = Field(max_length=200)
    topics: list[str] = Field(max_length=4, description="아래 주제의 id")
    cities: list[str] = Field(max_length=4)
    places: list[str] = Field(max_length=6)


class GuideArguments(BaseModel):
    questions: list[GuideQuestion] = Field(max_length=8)


TOOLS = (
    Tool("coordinator", "계획을 세우거나 고칠 때. 목적지·기간·인원이 있어야 한다.", TripArguments),
    Tool("local_guide", "여행에 관해 묻는 말마다. 도움이 될 주제를 고른다.", GuideArguments),
    Tool("destination_advisor", "어디로 갈지 추천을 바랄 때."),
)
INTENTS = {
    "plan_trip": "새 계획", "change_trip": "계획 바꾸기", "recommend": "여행지 추천", "answer_questions": "질문 답하기",
    "collect_needs": "조건 말하기", "follow_up": "계획에 대해 묻기·고르기·받기", "small_talk": "인사·잡담",
}  # fmt: skip
# What people say and the form has no field for: it becomes other fields here.
INPUTS = (
    Input(path="budget_per_person", title="1인당 예산", kind="money", unit="원"),
    Input(path="depart_window", title="출발 기간", kind="dates", help="YYYY-MM-DD ~ YYYY-MM-DD"),
    Input(path="child_months", title="아이 나이(개월)", kind="text", many=True),
)
_PARTY = ("adults", "children", "infants")
# What goes with a field that is taken back: it would bring the field again.
_WITH = {
    "budget": ("budget_amount", "budget_basis"),
    "budget_per_person": ("budget", "budget_amount", "budget_basis"),
    "destination": ("destinations", "city_nights"),
    "destinations": ("destination", "city_nights"),
    "depart_date": ("return_date", "depart_window"),
    "return_date": ("duration",),
    "duration": ("return_date",),
    "num_people": _PARTY,
}


def reference(_services: Any) -> str:
    """The topics that questions may be about, and the cities with places of their own."""
    listed = ", ".join(f"{name}({topic.title})" for name, topic in topics().items())
    places = "\n".join(f"- {name}: {', '.join(p.name for p in city.places)}" for name, city in all_cities().items())
    return (
        f"### 주제 (local_guide)\n{listed}, compare(두 도시 견주기), city(도시 소개), place(명소)\n\n"
        f"### 명소 자료가 있는 도시\n{places}"
    )


def here(state: MultiAgentTravelState, _ctx: TravelTurn) -> dict[str, Any]:
    """The plan as it stands, in short."""
    if not state.get("final_plans"):
        return {"추천했던 도시": [one["city"] for one in state.get("suggestions") or ()]}
    days = (state.get("itinerary") or {}).get("days") or ()
    chosen = state.get("recommendation")
    return {
        "플랜": [f"{plan['title']}({plan['type']}) 총 {plan['total']}원" for plan in state["final_plans"]],
        "추천": chosen["title"] if chosen else None,
        "일정": [
            f"{day['day']}일째 {day['date']} {day['city']}: {', '.join(p['name'] for p in day['places'])}"
            for day in days
        ],
    }


async def plan(state: MultiAgentTravelState, ctx: TravelTurn, read: ModelReading) -> Understanding:
    """Steps for what the message wants: the experts, suggestions, and always what an answer can be worded from."""
    slots = {name: state.get(name) or _nothing(name) for name in (*SLOTS, *NEEDS, AVOIDED)}
    after = after_claims(slots, read)
    changed = {name: value for name, value in after.items() if value != slots.get(name)}
    refused = list(read.refused) or _too_long(after)
    told: dict[str, Any] = {"asked": _asked(state, read, after), "said_first": refused}
    wanted = read.step("coordinator")
    if wanted and wanted.get("change") and state.get("final_plans"):
        done = await _changed_plan(state, ctx, FollowUp(**{**wanted["change"], "step": wanted["change"]["step"] or 0}))
        if isinstance(done, dict):
            changed |= done
        elif not changed and done.answer is not None and done.answer.structured_data.get("file"):
            return done
        else:
            changed |= done.update
            refused += [done.answer.answer] if done.answer else []
            wanted = None
    guide = StepRequest("local_guide")
    if read.step("destination_advisor") is not None and not after.get("destination"):
        assumed, _ = assume(after, state, ctx.today)
        return Understanding(
            update={**changed, **told, "assumptions": {**(state.get("assumptions") or {}), **assumed}, "pending": None},
            steps=[StepRequest("destination_advisor"), guide], intent="recommend",
        )  # fmt: skip
    question = _open(read, after, ctx.today)
    moved = bool(changed) and bool(state.get("final_plans")) and not changed.keys() <= ONLY_KEPT
    if (wanted is not None or moved) and question is None and not _too_long(after):
        return _trip(state, ctx, changed, after, told, guide)
    pending = pending_for(question) or _unanswered(state, read, after)
    return Understanding(update={**changed, **told, "pending": pending}, steps=[guide], intent="answer_questions")


def _unanswered(state: MultiAgentTravelState, read: ModelReading, after: Mapping[str, Any]) -> Any:
    """The question that was open, unless the message answers it or what it asks for is known by now."""
    pending = state.get("pending")
    names = [name for name in (pending or {}).get("names") or () if name in after]
    answered = any(name in read.values or after.get(name) not in (None, "", []) for name in names)
    return pending if names and not answered else None


def _too_long(after: Mapping[str, Any]) -> list[str]:
    """Why no plan is computed for a stay that is longer than plans are made for."""
    depart, back = after.get("depart_date"), after.get("return_date")
    nights = (date.fromisoformat(back) - date.fromisoformat(depart)).days if depart and back else 0
    fits = nights < 1 or nights in NIGHTS
    return [] if fits else [f"{nights}박은 제가 항공·숙소·일정을 계산하는 범위({NIGHTS})보다 길어 어림으로 말씀드려요."]


def _open(read: ModelReading, after: Mapping[str, Any], today: date) -> SlotQuestion | None:
    """What a plan can't be made without; else what the model would ask."""
    missing = None if _too_long(after) else open_question(SlotUpdate(), after, today)
    if missing is None and read.ask is not None:
        return SlotQuestion(read.ask.field or "destination", read.ask.question, "missing", tuple(read.ask.choices))
    return missing


def _trip(
    state: MultiAgentTravelState,
    ctx: TravelTurn,
    changed: dict[str, Any],
    after: dict[str, Any],
    told: dict[str, Any],
    guide: StepRequest,
) -> Understanding:
    """The experts for a trip of which everything is known that they need."""
    assumed, remembered = assume(after, state, ctx.today)
    update = {
        **changed, **told, "assumptions": assumed, "remembered": remembered, "pending": asked_beside(state, after),
        "info_collected": True, **wishes.turn_changes(state, changed),
    }  # fmt: skip
    if {"destination", "destinations"} & changed.keys():
        update |= {"avoid_places": changed.get("avoid_places") or [], "day_paces": {}, "chosen_plan": None}
    intent = "change_trip" if state.get("final_plans") else "plan_trip"
    return Understanding(
        update=update,
        steps=[StepRequest("coordinator"), guide],
        intent=intent,
        confidence=certainty(after, assumed, SlotUpdate()),
    )


async def _changed_plan(
    state: MultiAgentTravelState, ctx: TravelTurn, meant: FollowUp
) -> Understanding | dict[str, Any]:
    """A change of the plan as it stands: fields that let an expert work again, or an answer from the state."""
    if meant.kind == "choose_plan":
        return Understanding(
            update={"chosen_plan": meant.plan}, answer=answers.chosen(state, meant), intent="choose_plan"
        )
    if meant.reruns:
        wish = wishes.wish(state, meant)
        return Understanding(answer=wish, intent=meant.kind) if isinstance(wish, Answer) else wish
    return Understanding(answer=await answers.answer(state, meant, ctx), intent=meant.kind)


def _asked(state: MultiAgentTravelState, read: ModelReading, after: Mapping[str, Any]) -> list[AskedQuestion]:
    """Every question with its topics; one that no topic fits is still a question."""
    cities = list(cities_of(after)) if after.get("destination") else list(state.get("considered") or ())
    made = [
        AskedQuestion(
            words=one["question"],
            topics=[name for name in one["topics"] if name in topics() or name in (COMPARED, OF_CITY, OF_PLACE)],
            cities=one["cities"] or cities,
            places=one["places"],
        )
        for one in (read.step("local_guide") or {}).get("questions", ())
    ]
    if made:
        return made
    beside = [one for one in read.asked() if one.task in ("ask_place", "chat") or
              (one.task == "ask_plan" and one.kind.startswith("ask"))]  # fmt: skip
    return [AskedQuestion(words=one.restated, topics=[], cities=cities, places=[]) for one in beside]


def after_claims(slots: Mapping[str, Any], read: ModelReading) -> dict[str, Any]:
    """The slots after the message: what it set and cleared, and what follows from that."""
    said = dict(read.values)
    after = {**slots, **{k: v for k, v in said.items() if k in slots}}
    for name in (other for one in read.cleared for other in (one, *_WITH.get(one, ()))):
        if name in after and name not in said:
            after[name] = _nothing(name)
    for name in (*LIST_NEEDS, AVOIDED):
        if name in said and name not in read.cleared and slots.get(name) and isinstance(said[name], list):
            after[name] = list(dict.fromkeys([*slots[name], *said[name]]))
    _places(after, said, slots)
    _days(after, said)
    _people(after, said)
    _money(after, said)
    months = [int(number) for one in said.get("child_months") or () if (number := as_number(one)) is not None]
    if months:
        after["child_months"] = months
    return after


def _nothing(name: str) -> Any:
    return [] if name in (*LIST_SLOTS, *LIST_NEEDS, AVOIDED) else None


def _places(after: dict[str, Any], said: Mapping[str, Any], before: Mapping[str, Any]) -> None:
    if cities := said.get("destinations"):
        after["destination"], after["destinations"] = cities[0], cities if len(cities) > 1 else []
    elif said.get("destination"):
        after["destinations"] = []
    if after.get("destination") != before.get("destination") and "city_nights" not in said:
        after["city_nights"] = None


def _days(after: dict[str, Any], said: Mapping[str, Any]) -> None:
    start, _, end = str(said.get("depart_window") or "").partition("~")
    if start.strip() and end.strip():
        after["depart_window"] = {"from": start.strip(), "to": end.strip()}
        if "depart_date" not in said:
            after["depart_date"] = after["return_date"] = None
    elif "depart_date" in said:
        after["depart_window"] = None
    else:
        after["depart_window"] = after.get("depart_window") if not isinstance(after.get("depart_window"), str) else None
    depart, back, nights = after.get("depart_date"), after.get("return_date"), after.get("duration")
    between = (date.fromisoformat(back) - date.fromisoformat(depart)).days if depart and back else 0
    if between > 0 and "return_date" in said:
        # A day that was said is not worked out again from the nights.
        after["duration"] = between if between in NIGHTS else None
    elif depart and nights:
        after["return_date"] = (date.fromisoformat(depart) + timedelta(days=nights)).isoformat()


def _people(after: dict[str, Any], said: Mapping[str, Any]) -> None:
    parts = sum(after.get(name) or 0 for name in _PARTY)
    if "num_people" in said:
        young = sum(after.get(name) or 0 for name in ("children", "infants"))
        after["adults"] = said.get("adults") or max(after["num_people"] - young, 0) or None
    elif any(name in said for name in _PARTY) and after.get("adults"):
        after["num_people"] = parts


def _money(after: dict[str, Any], said: Mapping[str, Any]) -> None:
    each = said.get("budget_per_person")
    if each:
        after |= {"budget_basis": "per_person", "budget_amount": each}
    elif "budget" in said:
        after |= {"budget_basis": "total", "budget_amount": said["budget"]}
    if after.get("budget_basis") == "per_person" and after.get("num_people") and after.get("budget_amount"):
        after["budget"] = after["budget_amount"] * after["num_people"]
