"""The first sentences of an answer: what was asked, answered."""

import re
from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from typing import Any

from madang.assistants.homes.agents.legal_search import to_show
from madang.assistants.homes.data.policy import section
from madang.assistants.homes.tools.calculators import percent, won
from madang.assistants.homes.tools.figure_facts import exclusive_area
from madang.assistants.homes.understanding.figure_needs import questions_for
from madang.text.areas import find_areas

State = Mapping[str, Any]
Found = Mapping[str, Any]
# Below this, what was found may be about something else, and the answer says so.
SURELY = 0.5
# The rise has happened or goes beyond the rate that is named: that is no question whether it may be asked for.
_PAID = re.compile(r"넘게|초과|넘는|올려\s?줬|올렸|냈|돌려|더\s?올")


def answer(state: State, found: Found) -> str:
    """One short paragraph: the figure, the judgement or the gist that answers the question."""
    raw = found["raw_analysis"]
    said: list[str] = []
    if found["document"]:
        return _document(found["document"])
    if raw.get("contract_analysis"):
        said.append(_rewritten(state, raw["contract_analysis"]) or _contract(raw["contract_analysis"]))
    said += [_figure(figure, state) for figure in raw.get("legal_calculation") or ()]
    if raw.get("jeonse_risk"):
        said.append(_risk(raw["jeonse_risk"]))
    if raw.get("roi_calculation"):
        said.append(f"연 수익률은 {raw['roi_calculation']['estimated_roi']:g}%로 계산됩니다.")
    if found["real_estate_search"]:
        said += [_prices(found["real_estate_search"]), _size_taken(state)]
    if found["property_search"] is not None:
        count = len(found["property_search"])
        said.append(f"조건에 맞는 예시 매물은 {count}건입니다." if count else "조건에 맞는 예시 매물이 없습니다.")
    if found["loan_search"] and not works_out_loan(found):
        said.append(_difference(state, found["loan_search"]))
        said.append(_loans(found["loan_search"], raw.get("policy_matching") or {}))
    if found["legal_search"] is not None and tells_law(found):
        said.append(_law(state, found["legal_search"]))
    return " ".join(line for line in said if line) or "요청하신 내용을 찾지 못했습니다."


_REWRITES = re.compile(r"고쳐|고치|바꿔|바꾸|수정|대신|뭐라고|다시\s?써|어떻게\s?(?:쓰|써|적)")


def _rewritten(state: State, contract: Mapping[str, Any]) -> str:
    """The words to write instead, where they are asked for and the clauses themselves are not pasted again."""
    query = str(state.get("query", ""))
    better = [item for item in contract["risks"] if item.get("suggestion")]
    if not better or not _REWRITES.search(query) or any(item["clause"][:20] in query for item in better):
        return ""
    return "이렇게 고쳐 쓰면 됩니다.\n" + "\n".join(f"- {item['type']}: {item['suggestion']}" for item in better)


def works_out_loan(found: Found) -> bool:
    """Whether the question was how much a loan costs or allows, not which loan there is."""
    figures = found["raw_analysis"].get("legal_calculation") or ()
    return any(figure["calculator"] in ("loan_payment", "dsr", "dti", "ltv") for figure in figures)


def tells_law(found: Found) -> bool:
    """Whether the answer begins with what an article says: when nothing was worked out that says more."""
    return not any(found[name] for name in ("raw_analysis", "real_estate_search", "loan_search", "document"))


def _law(state: State, articles: Sequence[Mapping[str, Any]]) -> str:
    shown = to_show(articles)
    if not shown:
        return (
            "질문에 맞는 조문을 찾지 못했습니다. 상황을 조금 더 자세히 알려 주시거나, "
            "대한법률구조공단(132)이나 주택임대차분쟁조정위원회에 전문가 상담을 받아 보세요."
        )
    best = shown[0]
    if float(best["relevance_score"]) < SURELY and not best.get("exact"):
        gist = best.get("summary") or best["content"]
        return (
            f"꼭 맞는 조문을 찾지 못했습니다. 가장 가까운 것은 {best['source']}입니다: {gist} "
            "상황을 조금 더 자세히 알려 주시거나 전문가 상담을 받아 보세요."
        )
    verdict = _verdict(state)
    gist = best.get("summary") or best["content"]
    lines = [verdict, f"{best['source']}에 따르면, {gist}" if not verdict else f"{best['source']}: {gist}"]
    lines.append(_offer(state))
    return " ".join(line for line in lines if line)


def _verdict(state: State) -> str:
    """Whether an asked rate of increase is within the law's cap."""
    if _PAID.search(state.get("query", "")):
        return ""
    for need in state.get("figure_requests") or ():
        if need["calculator"] == "increase_cap" and need["inputs"].get("asked_rate"):
            asked = Decimal(need["inputs"]["asked_rate"])
            table = section("increase", need["inputs"].get("kind") or "housing")
            cap = Decimal(str(table["rate"]))
            if asked <= cap:
                return (
                    f"네, {percent(asked)} 인상은 법이 정한 한도({percent(cap)}) 안이라 가능합니다. "
                    "다만 계약하거나 올린 뒤 1년 안에는 다시 올릴 수 없습니다."
                )
            return f"아니요, {percent(asked)} 인상은 법이 정한 한도({percent(cap)})를 넘어 요구할 수 없습니다."
    return ""


def _offer(state: State) -> str:
    """What could be worked out if more were known."""
    missing = [name for need in state.get("figure_requests") or () for name in need["missing"]]
    return f"더 정확히 계산하려면 알려 주세요: {' '.join(questions_for(missing))}" if missing else ""


def _figure(figure: Mapping[str, Any], state: State) -> str:
    if figure["calculator"] == "rent_to_deposit" and state.get("deposit"):
        worth = int(figure["values"]["deposit"])
        whole = won(worth + state["deposit"])
        return f"월세는 보증금 약 {won(worth)}에 해당해, 지금 보증금을 더하면 전세 약 {whole}입니다."
    make = _SAYINGS.get(figure["calculator"])
    return make(figure["values"], figure["inputs"]) if make else str(figure["explanation"][-1])


Values = Mapping[str, Any]


def _increase(values: Values, inputs: Values) -> str:
    deposit, rent = inputs.get("deposit"), inputs.get("monthly_rent")
    most = [f"보증금은 {won(values['max_deposit'])}"] if deposit else []
    most += [f"월세는 {won(values['max_monthly_rent'])}"] if rent else []
    allowed = values.get("allowed")
    verdict = (
        "" if allowed is None else "요구한 인상은 한도 안입니다. " if allowed else "요구한 인상은 한도를 넘습니다. "
    )
    return f"{verdict}갱신할 때 {', '.join(most)}까지 올릴 수 있습니다({values['rate'] * 100:g}% 한도)."


def _conversion(values: Values, _inputs: Values) -> str:
    total = values["total_monthly_rent"]
    extra = f" 지금 월세까지 더하면 월 {won(total)}입니다." if total != values["max_monthly_rent"] else ""
    basis = f"줄인 보증금 {won(values['converted'])}, 전환율 연 {values['rate'] * 100:g}%"
    return f"월세 상한은 월 {won(values['max_monthly_rent'])}입니다({basis}).{extra}"


def _small_deposit(values: Values, _inputs: Values) -> str:
    if values["eligible"]:
        amount = won(values["amount"])
        return f"소액임차인이라 최우선변제로 {amount}까지 먼저 받을 수 있습니다({values['region_group']} 기준)."
    return f"보증금이 {values['region_group']} 기준 {won(values['limit'])}을 넘어 최우선변제 대상이 아닙니다."


def _shop_scope(values: Values, inputs: Values) -> str:
    converted = f"환산보증금은 {won(values['converted_deposit'])}"
    if values["limit"] is None:
        return f"{converted}입니다. 지역을 알려 주시면 상가건물 임대차보호법이 모두 적용되는지도 말씀드릴게요."
    reach = "이하라 법이 모두 적용됩니다" if values["within"] else "초과라 법의 일부만 적용됩니다"
    return f"{converted}으로, {inputs['region']} 한도 {won(values['limit'])} {reach}."


def _damages(values: Values, _inputs: Values) -> str:
    parts = f"환산월차임 3개월분 {won(values['three_months'])}, 2년간의 차액 {won(values['difference'])}"
    return f"법이 정한 손해배상액은 {won(values['damages'])}입니다({parts} 가운데 큰 금액)."


def _rent_to_deposit(values: Values, inputs: Values) -> str:
    rent = won(inputs["monthly_rent"])
    return f"월세 {rent}은 보증금 약 {won(values['deposit'])}에 해당합니다(전환율 연 {values['rate'] * 100:g}%)."


def _brokerage(values: Values, inputs: Values) -> str:
    deal = "매매" if inputs.get("deal") == "sale" else "임대차"
    return f"{deal} 중개보수는 한쪽이 최대 {won(values['max_fee'])}입니다(부가세 별도)."


def _notice(values: Values, _inputs: Values) -> str:
    return f"{values['start']}부터 {values['safe_end']}까지 상대방에게 알려야 합니다."


def _termination(values: Values, _inputs: Values) -> str:
    return (
        f"통지를 받은 {values['notified']}부터 {values['months']}개월이 지난 {values['effective']}에 계약이 끝납니다."
    )


def _report(values: Values, _inputs: Values) -> str:
    return f"{values['due']}까지 임대차 신고를 해야 합니다." if values["required"] else "임대차 신고 대상이 아닙니다."


def _repayment(values: Values, inputs: Values) -> str:
    first, last = won(values["first_payment"]), won(values["last_payment"])
    if inputs.get("method") == "equal_principal":
        monthly = f"첫 달 {first}에서 마지막 달 {last}까지 줄어듭니다"
    else:
        monthly = f"매달 {first}을 냅니다"
    return f"{monthly}(총이자 {won(values['total_interest'])})."


_SAYINGS: Mapping[str, Callable[[Values, Values], str]] = {
    "increase_cap": _increase,
    "conversion": _conversion,
    "small_deposit": _small_deposit,
    "rent_to_deposit": _rent_to_deposit,
    "refusal_damages": _damages,
    "shop_scope": _shop_scope,
    "acquisition_tax": lambda v, _i: f"취득세는 지방교육세 등을 더해 모두 {won(v['total'])}입니다.",
    "loan_payment": _repayment,
    "ltv": lambda v, _i: f"LTV {v['ltv'] * 100:g}%면 최대 {won(v['limit'])}까지 담보로 빌릴 수 있습니다.",
    "dsr": lambda v, _i: f"DSR {v['ratio'] * 100:g}%로 보면 약 {won(v['limit'])}까지 빌릴 수 있습니다.",
    "dti": lambda v, _i: f"DTI {v['ratio'] * 100:g}%로 보면 약 {won(v['limit'])}까지 빌릴 수 있습니다.",
    "notice": _notice,
    "termination": _termination,
    "lease_report": _report,
    "brokerage": _brokerage,
}


def _risk(risk: Mapping[str, Any]) -> str:
    if risk.get("happened"):
        return "이미 피해가 생겼다면 보증금을 되찾을 권리를 먼저 지키고, 피해자 지원을 신청하는 것이 순서입니다."
    if not risk.get("level"):
        return "보증금을 지킬 수 있는 집인지는 아래를 차례로 확인하면 알 수 있습니다."
    values = risk["calculations"][0]["values"]
    estimated = " 집값은 그 지역 시세로 본 것입니다." if risk["price_estimated"] else ""
    return (
        f"보증금 위험은 ‘{risk['level_name']}’입니다. 집값에 대한 부담률이 {values['burden_ratio']:g}%"
        f"(전세가율 {values['jeonse_ratio']:g}%)입니다.{estimated}"
    )


def _contract(review: Mapping[str, Any]) -> str:
    found = [risk for risk in review["risks"] if risk["found_by"] == "rules"]
    if not found:
        return "살펴본 조항에서 법에 어긋나거나 불리한 내용은 찾지 못했습니다."
    names = ", ".join(dict.fromkeys(risk["type"] for risk in found))
    return f"불리한 조항이 {len(found)}개 있습니다: {names}."


def _prices(rows: Sequence[Mapping[str, Any]]) -> str:
    seen: dict[tuple[str, str], Mapping[str, Any]] = {}
    for row in rows:
        typical = row["size_band"] == "60~85㎡" and row["property_type"] != "원룸"
        key = (row["region"], row["deal_type"])
        if key not in seen or typical:
            seen[key] = row
    lines = []
    for row in list(seen.values())[:4]:
        rent = f"에 월 {won(row['monthly_rent'])}" if row.get("monthly_rent") else ""
        mark = "추정" if row["is_estimate"] else "실거래"
        what = f"{row['region']} {row['property_type']} {row['size_band']} {row['deal_type']}"
        lines.append(f"{what}는 중위 {won(row['median'])}{rent}({mark})")
    return ", ".join(lines) + "입니다."


def _size_taken(state: State) -> str:
    """A flat is called by its supply area, prices are by exclusive area: say what was taken."""
    text = state.get("query", "")
    for item in find_areas(text):
        if item.value.pyeong and (taken := exclusive_area(text, item)) != item.value.sqm:
            return f"{item.value.pyeong:g}평은 공급면적으로 보아 전용 약 {taken:g}㎡로 찾았습니다."
    return ""


def _difference(state: State, loans: Sequence[Mapping[str, Any]]) -> str:
    """What each of several named products is for."""
    if not re.search(r"차이|비교|뭐가\s?달|다른\s?점", state.get("query", "")):
        return ""
    lines = []
    for word in (state.get("loan_words") or "").split():
        loan = next((item for item in loans if word in item["name"]), None)
        if loan:
            lines.append(f"{loan['name']}은 {loan['summary']}")
    return f"{', '.join(lines)}입니다." if len(lines) > 1 else ""


def _loans(loans: Sequence[Mapping[str, Any]], matching: Mapping[str, Any]) -> str:
    good = [loan["name"] for loan in loans if loan["eligible"] is True]
    maybe = [loan["name"] for loan in loans if loan["eligible"] is None]
    at = matching.get("at_median")
    if at and not at["possible"]:
        return f"{at['basis']} 정책 대출의 보증금·집값 한도를 넘어 받기 어렵습니다."
    if good:
        return f"알려 주신 조건으로는 {', '.join(good[:3])}의 조건을 채웁니다."
    if maybe:
        return f"살펴볼 상품은 {', '.join(maybe[:3])}이며, 몇 가지 조건을 더 알아야 가능 여부를 말씀드릴 수 있어요."
    return "알려 주신 조건에 맞는 정책 상품을 찾지 못했습니다."


def _document(document: Mapping[str, Any]) -> str:
    title = (document.get("document_content") or {}).get("title") or "계약서"
    if document.get("decision") is None:
        return "계약서를 만들지 못했습니다. 입력하신 내용은 남아 있으니 다시 말씀해 주세요."
    if document.get("decision") == "reject":
        return f"{title} 작성을 멈췄습니다. 입력하신 내용은 남아 있으니 언제든 다시 만들 수 있어요."
    saved = f" 문서 번호는 {document['document_id']}입니다." if document.get("document_id") else ""
    forms = ", ".join(form.upper() for form in document.get("formats") or ())
    notes = "".join(f"\n- {note}" for note in document.get("notes") or ())
    made = f"{title}를 만들었습니다." + (f" 받을 수 있는 형식: {forms}." if forms else "") + saved
    return f"{made}{notes}\n\n{document.get('final_document') or ''}"
