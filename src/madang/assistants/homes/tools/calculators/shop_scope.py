"""The converted deposit of a shop lease, and how far the shop lease act applies to it."""

from madang.assistants.homes.data.policy import fact, section
from madang.assistants.homes.tools.calculators.calculation import Calculation, check_money, refuse, won
from madang.assistants.homes.tools.calculators.common_inputs import DEPOSIT, MONTHLY_RENT, REGION
from madang.assistants.homes.tools.calculators.small_deposit import names_place
from madang.assistants.homes.tools.calculators.spec import UNKNOWN, Calculator, Cue, Inputs, then
from madang.assistants.homes.tools.figure_facts import Facts

_SCOPE = (
    r"환산\s?보증금|환보(?![가-힣])|환산(?:하면|하였을|했을|해서|시)[^?]{0,8}보증금|"
    + then("상가|가게|점포|매장|식당|카페", "보호법?|임대차법", "대상|되|돼|받|범위|적용")
    + "|"
    + then("상가|가게|점포|매장", "적용", "대상|되|돼|받|범위")
)


def shop_scope(deposit: int, monthly_rent: int, *, region: str | None = None) -> Calculation:
    """The converted deposit of a shop lease and, where its region is known, whether the whole act applies to it.

    Raises `InvalidState` for an empty region or a negative sum.
    """
    check_money("deposit", deposit)
    check_money("monthly_rent", monthly_rent)
    converted = deposit + monthly_rent * 100
    limit = None if region is None else int(section("shop_scope")["limits"][_scope_tier(region)])
    within = None if limit is None else converted <= limit
    return Calculation(
        calculator="shop_scope",
        title="상가 환산보증금과 적용 범위",
        values={"converted_deposit": converted, "limit": limit, "within": within},
        inputs={"region": region, "deposit": deposit, "monthly_rent": monthly_rent},
        formula="환산보증금 = 보증금 + 월세 × 100",
        explanation=(
            f"{won(deposit)} + {won(monthly_rent)} × 100 = {won(converted)}",
            _scope_line(region, limit, within),
        ),
        rules=(fact("환산보증금 한도", _scope_limits() if limit is None else won(limit), "shop_scope"),),
        notes=("한도를 넘어도 대항력, 갱신요구(10년), 권리금 보호, 3기 연체 해지는 적용됩니다 (법 제2조제3항).",),
    )


def _scope_line(region: str | None, limit: int | None, within: bool | None) -> str:
    if limit is None:
        return f"법이 모두 적용되는지는 지역 한도에 달렸습니다: {_scope_limits()}"
    return f"{region}의 한도 {won(limit)} {'이하라 법이 모두 적용됩니다' if within else '를 넘어 일부만 적용됩니다'}"


def _scope_limits() -> str:
    names = ("서울", "과밀억제권역·부산", "그 밖의 광역시 등", "나머지 지역")
    return ", ".join(
        f"{name} {won(int(limit))}" for name, limit in zip(names, section("shop_scope")["limits"], strict=True)
    )


def _scope_tier(region: str) -> int:
    if not region.strip():
        raise refuse("region", "지역을 알려 주세요")
    regions, table = section("small_deposit", "regions"), section("shop_scope")
    if any(county in region for county in regions["metropolitan_counties"]) and "부산" not in region:
        return 3
    groups = (regions["seoul"], [*regions["congested"], *table["second"]], table["third"])
    return next((tier for tier, names in enumerate(groups) if any(names_place(region, n) for n in names)), 3)


def _read(facts: Facts) -> Inputs:
    deposit = facts.amount("deposit", None)
    if deposit is None and facts.says(r"보증금(?:은|이|도)?\s?(?:없|0\s?원)|무보증"):
        deposit = 0
    # The converted deposit is the same everywhere; what it means depends on the region.
    region = facts.region or (None if facts.says("환산|환보") else UNKNOWN)
    return {"region": region, "deposit": deposit, "monthly_rent": facts.amount("rent")}


def _is_meant(facts: Facts) -> bool:
    return facts.says(r"환산\s?보증금|환보") or bool(facts.amount("rent") and facts.is_shop)


def _said(values: Inputs, inputs: Inputs) -> str:
    converted = f"환산보증금은 {won(values['converted_deposit'])}"
    if values["limit"] is None:
        return f"{converted}입니다. 지역을 알려 주시면 상가건물 임대차보호법이 모두 적용되는지도 말씀드릴게요."
    reach = "이하라 법이 모두 적용됩니다" if values["within"] else "초과라 법의 일부만 적용됩니다"
    return f"{converted}으로, {inputs['region']} 한도 {won(values['limit'])} {reach}."


CALCULATOR = Calculator(
    name="shop_scope",
    label="환산보증금",
    subject="law",
    examples=("상가 보증금 1억 월세 300 환산보증금 얼마?",),
    cues=(Cue(_SCOPE, 50, _is_meant),),
    inputs=(REGION, DEPOSIT, MONTHLY_RENT),
    needed=("deposit", "monthly_rent"),
    read=_read,
    run=shop_scope,
    said=_said,
    bounds={"converted_deposit": (0, 10**12)},
    sources=("shop_scope",),
)
