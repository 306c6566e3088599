"""Policy loans, support and banks' loans, sifted by what is known of the person and the home."""

from collections.abc import Mapping, Sequence
from typing import Any

from madang.assistants.homes.state.paths import SEARCH_TEAM
from madang.assistants.homes.tools.loans import (
    KIND_NAMES,
    Kind,
    LoanDataTool,
    LoanProduct,
    PolicyMatch,
    PolicyMatcher,
    load_products,
)
from madang.graph import AgentContext, View, agent

BANK_PRODUCTS = 10
PERSON = ("annual_income", "age", "homes_owned", "loan_facts")


@agent(
    **SEARCH_TEAM,
    reads=("loan_kinds", "loan_words", "sido", "price", "deposit", "monthly_rent", "area_m2", *PERSON),
    writes=("team_results.search.loan_search",),
    task="대출·지원 상품 검색",
    description="조건으로 가려 본 정책 대출과 지원",
    timeout=15,
    data=("loans",),
)
async def loan_search(asked: View, ctx: AgentContext) -> dict[str, Any]:
    kinds = tuple(asked.loan_kinds or ())
    bank, lost = await _bank_loans(ctx, kinds)
    matches = PolicyMatcher((*load_products(), *bank)).match(profile_of(asked), kinds=kinds)
    if not (asked.loan_facts or {}).get("victim"):
        matches = [match for match in matches if "victim" not in match.unknown]
    if asked.loan_words:
        named = {product.id for product in LoanDataTool(bank=bank).search(asked.loan_words)}
        matches = [m for m in matches if m.product.id in named] or matches
    sources = ["loans.toml", *dict.fromkeys(m.product.source for m in matches if m.product.decided_by_bank)]
    dates = max(m.product.as_of for m in matches)
    ctx.source("loan_search", tool="PolicyMatcher", source=", ".join(sources), as_of=dates, note=lost)
    return {"loan_search": [as_loan(match) for match in matches]}


async def _bank_loans(ctx: AgentContext, kinds: Sequence[Kind]) -> tuple[list[LoanProduct], str | None]:
    """The banks' products with the lowest rates of each kind, if they can be had; why not otherwise."""
    if ctx.services.live_loans is None:
        return [], None
    found, lost = await ctx.services.live_loans.products(kinds, ctx.today)
    best = [p for kind in KIND_NAMES for p in [p for p in found if p.kind == kind][:BANK_PRODUCTS]]
    return best, lost


def profile_of(known: Mapping[str, Any]) -> dict[str, Any]:
    """What is known of the person and the home, by the names of the loan conditions."""
    profile = {
        "annual_income": known["annual_income"],
        "age": known["age"],
        "homes": known["homes_owned"],
        "price": known["price"],
        "deposit": known["deposit"],
        "monthly_rent": known["monthly_rent"],
        "area": known["area_m2"],
        "region": known["sido"],
        **(known["loan_facts"] or {}),
    }
    return {name: value for name, value in profile.items() if value is not None}


def as_loan(match: PolicyMatch) -> dict[str, Any]:
    product = match.product
    return {
        "product_id": product.id,
        "name": product.name,
        "provider": product.provider,
        "product_type": product.kind,
        "limit": product.limit,
        "rate_min": product.rate[0] if product.rate else None,
        "rate_max": product.rate[1] if product.rate else None,
        "eligible": {"eligible": True, "unknown": None, "ineligible": False}[match.status],
        "reasons": list(match.failed or match.met),
        "missing": list(match.unknown),
        "questions": list(match.questions),
        "summary": product.summary,
        "note": product.note or None,
        "as_of": product.as_of,
        "source": product.source,
        "decided_by_bank": product.decided_by_bank,
    }
