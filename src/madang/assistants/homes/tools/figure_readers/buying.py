"""Buying and selling: the broker's fee, the tax on buying, the return on letting."""

import re

from madang.assistants.homes.data.policy import section
from madang.assistants.homes.tools.figure_facts import Facts
from madang.assistants.homes.tools.figure_request import FigureRequest, request

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
_COUNTS = {"한": 1, "두": 2, "세": 3, "네": 4, "하나": 1, "둘": 2, "셋": 3, "넷": 4, "일": 1, "이": 2, "삼": 3, "사": 4}
_NUMBER = r"(\d|한|두|세|네|하나|둘|셋|넷|일|이|삼|사)"
_HOMES = re.compile(rf"{_NUMBER}\s?주택")
_OWNED = re.compile(
    rf"(?:집|아파트|주택)(?:이|을|은)?\s?(?:이미\s?)?{_NUMBER}(?:\s?(?:채|개))?(?:가|를|이)?\s?(?:있|가지|가진|보유|갖|소유|인\s)"
    rf"|{_NUMBER}\s?(?:채|주택)(?:를|을)?\s?(?:이미\s?)?(?:있|가지|가진|보유|갖|소유)"
)
_WHICH_HOME = re.compile(
    r"(?<![가-힣])(파는|판|팔|사는|산|살|이사\s?갈|이사할|새|지금|원래|들어갈)\s(?:집|아파트|빌라)"
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


def brokerage(facts: Facts) -> FigureRequest:
    rent = next((won for won in facts.amounts("rent") if won < 10_000_000), None)
    deal = _deal(facts, rent)
    roles = ("deposit", None, "price", "loan") if deal == "lease" else ("price", None, "deposit", "loan")
    price = _of_asked_home(facts) or facts.settled_amount(*roles) or facts.large_amount(*roles) or facts.amount(*roles)
    if rent is not None and price is None:
        price = 0
    kind = "officetel" if facts.says(r"오피스텔|오피\b") else "other" if facts.says(_NOT_A_HOME) else None
    inputs = {
        "deal": deal,
        "price": price,
        "monthly_rent": rent if deal == "lease" else None,
        "property_kind": kind,
        "area": facts.area,
    }
    return request("brokerage", ("deal", "price"), inputs)


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


def acquisition_tax(facts: Facts) -> FigureRequest:
    homes, regulated = _homes(facts), in_regulated_area(facts)
    inputs = {
        "price": facts.settled_amount("price", None) or facts.large_amount("price", None, "deposit", "loan"),
        "homes": homes,
        "area": facts.area,
        "called_pyeong": facts.called_pyeong,
        "regulated": regulated,
        "temporary": True if facts.says(r"일시적|갈아타") else None,
    }
    needed: tuple[str, ...] = ("price", "homes")
    if homes in (2, 3) and not inputs["temporary"]:
        needed = (*needed, "regulated")
    return request("acquisition_tax", needed, inputs)


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


def roi(facts: Facts) -> FigureRequest:
    loan = facts.amount("loan")
    inputs = {
        "price": facts.large_amount("price", None, "rent"),
        "monthly_rent": next((won for won in facts.amounts("rent") if won < 10_000_000), None),
        "deposit": facts.amount("deposit"),
        "loan": loan,
        "loan_rate": facts.rate(r"금리|대출|연|이자") if loan else None,
        "loan_years": facts.years if loan else None,
        "vacancy_rate": facts.rate("공실률?"),
    }
    return request("roi", ("price", "monthly_rent"), inputs)
