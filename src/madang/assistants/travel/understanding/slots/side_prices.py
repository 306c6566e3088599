"""Sums that are no budget of the trip: a limit for a night, what dinner or shopping may cost."""

import re

from madang.assistants.travel.understanding.slots.masks import SUM, masked
from madang.text.money import find_money

_SUM = (
    r"(?:약|최대|한|대략)?\s?(?:\d[\d,.]*\s?(?:만\s?(?:\d천)?|천)\s?원?|\d[\d,]{3,}\s?원|\d{2,3}(?![\d만천원]|\s?[박일월명시분인살년개])"
    r"|[일이삼사오육칠팔구]?[십백][일이삼사오육칠팔구십]*\s?만\s?원?|[일이삼사오육칠팔구]?만\s?원)"
)
_LIMIT = (
    r"(?:대|선|정도|쯤|씩)?(?:으로|로|은|는|까지만?|이|을|를)?"
    r"(?:\s?(?:이하|이내|미만|안쪽|아래|밑|언더|안으로|안에서|내외|넘[지기][가-힣]*\s?(?:않|말|안)[가-힣]*|안\s?넘[가-힣]*))?(?:으로|로)?"
)
_LODGING = r"숙소|호텔|방|펜션|게스트하우스|게하|리조트|에어비앤비|숙박|료칸|객실|모텔"
_NIGHTLY = re.compile(
    rf"(?:(?:1|일|하루|한)\s?박\s?(?:에|당|기준(?:으로)?|씩)|박\s?당|하룻밤(?:에|당)?|하루\s?(?:숙박비|방값|숙소비)[은는]?)\s?{_SUM}{_LIMIT}"
    rf"|(?:{_LODGING})[가-힣]{{0,3}}\s?(?:1|일|한)\s?박\s?{_SUM}{_LIMIT}"
    rf"|(?:{_LODGING})(?:비|값|료)?(?:은|는|이|가)?\s?(?:하루|매일|하룻밤)\s?{_SUM}{_LIMIT}"
)
_PURPOSE = (
    r"밥값|식비|외식비|식사비|쇼핑|면세점?|기념품|선물|마사지|스파|투어|택시|교통비|렌터?카|렌트비|렌트|차\s?렌트|입장료|티켓|입장권|유심|보험"
    r"|용돈|간식|술값|카페|액티비티|체험|골프|항공권|항공료|비행기\s?(?:값|표|티켓)?|항공|숙소비|숙박비|호텔비|방값|호텔값"
)
_NAMED = re.compile(
    rf"(?:{_PURPOSE})(?:비|값|용)?\s?(?:은|는|에|에는|엔|으로|로|만|하는\s?데|에만)\s?"
    rf"(?:(?:하루|인당|1인당|일인당|각자|두당|한\s?사람당?|총|왕복|최대|따로)(?:에|당)?\s?)*{_SUM}{_LIMIT}"
)
_WHOLE = re.compile(r"포함|빼고|제외|까지\s?(?:다|전부|해서)|합쳐|전체|총\s?예산|예산은?\s?총")


def without_side_prices(text: str) -> str:
    """The message with those sums hidden, letter by letter, so that no reader takes them for nights or a budget."""
    text = masked(text, [match.span() for match in _NIGHTLY.finditer(text)], SUM)
    named = () if _WHOLE.search(text) else _NAMED.finditer(text)
    return masked(text, [match.span() for match in named], SUM)


def nightly_limit(text: str) -> int | None:
    """What a night may cost, in won: 숙소는 1박에 20만원 이하로. None when the message sets no such limit."""
    found = nightly_limit_at(text)
    return found[0] if found else None


def nightly_limit_at(text: str) -> tuple[int, tuple[int, int]] | None:
    """The same with where it stands."""
    match = _NIGHTLY.search(text)
    money = find_money(match.group(), context="travel") if match else []
    if not match or not money or money[-1].value.currency != "KRW":
        return None
    return money[-1].value.won, match.span()
