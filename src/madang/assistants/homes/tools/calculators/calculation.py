"""What every calculator answers: values, how they came about, and on which rules they rest."""

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import ROUND_FLOOR, ROUND_HALF_UP, Decimal

from madang.assistants.homes.state.results import CalculationRecord, Figure, RuleRecord
from madang.errors import FieldProblem, InvalidState

Rate = Decimal | float | str


@dataclass(frozen=True, kw_only=True)
class Calculation:
    """A worked figure: what came out, from what, by which formula and which dated rule."""

    calculator: str
    title: str
    values: Mapping[str, Figure]
    inputs: Mapping[str, Figure]
    formula: str
    explanation: tuple[str, ...]
    rules: tuple[RuleRecord, ...]
    notes: tuple[str, ...] = ()

    def as_record(self) -> CalculationRecord:
        """As the state holds it."""
        return {
            "calculator": self.calculator,
            "title": self.title,
            "values": dict(self.values),
            "inputs": dict(self.inputs),
            "formula": self.formula,
            "explanation": list(self.explanation),
            "rules": list(self.rules),
            "notes": list(self.notes),
        }


def refuse(field: str, reason: str, allowed: str | None = None) -> InvalidState:
    """The error for one input that can't be used."""
    return InvalidState([FieldProblem(field, reason, allowed)])


def check_money(field: str, amount: int, *, minimum: int = 0) -> int:
    """Return `amount` if it is a sensible sum of won, otherwise raise `InvalidState`."""
    if isinstance(amount, bool) or not isinstance(amount, int):
        raise refuse(field, "원 단위 정수여야 합니다")
    if not minimum <= amount <= 10**13:
        raise refuse(field, "금액이 범위를 벗어났습니다", f"{minimum:,}원 이상 10조원 이하")
    return amount


def check_rate(field: str, rate: Rate, *, maximum: str = "1") -> Decimal:
    """Return `rate` as an exact decimal between 0 and `maximum`, otherwise raise `InvalidState`."""
    value = Decimal(str(rate))
    if not value.is_finite() or not Decimal(0) <= value <= Decimal(maximum):
        raise refuse(field, "비율이 범위를 벗어났습니다", f"0 이상 {Decimal(maximum) * 100:f}% 이하")
    return value


def floor_won(amount: Decimal) -> int:
    """Whole won, rounded down: for a ceiling that may not be exceeded."""
    return int(amount.to_integral_value(ROUND_FLOOR))


def round_won(amount: Decimal) -> int:
    """Whole won, rounded half up: for a payment."""
    return int(amount.to_integral_value(ROUND_HALF_UP))


def won(amount: int) -> str:
    """A sum as it is read in Korea: 1억 2,500만원."""
    if amount < 0:
        return "-" + won(-amount)
    eok, rest = divmod(amount, 100_000_000)
    man, one = divmod(rest, 10_000)
    parts = [f"{eok:,}억" if eok else "", f"{man:,}만" if man else "", f"{one:,}" if one else ""]
    text = " ".join(part for part in parts if part)
    return f"{text}원" if text else "0원"


def percent(rate: Decimal, places: int = 2) -> str:
    """A rate in percent without trailing zeros."""
    text = f"{(rate * 100).quantize(Decimal(1).scaleb(-places), ROUND_HALF_UP):f}"
    return (text.rstrip("0").rstrip(".") if "." in text else text) + "%"
