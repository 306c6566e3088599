"""What this assistant does not judge: taxes beyond the standard rates, the outcome of a suit, other countries."""

import re
from dataclasses import dataclass


@dataclass(frozen=True)
class Limit:
    """A part of a question that is out of scope, and what to say about it."""

    topic: str
    note: str


_LIMITS: tuple[tuple[str, str, str], ...] = (
    (
        "tax",
        r"양도\s?(?:소득)?세|상속세|증여세|종부세|종합부동산세|절세|세금\s?(?:줄|아끼|피하)|비과세|다주택\s?중과|법인세|부가세\s?신고|종합\s?소득세",
        "양도세·상속세·증여세·종부세와 절세 방법은 판단하지 않습니다. 세무사나 국세청 국세상담센터(126)에 확인하세요.",
    ),
    (
        "court",
        r"승소|패소|이길\s?(?:수|까|확률|가능)|질까|재판\s?(?:결과|하면)|소송\s?(?:하면|걸면)[^?]{0,8}(?:이기|이길|받을\s?수)|판결이?\s?(?:어떻게|나올)|형량|몇\s?년\s?형|유죄",
        "재판 결과는 예측하지 않습니다. 판례에 따라 달라질 수 있으니 변호사나 대한법률구조공단(132)에 상담하세요.",
    ),
    (
        "precedent",
        r"판례|대법원|하급심|선고",
        "판례는 검색하지 않습니다. 대법원 종합법률정보에서 찾거나 변호사에게 확인하세요.",
    ),
    (
        "foreign",
        r"(?:일본|미국|중국|베트남|태국|필리핀|영국|호주|캐나다|독일|프랑스|싱가포르|두바이|해외|외국)(?:에서|에|의|\s)[^?]{0,12}(?:집|부동산|아파트|콘도|전세|월세|임대|대출)",
        "다른 나라의 법과 시세는 다루지 않습니다. 한국의 주거 문제만 답합니다.",
    ),
    (
        "forecast",
        r"(?:오를까|내릴까|떨어질까|오르나|전망|언제\s?사야|사도\s?될까|투자\s?추천|폭락|반등)",
        "집값의 앞날은 예측하지 않습니다. 기준일이 있는 거래 자료만 보여 드립니다.",
    ),
)
_COMPILED = tuple((topic, re.compile(words), note) for topic, words, note in _LIMITS)


def limits_of(question: str) -> tuple[Limit, ...]:
    """The limits a question touches, in a fixed order; none for an ordinary question."""
    return tuple(Limit(topic, note) for topic, words, note in _COMPILED if words.search(question))
