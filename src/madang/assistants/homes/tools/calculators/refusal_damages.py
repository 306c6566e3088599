"""Damages when a landlord refused renewal to live there and then let to someone else."""

from madang.assistants.homes.data.policy import fact
from madang.assistants.homes.tools.calculators.calculation import (
    Calculation,
    Rate,
    check_money,
    floor_won,
    percent,
    refuse,
    won,
)
from madang.assistants.homes.tools.calculators.common_inputs import DEPOSIT, MONTHLY_RENT
from madang.assistants.homes.tools.calculators.conversion import MONTHLY_MOST, base_fact, conversion_rate
from madang.assistants.homes.tools.calculators.spec import Calculator, Cue, Input, Inputs, then
from madang.assistants.homes.tools.figure_facts import Facts
from madang.text.money import Money
from madang.text.parsed import Parsed

_MOVES_IN = (
    r"실\s?거주|들어와\s?산|들어온다|들어와서\s?산|직접\s?(?:산|살|들어|거주)|본인이\s?산|자기가\s?산"
    r"|아들이|딸이|자녀가|부모"
)
_LETS_TO_ANOTHER = r"다른|새|제\s?3자|딴|세\s?(?:를\s?)?(?:줬|준|놨|놓|주)|임대"
_FALSE_REFUSAL = (
    then(_MOVES_IN, _LETS_TO_ANOTHER, "손해|배상|보상|물어|청구|얼마")
    + "|"
    + then("손해|배상", _MOVES_IN, _LETS_TO_ANOTHER)
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
        rules=(fact("갱신거절 손해배상", "큰 금액", "refusal_damages"), base_fact(base_rate)),
        notes=("거절할 때 배상액을 따로 합의했으면 그 금액이 기준입니다. 실제 배상 여부는 법원이 판단합니다.",),
    )


def _read(facts: Facts) -> Inputs:
    """What was paid at the refusal and what the next tenant pays; the next tenant's are named with him."""
    leases = _leases([item for item in facts.sums if item.value.role in ("deposit", "rent", None, "price")])
    if len(leases) > 1 and facts.says(
        r"(?:새|다른|신규)[^?!]{0,40}(?<![가-힣])(?:저|나|우리|전|제가|내가|원래|기존)[는은가]?\s"
    ):
        leases.reverse()
    names = (("deposit", "monthly_rent"), ("new_deposit", "new_rent"))
    return {
        name: value for pair, lease in zip(names, leases, strict=False) for name, value in zip(pair, lease, strict=True)
    }


def _leases(sums: list[Parsed[Money]]) -> list[tuple[int, int]]:
    """Each deposit with the rent that follows it; a rent alone keeps the deposit before it."""
    found: list[tuple[int, int]] = []
    open_deposit = False
    for item in sums:
        won = item.value.won
        if won < MONTHLY_MOST and item.value.role != "deposit":
            if open_deposit:
                found[-1] = (found[-1][0], won)
            else:
                found.append((found[-1][0] if found else 0, won))
            open_deposit = False
        else:
            found.append((won, 0))
            open_deposit = True
    return found


def _said(values: Inputs, _inputs: Inputs) -> str:
    parts = f"환산월차임 3개월분 {won(values['three_months'])}, 2년간의 차액 {won(values['difference'])}"
    return f"법이 정한 손해배상액은 {won(values['damages'])}입니다({parts} 가운데 큰 금액)."


CALCULATOR = Calculator(
    name="refusal_damages",
    label="갱신거절 손해배상",
    subject="law",
    examples=("집주인이 실거주한다더니 다른 사람한테 세줬어요 손해배상 얼마? 저는 3억 전세, 새 세입자는 4억",),
    cues=(Cue(_FALSE_REFUSAL, 30),),
    inputs=(
        DEPOSIT,
        MONTHLY_RENT,
        Input("new_deposit", "won", question="새 세입자에게 받은 보증금과 월세가 얼마인가요?"),
        Input("new_rent", "won"),
    ),
    needed=("deposit", "new_deposit"),
    read=_read,
    run=refusal_damages,
    said=_said,
    bounds={"damages": (0, 10**11)},
    sources=("refusal_damages", "base_rate"),
    instead_of=frozenset({"increase_cap", "notice", "termination", "conversion"}),
)
