"""What a message asks: each question and order by itself, with what was told for it."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from madang.assistants.homes.state.conversation import LegalQuestion
from madang.assistants.homes.tools.legal_search import telling_words
from madang.graph.reading import Act, ActKind, Heard

TOLD_MOST = 7
# A message so short is searched for as it stands.
WHOLE = 60
_FEWEST_WORDS, _FEWEST_ALONE, _SHORTEST = 3, 2, 5
CONNECTS = re.compile(
    r"\s*(?:아\s|그럼|그러면|근데|그런데|그리고|그라|그건|그거|그것|이거|이것|또|만약|아니|also|and|so)", re.IGNORECASE
)
# A clause that ends so leads up to the question after it.
_LEADS_UP = ("데", "지만", "거든", "니까", "으니")


@dataclass(frozen=True)
class Asked:
    """One question or order. `told` is what the message told for it, the nearest last; `act` its place in the acts."""

    act: int
    kind: ActKind
    task: str
    text: str
    told: tuple[str, ...]
    sure: float

    @property
    def says_little(self) -> bool:
        """Whether it can't be looked up by itself: "그것도 되나요?"."""
        return len(telling_words(self.text)) < _FEWEST_WORDS


def asked_in(heard: Heard) -> list[Asked]:
    """The questions and orders of a message in order. What only leads up to one is told for it; one that says nothing
    itself ("맞나요?") belongs to what stands before it."""
    found: list[Asked] = []
    for index, act in enumerate(heard.acts):
        if not asks(act) or _leads_up(heard, index):
            continue
        text = heard.message.text[slice(*act["span"])]
        told = _told(heard, index)
        if not telling_words(text) or len(text) <= _SHORTEST:
            if found and found[-1].act == index - 1:
                found[-1] = replace(found[-1], text=f"{found[-1].text} {text}")
                continue
            text = f"{told[-1]} {text}" if told else text
        found.append(Asked(index, act["kind"], act.get("task") or "law", text, told, act.get("sure", 0.0)))
    return found


def asks(act: Act) -> bool:
    """Whether an act wants something done or answered."""
    return act["kind"].startswith("ask_") or act["kind"] == "order"


def told_in(heard: Heard) -> list[str]:
    """What a message tells, clause by clause."""
    return [
        heard.message.text[slice(*span)]
        for span in heard.message.clauses
        if (act := heard.act_at(span[0])) is not None and tells(heard, act)
    ]


def tells(heard: Heard, index: int) -> bool:
    """Whether an act tells something: facts, or what leads up to a question."""
    return heard.acts[index]["kind"] in {"tell", "change", "add", "danger"} or _leads_up(heard, index)


def _leads_up(heard: Heard, index: int) -> bool:
    act = heard.acts[index]
    follows = index + 1 < len(heard.acts) and asks(heard.acts[index + 1])
    return asks(act) and follows and heard.message.text[slice(*act["span"])].rstrip(" ,").endswith(_LEADS_UP)


def _told(heard: Heard, index: int) -> tuple[str, ...]:
    """Clauses told before a question, and those told after it when nothing more is asked."""
    start, end = heard.acts[index]["span"]
    more = any(asks(act) for act in heard.acts[index + 1 :])
    clauses = [
        span
        for span in heard.message.clauses
        if (span[1] <= start or (span[0] >= end and not more))
        and (act := heard.act_at(span[0])) is not None
        and tells(heard, act)
    ]
    before = [heard.message.text[slice(*span)] for span in clauses if span[1] <= start][-TOLD_MOST:]
    after = [heard.message.text[slice(*span)] for span in clauses if span[0] >= end][:2]
    return (*after, *before)


def leans_back(text: str) -> bool:
    """Whether a text goes on with what was said before: it says so, or says too little itself."""
    return bool(CONNECTS.match(text)) or len(telling_words(text)) < _FEWEST_ALONE


def legal_questions(
    asked: Sequence[Asked], text: str, told: Sequence[str], story: Sequence[str]
) -> list[LegalQuestion]:
    """Each question as it is looked up and judged: its own words, what was told for it and, if it says little itself,
    what was told in earlier messages. A message that only tells is one question."""
    if not asked:
        before = list(story) if leans_back(text) else []
        return [LegalQuestion(act=None, kind="tell", question=text, told=list(told), before=before)]
    whole = len(asked) == 1 and len(text) <= WHOLE
    return [
        LegalQuestion(
            act=one.act,
            kind=one.kind,
            question=text if whole else one.text,
            told=list(one.told),
            before=list(story) if leans_back(one.text) else [],
        )
        for one in asked
    ]
