"""How many nights."""

import re

from madang.assistants.travel.understanding.slots.slot_update import Draft
from madang.text.dates import Nights, find_nights
from madang.text.parsed import Parsed

_INSTEAD = re.compile(r"\s?(?:은|는)?\s?(?:말고|아니고|아니라|대신|에서)")
_BARE_NUMBER = re.compile(
    r"\s*(?:한\s?)?(?P<count>\d{1,3}|하나|둘|셋|넷|다섯|여섯|일곱)\s*(?:이요|요|정도|쯤|밤|일\s?정도)?[\s.!~?]*"
)
_SOME_DAYS = re.compile(
    r"(?:^|(?<=[\s,/□]))(?P<days>\d{1,2})\s?일(?=$|[\s,./!]|이요|요|만|로\s?(?:줄|늘|할|하|바꿔|변경|갈)|로$)만?(?!\s?(?:출발|귀국|날|오전|오후|저녁|밤|\())"
)
_WORDS = {"하나": 1, "둘": 2, "셋": 3, "넷": 4, "다섯": 5, "여섯": 6, "일곱": 7}
_DATED = re.compile(r"\d\s?월|출발|날짜|일자|달\s?\d")
_WONDERING = re.compile(r"박[^.]{0,8}(?:[을할갈]까|[할갈]지)[^.]{0,8}박[^.]{0,8}(?:[을할갈]까|[할갈]지)")
_ONE_NIGHT = re.compile(r"\s?(?:딱\s?)?(?:하룻밤|한\s?밤)(?!\s?\d)")
WEEKEND = "주말"
_LONGEST_DAYS = 16
_SIDE_TRIP = re.compile(r"추가|들러|들렀|다녀|넣어|도\s?당일|□\s?(?:은|는|만|쪽은)?\s?당일")
_PART_OF_IT = re.compile(
    r"(?:료칸|호텔|리조트|펜션|게하|게스트하우스|한옥|풀빌라|캠핑|글램핑|배|크루즈|기내|비행기)\s?(?:에서|에)?\s?$"
)
_EACH = re.compile(r"각각|각\s|박씩|박\s?씩")
_EITHER = re.compile(r"이나|or|vs|또는|아니면|혹은|~|-|정도")
# one city of several: its share of the nights isn't kept, so the whole stays
_PART_MOVED = re.compile(
    r"□\s?(?:에서|에)\s?(?:는|만)?\s?\d\s?박|나머지|□\s?(?:은|는|을|를|도|에서|에)?\s?\d\s?박\s?(?:을|를|만|정도)?\s?(?:으로|로)?\s?(?:줄|늘|추가|넣|들러|들르|껴|끼|포함)"
)
_OTHER_DAY = re.compile(r"(?:연차|휴가|월차|방학|귀국|복귀|돌아오|오는)[가-힣]{0,8}\s?$")


def read_nights(text: str, draft: Draft, pending: str | None) -> int | None:
    """Set the duration a message gives; returns it, or None when it gives none or a refused one."""
    wondering = _WONDERING.search(text)
    if wondering and "박" not in text[wondering.end() :]:
        return None
    if pending == "duration" and _ONE_NIGHT.match(text):
        return 1 if draft.put_number("duration", 1) else None
    found = [item for item in find_nights(text) if item.value.delta is None and not _INSTEAD.match(text, item.span[1])]
    known = draft.get("duration") is not None
    if known:
        # 25일로 표 끊었어요: a day of the month, once the length is known
        found = [item for item in found if "박" in item.text or item.value.nights < _LONGEST_DAYS]
    found = [
        item for item in found if item.value.nights or not (item.text == "하루" or (known and _SIDE_TRIP.search(text)))
    ]
    if known:
        found = [item for item in found if not _PART_OF_IT.search(text[: item.span[0]])]
    sure = [item for item in found if item.confidence > 0.5]
    sure = [item for item in sure if "박" in item.text] or sure
    if not sure and pending == "duration":
        return _bare_nights(text, draft, found)
    days = _SOME_DAYS.search(text) if not sure and not found else None
    if days and known and int(days["days"]) > _LONGEST_DAYS:
        days = None
    if days and not _DATED.search(text) and not _OTHER_DAY.search(text[: days.start()]):
        return int(days["days"]) - 1 if draft.put_number("duration", int(days["days"]) - 1) else None
    if not sure and (known or not (found and WEEKEND in found[0].text)):
        return None
    if known and len(sure) > 0 and _PART_MOVED.search(text):
        return None
    nights = _total(text, sure or found, len(draft.get("destinations") or ()))
    if draft.before.get("duration") not in (None, nights):
        draft.cues.add("correction")
    return nights if draft.put_number("duration", nights) else None


def _total(text: str, found: list[Parsed[Nights]], known_cities: int = 0) -> int:
    """The last length said; nights said for each of several cities add up; of two alternatives the first counts."""
    counts = [item.value.nights for item in found]
    cities = len(re.findall("□+", text))
    if len(counts) == 1:
        return counts[0] * cities if cities > 1 and _EACH.search(text) else counts[0]
    if _EITHER.search(text[found[0].span[1] : found[1].span[0]]):
        return counts[0]
    if counts[-1] != sum(counts[:-1]) and (cities >= len(counts) or (not cities and known_cities == len(counts))):
        return sum(counts)
    return counts[-1]


def _bare_nights(text: str, draft: Draft, found: list[Parsed[Nights]]) -> int | None:
    match = _BARE_NUMBER.fullmatch(text)
    if match:
        count = _WORDS.get(match["count"]) or int(match["count"])
        nights = count - 1 if "일" in match.group() and "이요" not in match.group() else count
    elif day := re.fullmatch(r"\s*(\d{1,2})\s?일\s?(?:이요|요|로|정도)?[\s.!]*", text):
        nights = int(day[1]) - 1
    elif found:
        nights = found[-1].value.nights
    else:
        return None
    return nights if draft.put_number("duration", nights) else None
