"""How much of a home's price is already spoken for."""

from dataclasses import replace
from decimal import Decimal
from typing import Literal

from madang.assistants.homes.data.policy import fact, section
from madang.assistants.homes.tools.calculators.calculation import Calculation, check_money, percent, won
from madang.assistants.homes.tools.calculators.common_inputs import DEPOSIT, PRICE
from madang.assistants.homes.tools.calculators.spec import Calculator, Cue, Input, Inputs, then
from madang.assistants.homes.tools.figure_facts import Facts

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


_AT_RISK = (
    r"전세가율|깡통|역전세|부담\s?(?:률|비율)|"
    + then("근저당|선순위|융자|시세|매매|집값|빚", "보증금|전세", "위험|안전|괜찮|퍼센트|프로|%|비율|들어가도|계약해도")
    + "|"
    + then("보증금|전세", "근저당|선순위|융자|시세|매매가|집값|빚|대출", "위험|안전|괜찮|비율|들어가도|계약해도")
)


def _read(facts: Facts) -> Inputs:
    price, deposits, rest = facts.amount("price"), facts.amounts("deposit"), facts.amounts(None)
    if price is None and rest:
        price = rest.pop(0)
    if price is None and len(deposits) > 1:
        price = max(deposits)
        deposits.remove(price)
    debts, others = facts.amounts("debt", "loan"), facts.amounts("other_deposits")
    return {
        "price": price,
        "deposit": deposits[0] if deposits else rest.pop(0) if rest else None,
        "senior_debt": sum(debts) if debts else None,
        "other_deposits": sum(others) if others else None,
    }


def _is_meant(facts: Facts) -> bool:
    found = _read(facts)
    return found["price"] is not None or found["deposit"] is not None or facts.says("전세가율")


def _is_told(facts: Facts) -> bool:
    return bool(facts.amount("price") and facts.amount("deposit"))


CALCULATOR = Calculator(
    name="jeonse_risk",
    label="전세가율",
    subject="risk",
    examples=("시세 5억 전세 4억이면 전세가율 몇 퍼센트?",),
    cues=(Cue(_AT_RISK, 130, _is_meant),),
    implied=(Cue(rank=50, when=_is_told),),
    inputs=(
        replace(PRICE, question="집의 시세(매매가)가 얼마인가요? 모르면 지역과 전용면적을 알려 주세요."),
        replace(DEPOSIT, question="보증금(전세금)이 얼마인가요?"),
        Input("senior_debt", "won", "선순위 채권", slot="senior_debt"),
        Input("other_deposits", "won", "다른 보증금"),
    ),
    needed=("price", "deposit"),
    read=_read,
    # The slots carry what is changed; only a home told anew is another one.
    follow=lambda _before, facts: _read(facts) if _is_told(facts) else {},
    run=jeonse_risk,
    said=lambda values, _inputs: f"집값에 대한 부담률은 {values['burden_ratio']:g}%입니다.",
    bounds={"jeonse_ratio": (0, 300), "burden_ratio": (0, 400)},
    sources=("jeonse_risk",),
)
