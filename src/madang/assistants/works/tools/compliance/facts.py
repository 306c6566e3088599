"""The facts of a situation: who gets what, how much, how often, when and where. Quoted prohibitions are no facts."""

import re
from dataclasses import dataclass, field
from datetime import date
from typing import Literal

from madang.text.dates import find_dates
from madang.text.money import Money, find_money
from madang.text.normalise import normalise
from madang.text.numbers import parse_number
from madang.text.parsed import Parsed
from madang.text.rates import find_rates

BenefitKind = Literal[
    "meal", "souvenir", "gift", "promo_item", "cash", "entertainment", "goods", "sample", "conference", "lecture_fee",
    "advisory_fee", "post_marketing", "discount", "condolence", "research",
]  # fmt: skip
Setting = Literal["seminar", "visit", "conference", "none"]

_NOUNS: dict[BenefitKind, str] = {
    "cash": r"현금|현찰|돈\s?봉투|돈봉투|봉투|상품권|기프트\s?카드|기프티콘|"
    r"송금|계좌\s?(?:이체|입금)|현금성|캐시백|페이백|선불\s?카드|포인트\s?적립|금품|뒷돈",
    "entertainment": (
        r"골프|라운딩|그린피|유흥|룸살롱|룸싸롱|노래방|가라오케|술\s?접대|술자리|2차|향응|여행|관광|공연|뮤지컬|콘서트|오페라|티켓|입장권|야구\s?(?:관람|장|경기)"
        r"|축구\s?(?:관람|경기)|영화\s?관람|스파|호캉스|크루즈|낚시|스키|워터파크|놀이공원|마사지"
    ),
    "goods": (
        r"장비|의료\s?기기|비품|에어컨|냉장고|정수기|인테리어|간판|컴퓨터|노트북|태블릿|아이패드|TV|티비|가구|차량|렌트|임대료|월세|직원\s?파견|인력\s?지원"
        r"|노무|리모델링|소모품\s?지원|안마\s?의자|커피\s?머신|병원\s?홍보|광고비"
    ),
    "research": r"연구비|연구자\s?임상|임상\s?시험|임상\s?연구|연구\s?계약|연구\s?지원",
    "sample": r"견본품|견본|샘플",
    "lecture_fee": r"강연료|강의료|연자료|연자\s?사례|좌장료|강연\s?사례|강사료",
    "advisory_fee": r"자문료|자문비|자문\s?수수료|자문\s?비용|컨설팅비",
    "post_marketing": r"시판\s?후\s?조사|PMS|증례\s?(?:보고|당)|사용\s?성적\s?조사",
    "discount": r"비용\s?할인|결제\s?할인|할인",
    "condolence": r"조의금|부의금|축의금|경조사비|경조금|화환|조화|근조|부조금?|경조사",
    "conference": r"학회|학술\s?대회|심포지엄|심포지움|컨퍼런스|콩그레스",
    "promo_item": r"판촉물|볼펜|메모지|우산|머그컵|머그잔|달력|마우스\s?패드|수건|포스트잇|판촉용|손세정제",
    "souvenir": r"기념품|텀블러|사은품|답례품",
    "gift": r"선물|과일|한우(?!집)|굴비|홍삼|화장품|와인|위스키|케이크|명품|넥타이|스카프",
    "meal": (
        r"식사|식대|식음료|식비|밥|점심|저녁|만찬|오찬|디너|런치|코스\s?요리|도시락|다과|음식|회식|뷔페|한정식|오마카세|커피|음료|간식|조식|석식|중식\s?제공"
    ),
}  # fmt: skip
_PROHIBITED = re.compile(
    r"금지(?!\s?(?:인데|지만|라도|임에도|된\s?걸\s?알면서))|안\s?(?:됩니다|된다|됨|되므로|되며|돼요|된다고|되고)|안됩니다|할\s?수\s?없|불가(?:합니다|하|능|함|라고)?|허용되지|하지\s?(?:않|말|마)|않(?:기로|습니다|는다|도록|았|을\s?것|겠|음)"
    r"|제공하지|지급하지|없(?:음|습니다|었습니다|도록|이\s?진행)|거절|사양|거부|위반(?:에\s?해당|됩니다|이므로|이라고|임)|삼가|교육(?:함|했|하였)|안내(?:함|했|하였|드렸)|일절\s?없"
)
_FORBIDDEN = re.compile(
    r"금지|안\s?(?:됩니다|된다|됨|되므로|되며|돼요|되고)|안됩니다|불가|허용되지|할\s?수\s?없|위반(?:에|됩|이므로|이라고|임)|안내|교육"
)
_DESPITE = re.compile(
    r"지만|는데|그래도|불구하고|몰래|예정|하기로|드렸|드릴|드림"
    r"|(?<!안내)(?<!안내 )드립니다|제공했|제공함|지급했|지급함|전달했|접대했|줬|썼"
)
_ASKED = re.compile(r"(?:해도|줘도|드려도)\s?(?:되|돼|괜찮)|\?$")
# What is named and does not happen: 골프는 없다, 선물은 안 함, 상품권 말고, 골프 대신. "안 칠 수 없어" happens.
_NEGATED = re.compile(
    r"장?(?:\s?(?:접대|동반|제공|지급|지원|참석|초청|라운딩|일정|예약|계획))?(?:은|는|이|가|도|을|를|까지|만은)?\s?(?:전혀\s|일절\s|아예\s)?"
    r"(?:제공|지급|지원|준비)?\s?(?:없(?!애|으면|어지|는\s?게)|(?:안|못)\s?(?![되돼됩된]|[가-힣]{1,4}(?:면|ㄹ)|[가-힣]\s?수)[가-힣]|[가-힣]{0,3}지\s?(?:않|말|못|마)|말고|대신(?!에?\s?(?:받|주))"
    r"|빼(?:고|기|ㅆ|줘|주|라)|뺐|뺀|뺍|제외|아닌|아니고|아닙|미제공|(?:불가|금지)(?!인데|지만|라도|임에도)|취소|됐(?:어|고|습|다)|사양|거절|거부|생략)"
)
_LISTED = re.compile(r"(?:이나|과|와|나|및|,|·)\s?(?P<next>[가-힣A-Za-z]{1,10})")
_DENIED = re.compile(r"(?<![A-Za-z])(?:no|without|not)\s+(?:any\s+)?$", re.IGNORECASE)
_INDUCED = re.compile(
    r"(?:처방|채택|거래|주문|리스팅|납품|랜딩|코드\s?인|사용|매출|구매|발주|전환|오더)[^.\n]{0,14}(?:대가|댓가|조건|보답|답례|약속|늘려\s?주|유지\s?(?:해|하)|해\s?주(?:면|는|시면)|하는\s?대신|해준\s?대신|감사의\s?뜻|사례로|부탁하며|인센티브|비례|실적에\s?따라)"
    r"|(?:대가로|댓가로|조건으로|대신해서)[^.\n]{0,16}(?:처방|채택|거래|납품|주문|제공|지급|지원)|리베이트[^.\n]{0,6}(?:지급|제공|주|전달|드리|로)|처방\s?(?:량|건수|액)[^.\n]{0,8}(?:따라|비례|당|만큼)|선\s?지원|랜딩비|처방\s?유도"
)
_SEMINAR = re.compile(r"제품\s?설명회|설명회|세미나|런천|디너\s?심포|제품\s?발표회|간담회")
_VISIT = re.compile(r"방문|디테일|원내|제품\s?(?:설명|소개|디테일)|콜\b|내방")
_PUBLIC = re.compile(
    r"국립|시립|도립|공립|보건소|국공립|공무원|공직자|군의관|공중보건의|공보의|보훈|경찰병원|의료원|교수|대학\s?병원|대학교\s?병원|국군|서울대병원|교직원|학교\s?법인"
)
_COUNT = re.compile(
    r"(?<![\d,.])(?P<n>\d{1,3})\s?(?:여\s?)?(?:명|분(?!의|당|간)|인분|인(?!당|분))|(?P<w>한|두|세|네|다섯|여섯|일곱|여덟|아홉|열)\s?(?:명|분(?!의)|사람(?!당))"
    r"|(?P<p>둘|셋|넷|다섯|여섯|일곱|여덟)이(?=서|\s)|도시락\s?(?P<d>\d{1,3})\s?개"
)
# What a bill came to: of how many, its words must tell.
_BILL = re.compile(r"^\s?(?:원)?\s?(?:정도|가량|쯤)?\s?(?:어치|을|를|이|가)?\s?(?:나왔|나온|썼|쓴|결제|계산|긁|어치)")
_EACH = re.compile(
    r"(?:1인당|인당|1인|일인당|한\s?(?:명|사람|분)당|한\s?사람|두당|각자|각각|각|개당|1명당|명당|사람당|매)\s?(?:식사|식대|식음료|기념품|비용|금액|선물)?\s?(?:은|는|이|가|에)?\s?(?:비용|비)?\s?(?:약|최대)?\s?$"
)
_EACH_AFTER = re.compile(r"^\s?(?:원)?\s?(?:씩|/\s?(?:인|명)|짜리|\(1인\)|\(인당\)|상당|씩의)")
_TOTAL = re.compile(r"(?:총|합계|총액|전체|합쳐서?|다\s?해서|도합|총비용|총\s?금액|총\s?식대|전부)[^\d]{0,8}$")
_TOTAL_AFTER = re.compile(r"^\s?(?:원)?\s?(?:\(?총액?\)?|합계|이\s?총)")
_PLURAL = re.compile(
    r"원장님?들|교수님?들|의료진|선생님?들|의사들|참석자(?!\s?1)|전원|직원들|여러|단체|의료인들|회원들"
)
_CUSTOMER = re.compile(
    r"[가-힣A-Za-z0-9]{2,20}(?:의원|병원|약국|클리닉|의료원|내과|외과|소아과|피부과|이비인후과|정형외과)(?![가-힣]{0,8}(?:과장|원장들))"
)
_COMPANION = re.compile(
    r"동반\s?(?:배우자|가족|자녀|아내|남편|부인|지인)|(?:배우자|사모|마누라|와이프)\S{0,2}\s?(?:\S{1,3}\s?(?:분|명)\s?)?(?:이랑|랑|까지|도)?\s?(?:같이\s?)?(?:식사|밥|참석)"
    r"|(?:마누라|와이프|사모님?)\S{0,2}\s?(?:같이|함께)|(?:가족|배우자|자녀|아내|남편|부인|지인|비서)\S{0,3}\s?(?:을|를|도|까지|와|과|랑|이랑)?\s?(?:함께|동반|같이|포함|초청|참석|여행|항공|식사)"
)
_VENUE = re.compile(
    r"골프장|리조트|카지노|스키장|유흥\s?주점|노래방|관광지|워터파크|크루즈|유람선|콘도|풀빌라|스파|해외\s?휴양|룸살롱|클럽하우스"
)
SPEAKER = re.compile(r"발표자|좌장|토론자|연자|패널|발제자")
ATTENDEE = re.compile(r"단순\s?(?:참석|참가)|청중|일반\s?참석|(?:참석|참가)하는\s?(?:원장|교수|의사|선생)|단순참가")
THROUGH = re.compile(
    r"주최\s?(?:측|자|기관|학회|단체)|학회를?\s?통해|주최\s?학회|주관\s?(?:측|학회)|학회에\s?(?:지원|기탁)|학회\s?(?:공식\s?)?계좌|학회가\s?\S{0,8}\s?\S{0,8}\s?(?:지급|집행|선정)|협회를?\s?통해|사무국"
)
DIRECT = re.compile(
    r"개인에게|개별\s?지원|직접\s?(?:지원|지급|결제|송금)|개인\s?(?:계좌|통장)"
    r"|(?:교수|원장|선생|과장|의사|본인)님?\s?(?:의\s?)?(?:계좌|통장)"
)
APPROVED = re.compile(
    r"(?:IRB|아이알비|임상시험\s?심사\s?위원회|식약처)\S{0,4}(?:\s?\S{1,8}){0,3}\s?승인(?!\s?(?:전|없이|을?\s?받지|이?\s?나기))",
    re.IGNORECASE,
)
UNAPPROVED = re.compile(r"승인\s?(?:전|없이|을?\s?받지|이?\s?나기\s?전)|미승인|준비\s?중", re.IGNORECASE)
INSTITUTION_PAID = re.compile(
    r"(?:병원|기관|대학|산학|연구비)\S{0,4}\s?(?:연구비\s?)?계좌|병원과\s?계약|기관과\s?계약|기관\s?계약|계약을\s?맺"
)
_UNREADABLE = re.compile(
    r"(?:파일|문서|첨부|규정|기준|자료)\S{0,12}\s?\S{0,6}\s?(?:손상|깨져|깨졌|열리지|안\s?열|읽을\s?수\s?없|누락|분실)"
)
_TAXED = re.compile(r"(?:세금|부가세|VAT|봉사료|세)\S{0,6}\s?포함", re.IGNORECASE)
_TAX = re.compile(r"(?:부가세|세금|봉사료|VAT)\s?(?:가|이|는|은|만)?\s?$", re.IGNORECASE)
_MORE_DAYS = re.compile(r"(?P<month>\d{1,2})\s?월\s?\d{1,2}\s?일(?P<days>(?:\s?[,·및와과]\s?\d{1,2}\s?일)+)")
_SEVERAL = re.compile(r"복수\s?기관|여러\s?(?:기관|병원|의원)|\d{1,3}\s?(?:곳|개\s?기관)|합동")
_INDIVIDUAL = re.compile(r"방문|개별\s?(?:기관|의원|병원)|원내|찾아가")
_SERVANT = re.compile(
    r"국립|시립|도립|공립|보건소|국공립|공무원|공직자|군의관|공중보건의|공보의|보훈|경찰병원|(?<!대학)의료원|국군|공공기관|공공\s?의료"
)
_TEACHER = re.compile(r"교수|대학\s?병원|대학교\s?병원|서울대병원|교직원|학교\s?법인")
_GIVES = re.compile(
    r"드렸|드리|드림|줬|제공(?:했|하|함|할)|지급(?:했|하|함|할)|보냈|보내\s?드|송금|전달(?:했|하|함)|대접|접대|지원(?:했|하|함|할)|후원|계산해|결제해|증정|챙겨|사\s?드|사\s?줬|협찬|기부|빌려"
)
_TO = re.compile(r"원장|교수|의사|선생|약사|과장|간호사|의료진|의료인|병원|의원|약국|거래처|고객")
_HOURS = re.compile(r"(?P<n>\d{1,2}|한|두|세|네)\s?시간")
_MINUTES = re.compile(r"(?P<n>\d{2,3})\s?분(?=\s?(?:에|간|동안|짜리|강연|발표|강의|[,.]|$))")
_MONTHS = re.compile(r"(?P<n>\d{1,2}|한|두|세|네|여섯)\s?(?:개월|달)")
_TIMES = re.compile(
    r"(?:이번\s?달|월|한\s?달에?|매달)\s?(?:에)?\s?(?P<n>\d{1,2}|한|두|세|네|다섯|여섯)\s?(?:회|번|차례)"
)


@dataclass(frozen=True)
class Benefit:
    """Something given. `each` is per person, null when it can't be told; `said` when the words tell which it is."""

    kind: BenefitKind
    text: str
    each: int | None = None
    total: int | None = None
    said: bool = False


@dataclass(frozen=True)
class Facts:
    """What the text says. What it doesn't say is null."""

    text: str
    setting: Setting
    benefits: tuple[Benefit, ...]
    people: int | None = None
    day: date | None = None
    customer: str | None = None
    public: bool = False
    induced: str | None = None
    companion: str | None = None
    venue: str | None = None
    hours: float | None = None
    months: int | None = None
    rate: float | None = None
    times_a_month: int | None = None
    farm_produce: bool = False
    holiday: bool = False
    servant: bool = False
    teacher: bool = False
    taxed: bool = False
    """Whether the amounts are told with their tax in them, the tax itself not being told."""
    unreadable: str | None = None
    unmatched: tuple[str, ...] = ()
    """Sentences that give something, or name a sum, which is no benefit that the rules know."""
    quoted: tuple[str, ...] = field(default_factory=tuple)

    @property
    def stated(self) -> dict[str, bool]:
        """Which parts of the situation the text tells."""
        return {
            "benefit": bool(self.benefits),
            "setting": self.setting != "none",
            "people": self.people is not None,
            "day": self.day is not None,
            "customer": self.customer is not None,
        }

    def of(self, kind: str) -> list[Benefit]:
        return [one for one in self.benefits if one.kind == kind]

    def says(self, pattern: re.Pattern[str]) -> str | None:
        """The words that fit, or None."""
        return _words(pattern, self.text)


def read_facts(text: str, today: date) -> Facts:
    """The facts of `text`. Sentences that say what is forbidden or was not done are set aside as `quoted`."""
    said, quoted = _split(normalise(text))
    people, setting = _people(said), _setting(said)
    days, rates, months = find_dates(said, today), find_rates(said), _number(_MONTHS, said)
    times = _number(_TIMES, said) or _days_in_a_month(said, today)
    benefits = tuple(_benefits(said, setting, people))
    return Facts(
        text=said,
        setting=setting,
        benefits=benefits,
        people=people,
        day=days[0].value.start if days else None,
        customer=_words(_CUSTOMER, said),
        public=bool(_PUBLIC.search(said)),
        induced=_words(_INDUCED, said),
        companion=_happens(_COMPANION, said),
        venue=_happens(_VENUE, said),
        hours=_number(_HOURS, said) or (minutes / 60 if (minutes := _number(_MINUTES, said)) else None),
        months=int(months) if months else None,
        rate=round(rates[0].value.percent / 100, 6) if rates else None,
        times_a_month=int(times) if times else None,
        farm_produce=bool(re.search(r"농산물|수산물|농수산|한우(?!집)|굴비|과일(?!\s?아닌)|홍삼|쌀|인삼", said)),
        holiday=bool(re.search(r"설날|추석|명절|설\s?(?:선물|연휴)", said)),
        servant=bool(_SERVANT.search(said)),
        teacher=bool(_TEACHER.search(said)),
        taxed=bool(_TAXED.search(said)) and not _tax_told(said),
        unreadable=_words(_UNREADABLE, normalise(text)),
        unmatched=tuple(_unmatched(said, benefits)),
        quoted=tuple(quoted),
    )


def _unmatched(text: str, benefits: tuple[Benefit, ...]) -> list[str]:
    """Sentences that give to someone what no benefit is: never passed over."""
    if benefits:
        return []
    sentences = re.split(r"(?<=[.!?\n])\s+", text)
    return [
        one for one in sentences if (_GIVES.search(one) and _TO.search(one)) or (find_money(one) and _TO.search(one))
    ]


def _days_in_a_month(text: str, today: date) -> int | None:
    """How many days of one month are named, when several are."""
    months: dict[tuple[int, int], set[int]] = {}
    for item in find_dates(text, today):
        day = item.value.start
        if item.value.kind == "day":
            months.setdefault((day.year, day.month), set()).add(day.day)
    for match in _MORE_DAYS.finditer(text):
        year = next((y for y, m in months if m == int(match["month"])), today.year)
        known = months.setdefault((year, int(match["month"])), set())
        known.update(int(n) for n in re.findall(r"\d{1,2}", match["days"]))
    most = max((len(days) for days in months.values()), default=0)
    return most if most > 1 else None


def _tax_told(text: str) -> bool:
    return any(_TAX.search(text[: item.span[0]]) for item in find_money(text))


def _words(pattern: re.Pattern[str], text: str) -> str | None:
    match = pattern.search(text)
    return match.group() if match else None


def _happens(pattern: re.Pattern[str], text: str) -> str | None:
    """What is said to be, leaving out what is said not to be."""
    found = (match for match in pattern.finditer(text) if not _is_denied(text, match.start(), match.end()))
    return next((match.group() for match in found), None)


def _is_denied(text: str, start: int, end: int) -> bool:
    if _NEGATED.match(text, end) or _DENIED.search(text, max(0, start - 16), start):
        return True
    # 배우자 동반과 골프는 없다: what is listed with it is denied with it.
    listed = _LISTED.match(text, end)
    return listed is not None and any(
        _NEGATED.match(text, at) for at in range(listed.start("next") + 1, listed.end() + 1)
    )


def _number(pattern: re.Pattern[str], text: str) -> float | None:
    match = pattern.search(text)
    return float(parse_number(match["n"]) or 0) or None if match else None


def _split(text: str) -> tuple[str, list[str]]:
    """What is said to happen, and what is only said to be forbidden or not to happen."""
    sentences = re.split(r"(?<=[.!?\n])\s+|\n+|(?<=요)\s*,\s*|;\s*", text)
    said: list[str] = []
    quoted: list[str] = []
    for sentence in filter(None, (part.strip() for part in sentences if part)):
        if _ASKED.search(sentence) or not _PROHIBITED.search(sentence):
            said.append(sentence)
        elif _FORBIDDEN.search(sentence) and not _DESPITE.search(sentence):
            quoted.append(sentence)
        else:
            kept, left_out = _clauses(sentence)
            said += kept
            quoted += left_out
    return " ".join(said), quoted


def _clauses(sentence: str) -> tuple[list[str], list[str]]:
    """A sentence in which something does not happen: only that clause is set aside, with the bare nouns before it."""
    kept: list[str] = []
    quoted: list[str] = []
    for clause in re.split(
        r",(?!\d)\s*|(?<=지만)\s|(?<=는데)\s|(?<=이고)\s|(?<=았고)\s|(?<=었고)\s|(?<=했고)\s|(?<=않고)\s", sentence
    ):
        if _PROHIBITED.search(clause) and not _DESPITE.search(clause.split("지만")[-1]):
            while kept and len(kept[-1]) <= 6 and not re.search(r"\d", kept[-1]):
                quoted.append(kept.pop())
            quoted.append(clause)
        else:
            kept.append(clause)
    return [", ".join(kept)] if kept else [], quoted


def _setting(text: str) -> Setting:
    """A presentation at one institution that is visited is a visit; one for several is a seminar."""
    if _SEMINAR.search(text):
        return "visit" if _INDIVIDUAL.search(text) and not _SEVERAL.search(text) else "seminar"
    if re.search(_NOUNS["conference"], text):
        return "conference"
    return "visit" if _VISIT.search(text) else "none"


def _people(text: str) -> int | None:
    numbers = [parse_number(m["n"] or m["w"] or m["p"] or m["d"]) for m in _COUNT.finditer(text)]
    counts = [int(n) for n in numbers if n]
    return max(counts) if counts else None


def _benefits(text: str, setting: Setting, people: int | None) -> list[Benefit]:
    amounts = [item for item in find_money(text) if item.value.currency == "KRW" and item.value.won > 0]
    taxes = sum(
        item.value.won for item in amounts if _TAX.search(text[: item.span[0]]) and "포함" in text[item.span[1] :][:12]
    )
    amounts = [item for item in amounts if not _TAX.search(text[: item.span[0]])]
    mentions = _mentions(text, setting)
    taken: dict[int, list[Parsed[Money]]] = {}
    for amount in amounts:
        owner = _owner(amount.span, mentions, text)
        if owner is not None:
            taken.setdefault(owner, []).append(amount)
    benefits: list[Benefit] = []
    for i, (kind, _start, _end, words) in enumerate(mentions):
        mine = taken.get(i, [])
        if any(b.kind == kind for b in benefits) and not mine:
            continue
        each, total, sure = _each_and_total(text, mine, people)
        if taxes and each is not None and each > taxes:
            each, total = each - taxes, None
        benefits = [b for b in benefits if not (b.kind == kind and b.each is None and b.total is None)]
        benefits.append(Benefit(kind, words, each, total, sure))
    return benefits


def _mentions(text: str, setting: Setting) -> list[tuple[BenefitKind, int, int, str]]:
    found: list[tuple[BenefitKind, int, int, str]] = []
    for kind, pattern in _NOUNS.items():
        for match in re.finditer(pattern, text, re.IGNORECASE):
            if any(a < match.end() and match.start() < b for _, a, b, _ in found):
                continue
            if _is_denied(text, match.start(), match.end()):
                continue
            if kind == "conference" and not re.search(r"지원|후원|부스|등록비|숙박|항공|교통|경비|참가비|비용", text):
                continue
            named: BenefitKind = "souvenir" if kind == "gift" and setting == "seminar" else kind
            if kind == "souvenir" and setting == "visit":
                named = "promo_item"
            found.append((named, match.start(), match.end(), match.group()))
    return sorted(found, key=lambda item: item[1])


def _owner(span: tuple[int, int], mentions: list[tuple[BenefitKind, int, int, str]], text: str) -> int | None:
    """The benefit an amount belongs to: the nearest one in the same clause, those before it preferred."""
    best: tuple[float, int] | None = None
    for i, (_, start, end, _) in enumerate(mentions):
        if end <= span[0]:
            between, distance = text[end : span[0]], float(span[0] - end)
        else:
            between, distance = text[span[1] : start], 3.0 + max(0, start - span[1])
        distance += 25 * len(re.findall(r"[,.]", between))
        if best is None or distance < best[0]:
            best = (distance, i)
    return best[1] if best else None


def _each_and_total(text: str, amounts: list[Parsed[Money]], people: int | None) -> tuple[int | None, int | None, bool]:
    """Per person and in total, and whether the words say which it is."""
    if not amounts:
        return None, None, False
    item = max(amounts, key=lambda a: a.value.won)
    won = item.value.upper or item.value.won
    before, after = text[: item.span[0]], text[item.span[1] :]
    if item.value.per == "person" or _EACH.search(before[-16:]) or _EACH_AFTER.match(after):
        return won, won * people if people else None, True
    if _TOTAL.search(before[-14:]) or _TOTAL_AFTER.match(after):
        return (-(-won // people) if people else None), won, True
    if people == 1 or (people is None and not _PLURAL.search(text) and not _BILL.match(after)):
        return won, won, True
    return None, won, False
