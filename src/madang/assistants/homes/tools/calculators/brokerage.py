"""The most a broker may charge."""

from collections.abc import Mapping
from decimal import Decimal
from typing import Any, Literal

from madang.assistants.homes.data.policy import fact, section
from madang.assistants.homes.tools.calculators.calculation import (
    Calculation,
    check_money,
    floor_won,
    percent,
    refuse,
    won,
)

Deal = Literal["sale", "lease"]
Property = Literal["housing", "officetel", "other"]


def brokerage_fee(
    deal: Deal,
    price: int,
    *,
    monthly_rent: int = 0,
    property_kind: Property = "housing",
    area: float | None = None,
) -> Calculation:
    """The ceiling of one side's fee; `price` is the sale price or the deposit.

    Raises `InvalidState` for a sale with rent or without a price.
    """
    check_money("price", price, minimum=1 if deal == "sale" else 0)
    check_money("monthly_rent", monthly_rent)
    if deal == "sale" and monthly_rent:
        raise refuse("monthly_rent", "매매에는 월세가 없습니다")
    if deal == "lease" and not price and not monthly_rent:
        raise refuse("price", "보증금이나 월세를 알려 주세요")
    amount, amount_line = _transaction_amount(deal, price, monthly_rent)
    rate, cap = _ceiling(deal, amount, property_kind, area)
    fee = floor_won(amount * rate)
    lines = [*amount_line, f"{won(amount)} × {percent(rate)} = {won(fee)}"]
    if cap is not None and fee > cap:
        lines.append(f"한도액 {won(cap)}을 넘지 못해 {won(cap)}")
        fee = cap
    return Calculation(
        calculator="brokerage",
        title="중개보수 상한",
        values={"max_fee": fee, "rate": float(rate), "amount": amount, "cap": cap},
        inputs={
            "deal": deal,
            "price": price,
            "monthly_rent": monthly_rent,
            "property_kind": property_kind,
            "area": area,
        },
        formula="거래금액 × 상한요율 (한도액이 있으면 그 이하)",
        explanation=tuple(lines),
        rules=(fact("중개보수 상한", percent(rate), "brokerage"),),
        notes=(str(section("brokerage")["note"]), "임대인과 임차인(매도인과 매수인)이 각각 냅니다."),
    )


def _transaction_amount(deal: Deal, price: int, rent: int) -> tuple[int, list[str]]:
    if deal == "sale" or not rent:
        return price, []
    table = section("brokerage")
    amount = price + rent * int(table["rent_multiple"])
    if amount >= table["small_amount"]:
        return amount, [f"거래금액 = {won(price)} + {won(rent)} × 100 = {won(amount)}"]
    amount = price + rent * int(table["small_rent_multiple"])
    return amount, [f"5천만원 미만이므로 거래금액 = {won(price)} + {won(rent)} × 70 = {won(amount)}"]


def _ceiling(deal: Deal, amount: int, kind: Property, area: float | None) -> tuple[Decimal, int | None]:
    table = section("brokerage")
    if kind == "other" or (kind == "officetel" and area is not None and area > table["officetel_max_area"]):
        return Decimal(str(table["other_rate"])), None
    if kind == "officetel":
        return Decimal(str(table["officetel_sale_rate" if deal == "sale" else "officetel_lease_rate"])), None
    bands: list[Mapping[str, Any]] = table[deal]
    band = next(b for b in bands if "below" not in b or amount < b["below"])
    return Decimal(str(band["rate"])), band.get("cap")
