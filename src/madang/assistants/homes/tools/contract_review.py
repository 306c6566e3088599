"""Contract review: each clause read for its meaning and judged by the rules, never by single words.

Wordings that the rules don't foresee are compared with example clauses.
"""

import re
from dataclasses import dataclass
from typing import Literal

from madang.assistants.homes.state.results import ContractRisk, Severity
from madang.assistants.homes.state.teams import ReviewResult
from madang.assistants.homes.tools.contract_examples import LIKE, LIKE_THOUGH_SEEN, UNLIKE, likeness
from madang.assistants.homes.tools.contract_judgement import mentions, objections
from madang.assistants.homes.tools.contract_rules import ContractRule, load_rules
from madang.assistants.homes.tools.contract_statements import read_statements
from madang.assistants.homes.tools.contract_terms import Terms, read_terms
from madang.assistants.homes.tools.contract_text import Clause, split_clauses, whole_sentences
from madang.errors import InvalidInput

Compliance = Literal["pass", "violation", "not_mentioned"]

_SHOP = re.compile(r"상가|점포|영업|권리금|사업자\s?등록")
_HOME = re.compile(r"주택|전입|아파트|빌라|주거")
_ORDER: dict[str, int] = {"critical": 0, "high": 1, "medium": 2, "low": 3}
_ESSENTIALS: tuple[tuple[str, str], ...] = (
    ("목적물", r"소재지|목적물|주소|\d\s?호|호실|점포|\d층|㎡|번지"),
    ("보증금", r"보증금|전세금|매매\s?대금"),
    ("기간", r"기간|부터[^.]{0,40}까지|개월"),
    ("당사자", r"임대인|임차인|매도인|매수인|집주인|세입자|갑|을"),
)


@dataclass(frozen=True, kw_only=True)
class Finding:
    """One unfair statement: the rule, the clause quoted, the article, why, and what to write instead."""

    rule_id: str
    title: str
    severity: Severity
    clause_number: int
    clause_label: str
    clause: str
    quoted: str
    articles: tuple[str, ...]
    why: str
    instead: str

    def as_risk(self) -> ContractRisk:
        """As the state holds it."""
        return {
            "type": self.title,
            "severity": self.severity,
            "clause": self.quoted,
            "clause_label": self.clause_label or None,
            "reason": self.why,
            "article": self.articles[0] if self.articles else None,
            "articles": list(self.articles),
            "suggestion": self.instead,
            "rule_id": self.rule_id,
            "found_by": "rules",
        }


@dataclass(frozen=True, kw_only=True)
class ContractReview:
    """The findings of a contract, what each rule came to, and which essentials it doesn't mention."""

    findings: tuple[Finding, ...]
    compliance_check: dict[str, Compliance]
    clauses: tuple[Clause, ...]
    missing_essentials: tuple[str, ...]
    risk_level: Severity
    is_shop: bool

    def as_result(self) -> ReviewResult:
        """As the state holds it: three levels, and for each rule that it speaks of whether it is kept."""
        return {
            "reviewed": True,
            "risk_level": "high" if self.risk_level == "critical" else self.risk_level,
            "risks": [finding.as_risk() for finding in self.findings],
            "recommendations": [f"{finding.title}: {finding.instead}" for finding in self.findings],
            "compliance_check": {
                rule: outcome == "pass" for rule, outcome in self.compliance_check.items() if outcome != "not_mentioned"
            },
        }


class ContractAnalysisTool:
    """Reviews leases and sales contracts by the packaged rules, or those given."""

    def __init__(self, rules: tuple[ContractRule, ...] | None = None) -> None:
        self._rules = load_rules() if rules is None else rules

    def review(self, contract: str) -> ContractReview:
        """Every finding, most severe first. Raises `InvalidInput` if the text holds no clause."""
        clauses = split_clauses(contract)
        if not clauses:
            raise InvalidInput("검토할 계약 조항이 없습니다. 계약서나 특약의 내용을 붙여 넣어 주세요.")
        shop = bool(_SHOP.search(contract)) and not (_HOME.search(contract) and "상가" not in contract)
        terms = read_terms(contract, shop)
        findings: list[Finding] = []
        mentioned: set[str] = set()
        for clause in clauses:
            found, topics = self._judge(clause, terms)
            findings += found
            mentioned |= topics
        findings.sort(key=lambda finding: (_ORDER[finding.severity], finding.clause_number))
        violated = {finding.rule_id for finding in findings}
        return ContractReview(
            findings=tuple(findings),
            compliance_check={
                rule.id: "violation" if rule.id in violated else "pass" if rule.id in mentioned else "not_mentioned"
                for rule in self._rules
            },
            clauses=tuple(clauses),
            missing_essentials=tuple(name for name, words in _ESSENTIALS if not re.search(words, contract)),
            risk_level=findings[0].severity if findings else "low",
            is_shop=shop,
        )

    def _judge(self, clause: Clause, terms: Terms) -> tuple[list[Finding], set[str]]:
        findings: dict[str, Finding] = {}
        weak: dict[str, Finding] = {}
        mentioned: set[str] = set()
        for statement in read_statements(clause.text):
            for rule in self._rules:
                if mentions(rule, statement):
                    mentioned.add(rule.id)
                if rule.id not in findings and (breaches := objections(rule, statement, terms)):
                    kept = weak if all(breach.alone for breach in breaches) else findings
                    kept[rule.id] = _finding(rule, clause, statement.sentence, terms.shop)
        findings = self._compared(clause, findings or weak, mentioned, terms.shop)
        yielding = {rule.id for rule in self._rules if findings.keys() & set(rule.yields_to)}
        return [finding for rule_id, finding in findings.items() if rule_id not in yielding], mentioned

    def _compared(
        self, clause: Clause, judged: dict[str, Finding], mentioned: set[str], shop: bool
    ) -> dict[str, Finding]:
        """What the rules found, but for what no such clause is like; and what a sentence is clearly like.

        A subject that the rules have seen without objecting takes more likeness than one that they haven't.
        """
        alike = {sentence: likeness(sentence) for sentence in whole_sentences(clause.text)}
        findings = {
            rule_id: found
            for rule_id, found in judged.items()
            if any(scores.get(rule_id, 0.0) > UNLIKE for scores in alike.values())
        }
        for sentence, scores in alike.items():
            for rule in self._rules:
                enough = LIKE_THOUGH_SEEN if rule.id in mentioned else LIKE
                if rule.id not in judged and rule.id not in findings and scores.get(rule.id, -1.0) > enough:
                    findings[rule.id] = _finding(rule, clause, sentence, shop)
        return findings


def _finding(rule: ContractRule, clause: Clause, sentence: str, shop: bool) -> Finding:
    return Finding(
        rule_id=rule.id,
        title=rule.title,
        severity=rule.severity,
        clause_number=clause.number,
        clause_label=clause.label,
        clause=clause.text,
        quoted=sentence.rstrip(" ."),
        articles=rule.articles_for(shop),
        why=rule.why,
        instead=rule.instead,
    )
