"""Decision rules: what the law says to an act that people ask "may I, must I, is it valid" about."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, Literal, get_args

from madang.assistants.homes import data
from madang.errors import UnreadableData

Verdict = Literal["yes", "no", "depends"]
Actor = Literal["tenant", "landlord", "broker", "buyer", "seller", "anyone"]
FOLDER = "judgements"
COMPARISONS = ("at_most", "at_least", "under", "over")


@dataclass(frozen=True, kw_only=True)
class Case:
    """What turns a rule: facts with their bounds, words that were said, a shop; and the verdict then."""

    when: Mapping[str, Any]
    verdict: Verdict
    say: str
    because: str


@dataclass(frozen=True, kw_only=True, eq=False)
class Rule:
    """One act with its verdict.

    `act` is a statement, `verdict` whether it holds unless a case says otherwise. `asks` are questions answered as the
    verdict says, `asks_reversed` those answered the other way; `near_misses` are like them and about something else.
    `outside` are laws that aren't among our statutes.
    """

    id: str
    topic: str
    act: str
    actor: Actor
    verdict: Verdict
    say: str
    because: str
    asks: tuple[str, ...]
    near_misses: tuple[str, ...]
    as_of: str
    asks_reversed: tuple[str, ...] = ()
    advice: str = ""
    turns: str = ""
    ask: str = ""
    articles: tuple[str, ...] = ()
    outside: tuple[str, ...] = ()
    cases: tuple[Case, ...] = ()
    of_shop: bool = False


@cache
def load_rules() -> tuple[Rule, ...]:
    """Every packaged rule, in the order of the files. Raises `UnreadableData` naming the file that is wrong."""
    found: dict[str, Rule] = {}
    for name in sorted(f"{FOLDER}/{item.name}" for item in files(data.__name__).joinpath(FOLDER).iterdir()):
        table = data.load(name)
        with data.well_formed(name):
            rules = [_rule(table, item) for item in table["rule"]]
        for rule in rules:
            if rule.id in found:
                raise UnreadableData(f"{name}: {rule.id} stands twice")
            found[rule.id] = rule
    return tuple(found.values())


def _rule(file: Mapping[str, Any], item: Mapping[str, Any]) -> Rule:
    return Rule(
        id=item["id"],
        topic=file["topic"],
        act=item["act"],
        actor=_one_of(item["actor"], get_args(Actor)),
        verdict=_one_of(item["verdict"], get_args(Verdict)),
        say=item["say"],
        because=item["because"],
        asks=tuple(item["asks"]),
        asks_reversed=tuple(item.get("asks_reversed", ())),
        near_misses=tuple(item["near_misses"]),
        as_of=file["as_of"],
        advice=item.get("advice", ""),
        turns=item.get("turns", ""),
        ask=item.get("ask", ""),
        articles=tuple(item.get("articles", ())),
        outside=tuple(item.get("outside", ())),
        cases=tuple(_case(one) for one in item.get("case", ())),
        of_shop=file.get("field") == "shop",
    )


def _case(item: Mapping[str, Any]) -> Case:
    for name, bound in item["when"].items():
        if isinstance(bound, Mapping) and not set(bound) <= set(COMPARISONS):
            raise ValueError(f"{name}: {sorted(bound)} is no comparison")
    verdict = _one_of(item["verdict"], get_args(Verdict))
    return Case(when=item["when"], verdict=verdict, say=item["say"], because=item["because"])


def _one_of(value: str, known: Sequence[str]) -> Any:
    if value not in known:
        raise ValueError(f"{value!r} is none of {known}")
    return value
