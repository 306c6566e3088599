"""How much of a home's price is already spoken for."""

from decimal import Decimal
from typing import Literal

from madang.assistants.homes.data.policy import fact, section
from madang.assistants.homes.tools.calculators.calculation import Calculation, check_money, percent, won

Level = Literal["safe", "caution", "danger", "critical"]
LEVEL_NAMES: dict[Level, str] = {"safe": "비교적 안전", "caution": "주의", "danger": "위험", "critical": "매우 위험"}


def jeonse_risk(price: int, deposit: int, *, senior_debt: int = 0, other_deposits: int = 0) -> Calculation:
    """Deposit over price, and senior debt with all deposits over price, with a level for the latter."""
    check_money("price", price, minimum=1)
    check_money("deposit", deposit)
    check_money("senior_debt", senior_debt)
    check_money("other_deposits", other_deposits)
    ratio, burden = Decimal(deposit) / price, Decimal(senior_debt + other_deposits + deposit) / price
    level = risk_level(burden)
    guarantee = Decimal(str(section("jeonse_risk")["guarantee_limit"]))
    guarantee_line = (
        "이하라 보증 가입 요건의 하나를 채웁니다" if burden <= guarantee else "를 넘어 보증 가입이 어렵습니다"
    )
    shortfall = max(0, senior_debt + other_deposits + deposit - price)
    return Calculation(
        calculator="jeonse_risk",
        title="전세가율과 보증금 위험",
        values={
            "jeonse_ratio": float(round(ratio * 100, 2)),
            "burden_ratio": float(round(burden * 100, 2)),
            "level": level,
            "level_name": LEVEL_NAMES[level],
            "shortfall": shortfall,
            "guarantee_possible": burden <= guarantee,
        },
        inputs={"price": price, "deposit": deposit, "senior_debt": senior_debt, "other_deposits": other_deposits},
        formula="전세가율 = 보증금 ÷ 시세, 부담률 = (선순위 채권 + 다른 보증금 + 보증금) ÷ 시세",
        explanation=(
            f"전세가율 = {won(deposit)} ÷ {won(price)} = {percent(ratio)}",
            f"부담률 = ({won(senior_debt)} + {won(other_deposits)} + {won(deposit)}) ÷ {won(price)}"
            f" = {percent(burden)} → {LEVEL_NAMES[level]}",
            f"부담률이 {percent(guarantee)} {guarantee_line}",
        ),
        rules=(fact("위험 구간", "70% / 80% / 90%", "jeonse_risk"),),
        notes=(
            str(section("jeonse_risk")["note"]),
            "경매 낙찰가는 시세보다 낮은 것이 보통이고, 체납 세금은 등기부에 없을 수 있습니다.",
        ),
    )


def risk_level(burden: Decimal) -> Level:
    """The level of a burden ratio by the dated thresholds."""
    table = section("jeonse_risk")
    if burden > Decimal(str(table["critical"])):
        return "critical"
    if burden > Decimal(str(table["danger"])):
        return "danger"
    if burden > Decimal(str(table["caution"])):
        return "caution"
    return "safe"
