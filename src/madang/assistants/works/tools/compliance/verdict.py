"""What a rule says of a situation, and what it knows of the time before."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from madang.assistants.works.state.agents import RuleStatus
from madang.assistants.works.tools.compliance.facts import Facts


@dataclass(frozen=True)
class LedgerEntry:
    """A benefit that was given before."""

    customer: str
    kind: str
    amount: int
    day: date
    people: int = 1


@dataclass(frozen=True)
class History:
    """What the customer of a situation got before, the day it is about, and the day it is judged."""

    entries: Sequence[LedgerEntry]
    day: date
    today: date


@dataclass(frozen=True)
class Verdict:
    """What a rule says. `known` tells which of the facts it needs the text states.

    A pass that rests on nothing being said (no cash, no companion) is `silent`: it is as sure as the text is complete.
    """

    status: RuleStatus
    details: str
    known: Mapping[str, bool]
    missing: str | None = None
    silent: bool = False

    @property
    def confidence(self) -> float:
        """The share of the needed facts that are stated."""
        return round(sum(self.known.values()) / len(self.known), 2) if self.known else 0.0

    @property
    def rests_on(self) -> list[str]:
        return [] if self.silent else [name for name, stated in self.known.items() if stated]


def passed(details: str, **known: object) -> Verdict:
    return Verdict("pass", details, stated(known))


def violated(details: str, **known: object) -> Verdict:
    return Verdict("violation", details, stated(known))


def unverified(details: str, missing: str, **known: object) -> Verdict:
    return Verdict("unverified", details, stated(known), missing)


def nothing_said(details: str, facts: Facts) -> Verdict:
    return Verdict("pass", details, facts.stated, silent=True)


def stated(known: Mapping[str, object]) -> dict[str, bool]:
    return {name: bool(fact) for name, fact in known.items()}
