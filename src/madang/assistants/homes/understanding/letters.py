"""A letter or message that is asked for: what it is about, and what it must say."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from madang.assistants.homes.data.situation_base import Situation
from madang.assistants.homes.state.conversation import LetterRequest
from madang.assistants.homes.tools.document_fields import LANDLORD, TENANT, name_after
from madang.assistants.homes.tools.letters import (
    AGREEMENT,
    GENERAL,
    SPECIAL_TERM,
    addressed,
    asks_to_write,
    fitting,
    is_family,
    is_manner,
    is_request,
    is_tone,
    letters,
    matter_of,
    named_kind,
)
from madang.assistants.homes.understanding.intent_types import IntentType
from madang.assistants.homes.understanding.questions import Asked, asked_in, tells
from madang.graph.reading import Heard, overlap
from madang.text.polite import Style, sayings

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
    "편지",
    "보낼 말",
    "text",
)
_FORMAL = (
    "지급명령",
    "내용증명",
    "합의서",
    "확인서",
    "각서",
    "차용증",
    "통지서",
    "통보서",
    "신청서",
    "공문",
    "종이 한",
    "letter",
)
_MINE = ("저", "나 ", "나는", "내 ", "제 ", "me", "발신", "보내는", "신청인", "빌려주는")
_THEIRS = (
    "집주인",
    "임대인",
    "주인",
    "landlord",
    "수신",
    "받는",
    "상대",
    "그사람",
    "피신청인",
    "빌리는",
    "건물주",
    "매수인",
    "세입자",
    "임차인",
)
_OWED = re.compile(r"[을를은이]?\s?(?:아직\s?)?(?:못\s?받|안\s?[주줬]|나눠\s?갚|갚|청구)")
_ME = r"(?:나|난|저|전|(?:내|제)\s?이름|보내는\s?사람|채권자|신청인)"
_OTHER = r"(?:받는\s?사람|상대방?|채무자|피신청인)"
_PLACES = ("동", "구", "시", "읍", "면", "역", "로")
_OTHER_SIDE = re.compile(r"(?:상대(?:방)?|받는\s?사람|수신)(?:는|은|:)\s?(\(?[^\s,.]{2,15})")
_CHANGES = ("change", "add", "take_back", "tell")
# What a question says that wants a text written, not judged.
_WRITTEN = ("써", "쓰", "쓸", "적", "작성", "보내", "만들", "문구", "초안", "뽑", "넣", "write", "say")
_NEAR, _LEAST, _TOLD_MOST, _TOLD_BEFORE = 12, 5, 4, 2
# How it is to be said stands before what is to be said: "싸우긴 싫은데 …", "싸우지 말고 …".
_MANNER_FIRST = re.compile(r"^.*?(?:는데|은데|말고|않게)\s+")
_AGREED = ("합의서", "확인서", "각서", "약속", "종이 한", "약정서")
_SURELY = 0.45


def wanted_letter(
    heard: Heard, state: State, situations: Sequence[Situation] = (), now: int = 0
) -> LetterRequest | list[str] | None:
    """The letter a message asks for, or the titles of those it may mean; None if it asks for none, for a contract, or
    for what must not be written. `situations` are those it is about, the first `now` of them clearly, then the last."""
    if any(one.refuses for one in situations[:1]):
        return None
    asked = [one for one in asked_in(heard) if one.task == "draft" and one.kind in ("order", "ask_what", "ask_how")]
    named = [role.words for role in heard.roles_of("document")]
    changes = [
        act for act in heard.acts if act["kind"] in ("change", "add", "take_back") and act.get("task") == "draft"
    ]
    fills = not asked_in(heard) and any(_parties(heard))
    if state.get("letter_request") and (changes or fills) and state.get("last_intent") == IntentType.CONTRACT_CREATION:
        return _changed(heard, state)
    outright = asks_to_write(heard.message.text)
    asked = [one for one in asked if one.kind == "order" or outright or _names(one.text, _WRITTEN)]
    asked = asked or (asked_in(heard) if outright else [])
    words = [*named, *(one.text for one in asked), *([heard.message.text] if outright else [])]
    told_of = _names(heard.message.text, ("특약", "문자", "letter"))
    if not (asked or outright) or not (told_of or any(_names(word, (*_SHORT, *_FORMAL)) for word in words)):
        return None
    contract = any(_names(word, _CONTRACTS) for word in named) and "특약" not in heard.message.text
    if contract and not any(_names(word, _FORMAL) for word in named):
        return None
    return _request(asked, heard, state, named, situations, now)


def letter_of(text: str, state: State) -> LetterRequest:
    """The letter that fits a text and what was told before."""
    story = list(state.get("story") or ())
    kind = fitting(text, story, _side([*story, text]))
    short = not _names(text, _FORMAL)
    return LetterRequest(kind=kind, short=short, told=[text], sender=None, receiver=None, deadline=None, wishes=[])


def _request(
    asked: Sequence[Asked],
    heard: Heard,
    state: State,
    named: Sequence[str],
    situations: Sequence[Situation],
    now: int,
) -> LetterRequest | list[str]:
    words = " ".join([*named, *(one.text for one in asked)])
    told = [text for text in _facts(heard) if not is_manner(text)]
    story = list(state.get("story") or ())
    sender, receiver = _parties(heard)
    to = addressed(heard.message.text)
    agreed = _names(heard.message.text, _AGREED)
    says = _says(heard, "agreed" if agreed else "familiar" if is_family(to) else "formal")
    matters = {found for one in situations if (found := matter_of(one.id))}
    before = [*story, *(state.get("said") or ()), "상가" if state.get("lease_kind") == "shop" else ""]
    kind, others = _kind(heard.message.text, words, told, before, says, situations, now)
    if not kind:
        return others
    return LetterRequest(
        kind=kind,
        short=not _names(words, _FORMAL),
        told=[] if says else told[-_TOLD_MOST:] or _brief(story),
        sender=sender,
        receiver=receiver,
        deadline=_deadline(heard),
        wishes=[role.words for role in heard.roles_of("wish")],
        amount=_amount(heard),
        says=says,
        to=to,
        matter=matters.pop() if len(matters) == 1 else "",
    )


def _brief(story: Sequence[str]) -> list[str]:
    """What was told before, if it is little enough to be told again; whoever writes fills in the rest."""
    told = [text for text in story if len(text) > _LEAST and "?" not in text and not is_manner(text)]
    return told if len(told) <= _TOLD_BEFORE else []


def _says(heard: Heard, style: Style) -> list[str]:
    """The sentences that a request wants said; the request itself and how it is to be said are none."""
    found = [one.text for one in sayings(heard.message.text, style)]
    found = [_MANNER_FIRST.sub("", one) if is_tone(one) else one for one in found]
    return [one for one in found if one and not (is_request(one) or is_tone(one))]


def _kind(
    text: str,
    asked: str,
    told: Sequence[str],
    story: Sequence[str],
    says: Sequence[str],
    situations: Sequence[Situation],
    now: int,
) -> tuple[str, list[str]]:
    """The kind of letter that is meant, or none; and the titles of those that may be. A text whose sentences were told
    is made of them, another is the one that belongs to what was talked about."""
    # A request for a text says little of what it is about: what was talked about before says it.
    kinds = (one.letter for one in (*situations[now:], *situations[:now]))
    own = next((kind for kind in kinds if kind not in ("", AGREEMENT, GENERAL)), "")
    if "특약" in text:
        term = next((one.letter for one in situations[:now] if "term" in one.letter), "")
        return (term if term != SPECIAL_TERM else ""), []
    if named := named_kind(text, " ".join(story)):
        return named, []
    agrees = _names(text, _AGREED)
    side = _side([*story, text])
    fits = fitting(asked, says, side, _SURELY)
    if fits != GENERAL and fits == own and not agrees:
        return own, []
    if says:
        return (AGREEMENT if agrees else GENERAL), []
    if not own:
        told_of = fitting(asked, told, side, _SURELY)
        own = told_of if told_of != GENERAL else ""
    return ("" if agrees else own), _titles(own)


def _titles(*kinds: str) -> list[str]:
    return list(dict.fromkeys(letters()[kind].title for kind in kinds if kind not in ("", GENERAL)))


def _amount(heard: Heard) -> int | None:
    """The one sum that the request itself names."""
    text = heard.message.text
    sums = {int(value.value.won) for value in heard.message.of("money")}
    bare = {value for value in heard.message.of("number") if "달라" in text[value.span[1] : value.span[1] + 4]}
    sums |= {10_000 * int(value.value) for value in bare if value.value in range(1, 10_000)} if not sums else set()
    owed = {int(one.value.won) for one in heard.message.of("money") if _OWED.match(text, one.span[1])}
    return (owed if len(owed) == 1 else sums).pop() if len(owed) == 1 or len(sums) == 1 else None


def _side(story: Sequence[str]) -> str:
    """On which side the writer is: whom they talk of more is the other."""
    text = " ".join(story)
    tenants = sum(text.count(word) for word in ("세입자", "임차인", "tenant"))
    return (
        "landlord" if tenants > sum(text.count(word) for word in ("주인", "임대인", "건물주", "landlord")) else "tenant"
    )


def _changed(heard: Heard, state: State) -> LetterRequest:
    before: LetterRequest = state["letter_request"]
    sender, receiver = _parties(heard)
    return {
        **before,
        "sender": sender or before["sender"],
        "receiver": receiver or before["receiver"],
        "deadline": _deadline(heard) or before["deadline"],
        "wishes": [*before["wishes"], *(role.words for role in heard.roles_of("wish"))],
    }


def _parties(heard: Heard) -> tuple[str | None, str | None]:
    """Who sends and who receives: by the word before each name, otherwise in the order of the names."""
    text = heard.message.text
    landlord, tenant = name_after(LANDLORD, text), name_after(TENANT, text)
    sender, receiver = name_after(_ME, text), name_after(_OTHER, text)
    if landlord and tenant:
        sender, receiver = sender or tenant, receiver or landlord
    receiver = receiver or landlord or tenant
    if receiver is None and (named := _OTHER_SIDE.search(text)):
        receiver = named[1]
    known = f"{sender or ''} {receiver or ''}"
    for role in heard.roles_of("person"):
        if role.words.endswith(_PLACES) or role.words in known:
            continue
        before = text[max(0, role.span[0] - _NEAR) : role.span[0]].lower()
        theirs = max((before.rfind(word) for word in _THEIRS), default=-1)
        mine = max((before.rfind(word) for word in _MINE), default=-1)
        if theirs > mine or (theirs == mine and sender is not None):
            receiver = receiver or role.words
        else:
            sender = sender or role.words
    return sender, receiver


def _deadline(heard: Heard) -> str | None:
    """The last day to come that the request names."""
    text = heard.message.text
    until = [value for value in heard.message.of("date") if "까지" in text[value.span[1] : value.span[1] + 4]]
    days = [getattr(value.value, "end", None) for value in until]
    ahead = [day for day in days if day is not None and day > heard.message.today]
    return ahead[-1].isoformat() if ahead else None


def _facts(heard: Heard) -> list[str]:
    """What was told that a letter can say: not names and addresses, which have their own places."""
    places = [role.span for role in heard.roles_of("person", "address")]
    clauses = [
        span for span in heard.message.clauses if (act := heard.act_at(span[0])) is not None and tells(heard, act)
    ]
    return [
        heard.message.text[slice(*span)].strip()
        for span in clauses
        if span[1] - span[0] > _LEAST and not any(overlap(span, place) for place in places)
    ]


def _names(text: str, words: Sequence[str]) -> bool:
    return any(word in text.lower() for word in words)
