"""What this assistant does not answer, said plainly, with what it can do instead."""

import re
from dataclasses import dataclass

from madang.assistants.homes.understanding.intent_cues import names_abroad
from madang.text.morphemes import content_words

LEAST_WORDS = 3
SEE = "정확한 판단은 전문가 상담이 필요합니다"


@dataclass(frozen=True)
class Limit:
    """A kind of question that is beyond this assistant, and what is said about it."""

    kind: str
    words: re.Pattern[str] | None
    said: str
    final: bool = False

    def touches(self, question: str) -> bool:
        """Whether the question goes beyond this; without words of its own the limit is another country."""
        return bool(self.words.search(question)) if self.words else names_abroad(question)


LIMITS: tuple[Limit, ...] = (
    Limit(
        "tax",
        re.compile(
            r"절세|양도\s?(?:소득)?세|증여|상속세|종부세|종합\s?부동산세|(?<!전)세금\s?(?:을|좀|적게|덜|줄|아끼|피)[^?]{0,8}(?:줄|아끼|덜|적게|피|안\s?내)|법인\s?(?:으로|명의)|종합\s?소득세"
        ),
        "세금을 줄이는 방법이나 양도세·증여세·종부세 계산은 다루지 않습니다. "
        f"{SEE}: 세무사나 국세상담센터(126)에 문의하세요. "
        "여기서는 1주택 취득세 계산, 중개보수, 임대차 법률을 도와드릴 수 있어요.",
        final=True,
    ),
    Limit(
        "foreign",
        None,
        "다른 나라의 법이나 시세는 알지 못합니다. 한국의 주택·상가 임대차와 매매만 다룹니다. "
        f"현지 법은 {SEE.replace('정확한 판단은 ', '')}.",
        final=True,
    ),
    Limit(
        "court",
        re.compile(
            r"소송\s?(?:을|를)?\s?(?:걸면|하면|해서|가면)?\s?(?:이기|이길|이겨|이김|승산|결과)[가-힣]*|이길\s?(?:수|까|확률|가능)[가-힣]*"
            r"|승소|패소|(?:판사|법원|재판부)[^?]{0,10}(?:손\s?들|편\s?들|편을|인정해\s?줄|뭐라)[가-힣]*|손\s?들어\s?(?:줄|주)[가-힣]*|재판[^?]{0,6}(?:이기|이길|이겨|질까|지면)[가-힣]*|소송[^?]{0,8}(?:질까|지나|지면)[가-힣]*|판결이?\s?어떻|재판\s?결과|판례|소송하면\s?어떻게\s?[가-힣]*|위자료\s?얼마|소송(?:을|하면|해서|걸면)?[^?]{0,4}\s?얼마[가-힣]*"
        ),
        "재판의 결과나 승소 가능성은 예측하지 않고, 판례도 검색하지 않습니다. "
        f"{SEE}: 대한법률구조공단(132)이나 변호사와 상의하세요.",
    ),
    Limit(
        "criminal",
        re.compile(r"형사|고소(?:하면|해서|를|장)?|고발|처벌|사기죄|구속|징역|횡령|감옥|전과|교도소"),
        "형사 처벌이나 고소의 결과는 다루지 않습니다. "
        f"{SEE}: 경찰(112)이나 변호사와 상의하세요. 보증금을 지키는 민사 절차와 피해자 지원 제도는 안내할 수 있어요.",
    ),
    Limit(
        "forecast",
        re.compile(
            r"(?:집값|시세|전세값?|가격|금리|부동산)[^?]{0,12}(?:오를까|오를\s?것|내릴까|떨어질까|전망|예측|폭락|폭등)|지금\s?사도\s?(?:되|돼|될)|언제\s?사야"
        ),
        "앞으로의 집값이나 금리는 예측하지 않습니다. 지금까지의 거래 자료와 추정값만 보여 드립니다.",
    ),
)


_HOME_WORDS = re.compile(
    r"집|전세|월세|보증금|아파트|빌라|원룸|오피스텔|주택|부동산|임대|임차|매매|계약|상가|가게|등기|세입자|시세|이사|전입|권리금|갱신|중개"
)


def names_home(question: str) -> bool:
    """Whether anything is left that concerns a home or a lease."""
    return bool(_HOME_WORDS.search(question))


def without_limits(question: str) -> str:
    """The question without the words that go beyond this assistant: what is left can be looked up, if it is enough."""
    rest = question
    for limit in LIMITS:
        if limit.words and not limit.final:
            rest = limit.words.sub(" ", rest)
    return " ".join(rest.split()) if rest == question or len(content_words(rest)) >= LEAST_WORDS else ""


def limits_of(question: str) -> list[Limit]:
    """The limits a question touches, the final ones first."""
    found = [limit for limit in LIMITS if limit.touches(question)]
    return sorted(found, key=lambda limit: not limit.final)
