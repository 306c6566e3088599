"""Policy loans, support and banks' loans, sifted by what is known of the person and the home."""

from collections.abc import Sequence
from typing import Annotated

from madang.assistants.homes.services import HomesServices
from madang.assistants.homes.state.paths import LOANS
from madang.assistants.homes.state.results import LoanKind, LoanResult
from madang.assistants.homes.tools.loans import (
    KIND_NAMES,
    Known,
    LoanDataTool,
    LoanProduct,
    PolicyMatch,
    PolicyMatcher,
    load_products,
)
from madang.graph import At, Context, Reads, Writes, agent

BANK_PRODUCTS = 10


class ProfileRequest(Reads):
    """What is known of the person and the home."""

    annual_income: int | None
    age: int | None
    homes_owned: int | None
    loan_facts: dict[str, bool | int] | None
    sido: str | None
    price: int | None
    deposit: int | None
    monthly_rent: int | None
    area_m2: float | None
    loan_kinds: list[LoanKind] | None

    @property
    def profile(self) -> dict[str, Known]:
        """The same by the names of the loan conditions."""
        profile = {
            "annual_income": self.annual_income,
            "age": self.age,
            "homes": self.homes_owned,
            "price": self.price,
            "deposit": self.deposit,
            "monthly_rent": self.monthly_rent,
            "area": self.area_m2,
            "region": self.sido,
            **(self.loan_facts or {}),
        }
        return {name: value for name, value in profile.items() if value is not None}


class LoanRequest(ProfileRequest):
    loan_words: str | None


class LoanFound(Writes):
    loan_search: Annotated[list[LoanResult], At(LOANS)]


@agent(
    team="search",
    agent_name="search_team",
    task="대출·지원 상품 검색",
    description="조건으로 가려 본 정책 대출과 지원",
    timeout=15,
    data=("loans",),
)
async def loan_search(asked: LoanRequest, ctx: Context[HomesServices]) -> LoanFound:
    kinds = tuple(asked.loan_kinds or ())
    bank, lost = await _bank_loans(ctx, kinds)
    matches = PolicyMatcher((*load_products(), *bank)).match(asked.profile, kinds=kinds)
    if not (asked.loan_facts or {}).get("victim"):
        matches = [match for match in matches if "victim" not in match.unknown]
    if asked.loan_words:
        named = {product.id for product in LoanDataTool(bank=bank).search(asked.loan_words)}
        matches = [m for m in matches if m.product.id in named] or matches
    sources = ["loans.toml", *dict.fromkeys(m.product.source for m in matches if m.product.decided_by_bank)]
    dates = max(m.product.as_of for m in matches)
    ctx.source("loan_search", tool="PolicyMatcher", source=", ".join(sources), as_of=dates, note=lost)
    return {"loan_search": [as_loan(match) for match in matches]}


async def _bank_loans(ctx: Context[HomesServices], kinds: Sequence[LoanKind]) -> tuple[list[LoanProduct], str | None]:
    """The banks' products with the lowest rates of each kind, if they can be had; why not otherwise."""
    if ctx.services.live_loans is None:
        return [], None
    found, lost = await ctx.services.live_loans.products(kinds, ctx.today)
    best = [p for kind in KIND_NAMES for p in [p for p in found if p.kind == kind][:BANK_PRODUCTS]]
    return best, lost


def as_loan(match: PolicyMatch) -> LoanResult:
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
