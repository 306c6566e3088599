"""The question a turn ends with, and what to say when a message says nothing new."""

import re
from collections.abc import Mapping
from dataclasses import replace
from datetime import date
from typing import Any

from madang.assistants.travel.answering.follow_up_answers import plan_so_far
from madang.assistants.travel.answering.phrases import day_text, trip_summary
from madang.assistants.travel.state import MultiAgentTravelState
from madang.assistants.travel.state.slots import Slots
from madang.assistants.travel.understanding.slots import SlotQuestion, SlotUpdate
from madang.assistants.travel.understanding.slots.questions import beside_question, next_question
from madang.graph import Answer, Understanding
from madang.graph.dialogue import pending_of
from madang.graph.state import Pending
from madang.text.particles import with_topic

HELP = (
    "여행 계획을 도와드려요. 목적지, 기간, 인원만 알려 주시면 "
    "항공과 숙소, 날짜별 일정, 예산까지 짜 드립니다.\n\n"
    "예: “오사카 3박4일 둘이 200만원, 맛집이랑 관광 위주로”"
)
_LIKE_LAST_TIME = re.compile(r"지난\s?번|저번|전처럼|그때처럼|늘\s?하던|같은\s?(?:걸|거|스타일)|똑같이")
_WHATEVER = re.compile(
    r"상관\s?없|아무(?!것도\s?안)|몰라|모르겠|알아서|글쎄|미정|안\s?정했|정하지\s?않|못\s?정했|무관|제한\s?없"
)
_OPEN = {"budget": "예산", "travel_style": "여행 스타일"}
_HELLO = re.compile(r"안녕|하이|헬로|hello|\bhi\b|반가|ㅎㅇ", re.IGNORECASE)


def asked_slot(state: Mapping[str, Any]) -> str | None:
    """The slot that the last turn asked for."""
    names = (pending_of(state) or {}).get("names")
    return names[0] if names else None


def pending_for(question: SlotQuestion | None, then: Mapping[str, Any] | None = None) -> Pending | None:
    """A question as the state keeps it; with one choice a yes takes it."""
    if question is None:
        return None
    only = {question.slot: question.choices[0]} if len(question.choices) == 1 else {}
    return Pending(
        kind="choice" if question.choices else "slot",
        names=[question.slot],
        question=question.text,
        choices=list(question.choices),
        then=dict(then or only),
    )


def remembered_styles(state: MultiAgentTravelState) -> list[str] | None:
    """The remembered styles, when they were offered and the user takes them by naming the last trip."""
    then = (pending_of(state) or {}).get("then") or {}
    return then.get("travel_style") if _LIKE_LAST_TIME.search(state["query"]) else None


def open_question(update: SlotUpdate, after: Slots, today: date) -> SlotQuestion | None:
    """The one question to ask: what was refused or unclear, what is missing, a day gone by."""
    asked = update.next_question
    if asked is not None and asked.kind != "missing":
        return asked
    asked = next_question(after)
    if asked is None and after.get("depart_date") and after["depart_date"] < today.isoformat():
        text = f"출발일로 잡아 둔 {day_text(after['depart_date'])}이 지났어요. 언제 출발할까요?"
        return SlotQuestion("depart_date", text, "refused")
    return asked


def asked_beside(state: MultiAgentTravelState, after: Slots) -> Pending | None:
    """What is asked for beside a plan: budget, then styles; a style liked before is offered for a yes."""
    question = beside_question(after)
    styles = (state.get("user_preferences") or {}).get("travel_style")
    if question is not None and question.slot == "travel_style" and styles:
        text = f"지난번에는 {'·'.join(styles)} 여행을 고르셨어요. 이번에도 그렇게 할까요?"
        question = replace(question, text=text, choices=("지난번처럼", *question.choices))
        return pending_for(question, {"travel_style": list(styles)})
    return pending_for(question)


def ask(
    state: MultiAgentTravelState,
    changed: Mapping[str, Any],
    update: SlotUpdate,
    question: SlotQuestion,
    *,
    standing: bool,
) -> Understanding:
    """End the turn with one question. `standing`: a finished plan is still good."""
    kept = "\n\n지금 계획은 그대로 두었어요." if standing else ""
    answer = Answer(
        type="clarification",
        answer=question.text + kept,
        structured_data={
            "choices": list(question.choices),
            "slot": question.slot,
            "kind": question.kind,
            "problems": [problem.as_dict() for problem in update.problems],
            "known": trip_summary({**state, **changed}),
        },
    )
    told = {**changed, "pending": pending_for(question), "info_collected": standing}
    return Understanding(update=told, answer=answer, intent="collect_needs")


def nothing_changed(
    state: MultiAgentTravelState, question: SlotQuestion | None, *, planned: bool, fresh: bool
) -> Understanding:
    """The message changed nothing: help, the question again, or where the plan stands."""
    if planned and asked_slot(state) in _OPEN and _WHATEVER.search(state["query"]):
        said = f"네, {with_topic(_OPEN[str(asked_slot(state))])} 열어 두고 지금 계획 그대로 둘게요."
        return Understanding(update={"pending": None}, answer=Answer(answer=said), intent="small_talk")
    if planned:
        return Understanding(answer=plan_so_far(state), intent="small_talk")
    assert question is not None
    hello = bool(_HELLO.search(state.get("query", "")))
    if fresh:
        kind, said = "clarification", f"네, 처음부터 다시 할게요. {question.text}"
    elif asked_slot(state) == question.slot and (choices := (pending_of(state) or {}).get("choices")):
        question = replace(question, choices=tuple(choices), text=str((pending_of(state) or {})["question"]))
        kind, said = "clarification", question.text
    elif (pending_of(state) or state.get("destination")) and not hello:
        kind, said = "clarification", f"{'' if question.choices else '잘 알아듣지 못했어요. '}{question.text}"
    else:
        kind, said = "guidance", f"{'안녕하세요! ' if hello else ''}{HELP}\n\n{question.text}"
    answer = Answer(type=kind, answer=said, structured_data={"choices": list(question.choices), "slot": question.slot})
    return Understanding(update={"pending": pending_for(question)}, answer=answer, intent="small_talk")
