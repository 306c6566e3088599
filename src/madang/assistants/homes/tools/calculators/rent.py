"""Rent and deposit: how far they may rise, and what a deposit is worth as monthly rent."""

from dataclasses import replace
from decimal import Decimal
from typing import Literal

from madang.assistants.homes.data.policy import RuleFact, fact, section
from madang.assistants.homes.tools.calculators.calculation import (
    Calculation,
    Rate,
    check_money,
    check_rate,
    floor_won,
    percent,
    refuse,
    round_won,
    won,
)

LeaseKind = Literal["housing", "shop", "registered"]


def increase_cap(
    deposit: int = 0, monthly_rent: int = 0, *, kind: LeaseKind = "housing", asked_rate: Rate | None = None
) -> Calculation:
    """The most that deposit and rent may become at an increase; `asked_rate` is judged against the cap.

    Raises `InvalidState` if neither amount is given or one is negative.
    """
    check_money("deposit", deposit)
    check_money("monthly_rent", monthly_rent)
    if not deposit and not monthly_rent:
        raise refuse("deposit", "보증금이나 월세 중 하나는 있어야 합니다")
    table = section("increase", kind)
    cap = Decimal(str(table["rate"]))
    deposit_rise, rent_rise = floor_won(deposit * cap), floor_won(monthly_rent * cap)
    lines = [
        f"{name} {won(amount)} × {percent(cap)} = {won(rise)} → 최대 {won(amount + rise)}"
        for name, amount, rise in (("보증금", deposit, deposit_rise), ("월세", monthly_rent, rent_rise))
        if amount
    ]
    values: dict[str, int | bool | float] = {
        "max_deposit": deposit + deposit_rise,
        "max_monthly_rent": monthly_rent + rent_rise,
        "max_increase_deposit": deposit_rise,
        "max_increase_rent": rent_rise,
        "rate": float(cap),
    }
    if asked_rate is not None:
        asked = check_rate("asked_rate", asked_rate, maximum="10")
        values["allowed"] = asked <= cap
        lines.append(
            f"요구한 인상률 {percent(asked)}는 한도 {percent(cap)}{' 이내입니다' if asked <= cap else '를 넘습니다'}"
        )
    return Calculation(
        calculator="increase_cap",
        title="차임·보증금 증액 한도",
        values=values,
        inputs={"deposit": deposit, "monthly_rent": monthly_rent, "kind": kind},
        formula="한도 = 현재 금액 × (1 + 5%)",
        explanation=tuple(lines),
        rules=(fact("증액 한도", percent(cap), "increase", kind),),
        notes=(
            "계약하거나 올린 날부터 1년 안에는 다시 올릴 수 없습니다.",
            "기존 임차인의 존속 중·갱신 계약에 적용되고, 시·도 조례가 더 낮게 정할 수 있습니다.",
        ),
    )


def conversion_rate(kind: Literal["housing", "shop"] = "housing", base_rate: Rate | None = None) -> Decimal:
    """The yearly ceiling for turning deposit into rent; the base rate is the dated one unless given."""
    base = _base_rate(base_rate)
    table = section("conversion", kind)
    by_base = base + Decimal(str(table["spread"])) if kind == "housing" else base * Decimal(str(table["multiple"]))
    return min(Decimal(str(table["cap"])), by_base)


def deposit_to_rent(
    deposit_before: int,
    deposit_after: int = 0,
    *,
    kind: Literal["housing", "shop"] = "housing",
    base_rate: Rate | None = None,
    current_rent: int = 0,
) -> Calculation:
    """The most monthly rent for lowering a deposit. Raises `InvalidState` if the deposit does not fall."""
    check_money("deposit_before", deposit_before, minimum=1)
    check_money("deposit_after", deposit_after)
    check_money("current_rent", current_rent)
    if deposit_after >= deposit_before:
        raise refuse("deposit_after", "바꾼 뒤 보증금이 지금 보증금보다 작아야 합니다", f"{won(deposit_before)} 미만")
    moved = deposit_before - deposit_after
    rate = conversion_rate(kind, base_rate)
    rent = floor_won(moved * rate / 12)
    lines = [
        f"월세로 바꾸는 금액 = {won(deposit_before)} - {won(deposit_after)} = {won(moved)}",
        _rate_line(kind, base_rate, rate),
        f"월세 상한 = {won(moved)} × {percent(rate)} ÷ 12 = {won(rent)}",
    ]
    if current_rent:
        lines.append(f"지금 월세 {won(current_rent)}을 더하면 월 {won(current_rent + rent)}까지")
    return Calculation(
        calculator="conversion",
        title="보증금의 월세 전환 상한",
        values={
            "max_monthly_rent": rent,
            "total_monthly_rent": current_rent + rent,
            "converted": moved,
            "rate": float(rate),
        },
        inputs={"deposit_before": deposit_before, "deposit_after": deposit_after, "current_rent": current_rent},
        formula="월세 = 전환 금액 × min(연 10%, 기준금리 + 2%p) ÷ 12"
        if kind == "housing"
        else "월세 = 전환 금액 × min(연 12%, 기준금리 × 4.5) ÷ 12",
        explanation=tuple(lines),
        rules=(fact("월차임 전환율", percent(rate), "conversion", kind), _base_fact(base_rate)),
        notes=("법이 정한 상한이며 실제 월세는 협의로 더 낮게 정할 수 있습니다.",),
    )


def rent_after_raise(
    deposit_before: int,
    deposit_after: int,
    *,
    kind: Literal["housing", "shop"] = "housing",
    base_rate: Rate | None = None,
    current_rent: int = 0,
) -> Calculation:
    """By how much rent falls where the deposit rises. Raises `InvalidState` if the deposit does not rise."""
    if deposit_after <= deposit_before:
        raise refuse("deposit_after", "올린 뒤 보증금이 지금 보증금보다 커야 합니다", f"{won(deposit_before)} 초과")
    worth = deposit_to_rent(deposit_after - deposit_before, kind=kind, base_rate=base_rate)
    fall = int(worth.values["max_monthly_rent"] or 0)
    left = max(0, current_rent - fall)
    saying = f"보증금을 {won(deposit_after - deposit_before)} 올리면 월세는 월 {won(fall)} 줄어드는 셈입니다"
    return replace(
        worth,
        calculator="rent_after_raise",
        title="보증금을 올릴 때 줄어드는 월세",
        values={**worth.values, "total_monthly_rent": left},
        inputs={"deposit_before": deposit_before, "deposit_after": deposit_after, "current_rent": current_rent},
        explanation=(
            *worth.explanation[1:],
            f"{saying}. 지금 월세 {won(current_rent)}에서 빼면 월 {won(left)}입니다." if current_rent else f"{saying}.",
        ),
        notes=("전환율 상한은 보증금을 월세로 바꿀 때 적용됩니다. 반대 방향은 참고 환산입니다.",),
    )


def rent_to_deposit(
    monthly_rent: int, *, kind: Literal["housing", "shop"] = "housing", base_rate: Rate | None = None
) -> Calculation:
    """The deposit that stands for a monthly rent at the legal conversion rate."""
    check_money("monthly_rent", monthly_rent, minimum=1)
    rate = conversion_rate(kind, base_rate)
    if not rate:
        raise refuse("base_rate", "전환율이 0%면 보증금으로 바꿀 수 없습니다")
    deposit = round_won(monthly_rent * 12 / rate)
    return Calculation(
        calculator="rent_to_deposit",
        title="월세의 보증금 환산",
        values={"deposit": deposit, "rate": float(rate)},
        inputs={"monthly_rent": monthly_rent},
        formula="보증금 = 월세 × 12 ÷ 전환율",
        explanation=(
            _rate_line(kind, base_rate, rate),
            f"{won(monthly_rent)} × 12 ÷ {percent(rate)} = {won(deposit)}",
        ),
        rules=(fact("월차임 전환율", percent(rate), "conversion", kind), _base_fact(base_rate)),
        notes=("전환율 상한은 보증금을 월세로 바꿀 때 적용됩니다. 반대 방향은 참고 환산입니다.",),
    )


def refusal_damages(
    deposit: int = 0,
    monthly_rent: int = 0,
    new_deposit: int = 0,
    new_rent: int = 0,
    *,
    base_rate: Rate | None = None,
    loss: int = 0,
) -> Calculation:
    """Damages when a landlord refused renewal to live there and then let to someone else.

    Raises `InvalidState` if neither deposit nor rent of one of the two leases is given, or a sum is negative.
    """
    for field, amount in (("deposit", deposit), ("monthly_rent", monthly_rent), ("new_deposit", new_deposit)):
        check_money(field, amount)
    check_money("new_rent", new_rent)
    check_money("loss", loss)
    if not deposit and not monthly_rent:
        raise refuse("deposit", "거절당한 계약의 보증금이나 월세를 알려 주세요")
    if not new_deposit and not new_rent:
        raise refuse("new_deposit", "새 계약의 보증금이나 월세를 알려 주세요")
    rate = conversion_rate("housing", base_rate)
    old = monthly_rent + floor_won(deposit * rate / 12)
    new = new_rent + floor_won(new_deposit * rate / 12)
    three_months, difference = old * 3, max(0, new - old) * 24
    return Calculation(
        calculator="refusal_damages",
        title="실거주 갱신거절 뒤 제3자 임대의 손해배상",
        values={"damages": max(three_months, difference, loss), "three_months": three_months, "difference": difference},
        inputs={"deposit": deposit, "monthly_rent": monthly_rent, "new_deposit": new_deposit, "new_rent": new_rent},
        formula="max(환산월차임 3개월분, 환산월차임 차액 × 24개월, 실제 손해)",
        explanation=(
            f"거절 당시 환산월차임 = {won(old)}, 새 임대의 환산월차임 = {won(new)} (전환율 {percent(rate)})",
            f"3개월분 {won(three_months)}, 차액 2년분 {won(difference)}, 입증한 손해 {won(loss)} 중 큰 금액",
        ),
        rules=(
            RuleFact(
                "갱신거절 손해배상",
                "주택임대차보호법 제6조의3",
                "큰 금액",
                str(section("notice", "housing")["as_of"]),
                "주택임대차보호법 제6조의3제5항·제6항",
            ),
            _base_fact(base_rate),
        ),
        notes=("거절할 때 배상액을 따로 합의했으면 그 금액이 기준입니다. 실제 배상 여부는 법원이 판단합니다.",),
    )


def _base_rate(given: Rate | None) -> Decimal:
    return check_rate("base_rate", given) if given is not None else Decimal(str(section("base_rate")["value"]))


def _base_fact(given: Rate | None) -> RuleFact:
    if given is not None:
        return RuleFact("기준금리", "", percent(_base_rate(given)), "사용자가 알려 준 값", "사용자 입력")
    return fact("기준금리", percent(_base_rate(None)), "base_rate")


def _rate_line(kind: str, base_rate: Rate | None, rate: Decimal) -> str:
    base = percent(_base_rate(base_rate))
    if kind == "housing":
        return f"전환율 = 연 10%와 기준금리 {base} + 2%p 중 낮은 비율 = {percent(rate)}"
    return f"전환율 = 연 12%와 기준금리 {base} × 4.5 중 낮은 비율 = {percent(rate)}"
