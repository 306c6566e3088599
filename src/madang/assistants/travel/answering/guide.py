"""Answers to questions and suggestions of cities, in words."""

from collections.abc import Sequence

from madang.assistants.travel.answering.from_plan import from_plan
from madang.assistants.travel.data.cities import regions
from madang.assistants.travel.data.cues import cue, cue_place
from madang.assistants.travel.data.texts import phrase
from madang.assistants.travel.state import MultiAgentTravelState
from madang.assistants.travel.state.results import AskedQuestion, GuideAnswer, Suggestion
from madang.assistants.travel.tools.guide import is_english
from madang.assistants.travel.understanding.slots.slot_update import SlotQuestion
from madang.text.particles import with_direction

_SHORT = 40
_NAMED, _NEAREST = 2, 3


def answers(state: MultiAgentTravelState) -> str:
    """What was asked, answered in turn; a question that the data has nothing for is named."""
    found = state.get("guide_answers") or []
    near = [one for one in found if one.get("near")]
    said = [one["answer"] for one in found if not one.get("near")]
    said += [
        text for one in state.get("asked") or () for topic in one["topics"] if (text := from_plan(topic, one, state))
    ]
    answered = {one["question"] for one in found}
    open_ones = [
        one
        for one in state.get("asked") or ()
        if not one.get("rest")
        and not one.get("faq")
        and (not one["topics"] or cue("asks").search(one["words"]))
        and not any(one["words"] in words or words in one["words"] for words in answered)
        and not _from_plan(one, state)
    ]
    rest = [one for one in state.get("asked") or () if one.get("rest") and not one.get("faq")]
    if near:
        said.append(_nearest(near, state))
    elif rest:
        said.append(_not_understood([*open_ones, *rest][-_NAMED:], state, others=bool(said)))
    elif open_ones:
        said.append(_unknown(open_ones, state))
    return "\n\n".join([*dict.fromkeys(said), *(state.get("said_first") or ())])


def _nearest(near: Sequence[GuideAnswer], state: MultiAgentTravelState) -> str:
    """What is nearest to the questions that have no sure answer, told as that."""
    language = "en" if is_english(str(state.get("query") or "")) else "ko"
    names = ", ".join(dict.fromkeys(f"“{_end(one['question'] or str(state.get('query') or ''))}”" for one in near))
    opening = phrase("nearest", language).format(words=names)
    kept = phrase("plan_kept", language) if state.get("final_plans") else ""
    answers_ = dict.fromkeys(one["answer"] for one in near[:_NEAREST])
    return "\n\n".join([opening, *answers_, phrase("otherwise", language) + kept])


def _from_plan(asked: AskedQuestion, state: MultiAgentTravelState) -> bool:
    return any(from_plan(topic, asked, state) for topic in asked["topics"])


def _unknown(asked: Sequence[AskedQuestion], state: MultiAgentTravelState) -> str:
    """The questions without an answer, named once, and that nothing was changed."""
    names = ", ".join(dict.fromkeys(f"“{_short(one['words'])}”" for one in asked[:_NAMED]))
    kept = " 계획은 그대로 두었어요." if state.get("final_plans") else ""
    where = next((place for one in asked for place in [cue_place(one["words"])] if place), "")
    return f"{names}: 이 부분은 제 자료에 없어 답하지 못했어요.{where}{kept}"


def names_rest(state: MultiAgentTravelState) -> bool:
    """Whether the answer itself says what of the message it leaves out."""
    return any(one.get("rest") for one in state.get("asked") or ())


def _not_understood(rest: Sequence[AskedQuestion], state: MultiAgentTravelState, *, others: bool) -> str:
    """What was asked and has no sure answer, in its own words, and that the rest was not used either."""
    language = "en" if is_english(str(state.get("query") or "")) else "ko"
    asked = ", ".join(dict.fromkeys(f"“{_end(one['words'])}”" for one in rest if one["words"]))
    kept = phrase("plan_kept", language) if state.get("final_plans") else ""
    if not asked and others:
        return phrase("rest_unread", language) + kept
    name = ("part_unanswered" if others else "no_sure_answer") if asked else "not_understood"
    where = (
        next((place for one in rest for place in [cue_place(one["words"])] if place), "") if language == "ko" else ""
    )
    return phrase(name, language).format(words=asked or f"“{_end(str(state.get('query') or ''))}”", where=where) + kept


def _short(words: str) -> str:
    plain = " ".join(words.split())
    return plain if len(plain) <= _SHORT else f"{plain[: _SHORT - 1]}…"


def _end(words: str) -> str:
    """The end of what was said: what is asked stands there."""
    plain = " ".join(words.split())
    if len(plain) <= _SHORT:
        return plain
    return f"…{plain[-_SHORT:].partition(' ')[2] or plain[-_SHORT:]}"


def advice(state: MultiAgentTravelState) -> tuple[str, SlotQuestion]:
    """The suggested cities with their reasons, and the question which one it should be."""
    found = state.get("suggestions") or []
    if not found:
        scope = str(state.get("scope") or "")
        known = tuple(regions().get(scope, {}).get("cities", ()))
        if known:
            return "", SlotQuestion(
                "destination", f"{scope}에서는 {', '.join(known)} 쪽이 흔해요. 어디로 할까요?", "narrow", known
            )
        return "", SlotQuestion("destination", "가고 싶은 도시나 나라를 말씀해 주시면 바로 짤게요.")
    cities = tuple(one["city"] for one in found)
    question = f"어디로 할까요? 정하시면 바로 계획을 짤게요: {', '.join(cities)}"
    if not (state.get("duration") or state.get("num_people") or state.get("depart_window") or state.get("depart_date")):
        question += ". 언제, 며칠, 누구와 가시는지와 바라는 것을 알려 주시면 더 맞춰 골라 드려요."
    lines = [f"- **{one['city']}**: {_reasons(one)}" for one in found]
    head = (
        f"{with_direction(cities[0])} 가시는 것을 먼저 권해요."
        if len(cities) > 1
        else f"{with_direction(cities[0])} 가시는 것을 권해요."
    )
    return "\n".join([head, "", *lines]), SlotQuestion("destination", question, "narrow", cities)


def _reasons(one: Suggestion) -> str:
    return "; ".join(reason for reason in one["reasons"] if reason)
