"""What the guide has to say to a message, and when nothing else is to be done for it."""

import re

from madang.assistants.works.tools.compliance import read_facts
from madang.assistants.works.tools.guide import Spoken, Topic, terms_in, topics_in
from madang.assistants.works.tools.guide_text import guide_text
from madang.assistants.works.understanding.tasks import Task
from madang.assistants.works.understanding.turn_plan import Incoming
from madang.graph import Answer

_RULE_WORDS = re.compile(r"규정|규약|컴플라이언스|준법|위반|법적|검토|검사|체크|점검|내규")
_LOOK_UP = re.compile(r"찾아|검색|원문|관련\s?(?:규정|자료)|저장한|보관한|적어\s?[둔놓]|메모")
_NO = {
    "research_support",
    "venue",
    "stuffing",
    "coupon_cash",
    "present",
    "entertainment",
    "labour",
    "companion",
    "false_record",
}
SHORT, ECHO = 60, 24


def topics_of(message: Incoming) -> list[Topic]:
    """The topics that a message speaks of; a short question after such an answer is read with the one before."""
    found = topics_in(message.text)
    before = message.state.get("last_intent") or ""
    if found or len(message.text) > SHORT or not message.said_before or not re.search("guide|check", before):
        return found
    said = Spoken(message.text)
    both = topics_in(f"{message.text} {message.said_before[0]}")
    own = [one for one in both if any(word in said for word in one.signs[0])]
    return own or (both if _asks(message.text) and len(message.text) <= ECHO else [])


def _asks(text: str) -> bool:
    return bool(re.search(r"(?:이면|하면|으면|은요|는요|도요|면요)", text))


def is_known(message: Incoming) -> bool:
    """Whether the guide answers, in topics or in words of the trade."""
    return bool(topics_of(message) or terms_in(message.text))


def guided(message: Incoming) -> Answer | None:
    """The guide's answer by itself."""
    topics = topics_of(message)
    text = guide_text(topics, message.text, message.today)
    if not text:
        return None
    sections = [{"type": "guide", "title": one.title, "topic": one.id, "basis": one.basis} for one in topics]
    return Answer(answer=text, structured_data={"sections": sections})


def forbidden(topics: list[str]) -> bool:
    """Whether a topic says no whatever the amount."""
    return bool(set(topics) & _NO)


def is_judged(message: Incoming) -> bool:
    """Whether the rules can be applied to what is told: something is given to someone, or a check is asked for."""
    return bool(_RULE_WORDS.search(message.text) or read_facts(message.text, message.today).benefits)


def is_kept_or_changed(message: Incoming, tasks: set[Task]) -> bool:
    """Whether the message is about what is open: it is to be stored, or one of its fields is changed."""
    document = message.state.get("last_document")
    if "store" in tasks and re.search(r"저장|보관|남겨|기록해|파일링", message.text):
        return True
    asks = any(act["kind"].startswith("ask_") for act in message.heard.acts)
    return bool(document and document.get("form_data") and not asks and tasks & {"edit", "document", "check"})


def is_looked_up(text: str) -> bool:
    """Whether records and rules are to be searched, not only explained."""
    return bool(_LOOK_UP.search(text))


def is_searched(message: Incoming) -> bool:
    """Whether records or rules can answer: they are named, or looking for them is asked for."""
    return is_looked_up(message.text) or bool(_RULE_WORDS.search(message.text) or _RECORDS.search(message.text))


_RECORDS = re.compile(r"기록|문서|자료|노트|보고서|신청서|회의록|법|조항|조문|지난번|예전에")
