"""The words around an amount: currencies, what it is for, per what, and about / under / over."""

import re
from typing import Literal, TypeVar

from madang.text.data import load

Per = Literal["total", "person", "month", "night", "year"]
Approx = Literal["about", "under", "over"]
Role = Literal[
    "deposit", "rent", "price", "loan", "debt", "income", "budget", "savings",
    "maintenance", "down_payment", "interim_payment", "balance", "key_money", "fee", "repayment", "other_deposits",
]  # fmt: skip

Name = TypeVar("Name", bound=str)

PREFIX_CURRENCY = re.compile(r"(US\$|USD|EUR|JPY|CNY|THB|VND|GBP|TWD|HKD|KRW|[$€¥£₩])(?:로|으로)?\s?$", re.IGNORECASE)
_CURRENCIES: dict[str, str] = load("currencies")
# 동 and 원 are mostly something else; they have conditions of their own.
_NAMES = "|".join(
    re.escape(name).replace(r"\ ", r"\s?")
    for name in sorted(_CURRENCIES, key=len, reverse=True)
    if "가" <= name[0] <= "힣" and name not in {"동", "원", "불", "킵", "프랑", "콜론", "라리", "루피"}
)
SUFFIX_CURRENCY = re.compile(
    r"\s?((?<=\s)원(?!룸|리|하|래|치|칙|인|주|장|서|금|형|활)|(?<!\s)원(?!룸)|불(?![가-힣])|불(?=정도|쯤|이하"
    rf"|이내|미만|이상|로|을|이|짜리)|{_NAMES}|(?:프랑|킵|콜론|라리|루피)(?=$|[^가-힣]|을|를|이|가|에|으로|의|입)|₩"
    r"|(?:usd|eur|jpy|krw|cny|thb|vnd|dollars?|bucks|won|euros?|yen|pounds|yuan|baht|dong)(?![a-z]))",
    re.IGNORECASE,
)
CENTS = re.compile(r"\s?(?P<cents>\d{1,2}|[일이삼사오육칠팔구십]{1,3})\s?(?:센트|펜스|cents?(?![a-z]))")

# Counters that make a number something else than money; those of the second list only directly after plain digits.
_ANY_COUNTER = (
    r"\s?(?:명|개|건|회|번|㎡|m2|m²|km|cm|kg|mg|보\b|마리|평(?!택|촌|창|내|리|거|화|균)|제곱|세대|가구|점\b|배\b|권\b|병\b|박스|톤|퍼"
    r"|프로|%|리터|차례|곳|군데"
    r"|팀|페이지|권역|석\b|여\s?[명개]|구역|단지|대의|대가|채\b|표\b|자\b|장\b|시간)"
)
_PLAIN_COUNTER = (
    r"\s?(?:년|(?<=\d)주택|월(?!세|\s?\d)|일(?!\s?(?:인당|때|경우|까))|주(?!택|세)|시\b|시에|분기|분\b|분간|층|호\b|호선|타입|박|조"
    r"|항|위\b|동\b|정\b|(?<=\d)차\b|쪽|번째|째|살(?!고|아|았|던|면|며|기|지|다가|려|았)|세\b|m\b|g\b|자리)"
    r"|인(?=$|[^가-힣]|실|용|가족|승|이|석|분)"
)
COUNTER = re.compile(rf"{_ANY_COUNTER}|{_PLAIN_COUNTER}")
# Words after which a Hangul numeral may follow without a blank: 보증금오천에월육십, 예산이백만원.
MONEY_WORD_BEFORE = re.compile(
    r"(?:보증금|전세금|전세|월세|예산|매매가?|두당|인당|대출|연봉|관리비|[천백억만]에|[천백억만]에월|총"
    r"|경비|(?<![\d가-힣])월)(?:은|는|이|을)?$"
)
LARGE_COUNTER = re.compile(_ANY_COUNTER)

_SQUEEZED = {name.replace(" ", "").lower(): code for name, code in _CURRENCIES.items()}
_PER_BEFORE: list[tuple[Per, str]] = [
    ("person", (
        r"두당|인당|(?<!\d)1인(?!\s?(?:가구|실|용))|(?<![가-힣])일인|한\s?사람당|한\s?명당|사람당|한\s?사람에"
            r"|한\s?명에|각자|각각|개인당|머릿수당|명당"
        r"|한명|한\s?사람"
    )),
    ("night", r"(?<!\d)[1일]박(?:당|에)?(?!\s?[2이]일)|박당|하룻밤(?:에)?|하루(?:에|당|밤)?|1일\s?(?:숙박)?|한\s?밤"),
    ("month", (
        r"매월|매달|월세|월급|월소득|월수입|월\s?임대료|다달이|한\s?달에|한\s?달|달마다"
        r"|(?<![\d가-힣])(?<!\d\s)월"
    )),
    ("year", r"연봉|연소득|연\s?소득|연수입|연간|1년에|일년에|(?<![가-힣])연\s"),
    ("total", (
        r"총액|총|다\s?합쳐서?|전부\s?합(?:해서?|쳐서?)|모두\s?합(?:해서?|쳐서?)|합쳐서?|합해서?|통틀어|전체"
        r"|토탈|도합|다\s?해서|전부\s?다?|모두|다\s?같이"
    )),
]  # fmt: skip
_PER_AFTER: list[tuple[Per, str]] = [
    ("person", r"/\s?(?:1\s?)?인|/\s?명|(?:두당|인당|1인당|씩\s?각자)"),
    ("night", r"/\s?박|/\s?1박|박당"),
    ("month", r"/\s?월"),
    ("total", r"(?:으로|에|면|로)?\s?(?:다\s?합쳐|전부\s?합|총액|총\s?예산|전체\s?예산|다\s?해결)"),
]
_ROLES: list[tuple[Role, str]] = [
    ("loan", r"전세\s?자금\s?대출|전세\s?대출|대출금?|주담대|대출액|빌려|빌리"),
    ("debt", r"근저당권?|융자금?|채권\s?최고액|선순위|빚|담보"),
    ("rent", r"월세|월\s?임대료|월\s?차임|차임|임대료"),
    ("deposit", r"임대\s?보증금|보증금|보증굼|보중금|전세금|전세가|전셋값|전세값|(?<!반)전세|전새"),
    ("price", r"집(?:은|이|가격은?)\s|매매가격?|매매|집값|시세|분양가|매수가?|매도가?|실거래가|호가|급매|매입|매맷가"),
    ("income", r"연봉|연\s?소득|월\s?소득|소득|월급|연수입|월수입|수입|급여"),
    ("budget", r"예산|경비|여행비용?|여행\s?자금|버짓"),
    ("savings", r"모은\s?돈|자기\s?자본|자본금|현금|가진\s?돈|모아둔|저축|종잣돈|시드"),
    ("maintenance", r"관리비(?!\s?(?:포함|제외|별도|빼고))"),
    ("down_payment", r"가?계약금"),
    ("interim_payment", r"중도금"),
    ("balance", r"잔금"),
    ("key_money", r"권리금"),
    ("fee", r"수수료|복비|중개\s?보수|중개비"),
]
_UNDER_AFTER = (
    r"안\s?되|안\s?돼|못\s?되|안\s?넘|못\s?넘|넘지|넘으면\s?안|미만|이하|이내|안으로|안쪽|내로|아래|밑"
    r"|언더|까지|한도|밖에|초과하지|을\s?넘기지|보다\s?적|보다\s?싼|보다\s?저렴"
)
_OVER_AFTER = r"넘|이상|초과|부터|보다\s?많|보다\s?비싼|보다\s?높|위로|오버"
_ABOUT_AFTER = (
    r"정도|쯤|내외|안팎|가량|언저리|전후|초반|중반|후반|선에서|선(?![가-힣])|선으로|대로|대의"
    r"|대(?![가-힣])|근처|남짓|즈음|플마"
)
_UNDER_BEFORE = r"최대|맥스|max|많아도|많아야|비싸도"
_OVER_BEFORE = r"최소|적어도|못해도"
_ABOUT_BEFORE = r"약|대략|대충|(?<![가-힣])한|어림잡아|얼추|거의"

_GAP = r"\s?(?:원|씩|으로|로|을|를|이|은|는|에서)?\s?(?:좀|조금|약간|살짝|쫌)?\s?"


def _compiled(table: list[tuple[Name, str]], template: str = "(?:{})") -> list[tuple[Name, re.Pattern[str]]]:
    return [(name, re.compile(template.replace("{}", pattern), re.IGNORECASE)) for name, pattern in table]


_PER_BEFORE_RE = _compiled(_PER_BEFORE)
_PER_AFTER_RE = _compiled(_PER_AFTER, _GAP + "(?:{})")
_ROLES_RE = _compiled(_ROLES)
_AFTER: list[tuple[Approx, str]] = [("under", _UNDER_AFTER), ("over", _OVER_AFTER), ("about", _ABOUT_AFTER)]
_BEFORE: list[tuple[Approx, str]] = [("under", _UNDER_BEFORE), ("over", _OVER_BEFORE), ("about", _ABOUT_BEFORE)]
_APPROX_AFTER_RE = _compiled(_AFTER, _GAP + "(?:{})")
_APPROX_BEFORE_RE = _compiled(_BEFORE, r"(?:{})\s?$")


def currency(word: str) -> str:
    """The ISO code of a currency sign or word."""
    name = _SQUEEZED.get("".join(word.split()).lower())
    return name or word.upper()


def per_of(before: str, after: str) -> Per | None:
    """Per what an amount is, judged by the words before and after it."""
    return _first(_PER_AFTER_RE, after) or _nearest(_PER_BEFORE_RE, before)


def approx_of(before: str, after: str) -> Approx | None:
    """Whether an amount is a rough figure, an upper or a lower limit."""
    return _first(_APPROX_AFTER_RE, after) or _nearest(_APPROX_BEFORE_RE, before)


def role_of(before: str, after: str) -> Role | None:
    """What an amount is for; the nearest word before it decides, then the first one after it."""
    return _nearest(_ROLES_RE, before) or _nearest(_ROLES_RE, after[:7])


def _first(table: list[tuple[Name, re.Pattern[str]]], text: str) -> Name | None:
    return next((name for name, pattern in table if pattern.match(text)), None)


def _nearest(table: list[tuple[Name, re.Pattern[str]]], text: str) -> Name | None:
    best: tuple[int, int] = (-1, 0)
    found: Name | None = None
    for name, pattern in table:
        for match in pattern.finditer(text):
            place = (match.end(), match.end() - match.start())
            if place > best:
                best, found = place, name
    return found
