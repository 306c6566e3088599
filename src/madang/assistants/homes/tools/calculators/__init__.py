"""Pure calculators: each takes plain sums, rates and dates and answers a `Calculation`."""

from madang.assistants.homes.tools.calculators.brokerage import brokerage_fee
from madang.assistants.homes.tools.calculators.calculation import Calculation, percent, won
from madang.assistants.homes.tools.calculators.jeonse import jeonse_risk, risk_level
from madang.assistants.homes.tools.calculators.lending import dsr_limit, loan_payment, ltv_limit, remaining_balance
from madang.assistants.homes.tools.calculators.notice import (
    add_months,
    notice_window,
    report_deadline,
    termination_date,
)
from madang.assistants.homes.tools.calculators.priority import shop_scope, small_deposit, small_deposit_tier
from madang.assistants.homes.tools.calculators.rent import (
    conversion_rate,
    deposit_to_rent,
    increase_cap,
    refusal_damages,
    rent_after_raise,
    rent_to_deposit,
)
from madang.assistants.homes.tools.calculators.tax import acquisition_rate, acquisition_tax

__all__ = [
    "Calculation",
    "acquisition_rate",
    "acquisition_tax",
    "add_months",
    "brokerage_fee",
    "conversion_rate",
    "deposit_to_rent",
    "dsr_limit",
    "increase_cap",
    "jeonse_risk",
    "loan_payment",
    "ltv_limit",
    "notice_window",
    "percent",
    "refusal_damages",
    "remaining_balance",
    "rent_after_raise",
    "rent_to_deposit",
    "report_deadline",
    "risk_level",
    "shop_scope",
    "small_deposit",
    "small_deposit_tier",
    "termination_date",
    "won",
]
