"""How far an answer can be relied on: named checks over what was found, none of them a constant."""

from collections.abc import Sequence

from madang.assistants.homes.answering.findings import Findings
from madang.assistants.homes.state.results import LegalResult, LoanResult, MarketResult, RawAnalysis

Checks = dict[str, float]


def checks_of(found: Findings) -> Checks:
    """Every check that what was found allows."""
    return {
        **(_legal_checks(found.articles) if found.articles is not None else {}),
        **_market_checks(found.prices),
        **_loan_checks(found.loans),
        **_analysis_checks(found.raw),
    }


def _legal_checks(articles: Sequence[LegalResult]) -> Checks:
    """How well the best article fits, how far it leads, and whether its own words are at hand."""
    if not articles:
        return {"조문을 찾음": 0.0}
    best = float(articles[0]["relevance_score"])
    second = float(articles[1]["relevance_score"]) if len(articles) > 1 else 0.0
    return {
        "조문이 질문에 맞음": min(1.0, best),
        "다른 조문보다 뚜렷함": 1.0 if articles[0].get("exact") else min(1.0, round(0.5 + best - second, 3)),
        "법령 원문을 확인함": 1.0 if articles[0].get("is_statute_text") else 0.6,
    }


def _market_checks(rows: Sequence[MarketResult]) -> Checks:
    """The share of figures from real trades, and how many trades there were."""
    if not rows:
        return {}
    real = [row for row in rows if not row["is_estimate"]]
    trades = sum(row.get("transaction_count") or 0 for row in real)
    return {"실거래 자료의 비율": 0.3 + 0.7 * len(real) / len(rows), "거래 수": min(1.0, 0.3 + trades / 60)}


def _loan_checks(loans: Sequence[LoanResult]) -> Checks:
    """The share of products whose standing is settled by what is known; a bank's own never is."""
    judged = [loan for loan in loans if not loan.get("decided_by_bank")]
    if not judged:
        return {}
    settled = sum(loan["eligible"] is not None for loan in judged) / len(judged)
    return {"대출 조건이 확인됨": round(0.25 + 0.75 * settled, 3)}


def _analysis_checks(raw: RawAnalysis) -> Checks:
    """Whether figures were worked out from what was said, and what had to be estimated."""
    checks: Checks = {}
    if worked := raw.get("legal_calculation"):
        rules = [rule for figure in worked for rule in figure["rules"]]
        checks["계산 기준에 조문이 있음"] = 0.6 + 0.35 * sum(bool(rule["article"]) for rule in rules) / max(
            1, len(rules)
        )
    if roi := raw.get("roi_calculation"):
        given = sum(bool(value) for value in roi["calculation"]["inputs"].values())
        checks["수익률에 넣은 값"] = min(1.0, 0.3 + 0.1 * given)
    if risk := raw.get("jeonse_risk"):
        known = bool(risk.get("level"))
        checks["위험을 금액으로 판단함"] = 0.3 if not known else 0.6 if risk["price_estimated"] else 0.95
        if known and risk.get("unsaid"):
            checks["선순위 채권을 들음"] = 0.4
    if contract := raw.get("contract_analysis"):
        missing = len(contract.get("missing_essentials") or ())
        checks["계약서 내용이 충분함"] = max(0.2, 1.0 - 0.2 * missing)
        checks["조항 수"] = min(1.0, 0.4 + 0.1 * int(contract.get("clause_count") or 0))
    return checks


def confidence_of(checks: Checks) -> float | None:
    """The mean of the checks, null if there was nothing to check."""
    return round(sum(checks.values()) / len(checks), 3) if checks else None
