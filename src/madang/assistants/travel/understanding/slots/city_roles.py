"""What a city named in a message is to the trip: where to, where from, or not after all."""

import re

from madang.assistants.travel.understanding.slots.city_names import Mention, korean_cities
from madang.assistants.travel.understanding.slots.slot_update import Draft

_ORIGIN_AFTER = re.compile(
    r"\s?(?:국제)?(?:공항)?\s?(?:에서|서|발|에)?\s?(?:출발(?!일|은|날)|떠나|비행기\s?타|타고\s?(?:갈|가)|출국|사는데|살아|살고|사는|거주|사람)"
    r"|에서\s?(?:KTX|ktx|SRT|srt|기차|버스|비행기|고속버스|차|자차|배)(?:로|를|을)?\s?(?:타|출발|갈|가)"
    r"|\s?(?:국제)?공항(?:에서|으로|이요|요|\s?이용)|에서\s?(?:갈|가려|가는|가요|갑니다|간다|가고)|(?:에서|서)\s?(?:제일\s?)?(?:가까|멀지|안\s?먼|금방)"
)
_ORIGIN_BEFORE = re.compile(
    r"(?:출발지(?:는|가|:)?|출발은|출발\s?공항은?|출발\s?도시는?|출발:)\s?$"
    r"|\b(?:from|departing|leaving|based in|live in|living in)\s$",
    re.IGNORECASE,
)
_FROM_AFTER = re.compile(r"에서\s?(?!\s?(?:\d|[일이삼사오두세네]\s?박|하루|이틀|놀|먹|자고|묵|쇼핑|관광|쉬))")
DROP_AFTER = re.compile(
    r"\s?보다(?:는|도)?\s|\s?(?:은|는|도|이|가|을|를|만)?\s?(?:그냥\s?|이제\s?)?(?:됐|빼|뺄|뺍|제외|안\s?가|안\s?갈|취소|패스|관두|관둘|필요\s?없|별로|싫|삭제|스킵|포기|말고|말구|아니고|아니라|대신|안\s?할|없애|지워|(?:다음에|담에|나중에)(?:\s?(?:가|갈|할|하|요)|$|[\s.!~]))"
)
_SWAPPED = re.compile(r"에서\s?\S{2,8}(?:으로|로)\s?(?:바꿔|바꿀|바꾸|변경|수정)")
_ALMOST = re.compile(r"[^,.]{0,14}(?:려다가?|려다\s?말고|[려까]고?\s?했는데|려고\s?하다가)\s")
_DROP_LATER = re.compile(r"\s?(?:은|는|도)\s.{0,14}(?:빼|제외|안\s?갈|안\s?가|취소|포기|패스)")
BEEN = re.compile(
    r"(?:에|은|는|도|를|을|이|가)?\s?(?:[가-힣]{1,5}\s)?(?:다녀왔|다녀온|갔다\s?왔|갔다\s?온|갔다와서|가\s?봤|가본|갔었|갔던|갔는데|갔거든|갔어|갔음|갔다(?=$|[.!?,])|많이\s?갔)"
)
_WONDERED = re.compile(r"도\s?(?:갈까|가볼까|들를까|갈지|가는\s?건|넣을까)")
TOPIC = re.compile(r"\s?(?:은|는|에서|에선)(?![가-힣])")
TOWARDS = re.compile(r"(?:으로|로)(?![가-힣])|이?요[\s.!~]*$")
_AIRPORT_CITIES = ("인천", "김포", "김해", "무안")


def roles(
    text: str, cities: list[Mention], pending: str | None, known: tuple[str, ...]
) -> tuple[list[Mention], Mention | None, list[str]]:
    going: list[Mention] = []
    dropped: list[str] = []
    origin: Mention | None = None
    korean = korean_cities()
    for mention in cities:
        after = text[mention.end :]
        later = any(other.start > mention.end for other in cities)
        if later and (_SWAPPED.match(after) or _ALMOST.match(after)):
            dropped.append(mention.name)
        elif _is_origin(text, mention, pending) or (later and mention.name in korean and _FROM_AFTER.match(after)):
            origin = mention
        elif DROP_AFTER.match(after) or (mention.name in known and len(cities) == 1 and _DROP_LATER.match(after)):
            dropped.append(mention.name)
        elif BEEN.match(after) or (len(cities) > 1 and _WONDERED.match(after)):
            continue
        elif known and mention.name not in known and mention.name in korean and _FROM_AFTER.match(after):
            origin = mention
        elif mention.name not in _AIRPORT_CITIES or "여행" in after:
            going.append(mention)
    return going, origin, dropped


def _is_origin(text: str, mention: Mention, pending: str | None) -> bool:
    if pending == "origin":
        return True
    return bool(_ORIGIN_AFTER.match(text, mention.end) or _ORIGIN_BEFORE.search(text[: mention.start]))


def current_cities(draft: Draft) -> list[str]:
    several = draft.get("destinations")
    if several:
        return list(several)
    return [draft.get("destination")] if draft.get("destination") else []
