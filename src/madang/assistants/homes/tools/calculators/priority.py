"""What a tenant with a small deposit gets before every other creditor."""

from typing import Literal

from madang.assistants.homes.data.policy import fact, section
from madang.assistants.homes.tools.calculators.calculation import Calculation, check_money, refuse, won

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
        if any(_names_place(name, place) for place in names):
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
    return next((tier for tier, names in enumerate(groups) if any(_names_place(region, n) for n in names)), 3)


def _names_place(name: str, place: str) -> bool:
    """Whether a region's name is `place`, also as 시 or 광역시, or a part of it."""
    words = name.replace("특별자치시", "시").replace("특별시", "시").replace("광역시", "시").split()
    return any(word in (place, f"{place}시") for word in words) or name.startswith(place)
