"""Who can get which loan, and what it costs to repay."""

from typing import Annotated

from madang.assistants.homes.agents.loan_search import ProfileRequest
from madang.assistants.homes.services import HomesServices
from madang.assistants.homes.state.conversation import DealType, FigureNeed
from madang.assistants.homes.state.paths import LOANS, PRICES, RAW
from madang.assistants.homes.state.results import (
    LoanResult,
    LoansAtMedian,
    LoanSimulation,
    MarketResult,
    PolicyMatching,
)
from madang.assistants.homes.tools.calculators.calculation import won
from madang.assistants.homes.tools.loans import LoanSimulator, PolicyMatcher
from madang.graph import At, Context, Writes, agent


class LoansRequest(ProfileRequest):
    loan_search: Annotated[list[LoanResult], At(LOANS)]
    deal_type: DealType | None
    figure_requests: list[FigureNeed] | None
    real_estate_search: Annotated[list[MarketResult] | None, At(PRICES)] = None


class Matched(Writes):
    policy_matching: Annotated[PolicyMatching, At(f"{RAW}.policy_matching")]
    loan_simulation: Annotated[LoanSimulation, At(f"{RAW}.loan_simulation")]


@agent(
    team="analysis",
    agent_name="analysis_team",
    task="대출 분석",
    description="받을 수 있는지와 갚을 금액",
    timeout=15,
    data=("loans", "policy"),
)
async def loan_analysis(asked: LoansRequest, ctx: Context[HomesServices]) -> Matched:
    loans = asked.loan_search
    asked_for = [question for loan in loans if loan["eligible"] is None for question in loan["questions"]]
    matching: PolicyMatching = {
        "eligible": [loan["name"] for loan in loans if loan["eligible"] is True],
        "unknown": [loan["name"] for loan in loans if loan["eligible"] is None],
        "ineligible": {loan["name"]: loan["reasons"] for loan in loans if loan["eligible"] is False},
        "questions": sorted(dict.fromkeys(asked_for), key=lambda question: -asked_for.count(question)),
        "at_median": _at_median(asked),
    }
    ctx.source("policy_matching", tool="PolicyMatcher", source="loans.toml", as_of=max(loan["as_of"] for loan in loans))
    return {"policy_matching": matching, "loan_simulation": _simulation(asked)}


def _at_median(asked: LoansRequest) -> LoansAtMedian | None:
    """How the products stand if the home costs the region's median, said to be a supposition."""
    if not asked.real_estate_search or asked.deposit is not None or asked.price is not None:
        return None
    row = asked.real_estate_search[0]
    name = "price" if row["deal_type"] == "매매" else "deposit"
    matches = PolicyMatcher().match({**asked.profile, name: row["median"]}, kinds=tuple(asked.loan_kinds or ()))
    return {
        "basis": f"{row['region']} {row['deal_type']} 중위 {won(row['median'])}이라고 보면",
        "excluded": {m.product.name: list(m.failed) for m in matches if m.status == "ineligible"},
        "possible": [m.product.name for m in matches if m.status != "ineligible"],
    }


def _simulation(asked: LoansRequest) -> LoanSimulation:
    """The ways of repaying, if the loan was described; nothing is supposed."""
    for need in asked.figure_requests or ():
        principal, rate, years = (need["inputs"].get(name) for name in ("principal", "annual_rate", "years"))
        if need["calculator"] == "loan_payment" and not need["missing"] and isinstance(years, int):
            return LoanSimulator().simulate(int(principal or 0), str(rate), years)
    return {}
