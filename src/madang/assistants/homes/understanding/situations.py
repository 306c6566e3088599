"""Which situations a message asks about: each question by itself, with the message and what was said before."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from madang.assistants.homes.data.situation_base import Situation
from madang.assistants.homes.state.conversation import SituationRequest
from madang.assistants.homes.tools.legal_search import telling_words
from madang.assistants.homes.tools.letters import asks_for_list, asks_to_write
from madang.assistants.homes.tools.situation_figures import worked_out
from madang.assistants.homes.tools.situation_topics import topics_of
from madang.assistants.homes.tools.situations import Match, SituationTool, Telling
from madang.assistants.homes.understanding.questions import CONNECTS, Asked
from madang.graph.reading import Heard
from madang.search.faq import NEAR, Faq, Near, Question
from madang.search.faq import Asked as Narrow
from madang.text.message import Message

SAID_MOST, QUESTIONS_MOST = 6, 4
LONGEST = 2000
OUTRIGHT = 0.35
# A question of several that says so much by itself has a situation of its own; one near enough the whole's has that.
OWN, NEAREST = 0.3, 5
SHORT = 40
# A narrow question is the one that was asked if it is so near, or nearer than the next by so much; others are offered.
# Read off the turns of the fifth round: of those above it two thirds are right, of the others half.
SURE, SURE_LEADING, LEAD, LEAST_LEAD = 0.72, 0.54, 0.05, 0.02
FAQ_MOST = 3
# How much more than in general its topic says of a narrow question here, where topics are learnt from messages.
TOPIC_SHARE = 2.0
# A question of fewer telling words belongs to what the whole message is about.
OF_THE_WHOLE = 3
TEXT_NEAR = 0.36
_LISTED = re.compile(r"[,/\n]|그리고")
# Sums and days that no answer counted with are named, so many.
NAMED = 2


def asked_situations(
    heard: Heard,
    asked: Sequence[Asked],
    state: Mapping[str, Any],
    tool: SituationTool,
    faq: Faq,
    *,
    elsewhere: bool = False,
) -> list[SituationRequest]:
    """The questions of a message with the situations that fit; one that nothing fits has none. Two questions of one
    situation are one. `elsewhere`: other agents can serve the message, so only what fits very well counts."""
    text = heard.message.text[:LONGEST]
    before, last = list(state.get("said") or ())[-2:], list(state.get("last_situations") or ())[:2]
    questions = [" ".join(one.text.split()) for one in asked[:QUESTIONS_MOST]]
    goes_on = len(text) <= SHORT and bool(CONNECTS.match(text))
    several = [words for words in questions if not _says_little(words)] or questions
    if len(several) > 1:
        told = Telling("", text, before, last)
        found = _of_each(several, told, tool)
    else:
        words = several[0] if several else text
        found = [(words, tool.match(Telling(words, text, before, last, goes_on)))]
    if elsewhere:
        found = [(words, _outright(matches)) for words, matches in found]
        found = found if all(matches for _, matches in found) else []
    if not any(matches and matches[0].clear for _, matches in found) and asks_for_list(text):
        # What to do, in order, is what the last answer's situation says.
        known = [one for key in last if (one := tool.find(key)) is not None and one.steps]
        found = [(text, [Match(one, OUTRIGHT, clear=True)]) for one in known[:1]] or found
    plain = [_request(words, matches, state, heard.message) for words, matches in found]
    if asks_for_list(text):
        plain = [{**one, "again": False} for one in plain]
    requests = [_with_faq(one, text, before[-1:], faq, tool) for one in plain]
    if any(one["clear"] for one in requests) and not any(one["figures"] for one in requests):
        requests[0]["not_counted"] = [
            value.words for value in heard.message.values if value.kind in ("money", "date", "rate")
        ][:NAMED]
    return requests


def _with_faq(
    request: SituationRequest, text: str, before: Sequence[str], faq: Faq, tool: SituationTool
) -> SituationRequest:
    """A question with the narrow ones that it may be: two that it surely is, or two that are near; beside a situation
    that answers, what is near of the same one."""
    words = request["question"]
    foreign = is_foreign(text)
    told = Telling(words, text, before)
    wants_text = asks_to_write(text)

    def fits(one: Question) -> bool:
        of = tool.find(one.topic)
        suits = bool(one.english) if foreign else of is None or tool.suits(of, told)
        return suits and (wants_text or not is_ready_text(one))

    topics = {topic: TOPIC_SHARE * score for topic, score in topics_of(words, text, before).items()}
    near = faq.near(Narrow(words, text, " ".join(before)), topics, FAQ_MOST, fits)
    # A few words are like many questions.
    few = len(telling_words(text)) < OF_THE_WHOLE and not before
    elsewhere = (few or request["clear"]) and bool(near) and (few or near[0].question.topic != request["found"][0])
    if (sure := _surely(near)) and not (elsewhere and near[0].score < SURE):
        return {**request, "faq": [sure], "faq_fit": "sure"}
    return {**request, "faq": [one.question.id for one in near if one.score >= NEAR], "faq_fit": "near"}


def _surely(near: Sequence[Near]) -> str:
    """The narrow question that was surely asked; empty if none was."""
    best, rest = near[0].score if near else 0.0, near[1].score if len(near) > 1 else 0.0
    return near[0].question.id if best - rest >= (LEAST_LEAD if best >= SURE else LEAD) and best >= SURE_LEADING else ""


def is_ready_text(one: Question) -> bool:
    """Whether a narrow question asks for a text to send, to sign or to keep."""
    return bool(one.text) and asks_to_write(one.ask[0])


def near_text(heard: Heard, state: Mapping[str, Any], faq: Faq) -> list[SituationRequest]:
    """The ready texts that a request for one means, each part of a list by itself; none if nothing is near."""
    text, said = heard.message.text, said_so_far(state, heard.message.text)
    foreign = is_foreign(text)
    topics = topics_of("", text, said[:-1])
    parts = [part for part in _LISTED.split(text) if len(telling_words(part)) > 1] if "특약" in text else []
    found: dict[str, float] = {}
    for words in parts if len(parts) > 2 else [text]:
        asked = Narrow(words, " ".join(said[-2:]) if words == text else words, " ".join(said[:-1]))
        near = faq.near(asked, topics, 1, lambda one: bool(one.text) and (bool(one.english) or not foreign))
        if near and near[0].score >= TEXT_NEAR:
            found.setdefault(near[0].question.id, near[0].score)
    if not found:
        return []
    plain = SituationRequest(question=text, found=[], clear=False, again=False, figures=[], faq=list(found))
    return [{**plain, "faq_fit": "sure" if min(found.values()) >= SURE_LEADING or len(found) > 1 else "nearest"}]


def is_foreign(text: str) -> bool:
    """Whether most letters of a text are Latin."""
    return len(re.findall("[a-zA-Z]", text)) > len(re.findall("[가-힣]", text))


def _of_each(questions: Sequence[str], told: Telling, tool: SituationTool) -> list[tuple[str, list[Match]]]:
    """Each of several questions with what it is about by itself, else with what the whole message is about if the
    question is near that; the nearest of them in any case. Questions of one situation are told together."""
    alone, whole = [topics_of(words, words) for words in questions], tool.match(told)
    main = whole[0] if whole and whole[0].clear else None
    nearest = max(range(len(questions)), key=lambda at: alone[at].get(main.situation.id, 0.0)) if main else -1
    found: dict[str, tuple[str, list[Match]]] = {}
    for at, words in enumerate(questions):
        ranked = sorted(alone[at], key=lambda key: -alone[at][key])
        own = tool.find(ranked[0]) if ranked and alone[at][ranked[0]] >= OWN else None
        own = own if own and tool.suits(own, told) else None
        little = len(telling_words(words)) < OF_THE_WHOLE
        if main and (at == nearest or (own is None and (little or main.situation.id in ranked[:NEAREST]))):
            matches = list(whole)
        elif own is not None:
            matches = [Match(own, alone[at][own.id], clear=True)]
        else:
            matches = [] if main else list(whole)
        key = matches[0].situation.id if matches and matches[0].clear else words
        found[key] = (f"{found[key][0]} {words}" if key in found else words, matches)
    return list(found.values())


def situations_beside(
    questions: Sequence[str], message: Message, state: Mapping[str, Any], tool: SituationTool, faq: Faq
) -> list[SituationRequest]:
    """For each question that a model put in plain words the situations that fit it, to be read as evidence: whole,
    also where the last answer rested on the same."""
    text, before = message.text[:LONGEST], list(state.get("said") or ())[-2:]
    last = list(state.get("last_situations") or ())[:2]
    found = [(words, tool.match(Telling(words, text, before, last))) for words in questions[:QUESTIONS_MOST]]
    requests = []
    for words, matches in found:
        plain: SituationRequest = {**_request(words, matches, state, message), "again": False}
        request = _with_faq(plain, words, [], faq, tool)
        requests += [request] if matches or request.get("faq") else []
    return requests


def situations_of(
    requests: Sequence[SituationRequest], state: Mapping[str, Any], tool: SituationTool
) -> list[Situation]:
    """The situations a message is clearly about, then those of the last answers."""
    keys = [one["found"][0] for one in requests if one["clear"]] + list(state.get("last_situations") or ())
    return [one for key in keys if (one := tool.find(key)) is not None]


def situations_near(requests: Sequence[SituationRequest], tool: SituationTool) -> list[Situation]:
    """The situations that the questions may be about, the nearest of each question first."""
    ranked = sorted(((at, key) for one in requests for at, key in enumerate(one["found"])), key=lambda item: item[0])
    return [one for _, key in ranked if (one := tool.find(key)) is not None]


def faq_near(requests: Sequence[SituationRequest], faq: Faq, language: str) -> list[str]:
    """How the narrow questions that may be meant are asked, the nearest of each question first."""
    keys = [key for at in range(FAQ_MOST) for one in requests for key in (one.get("faq") or [])[at : at + 1]]
    return [one.asked_in(language) for key in dict.fromkeys(keys) if (one := faq.find(key)) is not None]


def said_so_far(state: Mapping[str, Any], text: str) -> list[str]:
    """The user's last messages with this one."""
    return [*(state.get("said") or ()), text[:LONGEST]][-SAID_MOST:]


def _request(words: str, matches: Sequence[Match], state: Mapping[str, Any], message: Message) -> SituationRequest:
    clear = bool(matches) and matches[0].clear
    found = [match.situation.id for match in matches[:2]]
    same = list(state.get("said") or ())[-1:] == [message.text]
    again = found[:1] == list(state.get("last_situations") or ())[:1] and not same
    told = said_so_far(state, message.text)
    figures = worked_out(matches[0].situation.figures, told, message.today) if clear else []
    return SituationRequest(question=words, found=found, clear=clear, again=clear and again, figures=figures)


def _outright(matches: Sequence[Match]) -> list[Match]:
    return [one for one in matches[:1] if one.clear and one.score >= OUTRIGHT and not one.situation.yields]


def _says_little(words: str) -> bool:
    return len(telling_words(words)) < 2
