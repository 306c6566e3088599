"""The part of a message that tells of the trip: what is asked about, denied, said beside the matter, or read as a need
is hidden letter by letter, so that no place or number in it becomes part of the trip."""

import re
from itertools import pairwise

from madang.assistants.travel.understanding.slots.masks import masked
from madang.graph.reading import Heard
from madang.text.clauses import Span
from madang.text.learnt import Role

HIDDEN = "□"
_SURE = 0.6
_VERY_SURE = 0.8
_BESIDE = frozenset({"aside", "rest_time", "arrive_time", "leave_time", "max_flight"})
_NAMES = frozenset({"city", "region", "sight"})
_ABOUT_PLACES = frozenset({"ask_place", "ask_plan", "recommend", "book", "export"})
_ASKED_ONLY = frozenset({"ask_place", "book", "export"})
_TELLING = frozenset(
    {"destination", "origin", "day_trip", "must_visit", "nights", "travel_dates", "depart_date", "return_date",
     "people", "child_age", "budget", "budget_per_person", "style", "pace", "airline", "lodging", "transport"}
)  # fmt: skip
_DENIED = re.compile(
    r"\s*(?:그건|그거는|그런\s?건|그\s?얘긴|그거)\s?(?:그냥\s?)?(?:무시|빼|말고|됐|패스|신경\s?(?:쓰지|끄)|안\s?해)"
)
_INTERROGATIVE = re.compile(
    r"\?|(?:까|나|니|냐|가|죠|지|노|어때|요|는지|을지|ㄹ지|슈|쥬|당가|음|됨|대유|나유|돼|데)(?:요|여|용)?[\s.~!ㅋㅎㅠㅜ]*$"
    r"|몇|뭐|무슨|어디|언제|얼마|어떻|어케|왜|어느|누구|궁금|알려|what|how|where|when|which|is there|can ",
    re.IGNORECASE,
)
_IGNORED = re.compile(r"[^.?!\n]{0,14}무시")


def told_text(heard: Heard, *, settled: bool) -> str:
    """The message with those parts hidden; its places stay where they are. `settled`: a destination is known."""
    hidden = [*_asides(heard), *denied(heard), *_asked_about(heard, settled), *_origins_again(heard)]
    return masked(heard.message.text, hidden, HIDDEN)


def _origins_again(heard: Heard) -> list[Span]:
    """청주출발 되면 청주요: the same city once more is where one starts, too."""
    sure = {role.value.value for role in heard.roles_of("origin") if role.value and role.sure >= _VERY_SURE}
    cities = [value for value in heard.message.of("city") if value.value in sure]
    return [value.span for value in cities if not (role := heard.role_at(value.span)) or role.name != "origin"]


def _asides(heard: Heard) -> list[Span]:
    return [role.span for role in heard.roles if role.name in _BESIDE and role.sure >= _SURE and not _date(role)]


def _date(role: Role) -> bool:
    """A day that is only beside the matter for the tagger may still be the trip's: the dates decide."""
    return role.name == "aside" and role.value is not None and role.value.kind == "date" and role.sure < _VERY_SURE


def denied(heard: Heard) -> list[Span]:
    """골프 얘기 하는데 그건 무시하세요: the clause that is taken back by the one after it."""
    text, clauses = heard.message.text, heard.message.clauses
    found = [before for before, after in pairwise(clauses) if _DENIED.match(text, after[0])]
    return found + [span for span in clauses if "무시" in text[slice(*span)] and _IGNORED.search(text, *span)]


def _asked_about(heard: Heard, settled: bool) -> list[Span]:
    """Places that a question is about, once the trip has a goal: they are not where it goes."""
    acts = heard.acts
    changes = {index for index, act in enumerate(acts) if act["kind"] in {"change", "add", "take_back", "choose"}}
    if not settled:
        return []
    spans = []
    for value in heard.message.values:
        act, role = heard.act_at(value.span[0]), heard.role_at(value.span)
        if value.kind not in _NAMES or act is None or any(index > act for index in changes):
            continue
        moves = role is not None and role.name in {"origin", "day_trip"}
        if is_question(heard, act) and acts[act].get("task") in _ABOUT_PLACES and not moves:
            spans.append(value.span)
    return spans + _only_asked(heard, changes)


def _only_asked(heard: Heard, changes: set[int]) -> list[Span]:
    """Questions about places and plans in which nothing is said of the trip: 끊어야 하나요 counts nobody."""
    spans = []
    for index, act in enumerate(heard.acts):
        start, end = act["span"]
        tells = any(
            role.name in _TELLING and role.sure >= _SURE and start <= role.span[0] < end for role in heard.roles
        )
        sure = act.get("sure", 0.0) >= _SURE and not any(other > index for other in changes)
        if sure and act.get("task") in _ASKED_ONLY and is_question(heard, index) and not tells:
            spans.append((start, end))
    return spans


def is_question(heard: Heard, act: int) -> bool:
    """Whether an act asks: by its label and by its form, since a list of names is easily taken for a question."""
    one = heard.acts[act]
    words = heard.message.text[one["span"][0] : one["span"][1]]
    return one["kind"].startswith("ask_") and bool(_INTERROGATIVE.search(words))
