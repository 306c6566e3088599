"""A letter or message that is asked for: what it is about, and what it must say."""

from collections.abc import Mapping, Sequence
from typing import Any

from madang.assistants.homes.state.conversation import LetterRequest
from madang.assistants.homes.tools.letters import fitting
from madang.assistants.homes.understanding.intent_types import IntentType
from madang.assistants.homes.understanding.questions import Asked, asked_in, told_in
from madang.graph.reading import Heard

State = Mapping[str, Any]
_CONTRACTS = ("계약서",)
_SHORT = (
    "문자",
    "카톡",
    "카카오톡",
    "메시지",
    "메세지",
    "message",
    "쪽지",
    "답장",
    "톡",
    "안내문",
    "글",
    "문구",
    "특약",
)
_FORMAL = ("내용증명", "합의서", "확인서", "각서", "차용증", "통지서", "통보서", "신청서", "letter")
_TOLD_MOST = 3


def wanted_letter(heard: Heard, state: State) -> LetterRequest | None:
    """The letter a message asks for; None if it asks for none, or for a contract."""
    asked = [one for one in asked_in(heard) if one.task == "draft" and one.kind in ("order", "ask_what", "ask_how")]
    named = [role.words for role in heard.roles_of("document")]
    changes = [
        act for act in heard.acts if act["kind"] in ("change", "add", "take_back") and act.get("task") == "draft"
    ]
    if state.get("letter_request") and changes and state.get("last_intent") == IntentType.CONTRACT_CREATION:
        return _changed(heard, state)
    if not asked or not any(_names(word, (*_SHORT, *_FORMAL)) for word in [*named, *(one.text for one in asked)]):
        return None
    if any(_names(word, _CONTRACTS) for word in named) and not any(_names(word, _FORMAL) for word in named):
        return None
    return _request(asked, heard, state, named)


def letter_of(text: str, state: State) -> LetterRequest:
    """The letter that fits a text and what was told before."""
    story = list(state.get("story") or ())
    return LetterRequest(kind=fitting(text, story), short=not _names(text, _FORMAL), told=[text], names=[], wishes=[])


def _request(asked: Sequence[Asked], heard: Heard, state: State, named: Sequence[str]) -> LetterRequest:
    words = " ".join([*named, *(one.text for one in asked)])
    told = told_in(heard)
    story = list(state.get("story") or ())
    matter = [str(state.get("legal_question") or ""), *story]
    return LetterRequest(
        kind=fitting(" ".join([words, *told]), matter),
        short=not _names(words, _FORMAL),
        told=(_facts(told) or _facts(story))[-_TOLD_MOST:],
        names=[role.words for role in heard.roles_of("person")],
        wishes=[role.words for role in heard.roles_of("wish")],
    )


def _changed(heard: Heard, state: State) -> LetterRequest:
    before: LetterRequest = state["letter_request"]
    names = [role.words for role in heard.roles_of("person")]
    wishes = [role.words for role in heard.roles_of("wish")]
    return {**before, "names": names or before["names"], "wishes": [*before["wishes"], *wishes]}


def _facts(told: Sequence[str]) -> list[str]:
    """What was told that a letter can say: not names and addresses that have their own places."""
    return [
        text.strip() for text in told if len(text.strip()) > 8 and not _names(text, ("이름", "주소", "발신", "수신"))
    ]


def _names(text: str, words: Sequence[str]) -> bool:
    return any(word in text.lower() for word in words)
