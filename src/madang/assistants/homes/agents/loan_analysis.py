"""Who can get which loan, and what it costs to repay."""

from collections.abc import Mapping, Sequence
from typing import Any

from madang.assistants.homes.agents.loan_search import PERSON, profile_of
from madang.assistants.homes.state.paths import ANALYSIS_TEAM, LOANS, PRICES, RAW
from madang.assistants.homes.tools.calculators.calculation import won
from madang.assistants.homes.tools.loans import LoanSimulator, PolicyMatcher
from madang.graph import AgentContext, View, agent


@agent(
    **ANALYSIS_TEAM,
    reads=(
        LOANS, PRICES, "loan_kinds", "sido", "price", "deposit", "monthly_rent", "area_m2", "deal_type",
        "figure_requests", *PERSON,
    ),
    optional=(PRICES,),
    writes=(f"{RAW}.policy_matching", f"{RAW}.loan_simulation"),
    task="대출 분석",
    description="받을 수 있는지와 갚을 금액",
    timeout=15,
    data=("loans", "policy"),
)  # fmt: skip
async def loan_analysis(asked: View, ctx: AgentContext) -> dict[str, Any]:
    loans: Sequence[Mapping[str, Any]] = asked.loan_search
    asked_for = [question for loan in loans if loan["eligible"] is None for question in loan["questions"]]
    open_facts = sorted(dict.fromkeys(asked_for), key=lambda question: -asked_for.count(question))
    matching: dict[str, Any] = {
        "eligible": [loan["name"] for loan in loans if loan["eligible"] is True],
        "unknown": [loan["name"] for loan in loans if loan["eligible"] is None],
        "ineligible": {loan["name"]: loan["reasons"] for loan in loans if loan["eligible"] is False},
        "questions": open_facts,
        "at_median": _at_median(asked),
    }
    ctx.source("policy_matching", tool="PolicyMatcher", source="loans.toml", as_of=max(loan["as_of"] for loan in loans))
    simulation = _simulation(asked)
    return {"policy_matching": matching, "loan_simulation": simulation}


def _at_median(asked: View) -> dict[str, Any] | None:
    """How the products stand if the home costs the region's median, said to be a supposition."""
    rows = asked.real_estate_search
    if not rows or asked.deposit is not None or asked.price is not None:
        return None
    row = rows[0]
    name = "price" if row["deal_type"] == "매매" else "deposit"
    profile = {**profile_of(asked), name: row["median"]}
    matches = PolicyMatcher().match(profile, kinds=tuple(asked.loan_kinds or ()))
    return {
        "basis": f"{row['region']} {row['deal_type']} 중위 {won(row['median'])}이라고 보면",
        "excluded": {m.product.name: list(m.failed) for m in matches if m.status == "ineligible"},
        "possible": [m.product.name for m in matches if m.status != "ineligible"],
    }


def _simulation(asked: View) -> dict[str, Any]:
    """The ways of repaying, if the loan was described; nothing is supposed."""
    for need in asked.figure_requests or ():
        inputs = need["inputs"]
        if need["calculator"] == "loan_payment" and not need["missing"] and inputs.get("years"):
            return LoanSimulator().simulate(inputs["principal"], inputs["annual_rate"], inputs["years"])
    return {}
