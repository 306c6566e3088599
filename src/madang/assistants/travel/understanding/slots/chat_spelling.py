"""How people type in a chat, put into the spelling the readers know: 셋이여, 친구넷이서, 다낭4박, 20만원컷, 4.10."""

import re

_COUNT = r"(?:하나|둘|셋|넷|다섯|여섯|일곱|한\s?명|두\s?명|세\s?명|네\s?명|다섯\s?명)"
_COMPANY = (
    r"친구들?|동기들?|동료들?|언니들?|오빠들?|형들?|누나들?|동생들?|선배들?|후배들?|사촌들?|자매|형제|여자|남자|부부|커플|가족|식구|일행"
    r"|엄마랑|아빠랑|여친이?랑|남친이?랑|친구랑|애인이랑|남편이랑|와이프랑|아내랑|언니랑|동생이랑"
)
_END = r"(?=$|[\s.,!?~ㅋㅎㅠㅜㅇ])"
_SPELLINGS: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(r"(?<![가-힣])[칭췬]구"), "친구"),
    (re.compile(rf"(?<=[둘셋넷섯곱덟홉열박일명원])이[여염욤용욥엽]{_END}"), "이요"),
    (re.compile(rf"(?<=[둘셋넷섯명박만원도자])[염욤욥엽]{_END}|(?<=[둘셋넷섯명박만원도자])여{_END}"), "요"),
    (re.compile(rf"(?<=[에예어아죠세데네까해])[염욤용욥엽여]{_END}"), "요"),
    (re.compile(rf"(?<=[가-힣])(?:임다|임당|입니당|임니다|이에염){_END}"), "입니다"),
    (re.compile(rf"(?<=[둘셋넷섯곱덟홉])이(?:야|지\s?뭐|지요|지|오|네요|네|라오|랍니다|래요|래){_END}"), "이요"),
    (re.compile(r"(?:한|1)\s?(?:사람|명|분)\s?(?:앞(?:에|으로)?|당)(?=\s)"), "인당"),
    (re.compile(rf"(?<=[둘셋넷섯])임{_END}"), "이요"),
    (re.compile(r"(?<=[둘셋넷]이)(?=감|간다|갈|가요|가려|가는|가여)"), " "),
    (re.compile(rf"(?<![가-힣])({_COMPANY})(?={_COUNT}(?:이서|이|서|이랑|랑|끼리|요|$|[\s,.]))"), r"\1 "),
    (re.compile(r"(?<![가-힣])([가-힣]{2,8})(?=\d{1,4}\s?(?:박|월|명|만)|\d{1,2}/\d)"), r"\1 "),
    (re.compile(r"(?<=주\s)([월화수목금토])(?:[화수목금토일])(?=$|[\s,.]|에|로|로요)"), r"\1요일"),
    (re.compile(r"(?<=[만원\d])\s?컷(?![가-힣]{2})"), " 이내"),
    (
        re.compile(r"(?<![\d.])(1[0-2]|0?[1-9])\.\s?([0-3]?\d)(?![\d.]|\s?(?:성|배|만|kg|km|점|%))(?=\s?(?:~|-|출발|부터|에|\(|귀국|까지|금|토|일|월|화|수|목))"),
        r"\1/\2",
    ),
    (re.compile(r"(?<=\d~)(1[0-2]|0?[1-9])\.([0-3]?\d)(?![\d.])"), r"\1/\2"),
)  # fmt: skip


def respelled(text: str) -> str:
    """The message with chat endings, missing blanks and dotted dates as they would be written with care."""
    for pattern, spelling in _SPELLINGS:
        text = pattern.sub(spelling, text)
    return text
