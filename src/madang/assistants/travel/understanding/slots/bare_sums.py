"""Sums said without their unit: 예산 150, 이삼백, 둘이 60."""

import re

_BARE = re.compile(
    r"\s*(?:한\s?|약\s?|대충\s?|총\s?)?(?P<count>\d{2,5}|\d{1,3}(?:,\d{3})+)\s*(?:만|정도|쯤|이요|요|내외|이에요)?(?:이요|요)?[\s.!~?]*"
)
_RANGE = re.compile(
    r"(?P<low>\d{2,4})\s?(?:만\s?원?)?\s?(?:에서|~|-|부터|이나|나)\s?(?P<high>\d{2,4})\s?(?:만\s?원?)?\s?(?:사이|까지|정도)?"
)
_DIGIT = "일이삼사오육칠팔구"
_NEIGHBOURS = re.compile(
    r"(?<![가-힣])(?P<low>[일이삼사오육칠팔])(?P<high>[이삼사오육칠팔구])(?P<unit>[십백])(?!화점|\d)"
)
_MOVED_TO = re.compile(
    r"(?<!\d)(?P<count>\d{2,4})(?:만\s?원?)?(?:으로|로)\s?(?:올려|올릴|늘려|늘릴|줄여|줄일|낮춰|내려|맞춰|하|할|해|갈|가자|잡|변경|바꿔|바꿀|수정|가능)"
)
_BETWEEN_MARKS = re.compile(r"[/|·]\s*(?P<count>\d{2,4})\s*(?=$|[/|·])")
NUMBER_WITHOUT_UNIT = re.compile(
    r"(?<![\d,./])(?P<count>\d{2,4})(?=$|[\s,.!?~]|만|정도|쯤|이요|요|으로|로|이[면고]|이(?=\s|에|라|다)|안|선|에|은|까지|내|언더|이하|밑|만큼|플)"
    r"(?!\s?(?:\d|명|박|일|월|년|시|분|인|살|%|프로|퍼|번|/|-|~|개|달러|엔|유로|불|주년|주|학년|층))"
)
_AFTER_PEOPLE = re.compile(
    r"(?:명|이랑|[가-힣]랑|둘이?|셋이?|넷이?|혼자|둘이서|셋이서|넷이서)\s(?P<count>\d{2,4})(?=\s(?!명|박|일|월|년|시|분|개|살|세|층|번|대|km))"
)
_BESIDE_PEOPLE = re.compile(
    r"(?:명|이고|이서|둘이|셋이|넷이|인|혼자|랑|박|일)[고이서은는요,]*\s+(?P<count>\d{2,4})(?:만|\s?정도)?(?:이요|요|으로|이면)?[\s.!~?]*$"
)


def bare_sum(text: str, pending: str | None, known: bool) -> int | None:
    if match := _NEIGHBOURS.search(text):
        return (_DIGIT.index(match["high"]) + 1) * {"십": 10, "백": 100, "천": 1000}[match["unit"]] * 10_000
    if (pending == "budget" or "예산" in text) and (match := _RANGE.search(text)):
        return int(match["high"]) * 10_000
    if pending == "budget" and (match := _BARE.fullmatch(text)):
        number = int(match["count"].replace(",", ""))
        return number if number >= 100_000 else number * 10_000
    if pending == "budget" and (match := NUMBER_WITHOUT_UNIT.search(text)) and int(match["count"]) >= 10:
        return int(match["count"]) * 10_000
    if known and (match := _MOVED_TO.search(text)):
        return int(match["count"]) * 10_000
    if not known and (match := _BETWEEN_MARKS.search(text)) and int(match["count"]) >= 30:
        return int(match["count"]) * 10_000
    if not known and (match := _AFTER_PEOPLE.search(text)) and int(match["count"]) >= 30:
        return int(match["count"]) * 10_000
    if (match := _BESIDE_PEOPLE.search(text)) and int(match["count"]) >= 20:
        return int(match["count"]) * 10_000
    return None
