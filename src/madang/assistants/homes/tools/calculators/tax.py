"""Acquisition tax on a home, at the standard rates."""

from collections.abc import Mapping, Sequence
from decimal import ROUND_HALF_UP, Decimal
from typing import Any

from madang.assistants.homes.data.policy import fact, section
from madang.assistants.homes.tools.calculators.calculation import (
    Calculation,
    check_money,
    floor_won,
    percent,
    refuse,
    won,
)


def acquisition_rate(price: int) -> Decimal:
    """1 % to 600 million, 3 % above 900 million, and the straight line in between (to 0.01 %)."""
    table = section("acquisition_tax")
    if price <= table["low_limit"]:
        return Decimal(str(table["low_rate"]))
    if price > table["high_limit"]:
        return Decimal(str(table["high_rate"]))
    line = (Decimal(price) * 2 / Decimal(300_000_000) - 3) / 100
    return line.quantize(Decimal("0.0001"), ROUND_HALF_UP)


def acquisition_tax(
    price: int,
    *,
    homes: int,
    area: float | None = None,
    regulated: bool = False,
    temporary: bool = False,
    called_pyeong: float | None = None,
) -> Calculation:
    """Acquisition, education and rural taxes for buying a home that becomes the buyer's `homes`-th.

    Two homes in a regulated area and three or more anywhere pay heavier rates; a `temporary` second home does not.
    `called_pyeong` says that the area was estimated from a size in 평. Raises `InvalidState` for a price or a number
    of homes below one.
    """
    check_money("price", price, minimum=1)
    if not 1 <= homes <= 1000:
        raise refuse("homes", "취득한 뒤의 주택 수여야 합니다", "1 이상")
    table = section("acquisition_tax")
    heavy = None if temporary else _heavy(homes, regulated)
    rate = acquisition_rate(price) if heavy is None else Decimal(str(heavy["rate"]))
    education_rate = rate * Decimal(str(table["education_share"]))
    rural_rate = Decimal(str(table["rural_rate"]))
    if heavy is not None:
        education_rate, rural_rate = Decimal(str(table["heavy_education"])), Decimal(str(heavy["rural_rate"]))
    large = area is not None and area > table["rural_area"]
    tax, education = floor_won(price * rate), floor_won(price * education_rate)
    rural = floor_won(price * rural_rate) if large else 0
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
        inputs={"price": price, "homes": homes, "area": area, "regulated": regulated, "temporary": temporary},
        formula="취득가 × 세율(6억 이하 1%, 6억~9억 취득가(억)×2/3-3 %, 9억 초과 3%)"
        if heavy is None
        else "취득가 × 중과세율(조정대상지역 2주택·그 밖의 3주택 8%, 조정대상지역 3주택·그 밖의 4주택부터 12%)",
        explanation=(
            *_rate_lines(price, rate, heavy is not None, homes, regulated),
            f"취득세 = {won(price)} × {percent(rate)} = {won(tax)}",
            f"지방교육세 = {won(price)} × {percent(education_rate, 4)} = {won(education)}",
            *_supposed(area, called_pyeong),
            _rural_line(area, rural_rate, rural, large=large),
        ),
        rules=(fact("취득세율", percent(rate), "acquisition_tax"),),
        notes=(str(table["note"]), "생애최초 등 감면이 있을 수 있으니 시·군·구 세무과에 확인하세요."),
    )


def _heavy(homes: int, regulated: bool) -> Mapping[str, Any] | None:
    """The heavier rate of the `homes`-th home, if it has one."""
    step = homes + (1 if regulated else 0)
    if homes == 1 or step < 3:
        return None
    rates: Sequence[Mapping[str, Any]] = section("acquisition_tax")["heavy"]
    return rates[0] if step == 3 else rates[1]


def _rate_lines(price: int, rate: Decimal, heavy: bool, homes: int, regulated: bool) -> tuple[str, ...]:
    if heavy:
        return (f"{'조정대상지역' if regulated else '비조정대상지역'}에서 {homes}주택이 되므로 {percent(rate)}",)
    table = section("acquisition_tax")
    if table["low_limit"] < price <= table["high_limit"]:
        return (f"6억~9억 구간 세율 = 취득가(억) × 2 ÷ 3 - 3 = {percent(rate)}",)
    return ()


def _supposed(area: float | None, called: float | None) -> tuple[str, ...]:
    if area is None or called is None:
        return ()
    return (f"{called:g}평은 공급면적으로 보아 전용 약 {area:g}㎡로 계산 (전용면적을 알려 주시면 다시 계산합니다)",)


def _rural_line(area: float | None, rate: Decimal, rural: int, *, large: bool) -> str:
    if large:
        return f"농어촌특별세 = 전용 85㎡ 초과라 {percent(rate)} = {won(rural)}"
    return "농어촌특별세 = 전용 85㎡ 이하면 없음" + ("" if area is not None else " (면적을 몰라 뺐습니다)")
