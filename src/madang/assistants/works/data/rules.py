"""The rules as read from `rules.toml`. What can't be read makes its rule unverified, never passed."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib.resources import files
from pathlib import Path
from typing import Any, get_args

from madang.assistants.works.state.agents import Severity

SEVERITIES: tuple[Severity, ...] = get_args(Severity)
LIMITED = {
    "rebate_law.seminar_meal": ("limit",),
    "rebate_law.seminar_gift": ("limit",),
    "rebate_law.visit_meal": ("limit", "per_month"),
    "rebate_law.promo_item": ("limit",),
    "rebate_law.post_marketing": ("limit", "limit_extra"),
    "rebate_law.discount": ("rates",),
    "anti_graft.meal": ("limit",),
    "anti_graft.gift": ("limit", "limit_farm", "limit_farm_holiday"),
    "anti_graft.condolence": ("limit", "limit_wreath"),
    "anti_graft.total": ("limit", "per_year"),
    "fair_trade.lecture_fee": ("limit", "per_day", "per_month", "per_year"),
    "fair_trade.advisory_fee": ("limit", "per_year"),
    "internal.prior_approval": ("days",),
    "rebate_law.retention": ("years",),
    "anti_graft.lecture_fee": ("limit_servant", "limit_teacher"),
    "fair_trade.audience": ("least", "minutes"),
}


@dataclass(frozen=True)
class Rule:
    """A rule with its source. `problem` says why it can't be applied."""

    id: str
    group: str
    title: str
    severity: Severity
    law: str
    article: str
    as_of: str
    change: str
    annex: str = ""
    file: str = ""
    also: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    figures: Mapping[str, Any] = field(default_factory=dict)
    problem: str | None = None

    @property
    def citation(self) -> str:
        return " ".join(part for part in (self.law, self.article, self.annex) if part)

    def figure(self, name: str) -> int:
        """A whole number of won, days or times. Only after `problem` was found to be None."""
        return int(self.figures[name])


@dataclass(frozen=True)
class RuleBook:
    """Rules by id. A rule that the book should have and hasn't, or that is damaged, is there with its problem."""

    rules: Mapping[str, Rule]
    penalties: Mapping[str, int]
    version: str

    def __getitem__(self, rule_id: str) -> Rule:
        found = self.rules.get(rule_id)
        if found is not None:
            return found
        group = rule_id.split(".", 1)[0]
        return Rule(rule_id, group, rule_id, "high", "", "", "", "", problem="규칙을 찾을 수 없습니다")


PENALTIES = {"critical": 25, "high": 15, "medium": 5, "low": 2}
_KNOWN = ("id", "group", "title", "severity", "law", "article", "as_of", "change", "annex", "file", "also", "words")


def load_rules(path: Path | None = None) -> RuleBook:
    """The rule book of the company, or ours. Never raises: a book that can't be read leaves every rule unverified."""
    try:
        text = path.read_text("utf-8") if path else (files("madang.assistants.works.data") / "rules.toml").read_text()
        raw = tomllib.loads(text)
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError):
        return RuleBook({}, PENALTIES, "unreadable")
    rules = {}
    for one in raw.get("rules", ()):
        if isinstance(one, dict) and isinstance(one.get("id"), str):
            rules[one["id"]] = _rule(one)
    return RuleBook(rules, {**PENALTIES, **raw.get("penalties", {})}, str(raw.get("version", "")))


def _rule(one: dict[str, Any]) -> Rule:
    figures = {key: value for key, value in one.items() if key not in _KNOWN}
    missing = [key for key in ("law", "article", "as_of") if not one.get(key)]
    missing += [key for key in LIMITED.get(one["id"], ()) if not _usable(figures.get(key))]
    if one.get("severity") not in SEVERITIES:
        missing.append("severity")
    return Rule(
        **{name: str(one.get(name, "")) for name in ("law", "article", "as_of", "change", "annex", "file")},
        id=one["id"],
        group=str(one.get("group", one["id"].split(".", 1)[0])),
        title=str(one.get("title", one["id"])),
        severity=one["severity"] if one.get("severity") in SEVERITIES else "high",
        also=tuple(one.get("also", ())),
        words=tuple(one.get("words", ())),
        figures=figures,
        problem=f"규칙에 {', '.join(missing)} 값이 없습니다" if missing else None,
    )


def _usable(value: Any) -> bool:
    if isinstance(value, dict):
        return bool(value) and all(isinstance(v, int | float) for v in value.values())
    return isinstance(value, int | float) and not isinstance(value, bool)
