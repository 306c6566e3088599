"""How far a deposit and a rent may rise."""

import re
from decimal import Decimal
from typing import Literal

from madang.assistants.homes.data.policy import fact, section
from madang.assistants.homes.tools.calculators.calculation import (
    Calculation,
    Rate,
    check_money,
    check_rate,
    floor_won,
    percent,
    refuse,
    won,
)
from madang.assistants.homes.tools.calculators.common_inputs import DEPOSIT, LEASE_KIND, MONTHLY_RENT
from madang.assistants.homes.tools.calculators.conversion import MONTHLY_MOST
from madang.assistants.homes.tools.calculators.spec import Calculator, Cue, Input, Inputs, then
from madang.assistants.homes.tools.figure_facts import Facts
from madang.text.money import Money
from madang.text.parsed import Parsed

_RISES = (
    r"올리|올려|올릴|올린|올라|올랐|인상|증액|오르|오른|오름|더\s?(?:달라|달래|내라|내래|받겠)"
    rf"|{then('갱신|재계약|연장|계갱권', '최대|상한|한도|얼마|최고|max|맥스')}"
    rf"|{then('최대|상한|한도', '갱신|재계약')}"
    r"|5\s?(?:%|프로|퍼센트|퍼)\s?(?:룰|상한|제한|넘|초과|규정)"
)
_WAS_RAISED = re.compile(
    r"원?(?:으로|로)\s?(?:한\s?번\s?)?(?:올렸|올려\s?(?:줬|주었|드렸)|인상했|인상됐|증액했|올랐|재계약했|갱신했)"
)
# The rise has happened or goes beyond the rate that is named: that is no question whether it may be asked for.
_PAID = re.compile(r"넘게|초과|넘는|올려\s?줬|올렸|냈|돌려|더\s?올")
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


def _read(facts: Facts) -> Inputs:
    now = _present(facts)
    deposit = next((item.value.won for item in now if item.value.role == "deposit"), None)
    rent = next((item.value.won for item in now if item.value.role == "rent"), None)
    if deposit is None and rent is None:
        rest = [item.value for item in now if item.value.role in (None, "price")]
        deposit = next((money.won for money in rest if money.won >= MONTHLY_MOST), None)
        rent = next((money.won for money in rest if money.won < MONTHLY_MOST), None) if deposit is None else None
    kind = "shop" if facts.is_shop else "registered" if facts.says(r"임대\s?사업자|등록\s?임대|민간\s?임대") else None
    asked = facts.rates[0][0] if facts.rates else _asked_rate(facts, deposit, rent)
    return {"deposit": deposit, "monthly_rent": rent, "asked_rate": asked, "kind": kind}


def _only_rises(facts: Facts) -> bool:
    """Whether nothing falls: where one of the two does, the other rises for it."""
    return not any(facts.change(item) == "cut" for item in facts.sums)


def _is_implied(facts: Facts) -> bool:
    """A rise without the word: a lease with a rate of 5 %, or a larger sum that is asked for."""
    leased = facts.amount("deposit") or facts.amount("rent")
    if facts.says(r"대출|이자|금리|갚|빌") or not leased or not _only_rises(facts):
        return False
    asked = any(facts.change(item) in ("asked", "rise") for item in facts.sums)
    if asked or any(value == Decimal("0.05") for value, _, _ in facts.rates):
        return True
    larger = len(facts.sums) == 2 and facts.sums[1].value.won > facts.sums[0].value.won
    return larger and facts.says(r"달라|달래|요구|부르|부른|내라|내래")


def _present(facts: Facts) -> list[Parsed[Money]]:
    """The sums that are paid now: not those asked for, and after a raise that was made only what it came to."""
    now = [item for item in facts.sums if facts.change(item) not in ("rise", "asked")]
    raised = [item for item in now if _WAS_RAISED.match(facts.text, item.span[1])]
    large = {item.value.won >= MONTHLY_MOST for item in raised}
    return raised + [item for item in now if (item.value.won >= MONTHLY_MOST) not in large and item not in raised]


def _asked_rate(facts: Facts, deposit: int | None, rent: int | None) -> Decimal | None:
    """By how much the landlord wants more, as a share of what is paid now; None if no sum says so."""
    for item in facts.sums:
        won, change = item.value.won, facts.change(item)
        now = deposit if deposit and (won >= MONTHLY_MOST or not rent) else rent
        if not now or change not in ("asked", "target", "rise"):
            continue
        more = won if change == "rise" else won - now
        if more > 0:
            return (Decimal(more) / now).quantize(Decimal("0.0001"))
    return None


def _follow(before: Inputs, facts: Facts) -> Inputs | None:
    """ "3억1천이면?", "2만원이면?" after more was asked for: another demand that is judged, not what is paid now."""
    if not _only_rises(facts):
        return {}
    if "asked_rate" not in before or len(facts.sums) != 1:
        return None
    money = facts.sums[0].value
    deposit, rent = before.get("deposit"), before.get("monthly_rent")
    now = deposit if deposit and (money.won >= MONTHLY_MOST or not rent) else rent
    if not now:
        return None
    more = money.won - now if now < money.won < 2 * now else money.won if _only_a_rise(money, now) else None
    return {"asked_rate": (Decimal(more) / now).quantize(Decimal("0.0001"))} if more else None


def _only_a_rise(money: Money, now: int) -> bool:
    """Far below what is paid, and not called a rent or a deposit: by how much, not how much."""
    return money.role is None and money.won <= now // 4


def _said(values: Inputs, inputs: Inputs) -> str:
    deposit, rent = inputs.get("deposit"), inputs.get("monthly_rent")
    most = [f"보증금은 {won(values['max_deposit'])}"] if deposit else []
    most += [f"월세는 {won(values['max_monthly_rent'])}"] if rent else []
    allowed = values.get("allowed")
    verdict = (
        "" if allowed is None else "요구한 인상은 한도 안입니다. " if allowed else "요구한 인상은 한도를 넘습니다. "
    )
    return f"{verdict}갱신할 때 {', '.join(most)}까지 올릴 수 있습니다({values['rate'] * 100:g}% 한도)."


def _verdict(inputs: Inputs, question: str) -> str:
    """Whether an asked rate is within the law's cap."""
    if not inputs.get("asked_rate") or _PAID.search(question):
        return ""
    asked, cap = (
        Decimal(inputs["asked_rate"]),
        Decimal(str(section("increase", inputs.get("kind") or "housing")["rate"])),
    )
    if asked <= cap:
        return (
            f"네, {percent(asked)} 인상은 법이 정한 한도({percent(cap)}) 안이라 가능합니다. "
            "다만 계약하거나 올린 뒤 1년 안에는 다시 올릴 수 없습니다."
        )
    return f"아니요, {percent(asked)} 인상은 법이 정한 한도({percent(cap)})를 넘어 요구할 수 없습니다."


CALCULATOR = Calculator(
    name="increase_cap",
    label="증액 한도",
    subject="law",
    examples=("전세 3억인데 집주인이 4억 달래요 얼마까지 올려요?", "보증금 2억 갱신하면 최대 얼마?"),
    cues=(Cue(_RISES, 160, _only_rises),),
    implied=(Cue(rank=20, when=_is_implied),),
    inputs=(DEPOSIT, MONTHLY_RENT, Input("asked_rate", "rate", of="deposit"), LEASE_KIND),
    needed=lambda inputs: () if inputs.get("deposit") or inputs.get("monthly_rent") else ("deposit",),
    read=_read,
    follow=_follow,
    verdict=_verdict,
    run=increase_cap,
    said=_said,
    bounds={"max_deposit": (0, 10**13), "rate": (0, 0.1)},
    sources=("increase",),
    rule_suffices=True,
)
