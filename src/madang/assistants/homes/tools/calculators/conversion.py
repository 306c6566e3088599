"""What a deposit is worth as monthly rent at the legal rate, and how rent falls where it rises."""

import re
from dataclasses import replace
from decimal import Decimal
from typing import Literal

from madang.assistants.homes.data.policy import fact, section
from madang.assistants.homes.state.results import RuleRecord
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
from madang.assistants.homes.tools.calculators.common_inputs import BASE_RATE, LEASE_KIND
from madang.assistants.homes.tools.calculators.spec import Calculator, Cue, Input, Inputs, then
from madang.assistants.homes.tools.figure_facts import Facts
from madang.text.money import Money
from madang.text.parsed import Parsed

OTHER_WAY_ROUND = "전환율 상한은 보증금을 월세로 바꿀 때 적용됩니다. 반대 방향은 참고 환산입니다."
_INTO_RENT = (
    r"전월세\s?전환|월차임\s?전환|전환"
    r"|" + then("보증금", r"(?:으로|로)\s?(?:바꾸|변경)") + "|"
    r"(?:월세|달세)(?:로|를|도)?\s?(?:바꾸|바꿀|바꿔|돌리|돌릴|돌려|변경|하|내|놓|살|받겠|받고\s?싶|받자|조금)|반전세(?=로|\s?전환|하|\s?월세)"
    r"|(?:월세|달세)로(?!\s?(?:계약|구|나온|내놓|살고|사는))"
    r"|(?:→|->)[^?]{0,16}월세|(?:보증금|전세)[^?]{0,10}당\s?월세|나머지[^?]{0,8}(?:월세|달세)|"
    + "|".join(
        (
            then("전세|보증금|에서", "내리|내려|낮추|낮춰|낮춘|줄이|줄여|줄인|빼|깎|감액", r"월세|월\s?얼마|얼마|달세"),
            then("전세", r"월세\s?(?:상한|한도|최대|얼마)"),
            then("전세금?|보증금", r"돌려\s?(?:받|주|줘|줄|드리|드려)", "월세"),
        )
    )
)
_INTO_DEPOSIT = (
    r"(?:월세|월|매달|내는|차임|그만큼)[^?]{0,20}(?:보증금|전세금?)(?:으로|로)(?!\s?(?:살|사는|들어))"
    r"|월세[^?.]{0,16}없애|월세[^?]{0,12}(?:=|이면|면|은|는|이|가|이랑)\s?(?:보증금|전세)[^?]{0,6}얼마|(?:월세|월)[^?]{0,40}(?:깎|줄이|줄여|줄일|아끼|아껴|내리|낮추|덜)[^?]{0,14}보증금"
    r"|보증금(?!은?\s?그대로)[^?월]{0,20}(?:올리|올려|늘리|늘려|더\s?(?:넣|내|걸))[^?]{0,12}월세[^?]{0,12}(?:깎|줄|내|낮|얼마)"
    r"|(?:더\s?(?:넣|걸|맡기)|올리|늘리)[^?]{0,6}\s월세[^?]{0,12}(?:깎|줄|낮|내려|빠지|덜)"
)
_RISES = r"올리|올려|올릴|올린|인상|갱신|재계약|연장|증액"
_TURNS = r"전환|월세로|달세로|바꾸|바꿔|바꿀|돌리|돌려|돌릴|반전세로"
_WHOLE = r"전부|전액|모두|순수\s?월세|보증금\s?없이|보증금\s?0|다\s?월세|완전\s?월세|통째|환산|모조리"
_ASKS_DEPOSIT = (
    r"(?:월세|월|매달|내는|차임|그만큼)[^?]{0,20}(?:보증금|전세금?)(?:으로|로)(?!\s?(?:살|사는|들어))"
    r"|월세[^?.]{0,16}(?:없애|안\s?내)"
    r"|(?:보증금|전세금)(?:을|은|이|으로)?[^?월]{0,12}(?:얼마|올려|올리|더)"
)
_PART = re.compile(
    r"(?:(?P<below>\d)\s?분의\s?(?P<above>\d)|(?P<percent>\d{1,2})\s?(?:%|퍼센트|프로|퍼)|절반|반절|(?<![가-힣])반)(?:만큼|만|은|을|를|는|정도|으로)?(?:은|을|를)?\s?(?:월세|돌려|빼|내리|줄)"
)
_RISE_MOVED = r"(?:올린|오른|올려\s?준|인상|증액|오르는)\s?(?:만큼|분|금액|돈|부분|거)[^?]{0,8}월세"
_RENT_FALLS = r"(?:월세|달세|차임)[^?]{0,14}(?:줄|내려가|내려\s?주|내릴|깎|낮|싸지|빠지|감소|덜)"
MONTHLY_MOST = 10_000_000
WORDS = rf"{_INTO_RENT}|{_INTO_DEPOSIT}"
Leased = Literal["housing", "shop"]


def conversion_rate(kind: Leased = "housing", base_rate: Rate | None = None) -> Decimal:
    """The yearly ceiling for turning deposit into rent; the base rate is the dated one unless given."""
    base = _base_rate(base_rate)
    table = section("conversion", kind)
    by_base = base + Decimal(str(table["spread"])) if kind == "housing" else base * Decimal(str(table["multiple"]))
    return min(Decimal(str(table["cap"])), by_base)


def convert(
    deposit_before: int,
    deposit_after: int = 0,
    *,
    kind: Leased = "housing",
    base_rate: Rate | None = None,
    current_rent: int = 0,
) -> Calculation:
    """What the change of a deposit does to the rent. Raises `InvalidState` if the deposit stays as it is."""
    change = rent_after_raise if deposit_after > deposit_before else deposit_to_rent
    return change(deposit_before, deposit_after, kind=kind, base_rate=base_rate, current_rent=current_rent)


def deposit_to_rent(
    deposit_before: int,
    deposit_after: int = 0,
    *,
    kind: Leased = "housing",
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
        rate_line(kind, base_rate, rate),
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
        rules=(fact("월차임 전환율", percent(rate), "conversion", kind), base_fact(base_rate)),
        notes=("법이 정한 상한이며 실제 월세는 협의로 더 낮게 정할 수 있습니다.",),
    )


def rent_after_raise(
    deposit_before: int,
    deposit_after: int,
    *,
    kind: Leased = "housing",
    base_rate: Rate | None = None,
    current_rent: int = 0,
) -> Calculation:
    """By how much rent falls where the deposit rises. Raises `InvalidState` if the deposit does not rise."""
    if deposit_after <= deposit_before:
        raise refuse("deposit_after", "올린 뒤 보증금이 지금 보증금보다 커야 합니다", f"{won(deposit_before)} 초과")
    worth = deposit_to_rent(deposit_after - deposit_before, kind=kind, base_rate=base_rate)
    fall = int(worth.values["max_monthly_rent"] or 0)
    left = max(0, current_rent - fall)
    inputs = {"deposit_before": deposit_before, "deposit_after": deposit_after, "current_rent": current_rent}
    values = {**worth.values, "total_monthly_rent": left}
    return replace(
        worth,
        title="보증금을 올릴 때 줄어드는 월세",
        values=values,
        inputs=inputs,
        explanation=(*worth.explanation[1:], _said(values, inputs)),
        notes=(OTHER_WAY_ROUND,),
    )


def _base_rate(given: Rate | None) -> Decimal:
    return check_rate("base_rate", given) if given is not None else Decimal(str(section("base_rate")["value"]))


def base_fact(given: Rate | None) -> RuleRecord:
    if given is not None:
        return RuleRecord(
            name="기준금리",
            article="",
            value=percent(_base_rate(given)),
            as_of="사용자가 알려 준 값",
            source="사용자 입력",
        )
    return fact("기준금리", percent(_base_rate(None)), "base_rate")


def rate_line(kind: str, base_rate: Rate | None, rate: Decimal) -> str:
    base = percent(_base_rate(base_rate))
    if kind == "housing":
        return f"전환율 = 연 10%와 기준금리 {base} + 2%p 중 낮은 비율 = {percent(rate)}"
    return f"전환율 = 연 12%와 기준금리 {base} × 4.5 중 낮은 비율 = {percent(rate)}"


def asks_for_deposit(facts: Facts) -> bool:
    """Whether the deposit is what is asked for: 보증금을 얼마 더, 보증금으로 돌리면, 전세로 바꾸면."""
    rents = [won for won in facts.amounts("rent") if won < MONTHLY_MOST]
    if rents and facts.says(r"월세[^?]{0,16}전세로"):
        return True
    changed = any(facts.change(item) for item in _deposit_sums(facts))
    return facts.says(_ASKS_DEPOSIT) and bool(rents or not facts.sums) and not changed


def _is_meant(facts: Facts) -> bool:
    """Whether a deposit is turned into rent, rather than only raised."""
    rises = facts.says(_RISES) and not facts.says(_TURNS)
    return not asks_for_deposit(facts) and not (rises and _deposits(facts, _deposit_sums(facts))[1] is None)


def _read(facts: Facts) -> Inputs:
    before, after = _deposits(facts, _deposit_sums(facts))
    return {
        "deposit_before": before,
        "deposit_after": after,
        "base_rate": facts.rate("기준\\s?금리"),
        "kind": "shop" if facts.is_shop else None,
        "current_rent": _paid_rent(facts),
    }


def _follow(before: Inputs, facts: Facts) -> Inputs | None:
    """ "그럼 8천 빼면?": what is cut from, or becomes of, the deposit that was talked about."""
    deposit = before.get("deposit_before")
    if not deposit or len(facts.sums) != 1:
        return None
    item = facts.sums[0]
    change = facts.change(item)
    if change in ("cut", "moved") and item.value.won <= deposit:
        return {"deposit_after": deposit - item.value.won}
    return {"deposit_after": item.value.won} if change == "target" and item.value.won < deposit else None


def _paid_rent(facts: Facts) -> int | None:
    """The rent paid now: the first monthly sum of the size of a rent that is not what the landlord wants."""
    rents = [item for item in facts.sums if item.value.role == "rent" and item.value.won < MONTHLY_MOST]
    return next((item.value.won for item in rents if facts.change(item) not in ("asked", "rise")), None)


def _deposit_sums(facts: Facts) -> list[Parsed[Money]]:
    return [
        item
        for item in facts.sums
        if item.value.role in ("deposit", "price", "down_payment")
        or (item.value.role is None and item.value.won >= MONTHLY_MOST)
    ]


def _deposits(facts: Facts, sums: list[Parsed[Money]]) -> tuple[int | None, int | None]:
    """The deposit before and after: "5억을 3억으로", "4억에서 1억 내리면", "보증금 1억을 월세로"."""
    if facts.says(_RENT_FALLS) and (raised := _raised(facts, sums)):
        return raised
    plain, moved, target = _by_change(facts, sums)
    if moved and target and plain and target[0] > plain[0]:
        # What was added is moved: "2억에서 2억2천으로 올리는데 오른 2천을 월세로".
        return moved[0], 0
    if moved and target and not plain:
        plain, moved = moved, []
    if plain and target:
        return plain[0], target[0]
    if plain and moved:
        return plain[0], plain[0] - moved[0]
    if len(plain) > 1:
        return max(plain), min(plain)
    if target:
        return (max(target), min(target)) if len(target) > 1 else (None, target[0])
    if len(moved) > 1 and moved[0] > moved[1]:
        return moved[0], moved[0] - moved[1]
    return _of_one(facts, next(iter(plain or moved), None), named=bool(plain))


def _raised(facts: Facts, sums: list[Parsed[Money]]) -> tuple[int, int] | None:
    """The deposit before and after it is raised for less rent."""
    now = next((item.value.won for item in sums if facts.change(item) is None), None)
    for item in sums:
        won, change = item.value.won, facts.change(item)
        if now and change == "rise":
            return now, now + won
        if now and change == "target" and won > now:
            return now, won
    return None


def _by_change(facts: Facts, sums: list[Parsed[Money]]) -> tuple[list[int], list[int], list[int]]:
    """The sums that are only named, those that leave the deposit, and those it becomes."""
    by_change: dict[str | None, list[int]] = {}
    for item in sums:
        change = facts.change(item)
        if change == "moved" and item.value.role == "deposit" and _is_named_deposit(facts, item):
            # "3억 전세를 보증금 1억 월세로": the deposit that stays.
            change = "target" if len(sums) > 1 else "moved"
        by_change.setdefault(change, []).append(item.value.won)
    moved, target = by_change.get("moved", []) + by_change.get("cut", []), by_change.get("target", [])
    plain = [won for won in by_change.get(None, []) + by_change.get("asked", []) if won not in moved]
    return plain, moved if plain or moved or target else by_change.get("rise", []), target


def _of_one(facts: Facts, won: int | None, *, named: bool) -> tuple[int | None, int | None]:
    """One sum alone: a part of it, all of it, or the whole jeonse of which something may stay."""
    if won is None:
        return None, None
    if named and facts.rates and facts.says(_RISE_MOVED):
        return int(won * facts.rates[0][0]), 0
    if named and (share := _PART.search(facts.text)):
        return won, won - _part(won, share)
    return won, None if _is_whole_lease(facts) else 0


def _part(won: int, share: re.Match[str]) -> int:
    if share["percent"]:
        return won * int(share["percent"]) // 100
    return won * int(share["above"] or 1) // int(share["below"] or 2)


def _is_whole_lease(facts: Facts) -> bool:
    """Whether the one sum is the whole jeonse, and nothing says how much of it stays or that all of it goes."""
    named = facts.says(r"전세(?!금|\s?보증금)") and not facts.says(r"빼|깎|내려\s?주|줄여\s?주|돌려\s?받|오른|올린")
    return named and not facts.says(_WHOLE)


def _is_named_deposit(facts: Facts, item: Parsed[Money]) -> bool:
    return facts.text[: item.span[0]].rstrip().endswith("보증금")


def _said(values: Inputs, inputs: Inputs) -> str:
    total, rent = values["total_monthly_rent"], inputs["current_rent"]
    if (raised := inputs["deposit_after"] - inputs["deposit_before"]) > 0:
        saying = f"보증금을 {won(raised)} 올리면 월세는 월 {won(values['max_monthly_rent'])} 줄어드는 셈입니다."
        return f"{saying} 지금 월세 {won(rent)}에서 빼면 월 {won(total)}입니다." if rent else saying
    extra = f" 지금 월세까지 더하면 월 {won(total)}입니다." if total != values["max_monthly_rent"] else ""
    basis = f"줄인 보증금 {won(values['converted'])}, 전환율 연 {values['rate'] * 100:g}%"
    return f"월세 상한은 월 {won(values['max_monthly_rent'])}입니다({basis}).{extra}"


def _everything(facts: Facts) -> int | None:
    return 0 if facts.says(r"전부|전액|모두|다\s?바꾸|없이|0원") else None


CALCULATOR = Calculator(
    name="conversion",
    label="월세 전환 상한",
    subject="law",
    examples=("5억 전세를 보증금 3억으로 내리면 월세 상한은?",),
    cues=(Cue(WORDS, 120, _is_meant),),
    inputs=(
        Input("deposit_before", "won", "바꾸기 전 보증금", "지금 보증금이 얼마인가요?"),
        Input(
            "deposit_after", "won", "바꾼 뒤 보증금",
            "월세로 바꾼 뒤 보증금을 얼마로 남기나요? 모두 바꾸면 ‘전부’라고 알려 주세요.", answer=_everything,
        ),
        Input("current_rent", "won", "지금 월세"),
        BASE_RATE,
        LEASE_KIND,
    ),
    needed=("deposit_before", "deposit_after"),
    read=_read,
    follow=_follow,
    run=convert,
    said=_said,
    bounds={"max_monthly_rent": (0, 10**9), "rate": (0, 0.12)},
    sources=("conversion", "base_rate"),
    metrics={"conversion_rate": "rate"},
    of_rent=True,
    asked_without_figures=False,
)  # fmt: skip
