"""The budget, and how firm it is."""

import re

from madang.assistants.travel.data.estimates import in_won
from madang.assistants.travel.state.slots import LIMITS
from madang.assistants.travel.understanding.slots.bare_sums import NUMBER_WITHOUT_UNIT, bare_sum
from madang.assistants.travel.understanding.slots.budget_flexibility import read_firmness
from madang.assistants.travel.understanding.slots.slot_update import Draft
from madang.text.money import Money, find_money
from madang.text.parsed import Parsed

_GIVE_OR_TAKE = re.compile(r"\s?(?:±|\+-|플러스\s?마이너스)\s?\d+(?:만\s?원?)?")
_MORE_BARE = re.compile(r"(?<![\d만])(?P<count>\d{2,3})\s?(?:정도\s?)?더\s?(?:쓸|써|쓰|낼|올|늘|가능|추가|보태)")
_BASIS_ONLY = re.compile(
    r"\s*(?:(?:아니다|아니|아|네|그건|그냥|음)[\s,]*)*(?:1\s?인당|인당|일인당|두당|한\s?(?:사람|명)\s?당|총액|총|전체|전부|다\s?합)"
    r"[가-힣 ]{0,6}[.!~]*"
)
_BASIS_SAID = re.compile(r"(?:한\s?사람|한\s?명|1\s?인|일인|인당|두당)\s?(?:기준|금액|예산)")
_MORE = re.compile(r"\s?(?:원)?\s?(?:정도|만|쯤)?\s?(?:더|추가|늘려|늘릴|올려|올릴|보태)")
_LESS = re.compile(r"\s?(?:원)?\s?(?:정도|만|쯤)?\s?(?:줄여|줄이|깎을|줄일|깎아|낮춰|덜|빼)")
_PERSON = re.compile(
    r"씩(?!\s?먹)|(?<![가-힣])각\s?\d|각각|꼴|두당|인당|1인|일인|각자|한\s?(?:사람|명)\s?당|한\s?(?:사람|명)에|(?:한\s?사람|한\s?명|1명)\s?기준"
)
_TOTAL = re.compile(r"총|합쳐|합해|다\s?해서|전부|전체|통틀|토탈|도합|다\s?합|둘이서?\s?\d|포함해서")
_NO_BUDGET = re.compile(
    r"(?:예산|비용|돈|경비)[가-힣]{0,8}\s?(?:얘기|이야기|조건|제한)?(?:은|는|이|을|를)?\s?(?:없던|지워|됐(?!으면)|신경|상관\s?없|무제한|없|걱정|빼|취소|고려하지|제한\s?없|미정|안\s?정|모르)"
)
_NOT_BUDGET = re.compile(
    r"(?:호텔|숙소|숙박|방|항공|비행기|티켓|렌트|입장료|1박에|하루에|용돈)[가-힣]*\s?(?:은|는|비|에|값|가)?(?:(?!포함|빼고|제외|까지)[^,.]){0,6}$"
)
_A_NIGHT = re.compile(r"(?:박\s?(?:에|당|기준)|하룻밤|하루)[^,.]{0,8}$|(?:숙소|호텔|방)[^,.]{0,12}$")
_DECADE = re.compile(r"[1-9]0")
_OF_AGE = re.compile(r"대(?!로|략)")
_CORRECTED = re.compile(r"아니|말고|취소|정정|아냐|ㄴㄴ|^\s?(?:만\s?원?)?\s?이?나\s?$")
_PAIR = re.compile(r"(?:커플|부부|쌍)\s?(?:당|마다|별로)")
_UNSURE = 0.7
_LEAST_EACH = 10_000


def read_budget(text: str, draft: Draft, pending: str | None) -> None:
    """budget with its basis and amount, and budget_flexibility."""
    _read_amount(text, draft, pending)
    read_firmness(text, draft, pending)


def _read_amount(text: str, draft: Draft, pending: str | None) -> None:
    if _NO_BUDGET.search(text) and not NUMBER_WITHOUT_UNIT.search(text) and not find_money(text, context="travel"):
        draft.cues.add("removal")
        for name in ("budget", "budget_basis", "budget_amount", "budget_total_said"):
            draft.set(name, None)
        return
    text = _GIVE_OR_TAKE.sub("", text)
    if (match := _MORE_BARE.search(text)) and (known := draft.get("budget_amount")):
        draft.cues.add("correction")
        _put(draft, known + int(match["count"]) * 10_000, draft.get("budget_basis") or "total")
        return
    item = _chosen(text)
    amount = _won(item.value) if item else None
    if item is None and not _per_something(text):
        amount = bare_sum(text, pending, bool(draft.get("budget_amount")))
    if amount is None:
        if (
            pending in ("budget", "budget_basis")
            or "예산" in text
            or _BASIS_ONLY.fullmatch(text)
            or _BASIS_SAID.search(text)
        ):
            _rebase(text, draft)
        return
    if item and (_changed_by(text, item, draft, amount)):
        return
    if _PAIR.search(text):
        _store(draft, amount * max(1, (draft.get("num_people") or 2) // 2), "total_said")
        return
    _store(draft, amount, _basis(text, item))


def _chosen(text: str) -> Parsed[Money] | None:
    found = [
        item
        for item in find_money(text, context="travel")
        if not _for_a_while(text, item) and not _NOT_BUDGET.search(text[: item.span[0]])
    ]
    found = [item for item in found if not (_DECADE.fullmatch(item.text) and _OF_AGE.match(text, item.span[1]))]
    named = [item for item in found if item.value.role == "budget"]
    if len(found) > 1 and _CORRECTED.search(text[found[-2].span[1] : found[-1].span[0]]):
        return found[-1]
    best = named or found
    return best[-1] if best else None


def _for_a_while(text: str, item: Parsed[Money]) -> bool:
    """A price of a night, a month or a year; 1박 둘이 20만원 is the whole of a short trip."""
    if item.value.per == "night":
        return _A_NIGHT.search(text[: item.span[0]]) is not None
    return item.value.per in ("month", "year")


def _per_something(text: str) -> bool:
    """Money was said, for a night or a ticket: no number in it is the budget."""
    return any(item.confidence > _UNSURE for item in find_money(text, context="travel"))


def _won(money: Money) -> int:
    if money.currency != "KRW":
        return in_won(money.amount or 0, money.currency)
    return money.upper or money.won


def _basis(text: str, item: Parsed[Money] | None) -> str | None:
    if item and item.value.per == "person":
        return "per_person"
    if item and item.value.per == "total":
        return "total_said"
    around = text[max(0, item.span[0] - 12) : item.span[1] + 6] if item else text
    if _PERSON.search(around):
        return "per_person"
    return "total_said" if _TOTAL.search(around) else None


def _changed_by(text: str, item: Parsed[Money], draft: Draft, amount: int) -> bool:
    """예산 50만원 더: added to what was said."""
    known = draft.get("budget_amount") or draft.get("budget")
    more, less = _MORE.match(text, item.span[1]), _LESS.match(text, item.span[1])
    if not known or not (more or less) or "으로" in text[item.span[1] : item.span[1] + 3]:
        return False
    draft.cues.add("correction")
    _put(draft, known + (amount if more else -amount), draft.get("budget_basis") or "total")
    return True


def _rebase(text: str, draft: Draft) -> None:
    """전체예요 or 1인당이요, said about the amount already given."""
    known = draft.get("budget_amount")
    if known and _PERSON.search(text):
        _put(draft, known, "per_person")
    elif known and _TOTAL.search(text):
        draft.set("budget_total_said", True)
        _put(draft, known, "total")


def _store(draft: Draft, amount: int, basis: str | None) -> None:
    if draft.before.get("budget_amount") not in (None, amount):
        draft.cues.add("correction")
    _put(draft, amount, "per_person" if basis == "per_person" else "total")
    if draft.get("budget_amount") == amount:
        draft.set("budget_total_said", basis == "total_said" or None)


def _put(draft: Draft, amount: int, basis: str) -> None:
    if basis == "per_person":
        if amount > (LIMITS["budget"].high or amount) or amount < _LEAST_EACH:
            draft.put_number("budget", amount)
            return
        draft.set("budget_basis", basis)
        draft.set("budget_amount", amount)
    elif draft.put_number("budget", amount):
        draft.set("budget_basis", "total")
        draft.set("budget_amount", amount)
