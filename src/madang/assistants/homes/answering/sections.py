"""The parts of an answer, each from what an agent wrote."""

from collections.abc import Sequence
from typing import Any

from madang.assistants.homes.answering.shown_articles import to_show
from madang.assistants.homes.state.results import (
    CalculationRecord,
    ContractAnalysis,
    JeonseRisk,
    LegalResult,
    LoanResult,
    LoanSimulation,
    MarketResult,
    PolicyMatching,
    PropertyResult,
    RoiCalculation,
)
from madang.assistants.homes.state.supervisor import ResponseSection
from madang.assistants.homes.tools.calculators import calculator
from madang.assistants.homes.tools.calculators.calculation import won
from madang.assistants.homes.tools.calculators.loan_payment import METHOD_NAMES
from madang.assistants.homes.tools.loans import KIND_NAMES
from madang.text.blocks import spaced

_SEVERITY = {"critical": "매우 높음", "high": "높음", "medium": "보통", "low": "낮음"}


def section(title: str, lines: Sequence[str], kind: str, data: Sequence[Any] | None = None) -> ResponseSection | None:
    """A titled part; nothing if there is nothing to say."""
    if not lines:
        return None
    made: ResponseSection = {"title": title, "content": spaced(lines), "type": kind}
    if data is not None:
        made["data"] = list(data)
    return made


def figures(worked: Sequence[CalculationRecord]) -> ResponseSection | None:
    """Each figure with its steps, its inputs, the rule and its date."""
    lines: list[str] = []
    for figure in worked:
        lines.append(f"**{figure['title']}** ({figure['formula']})")
        lines += [f"- {line}" for line in figure["explanation"]]
        labels = {item.name: item.label for item in calculator(figure["calculator"]).inputs if item.label}
        sums = {name: value for name, value in figure["inputs"].items() if isinstance(value, int) and value}
        given = [f"{labels[name]} {won(value)}" for name, value in sums.items() if name in labels]
        if given:
            lines.append(f"- 입력: {', '.join(given)}")
        for rule in figure["rules"]:
            if rule["as_of"] or rule["article"]:
                lines.append(f"- 기준: {rule['name']} {rule['value']}, {rule['source']} ({rule['as_of']} 기준)")
        lines += [f"- 참고: {note}" for note in figure["notes"]]
    return section("계산", lines, "calculation")


def articles(
    found: Sequence[LegalResult], *, gist_told: bool = False, brief: bool = False, most: int = 3
) -> ResponseSection | None:
    """The articles, quoted with their date if the statute is loaded, else in our own short words, said to be that.

    `gist_told`: the answer has already said what the first one says; `brief`: without their conditions.
    """
    lines: list[str] = []
    shown = to_show(found, most)
    for number, item in enumerate(shown):
        title = f"({item['title']})" if item.get("title") else ""
        if item.get("is_statute_text"):
            lines.append(f"**{item['source']}**{title} [시행 {item['effective_date']}]")
            lines += [f"> {line}" for line in _short(item["content"]).splitlines()]
        else:
            dated = f", {item['effective_date']} 기준" if item.get("effective_date") else ""
            told = "" if gist_told and number == 0 else f": {item['content']}"
            lines.append(f"**{item['source']}**{title}{told} (요약{dated})")
        if not brief and item.get("conditions"):
            lines.append(f"- 조건: {', '.join(item['conditions'])}")
    related = [name for item in shown[:1] for name in item.get("related_articles") or ()]
    more = [name for name in related if name not in {item["source"] for item in shown}]
    if more:
        lines.append(f"함께 볼 조문: {', '.join(more[:4])}")
    return section("근거 조문", lines, "legal")


def _short(text: str, limit: int = 900) -> str:
    return text if len(text) <= limit else text[:limit].rsplit("\n", 1)[0] + "\n(이하 생략)"


def prices(rows: Sequence[MarketResult], trend: str | None) -> ResponseSection | None:
    """Prices as a table, with what is estimated marked in each row."""
    if not rows:
        return None
    lines = ["| 지역 | 면적 | 거래 | 낮음 | 중위 | 높음 | 자료 |", "|---|---|---|---|---|---|---|"]
    for row in rows[:15]:
        rent = f" / 월 {won(monthly)}" if (monthly := row.get("monthly_rent")) else ""
        deposit = "보증금 " if rent else ""
        mark = "추정" if row["is_estimate"] else f"실거래 {row['transaction_count']}건"
        lines.append(
            f"| {row['region']} | {row['size_band']} | {row['property_type']} {row['deal_type']}"
            f" | {deposit}{won(row['low'])} | {deposit}{won(row['median'])}{rent} | {deposit}{won(row['high'])}"
            f" | {mark}, {row['as_of']} |"
        )
    if trend:
        lines.append(trend)
    newest = {row["source"]: max(r["as_of"] for r in rows if r["source"] == row["source"]) for row in rows}
    lines.append("자료: " + "; ".join(f"{source}, {as_of} 기준" for source, as_of in newest.items()))
    basis = next((row["basis"] for row in rows if row["is_estimate"] and row.get("basis")), None)
    if basis:
        lines.append(f"추정 방법: {basis.removeprefix('추정: ')}")
    return section("시세", lines, "market", list(rows))


def listings(found: Sequence[PropertyResult]) -> ResponseSection | None:
    lines = []
    for item in found:
        amount = won(item["price"] or item["deposit"] or 0)
        rent = f" / 월 {won(monthly)}" if (monthly := item.get("monthly_rent")) else ""
        lines.append(
            f"- [예시] {item['title']} ({item['region']}) {item['property_type']} {item['deal_type']} {amount}{rent},"
            f" {item['area_m2']:g}㎡, {item['floor']}, 역까지 {item['walk_minutes']}분, {item['built']}년"
        )
    if lines:
        lines.append("실제 매물이 아닌 예시입니다.")
    return section("매물 예시", lines, "property", list(found))


def loans(found: Sequence[LoanResult], matching: PolicyMatching | None, most: int = 5) -> ResponseSection | None:
    """Products by how the person stands to them; what isn't known is named, never supposed."""
    lines = []
    marks = {True: "조건 충족", None: "확인 필요", False: "조건 미충족"}
    policy = [item for item in found if not item.get("decided_by_bank")]
    for loan in [item for item in policy if item["eligible"] is not False][:most]:
        rate = _rate(loan)
        limit = f"최대 {won(loan['limit'])}" if loan["limit"] else "한도 별도"
        lines.append(
            f"- **{loan['name']}** ({KIND_NAMES[loan['product_type']]}, {loan['provider']}): {limit}, {rate},"
            f" {marks[loan['eligible']]} ({loan['as_of']} 기준)"
        )
        if loan["eligible"] is None and len(loan["questions"]) <= 2:
            lines.append(f"  - 더 확인할 것: {' '.join(loan['questions'])}")
    lines += _bank_loans([item for item in found if item.get("decided_by_bank")])
    out = [loan for loan in found if loan["eligible"] is False]
    if out:
        lines.append(
            "- 조건이 맞지 않는 상품: " + "; ".join(f"{o['name']}({', '.join(o['reasons'][:1])})" for o in out[:4])
        )
    at = matching["at_median"] if matching else None
    if at and at["excluded"]:
        lines.append(f"- {at['basis']} 조건을 넘는 상품: {', '.join(list(at['excluded'])[:5])}")
    return section("대출·지원", lines, "loan", list(found))


def _rate(loan: LoanResult) -> str:
    least, most = loan["rate_min"], loan["rate_max"]
    return "금리 별도" if least is None or most is None else f"연 {least * 100:g}~{most * 100:g}%"


def _bank_loans(found: Sequence[LoanResult], most: int = 3) -> list[str]:
    """The banks' products with the lowest rates of each kind, said to be the bank's to decide."""
    lines: list[str] = []
    for kind in dict.fromkeys(loan["product_type"] for loan in found):
        best = [loan for loan in found if loan["product_type"] == kind][:most]
        source = f"{best[0]['source']}, {max(loan['as_of'] for loan in best)} 기준"
        lines.append(f"- 은행 {KIND_NAMES[kind]} 대출, 금리가 낮은 순({source}; 가능 여부와 한도는 은행이 심사합니다):")
        lines += [f"  - {loan['provider']} {loan['name']}: {_rate(loan)}" for loan in best]
    return lines


def repayment(simulation: LoanSimulation) -> ResponseSection | None:
    lines = [
        f"- {METHOD_NAMES[method]}: 첫 달 {won(int(plan['values']['first_payment'] or 0))},"
        f" 총이자 {won(int(plan['values']['total_interest'] or 0))}"
        for method, plan in (simulation.get("plans") or {}).items()
    ]
    return section("상환 방식 비교", lines, "loan")


def risk(found: JeonseRisk) -> ResponseSection | None:
    lines = [f"- {factor}" for factor in found["factors"]]
    for figure in found["calculations"]:
        lines += [f"- {line}" for line in figure["explanation"]]
        lines += [f"- 기준: {rule['source']} ({rule['as_of']} 기준)" for rule in figure["rules"]]
    lines += [f"- {line}" for line in found["unsaid"]]
    return section("보증금 위험", lines, "risk")


def contract(found: ContractAnalysis) -> ResponseSection | None:
    lines: list[str] = []
    for number, item in enumerate(found["risks"], 1):
        mark = "" if item["found_by"] == "rules" else " (모델 의견)"
        label = f"{item['clause_label']} " if item.get("clause_label") else ""
        lines.append(f"**{number}. {item['type']}** 위험도 {_SEVERITY[item['severity']]}{mark}")
        lines.append(f"- 조항: {label}“{item['clause']}”")
        lines.append(f"- 이유: {item['reason']}" + (f" ({', '.join(item['articles'])})" if item["articles"] else ""))
        if item.get("suggestion"):
            lines.append(f"- 이렇게 고치세요: {item['suggestion']}")
    if not found["risks"]:
        lines.append("규칙에 어긋나는 조항을 찾지 못했습니다.")
    if found.get("missing_essentials") and (found.get("clause_count") or 0) > 2:
        lines.append(f"적혀 있지 않은 것: {', '.join(found['missing_essentials'])}")
    return section("조항 검토", lines, "contract", list(found["risks"]))


def roi(found: RoiCalculation) -> ResponseSection | None:
    lines = [f"- {line}" for line in found["calculation"]["explanation"]]
    lines += [f"- 참고: {note}" for note in found["calculation"]["notes"]]
    return section("수익률", lines, "roi")
