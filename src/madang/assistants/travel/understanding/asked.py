"""The questions of a message: each sentence that asks, wants something written or tells of a worry, with what it is
about."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from madang.assistants.travel.data.cues import cue
from madang.assistants.travel.data.facts import Topic, topics_in
from madang.assistants.travel.state.results import AskedQuestion
from madang.assistants.travel.understanding.slots.place_names import find_places
from madang.assistants.travel.understanding.told import is_question
from madang.graph.reading import Heard, overlap
from madang.text.clauses import Span

_ASKS = re.compile(r"\?\s*$")
_COMPARES = re.compile(
    r"나을까|나아|낫|나은|좋을까|좋아요|vs|중에|중\s?어|어디가|뭐가|차이|비교|더\s?(?:싸|쌈|좋|가까|따뜻)|아님|아니면|고민|할까|이?요\?|생각\s?중",
    re.IGNORECASE,
)
_EITHER = re.compile(r"이?요\s\S{2,8}이?요\?|vs|아니면|아님|\sor\s|중에|어디가|고민|이나\s", re.IGNORECASE)
_JUST_LOOKING = re.compile(
    r"아직\s?(?:간다는|가는|갈|가겠다는)\s?(?:건|거|것)|알아보는\s?중|그냥\s?(?:궁금|물어)|가게\s?되면|만약"
)
_ABOUT_CITY = re.compile(r"어때|어떨까|어떤가|뭐가\s?있|뭐\s?있|볼\s?만|볼거리|갈\s?만한|좋은가|괜찮|뭐\s?해|뭐\s?하지")
_ABOUT_PLACE = re.compile(
    r"쉬는\s?날|휴무|휴관|휴일|닫|마지막\s?입장|휠체어|유모차|몇\s?시|언제|열어|열지|열리|여나|영업|운영|입장료|얼마|요금|어떻게\s?가|가는\s?법|어떻게\s?갑|얼마나\s?걸|애들|아이|괜찮|예약|어때|하나[요여]|가\s?볼\s?만|가야\s?할까"
)
_NEEDLESS = frozenset({"allergy", "pets", "vegan", "elderly"})
_MOST_COMPARED = 4
_LONGEST_SENTENCE = 60
_LONGEST = 1_000
_SHORTEST = 5
_TOLD_AS_QUESTION = frozenset({"nights", "people", "money", "date"})  # 4박5일 정도?
_SHORT_VALUE = 14


@dataclass(frozen=True)
class Asked:
    """A question as the state keeps it, and the acts of the message that it answers for."""

    question: AskedQuestion
    acts: tuple[int, ...]
    stops: bool = False


def questions_of(heard: Heard, cities: Sequence[str], spoken: Sequence[str] = (), known: str = "") -> list[Asked]:
    """Everything that is asked and that we may know of; `cities` and `spoken` (topics) are those spoken of so far,
    `known` what is known of the travellers."""
    whole = _of_message(heard, cities, spoken)
    if first := [one for one in whole if one.stops]:
        return first
    found = [one for part in _parts(heard) if (one := _question(heard, part, cities, spoken, known))]
    compared = _compared(heard)
    if compared:
        others = [one for one in found if one.question["topics"] not in (["city"], ["place"])]
        return [*whole, compared, *others]
    return [*whole, *found]


def unanswered(heard: Heard, asked: Sequence[Asked]) -> list[str]:
    """The sentences that ask and that nothing here answers, in their own words."""
    served = [heard.acts[index]["span"] for one in asked for index in one.acts]
    words = [one.question["words"] for one in asked]
    placed = any("place" in one.question["topics"] for one in asked)
    left = []
    for part in _parts(heard):
        text = heard.message.text[slice(*part)].strip()
        if any(overlap(part, span) for span in served) or any(text in said or said in text for said in words):
            continue
        values = {value.kind for value in heard.message.within(part)}
        if values & _TOLD_AS_QUESTION and len(text) <= _SHORT_VALUE:
            continue
        if cue("others_say").match(text) or (placed and _ABOUT_PLACE.search(text)):
            continue
        wants = cue("wants_text").search(text)
        asks = ("?" in text or _asked_acts(heard, part)) and cue("asks").search(text) and len(text) > _SHORTEST
        if wants or (asks and not cue("settles").search(text)):
            left.append(" ".join(text.split()))
    return left


def only_asked(heard: Heard) -> list[Span]:
    """Sentences that ask about something we have facts on and change nothing: no value in them is the trip's."""
    spans = []
    for sentence in heard.message.sentences:
        acts = [act for act in heard.acts if overlap(act["span"], sentence)]
        changes = any(act["kind"] in {"change", "add", "take_back", "choose", "order"} for act in acts)
        words = heard.message.text[slice(*sentence)]
        wanted = changes or cue("wants_place").search(words)
        if not wanted and topics_in(words) and _question(heard, sentence, (), ()) and _ASKS.search(words):
            spans.append(sentence)
    return spans


def just_looking(heard: Heard) -> bool:
    """Whether the writer says that nothing is decided yet: places named are only thought of."""
    return _JUST_LOOKING.search(heard.message.text) is not None


def _parts(heard: Heard) -> list[Span]:
    """Sentences; a long one is cut into its clauses."""
    parts: list[Span] = []
    for sentence in heard.message.sentences:
        clauses = [one for one in heard.message.clauses if sentence[0] <= one[0] and one[1] <= sentence[1]]
        parts += clauses if sentence[1] - sentence[0] > _LONGEST_SENTENCE and len(clauses) > 1 else [sentence]
    return parts


def _asked_acts(heard: Heard, part: Span) -> list[int]:
    acts = [index for index, act in enumerate(heard.acts) if overlap(act["span"], part)]
    return [index for index in acts if is_question(heard, index) and overlap(heard.acts[index]["span"], part)]


def _of_message(heard: Heard, cities: Sequence[str], spoken: Sequence[str]) -> list[Asked]:
    """What the message as a whole is about: a dispute, a danger, papers that are needed."""
    text = heard.message.text
    found = topics_in(text, spoken, whole=True)
    asks = cue("asks").search(text) is not None
    named = [value.value.name for value in heard.message.values if value.kind in {"city", "region"}]
    acts = tuple(range(len(heard.acts)))
    return [
        Asked(
            AskedQuestion(words=text[:_LONGEST], topics=[topic.id], cities=named or list(cities), places=[]),
            acts if topic.stops else (),
            topic.stops,
        )
        for topic in found
        if topic.always or asks
    ]


def _question(heard: Heard, part: Span, cities: Sequence[str], spoken: Sequence[str], known: str = "") -> Asked | None:
    words = heard.message.text[slice(*part)]
    acts = tuple(index for index, act in enumerate(heard.acts) if overlap(act["span"], part))
    asks = "?" in words or cue("asks").search(words) is not None
    books = any(heard.acts[index].get("task") == "book" and heard.acts[index]["kind"] == "order" for index in acts)
    found = topics_in(words, spoken, known)
    topics = _with_longest([topic for topic in found if asks or topic.always], eaten="먹" in words)
    named = [value for value in heard.message.within(part) if value.kind in {"city", "region"}]
    places = [value.value.name for value in heard.message.within(part) if value.kind == "sight"]
    places = places or [place.name for place in find_places(words, tuple(cities)) if not place.generic]
    ids = [topic.id for topic in topics]
    if books and not ids:
        ids = ["booking"]
    if not ids and asks and places and _ABOUT_PLACE.search(words):
        ids = ["place"]
    if not ids and asks and [one for one in named if one.kind == "city"] and _ABOUT_CITY.search(words):
        ids = ["city"]
    if not ids:
        return None
    spoken_of = [value.value.name for value in named]
    question = AskedQuestion(words=words, topics=ids, cities=spoken_of or list(cities), places=places)
    return Asked(question, acts if asks else (), any(topic.stops for topic in topics))


def _with_longest(topics: list[Topic], *, eaten: bool) -> list[Topic]:
    """A need that is only mentioned in a question about something else is not what is asked; an allergy is, where one
    asks what may be eaten."""
    needless = _NEEDLESS - {"allergy"} if eaten else _NEEDLESS
    telling = [topic for topic in topics if topic.id not in needless]
    return telling or topics


def _compared(heard: Heard) -> Asked | None:
    """다낭이 나을까 오키나와가 나을까요: some cities and a question which."""
    text = heard.message.text
    asked = [index for index in range(len(heard.acts)) if is_question(heard, index)]
    cities = list(dict.fromkeys(value.value.name for value in heard.message.of("city")))
    origins = {role.value.value.name for role in heard.roles_of("origin") if role.value and role.value.kind == "city"}
    cities = [city for city in cities if city not in origins]
    which = any(
        heard.acts[index]["kind"] == "ask_which" or heard.acts[index].get("task") == "recommend" for index in asked
    )
    fits = 2 <= len(cities) <= _MOST_COMPARED
    if (
        not fits
        or not (which or _EITHER.search(text))
        or not _COMPARES.search(text)
        or not (asked or "?" in text or "vs" in text or "고민" in text)
    ):
        return None
    return Asked(AskedQuestion(words=text[:200], topics=["compare"], cities=cities, places=[]), tuple(asked))
