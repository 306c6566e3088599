"""From a question in words to a calculator call, stating what is missing instead of assuming it."""

from collections.abc import Callable, Mapping
from datetime import date
from typing import Any

from madang.assistants.homes.tools import calculators as calc
from madang.assistants.homes.tools.calculators import Calculation
from madang.assistants.homes.tools.figure_facts import Facts
from madang.assistants.homes.tools.figure_readers.topics import read_topics
from madang.assistants.homes.tools.figure_request import ASK, FigureRequest
from madang.assistants.homes.tools.roi import Investment, RoiCalculator
from madang.errors import FieldProblem, InvalidInput, InvalidState

__all__ = ["ASK", "FigureRequest", "calculate", "read_figures"]


def read_figures(question: str, today: date) -> tuple[FigureRequest, ...]:
    """The calculators a question asks for, the most telling first; none if it asks for no figure."""
    return tuple(read_topics(Facts(question, today)))


def calculate(request: FigureRequest) -> Calculation:
    """Run the calculator. Raises `InvalidState` naming each missing input, or what the calculator refuses."""
    if request.missing:
        raise InvalidState([FieldProblem(name, ASK.get(name, "값이 필요합니다")) for name in request.missing])
    run = _CALCULATORS.get(request.calculator)
    if run is None:
        raise InvalidInput(f"no calculator is called {request.calculator!r}")
    return run(**request.inputs)


def _run_roi(**inputs: Any) -> Calculation:
    return RoiCalculator().calculate(Investment(**inputs))


def _convert(**inputs: Any) -> Calculation:
    raised = inputs["deposit_after"] > inputs["deposit_before"]
    return calc.rent_after_raise(**inputs) if raised else calc.deposit_to_rent(**inputs)


_CALCULATORS: Mapping[str, Callable[..., Calculation]] = {
    "brokerage": calc.brokerage_fee,
    "acquisition_tax": calc.acquisition_tax,
    "small_deposit": calc.small_deposit,
    "shop_scope": calc.shop_scope,
    "conversion": _convert,
    "rent_to_deposit": calc.rent_to_deposit,
    "increase_cap": calc.increase_cap,
    "refusal_damages": calc.refusal_damages,
    "loan_payment": calc.loan_payment,
    "dsr": calc.dsr_limit,
    "dti": lambda **inputs: calc.dsr_limit(**inputs, measure="dti"),
    "ltv": calc.ltv_limit,
    "jeonse_risk": calc.jeonse_risk,
    "roi": _run_roi,
    "notice": calc.notice_window,
    "termination": calc.termination_date,
    "lease_report": calc.report_deadline,
}
