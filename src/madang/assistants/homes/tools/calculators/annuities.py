"""Loans that are paid back in equal monthly payments."""

from decimal import Decimal, localcontext

from madang.assistants.homes.tools.calculators.calculation import Rate, check_rate, refuse, round_won


def months_of(years: int | None, months: int | None = None) -> int:
    """The term of a loan in months. Raises `InvalidState` outside 1 month to 50 years."""
    term = months if months is not None else (years or 0) * 12
    if not 1 <= term <= 600:
        raise refuse("years", "대출 기간이 범위를 벗어났습니다", "1개월~50년")
    return term


def annuity(principal: int, rate: Decimal, term: int) -> Decimal:
    """The equal monthly payment of a loan."""
    monthly = rate / 12
    if not monthly:
        return Decimal(principal) / term
    with localcontext() as context:
        context.prec = 40
        growth = (1 + monthly) ** term
        return principal * monthly * growth / (growth - 1)


def present_value(payment: Decimal, rate: Decimal, term: int) -> Decimal:
    """The loan that a monthly payment pays back."""
    monthly = rate / 12
    if not monthly:
        return payment * term
    with localcontext() as context:
        context.prec = 40
        growth = (1 + monthly) ** term
        return payment * (growth - 1) / (monthly * growth)


def remaining_balance(principal: int, annual_rate: Rate, term_months: int, paid_months: int) -> int:
    """What is still owed on an annuity loan after `paid_months`."""
    if not 0 <= paid_months <= term_months:
        raise refuse("paid_months", "갚은 기간이 대출 기간을 벗어났습니다", f"0~{term_months}")
    rate = check_rate("annual_rate", annual_rate)
    left = term_months - paid_months
    if left == 0:
        return 0
    return round_won(present_value(annuity(principal, rate, term_months), rate, left))
