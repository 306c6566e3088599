"""Return on a home that is bought to be let: every cost deducted once."""

from dataclasses import dataclass, replace
from decimal import Decimal

from madang.assistants.homes.state.results import RuleRecord
from madang.assistants.homes.tools.calculators.annuities import remaining_balance
from madang.assistants.homes.tools.calculators.calculation import (
    Calculation,
    Rate,
    check_money,
    check_rate,
    percent,
    refuse,
    round_won,
    won,
)
from madang.assistants.homes.tools.calculators.common_inputs import ANNUAL_RATE, DEPOSIT, MONTHLY_RENT, PRICE, YEARS
from madang.assistants.homes.tools.calculators.loan_payment import loan_payment
from madang.assistants.homes.tools.calculators.spec import Calculator, Cue, Input, Inputs
from madang.assistants.homes.tools.figure_facts import Facts

GROWTH_SCENARIOS = ("0.01", "0.03", "0.05")


@dataclass(frozen=True, kw_only=True)
class Investment:
    """A purchase to let. Sums in won, yearly unless they say otherwise; nothing has a hidden default rate."""

    price: int
    monthly_rent: int
    deposit: int = 0
    loan: int = 0
    loan_rate: Rate = "0"
    loan_years: int = 30
    acquisition_costs: int = 0
    vacancy_rate: Rate = "0"
    yearly_tax: int = 0
    yearly_upkeep: int = 0
    holding_years: int = 5
    sale_tax_rate: Rate = "0"
    sale_costs: int = 0


class RoiCalculator:
    """Yearly return and the result of selling after some years at 1, 3 and 5 % growth."""

    def calculate(self, plan: Investment) -> Calculation:
        """Work out the plan. Raises `InvalidState` for sums that can't be."""
        _check(plan)
        down_payment = plan.price - plan.loan - plan.deposit
        initial = down_payment + plan.acquisition_costs
        if initial <= 0:
            raise refuse("loan", "대출과 보증금이 집값과 취득 비용보다 많아 투자금이 없습니다")
        rent = round_won(plan.monthly_rent * 12 * (1 - check_rate("vacancy_rate", plan.vacancy_rate)))
        payments = _yearly_payment(plan)
        net = rent - payments - plan.yearly_tax - plan.yearly_upkeep
        roi = Decimal(net) / initial
        values: dict[str, int | float] = {
            "initial_cost": initial,
            "down_payment": down_payment,
            "yearly_rent": rent,
            "yearly_loan_payment": payments,
            "yearly_net": net,
            "roi": float(round(roi * 100, 2)),
        }
        lines = [
            f"투자금 = 자기자금 {won(down_payment)} + 취득 비용 {won(plan.acquisition_costs)} = {won(initial)}",
            f"연 순수입 = 임대료 {won(rent)} - 대출 상환 {won(payments)} - 세금 {won(plan.yearly_tax)}"
            f" - 유지비 {won(plan.yearly_upkeep)} = {won(net)}",
            f"연 수익률 = {won(net)} ÷ {won(initial)} = {percent(roi)}",
        ]
        for growth in GROWTH_SCENARIOS:
            total, exit_value = _exit(plan, Decimal(growth), net, initial)
            key = growth.removeprefix("0.0")
            values |= {f"exit_{key}": exit_value, f"total_return_{key}": float(round(total * 100, 2))}
            lines.append(
                f"연 {key}% 상승, {plan.holding_years}년 뒤 매도: 남는 돈 {won(exit_value)}, 누적 {percent(total)}"
            )
        return Calculation(
            calculator="roi",
            title="임대 투자 수익률",
            values=values,
            inputs={
                "price": plan.price,
                "monthly_rent": plan.monthly_rent,
                "deposit": plan.deposit,
                "loan": plan.loan,
                "loan_rate": float(Decimal(str(plan.loan_rate))),
                "holding_years": plan.holding_years,
            },
            formula="연 순수입 ÷ (자기자금 + 취득 비용); 매도 = 매도가 - 남은 대출 - 보증금 - 양도세 - 매도 비용",
            explanation=tuple(lines),
            rules=(
                RuleRecord(name="수익률 계산식", article="", value="비용은 한 번씩만 뺌", as_of="", source="입력값"),
            ),
            notes=(
                "상승률은 가정이며 예측이 아닙니다.",
                "양도세율은 입력한 값으로만 계산합니다. 실제 세금은 세무사에게 확인하세요.",
            ),
        )


def _check(plan: Investment) -> None:
    for field in ("price", "monthly_rent"):
        check_money(field, getattr(plan, field), minimum=1)
    for field in ("deposit", "loan", "acquisition_costs", "yearly_tax", "yearly_upkeep", "sale_costs"):
        check_money(field, getattr(plan, field))
    if not 1 <= plan.holding_years <= 50:
        raise refuse("holding_years", "보유 기간이 범위를 벗어났습니다", "1~50년")


def _yearly_payment(plan: Investment) -> int:
    if not plan.loan:
        return 0
    return int(loan_payment(plan.loan, plan.loan_rate, plan.loan_years).values["monthly_payment"] or 0) * 12


def _exit(plan: Investment, growth: Decimal, net: int, initial: int) -> tuple[Decimal, int]:
    """Total return and the cash left after selling: tax on the gain only, the loan repaid once."""
    sold = round_won(plan.price * (1 + growth) ** plan.holding_years)
    months = plan.loan_years * 12
    paid = min(months, plan.holding_years * 12)
    debt = remaining_balance(plan.loan, plan.loan_rate, months, paid) if plan.loan else 0
    gain = max(0, sold - plan.price - plan.acquisition_costs - plan.sale_costs)
    tax = round_won(gain * check_rate("sale_tax_rate", plan.sale_tax_rate))
    left = sold - debt - plan.deposit - tax - plan.sale_costs
    running = net * paid // 12 + (net + _yearly_payment(plan)) * (plan.holding_years - paid // 12)
    return Decimal(left + running - initial) / initial, left


def _read(facts: Facts) -> Inputs:
    loan = facts.amount("loan")
    return {
        "price": facts.large_amount("price", None, "rent"),
        "monthly_rent": next((won for won in facts.amounts("rent") if won < 10_000_000), None),
        "deposit": facts.amount("deposit"),
        "loan": loan,
        "loan_rate": facts.rate(r"금리|대출|연|이자") if loan else None,
        "loan_years": facts.years if loan else None,
        "vacancy_rate": facts.rate("공실률?"),
    }


def _needed(inputs: Inputs) -> tuple[str, ...]:
    """A return with a loan needs its rate and term: neither is supposed."""
    return ("price", "monthly_rent", *(("loan_rate", "loan_years") if inputs.get("loan") else ()))


CALCULATOR = Calculator(
    name="roi",
    label="임대 수익률",
    subject="return",
    examples=("3억 오피스텔 사서 월세 100 받으면 수익률 얼마?",),
    cues=(Cue(r"수익률|ROI\b|수익이?\s?몇", 90),),
    inputs=(
        PRICE,
        MONTHLY_RENT,
        DEPOSIT,
        Input("loan", "won", "대출"),
        replace(ANNUAL_RATE, name="loan_rate"),
        replace(YEARS, name="loan_years"),
        Input("vacancy_rate", "rate"),
    ),
    needed=_needed,
    read=_read,
    run=lambda **inputs: RoiCalculator().calculate(Investment(**inputs)),
    said=lambda values, _inputs: f"연 수익률은 {values['roi']:g}%로 계산됩니다.",
    bounds={"roi": (-100, 200)},
)
