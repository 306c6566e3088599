"""Acquisition tax on a home, at the standard rates."""

from decimal import ROUND_HALF_UP, Decimal

from madang.assistants.homes.tools.calculators.calculation import (
    Calculation,
    check_money,
    floor_won,
    percent,
    refuse,
    won,
)
from madang.assistants.homes.tools.policy import fact, section


def acquisition_rate(price: int) -> Decimal:
    """1 % to 600 million, 3 % above 900 million, and the straight line in between (to 0.01 %)."""
    table = section("acquisition_tax")
    if price <= table["low_limit"]:
        return Decimal(str(table["low_rate"]))
    if price > table["high_limit"]:
        return Decimal(str(table["high_rate"]))
    line = (Decimal(price) * 2 / Decimal(300_000_000) - 3) / 100
    return line.quantize(Decimal("0.0001"), ROUND_HALF_UP)


def acquisition_tax(price: int, *, homes: int, area: float | None = None) -> Calculation:
    """Acquisition, education and rural taxes for buying a home that becomes the buyer's `homes`-th.

    Only the first home is covered: heavier rates depend on facts not asked for here, so two or more
    homes raise `InvalidState`.
    """
    check_money("price", price, minimum=1)
    if homes != 1:
        raise refuse(
            "homes", "취득 후 2주택 이상의 세율(중과 여부)은 다루지 않습니다. 세무사나 시·군·구에 확인하세요", "1"
        )
    table = section("acquisition_tax")
    rate = acquisition_rate(price)
    tax = floor_won(price * rate)
    education = floor_won(price * rate * Decimal(str(table["education_share"])))
    large = area is not None and area > table["rural_area"]
    rural = floor_won(price * Decimal(str(table["rural_rate"]))) if large else 0
    lines = [f"취득세 = {won(price)} × {percent(rate)} = {won(tax)}"]
    if Decimal(str(table["low_rate"])) < rate < Decimal(str(table["high_rate"])):
        lines.insert(0, f"6억~9억 구간 세율 = 취득가(억) × 2 ÷ 3 - 3 = {percent(rate)}")
    lines.append(f"지방교육세 = 취득세율의 10% = {won(education)}")
    lines.append(
        f"농어촌특별세 = 85㎡ 초과라 0.2% = {won(rural)}"
        if large
        else "농어촌특별세 = 85㎡ 이하면 없음" + ("" if area is not None else " (면적을 몰라 뺐습니다)")
    )
    return Calculation(
        calculator="acquisition_tax",
        title="주택 취득세",
        values={
            "tax": tax,
            "education_tax": education,
            "rural_tax": rural,
            "total": tax + education + rural,
            "rate": float(rate),
        },
        inputs={"price": price, "homes": homes, "area": area},
        formula="취득가 × 세율(6억 이하 1%, 6억~9억 취득가(억)×2/3-3 %, 9억 초과 3%)",
        explanation=tuple(lines),
        rules=(fact("취득세율", percent(rate), "acquisition_tax"),),
        notes=(str(table["note"]), "생애최초 등 감면이 있을 수 있으니 시·군·구 세무과에 확인하세요."),
    )
