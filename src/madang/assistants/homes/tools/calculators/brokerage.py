"""The most a broker may charge."""

import re
from collections.abc import Mapping
from dataclasses import replace
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
from madang.assistants.homes.tools.calculators.common_inputs import AREA, MONTHLY_RENT, PRICE
from madang.assistants.homes.tools.calculators.spec import Calculator, Cue, Input, Inputs, then
from madang.assistants.homes.tools.figure_facts import Facts

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


_BROKER = (
    r"복비|(?<![가-힣])중수(?![가-힣])|중개(?:사|인)?\s?(?:수수료|보수|비|료|비용)|소개비|부동산\s?(?:중개\s?)?(?:수수료|비용|비|요율)"
    r"|(?:부동산|중개사|중개인|중개업소|공인중개사)(?:에|한테|에게|에다|님께|에서)?\s?[^?]{0,8}(?:얼마|줘야|내야|주면|드려|주는\s?돈)"
    r"|(?:부동산|중개사|중개인|중개업소)[^?]{0,16}(?:달라(?!요)|달래|요구|청구|내라|내래)"
    r"|" + then("중개|부동산|복덕방", r"(?<!상환)(?<!상환\s)(?:수수료|보수(?!\s?(?:공사|비|작업)))")
)
_FEE = r"(?<!상환)(?<!상환\s)(?<!대출)(?<!대출\s)(?<!보증)(?<!보증\s)수수료"
_SELLS = (
    r"매매|매수|매도|매입|분양|구입|구매|사면|사려|사서|사기|삽니|산다|살\s?(?:때|건|경우|까|예정)|사는|샀|팔"
    r"|산\s?(?:집|아파트)|내놓|내놨|거래|교환"
)
_SURELY_SELLS = r"매매|매수|매도|매입|팔|교환|(?<!전세로\s)(?<!월세로\s)(?:사는데|사면|사려|샀|삽니)"
_LETS = r"전세|월세|보증금|임대|전월세|반전세|달세|세\s?놓|방\s?(?:구|얻)|자취"
_NOT_A_HOME = (
    r"(?<![인이])상가|토지|땅|임야|(?<!중개)(?<!중개\s)(?<!부동산)(?<!부동산\s)사무실|공장|창고|점포|가게|빌딩|건물|매장"
    r"|지식\s?산업|전답|논|밭\b"
)
_CALLED = r"(?:아파트|빌라|주택|다세대|단독|오피스텔|집|토지|땅|상가)(?!주인)"
_WHICH_HOME = re.compile(
    r"(?<![가-힣])(파는|판|팔|사는|산|살|이사\s?갈|이사할|새|지금|원래|들어갈)\s(?:집|아파트|빌라)"
)


def _read(facts: Facts) -> Inputs:
    rent = next((won for won in facts.amounts("rent") if won < 10_000_000), None)
    deal = _deal(facts, rent)
    roles = ("deposit", None, "price", "loan") if deal == "lease" else ("price", None, "deposit", "loan")
    price = _of_asked_home(facts) or facts.settled_amount(*roles) or facts.large_amount(*roles) or facts.amount(*roles)
    if rent is not None and price is None:
        price = 0
    kind = "officetel" if facts.says(r"오피스텔|오피\b") else "other" if facts.says(_NOT_A_HOME) else None
    return {
        "deal": deal,
        "price": price,
        "monthly_rent": rent if deal == "lease" else None,
        "property_kind": kind,
        "area": facts.area,
    }


def _of_asked_home(facts: Facts) -> int | None:
    """The sum of the home the question comes back to: "파는 집은 4억, 사는 집은 6억. 사는 집 복비는?"."""
    named = list(_WHICH_HOME.finditer(facts.text))
    if len(named) < 3 or len({match[1] for match in named}) < 2:
        return None
    first = next(match for match in named if match[1] == named[-1][1])
    return next((item.value.won for item in facts.sums if item.span[0] >= first.end()), None)


def _deal(facts: Facts, rent: int | None) -> str | None:
    sale, lease = facts.says(_SELLS), facts.says(_LETS) or rent is not None
    if sale and lease:
        # 전세로 사는 집 lives, 매매 deals: the word that names the deal decides, and only a lease has a rent.
        return "sale" if rent is None and facts.says(_SURELY_SELLS) else "lease"
    # A home is called by its price: 9억 아파트.
    called = facts.says(_CALLED) and facts.large_amount("price", None) is not None
    return "lease" if lease else "sale" if sale or called else None


def _said(values: Inputs, inputs: Inputs) -> str:
    deal = "매매" if inputs.get("deal") == "sale" else "임대차"
    return f"{deal} 중개보수는 한쪽이 최대 {won(values['max_fee'])}입니다(부가세 별도)."


def _answered_deal(facts: Facts) -> str | None:
    return "sale" if facts.says("매매|사|팔") else "lease" if facts.says("전세|월세|임대") else None


CALCULATOR = Calculator(
    name="brokerage",
    label="중개보수",
    subject="law",
    examples=("9억 아파트 매매 복비 얼마예요?", "보증금 1억에 월세 50 부동산 수수료"),
    cues=(Cue(_BROKER, 10),),
    implied=(Cue(_FEE, 10, lambda facts: bool(facts.sums)),),
    inputs=(
        Input("deal", "option", question="매매인가요, 전세·월세인가요?", answer=_answered_deal),
        replace(PRICE, label="거래금액", of="deal"),
        replace(MONTHLY_RENT, of="deal"),
        Input("property_kind", "option"),
        AREA,
    ),
    needed=("deal", "price"),
    read=_read,
    run=brokerage_fee,
    said=_said,
    bounds={"max_fee": (0, 10**11), "rate": (0.001, 0.01)},
    sources=("brokerage",),
)
