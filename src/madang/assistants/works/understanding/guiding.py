"""What the guide has to say to a message, and when nothing else is to be done for it."""

import re
from collections.abc import Sequence

from madang.assistants.works.tools.compliance import read_facts
from madang.assistants.works.tools.guide import Spoken, Topic, in_english, terms_in, topic_of, topic_titled, topics_in
from madang.assistants.works.tools.guide_text import english_text, guide_text, language_of, narrow_text
from madang.assistants.works.tools.lexicon_search import scan
from madang.assistants.works.tools.topic_reader import NONE, likely_topics
from madang.assistants.works.understanding.tasks import Task
from madang.assistants.works.understanding.turn_plan import Incoming
from madang.graph import Answer
from madang.graph.reading import Heard, overlap
from madang.search.faq import Near

_RULE_WORDS = re.compile(r"규정|규약|컴플라이언스|준법|위반|법적|검토|검사|체크|점검|내규")
_LOOK_UP = re.compile(r"찾아|검색|원문|관련\s?(?:규정|자료)|저장한|보관한|적어\s?[둔놓]|메모")
_NOTED = re.compile(r"(?:노트|메모|일지|수첩)에\s[^.?!\n]{0,80}(?:적어|써)\s?[놨놓뒀둔두]")
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
# Chosen on the labelled development rounds, each learnt without itself (`madang bench eval-works-topics`): of 75 turns
# answered at these bounds 69 get a topic that answers and 66 nothing else; by the signs alone 55 and 34 of 89.
SURE, SIGNED, NEAR, SPOKEN_OF = 0.3, 0.15, 0.2, 0.15
BESIDES, WANTED = 0.4, 0.6
"""How sure a topic must be where figures, records or a text are asked for, and how sure it must be that they are."""
CERTAIN = 0.5
"""How sure a topic must be that is told beside a narrow question's answer."""
MOST, OFFERED = 3, 2
# How near a narrow question must be that is answered, one that is told as the nearest; so many of them are told.
# Read on the labelled development rounds (`madang bench eval-works-narrow`): of the nearest questions five of six are
# right from SURELY on, three of four from MAYBE on, and every other one from OFFER on.
SURELY, MAYBE, OFFER, NARROW, STRICTER = 0.58, 0.5, 0.38, 3, 0.04
SAFETY = frozenset({"adverse_event"})
"""What is told as soon as it may be meant: somebody may be harmed."""
TELLING = 10
"""Letters below which a question ("이거 어떡해야 돼?") is about what the rest tells."""


def topics_of(message: Incoming) -> list[Topic]:
    """The topics that a message asks about, the surest first; a short question after such an answer is read with the
    one before. A topic is sure by what was learnt, or by less of that where its own signs are said too."""
    if named := topic_titled(message.text):
        return [named]
    found = _asked_about(message)
    return _surely(message, found) if _wants_other(message) else found


def set_aside(message: Incoming) -> bool:
    """Whether the guide knows the matter, but figures, records or a document of it are asked for: a rule is no answer,
    and figures that don't know the matter are none either."""
    return _wants_other(message) and bool(found := _asked_about(message)) and not _surely(message, found)


def _surely(message: Incoming, topics: list[Topic]) -> list[Topic]:
    likely = likely_topics(asking_parts(message.heard))
    return [one for one in topics if likely.get(one.id, 0.0) >= BESIDES]


def _asked_about(message: Incoming) -> list[Topic]:
    found = _told(message, _sure(asking_parts(message.heard), topics_in(message.text)))
    before = message.state.get("last_intent") or ""
    if found or len(message.text) > SHORT or not message.said_before or not re.search("guide|check", before):
        return found
    said = Spoken(message.text)
    both = topics_in(f"{message.text} {message.said_before[0]}")
    own = [one for one in both if any(word in said for word in one.signs[0])]
    return own or (both if _asks(message.text) and len(message.text) <= ECHO else [])


def _wants_other(message: Incoming) -> bool:
    """Whether figures, records or a document are asked for rather than what may be done: no rule answers that."""
    if _RULE_WORDS.search(message.text):
        return False
    asked = [act for act in message.heard.acts if act["kind"].startswith(("ask_", "order", "add"))]
    sure = [act for act in asked if (act.get("sure") or 0) >= WANTED]
    return bool(sure) and all(act.get("task") in _ELSEWHERE for act in sure)


_ELSEWHERE = frozenset({"analysis", "document"})


def _sure(parts: list[str], signed: list[Topic]) -> list[Topic]:
    likely, named = likely_topics(parts), {one.id for one in signed}
    sure = [
        (score, name) for name, score in likely.items() if name != NONE and score >= (SIGNED if name in named else SURE)
    ]
    found = [topic_of(name) for _, name in sorted(sure, reverse=True)]
    needless = {name for topic in found for name in topic.over}
    return [one for one in found if one.id not in needless][:MOST]


def near_topics(message: Incoming) -> list[Topic]:
    """The topics that may be meant, not surely enough to answer."""
    likely = likely_topics(asking_parts(message.heard))
    near = sorted(((score, name) for name, score in likely.items() if name != NONE and score >= NEAR), reverse=True)
    return _told(message, [topic_of(name) for _, name in near[:OFFERED]])


def _told(message: Incoming, topics: list[Topic]) -> list[Topic]:
    """The topics that can be told in the message's language."""
    if language_of(message.text) != "en":
        return topics
    return [one for topic in topics if (one := in_english(topic))]


def asking_parts(heard: Heard) -> list[str]:
    """The sentences that ask or order, each by itself and after the one before it, and the whole message."""
    text, sentences = heard.message.text, heard.message.sentences
    parts = []
    for at in _asking(heard):
        parts.append(text[slice(*sentences[at])])
        if at:
            parts.append(text[sentences[at - 1][0] : sentences[at][1]])
    return list(dict.fromkeys([*parts, text]))


def asking_sentences(heard: Heard) -> list[str]:
    """The sentences that ask or order, as typed."""
    return [heard.message.text[slice(*heard.message.sentences[at])] for at in _asking(heard)]


def _asking(heard: Heard) -> Sequence[int]:
    """Which sentences ask or order; the last two where none is seen to."""
    sentences = heard.message.sentences
    asked = [act["span"] for act in heard.acts if act["kind"].startswith(("ask_", "order"))]
    places = [at for at, one in enumerate(sentences) if any(overlap(one, span) for span in asked)]
    return places or range(max(0, len(sentences) - 2), len(sentences))


def unanswered(heard: Heard, topics: list[str]) -> list[int]:
    """The acts that ask or order something of which none of these topics speaks."""
    text, sentences = heard.message.text, heard.message.sentences
    left = []
    for index, act in enumerate(heard.acts):
        if not act["kind"].startswith(("ask_", "order")):
            continue
        if sum(map(str.isalnum, text[slice(*act["span"])])) < TELLING:
            continue
        around = [one for one in sentences if overlap(one, act["span"])]
        parts = [text[slice(*act["span"])], *(text[slice(*one)] for one in around)]
        likely = likely_topics(parts)
        if not any(likely.get(name, 0.0) >= SPOKEN_OF for name in topics):
            left.append(index)
    return left


def _asks(text: str) -> bool:
    return bool(re.search(r"(?:이면|하면|으면|은요|는요|도요|면요)", text))


def is_known(message: Incoming) -> bool:
    """Whether the guide answers, in topics, in narrow questions or in words of the trade."""
    return bool(topics_of(message) or sure_narrow(message) or terms_in(message.text))


def sure_narrow(message: Incoming) -> list[Near]:
    """The narrow questions that a message surely asks; the more surely where figures or documents seem to be wanted."""
    if _plain_figures(message):
        return []
    bound = SURELY + (STRICTER if _wants_other(message) else 0)
    return _of_several_topics([one for one in message.narrow if one.score >= bound])


def _of_several_topics(near: Sequence[Near]) -> list[Near]:
    """The nearest, and others that are of another topic than those before: another question of the same message."""
    told: dict[str, Near] = {}
    for one in near:
        told.setdefault(one.question.topic or one.question.id, one)
    return list(told.values())[:NARROW]


def _plain_figures(message: Incoming) -> bool:
    """ "2019년 3월 매출": a figure and a period, and hardly a word beside them."""
    found = scan(message.text, message.lexicon)
    metric = any(one.meaning.role == "metric" for one in found)
    dated = any(one.kind in {"period", "date"} for one in message.heard.message.values)
    return metric and dated and len(message.text) <= ECHO


def near_narrow(message: Incoming) -> list[Near]:
    """The narrow question that a message may ask, and a second one where that is sure."""
    bound = MAYBE + (STRICTER if _wants_other(message) else 0)
    near = [] if _plain_figures(message) else [one for one in message.narrow if one.score >= bound]
    return _of_several_topics([*near[:1], *(one for one in near[1:] if one.score >= SURELY)])


def offered_narrow(message: Incoming) -> list[str]:
    """Narrow questions that may be meant, not surely enough to tell their answers: each, sent as it is, is answered."""
    if wants_nothing_told(message) or _plain_figures(message):
        return []
    language = language_of(message.text)
    return [one.question.asked_in(language) for one in message.narrow if OFFER <= one.score < MAYBE][:OFFERED]


def wants_nothing_told(message: Incoming) -> bool:
    """Whether a message is too short to be like any question."""
    return sum(map(str.isalnum, message.text)) < TELLING


def guided(message: Incoming) -> Answer | None:
    """The guide's answer by itself."""
    narrow = sure_narrow(message)
    topics = _beside(message, narrow)
    english = language_of(message.text) == "en"
    text = english_text(topics) if english else guide_text(topics, message.text, message.today)
    said = [*(narrow_text(one.question, english=english) for one in narrow), text]
    if not any(said):
        return None
    sections = [{"type": "guide", "title": one.title, "topic": one.id, "basis": one.basis} for one in topics]
    return Answer(answer="\n\n".join(filter(None, said)), structured_data={"sections": sections})


def _beside(message: Incoming, narrow: Sequence[Near]) -> list[Topic]:
    """The topics beside narrow answers: of another matter than these, and surely asked about."""
    topics = topics_of(message)
    if not narrow:
        return topics
    told, likely = {one.question.topic for one in narrow}, likely_topics(asking_parts(message.heard))
    return [one for one in topics if one.id not in told and likely.get(one.id, 0.0) >= CERTAIN]


def forbidden(topics: list[str]) -> bool:
    """Whether a topic says no whatever the amount."""
    return bool(set(topics) & _NO)


def is_judged(message: Incoming) -> bool:
    """Whether the rules can be applied to what is told: something is given to someone, or a check is asked for."""
    if _RULE_WORDS.search(message.text):
        return True
    benefits = read_facts(message.text, message.today).benefits
    # What old notes say is not given to anyone, unless an amount is told.
    return bool(benefits) and (not _NOTED.search(message.text) or any(one.each or one.total for one in benefits))


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
