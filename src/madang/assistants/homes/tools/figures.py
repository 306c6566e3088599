"""From a question in words to a calculator call, stating what is missing instead of assuming it."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Any

from madang.assistants.homes.tools import calculators as calc
from madang.assistants.homes.tools.calculators import Calculation
from madang.assistants.homes.tools.figure_facts import Facts
from madang.assistants.homes.tools.roi import Investment, RoiCalculator
from madang.errors import FieldProblem, InvalidInput, InvalidState
from madang.text.money import Money

Inputs = dict[str, Any]

ASK: Mapping[str, str] = {
    "annual_income": "연소득이 얼마인가요?",
    "annual_rate": "대출 금리가 연 몇 %인가요?",
    "deal": "매매인가요, 전세·월세인가요?",
    "deposit": "지금 보증금(전세금)이 얼마인가요?",
    "deposit_after": "보증금을 얼마로 낮추나요?",
    "deposit_before": "지금 보증금이 얼마인가요?",
    "homes": "이 집을 사면 몇 주택이 되나요?",
    "lease_end": "계약 만료일이 언제인가요?",
    "ltv": "적용할 LTV가 몇 %인가요?",
    "monthly_rent": "월세가 얼마인가요?",
    "notified": "해지 통지를 임대인이 받은 날이 언제인가요?",
    "price": "집값(또는 보증금)이 얼마인가요?",
    "principal": "대출금이 얼마인가요?",
    "region": "집이 어느 지역에 있나요?",
    "signed": "계약일이 언제인가요?",
    "years": "대출 기간이 몇 년인가요?",
}


@dataclass(frozen=True)
class FigureRequest:
    """A calculator with the inputs the question gave, and the names of those it still needs."""

    calculator: str
    inputs: Mapping[str, Any]
    missing: tuple[str, ...] = ()

    @property
    def questions(self) -> tuple[str, ...]:
        """What to ask the user, one line for each missing input."""
        return tuple(ASK.get(name, name) for name in self.missing)


def read_figures(question: str, today: date) -> tuple[FigureRequest, ...]:
    """The calculators a question asks for, the most telling first; none if it asks for no figure."""
    facts = Facts(question, today)
    found = [reader(facts) for pattern, reader in _READERS if pattern.search(facts.text)]
    requests = [request for request in found if request is not None]
    shaped = (shape(facts) for shape in _SHAPES)
    return tuple(_once(requests or [request for request in shaped if request is not None][:1]))


def calculate(request: FigureRequest) -> Calculation:
    """Run the calculator. Raises `InvalidState` naming each missing input, or what the calculator refuses."""
    if request.missing:
        raise InvalidState([FieldProblem(name, ASK.get(name, "값이 필요합니다")) for name in request.missing])
    run = _CALCULATORS.get(request.calculator)
    if run is None:
        raise InvalidInput(f"no calculator is called {request.calculator!r}")
    return run(**request.inputs)


def _once(requests: list[FigureRequest]) -> list[FigureRequest]:
    seen: dict[str, FigureRequest] = {}
    for request in requests:
        seen.setdefault(request.calculator, request)
    return list(seen.values())


def _request(name: str, needed: tuple[str, ...], inputs: Inputs) -> FigureRequest:
    given = {key: value for key, value in inputs.items() if value is not None}
    return FigureRequest(name, given, tuple(key for key in needed if key not in given))


def _brokerage(facts: Facts) -> FigureRequest:
    sale = facts.says(r"매매|매수|매도|분양|사면|살\s?때|사는|샀|팔")
    lease = facts.says(r"전세|월세|보증금|임대|전월세|반전세")
    lease = lease or facts.amount("rent") is not None
    deal = "lease" if lease and not facts.says("매매") else "sale" if sale else None
    price = facts.amount("deposit", "price", None) if deal == "lease" else facts.amount("price", None, "deposit")
    price = price or facts.large_amount("fee")
    rent = facts.amount("rent") if deal == "lease" else None
    kind = (
        "officetel"
        if facts.says("오피스텔")
        else "other"
        if facts.says(r"상가|토지|땅|임야|사무실|공장|창고|점포|가게|빌딩")
        else None
    )
    if rent is not None and price is None:
        price = 0
    inputs = {"deal": deal, "price": price, "monthly_rent": rent, "property_kind": kind, "area": facts.area}
    return _request("brokerage", ("deal", "price"), inputs)


def _acquisition_tax(facts: Facts) -> FigureRequest:
    more = facts.says(r"다주택|[2-9]주택|두\s?채|세\s?채|한\s?채\s?더|하나\s?더|또\s?사|더\s?사|추가로|두\s?번째")
    first = facts.says(r"무주택|1\s?주택|일주택|첫\s?집|생애\s?(?:최초|첫)|처음|집이?\s?없")
    homes = 2 if more else 1 if first else None
    inputs = {"price": facts.amount("price", None, "deposit"), "homes": homes, "area": facts.area}
    return _request("acquisition_tax", ("price", "homes"), inputs)


def _small_deposit(facts: Facts) -> FigureRequest:
    inputs = {
        "region": facts.region,
        "deposit": facts.amount("deposit", None),
        "monthly_rent": facts.amount("rent"),
        "house_price": facts.amount("price"),
        "kind": "shop" if facts.is_shop else None,
    }
    return _request("small_deposit", ("region", "deposit"), inputs)


def _auctioned(facts: Facts) -> FigureRequest | None:
    """What a tenant surely gets back at an auction; with the home's price or debts it is a question of risk."""
    if facts.amount("deposit", None) is None or facts.amount("price") or facts.amount("debt"):
        return None
    return _small_deposit(facts)


def _shop_scope(facts: Facts) -> FigureRequest | None:
    if not facts.says("환산") and not (facts.sums and facts.amount("rent")):
        return None
    inputs = {"region": facts.region, "deposit": facts.amount("deposit", None), "monthly_rent": facts.amount("rent")}
    return _request("shop_scope", ("region", "deposit", "monthly_rent"), inputs)


def _conversion(facts: Facts) -> FigureRequest | None:
    if (
        facts.says(r"(?:월세|월|매달|내는)[^?]{0,16}(?:보증금|전세)(?:으로|로)")
        and facts.amount("rent")
        and not facts.amount("deposit")
    ):
        return _request("rent_to_deposit", ("monthly_rent",), {"monthly_rent": facts.amount("rent")})
    before, after = _deposits(facts)
    if (
        after is None
        and facts.says(r"올리|올려|인상|갱신|재계약|연장")
        and not facts.says(r"전환|월세로|바꾸|바꿔|돌리|돌려")
    ):
        return None
    inputs = {
        "deposit_before": before,
        "deposit_after": after,
        "base_rate": facts.rate("기준\\s?금리"),
        "kind": "shop" if facts.is_shop else None,
        "current_rent": next((item.value.won for item in facts.sums if _is_rent(item.value)), None),
    }
    return _request("conversion", ("deposit_before", "deposit_after"), inputs)


def _is_rent(money: Money) -> bool:
    """A monthly sum of the size of a rent: in "5천만원 줄이고 월세로" the word 월세 names what it becomes."""
    return money.role == "rent" and money.won < 10_000_000


def _deposits(facts: Facts) -> tuple[int | None, int | None]:
    """The deposit before and after: "5억을 3억으로", "4억에서 1억 내리면", "보증금 1억을 월세로"."""
    sums = [item for item in facts.sums if item.value.role not in ("income", "loan") and not _is_rent(item.value)]
    if len(sums) >= 2:
        first, second = sums[0], sums[1]
        if facts.becomes_rent(second) and not facts.is_deposit(second):
            return first.value.won, first.value.won - second.value.won
        if (
            facts.is_target(second)
            or facts.is_reached(second)
            or (second.value.won < first.value.won and not facts.says(r"내리|줄이|낮추|빼|깎"))
        ):
            return first.value.won, second.value.won
        if facts.is_target(first):
            return second.value.won, first.value.won
        return first.value.won, first.value.won - second.value.won
    if not sums:
        return None, None
    whole = facts.says(r"전부|전액|모두|순수\s?월세|보증금\s?없이|다\s?월세")
    named_part = not facts.says(r"전세(?!금|\s?보증금)") or facts.says(r"빼|깎|내려\s?주|줄여\s?주|돌려\s?받")
    if facts.is_target(sums[0]) and not facts.says(r"월세로"):
        return None, sums[0].value.won
    return sums[0].value.won, 0 if whole or named_part else None


def _increase(facts: Facts) -> FigureRequest:
    deposit, rent = facts.amount("deposit"), facts.amount("rent")
    if deposit is None and rent is None:
        deposit = facts.amount(None)
    raised = re.search(r"(?:원)?(?:을|를|씩)?\s?(?:더\s?)?(?:올려\s?달|올려\s?줘|인상해\s?달|더\s?달)", facts.text)
    if raised and any(item.span[1] == raised.start() for item in facts.sums) and len(facts.sums) == 1:
        deposit = rent = None
    kind = "shop" if facts.is_shop else "registered" if facts.says(r"임대\s?사업자|등록\s?임대|민간\s?임대") else None
    inputs = {
        "deposit": deposit,
        "monthly_rent": rent,
        "asked_rate": facts.rates[0][0] if facts.rates else None,
        "kind": kind,
    }
    return _request("increase_cap", () if deposit or rent else ("deposit",), inputs)


def _loan(facts: Facts) -> FigureRequest:
    method = "annuity"
    if facts.says(r"원금\s?균등"):
        method = "equal_principal"
    elif facts.says(r"이자만|만기\s?일시|거치") or (
        facts.years is None and facts.says(r"(?:한\s?달|월|매달|매월)\s?이자")
    ):
        method = "interest_only"
    inputs = {
        "principal": facts.amount("loan", None, "deposit", "price"),
        "annual_rate": facts.other_rate("LTV|DSR|DTI|기준\\s?금리"),
        "years": facts.years,
        "months": facts.months,
        "method": method,
    }
    if method == "interest_only" and facts.years is None and facts.months is None:
        inputs["months"] = 12
    needed = ("principal", "annual_rate", *(() if inputs["months"] else ("years",)))
    return _request("loan_payment", needed, inputs)


def _ratio_limit(facts: Facts, measure: str) -> FigureRequest:
    income = next((item.value for item in facts.sums if item.value.role == "income"), None)
    yearly = None if income is None else income.won * (12 if income.per == "month" else 1)
    existing = re.search(r"기존|다른\s?대출|갚고", facts.text)
    paid = next((item.value for item in facts.sums if existing and item.value.role in ("loan", "debt", None)), None)
    inputs = {
        "annual_income": yearly,
        "annual_rate": facts.other_rate("DSR|DTI|LTV|기준\\s?금리"),
        "years": facts.years,
        "ratio": facts.rate(measure),
        "existing_yearly": None if paid is None else paid.won * (12 if paid.per == "month" else 1),
    }
    return _request(measure, ("annual_income", "annual_rate", "years"), inputs)


def _borrowing(facts: Facts) -> FigureRequest | None:
    """How much can be borrowed: by the income told, otherwise by the home's price."""
    if any(item.value.role == "income" for item in facts.sums):
        return _ratio_limit(facts, "dsr")
    return _ltv(facts) if facts.large_amount("price", None) else None


def _ltv(facts: Facts) -> FigureRequest:
    inputs = {
        "price": facts.large_amount("price", None, "loan", "debt"),
        "ltv": facts.rate(r"LTV|담보\s?인정\s?비율|비율") or (facts.rates[0][0] if len(facts.rates) == 1 else None),
        "senior": facts.amount("debt") if facts.says(r"근저당|선순위|융자|기존") else None,
    }
    return _request("ltv", ("price", "ltv"), inputs)


def _jeonse(facts: Facts) -> FigureRequest | None:
    price, deposit = facts.amount("price"), facts.amount("deposit")
    rest = facts.amounts(None)
    deposits = facts.amounts("deposit")
    if price is None and len(deposits) > 1:
        price, deposit = max(deposits), min(deposits)
    if price is None and rest:
        price = rest.pop(0)
    if deposit is None and rest:
        deposit = rest.pop(0)
    if price is None and deposit is None and not facts.says("전세가율"):
        return None
    inputs = {"price": price, "deposit": deposit, "senior_debt": facts.amount("debt")}
    return _request("jeonse_risk", ("price", "deposit"), inputs)


def _roi(facts: Facts) -> FigureRequest:
    inputs = {
        "price": facts.large_amount("price", None, "rent"),
        "monthly_rent": next((item.value.won for item in facts.sums if _is_rent(item.value)), None),
        "deposit": facts.amount("deposit"),
        "loan": facts.amount("loan"),
        "loan_rate": facts.rate(r"금리|대출|연|이자") if facts.amount("loan") else None,
        "loan_years": facts.years if facts.amount("loan") else None,
        "vacancy_rate": facts.rate("공실률?"),
    }
    return _request("roi", ("price", "monthly_rent"), inputs)


def _notice(facts: Facts) -> FigureRequest | None:
    if facts.day is None and facts.sums:
        return None
    inputs = {"lease_end": facts.day, "today": facts.today, "kind": "shop" if facts.is_shop else None}
    return _request("notice", ("lease_end",), inputs)


def _termination(facts: Facts) -> FigureRequest:
    inputs = {"notified": facts.day, "kind": "shop" if facts.is_shop else None}
    return _request("termination", ("notified",), inputs)


def _report(facts: Facts) -> FigureRequest:
    inputs = {"signed": facts.day, "deposit": facts.amount("deposit"), "monthly_rent": facts.amount("rent") or 0}
    return _request("lease_report", ("signed", "deposit"), inputs)


Reader = Callable[[Facts], FigureRequest | None]

_MOVE_OUT = r"해지|나가|나간|나갈|이사|퇴거|방\s?(?:을\s?)?(?:빼|뺀|뺄)|통보|통지"
_RENEWED = r"묵시|자동\s?(?:으로\s?)?(?:갱신|연장)|(?:갱신|연장)(?:된|됐|되어|되고|하고|한|했|\s?중)"
_LEASE_END = r"만기|만료|종료|끝나|끝인|끝이|계약[^?]{0,24}까지(?:인|이|예|에|고|라|야)"

# In the order of how much the words tell: a fee or a tax is named, a loan or a rise is often only implied.
_READERS: tuple[tuple[re.Pattern[str], Reader], ...] = tuple(
    (re.compile(pattern, re.IGNORECASE), reader)
    for pattern, reader in (
        (
            r"복비|중개\s?(?:수수료|보수|비|료)|부동산\s?(?:수수료|비용|비)"
            r"|(?:부동산|중개사|중개인|중개업소)(?:에|한테|에게|에다)\s?[^?]{0,6}(?:얼마|줘야|내야|주면|드려)",
            _brokerage,
        ),
        (r"취득세|취\s?등록세|(?:집|아파트|주택|빌라)[^?]{0,12}(?:사|살|매수|취득)[^?]{0,12}세금", _acquisition_tax),
        (r"최우선|소액\s?(?:임차인|보증금|세입자)", _small_deposit),
        (r"환산\s?보증금|(?:상가|가게|점포)[^?]*(?:보호|적용)[^?]*(?:대상|되|돼|받|범위)", _shop_scope),
        (r"DSR", lambda facts: _ratio_limit(facts, "dsr")),
        (r"DTI", lambda facts: _ratio_limit(facts, "dti")),
        (r"LTV|담보\s?인정", _ltv),
        (r"수익률|ROI\b|수익이?\s?몇", _roi),
        (rf"(?:{_RENEWED})[^?]*(?:{_MOVE_OUT})|해지[^?]*(?:묵시|자동|갱신|연장)", _termination),
        (
            rf"(?:{_LEASE_END})[^?]*(?:언제|통보|통지|기간|기한|까지|말해|말하|얘기|알려야|갱신|연장|재계약|나가)"
            rf"|(?:언제|통보|통지|갱신|기한)[^?]*(?:{_LEASE_END})",
            _notice,
        ),
        (
            r"전환|보증금[^?]*(?:으로|로)\s?(?:바꾸|변경)|(?:월세|달세)로\s?(?:바꾸|바꿀|바꿔|돌리|돌릴|돌려|변경|하|내|받|살)|반전세"
            r"|(?:전세|보증금)[^?]*(?:내리|내려|낮추|낮춰|낮춘|줄이|줄여|줄인|빼|깎)[^?]*(?:월세|월\s?얼마|얼마)"
            r"|나머지[^?]{0,8}(?:월세|달세)|(?:전세금?|보증금)[^?]*돌려\s?받[^?]*월세|(?:월세|월|매달|내는)[^?]{0,16}(?:보증금|전세)(?:으로|로)(?!\s?(?:살|사는|들어))",
            _conversion,
        ),
        (
            r"전세가율|깡통|(?:근저당|선순위|융자|시세|매매|집값)[^?]*(?:보증금|전세)[^?]*(?:위험|안전|괜찮|퍼센트|프로|%|비율)",
            _jeonse,
        ),
        (r"경매[^?]*(?:얼마|최소|보호|건지|건져|건질|받)", _auctioned),
        (
            r"원리금|원금\s?균등|상환|이자만|(?:대출|주담대|모기지|빌리|빌려|빌린|이자|융자)[^?]*(?:월\s?얼마|매달|매월|한\s?달|달에|다달이|갚|납입|납부|이자|회차|월\s?납)"
            r"|(?:월\s?얼마|매달|매월|한\s?달에|다달이)[^?]*(?:갚|대출|이자)",
            _loan,
        ),
        (
            r"올리|올려|올릴|올린|올라|올랐|인상|증액|오르|오른|더\s?(?:달라|달래|내라|내래|받겠)|(?:갱신|재계약|연장)[^?]*(?:최대|상한|한도|얼마)"
            r"|(?:최대|상한|한도)[^?]*(?:갱신|재계약)|5\s?(?:%|프로|퍼센트|퍼)\s?(?:룰|상한|제한|넘|초과)",
            _increase,
        ),
        (r"(?:임대차|전월세)\s?신고[^?]*(?:언제|며칠|기한|대상|해야)", _report),
    )
)


def _raised(facts: Facts) -> FigureRequest | None:
    """A rise without the word: a lease with a rate of 5 %, or a larger sum that is asked for."""
    leased = facts.amount("deposit") or facts.amount("rent")
    larger = len(facts.sums) == 2 and facts.sums[1].value.won > facts.sums[0].value.won
    if facts.says(r"대출|이자|금리|갚|빌") or not leased:
        return None
    if any(value == Decimal("0.05") for value, _, _ in facts.rates) or (
        larger and facts.says(r"달라|달래|요구|부르|부른")
    ):
        return _increase(facts)
    return None


# Without a telling word the figures themselves tell: a sum, a rate and a term are a loan.
_SHAPES: tuple[Reader, ...] = (
    _raised,
    lambda facts: _loan(facts) if facts.sums and facts.rates and (facts.years or facts.months) else None,
    lambda facts: _jeonse(facts) if facts.amount("price") and facts.amount("deposit") else None,
    lambda facts: _loan(facts) if facts.sums and facts.rates and facts.says(r"대출|빌리|빌려|이자|갚") else None,
    lambda facts: _borrowing(facts) if facts.says(r"대출|빌릴|융자") and facts.says(r"얼마|한도|최대") else None,
)


def _run_roi(**inputs: Any) -> Calculation:
    return RoiCalculator().calculate(Investment(**inputs))


_CALCULATORS: Mapping[str, Callable[..., Calculation]] = {
    "brokerage": calc.brokerage_fee,
    "acquisition_tax": calc.acquisition_tax,
    "small_deposit": calc.small_deposit,
    "shop_scope": calc.shop_scope,
    "conversion": calc.deposit_to_rent,
    "rent_to_deposit": calc.rent_to_deposit,
    "increase_cap": calc.increase_cap,
    "loan_payment": calc.loan_payment,
    "dsr": calc.dsr_limit,
    "dti": lambda **inputs: calc.dsr_limit(**inputs, measure="dti"),
    "ltv": calc.ltv_limit,
    "jeonse_risk": calc.jeonse_risk,
    "roi": _run_roi,
    "notice": calc.notice_window,
    "termination": calc.termination_date,
    "lease_report": calc.report_deadline,
}
