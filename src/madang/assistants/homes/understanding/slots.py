"""What a message says in facts: where, what kind of home and deal, sums, the person. Nothing that was not said."""

import re
from datetime import date
from typing import Any

from madang.assistants.homes.tools.figure_facts import Facts, exclusive_area, yearly
from madang.assistants.homes.tools.regions import city_of, place_name
from madang.text.areas import find_areas
from madang.text.cues import find_cues
from madang.text.money import Money, find_money
from madang.text.parsed import Parsed
from madang.text.places import find_regions

Slots = dict[str, Any]

_DEALS = (
    ("monthly_rent", r"월세|반전세|사글세"),
    ("jeonse", r"전세"),
    ("sale", r"매매|매수|매입|사려|살려고|살\s?수|사고\s?싶|집\s?사면|파트\s?사면|구입|구매|분양"),
)
_KINDS = (
    ("아파트", r"아파트|아팟"),
    ("오피스텔", r"오피스텔|오피"),
    ("빌라", r"빌라|다세대|연립"),
    ("원룸", r"원룸|투룸|쓰리룸"),
    ("다가구", r"다가구"),
    ("주택", r"단독\s?주택|전원\s?주택"),
)
_AGE = re.compile(r"(?:만\s?)?(\d{2})\s?(?:세(?!대)|살)")
_HOMES = (
    (0, r"무주택|집이?\s?없|내\s?집이?\s?없"),
    (1, r"1\s?주택|일주택|집\s?한\s?채|한\s?채"),
    (2, r"다주택|[2-9]\s?주택|두\s?채|2채"),
)
_LOAN_FACTS: tuple[tuple[str, bool, str], ...] = (
    ("newlywed", True, r"신혼|결혼\s?(?:예정|앞두|한\s?지\s?[1-7]\s?년)|혼인\s?신고"),
    ("newborn", True, r"신생아|출산했|아기\s?(?:낳|태어)|임신\s?말고\s?출산|작년에\s?낳|올해\s?낳"),
    ("first_home", True, r"생애\s?(?:최초|첫)|첫\s?집|처음\s?(?:집|사)|집을?\s?가져?\s?본\s?적\s?(?:이\s?)?없"),
    ("victim", True, r"전세\s?사기\s?피해(?:자|를|로)|피해자\s?결정"),
)
_SIGNS: tuple[tuple[str, str], ...] = (
    ("trust", r"신탁"),
    ("auction", r"경매|공매"),
    ("seizure", r"가?압류|가처분"),
    ("provisional", r"가등기"),
    ("lease_registration", r"임차권\s?등기"),
    ("tax_arrears", r"체납"),
    ("illegal_building", r"위반\s?건축물|불법\s?건축물|불법\s?증축"),
    ("multi_household", r"다가구"),
    ("agent", r"대리인|위임장"),
)
_NEW_OWNER = re.compile(r"(?:집주인|소유자|주인)[이가]?\s?(?:최근|얼마\s?전|갑자기|막)?\s?(?:바뀌|바꼈|변경)")
# Not a sign in a register: the harm is done, and advice for a contract to come would be of no use.
HAPPENED = "happened"
_HAPPENED = re.compile(r"당했|당한|당하고|떼였|떼인|날렸|날린|잠적|연락\s?두절|피해를\s?(?:입|봤)|못\s?받고\s?있")
_LOAN_KINDS = (
    ("jeonse", r"전세"),
    ("monthly", r"월세"),
    ("purchase", r"매매|매수|구입|사려|살려|사는|주담대|주택\s?담보|디딤돌|보금자리|내\s?집\s?마련|집\s?살"),
    ("guarantee", r"보증\s?보험|반환\s?보증|보증\s?가입"),
    ("support", r"지원(?:금|\s?제도|\s?받|\s?사업)?|바우처|월세\s?지원"),
)
_MONTHS = re.compile(r"(?:최근|지난|근)\s?(\d{1,2})\s?(?:개월|달)")
_PERIODS: tuple[tuple[str, int], ...] = (
    (r"(?:최근|지난|근)\s?(?:1|일|한|[2-9])\s?년|(?:1|일)\s?년\s?(?:동안|간|치|새)", 12),
    (r"반\s?년", 6),
    (r"(?:최근|지난)\s?(?:한|1)\s?달|이번\s?달", 1),
)
_OTHERS = re.compile(
    r"(?:선순위|다른\s?(?:세입자|임차인|집)|앞선?\s?(?:세입자|임차인))(?:들)?(?:의|이)?\s?(?:전세|보증금)[^\d억천]{0,6}$"
)
# "잔금 날 근저당을 갚는 조건이면", "융자 없으면": no debt comes before the deposit then.
_PAID_OFF = re.compile(
    r"(?:근저당|대출|융자|빚|저당|담보)[^?.,]{0,14}(?:(?:갚|상환|말소|지우|지운|정리|없애|없앤)[^?.,]{0,8}(?:면|조건|경우|기로)|없(?:으면|다면|는\s?(?:집|조건|경우)))"
)
_EARNS = re.compile(r"\s?만?원?\s?(?:정도|쯤)?(?:을|를)?\s?(?:벌|버는|법니다|소득|월급|급여)")
_SIZE = re.compile(r"(?<![\d.,])(59|74|84|101|114)(?=\s|$|[?？]|은|는|로|짜리|타입|[A-C])")
_OF_A_HOME = re.compile(r"원?\s?(?:짜리|하는|정도)?\s?(?:집|아파트|빌라|오피스텔|주택)")
_STATION = re.compile(r"역\s?(?:에서|세권|까지)?\s?(?:도보|걸어서)?\s?(\d{1,2})\s?분")
_BUILT = re.compile(r"(\d{4})\s?년\s?(?:이후|이상|식)|신축")


def read_slots(message: str, today: date) -> Slots:
    """The facts a message states, by slot. A fact it denies ("84㎡ 말고 59㎡") is not stated."""
    text = without_denied(message)
    facts = Facts(text, today)
    slots: Slots = {}
    _place(text, slots)
    _kind_of_home(text, slots)
    _sums(facts, slots)
    _person(text, facts, slots)
    if areas := find_areas(text):
        slots["area_m2"] = float(exclusive_area(text, areas[-1]))
    elif "regions" in slots and (size := _SIZE.search(text)):
        slots["area_m2"] = float(size[1])
    if signs := [name for name, words in _SIGNS if re.search(words, text)]:
        slots["risk_signs"] = signs
    if _NEW_OWNER.search(text):
        slots.setdefault("risk_signs", []).append("new_owner")
    if _HAPPENED.search(text):
        slots.setdefault("risk_signs", []).append(HAPPENED)
    if "regions" in slots and (months := _months(text, today)):
        slots["price_months"] = months
    if wish := _listing_wish(text, facts, slots):
        slots["listing_wish"] = wish
    return slots


def without_denied(message: str) -> str:
    """The message without what it takes back: in "마포 말고 송파" only 송파 is left."""
    text = message
    for cue in reversed(find_cues(message)):
        if cue.value.kind == "correction" and cue.value.about and cue.value.instead:
            start = message.rfind(cue.value.about, 0, cue.span[0])
            if start >= 0:
                text = text[:start] + text[cue.span[1] :]
    return text


def loan_kinds(message: str) -> list[str]:
    """What a loan or support is wanted for, as far as the message says it."""
    said = without_denied(message)
    return [kind for kind, words in _LOAN_KINDS if re.search(words, said)]


def _place(text: str, slots: Slots) -> None:
    found = find_regions(text, typos=False) or find_regions(text)
    names: list[str] = []
    for item in found:
        place = item.value
        # A name for several wards of one city (일산) means the city.
        cities = {city_of(reading.sigungu) for reading in item.readings}
        shared = cities.pop() if len(cities) == 1 else None
        name = place_name(place.sido, shared or place.sigungu)
        if not any(name == other or other.startswith(f"{name} ") for other in names):
            names = [other for other in names if not name.startswith(f"{other} ")] + [name]
    if names:
        slots |= {"regions": names, "region": names[0], "sido": names[0].split()[0]}


def _months(text: str, today: date) -> int | None:
    """How many of the last months prices are asked of, at most a year."""
    if said := _MONTHS.search(text):
        return max(1, min(12, int(said[1])))
    if re.search(r"올해|금년", text):
        return today.month
    return next((months for words, months in _PERIODS if re.search(words, text)), None)


def _kind_of_home(text: str, slots: Slots) -> None:
    deals = [name for name, words in _DEALS if re.search(words, text)]
    if len(deals) > 1 and re.search(r"비교|차이|둘\s?다|(?:전세|월세|매매)(?:랑|와|하고|이랑|,|·)", text):
        slots["deal_type"] = None
    elif deals:
        slots["deal_type"] = deals[0]
    kind = next((name for name, words in _KINDS if re.search(words, text)), None)
    if kind:
        slots["property_type"] = kind


def _sums(facts: Facts, slots: Slots) -> None:
    named = {"price": "price", "deposit": "deposit", "rent": "monthly_rent", "debt": "senior_debt"}
    for item in facts.sums:
        before = facts.text[max(0, item.span[0] - 16) : item.span[0]]
        if _OTHERS.search(before):
            slots.setdefault("other_deposits", item.value.won)
            continue
        if item.value.role == "rent" and _EARNS.match(facts.text, item.span[1]):
            slots["annual_income"] = item.value.won * 12
            continue
        name = named.get(item.value.role or "")
        if item.value.role is None and _OF_A_HOME.match(facts.text, item.span[1]):
            name = "price"
        if name and name not in slots:
            slots[name] = item.value.won
    if "senior_debt" not in slots and _PAID_OFF.search(facts.text):
        slots["senior_debt"] = 0


def _person(text: str, facts: Facts, slots: Slots) -> None:
    income = next((item.value for item in facts.sums if item.value.role == "income"), None)
    if income is not None and "annual_income" not in slots:
        slots["annual_income"] = yearly(income)
    if age := _AGE.search(text):
        slots["age"] = int(age[1])
    homes = next((count for count, words in _HOMES if re.search(words, text)), None)
    if homes is not None:
        slots["homes_owned"] = homes
    known: dict[str, Any] = {name: value for name, value, words in _LOAN_FACTS if re.search(words, text)}
    assets = re.search(r"순\s?자산[^\d]{0,6}", text)
    if assets and (money := find_money(text[assets.end() :], "housing")):
        known["net_assets"] = money[0].value.won
    if known:
        slots["loan_facts"] = known


def _listing_wish(text: str, facts: Facts, slots: Slots) -> dict[str, int]:
    wish: dict[str, int] = {}
    sums = [item for item in facts.sums if item.value.role in (None, "price", "deposit", "budget")]
    if sums:
        wish |= _amounts(sums[0])
    rents = [slots_rent] if (slots_rent := slots.get("monthly_rent")) else []
    if rents:
        wish["max_rent"] = rents[0]
    if station := _STATION.search(text):
        wish["max_station_minutes"] = int(station[1])
    elif "역세권" in text:
        wish["max_station_minutes"] = 10
    if built := _BUILT.search(text):
        wish["min_built"] = int(built[1]) if built[1] else 2019
    return wish


def _amounts(item: Parsed[Money]) -> dict[str, int]:
    money = item.value
    if money.upper:
        return {"min_amount": money.won, "max_amount": money.upper}
    return {"min_amount": money.won} if money.approx == "over" else {"max_amount": money.won}
