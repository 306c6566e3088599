"""What the analyses found, put as facts, insights, advice, metrics and charts."""

from collections.abc import Sequence

from madang.assistants.homes.answering.findings import Findings
from madang.assistants.homes.state.results import Charts, Figure, PolicyMatching, RawAnalysis
from madang.assistants.homes.tools.calculators import calculator
from madang.assistants.homes.tools.calculators.calculation import won


def facts_of(raw: RawAnalysis) -> list[str]:
    """What was found, a line each."""
    lines: list[str] = []
    for figure in raw.get("legal_calculation") or ():
        lines += figure["explanation"]
    if market := raw.get("market_analysis"):
        lines += market["summary"]
        lines += [trend] if (trend := market.get("trend")) else []
    if roi := raw.get("roi_calculation"):
        lines += roi["calculation"]["explanation"][:3]
    if risk := raw.get("jeonse_risk"):
        lines += risk["factors"]
        lines += [line for figure in risk["calculations"][:1] for line in figure["explanation"]]
    if contract := raw.get("contract_analysis"):
        lines += [f"{r['type']}: “{r['clause']}” ({r['article'] or '조문 없음'})" for r in contract["risks"]]
    if matching := raw.get("policy_matching"):
        lines += [f"조건이 맞는 상품: {', '.join(matching['eligible'])}"] if matching["eligible"] else []
        lines += [f"더 확인할 상품: {', '.join(matching['unknown'][:5])}"] if matching["unknown"] else []
    return lines


def insights_of(found: Findings) -> list[str]:
    """What a reader should take away, from the figures alone."""
    raw, said = found.raw, list[str]()
    if market := raw.get("market_analysis"):
        gaps = market["comparison"].get("gaps") or {}
        if len(gaps) > 1:
            ordered = sorted(gaps, key=lambda region: gaps[region])
            said.append(f"{ordered[-1]}의 중위가가 {ordered[0]}보다 {won(gaps[ordered[-1]])} 높습니다.")
        if any(row["is_estimate"] for row in found.prices):
            said.append("추정이라고 적힌 시세는 실제 계약 전에 최근 실거래가로 확인하세요.")
    if risk := raw.get("jeonse_risk"):
        if risk.get("level"):
            said.append(f"보증금 위험은 ‘{risk['level_name']}’ 수준입니다.")
        said += risk.get("unsaid") or []
    if contract := raw.get("contract_analysis"):
        count = len([r for r in contract["risks"] if r["found_by"] == "rules"])
        said.append(f"불리한 조항 {count}개를 찾았습니다." if count else "규칙에 어긋나는 조항은 찾지 못했습니다.")
    if matching := raw.get("policy_matching"):
        if matching["questions"]:
            said.append("대출 가능 여부는 아직 모르는 조건이 있어 단정하지 않았습니다.")
        if matching["at_median"] and matching["at_median"]["excluded"]:
            said.append("정책 대출은 보증금이나 집값에 한도가 있어, 조건에 맞는 집을 함께 찾아보는 것이 좋습니다.")
    if roi := raw.get("roi_calculation"):
        said.append(f"입력한 값으로는 연 수익률이 {roi['estimated_roi']:g}%입니다.")
    return said


def recommendations_of(found: Findings) -> list[str]:
    """What to do next."""
    raw, advice = found.raw, list[str]()
    if contract := raw.get("contract_analysis"):
        advice += contract.get("recommendations") or []
        if not contract["risks"]:
            advice.append("계약 전에 등기사항증명서와 상대방의 신분을 확인하세요.")
    if risk := raw.get("jeonse_risk"):
        advice += risk["advice"]
    if raw.get("market_analysis"):
        advice.append("국토교통부 실거래가 공개시스템에서 같은 단지의 최근 거래를 확인하세요.")
    if matching := raw.get("policy_matching"):
        advice += loan_question(matching)
        advice.append("신청 전에 주택도시기금(기금e든든)이나 은행에서 지금 조건과 금리를 확인하세요.")
    if found.listings:
        advice.append("매물은 예시이니 실제 매물은 공인중개사를 통해 확인하세요.")
    return list(dict.fromkeys(advice))


def loan_question(matching: PolicyMatching) -> list[str]:
    """What would tell more about the loans; nothing if all is known."""
    asked = " ".join(matching["questions"][:4])
    return [f"대출 조건을 가리려면 알려 주세요: {asked}"] if asked else []


def metrics_of(found: Findings) -> dict[str, float]:
    """Figures worth comparing; only those that there are."""
    raw, metrics = found.raw, dict[str, Figure]()
    for row in found.prices[:1]:
        metrics |= {"low_price": row["low"], "median_price": row["median"], "high_price": row["high"]}
    if market := raw.get("market_analysis"):
        metrics["jeonse_ratio"] = market["jeonse_ratio"]
    if risk := raw.get("jeonse_risk"):
        metrics["risk_score"] = risk["score"]
        for figure in risk["calculations"][:1]:
            metrics["jeonse_ratio"] = float(figure["values"]["jeonse_ratio"] or 0) / 100
    for figure in found.figures:
        named = calculator(figure["calculator"]).metrics
        metrics |= {metric: figure["values"].get(value) for metric, value in named.items()}
    if roi := raw.get("roi_calculation"):
        metrics |= {"estimated_roi": roi["estimated_roi"], "payback_period": roi["payback_period"]}
    return {name: float(value) for name, value in metrics.items() if value is not None}


def charts_of(raw: RawAnalysis) -> Charts | None:
    """The charts to draw."""
    market, loan = raw.get("market_analysis"), raw.get("loan_simulation")
    drawn = (market["chart"] if market else None, loan.get("chart") if loan else None)
    charts = [chart for chart in drawn if chart]
    return {"charts": charts} if charts else None


def summary_of(insights: Sequence[str], facts: Sequence[str]) -> str:
    return " ".join(insights[:2]) if insights else (facts[0] if facts else "분석할 자료가 없습니다.")
