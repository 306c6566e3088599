"""What homes can be told, declared: the form, what is wanted, and where a calculator's inputs lie in the state."""

from collections.abc import Mapping
from typing import Any

from madang.assistants.homes.tools.calculators import calculators
from madang.assistants.homes.understanding.intent_types import IntentType
from madang.graph.inputs import Input
from madang.state.fields import Range

_BY_SUBJECT = {
    "law": IntentType.LEGAL_CONSULT,
    "loan": IntentType.LOAN_CONSULT,
    "risk": IntentType.RISK_ANALYSIS,
    "return": IntentType.MARKET_INQUIRY,
}
DEALS = (("sale", "매매"), ("jeonse", "전세"), ("monthly_rent", "월세"))
KINDS = tuple((name, name) for name in ("아파트", "오피스텔", "빌라", "원룸", "다가구", "주택"))
LEASES = (("home", "주택"), ("shop", "상가"))
SUMS = Range(0, 10**13)
CALCULATED = tuple(calculators())
_I = IntentType
FORM_INTENTS: Mapping[str, IntentType] = {
    "law": _I.LEGAL_CONSULT,
    "price": _I.MARKET_INQUIRY,
    "loan": _I.LOAN_CONSULT,
    "risk": _I.RISK_ANALYSIS,
    "review": _I.CONTRACT_REVIEW,
    "draft": _I.CONTRACT_CREATION,
    "letter": _I.CONTRACT_CREATION,
    **{name: _BY_SUBJECT[one.subject] for name, one in calculators().items()},
}

TASKS: Mapping[str, str] = {
    "law": "법률 상담",
    "price": "시세·매물 조회",
    "loan": "대출·지원 찾기",
    "risk": "보증금 위험 확인",
    "review": "계약서·특약 검토",
    "draft": "계약서 작성",
    "letter": "문자·내용증명 초안",
    **{name: f"계산: {one.label}" for name, one in calculators().items()},
}


def _money(path: str, title: str, *serves: str) -> Input:
    return Input(path=path, title=title, kind="money", unit="원", limits=SUMS, serves=serves)


FORM: tuple[Input, ...] = (
    Input(path="legal_question", title="묻고 싶은 것", help="상황과 질문을 적어 주세요", serves=("law", "letter")),
    Input(path="lease_kind", title="주택·상가", kind="choice", choices=LEASES, serves=("law",)),
    Input(path="region", title="지역", serves=("price", "loan", "risk", "small_deposit", "shop_scope")),
    Input(path="property_type", title="주택 종류", kind="choice", choices=KINDS, serves=("price",)),
    Input(path="deal_type", title="거래", kind="choice", choices=DEALS, serves=("price", "loan", "brokerage")),
    Input(path="area_m2", title="전용면적", kind="area", unit="㎡", limits=Range(1, 1000), serves=("price", "risk")),
    _money("price", "집값", "risk", "loan", "acquisition_tax", "brokerage", "ltv", "roi"),
    _money("deposit", "보증금", "law", "risk", "loan", "increase_cap", "small_deposit"),
    _money("monthly_rent", "월세", "law", "increase_cap", "brokerage", "rent_to_deposit"),
    _money("lease_facts.old_deposit", "바꾸기 전 보증금", "conversion"),
    _money("lease_facts.new_deposit", "바꾼 뒤(새) 보증금", "conversion", "refusal_damages", "increase_cap"),
    _money("lease_facts.old_rent", "바꾸기 전 월세", "increase_cap"),
    _money("lease_facts.new_rent", "바꾼 뒤(새) 월세", "increase_cap", "refusal_damages"),
    _money("senior_debt", "선순위 채권(근저당)", "risk"),
    _money("other_deposits", "다른 세입자 보증금", "risk"),
    _money("lease_facts.loan", "대출금", "loan_payment", "loan", "roi"),
    Input(
        path="lease_facts.rate", title="금리·비율", kind="rate", unit="%", limits=Range(0, 100),
        serves=("loan_payment", "dsr", "dti", "ltv", "increase_cap"),
    ),
    Input(
        path="lease_facts.years", title="대출 기간", kind="count", unit="년", limits=Range(1, 50),
        serves=("loan_payment", "dsr", "dti"),
    ),
    _money("lease_facts.key_money", "권리금", "law"),
    _money("lease_facts.cost", "비용(수리비·위약금 등)", "law", "letter"),
    Input(path="lease_facts.arrears", title="밀린 것", serves=("law", "letter")),
    Input(path="lease_facts.start_date", title="계약 시작일", kind="date", serves=("law", "lease_report")),
    Input(path="contract_end", title="계약 만료일", kind="date", serves=("law", "notice")),
    Input(path="lease_facts.event_date", title="통지일·그 밖의 날", kind="date", serves=("termination",)),
    Input(path="lease_facts.lived", title="산 기간", serves=("law",)),
    Input(path="lease_facts.term", title="계약 기간", serves=("law", "draft")),
    Input(path="lease_facts.notice", title="알린 때", serves=("law",)),
    Input(path="lease_facts.address", title="주소", serves=("letter", "draft")),
    Input(
        path="annual_income", title="연소득", kind="money", unit="원", limits=SUMS, serves=("loan", "dsr", "dti"),
    ),
    Input(path="age", title="나이", kind="count", unit="세", limits=Range(0, 150), serves=("loan",)),
    Input(
        path="homes_owned", title="가진 집", kind="count", unit="채", limits=Range(0, 100),
        serves=("loan", "acquisition_tax"),
    ),
    Input(path="contract_text", title="검토할 계약서·특약", serves=("review",)),
    Input(
        path="document_template", title="계약서 종류", kind="choice",
        choices=tuple((name, f"{name} 계약서") for name in ("전세", "월세", "매매")), serves=("draft",),
    ),
)  # fmt: skip

# Where a calculator's inputs lie that no slot of their own name stands for.
_PATHS: Mapping[str, str] = {
    "deposit_before": "lease_facts.old_deposit",
    "deposit_after": "lease_facts.new_deposit",
    "current_rent": "monthly_rent",
    "new_deposit": "lease_facts.new_deposit",
    "new_rent": "lease_facts.new_rent",
    "principal": "lease_facts.loan",
    "loan": "lease_facts.loan",
    "annual_rate": "lease_facts.rate",
    "loan_rate": "lease_facts.rate",
    "ltv": "lease_facts.rate",
    "asked_rate": "lease_facts.rate",
    "years": "lease_facts.years",
    "loan_years": "lease_facts.years",
    "lease_end": "contract_end",
    "notified": "lease_facts.event_date",
    "signed": "lease_facts.start_date",
    "senior": "senior_debt",
    "house_price": "price",
    "area": "area_m2",
    "deal": "deal_type",
    "kind": "lease_kind",
    "other_deposits": "other_deposits",
}


def inputs_from(calculator: str, state: Mapping[str, Any]) -> dict[str, Any]:
    """A calculator's inputs as the form or the conversation holds them; what is not known is left out."""
    found: dict[str, Any] = {}
    for item in calculators()[calculator].inputs:
        value = _at(state, _PATHS.get(item.name) or item.slot or item.name)
        if value is None:
            continue
        found[item.name] = str(value / 100) if item.kind == "rate" else value
    if "homes" in {item.name for item in calculators()[calculator].inputs} and state.get("homes_owned") is not None:
        found["homes"] = int(state["homes_owned"]) + 1
    if found.get("deal") in ("jeonse", "monthly_rent"):
        found |= {"deal": "lease", "price": state.get("deposit")}
    if found.get("kind") == "home":
        del found["kind"]
    return {name: value for name, value in found.items() if value is not None}


def _at(state: Mapping[str, Any], path: str) -> Any:
    value: Any = state
    for name in path.split("."):
        value = value.get(name) if isinstance(value, Mapping) else None
    return value
