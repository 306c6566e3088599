"""What each sum of a question is: deposit, rent, price, loan, debt, income … by the words on both its sides.

A word between two sums belongs to one of them: "보증금 5천 월세 50" names before, "3억 전세 2억 대출" names after.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from madang.text.money import CLAUSE_END, Money
from madang.text.money_words import Role
from madang.text.parsed import Parsed

Sums = list[Parsed[Money]]

_OTHER = (
    r"(?:선순위|다른|앞선?|먼저\s?(?:들어온|사는)|기존|나머지|그|타|옆)\s?(?:세입자|임차인|사람|분|집|호실|호|가구|방)들?(?:의|이|은)?\s?"
    r"(?:전세|보증금|임차|합계|총액)[가-힣]{0,4}\s?(?:합계|총액|합)?"
)
_PAYS = (
    r"(?:기존|다른|이미|마이너스\s?통장|마통|신용|자동차|차량|차|학자금|카드)\s?(?:의|받은|있는)?\s?"
    r"(?:(?:(?:주택\s?)?(?:담보\s?|전세\s?)?대출|주담대|할부|빚|론)(?:금|의)?\s?(?:원리금|이자|상환액?)?|(?:원리금|이자|상환액?))(?:으로|을|를|이|은)?"
    r"(?:\s?갚(?:는|고)[가-힣]*)?"
)
_NOUNS: tuple[tuple[Role, str], ...] = (
    ("repayment", _PAYS + r"|(?:연간?|매달|월|한\s?달에?)\s?(?:원리금|상환액?)|원리금\s?상환액?"),
    ("other_deposits", _OTHER + r"|선순위\s?(?:임차\s?)?보증금"),
    ("loan", r"전세\s?(?:자금)?\s?대출|(?:주택\s?)?담보\s?대출|대출\s?(?:원금|금액|액|금)?|주담대|모기지|원금"),
    (
        "debt",
        r"근저당권?|융자금?|채권\s?최고액|선순위(?:\s?(?:채권|채무|대출|근저당|융자))?|은행\s?빚|빚|담보(?!\s?(?:가치|가액|물|인정))|저당",
    ),
    ("rent", r"월세|월\s?임대료|월\s?차임|차임|임대료|달세|사글세|월\s?렌트"),
    (
        "deposit",
        r"임대\s?보증금|전세\s?보증금|보증금|보증굼|보중금|전세금|전세가(?!율)|전셋값|전세값|전세가격|(?<!반)전세|전새",
    ),
    (
        "price",
        r"매매\s?(?:가격|가|대금|시세)?|(?:집|아파트|빌라|주택|건물|오피스텔)\s?(?:값|가격|가액|시세)|주택가|시세|시가|분양가|매수가?|매도가?|실거래가?|호가|급매"
        r"|매입가?|매맷가|감정\s?(?:평가액?|가액?)|매각\s?대금|경매가|담보\s?가치|평가액|매가|낙찰가|거래가액?|취득가액?|(?<![가-힣])집(?:은|이)\s?(?:한\s|약\s)?$",
    ),
    ("income", r"연봉|연\s?소득|월\s?소득|소득|월급|연수입|월수입|수입|급여|세전|세후|합산"),
    ("savings", r"모은\s?돈|자기\s?자본|현금|가진\s?돈|모아둔|저축"),
    ("maintenance", r"관리비(?!\s?(?:포함|제외|별도|빼고))"),
    ("key_money", r"권리금"),
    ("down_payment", r"가?계약금"),
    ("fee", r"수수료|복비|중개\s?보수|중개비"),
)
_NAMED = re.compile("|".join(f"(?P<r{at}>{words})" for at, (_, words) in enumerate(_NOUNS)))
_HOME = r"(?:아파트|빌라|다세대|오피스텔|주택|단독|원룸|투룸|쓰리룸|집|방|매물|상가|가게|점포|사무실)"
_LINK = r"원?\s?(?:짜리|정도|쯤|가량|의|하는|에|을|를|이)?\s?"
_VERB_WORDS: tuple[tuple[Role, str], ...] = (
    ("price", r"원?(?:정도|쯤)?에\s?(?:집을?\s?|아파트를?\s?)?(?:팔|매도|내놓|넘기|처분|매매|거래)"),
    (
        "price",
        r"원?(?:정도|쯤)?(?:에|주고|으로|로)\s?(?:집을?\s?|아파트를?\s?)?"
        r"(?:사면|사려|사서|삽니|산다|샀|산\b|살\s?(?:때|경우|까|건|예정|려)|사기로|매수|구입|구매|매입|취득|분양|낙찰)",
    ),
    (
        "loan",
        r"원?(?:정도|쯤)?(?:을|를|은|는|만|까지)?\s?(?:을\s?)?(?:더\s?)?(?:빌리|빌려|빌린|빌릴|빌렸|대출\s?(?:을\s?)?(?:받|하|해|내|로|끼)|땡기|땡겨|융자\s?받|끌어)",
    ),
    ("debt", r"원?(?:이|가|정도|쯤)?\s?(?:근저당|잡혀|잡힌|설정|걸려|끼어|껴)"),
    ("income", r"원?(?:정도|쯤)?(?:을|를|씩)?\s?(?:벌|버는|번다|법니다|받는\s?직장)"),
    ("repayment", r"원?(?:정도|쯤)?(?:을|를|씩)?\s?(?:갚고\s?있|갚는\s?중|상환\s?중|나가고\s?있|나가는\s?중)"),
    (
        "deposit",
        r"원?(?:에|으로|로)\s?(?:살고|살아|사는\s?중|거주|들어가|들어와|들어왔|입주|세\s?들|계약해서\s?살)"
        r"|원?\s?짜리(?:에|로)?\s?(?:들어가|들어갈|입주)",
    ),
)
_VERBS = tuple((role, re.compile(pattern)) for role, pattern in _VERB_WORDS)
_HOME_AFTER = re.compile(
    rf"원?\s?(?:짜리|하는)\s?{_HOME}?|원?\s?{_HOME}(?:을|를)?\s?(?:사|살|샀|팔|매수|매도|매입|구입)"
)
# A verb between a word and a sum loosens the tie: "대출 받아서 5억 집".
_VERB_BETWEEN = re.compile(r"(?:[가-힣](?:서|려고|는데|인데|지만|니까|면|고)|[가-힣]데)\s")
_BECOMES = re.compile(r"(?:으로|로)(?!\s?(?:살|사는|거주|들어|계약|있|내는|내고))")
_DENIED = re.compile(r"(?:은|이|도|을)?\s?(?:없|말고|빼고|제외)")
_FROM = re.compile(r"원?\s?(?:에서|을|를|→|->|=>|⇒|이었는데|였는데)\s?")
_EACH = re.compile(r"각각\s?$")
_AND = re.compile(r"원?\s?(?:,|이랑|랑|과|와|하고|\+)\s?")
# "연소득이 연금이랑 임대료 합쳐 4천": the first word names what is added up.
_ADDED_UP = re.compile(r"(?:합쳐|합해|합치면|더해|합산)(?:서|해서)?\s?(?:총|모두|다)?\s?$")
_SUBJECT = re.compile(r"(?:이|가|은|는|도|만|[:=])\s*$")
_ATTACHED = re.compile(_LINK + rf"(?P<home>{_HOME}\s?)?")
_OF_A_HOME = frozenset({"deposit", "rent", "price"})
_PAIRED = re.compile(r"원?\s?(?:에|/|,)?\s?(?:월세|월|차임)?\s?")
_MONTHLY_MOST = 10_000_000
_FEE_MOST = 50_000_000


@dataclass
class _Words:
    """The roles that the words around one sum would give it, the surest first."""

    pair: Role | None = None
    before: Role | None = None
    after: Role | None = None
    verb: Role | None = None
    home: Role | None = None
    far: Role | None = None

    @property
    def role(self) -> Role | None:
        return self.pair or self.before or self.after or self.verb or self.home or self.far


def with_roles(text: str, sums: Sums) -> Sums:
    """The sums with the roles that the words around them give; a rent is never as large as a deposit."""
    gaps = _gaps(text, sums)
    words = [_Words() for _ in sums]
    for at, gap in enumerate(gaps):
        left = words[at - 1] if at > 0 else None
        right = words[at] if at < len(words) else None
        _name(gap, left, right)
    for at, (item, around) in enumerate(zip(sums, words, strict=True)):
        gap = gaps[at + 1]
        around.verb = next((role for role, pattern in _VERBS if pattern.match(gap)), None)
        around.home = "price" if _HOME_AFTER.match(gap) else around.home
        if at + 1 < len(sums) and _is_pair(item, sums[at + 1], gap):
            around.pair, words[at + 1].pair = "deposit", "rent"
    return _carried(text, [_settled(item, around) for item, around in zip(sums, words, strict=True)])


def _carried(text: str, sums: Sums) -> Sums:
    """ "월세 70에서 40으로": what a sum is changed into is the same thing, as are "각각 5천, 7천"."""
    listed = False
    for at in range(1, len(sums)):
        before, item = sums[at - 1], sums[at]
        gap = text[before.span[1] : item.span[0]]
        listed = (listed or _EACH.search(text, 0, before.span[0]) is not None) and _AND.fullmatch(gap) is not None
        if item.value.role is None and (listed or _FROM.fullmatch(gap)):
            sums[at] = replace(item, value=replace(item.value, role=before.value.role, per=before.value.per))
    return sums


def _gaps(text: str, sums: Sums) -> list[str]:
    """The text before, between and after the sums."""
    edges = [0, *(edge for item in sums for edge in item.span), len(text)]
    return [text[edges[at] : edges[at + 1]] for at in range(0, len(edges), 2)]


def _is_pair(first: Parsed[Money], second: Parsed[Money], gap: str) -> bool:
    roles = (first.value.role, second.value.role)
    return roles == ("deposit", "rent") and _PAIRED.fullmatch(gap) is not None


def _name(gap: str, left: _Words | None, right: _Words | None) -> None:
    """Give the words of a gap to the sum on its left or on its right."""
    pieces = CLAUSE_END.split(gap)
    attached = _ATTACHED.match(pieces[0]) if left else None
    first = _NAMED.match(pieces[0], attached.end()) if attached else None
    if first and (_role(first) == "fee" or _BECOMES.match(pieces[0], first.end())):
        first = None
    if left and attached and first and attached["home"] and _role(first) not in _OF_A_HOME:
        # "5억 아파트 담보대출", "3억 집 근저당 1억": the home is called by its price.
        left.home, first = "price", None
    nouns = [noun for noun in _NAMED.finditer(pieces[-1]) if not _DENIED.match(pieces[-1], noun.end())] if right else []
    last = nouns[0 if _ADDED_UP.search(pieces[-1]) else -1] if nouns else None
    if first and last and len(pieces) == 1 and first.span() == last.span():
        # One word for two sums: it names the left one if nothing else did, unless it is the subject of the right.
        if left and left.before is None and not _SUBJECT.search(gap):
            last = None
        else:
            first = None
    if left and first:
        left.after = _role(first)
    if right and last:
        loose = _VERB_BETWEEN.search(pieces[-1], last.end()) is not None
        if loose:
            right.far = _role(last)
        else:
            right.before = _role(last)


def _role(found: re.Match[str]) -> Role:
    return next(_NOUNS[int(name[1:])][0] for name, value in found.groupdict().items() if value is not None)


def _settled(item: Parsed[Money], words: _Words) -> Parsed[Money]:
    money = item.value
    role = words.role or (money.role if money.role == "rent" and money.won < _MONTHLY_MOST else None)
    if words.verb in ("income", "repayment", "loan") and (role in ("rent", "loan") or words.before is None):
        role = words.verb
    if role == "rent" and money.won >= _MONTHLY_MOST:
        role = None
    if role == "fee" and money.won >= _FEE_MOST:
        role = None
    per = "month" if role == "rent" else money.per
    return replace(item, value=replace(money, role=role, per=per))


def amounts(sums: Sequence[Parsed[Money]], *roles: str | None) -> list[int]:
    """Sums with one of the roles, in order of appearance."""
    return [item.value.won for item in sums if item.value.role in roles]
