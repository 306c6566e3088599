"""Slips of the keyboard in words that decide what a question is about."""

import re

_TYPOS: tuple[tuple[str, str], ...] = (
    (r"게약|계악|개약|계얃", "계약"),
    (r"만드러|만둘어|만들러|맹글어", "만들어"),
    (r"전셰|젼세|전새|전쎄", "전세"),
    (r"월셰|월새(?!로)|월쎄", "월세"),
    (r"보증굼|보즘금|보중금|보쯩금", "보증금"),
    (r"집쥔|집쭈인|집주린", "집주인"),
    (r"시셰|싯세", "시세"),
    (r"데출|대츨|대출울", "대출"),
    (r"갱싱|겡신", "갱신"),
    (r"임데(?=인|차|료)", "임대"),
    (r"게산|계싼", "계산"),
    (r"특냑|툭약", "특약"),
    (r"검퇴|검토헤", "검토해"),
    (r"알려죠|알려조|알려줭", "알려줘"),
)
_MENDING = tuple((re.compile(wrong), right) for wrong, right in _TYPOS)


def mend(text: str) -> str:
    """The text with known slips put right; anything else stays as it was typed."""
    for wrong, right in _MENDING:
        text = wrong.sub(right, text)
    return text
