"""Acquisition tax on a home, at the standard rates."""

import re
from collections.abc import Mapping, Sequence
from decimal import ROUND_HALF_UP, Decimal
from typing import Any

from madang.assistants.homes.data.policy import fact, section
from madang.assistants.homes.tools.calculators.calculation import (
    Calculation,
    check_money,
    floor_won,
    percent,
    refuse,
    won,
)
from madang.assistants.homes.tools.calculators.common_inputs import AREA, PRICE
from madang.assistants.homes.tools.calculators.spec import Calculator, Cue, Input, Inputs
from madang.assistants.homes.tools.figure_facts import Facts


def acquisition_rate(price: int) -> Decimal:
    """1 % to 600 million, 3 % above 900 million, and the straight line in between (to 0.01 %)."""
    table = section("acquisition_tax")
    if price <= table["low_limit"]:
        return Decimal(str(table["low_rate"]))
    if price > table["high_limit"]:
        return Decimal(str(table["high_rate"]))
    line = (Decimal(price) * 2 / Decimal(300_000_000) - 3) / 100
    return line.quantize(Decimal("0.0001"), ROUND_HALF_UP)


def acquisition_tax(
    price: int,
    *,
    homes: int,
    area: float | None = None,
    regulated: bool = False,
    temporary: bool = False,
    called_pyeong: float | None = None,
) -> Calculation:
    """Acquisition, education and rural taxes for buying a home that becomes the buyer's `homes`-th.

    Two homes in a regulated area and three or more anywhere pay heavier rates; a `temporary` second home does not.
    `called_pyeong` says that the area was estimated from a size in 평. Raises `InvalidState` for a price or a number
    of homes below one.
    """
    check_money("price", price, minimum=1)
    if not 1 <= homes <= 1000:
        raise refuse("homes", "취득한 뒤의 주택 수여야 합니다", "1 이상")
    table = section("acquisition_tax")
    heavy = None if temporary else _heavy(homes, regulated)
    rate = acquisition_rate(price) if heavy is None else Decimal(str(heavy["rate"]))
    education_rate = rate * Decimal(str(table["education_share"]))
    rural_rate = Decimal(str(table["rural_rate"]))
    if heavy is not None:
        education_rate, rural_rate = Decimal(str(table["heavy_education"])), Decimal(str(heavy["rural_rate"]))
    large = area is not None and area > table["rural_area"]
    tax, education = floor_won(price * rate), floor_won(price * education_rate)
    rural = floor_won(price * rural_rate) if large else 0
    return Calculation(
        calculator="acquisition_tax",
        title="주택 취득세",
        values={
            "tax": tax,
            "education_tax": education,
            "rural_tax": rural,
            "total": tax + education + rural,
            "rate": float(rate),
        },
        inputs={"price": price, "homes": homes, "area": area, "regulated": regulated, "temporary": temporary},
        formula="취득가 × 세율(6억 이하 1%, 6억~9억 취득가(억)×2/3-3 %, 9억 초과 3%)"
        if heavy is None
        else "취득가 × 중과세율(조정대상지역 2주택·그 밖의 3주택 8%, 조정대상지역 3주택·그 밖의 4주택부터 12%)",
        explanation=(
            *_rate_lines(price, rate, heavy is not None, homes, regulated),
            f"취득세 = {won(price)} × {percent(rate)} = {won(tax)}",
            f"지방교육세 = {won(price)} × {percent(education_rate, 4)} = {won(education)}",
            *_supposed(area, called_pyeong),
            _rural_line(area, rural_rate, rural, large=large),
        ),
        rules=(fact("취득세율", percent(rate), "acquisition_tax"),),
        notes=(str(table["note"]), "생애최초 등 감면이 있을 수 있으니 시·군·구 세무과에 확인하세요."),
    )


def _heavy(homes: int, regulated: bool) -> Mapping[str, Any] | None:
    """The heavier rate of the `homes`-th home, if it has one."""
    step = homes + (1 if regulated else 0)
    if homes == 1 or step < 3:
        return None
    rates: Sequence[Mapping[str, Any]] = section("acquisition_tax")["heavy"]
    return rates[0] if step == 3 else rates[1]


def _rate_lines(price: int, rate: Decimal, heavy: bool, homes: int, regulated: bool) -> tuple[str, ...]:
    if heavy:
        return (f"{'조정대상지역' if regulated else '비조정대상지역'}에서 {homes}주택이 되므로 {percent(rate)}",)
    table = section("acquisition_tax")
    if table["low_limit"] < price <= table["high_limit"]:
        return (f"6억~9억 구간 세율 = 취득가(억) × 2 ÷ 3 - 3 = {percent(rate)}",)
    return ()


def _supposed(area: float | None, called: float | None) -> tuple[str, ...]:
    if area is None or called is None:
        return ()
    return (f"{called:g}평은 공급면적으로 보아 전용 약 {area:g}㎡로 계산 (전용면적을 알려 주시면 다시 계산합니다)",)


def _rural_line(area: float | None, rate: Decimal, rural: int, *, large: bool) -> str:
    if large:
        return f"농어촌특별세 = 전용 85㎡ 초과라 {percent(rate)} = {won(rural)}"
    return "농어촌특별세 = 전용 85㎡ 이하면 없음" + ("" if area is not None else " (면적을 몰라 뺐습니다)")


_TAX = (
    r"취득세|취\s?등록세|등록세|농어촌\s?특별세|농특세|지방\s?교육세|(?:집|아파트|주택|빌라)[^?]{0,16}(?:사|살|매수|취득|구입)[^?]{0,16}세금"
    r"|세금[^?]{0,16}(?:집|아파트|주택|빌라)[^?]{0,8}(?:사|살|매수|취득|구입)"
)
_COUNTS = {"한": 1, "두": 2, "세": 3, "네": 4, "하나": 1, "둘": 2, "셋": 3, "넷": 4, "일": 1, "이": 2, "삼": 3, "사": 4}
_NUMBER = r"(\d|한|두|세|네|하나|둘|셋|넷|일|이|삼|사)"
_HOMES = re.compile(rf"{_NUMBER}\s?주택")
_OWNED = re.compile(
    rf"(?:집|아파트|주택)(?:이|을|은)?\s?(?:이미\s?)?{_NUMBER}(?:\s?(?:채|개))?(?:가|를|이)?\s?(?:있|가지|가진|보유|갖|소유|인\s)"
    rf"|{_NUMBER}\s?(?:채|주택)(?:를|을)?\s?(?:이미\s?)?(?:있|가지|가진|보유|갖|소유)"
)
_NTH = re.compile(r"(두|세|네|2|3|4)\s?(?:번\s?째|채\s?째)")
_NONE_YET = re.compile(
    r"무주택|유일|첫\s?(?:집|주택|아파트|내\s?집)|생애\s?(?:최초|첫|처음)|생초|처음|최초|집이?\s?(?:하나도\s?)?없|1가구\s?1주택"
    r"|(?:집|채|이거|이것)\s?하나(?:만|뿐)|한\s?채(?:만|뿐)|하나만\s?(?:갖|가지|있)|(?:처분|팔)[가-힣]{1,3}[^?]{0,20}(?:하나|한\s?채)|이거\s?한\s?채|갈아타"
)
_ONE_MORE = re.compile(r"한\s?채\s?더|하나\s?더|또\s?(?:사|하나)|더\s?(?:사|살|매수|구입)|추가")
_BECOMES = re.compile(r"\s?(?:자(?:가|로)?)?\s?(?:이|가)?\s?(?:되|돼|됩|될|된|이\s?됨)")
_MANY = re.compile(r"다주택")
_FREE = re.compile(
    r"비\s?(?:조정|규제)|(?:조정|규제)(?:대상)?(?:지역)?(?:이|은|도)?\s?(?:아닌|아니|아님|해제|풀린|밖)|지방(?!\s?(?:교육|세))"
)
_REGULATED = re.compile(r"(?:조정|규제|투기\s?과열|투기)\s?(?:대상)?\s?(?:지역|지구)|조정")


def _read(facts: Facts) -> Inputs:
    return {
        "price": facts.settled_amount("price", None) or facts.large_amount("price", None, "deposit", "loan"),
        "homes": _homes(facts),
        "area": facts.area,
        "called_pyeong": facts.called_pyeong,
        "regulated": in_regulated_area(facts),
        "temporary": True if facts.says(r"일시적|갈아타") else None,
    }


def _homes(facts: Facts) -> int | None:
    """Which home the bought one becomes: those owned and one more, or what the buyer is said to become."""
    text = facts.text
    if nth := _NTH.search(text):
        return _count(nth[1])
    if owned := _OWNED.search(text):
        return _count(owned[1] or owned[2]) + 1
    said = list(_HOMES.finditer(text))
    if become := [match for match in said if _BECOMES.match(text, match.end())]:
        return _count(become[-1][1])
    if said:
        return _count(said[0][1]) + (1 if _ONE_MORE.search(text) else 0)
    if _NONE_YET.search(text):
        return 1
    return 2 if _ONE_MORE.search(text) or _MANY.search(text) else None


def _count(word: str) -> int:
    return int(word) if word.isdigit() else _COUNTS[word]


def in_regulated_area(facts: Facts) -> bool | None:
    """Whether the home lies in a regulated area: said, or known of the region named."""
    if _FREE.search(facts.text):
        return False
    if _REGULATED.search(facts.text):
        return True
    region = facts.region
    if region is None:
        return None
    return any(place in region for place in section("acquisition_tax")["regulated"])


def _needed(inputs: Inputs) -> tuple[str, ...]:
    heavier = inputs.get("homes") in (2, 3) and not inputs.get("temporary")
    return ("price", "homes", "regulated") if heavier else ("price", "homes")


def _answered_homes(facts: Facts) -> int | None:
    if re.search(r"\d", facts.question):
        return None
    if facts.says(r"첫|처음|무주택|하나|한\s?채|생애"):
        return 1
    return 2 if facts.says(r"둘|두|다주택|추가") else None


def _answered_regulated(facts: Facts) -> bool | None:
    said = in_regulated_area(facts)
    if said is None and re.match(r"\s*(?:네|넵|예|응|맞|그래|ㅇㅇ|있)", facts.text):
        return True
    return False if said is None and re.match(r"\s*(?:아니|아뇨|ㄴㄴ|없)", facts.text) else said


CALCULATOR = Calculator(
    name="acquisition_tax",
    label="취득세",
    subject="law",
    examples=("무주택인데 5억 아파트 사면 취득세 얼마?",),
    cues=(Cue(_TAX, 20),),
    inputs=(
        PRICE,
        Input("homes", "count", question="이 집을 사면 몇 주택이 되나요?", answer=_answered_homes),
        AREA,
        Input("called_pyeong", "area"),
        Input("regulated", "flag", question="집이 조정대상지역에 있나요?", answer=_answered_regulated),
        Input("temporary", "flag"),
    ),
    needed=_needed,
    read=_read,
    run=acquisition_tax,
    said=lambda values, _inputs: f"취득세는 지방교육세 등을 더해 모두 {won(values['total'])}입니다.",
    bounds={"total": (1, 10**12), "rate": (0.01, 0.12)},
    sources=("acquisition_tax",),
)
