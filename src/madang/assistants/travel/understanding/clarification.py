"""The question a turn ends with, and what to say when a message says nothing new."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date
from typing import Any

from madang.assistants.travel.answering.follow_up_answers import plan_so_far
from madang.assistants.travel.answering.phrases import day_text, trip_summary
from madang.assistants.travel.data.cities import City, all_cities
from madang.assistants.travel.state import MultiAgentTravelState
from madang.assistants.travel.state.slots import SLOTS, Slots
from madang.assistants.travel.understanding.slots import SlotQuestion, SlotUpdate
from madang.assistants.travel.understanding.slots.questions import next_question
from madang.assistants.travel.understanding.slots.side_prices import nightly_limit
from madang.graph import Answer, Understanding

HELP = (
    "여행 계획을 도와드려요. 목적지, 기간, 예산, 인원, 여행 스타일을 알려 주시면 "
    "항공과 숙소, 날짜별 일정, 예산까지 짜 드립니다.\n\n"
    "예: “오사카 3박4일 둘이 200만원, 맛집이랑 관광 위주로”"
)
# Slots a trip can be planned without, when the user leaves them to us.
WAIVABLE = ("budget", "travel_style")
_WHATEVER = re.compile(
    r"상관\s?없|아무\s?(?:거나|데나|래도)|몰라|모르겠|알아서|글쎄|미정|안\s?정했|정하지\s?않|못\s?정했|추천해|무관|없어요?$|제한\s?없"
)
_LIKE_LAST_TIME = re.compile(r"지난\s?번|저번|전처럼|그때처럼|늘\s?하던|같은\s?(?:걸|거|스타일)|똑같이")
_YES = re.compile(
    r"^\s*(?:네|넵|넹|예|응|웅|ㅇㅇ|좋아요?|좋습니다|그래요?|그렇게\s?해\s?(?:줘|주세요)|오케이|ok)[\s!.~]*$",
    re.IGNORECASE,
)
_ADVICE = re.compile(r"추천|어디가|어디로\s?(?:갈까|가지|가면)|뭐가\s?(?:좋|나)|어때|골라|모르겠|글쎄")
_THEMES: tuple[tuple[re.Pattern[str], tuple[str, ...]], ...] = (
    (re.compile(r"따뜻|더운|바다|휴양|물놀이|동남아"), ("다낭", "방콕", "괌", "발리", "세부")),
    (re.compile(r"시원|눈\s|스키|겨울"), ("삿포로", "강릉")),
    (re.compile(r"국내|가까운\s?[데곳]|당일|기차"), ("부산", "강릉", "경주", "여수", "제주")),
    (re.compile(r"유럽|멀리|신혼"), ("파리", "런던", "바르셀로나", "로마")),
)
_USUAL = ("오사카", "후쿠오카", "다낭", "방콕", "제주")
_HELLO = re.compile(r"안녕|하이|헬로|hello|\bhi\b|반가|ㅎㅇ", re.IGNORECASE)


def remembered_styles(state: MultiAgentTravelState) -> str | None:
    """The remembered styles in words, when the user was offered them and takes them."""
    styles = (state.get("user_preferences") or {}).get("travel_style")
    if state.get("pending_slot") != "travel_style" or not styles:
        return None
    said = state["query"]
    return ", ".join(styles) if _LIKE_LAST_TIME.search(said) or _YES.match(said) else None


def waived_slots(state: MultiAgentTravelState, after: Slots, changed: Mapping[str, Any]) -> list[str]:
    """The slots the user leaves open: those named before, and the one asked about if the answer is "whatever"."""
    waived = [slot for slot in state.get("waived") or () if not after.get(slot)]
    asked = state.get("pending_slot")
    emptied = [slot for slot in WAIVABLE if slot in changed and not changed[slot]]
    if asked in WAIVABLE and not after.get(asked) and _WHATEVER.search(state["query"]):
        emptied.append(asked)
    if re.search(r"예산[^,.]{0,8}(?:상관|무관|제한\s?없|미정|모르)", state["query"]) and not after.get("budget"):
        emptied.append("budget")
    return list(dict.fromkeys([*waived, *emptied]))


def open_question(update: SlotUpdate, after: Slots, waived: Sequence[str], today: date) -> SlotQuestion | None:
    """The one question to ask: what was refused or unclear, what is missing and not left open, a day gone by."""
    asked = update.next_question
    if asked is not None and asked.kind != "missing":
        return asked
    asked = next_question({**after, **{slot: after.get(slot) or "?" for slot in waived}})
    if asked is None and after.get("depart_date") and after["depart_date"] < today.isoformat():
        text = f"출발일로 잡아 둔 {day_text(after['depart_date'])}이 지났어요. 언제 출발할까요?"
        return SlotQuestion("depart_date", text, "refused")
    return asked


def ask(
    state: MultiAgentTravelState,
    changed: Mapping[str, Any],
    update: SlotUpdate,
    question: SlotQuestion,
    *,
    standing: bool,
) -> Understanding:
    """End the turn with one question. `standing`: a finished plan is still good."""
    question = _with_remembered_styles(
        state, _with_cities(state, question) if _ADVICE.search(state["query"]) else question
    )
    kept = "\n\n지금 계획은 그대로 두었어요." if standing else ""
    again = question.kind == "missing" and question.slot == state.get("pending_slot") and set(changed) & set(SLOTS)
    heard = "네, 알겠어요. " if again else ""
    answer = Answer(
        type="clarification",
        answer=heard + question.text + kept,
        structured_data={
            "choices": list(question.choices),
            "slot": question.slot,
            "kind": question.kind,
            "problems": [problem.as_dict() for problem in update.problems],
            "known": trip_summary({**state, **changed}),
        },
    )
    told = {
        **changed,
        "pending_slot": question.slot,
        "pending_choices": list(question.choices),
        "info_collected": standing,
    }
    return Understanding(update=told, answer=answer, intent="collect_needs")


def nothing_changed(
    state: MultiAgentTravelState, question: SlotQuestion | None, *, planned: bool, fresh: bool
) -> Understanding:
    """The message changed nothing: help, the question again, or where the plan stands."""
    if planned:
        return Understanding(answer=plan_so_far(state), intent="small_talk")
    assert question is not None
    question = _with_remembered_styles(state, _with_cities(state, question))
    hello = bool(_HELLO.search(state.get("query", "")))
    if fresh:
        kind, said = "clarification", f"네, 처음부터 다시 할게요. {question.text}"
    elif state.get("pending_slot") and not hello:
        sorry = "" if question.choices or _ADVICE.search(state["query"]) else "잘 알아듣지 못했어요. "
        if nightly_limit(state["query"]):
            sorry = "1박 요금 상한은 계획이 나온 뒤에 말씀해 주시면 숙소를 거기에 맞출게요. "
        kind, said = "clarification", sorry + question.text
    else:
        kind, said = "guidance", f"{'안녕하세요! ' if hello else ''}{HELP}\n\n{question.text}"
    answer = Answer(type=kind, answer=said, structured_data={"choices": list(question.choices), "slot": question.slot})
    return Understanding(update={"pending_slot": question.slot}, answer=answer, intent="small_talk")


def _with_cities(state: MultiAgentTravelState, question: SlotQuestion) -> SlotQuestion:
    """Who doesn't know where to go is offered cities with what each is good for: those asked about, or fitting ones."""
    if question.slot != "destination":
        return question
    said = state.get("query", "")
    asked = tuple(state.get("pending_choices") or ()) if state.get("pending_slot") == "destination" else ()
    themed = next((cities for theme, cities in _THEMES if theme.search(said)), ())
    choices = themed or asked or (_USUAL if _ADVICE.search(said) else ())
    if not choices:
        return question
    known = all_cities()
    told = "\n".join(f"- {name}: {highlights(known[name])}" for name in choices if name in known)
    return replace(question, text=f"어느 도시로 갈까요?\n\n{told}" if told else question.text, choices=choices)


def highlights(city: City) -> str:
    """Its best places, from our own data."""
    best = sorted(city.places, key=lambda place: (-place.appeal, place.name))[:3]
    return ", ".join(place.name for place in best)


def _with_remembered_styles(state: MultiAgentTravelState, question: SlotQuestion) -> SlotQuestion:
    """The question for styles with those remembered from earlier trips, marked as such."""
    styles = (state.get("user_preferences") or {}).get("travel_style")
    if question.slot != "travel_style" or not styles:
        return question
    liked = "·".join(styles)
    text = f"{question.text}\n\n지난번에는 {liked} 여행을 고르셨어요. 이번에도 그렇게 할까요?"
    return replace(question, text=text, choices=("지난번처럼", *question.choices))
