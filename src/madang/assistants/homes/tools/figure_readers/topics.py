"""Which calculator a question is about: words first, in the order of how much they tell; then the figures' shape."""

import re
from collections.abc import Callable, Mapping

from madang.assistants.homes.tools.figure_facts import Facts
from madang.assistants.homes.tools.figure_readers import buying, lending, rents, safety, terms
from madang.assistants.homes.tools.figure_request import FigureRequest

Reader = Callable[[Facts], FigureRequest | None]

_ASKS = r"얼마|최소|보호|건지|건져|건질|받|지킬|지키|보장|떼이"
_BROKER = (
    r"복비|(?<![가-힣])중수(?![가-힣])|중개(?:사|인)?\s?(?:수수료|보수|비|료|비용)|소개비|부동산\s?(?:중개\s?)?(?:수수료|비용|비|요율)"
    r"|(?:부동산|중개사|중개인|중개업소|공인중개사)(?:에|한테|에게|에다|님께|에서)?\s?[^?]{0,8}(?:얼마|줘야|내야|주면|드려|주는\s?돈)"
    r"|(?:부동산|중개사|중개인|중개업소)[^?]{0,16}(?:달라(?!요)|달래|요구|청구|내라|내래)"
    r"|(?:중개|부동산|복덕방)[^?]*(?<!상환)(?<!상환\s)(?:수수료|보수(?!\s?(?:공사|비|작업)))"
)
_FEE = r"(?<!상환)(?<!상환\s)(?<!대출)(?<!대출\s)(?<!보증)(?<!보증\s)수수료"
_TAX = (
    r"취득세|취\s?등록세|등록세|농어촌\s?특별세|농특세|지방\s?교육세|(?:집|아파트|주택|빌라)[^?]{0,16}(?:사|살|매수|취득|구입)[^?]{0,16}세금"
    r"|세금[^?]{0,16}(?:집|아파트|주택|빌라)[^?]{0,8}(?:사|살|매수|취득|구입)"
)
_SMALL = r"최우선|소액\s?(?:임차인|보증금|세입자|임대차)|우선\s?변제금"
_SCOPE = (
    r"환산\s?보증금|환보(?![가-힣])|환산(?:하면|하였을|했을|해서|시)[^?]{0,8}보증금|(?:상가|가게|점포|매장|식당|카페)[^?]*(?:보호법?|임대차법)[^?]*(?:대상|되|돼|받|범위|적용)"
    r"|(?:상가|가게|점포|매장)[^?]*적용[^?]*(?:대상|되|돼|받|범위)"
)
_MOVE_OUT = (
    r"해지|나가|나간|나갈|이사|퇴거|방\s?(?:을\s?)?(?:빼|뺀|뺄)|통보|통지|중도|비우|비운|비울|떠나|옮기"
    r"|내용\s?증명|도달|도착|효력|종료일"
)
_RENEWED = (
    r"묵시|묵갱|자동\s?(?:으로\s?)?(?:갱신|연장)|(?:갱신|연장)(?:\s?계약)?(?:된|됐|되어|되고|돼서|하고|한(?!다)|했|해서|\s?중|\s?상태)"
    r"|갱신(?:요구|청구)?권?(?:을|를)?\s?(?:써서|쓰고|쓴(?!다)|썼|사용해서?|사용한|사용했|행사해서?|행사한(?!다)|행사했)"
)
_NOT_RENEWED = r"(?:묵시|자동)[^?]{0,12}(?:안\s?되|안\s?돼|막으|막을|피하|되지\s?않|되기\s?전|되는\s?거\s?막)"
_LEASE_END = (
    r"만기|만료|종료|끝나|끝납|끝난|끝날|끝인|끝이|끝남|끝\b|(?:계약|전세|월세|임대차)[^?]{0,60}\d[^?]{0,4}까지(?!\s?(?:통보|말|얘기|알|해|하))"
    r"|계약\s?기간[^?]{0,12}\d|계약[^?]{0,40}~[^?]{0,6}\d"
    r"|(?:(?:\d|이)\s?년[^?]{0,4}계약|계약[^?]{0,30}(?:\d|이)\s?년(?:으로|간|짜리))(?=[^?]*(?:갱신|통보|통지|언제까지|기한|기간))"
)
_TELL = r"언제|통보|통지|기간|기한|까지|말해|말하|얘기|알려야|갱신|연장|재계약|나가|나간|나갈|며칠|마지막\s?날|늦어도"
_FALSE_REFUSAL = (
    r"(?:실\s?거주|들어와\s?산|들어온다|들어와서\s?산|직접\s?(?:산|살|들어|거주)|본인이\s?산|자기가\s?산|아들이|딸이|자녀가|부모)[^?]*"
    r"(?:다른|새|제\s?3자|딴|세\s?(?:를\s?)?(?:줬|준|놨|놓|주)|임대)[^?]*"
)
_INTO_RENT = (
    r"전월세\s?전환|월차임\s?전환|전환"
    r"|보증금[^?]*(?:으로|로)\s?(?:바꾸|변경)"
    r"|(?:월세|달세)(?:로|를|도)?\s?(?:바꾸|바꿀|바꿔|돌리|돌릴|돌려|변경|하|내|놓|살|받겠|받고\s?싶|받자|조금)|반전세(?=로|\s?전환|하|\s?월세)"
    r"|(?:월세|달세)로(?!\s?(?:계약|구|나온|내놓|살고|사는))"
    r"|(?:전세|보증금|에서)[^?]*(?:내리|내려|낮추|낮춰|낮춘|줄이|줄여|줄인|빼|깎|감액)[^?]*(?:월세|월\s?얼마|얼마|달세)"
    r"|전세[^?]*월세\s?(?:상한|한도|최대|얼마)|(?:→|->)[^?]{0,16}월세|(?:보증금|전세)[^?]{0,10}당\s?월세|나머지[^?]{0,8}(?:월세|달세)|(?:전세금?|보증금)[^?]*돌려\s?(?:받|주|줘|줄|드리|드려)[^?]*월세"
)
_INTO_DEPOSIT = (
    r"(?:월세|월|매달|내는|차임|그만큼)[^?]{0,20}(?:보증금|전세금?)(?:으로|로)(?!\s?(?:살|사는|들어))"
    r"|월세[^?.]{0,16}없애|월세[^?]{0,12}(?:=|이면|면|은|는|이|가|이랑)\s?(?:보증금|전세)[^?]{0,6}얼마|(?:월세|월)[^?]{0,40}(?:깎|줄이|줄여|줄일|아끼|아껴|내리|낮추|덜)[^?]{0,14}보증금"
    r"|보증금(?!은?\s?그대로)[^?월]{0,20}(?:올리|올려|늘리|늘려|더\s?(?:넣|내|걸))[^?]{0,12}월세[^?]{0,12}(?:깎|줄|내|낮|얼마)"
    r"|(?:더\s?(?:넣|걸|맡기)|올리|늘리)[^?]{0,6}\s월세[^?]{0,12}(?:깎|줄|낮|내려|빠지|덜)"
)
_AT_RISK = (
    r"전세가율|깡통|역전세|부담\s?(?:률|비율)|"
    r"(?:근저당|선순위|융자|시세|매매|집값|빚)[^?]*(?:보증금|전세)[^?]*(?:위험|안전|괜찮|퍼센트|프로|%|비율|들어가도|계약해도)"
    r"|(?:보증금|전세)[^?]*(?:근저당|선순위|융자|시세|매매가|집값|빚|대출)[^?]*(?:위험|안전|괜찮|비율|들어가도|계약해도)"
)
_REPAYS = (
    r"원리금|원금\s?균등|상환|이자만|총\s?이자|"
    r"(?:대출|주담대|모기지|빌리|빌려|빌린|빌렸|이자|융자|땡겨|금리)[^?]*(?:월\s?얼마|매달|매월|한\s?달|달에|다달이|갚|납입|납부|이자|회차|월\s?납|월\s?상환)"
    r"|(?:월\s?얼마|매달|매월|한\s?달에|다달이)[^?]*(?:갚|대출|이자)|갚[^?]*(?:매달|매월|한\s?달|다달이|월\s?얼마)"
)
_RISES = (
    r"올리|올려|올릴|올린|올라|올랐|인상|증액|오르|오른|오름|더\s?(?:달라|달래|내라|내래|받겠)"
    r"|(?:갱신|재계약|연장|계갱권)[^?]*(?:최대|상한|한도|얼마|최고|max|맥스)"
    r"|(?:최대|상한|한도)[^?]*(?:갱신|재계약)|5\s?(?:%|프로|퍼센트|퍼)\s?(?:룰|상한|제한|넘|초과|규정)"
)
_BY_PRICE = r"LTV|엘티[비브]|담보\s?인정|(?:집값|시세|매매가|낙찰가|감정가|분양가|가격)의\s?\d+[^?]*(?:대출|빌)"
_HOW_MUCH = r"(?=.*(?:대출|빌릴|빌려|융자))(?=.*(?:얼마|한도|최대))"

_TOPICS: tuple[tuple[re.Pattern[str], Reader], ...] = tuple(
    (re.compile(pattern, re.IGNORECASE | re.DOTALL), reader)
    for pattern, reader in (
        (_BROKER, buying.brokerage),
        (_TAX, buying.acquisition_tax),
        (
            _FALSE_REFUSAL + r"(?:손해|배상|보상|물어|청구|얼마)|(?:손해|배상)[^?]*" + _FALSE_REFUSAL,
            rents.refusal_damages,
        ),
        (_SMALL, safety.small_deposit),
        (_SCOPE, safety.shop_scope),
        (r"DSR|디에스알|총부채\s?원리금", lambda facts: lending.by_income(facts, "dsr")),
        (r"DTI|디티아이|총부채\s?상환", lambda facts: lending.by_income(facts, "dti")),
        (_BY_PRICE, lending.by_price),
        (r"수익률|ROI\b|수익이?\s?몇", buying.roi),
        (rf"(?!.*(?:{_NOT_RENEWED}))(?=.*(?:{_RENEWED}))(?=.*(?:{_MOVE_OUT}))", terms.termination),
        (
            rf"(?:{_LEASE_END})[^?]*(?:{_TELL})|(?:언제|통보|통지|갱신|기한)[^?]*(?:{_LEASE_END})"
            r"|(?:갱신|연장|재계약)[^?]{0,16}(?:요구|청구|거절|통지|통보|의사)[^?]{0,24}(?:언제|기간|기한|며칠)",
            terms.notice,
        ),
        (rf"{_INTO_RENT}|{_INTO_DEPOSIT}", rents.conversion),
        (_AT_RISK, safety.jeonse),
        (rf"경매[^?]*(?:{_ASKS})", safety.at_auction),
        (_REPAYS, lending.payment),
        (_RISES, rents.increase),
        (r"(?:임대차|전월세)\s?신고[^?]*(?:언제|며칠|기한|대상|해야)", terms.report),
    )
)
_SENTENCE = re.compile(r"(?<=[.!?。\n])\s+|\n+|(?<=[다요죠음함임])\.(?=[가-힣])")
# How much can be borrowed tells no principal; a renewed lease ends by its own rule; damages follow a refused renewal.
_SWALLOWS: Mapping[str, frozenset[str]] = {
    "dsr": frozenset({"loan_payment"}),
    "dti": frozenset({"loan_payment"}),
    "ltv": frozenset({"loan_payment"}),
    "termination": frozenset({"notice"}),
    "refusal_damages": frozenset({"increase_cap", "notice", "termination", "conversion"}),
}
# Without a telling word the figures themselves tell: a sum, a rate and a term are a loan.
_SHAPES: tuple[Reader, ...] = (
    lambda facts: buying.brokerage(facts) if facts.sums and facts.says(_FEE) else None,
    rents.implied_increase,
    lambda facts: lending.borrowing(facts) if facts.amount("income") and facts.says(_HOW_MUCH) else None,
    lambda facts: lending.payment(facts) if facts.sums and facts.rates and (facts.years or facts.months) else None,
    lambda facts: safety.jeonse(facts) if facts.amount("price") and facts.amount("deposit") else None,
    lambda facts: lending.payment(facts) if facts.rates and facts.amount("loan") else None,
    lambda facts: lending.borrowing(facts) if facts.says(_HOW_MUCH) else None,
)


def read_topics(facts: Facts) -> list[FigureRequest]:
    """The calculators a question asks for, the most telling first, each once.

    In a story of several sentences the last ones ask: a topic counts from the nearest sentence that names it.
    """
    once: dict[str, FigureRequest] = {}
    for part in _endings(facts.text):
        for pattern, reader in _TOPICS:
            request = reader(facts) if pattern.search(part) else None
            if request is not None:
                once.setdefault(request.calculator, request)
    if not once:
        shaped = (shape(facts) for shape in _SHAPES)
        once = {request.calculator: request for request in [r for r in shaped if r is not None][:1]}
    return [request for name, request in once.items() if not _swallowed(name, once)]


def _swallowed(name: str, asked: Mapping[str, FigureRequest]) -> bool:
    """Whether another calculator answers the question that brought this one up."""
    return any(other in asked and name in rest for other, rest in _SWALLOWS.items())


def _endings(text: str) -> list[str]:
    """The last sentence, the last two …, the whole text."""
    starts = [0, *(match.end() for match in _SENTENCE.finditer(text) if match.end() < len(text))]
    return [text[start:] for start in reversed(starts)]
