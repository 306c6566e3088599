"""What a question is about, from its own words.

Every cue adds evidence to an intent; the confidence is how much evidence the winner has and how far it leads.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from functools import cache
from typing import Any

from madang.assistants.homes import data
from madang.assistants.homes.tools.calculators import calculator
from madang.assistants.homes.tools.figures import read_figures
from madang.assistants.homes.understanding.intent_types import IntentReading, IntentType
from madang.assistants.homes.understanding.quoted_contracts import QUOTED
from madang.text.areas import find_areas
from madang.text.cues import cue_kinds
from madang.text.laws import find_laws
from madang.text.money import find_money
from madang.text.morphemes import content_words, morphemes
from madang.text.places import find_regions
from madang.text.rates import find_rates

_L, _M, _LO = IntentType.LEGAL_CONSULT, IntentType.MARKET_INQUIRY, IntentType.LOAN_CONSULT
_C, _R, _K = IntentType.CONTRACT_CREATION, IntentType.CONTRACT_REVIEW, IntentType.RISK_ANALYSIS


# What a figure is about; the others (increase, conversion, fees, notices) are questions of law.
_INTENT_OF: Mapping[str, IntentType] = {"law": _L, "loan": _LO, "risk": _K, "return": _M}
_ANY_DAY = date(2026, 1, 1)
_HOUSING = re.compile(
    r"집|전세|월세|보증금|아파트|빌라|원룸|투룸|오피스텔|주택|부동산|임대|임차|매매|계약|방\b|평|㎡|상가|가게|등기|대출|이사|전입|복비|분양|청약|세입자|시세|재계약|근저당|취득세|관리비|도배|보일러|누수|권리금|확정일자|갱신|동네|이웃|층간|주담대|디딤돌|버팀목|보금자리|단지|자이|래미안|푸르지오|힐스테이트|롯데캐슬|아이파크|더샵|편한세상|재건축|재개발|역세권|학군|입주|집주인|건물주|중개|특약|방\s?(?:빼|구|하나)|쓰리룸|단칸|점포|매물|실거래|평당|깡통|융자|담보|갭\s?투자|보증\s?보험|방음|실외기"
)
_COUNTRIES = (
    "일본|미국|중국|베트남|태국|유럽|영국|호주|캐나다|두바이|싱가포르|뉴욕|도쿄|하와이|프랑스|독일|이탈리아|스페인|스위스|대만|홍콩|필리핀|말레이시아"
    "|인도네시아|발리|괌|오사카|후쿠오카|런던|시드니|방콕|하노이|호치민|상하이|베이징|뉴질랜드|몽골|러시아|로스앤젤레스|LA(?![가-힣A-Z])|엘에이"
)
_ABROAD = re.compile(
    rf"(?:{_COUNTRIES})(?!인|집|식|계|산|동포|교포|국적|사람|회사|출신)|해외\s?(?:부동산|집|주택|아파트|투자|월세|전세)|외국에서\s?집"
)
# Someone is away, the home is here: "집주인이 미국에 있어요", "일본으로 발령이 나서".
_PERSON_ABROAD = re.compile(
    rf"(?:{_COUNTRIES}|해외|외국)(?:에서?|으로|로)?\s?(?:에\s)?(?:온|왔|살(?:고|아|다|던|아서)|사는|있(?:는|어|고|습|다)|거주|체류|나가|가(?:게|야|서|는|려)|간다|갔|이민|유학|발령|출장|파견|출국|떠나|취업)"
)
_BOTH = re.compile(
    r"(?:시세|대출|위험|위험도|안전|법|법률|계약서|검토|분석|특약|가격|매물|세금|복비|수수료|절차|방법|전략|추천|비교|계산)(?:도|을|를)?까지|까지\s*(?:싹\s?)?(?:다\s?)?(?:알려|봐|해\s?줘|분석|계산|검토|비교|확인|추천|부탁|좀)|랑|하고|와\s|과\s|이랑|및|(?<!위험)(?<!안전)(?<!신뢰)도\s?(?:같이|함께|알아|알려|분석|봐|계산|검토|비교|확인|추천)|주고|보고|둘\s?다|모두|전부|다\s?(?:알려|봐|해)|종합|같이|그리고|한\s?번에"
)
# The words of a clause that is shown don't join questions ("잔금일 익일까지").
_SHOWN = re.compile(
    rf"{QUOTED.pattern}|[:：]\s?[^?？]{{8,120}}?(?:(?:다|함|음|임)[.\s]|$)|(?:^|\n)[^\S\n]*제\s?\d+\s?조[^?？]*"
)
_PRICES = re.compile(r"시세|매물|집값|매매가|실거래|호가|전셋값|평당|가격")
# One thing first, then the contract: "시세 알려주시고 계약서 초안도".
_FIRST = re.compile(r"(?:알려|보여|봐|확인|조회|분석|계산|검토)[가-힣]{0,4}(?:고|[은한]\s?(?:다음|뒤|후))")
# The weight of special terms that are named, not judged.
_NAMED = 2.0
# So many words tell a story.
_STORY = 4
_SURE_REGION = 0.8
_DOUBT = re.compile(r"괜찮|될까|될지|되나|돼\?|들어가")
# A talk is asked for, and what it is about is only named: "부동산 관련해서 뭐 좀 물어봐도 되나요?"
_TALK = re.compile(r"상담|물어|여쭤|여쭙|질문|문의|도와|도움|고민|궁금한\s?게|얘기")
_SUBJECTS = frozenset(
    ["집", "부동산", "주택", "전세", "월세", "임대차", "임대", "계약", "아파트", "건", "쪽", "분", "저", "이사"]
)
_BREAKS_OFF = re.compile(
    r"^.{0,14}(?:집주인|주인|세입자|건물주|임대인|임차인|중개사|부동산)(?:이|가|은|는|에서|땜에|때문에)?\s*(?:\.{2,}|…|ㅠ+|ㅜ+)\s*$"
)
_TALK_CONFIDENCE = 0.25
# What a cue must weigh to tell an intent alone.
_TELLING = 1.6
_COMPREHENSIVE = re.compile(r"종합\s?(?:적|분석|검토)|전반적|처음부터\s?끝|다\s?알려|전부\s?알려|모두\s?알려")


@dataclass(frozen=True)
class IntentCue:
    """Words that speak for an intent; generic ones only beside a word of housing."""

    intent: IntentType
    weight: float
    words: re.Pattern[str]
    generic: bool


@dataclass(frozen=True)
class Cues:
    """What the packaged file tells: the cues, words of other subjects, and nouns that belong to no subject."""

    intents: tuple[IntentCue, ...]
    off_topic: re.Pattern[str]
    neutral: frozenset[str]


@cache
@data.well_formed("intent_cues.toml")
def load_cues() -> Cues:
    """The packaged cues. Raises `UnreadableData` if their file is wrong."""
    table = data.load("intent_cues.toml")
    intents = tuple(
        IntentCue(IntentType(c["intent"]), float(c["weight"]), _any_of(c["words"]), c.get("generic", False))
        for c in table["cue"]
    )
    neutral = frozenset(str(table["off_topic"]["neutral"]).split())
    return Cues(intents, _any_of(table["off_topic"]["words"]), neutral)


def _any_of(words: list[str]) -> re.Pattern[str]:
    return re.compile("|".join(words), re.IGNORECASE)


def by_cues(question: str) -> IntentReading:
    """The intent that the cues tell. Never raises; an empty or wordless question is unclear."""
    entities = read_entities(question)
    evidence, keywords = _evidence(question, entities)
    if early := _off_topic(question, evidence, entities):
        return IntentReading(intent=early[0], confidence=early[1], keywords=(), entities=entities, evidence=evidence)
    if asks_for_a_talk(question):
        return IntentReading(
            intent=IntentType.UNCLEAR, confidence=_TALK_CONFIDENCE, keywords=(), entities=entities, evidence=evidence
        )
    _add_implied_evidence(question, evidence, entities)
    ranked = sorted(((name, weight) for name, weight in evidence.items() if weight), key=lambda pair: -pair[1])
    if not ranked or ranked[0][1] <= 0:
        return _unclear(question, entities, evidence)
    parts = _parts(question, ranked)
    top, runner = ranked[0][1], ranked[1][1] if len(ranked) > 1 else 0.0
    if len(parts) > 1:
        shared = sum(evidence[part] for part in parts[:2])
        return _reading(
            IntentType.COMPREHENSIVE,
            _sure(shared, 0.0),
            keywords=keywords,
            entities=entities,
            evidence=evidence,
            parts=parts,
        )
    if top < 1.0 and not _HOUSING.search(question):
        return _unclear(question, entities, evidence)
    return _reading(
        IntentType(ranked[0][0]),
        _sure(top, runner),
        keywords=keywords,
        entities=entities,
        evidence=evidence,
        parts=parts,
    )


def read_entities(question: str) -> dict[str, Any]:
    """What the question names: regions, sums, areas, rates, articles, kinds of deal and of home."""
    found: dict[str, Any] = {
        # A misspelt region is guessed only beside a word of housing: 상담 is not 상암.
        "regions": [
            item.value.name
            for item in find_regions(question)
            if item.confidence >= _SURE_REGION or _HOUSING.search(question)
        ],
        "amounts": [
            {"won": item.value.won, "role": item.value.role, "text": item.text}
            for item in find_money(question, "housing")
            if item.value.currency == "KRW"
        ],
        "areas": [round(item.value.sqm, 2) for item in find_areas(question)],
        "rates": [item.value.percent for item in find_rates(question)],
        "articles": [
            f"{item.value.law or ''} {item.value.article}".strip() for item in find_laws(question) if item.value.article
        ],
        "deal": next((name for name in ("반전세", "전세", "월세", "매매") if name in question), None),
        "property": next(
            (
                name
                for name in ("아파트", "오피스텔", "빌라", "원룸", "투룸", "상가", "다가구", "주택")
                if name in question
            ),
            None,
        ),
    }
    return {name: value for name, value in found.items() if value}


def _evidence(question: str, entities: Mapping[str, Any]) -> tuple[dict[str, float], tuple[str, ...]]:
    evidence: dict[str, float] = {}
    keywords: dict[str, None] = {}
    at_home = bool(entities) or bool(_HOUSING.search(question))
    for cue in load_cues().intents:
        words = [match.group().strip() for match in cue.words.finditer(question)]
        if words and (at_home or not cue.generic):
            weight = cue.weight * (1 + 0.25 * (len(set(words)) - 1))
            evidence[cue.intent.value] = evidence.get(cue.intent.value, 0.0) + weight
            keywords.update(dict.fromkeys(word for word in words if len(word) <= 12))
    return evidence, tuple(keywords)


def _joins(question: str) -> bool:
    return bool(_BOTH.search(_SHOWN.sub(" ", question)))


def _add_implied_evidence(question: str, evidence: dict[str, float], entities: Mapping[str, Any]) -> None:
    """Evidence from what is named or can be worked out rather than from words."""

    def add(intent: IntentType, weight: float) -> None:
        evidence[intent] = evidence.get(intent, 0.0) + weight

    for request in read_figures(question, _ANY_DAY)[:1]:
        intent = _INTENT_OF[calculator(request.calculator).subject]
        add(intent, 1.6 if request.inputs else 0.8)
        if intent is _L and request.inputs and evidence.get(_M, 0.0) <= _TELLING:
            # How much the law allows is no question of prices.
            evidence[_M] = evidence.get(_M, 0.0) * 0.4
    if entities.get("regions") and entities.get("amounts"):
        add(_M, 0.8)
    if entities.get("regions") and (entities.get("areas") or entities.get("deal")):
        add(_M, 1.2)
    if entities.get("articles"):
        add(_L, 2.0)
    _discount_side_evidence(question, evidence, entities)


def _discount_side_evidence(question: str, evidence: dict[str, float], entities: Mapping[str, Any]) -> None:
    """Take away what belongs to the main question rather than asking a second one."""

    def less(share: float, *intents: IntentType) -> None:
        for intent in intents:
            evidence[intent] = evidence.get(intent, 0.0) * share

    joined = _joins(question)
    if evidence.get(_R, 0.0) >= _NAMED and not joined:
        # The words of a quoted clause are about law.
        less(0.3, _L)
        less(0.5, _C)
    if evidence.get(_LO) and not entities.get("regions") and not _PRICES.search(question):
        # What is cheap or recommended then is a loan.
        less(0.4, _M)
    if evidence.get(_C, 0.0) >= 2.5 and not _FIRST.search(question):
        # A contract to be written has special terms too; only a wish to have it checked is a second question.
        less(0.4, _L, _M, _K, *(() if evidence.get(_R, 0.0) > _NAMED else (_R,)))
    both = {"price", "deposit"} <= {item["role"] for item in entities.get("amounts", ())}
    if both and (evidence.get(_K) or _DOUBT.search(question)):
        evidence[_K] = evidence.get(_K, 0.0) + 1.8
    if evidence.get(_K) and not joined:
        # A price and a loan that the deposit is weighed against are facts, not questions.
        less(0.4, _M, *((_LO,) if both else ()))


def _parts(question: str, ranked: list[tuple[str, float]]) -> tuple[IntentType, ...]:
    """The intents a question joins: two strong ones with a word that joins them, or one that asks for all."""
    strong = [IntentType(name) for name, weight in ranked if weight >= 1.6]
    if _COMPREHENSIVE.search(question) and len(strong) >= 1:
        return (*strong, IntentType.COMPREHENSIVE)
    if len(strong) >= 2 and _joins(question) and ranked[1][1] >= 0.35 * ranked[0][1]:
        return tuple(strong)
    return tuple(strong[:1])


def _off_topic(
    question: str, evidence: Mapping[str, float], entities: Mapping[str, Any]
) -> tuple[IntentType, float] | None:
    housing = len(set(_HOUSING.findall(question)))
    strongest = max(evidence.values(), default=0.0)
    if names_abroad(question) and not entities.get("regions"):
        return IntentType.IRRELEVANT, 0.75
    off = len({match.group() for match in load_cues().off_topic.finditer(question)})
    if off and housing == 0:
        return IntentType.IRRELEVANT, min(0.95, 0.7 + 0.1 * off)
    kinds = cue_kinds(question)
    if housing == 0 and strongest < 1.6 and kinds & {"greeting", "thanks", "smalltalk"}:
        return IntentType.IRRELEVANT, 0.9 if len(question.strip()) <= 12 else 0.8
    return None


def _unclear(question: str, entities: Mapping[str, Any], evidence: Mapping[str, float]) -> IntentReading:
    """Nothing told the intent: what happened at home is a question of law, another subject is none of ours."""
    hints = len(set(_HOUSING.findall(question))) + len(entities)
    words = [word for word in content_words(question) if word not in load_cues().neutral]
    intent, confidence = IntentType.UNCLEAR, min(0.45, 0.08 + 0.09 * hints + 0.002 * min(len(question), 40))
    if hints and len(words) >= _STORY:
        intent, confidence = IntentType.LEGAL_CONSULT, 0.4
    elif not hints and any(len(noun) >= 2 for noun in _nouns(question)):
        intent, confidence = IntentType.IRRELEVANT, 0.6
    return _reading(intent, confidence, keywords=(), entities=entities, evidence=evidence, parts=())


def speaks_of_homes(question: str) -> bool:
    """Whether a word of housing is in the question."""
    return bool(_HOUSING.search(question))


def names_abroad(question: str) -> bool:
    """Whether the home that is asked about is in another country; a person who is abroad asks about one here."""
    return bool(_ABROAD.search(question)) and not _PERSON_ABROAD.search(question)


def told_by_words(question: str) -> frozenset[IntentType]:
    """The intents that words of their own tell, not merely sums, places or kinds of homes."""
    evidence, _ = _evidence(question, read_entities(question))
    return frozenset(IntentType(name) for name, weight in evidence.items() if weight >= _TELLING)


def asks_for_a_talk(question: str) -> bool:
    """Whether someone wants to talk but has not said about what."""
    return bool(_BREAKS_OFF.search(question)) or (
        bool(_TALK.search(question)) and not set(_nouns(question)) - _SUBJECTS
    )


def _nouns(question: str) -> list[str]:
    """The things a question names, without those that any question may name."""
    found = [part.form for part in morphemes(question) if part.tag in ("NNG", "NNP", "SL")]
    return [noun for noun in found if noun not in load_cues().neutral]


def _sure(top: float, runner: float) -> float:
    """Rises with the evidence and with the lead over the next intent; never certain."""
    return min(0.97, (top / (top + 1.2)) * (0.65 + 0.35 * (top - runner) / top) + 0.15)


def _reading(
    intent: IntentType,
    confidence: float,
    *,
    keywords: tuple[str, ...],
    entities: Mapping[str, Any],
    evidence: Mapping[str, float],
    parts: tuple[IntentType, ...],
) -> IntentReading:
    return IntentReading(
        intent=intent,
        confidence=round(confidence, 3),
        keywords=keywords,
        entities=entities,
        evidence={name: round(weight, 2) for name, weight in evidence.items() if weight},
        parts=tuple(part for part in parts if part is not IntentType.COMPREHENSIVE),
    )
