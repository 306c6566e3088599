"""All rules applied to the facts: results, points, risk, and what must change."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from madang.assistants.works.data.rules import Rule, RuleBook
from madang.assistants.works.state.agents import RuleStatus, Severity
from madang.assistants.works.tools.compliance.checks import CHECKS
from madang.assistants.works.tools.compliance.facts import Facts
from madang.assistants.works.tools.compliance.verdict import History, LedgerEntry, Verdict

PASS_AT = 70
WHAT = "누구에게 무엇을 얼마나 제공하는지"
SERIOUS = ("high", "critical")


@dataclass(frozen=True)
class Result:
    """One rule applied."""

    rule: Rule
    verdict: Verdict


@dataclass(frozen=True)
class Judgement:
    """`status` is violation when it may not be done, unverified when that can't be told, else pass."""

    results: tuple[Result, ...]
    score: int
    status: RuleStatus
    risk: Severity
    recognised: bool = True

    def with_status(self, status: str) -> list[Result]:
        return [one for one in self.results if one.verdict.status == status]

    @property
    def violations(self) -> list[Result]:
        return self.with_status("violation")

    @property
    def missing(self) -> list[str]:
        """What must be known to decide, most serious first."""
        open_ = [r for r in self.with_status("unverified") if r.rule.severity in SERIOUS and r.verdict.missing]
        asked = list(dict.fromkeys(r.verdict.missing or "" for r in open_))
        return asked if self.recognised else [WHAT, *asked]


def judge(facts: Facts, book: RuleBook, ledger: Sequence[LedgerEntry], today: date, kind: str = "action") -> Judgement:
    """Every rule that applies, with its result. A rule that can't be read is `unverified`, never passed.

    An `action` in which nothing is recognised is `unverified` too. A text that was read whole (`document`, `note`,
    `report`) and gives nothing to anyone passes on just that.
    """
    given = [e for e in ledger if facts.customer and e.customer == facts.customer]
    history = History(given, facts.day or today, today)
    results: list[Result] = []
    for rule_id, check in CHECKS.items():
        rule = book[rule_id]
        if rule.problem:
            results.append(Result(rule, Verdict("unverified", rule.problem, {}, "규칙")))
            continue
        verdict = check(facts, rule, history)
        if verdict is not None:
            results.append(Result(rule, verdict))
    return _sum_up(tuple(results), book, recognised=kind != "action" or _recognised(facts, results))


def _recognised(facts: Facts, results: Sequence[Result]) -> bool:
    """Whether there is anything to judge: a benefit, a fact that a rule rests on, or a prohibition that is quoted."""
    return bool(facts.benefits or facts.quoted or any(r.verdict.rests_on for r in results))


def _sum_up(results: tuple[Result, ...], book: RuleBook, *, recognised: bool) -> Judgement:
    broken = [r for r in results if r.verdict.status == "violation"]
    score = max(0, 100 - sum(book.penalties[r.rule.severity] for r in broken))
    serious = [r for r in broken if r.rule.severity in SERIOUS]
    unclear = [r for r in results if r.verdict.status == "unverified" and r.rule.severity in SERIOUS]
    open_ = bool(unclear) or not recognised
    status: RuleStatus = "violation" if serious or score < PASS_AT else "unverified" if open_ else "pass"
    return Judgement(results, score, status, _risk(broken, unclear), recognised)


def _risk(broken: list[Result], unclear: list[Result]) -> Severity:
    severities = {r.rule.severity for r in broken}
    if "critical" in severities:
        return "critical"
    if "high" in severities:
        return "high"
    return "medium" if "medium" in severities or unclear else "low"
