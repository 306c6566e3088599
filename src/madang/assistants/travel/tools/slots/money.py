"""The budget, and how firm it is."""

import re

from madang.assistants.travel.data.cities import all_cities
from madang.assistants.travel.data.rates import won
from madang.assistants.travel.data.world import locate, other_cities, spot_distance
from madang.assistants.travel.tools.flights import adult_fare
from madang.assistants.travel.tools.slots.update import LIMITS, Draft, Question
from madang.text.money import Money, find_money
from madang.text.parsed import Parsed

_BARE = re.compile(
    r"\s*(?:한\s?|약\s?|대충\s?|총\s?)?(?P<count>\d{2,5}|\d{1,3}(?:,\d{3})+)\s*(?:만|정도|쯤|이요|요|내외|이에요)?(?:이요|요)?[\s.!~?]*"
)
_RANGE = re.compile(
    r"(?P<low>\d{2,4})\s?(?:만\s?원?)?\s?(?:에서|~|-|부터|이나|나)\s?(?P<high>\d{2,4})\s?(?:만\s?원?)?\s?(?:사이|까지|정도)?"
)
_DIGIT = "일이삼사오육칠팔구"
_NEIGHBOURS = re.compile(
    r"(?<![가-힣])(?P<low>[일이삼사오육칠팔])(?P<high>[이삼사오육칠팔구])(?P<unit>[십백])(?!화점|\d)"
)
_GIVE_OR_TAKE = re.compile(r"\s?(?:±|\+-|플러스\s?마이너스)\s?\d+(?:만\s?원?)?")
_MORE_BARE = re.compile(r"(?<![\d만])(?P<count>\d{2,3})\s?(?:정도\s?)?더\s?(?:쓸|써|쓰|낼|올|늘|가능|추가|보태)")
_BASIS_ONLY = re.compile(
    r"\s*(?:(?:아니다|아니|아|네|그건|그냥|음)[\s,]*)*(?:1\s?인당|인당|일인당|두당|한\s?(?:사람|명)\s?당|총액|총|전체|전부|다\s?합)"
    r"[가-힣 ]{0,6}[.!~]*"
)
_BASIS_SAID = re.compile(r"(?:한\s?사람|한\s?명|1\s?인|일인|인당|두당)\s?(?:기준|금액|예산)")
_MOVED_TO = re.compile(
    r"(?<!\d)(?P<count>\d{2,4})(?:만\s?원?)?(?:으로|로)\s?(?:올려|올릴|늘려|늘릴|줄여|줄일|낮춰|내려|맞춰|하|할|해|갈|가자|잡|변경|바꿔|바꿀|수정|가능)"
)
_BETWEEN_MARKS = re.compile(r"[/|·]\s*(?P<count>\d{2,4})\s*(?=$|[/|·])")
_LOOSE = re.compile(
    r"(?<![\d,./])(?P<count>\d{2,4})(?=$|[\s,.!?~]|만|정도|쯤|이요|요|으로|로|이[면고]|이(?=\s|에|라|다)|안|선|에|은|까지|내|언더|이하|밑|만큼|플)"
    r"(?!\s?(?:\d|명|박|일|월|년|시|분|인|살|%|프로|퍼|번|/|-|~|개|달러|엔|유로|불|주년|주|학년|층))"
)
_BESIDE_PEOPLE = re.compile(
    r"(?:명|이고|이서|둘이|셋이|넷이|인|혼자|랑|박|일)[고이서은는요,]*\s+(?P<count>\d{2,4})(?:만|\s?정도)?(?:이요|요|으로|이면)?[\s.!~?]*$"
)
_MORE = re.compile(r"\s?(?:원)?\s?(?:정도|만|쯤)?\s?(?:더|추가|늘려|늘릴|올려|올릴|보태)")
_LESS = re.compile(r"\s?(?:원)?\s?(?:정도|만|쯤)?\s?(?:줄여|줄이|깎을|줄일|깎아|낮춰|덜|빼)")
_PERSON = re.compile(
    r"씩(?!\s?먹)|(?<![가-힣])각\s?\d|각각|꼴|두당|인당|1인|일인|각자|한\s?(?:사람|명)\s?당|한\s?(?:사람|명)에|(?:한\s?사람|한\s?명|1명)\s?기준"
)
_TOTAL = re.compile(r"총|합쳐|합해|다\s?해서|전부|전체|통틀|토탈|도합|다\s?합|둘이서?\s?\d|포함해서")
_NO_BUDGET = re.compile(
    r"(?:예산|비용|돈|경비)[가-힣]*\s?(?:얘기|이야기|조건|제한)?(?:은|는|이|을|를)?\s?(?:없던|지워|됐(?!으면)|신경|상관\s?없|무제한|없|걱정|빼|취소|고려하지|제한\s?없|미정|안\s?정|모르)"
)
_STRICT = re.compile(
    r"절대|안\s?넘|넘으면\s?안|넘기면\s?안|넘지\s?않|넘어가면\s?안|초과\s?(?:하면\s?)?안|이상은\s?(?:안|못|무리)|딱\s?(?:그|맞|\d)|더\s?(?:는|이상은?)?\s?(?:못|안)\s?(?:써|쓰|쓸|씀|쓴|돼|되|내|낼|나)|못\s?넘|넘기지|초과\s?불가|빠듯(?!할까|한가|하나)|타이트|꼭\s?지켜|지켜야|맞춰야|한푼도|무조건\s?(?:이내|안)"
)
_FLEXIBLE = re.compile(
    r"(?:넘|초과|오버|더\s?(?:써|쓰|들|나|내|쓸|줘)|늘|올[려라])[가-힣]{0,4}\s?(?:도|는|은|건|거|것은|는\s?건|는\s?거)\s?(?:돼|되|됨|된|괜찮|상관|좋|ㄱㅊ|오케|무방|가능|문제)|비싸도\s?(?:돼|되|됨|괜찮|상관|좋)|유연|예산[가-힣]*\s?여유\s?있|조절\s?가능|(?:예산|돈|비용|경비|만\s?원?)[^.]{0,8}늘릴\s?수\s?있|융통"
)
_NOT_BUDGET = re.compile(
    r"(?:호텔|숙소|숙박|방|항공|비행기|티켓|렌트|입장료|1박에|하루에|용돈)[가-힣]*\s?(?:은|는|비|에|값|가)?(?:(?!포함|빼고|제외|까지)[^,.]){0,6}$"
)
_A_NIGHT = re.compile(r"(?:박\s?(?:에|당|기준)|하룻밤|하루)[^,.]{0,8}$|(?:숙소|호텔|방)[^,.]{0,12}$")
_DECADE = re.compile(r"[1-9]0")
_OF_AGE = re.compile(r"대(?!로|략)")
_CORRECTED = re.compile(r"아니|말고|취소|정정|아냐|ㄴㄴ|^\s?(?:만\s?원?)?\s?이?나\s?$")
_PAIR = re.compile(r"(?:커플|부부|쌍)\s?(?:당|마다|별로)")
_UNCLEAR_SHARE = 0.9
_UNSURE = 0.7
_LEAST_EACH = 10_000


def read_budget(text: str, draft: Draft, pending: str | None) -> None:
    """budget with its basis and amount, and budget_flexibility."""
    _read_amount(text, draft, pending)
    _read_firmness(text, draft, pending)


def _read_amount(text: str, draft: Draft, pending: str | None) -> None:
    if _NO_BUDGET.search(text) and not _LOOSE.search(text) and not find_money(text, context="travel"):
        draft.cues.add("removal")
        for name in ("budget", "budget_basis", "budget_amount"):
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
        amount = _bare(text, pending, bool(draft.get("budget_amount")))
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


def follow_people(draft: Draft) -> None:
    """A budget per person becomes a total once the people are known."""
    amount, people = draft.get("budget_amount"), draft.get("num_people")
    if draft.get("budget_basis") != "per_person" or not amount:
        return
    if not people:
        draft.set("budget", None)
        return
    if amount * people in LIMITS["budget"]:
        draft.set("budget", amount * people)
        return
    draft.set("budget", None)
    if not any(problem.field == "budget" for problem in draft.problems):
        draft.put_number("budget", amount * people)


def ask_basis(draft: Draft) -> None:
    """A bare sum that can't even pay the cheapest way there, for several people, may have been meant per person."""
    budget, people = draft.get("budget"), draft.get("num_people")
    if draft.get("budget_basis") != "total" or not budget or not people or people < 2:
        return
    if draft.before.get("budget") == budget and draft.before.get("num_people") == people:
        return
    per_person_total = budget * people
    if "total_said" in draft.cues or per_person_total not in LIMITS["budget"]:
        return
    fare = _cheapest_fare(draft)
    if fare and budget < fare * people * _UNCLEAR_SHARE:
        draft.questions.append(
            Question(
                "budget_basis",
                f"말씀하신 {budget // 10_000:,}만원은 전체 예산인가요, 1인당 예산인가요?",
                "ambiguous",
                ("전체", "1인당"),
            )
        )


def _cheapest_fare(draft: Draft) -> float | None:
    goal = draft.get("destination")
    if not goal or (goal not in all_cities() and goal not in other_cities()):
        return None
    start, end = locate(draft.get("origin") or "서울"), locate(goal)
    return adult_fare(spot_distance(start, end), "budget") if not (start.domestic and end.domestic) else None


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
        return won(money.amount or 0, money.currency)
    return money.upper or money.won


def _bare(text: str, pending: str | None, known: bool) -> int | None:
    if match := _NEIGHBOURS.search(text):
        return (_DIGIT.index(match["high"]) + 1) * {"십": 10, "백": 100, "천": 1000}[match["unit"]] * 10_000
    if (pending == "budget" or "예산" in text) and (match := _RANGE.search(text)):
        return int(match["high"]) * 10_000
    if pending == "budget" and (match := _BARE.fullmatch(text)):
        number = int(match["count"].replace(",", ""))
        return number if number >= 100_000 else number * 10_000
    if pending == "budget" and (match := _LOOSE.search(text)) and int(match["count"]) >= 10:
        return int(match["count"]) * 10_000
    if known and (match := _MOVED_TO.search(text)):
        return int(match["count"]) * 10_000
    if not known and (match := _BETWEEN_MARKS.search(text)) and int(match["count"]) >= 30:
        return int(match["count"]) * 10_000
    if (match := _BESIDE_PEOPLE.search(text)) and int(match["count"]) >= 20:
        return int(match["count"]) * 10_000
    return None


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
        _put(draft, known, "total")


def _store(draft: Draft, amount: int, basis: str | None) -> None:
    if basis == "total_said":
        draft.cues.add("total_said")
    if draft.before.get("budget_amount") not in (None, amount):
        draft.cues.add("correction")
    _put(draft, amount, "per_person" if basis == "per_person" else "total")


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


def _read_firmness(text: str, draft: Draft, pending: str | None) -> None:
    about_money = "예산" in text or "만" in text or pending == "budget" or bool(draft.get("budget_amount"))
    if not about_money:
        return
    if _FLEXIBLE.search(text):
        draft.set("budget_flexibility", "flexible")
    elif _STRICT.search(text) and re.search(r"예산|만|원|넘|돈|비용|초과|\d", text):
        draft.set("budget_flexibility", "strict")
