"""The rules of contract review, read from their data file: what a statement must mean to be objected to."""

from dataclasses import dataclass, fields
from functools import cache
from typing import Any, Literal, get_args

from madang.assistants.homes import data
from madang.assistants.homes.state.results import Severity
from madang.assistants.homes.tools.contract_words import concepts
from madang.errors import UnreadableData


@dataclass(frozen=True, kw_only=True)
class Breach:
    """One way in which a rule is broken. Names are concepts; "a|b" is either of two.

    Where they must stand: `all` in the statement, `main` in what it says, `act` in what is done, `when` in
    the condition, `near` in the sentence with its exception; `none`, `none_main`, `none_around` must not stand there.
    `denied` is a right of the tenant that is taken away; needing `consent` for it, its `delay`, a penalty for using it
    (`chill`) or the landlord's not doing it (`owed`) takes it away too. `denies` asks for a denial of anything.
    What is done despite `despite` is fair, and so is what isn't `kept` from the tenant.
    `bears` is at the tenant's cost, `accepts` a promise not to object; `alone` counts only if nothing else is found.
    """

    all: tuple[str, ...] = ()
    main: tuple[str, ...] = ()
    act: tuple[str, ...] = ()
    when: tuple[str, ...] = ()
    near: tuple[str, ...] = ()
    none: tuple[str, ...] = ()
    none_main: tuple[str, ...] = ()
    none_around: tuple[str, ...] = ()
    actor: str | None = None
    not_actor: str | None = None
    polarity: Literal["positive", "negative"] | None = None
    denied: str | None = None
    chill: bool = True
    consent: bool = False
    delay: bool = False
    owed: bool = False
    denies: bool = False
    bears: bool = False
    accepts: bool = False
    despite: tuple[str, ...] = ()
    kept: tuple[str, ...] = ()
    alone: bool = False
    check: str | None = None

    @property
    def topic(self) -> str:
        """The concept it is about."""
        return self.denied or next(iter((*self.all, *self.main, *self.act, *self.near, *self.when)))

    def named(self) -> set[str]:
        """Every concept it names."""
        values = [getattr(self, field.name) for field in fields(self)]
        names = [name for value in values if isinstance(value, tuple) for name in value]
        return {part for name in (*names, self.denied or "landlord") for part in name.split("|")}


@dataclass(frozen=True, kw_only=True)
class ContractRule:
    """What makes a statement unfair, why, on which article, and what to write instead.

    `topics` are the concepts one of which a statement about it names; a finding yields to those of `yields_to`.
    """

    id: str
    title: str
    severity: Severity
    articles: tuple[str, ...]
    why: str
    instead: str
    breaches: tuple[Breach, ...]
    shop_articles: tuple[str, ...] = ()
    yields_to: tuple[str, ...] = ()

    def articles_for(self, shop: bool) -> tuple[str, ...]:
        """The articles it rests on, for a shop or a home."""
        return self.shop_articles or self.articles if shop else self.articles


@cache
@data.well_formed("contract_rules.toml")
def load_rules() -> tuple[ContractRule, ...]:
    """Every packaged rule. Raises `UnreadableData` if the file is wrong."""
    rules = tuple(_rule(item) for item in data.load("contract_rules.toml")["rule"])
    ids = [rule.id for rule in rules]
    if len(set(ids)) < len(ids):
        raise UnreadableData("contract_rules.toml names a rule twice")
    unknown = {name for rule in rules for breach in rule.breaches for name in breach.named()} - concepts().keys()
    if unknown:
        raise UnreadableData(f"contract_rules.toml names unknown concepts: {sorted(unknown)}")
    return rules


def _rule(item: dict[str, Any]) -> ContractRule:
    if item["severity"] not in get_args(Severity):
        raise UnreadableData(f"contract_rules.toml: {item['id']} has an unknown severity")
    breaches = tuple(Breach(**_without_lists(breach)) for breach in item["breach"])
    own = {key: value for key, value in _without_lists(item).items() if key != "breach"}
    return ContractRule(**own, breaches=breaches)


def _without_lists(item: dict[str, Any]) -> dict[str, Any]:
    return {key: tuple(value) if isinstance(value, list) else value for key, value in item.items()}
