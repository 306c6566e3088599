"""Which situations a message asks about: each question by itself, with the message and what was said before."""

from collections.abc import Mapping, Sequence
from typing import Any

from madang.assistants.homes.data.situation_base import Situation
from madang.assistants.homes.state.conversation import SituationRequest
from madang.assistants.homes.tools.legal_search import telling_words
from madang.assistants.homes.tools.situation_figures import worked_out
from madang.assistants.homes.tools.situations import Match, SituationTool, Telling
from madang.assistants.homes.understanding.questions import Asked
from madang.graph.reading import Heard
from madang.text.message import Message

SAID_MOST, QUESTIONS_MOST = 6, 4
LONGEST = 2000
OUTRIGHT = 2.4


def asked_situations(
    heard: Heard, asked: Sequence[Asked], state: Mapping[str, Any], tool: SituationTool, *, elsewhere: bool = False
) -> list[SituationRequest]:
    """The questions of a message with the situations that fit; one that nothing fits has none. Two questions of one
    situation are one. `elsewhere`: other agents can serve the message, so only what fits very well counts."""
    text = heard.message.text[:LONGEST]
    before = list(state.get("said") or ())[-2:]
    last = [one.topic for key in (state.get("last_situations") or ())[:2] if (one := tool.find(key))]
    questions = [" ".join(one.text.split()) for one in asked[:QUESTIONS_MOST]] or [text]
    found = [
        (words, tool.match(Telling(words, _without(text, asked, at), before, last)))
        for at, words in enumerate(questions)
    ]
    if elsewhere:
        found = [(words, _outright(matches)) for words, matches in found]
        found = found if all(matches for _, matches in found) else []
    requests: list[SituationRequest] = []
    taken: set[str] = set()
    for words, matches in found:
        request = _request(words, matches, state, heard.message)
        if request["clear"] and request["found"][0] in taken:
            continue
        if not request["clear"] and len(questions) > 1 and _says_little(words):
            continue
        taken |= set(request["found"][:1]) if request["clear"] else set()
        requests.append(request)
    return requests


def situations_beside(
    questions: Sequence[str], message: Message, state: Mapping[str, Any], tool: SituationTool
) -> list[SituationRequest]:
    """For each question that a model put in plain words the situations that fit it, to be read as evidence: whole,
    also where the last answer rested on the same."""
    text, before = message.text[:LONGEST], list(state.get("said") or ())[-2:]
    last = [one.topic for key in (state.get("last_situations") or ())[:2] if (one := tool.find(key))]
    found = [(words, tool.match(Telling(words, text, before, last))) for words in questions[:QUESTIONS_MOST]]
    return [{**_request(words, matches, state, message), "again": False} for words, matches in found if matches]


def situations_of(
    requests: Sequence[SituationRequest], state: Mapping[str, Any], tool: SituationTool
) -> list[Situation]:
    """The situations a message is clearly about, then those of the last answers."""
    keys = [one["found"][0] for one in requests if one["clear"]] + list(state.get("last_situations") or ())
    return [one for key in keys if (one := tool.find(key)) is not None]


def said_so_far(state: Mapping[str, Any], text: str) -> list[str]:
    """The user's last messages with this one."""
    return [*(state.get("said") or ()), text[:LONGEST]][-SAID_MOST:]


def _without(text: str, asked: Sequence[Asked], at: int) -> str:
    """A message without its other questions: what they ask about is not what this one asks about."""
    for other in (*asked[:at], *asked[at + 1 :]):
        text = text.replace(other.text, " ")
    return text


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
