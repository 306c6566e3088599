"""Contract review: each clause read for its meaning and judged by the rules, never by single words."""

import re
from dataclasses import asdict, dataclass
from typing import Any, Literal

from madang.assistants.homes.tools.contract_checks import CHECKS
from madang.assistants.homes.tools.contract_rules import ContractRule, Severity, load_rules
from madang.assistants.homes.tools.contract_text import Clause, Statement, read_statements, split_clauses
from madang.errors import InvalidInput

Compliance = Literal["pass", "violation", "not_mentioned"]
RiskLevel = Literal["low", "medium", "high", "critical"]

_SHOP = re.compile(r"상가|점포|영업|권리금|사업자\s?등록")
_HOME = re.compile(r"주택|전입|아파트|빌라|주거")
_TAKEN = re.compile(
    r"몰수|귀속|상실|포기|소멸|차지|(?:임대인|집주인|건물주|갑)(?:이|에게)?[^.]{0,12}(?:갖|가진|가져|취득|소유)"
    r"|(?:전액|전부|모두)[^.]{0,8}(?:위약금|위약벌|배상금)(?:으로|에)"
)
_DENIED = re.compile(r"(?:하|되)?지\s?(?:않|아니|못|말)")
_ORDER: dict[str, int] = {"critical": 0, "high": 1, "medium": 2, "low": 3}
_ESSENTIALS: tuple[tuple[str, str], ...] = (
    ("목적물", r"소재지|목적물|주소|동\s?\d+호|호실"),
    ("보증금", r"보증금|전세금|매매\s?대금"),
    ("기간", r"기간|부터[^.]*까지|개월"),
    ("당사자", r"임대인|임차인|매도인|매수인|갑|을"),
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

    def as_dict(self) -> dict[str, Any]:
        return {**asdict(self), "articles": list(self.articles)}


@dataclass(frozen=True, kw_only=True)
class ContractReview:
    """The findings of a contract, what each rule came to, and which essentials it doesn't mention."""

    findings: tuple[Finding, ...]
    compliance_check: dict[str, Compliance]
    clauses: tuple[Clause, ...]
    missing_essentials: tuple[str, ...]
    risk_level: RiskLevel
    is_shop: bool

    def as_dict(self) -> dict[str, Any]:
        return {
            "findings": [finding.as_dict() for finding in self.findings],
            "compliance_check": dict(self.compliance_check),
            "clauses": [asdict(clause) for clause in self.clauses],
            "missing_essentials": list(self.missing_essentials),
            "risk_level": self.risk_level,
            "is_shop": self.is_shop,
        }


def as_review_result(review: ContractReview) -> dict[str, Any]:
    """The review in the form of the state's `ReviewResult`: three levels, and for each rule met whether it is kept."""
    return {
        "reviewed": True,
        "risk_level": "high" if review.risk_level == "critical" else review.risk_level,
        "risks": [
            {"type": finding.title, "severity": finding.severity, "clause": finding.quoted, **finding.as_dict()}
            for finding in review.findings
        ],
        "recommendations": [f"{finding.title}: {finding.instead}" for finding in review.findings],
        "compliance_check": {
            rule: outcome == "pass" for rule, outcome in review.compliance_check.items() if outcome != "not_mentioned"
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
        findings: list[Finding] = []
        mentioned: set[str] = set()
        for clause in clauses:
            found, topics = self._judge(clause, shop)
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

    def _judge(self, clause: Clause, shop: bool) -> tuple[list[Finding], set[str]]:
        findings: dict[str, Finding] = {}
        mentioned: set[str] = set()
        for statement in read_statements(clause.text):
            for rule in self._rules:
                if not rule.topic.search(statement.text) and not (rule.also and rule.also.search(statement.text)):
                    continue
                mentioned.add(rule.id)
                if rule.id not in findings and violates(rule, statement, shop):
                    findings[rule.id] = _finding(rule, clause, statement, shop)
        return list(findings.values()), mentioned


def violates(rule: ContractRule, statement: Statement, shop: bool = False) -> bool:
    """Whether the statement, as it is meant, is what the rule objects to."""
    if rule.also and rule.also.search(statement.text):
        return True
    if not rule.topic.search(statement.text) or (rule.unless and rule.unless.search(statement.text)):
        return False
    if rule.act and not rule.act.search(statement.main):
        return False
    if rule.needs and not rule.needs.search(statement.text):
        return False
    if rule.actor and statement.actor not in (rule.actor, None):
        return False
    return _FORMS[rule.form](rule, statement, shop)


def _waived(rule: ContractRule, statement: Statement, _shop: bool) -> bool:
    """A tenant's right is denied. A landlord who promises not to hinder it denies nothing."""
    taking = rule.taken.search(statement.main) if rule.taken else None
    if taking and _DENIED.match(statement.main, taking.end()):
        return False
    if taking and not statement.negative:
        return True
    if not rule.topic.search(statement.main) and rule.act is None:
        return False
    if statement.actor == "landlord":
        return statement.refuses_to_grant or (statement.denies and not statement.negative)
    return statement.denies


def _done(rule: ContractRule, statement: Statement, _shop: bool) -> bool:
    """An act is allowed or agreed; for rules that can be negated, a prohibition of it is no violation."""
    return not (rule.negatable and statement.negative)


def _borne(_rule: ContractRule, statement: Statement, _shop: bool) -> bool:
    """The tenant bears it, or the landlord declares not to."""
    landlord_denies = statement.actor == "landlord" and statement.negative
    # Who leaves is the tenant, named or not.
    tenant_named = bool(
        re.search(r"임차인|세입자|매수인|입주자|(?<![가-힣])을(?=이|은|의|\s)|퇴거|퇴실|나갈\s?때|이사", statement.text)
    )
    if statement.negative:
        return landlord_denies
    return statement.actor != "landlord" and tenant_named


def _rated(rule: ContractRule, statement: Statement, shop: bool) -> bool:
    return CHECKS[rule.check or ""](statement, shop)


def _forfeited(_rule: ContractRule, statement: Statement, _shop: bool) -> bool:
    """The deposit goes to the landlord, or its return is denied."""
    if _TAKEN.search(statement.main):
        return not statement.negative
    return statement.negative and bool(re.search(r"반환|돌려|청구|받", statement.main[-26:]))


def _disclaimed(_rule: ContractRule, statement: Statement, _shop: bool) -> bool:
    return statement.negative and statement.actor != "tenant"


_FORMS = {
    "waiver": _waived,
    "act": _done,
    "burden": _borne,
    "rate": _rated,
    "forfeit": _forfeited,
    "disclaim": _disclaimed,
}


def _finding(rule: ContractRule, clause: Clause, statement: Statement, shop: bool) -> Finding:
    return Finding(
        rule_id=rule.id,
        title=rule.title,
        severity=rule.severity,
        clause_number=clause.number,
        clause_label=clause.label,
        clause=clause.text,
        quoted=statement.text,
        articles=rule.articles_for(shop),
        why=rule.why,
        instead=rule.instead,
    )
