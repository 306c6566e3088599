"""The rules of contract review, read from their data file."""

import re
import tomllib
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any, Literal, get_args

from madang.errors import UnreadableData

Severity = Literal["low", "medium", "high", "critical"]
Form = Literal["waiver", "act", "burden", "rate", "forfeit", "disclaim"]

_NAME = re.compile(r"<([a-z_]+)>")


@dataclass(frozen=True, kw_only=True)
class ContractRule:
    """What makes a statement unfair, why, on which article, and what to write instead."""

    id: str
    title: str
    severity: Severity
    form: Form
    topic: re.Pattern[str]
    act: re.Pattern[str] | None
    needs: re.Pattern[str] | None
    unless: re.Pattern[str] | None
    taken: re.Pattern[str] | None
    also: re.Pattern[str] | None
    actor: str | None
    check: str | None
    negatable: bool
    articles: tuple[str, ...]
    shop_articles: tuple[str, ...]
    why: str
    instead: str

    def articles_for(self, shop: bool) -> tuple[str, ...]:
        """The articles it rests on, for a shop or a home."""
        return self.shop_articles or self.articles if shop else self.articles


@cache
def load_rules() -> tuple[ContractRule, ...]:
    """Every packaged rule. Raises `UnreadableData` if the file is wrong."""
    file = resources.files("madang.assistants.homes").joinpath("data/contract_rules.toml")
    try:
        table = tomllib.loads(file.read_text(encoding="utf-8"))
        rules = tuple(_rule(item, table["words"]) for item in table["rule"])
    except (tomllib.TOMLDecodeError, KeyError, re.error) as error:
        raise UnreadableData(f"contract_rules.toml can't be read: {error!r}") from error
    ids = [rule.id for rule in rules]
    if len(set(ids)) < len(ids):
        raise UnreadableData("contract_rules.toml names a rule twice")
    return rules


def _rule(item: dict[str, Any], words: dict[str, str]) -> ContractRule:
    if item["form"] not in get_args(Form) or item["severity"] not in get_args(Severity):
        raise UnreadableData(f"contract_rules.toml: {item['id']} has an unknown form or severity")
    return ContractRule(
        id=item["id"],
        title=item["title"],
        severity=item["severity"],
        form=item["form"],
        topic=_compiled(item["topic"], words),
        act=_pattern(item.get("act"), words),
        needs=_pattern(item.get("needs"), words),
        unless=_pattern(item.get("unless"), words),
        taken=_pattern(item.get("taken"), words),
        also=_pattern(item.get("also"), words),
        actor=item.get("actor"),
        check=item.get("check"),
        negatable=item.get("negatable", False),
        articles=tuple(item["articles"]),
        shop_articles=tuple(item.get("shop_articles", ())),
        why=item["why"],
        instead=item["instead"],
    )


def _pattern(text: str | None, words: dict[str, str]) -> re.Pattern[str] | None:
    return _compiled(text, words) if text else None


def _compiled(text: str, words: dict[str, str]) -> re.Pattern[str]:
    """The expression with every <name> replaced by the shared words of that name."""
    return re.compile(_NAME.sub(lambda name: f"(?:{words[name[1]]})", text))
