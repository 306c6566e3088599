"""What a message wants, by what it asks: the learnt tasks of its questions beside the intent that its words tell."""

from collections.abc import Mapping, Sequence
from typing import Any

from madang.assistants.homes.tools.figure_facts import Facts
from madang.assistants.homes.tools.legal_search import telling_words
from madang.assistants.homes.understanding.intent_cues import asks_for_a_talk
from madang.assistants.homes.understanding.intent_types import IntentType
from madang.assistants.homes.understanding.questions import Asked, asked_in
from madang.graph.reading import Heard
from madang.text.normalise import squeeze

State = Mapping[str, Any]
# Words tell the intent of a short question well; a longer message tells more than it asks.
LONG = 70
TOLD = 0.6
HEARD = 0.55
_OFF_TOPIC = 0.95
_I = IntentType
_INTENTS: Mapping[str, IntentType] = {
    "law": _I.LEGAL_CONSULT,
    "figure": _I.LEGAL_CONSULT,
    "price": _I.MARKET_INQUIRY,
    "loan": _I.LOAN_CONSULT,
    "draft": _I.CONTRACT_CREATION,
    "review": _I.CONTRACT_REVIEW,
    "risk": _I.RISK_ANALYSIS,
}
_IDLE = frozenset({"thank", "greet", "confirm", "deny", "choose", "danger", "take_back"})
_HOME_AGAIN = ("집은", "집이면", "집이라면", "주택은", "주택이면", "집일", "집인")


def route(
    heard: Heard, state: State, intent: IntentType, parts: Sequence[IntentType], confidence: float
) -> tuple[IntentType, Sequence[IntentType], float]:
    """The intents of a message. `intent`, `parts` and `confidence` are what its words told."""
    asked = [one for one in asked_in(heard) if one.task in _INTENTS]
    told = confidence >= TOLD and intent not in (_I.UNCLEAR, _I.IRRELEVANT)
    if asks_for_a_talk(heard.message.text) or not (state.get("last_intent") or telling_words(heard.message.text)):
        return intent, parts, confidence
    if state.get("last_intent") not in (None, _I.LEGAL_CONSULT) and heard.message.values and _names_nothing(heard):
        # "3억까지 괜찮아": a value alone goes on with what was looked for.
        return intent, parts, confidence
    is_long = len(heard.message.text) > LONG or len(asked) > 1
    if told and not is_long:
        return intent, parts, confidence
    if not asked:
        return _telling(heard, state, intent, parts, confidence)
    short = len(heard.message.text) <= LONG
    if intent is _I.IRRELEVANT and confidence >= TOLD and short and max(one.sure for one in asked) < _OFF_TOPIC:
        return intent, parts, confidence
    wanted = list(dict.fromkeys(_intent(one, heard) for one in asked if one.sure >= HEARD or not told))
    if told and intent is _I.COMPREHENSIVE:
        wanted = list(dict.fromkeys([*parts, *wanted]))
    elif told and not wanted:
        wanted = [intent]
    wanted = wanted or [intent]
    sure = round(max(0.5, *(one.sure for one in asked)), 3)
    return (wanted[0] if len(wanted) == 1 else _I.COMPREHENSIVE), wanted, sure


def _names_nothing(heard: Heard) -> bool:
    return not telling_words(heard.message.text)


def _intent(one: Asked, heard: Heard) -> IntentType:
    """The intent of a question. What is to be written is a contract only if one is named."""
    if one.task == "draft" and not any(word in heard.message.text for word in ("계약서", "특약", "contract")):
        return _I.LEGAL_CONSULT
    return _INTENTS[one.task]


def _telling(
    heard: Heard, state: State, intent: IntentType, parts: Sequence[IntentType], confidence: float
) -> tuple[IntentType, Sequence[IntentType], float]:
    """A message that asks nothing: what happened at home is a question of law, unless it is mere talk."""
    tells = [act for act in heard.acts if act["kind"] not in _IDLE and act.get("task") in _INTENTS]
    if intent not in (_I.UNCLEAR, _I.IRRELEVANT) or not tells or is_idle(heard):
        return intent, parts, confidence
    task = max(tells, key=lambda act: act["span"][1] - act["span"][0]).get("task") or "law"
    task = "law" if task == "draft" and not state.get("document_template") else task
    sure = max(act.get("sure", 0.0) for act in tells)
    if sure < HEARD or (not state.get("last_intent") and confidence >= TOLD):
        return intent, parts, confidence
    return _INTENTS[task], (_INTENTS[task],), round(sure, 3)


def is_idle(heard: Heard) -> bool:
    """Whether a message only greets, thanks, agrees or talks: nothing is wanted by it."""
    return all(act["kind"] in _IDLE or act.get("task") == "chat" for act in heard.acts)


def asks_for_figure(asked: Sequence[Asked]) -> bool:
    """Whether one of the questions is how much something is."""
    return any(one.task == "figure" or one.kind == "ask_how_much" for one in asked)


def lease_kind(heard: Heard) -> str | None:
    """Whether a message speaks of a shop or turns back to a home; None if it doesn't say. In a story only what is
    asked, and what is called the place, tell."""
    text = heard.message.text
    if squeeze(text).startswith(_HOME_AGAIN):
        return "home"
    told = [role.words for role in heard.roles_of("property")]
    words = text if len(text) <= LONG else " ".join([*told, *(one.text for one in asked_in(heard))])
    return "shop" if Facts(words, heard.message.today).is_shop else None
