"""What a tenant with a small deposit gets before every other creditor."""

from typing import Literal

from madang.assistants.homes.data.policy import fact, section
from madang.assistants.homes.tools.calculators.calculation import Calculation, check_money, refuse, won
from madang.assistants.homes.tools.calculators.common_inputs import DEPOSIT, LEASE_KIND, MONTHLY_RENT, REGION
from madang.assistants.homes.tools.calculators.spec import Calculator, Cue, Input, Inputs, then
from madang.assistants.homes.tools.figure_facts import Facts

Kind = Literal["housing", "shop"]


def small_deposit_tier(region: str, kind: Kind = "housing") -> int:
    """0 for Seoul … 3 for the rest, from a region's name. Raises `InvalidState` for an empty name."""
    name = region.strip()
    if not name:
        raise refuse("region", "지역을 알려 주세요")
    regions = section("small_deposit", "regions")
    if any(county in name for county in regions["metropolitan_counties"]):
        return 3
    second = [*regions["congested"], *(regions["housing_second"] if kind == "housing" else [])]
    third = regions["housing_third"] if kind == "housing" else regions["shop_third"]
    for tier, names in enumerate((regions["seoul"], second, third)):
        if any(names_place(name, place) for place in names):
            return tier
    return 3


def small_deposit(
    region: str, deposit: int, *, house_price: int | None = None, monthly_rent: int = 0, kind: Kind = "housing"
) -> Calculation:
    """Whether a deposit counts as small in its region, and the amount paid first.

    For shops the rent counts a hundredfold. Raises `InvalidState` for a missing region or a negative sum.
    """
    check_money("deposit", deposit)
    check_money("monthly_rent", monthly_rent)
    tier = small_deposit_tier(region, kind)
    table = section("small_deposit", kind)
    label = section("small_deposit", "regions")["labels"][tier]
    limit, most = int(table["limits"][tier]), int(table["amounts"][tier])
    measured = deposit + monthly_rent * 100 if kind == "shop" else deposit
    eligible = 0 < measured <= limit
    amount = min(deposit, most) if eligible else 0
    lines = [f"{region} → {label}: 보증금 {won(limit)} 이하, 최대 {won(most)}"]
    if kind == "shop" and monthly_rent:
        lines.append(f"환산보증금 = {won(deposit)} + {won(monthly_rent)} × 100 = {won(measured)}")
    if house_price is not None and eligible:
        half = check_money("house_price", house_price, minimum=1) // 2
        amount = min(amount, half)
        lines.append(f"집값의 2분의 1 = {won(half)}까지만 인정")
    lines.append(
        f"{won(measured)} ≤ {won(limit)} → 최우선변제 {won(amount)}"
        if eligible
        else f"{won(measured)}은 기준 {won(limit)}을 넘어 소액임차인이 아닙니다"
    )
    notes = [
        "경매신청 등기 전에 입주와 전입신고(상가는 사업자등록 신청)를 마쳐야 합니다.",
        "먼저 설정된 담보권이 있으면 그 설정일 당시의 기준이 적용될 수 있습니다.",
    ]
    if tier == 1:
        notes.append(section("small_deposit", "regions")["congested_note"])
    return Calculation(
        calculator="small_deposit",
        title="소액임차인 최우선변제",
        values={"eligible": eligible, "amount": amount, "limit": limit, "maximum": most, "region_group": label},
        inputs={"region": region, "deposit": deposit, "monthly_rent": monthly_rent, "house_price": house_price},
        formula="보증금 ≤ 지역 기준이면 min(보증금, 지역 최우선변제액, 집값 ÷ 2)",
        explanation=tuple(lines),
        rules=(fact("최우선변제", f"{won(limit)} 이하 / {won(most)}까지", "small_deposit", kind),),
        notes=tuple(notes),
    )


def names_place(name: str, place: str) -> bool:
    """Whether a region's name is `place`, also as 시 or 광역시, or a part of it."""
    words = name.replace("특별자치시", "시").replace("특별시", "시").replace("광역시", "시").split()
    return any(word in (place, f"{place}시") for word in words) or name.startswith(place)


_SMALL = r"최우선|소액\s?(?:임차인|보증금|세입자|임대차)|우선\s?변제금"
_ASKS = r"얼마|최소|보호|건지|건져|건질|받|지킬|지키|보장|떼이"


def _read(facts: Facts) -> Inputs:
    return {
        "region": facts.region,
        "deposit": facts.amount("deposit", None),
        "monthly_rent": facts.amount("rent"),
        "house_price": facts.amount("price"),
        "kind": "shop" if facts.is_shop else None,
    }


def _only_deposit(facts: Facts) -> bool:
    """Whether a deposit alone is told; with the home's price or debts it is a question of risk."""
    told = facts.amount("deposit", None) is not None
    return told and not facts.amount("price") and not facts.amount("debt")


def _said(values: Inputs, _inputs: Inputs) -> str:
    if values["eligible"]:
        amount = won(values["amount"])
        return f"소액임차인이라 최우선변제로 {amount}까지 먼저 받을 수 있습니다({values['region_group']} 기준)."
    return f"보증금이 {values['region_group']} 기준 {won(values['limit'])}을 넘어 최우선변제 대상이 아닙니다."


CALCULATOR = Calculator(
    name="small_deposit",
    label="최우선변제금",
    subject="law",
    examples=("서울 보증금 1억 최우선변제 얼마?", "수원 보증금 6천인데 경매 넘어가면 얼마 받아요?"),
    cues=(Cue(_SMALL, 40), Cue(then("경매", "먼저", "얼마"), 45), Cue(then("경매", _ASKS), 140, _only_deposit)),
    inputs=(REGION, DEPOSIT, MONTHLY_RENT, Input("house_price", "won", "집값"), LEASE_KIND),
    needed=("region", "deposit"),
    read=_read,
    run=small_deposit,
    said=_said,
    bounds={"amount": (0, 10**8), "limit": (10**7, 10**9)},
    sources=("small_deposit",),
)
