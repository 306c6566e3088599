"""The questions of a message: each sentence that asks, with what it is about."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from madang.assistants.travel.data.facts import topics_in
from madang.assistants.travel.state.results import AskedQuestion
from madang.assistants.travel.understanding.slots.place_names import find_places
from madang.assistants.travel.understanding.told import is_question
from madang.graph.reading import Heard, overlap
from madang.text.clauses import Span

_WORRIES = re.compile(r"걱정|궁금|불안|무서|알려|가르쳐|답해|어떡|모르겠")
_ASKS = re.compile(r"\?\s*$")
_COMPARES = re.compile(
    r"나을까|나아|낫|나은|좋을까|좋아요|vs|중에|중\s?어|어디가|뭐가|차이|비교|더\s?(?:싸|쌈|좋|가까|따뜻)|아님|아니면|고민|할까|이?요\?",
    re.IGNORECASE,
)
_EITHER = re.compile(r"이?요\s\S{2,8}이?요\?|vs|아니면|아님|\sor\s", re.IGNORECASE)
_JUST_LOOKING = re.compile(
    r"아직\s?(?:간다는|가는|갈|가겠다는)\s?(?:건|거|것)|알아보는\s?중|그냥\s?(?:궁금|물어)|가게\s?되면|만약"
)
_ABOUT_CITY = re.compile(r"어때|어떨까|어떤가|뭐가\s?있|뭐\s?있|볼\s?만|볼거리|갈\s?만한|좋은가|괜찮")
_ABOUT_PLACE = re.compile(
    r"몇\s?시|언제|열어|열지|열리|여나|영업|운영|입장료|얼마|요금|어떻게\s?가|가는\s?법|어떻게\s?갑|얼마나\s?걸|애들|아이|괜찮|예약|어때|하나[요여]|가\s?볼\s?만"
)
_NEEDLESS = frozenset({"allergy", "pets", "vegan", "elderly"})


@dataclass(frozen=True)
class Asked:
    """A question as the state keeps it, and the acts of the message that it answers for."""

    question: AskedQuestion
    acts: tuple[int, ...]


def questions_of(heard: Heard, cities: Sequence[str]) -> list[Asked]:
    """Every sentence that asks something we may know; `cities` are those spoken of so far."""
    found = [one for sentence in _sentences(heard) if (one := _question(heard, sentence, cities))]
    compared = _compared(heard)
    if compared:
        others = [one for one in found if one.question["topics"] not in (["city"], ["place"])]
        return [compared, *others]
    return found


def only_asked(heard: Heard) -> list[Span]:
    """Sentences that ask about something we have facts on and change nothing: no value in them is the trip's."""
    spans = []
    for sentence in heard.message.sentences:
        acts = [act for act in heard.acts if overlap(act["span"], sentence)]
        changes = any(act["kind"] in {"change", "add", "take_back", "choose", "order"} for act in acts)
        words = heard.message.text[slice(*sentence)]
        if not changes and topics_in(words) and _question(heard, sentence, ()) and _ASKS.search(words):
            spans.append(sentence)
    return spans


def just_looking(heard: Heard) -> bool:
    """Whether the writer says that nothing is decided yet: places named are only thought of."""
    return _JUST_LOOKING.search(heard.message.text) is not None


def _sentences(heard: Heard) -> list[Span]:
    """Sentences; a long one with several questions is cut where its acts are."""
    return list(heard.message.sentences)


def _question(heard: Heard, sentence: Span, cities: Sequence[str]) -> Asked | None:
    words = heard.message.text[slice(*sentence)]
    acts = tuple(index for index, act in enumerate(heard.acts) if overlap(act["span"], sentence))
    asks = any(is_question(heard, index) for index in acts) or bool(_ASKS.search(words))
    books = any(heard.acts[index].get("task") == "book" and heard.acts[index]["kind"] == "order" for index in acts)
    topics = [topic.id for topic in topics_in(words)]
    topics = _with_longest(topics)
    if not (asks or books or (topics and _WORRIES.search(words))):
        return None
    named = [value for value in heard.message.within(sentence) if value.kind in {"city", "region"}]
    places = [value.value.name for value in heard.message.within(sentence) if value.kind == "sight"]
    places = places or [place.name for place in find_places(words, tuple(cities)) if not place.generic]
    if books and not topics:
        topics = ["booking"]
    if not topics and places and _ABOUT_PLACE.search(words):
        topics = ["place"]
    if not topics and [one for one in named if one.kind == "city"] and _ABOUT_CITY.search(words):
        topics = ["city"]
    if not topics:
        return None
    spoken = [value.value.name for value in named]
    return Asked(AskedQuestion(words=words, topics=topics, cities=spoken or list(cities), places=places), acts)


def _with_longest(topics: list[str]) -> list[str]:
    """A need that is only mentioned in a question about something else is not what is asked."""
    telling = [topic for topic in topics if topic not in _NEEDLESS]
    return telling or topics


def _compared(heard: Heard) -> Asked | None:
    """다낭이 나을까 오키나와가 나을까요: two cities and a question which."""
    text = heard.message.text
    asked = [index for index in range(len(heard.acts)) if is_question(heard, index)]
    spans = [heard.acts[index]["span"] for index in asked]
    cities = [
        value.value.name for value in heard.message.of("city") if any(overlap(value.span, span) for span in spans)
    ]
    cities = list(dict.fromkeys(cities))
    which = any(
        heard.acts[index]["kind"] == "ask_which" or heard.acts[index].get("task") == "recommend" for index in asked
    )
    if len(cities) != 2 or not (which or _EITHER.search(text)) or not _COMPARES.search(text):
        return None
    return Asked(AskedQuestion(words=text[:200], topics=["compare"], cities=cities, places=[]), tuple(asked))
