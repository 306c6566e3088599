"""A follow-up that gives new figures: which of the last calculators' inputs it changes."""

from collections.abc import Mapping, Sequence
from datetime import date
from decimal import Decimal
from typing import Any

from madang.assistants.homes.state.conversation import FigureNeed
from madang.assistants.homes.tools.figure_facts import Facts
from madang.assistants.homes.tools.figures import read_figures
from madang.assistants.homes.understanding.figure_needs import MONEY, as_need, read_input, with_loan

# Words that make a message one about that calculator, for a follow-up that only gives new figures.
_CUES: Mapping[str, str] = {
    "brokerage": "중개수수료",
    "acquisition_tax": "취득세",
    "small_deposit": "최우선변제",
    "dsr": "DSR",
    "dti": "DTI",
    "ltv": "LTV",
    "roi": "수익률",
    "termination": "묵시 갱신 해지",
    "notice": "만기 언제까지 통보",
    "conversion": "월세 전환",
    "rent_to_deposit": "월세를 보증금으로",
    "loan_payment": "대출 원리금",
    "increase_cap": "인상",
    "lease_report": "임대차 신고 기한",
    "refusal_damages": "실거주 거절하고 다른 사람에게 세를 줘서 손해배상",
    "shop_scope": "상가 환산보증금",
}


def changed_needs(needs: Sequence[FigureNeed], message: str, today: date) -> list[FigureNeed]:
    """The same calculators with the inputs that a follow-up gives anew."""
    changed: list[FigureNeed] = []
    for need in needs:
        given = _given(need, message, today)
        inputs = {**_kept(need, given), **given}
        if "deposit" in given and "asked_rate" not in given:
            inputs.pop("asked_rate", None)
        after: FigureNeed = {**need, "inputs": inputs, "missing": [n for n in need["missing"] if n not in inputs]}
        changed.append(with_loan(after))
    return changed


def _kept(need: FigureNeed, given: Mapping[str, Any]) -> dict[str, Any]:
    """What still holds: another kind of deal ("매매 14억은?") has sums of its own."""
    before = need["inputs"]
    same = given.get("deal") in (None, before.get("deal")) or "deal" not in before
    if same or not set(given) & MONEY:
        return dict(before)
    return {name: value for name, value in before.items() if name not in MONEY}


def _given(need: FigureNeed, message: str, today: date) -> dict[str, Any]:
    facts = Facts(message, today)
    if answered := _answer(need, message, facts) or _by_change(need, facts) or _asked_anew(need, facts):
        return answered
    asked = f"{message.rstrip('?？. ')}. {_CUES.get(need['calculator'], '')}"
    same = [r for r in read_figures(asked, today) if r.calculator == need["calculator"]]
    given = as_need(same[0])["inputs"] if same else {}
    given = {name: value for name, value in given.items() if _is_news(name, value, need, message)}
    if not given and not need["missing"]:
        return _only_sum(need, facts)
    if need["missing"] and not set(given) & set(need["missing"]):
        name = need["missing"][0]
        value = read_input(name, message, today)
        if value is not None:
            given[name] = value
    return given


def _answer(need: FigureNeed, message: str, facts: Facts) -> dict[str, Any]:
    """A bare sum answers the question for the one sum that is missing, and changes nothing else."""
    asked = [name for name in need["missing"] if name in MONEY]
    if len(asked) != 1 or len(facts.sums) != 1 or facts.sums[0].value.role is not None or facts.rates:
        return {}
    return {asked[0]: read_input(asked[0], message, facts.today)}


def _by_change(need: FigureNeed, facts: Facts) -> dict[str, Any]:
    """ "그럼 8천 빼면?": what is cut from, or becomes of, the deposit that was talked about."""
    before = need["inputs"].get("deposit_before")
    if need["calculator"] != "conversion" or not before or len(facts.sums) != 1:
        return {}
    item = facts.sums[0]
    change = facts.change(item)
    if change in ("cut", "moved") and item.value.won <= before:
        return {"deposit_after": before - item.value.won}
    return {"deposit_after": item.value.won} if change == "target" and item.value.won < before else {}


def _asked_anew(need: FigureNeed, facts: Facts) -> dict[str, Any]:
    """ "3억1천이면?" after a larger sum was asked for: another sum that is judged, not what is paid now."""
    now = need["inputs"].get("deposit") or need["inputs"].get("monthly_rent")
    if not now or "asked_rate" not in need["inputs"] or len(facts.sums) != 1:
        return {}
    asked = facts.sums[0].value.won
    return (
        {"asked_rate": str((Decimal(asked - now) / now).quantize(Decimal("0.0001")))} if now < asked < 2 * now else {}
    )


def _only_sum(need: FigureNeed, facts: Facts) -> dict[str, Any]:
    """ "5천이면?": a bare sum stands for the one sum that was talked about."""
    names = [name for name, value in need["inputs"].items() if name in MONEY and value]
    return {names[0]: facts.sums[0].value.won} if len(names) == 1 and len(facts.sums) == 1 else {}


def _is_news(name: str, value: Any, need: FigureNeed, message: str) -> bool:
    """Whether the follow-up itself says this: readers fill in a zero or the usual way of repaying."""
    if name == "today" or value == 0:
        return False
    return name != "method" or value != "annuity" or "원리금" in message or name not in need["inputs"]
