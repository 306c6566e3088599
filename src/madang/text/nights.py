"""How long a stay is: 3박4일, 2박, 당일치기, 사흘, 일주일, 한 달 살기."""

import re
from collections.abc import Callable, Iterator

from madang.text.numbers import parse_number
from madang.text.parsed import Parsed, make, on_folded, without_overlaps
from madang.text.spans import Nights

_N = r"\d{1,3}|[일이삼사오육칠팔구십]{1,3}|한|두|세|네|다섯|여섯|일곱|여덟|아홉|열"
_DAY_WORDS = {
    "하루": 1,
    "이틀": 2,
    "사흘": 3,
    "나흘": 4,
    "닷새": 5,
    "엿새": 6,
    "이레": 7,
    "여드레": 8,
    "아흐레": 9,
    "열흘": 10,
    "보름": 15,
}
_SPAN = r"(?:\s?(?:동안|간|정도|쯤|일정|짜리|코스|여행|로|으로\s?(?:가|갈|잡|바꿔|변경)|이면|다녀|갔다|놀|머물|있))"

_FULL = re.compile(
    rf"(?<![가-힣\d])(?P<nights>{_N}|무)\s?박\s?(?:(?P<days>{_N.replace('{1,3}|한', '{1,3}?|한')})\s?일(?!일)"
    rf"|(?P<bare>\d{{1,2}})(?![\d만천백억.,월]))"
)
_ONLY = re.compile(
    rf"(?<![가-힣\d])(?:(?P<low>\d{{1,2}})\s?(?:~|-|,)\s?)?(?P<nights>{_N})\s?(?:박(?![가-힣]{{2,}}람|스|사"
    rf"|물|수|당|\s?에\s?[\d가-힣]*\s?[만천원])|밤(?=\s|$|을|만|자|정도|묵|이나|으로))"
)
_DAY_TRIP = re.compile(r"당일\s?(?:치기|여행|코스|로|왕복)|무박(?!\s?\d)")
_WORD = re.compile(
    rf"(?<![가-힣])(?P<word>{'|'.join(_DAY_WORDS)})(?P<sleep>\s?(?:밤|자고|자는|묵))?(?!\s?(?:전|뒤|후"
    rf"|에\s?\d|에\s?얼마|종일))"
)
_DAYS = re.compile(
    rf"(?<![가-힣\d.])(?<!월)(?<!월\s)(?<!박)(?<!박\s)(?P<days>\d{{1,2}}"
    rf"|[일이삼사오육칠팔구십]{{1,2}})\s?일{_SPAN}(?!\s?까지)"
)
_WEEKS = re.compile(
    r"(?<![가-힣\d])(?:(?P<one>일주일(?!\s?(?:전|뒤|후))|한\s?주(?=$|\s|일|동안|간|정도))"
    r"|(?P<weeks>\d{1,2}|한|두|세|네|이"
    r"|삼)\s?주일?(?=간|\s|$|동안|정도|쯤|짜리|여행|로|살기)(?!\s?(?:전|뒤|후)))"
)
_MONTH = re.compile(
    r"한\s?달\s?(?:살기|살이|동안|간|정도|쯤|살|여행)|(?P<months>\d|두|세)\s?(?:달|개월)\s?(?:살기|살이"
    r"|동안)|1개월\s?(?:살기|동안)"
)
_WEEKEND = re.compile(r"(?<![가-힣])(?:이번\s?|다음\s?)?주말(?:에|여행|\s?(?:동안|이용|여행|끼고|나들이))?")
_WHOLE = re.compile(
    r"\s*(?:(?P<days>\d{1,2}|[일이삼사오육칠팔구십]{1,2}?)\s?일|(?P<trip>당일)"
    r"|(?P<month>한\s?달))\s?(?:이요|요|입니다|정도|쯤|이에요|만)*[.!?~\s]*"
)
_CHANGE = re.compile(
    rf"(?<![가-힣\d])(?:(?P<word>하루|이틀|사흘)|(?P<count>{_N})\s?(?:박|일))\s?(?:만\s?|을\s?|정도\s?)?"
    r"(?:(?P<more>더|추가|늘려|늘리|연장)|(?P<less>줄여|줄이|덜|빼|단축))[가-힣]*"
)
_PAST = re.compile(r"(?:최근|지난|직전)\s?$")


def find_nights(text: str) -> list[Parsed[Nights]]:
    """Lengths of stay in order of appearance. N days are N-1 nights; a week is 6박7일 (or 7박8일), a weekend 1박2일
    (or 2박3일), 한 달 살기 29박30일: those carry both readings. A date (3월 5일) or "최근 일주일" is none."""
    return on_folded(text, lambda folded: without_overlaps(_find(folded)))


def _find(text: str) -> Iterator[Parsed[Nights]]:
    readers: list[tuple[re.Pattern[str], Callable[[re.Match[str]], tuple[list[Nights], float] | None]]] = [
        (_CHANGE, _change),
        (_FULL, _full), (_ONLY, _only), (_DAY_TRIP, lambda _: ([Nights(0, 1)], 0.95)), (_WORD, _word),
        (_DAYS, lambda match: _days(_int(match["days"]), 0.85)), (_WEEKS, _weeks), (_MONTH, _months),
        (_WEEKEND, lambda _: ([Nights(1, 2), Nights(2, 3)], 0.5)),
    ]  # fmt: skip
    whole = _WHOLE.fullmatch(text)
    if whole and (days := 1 if whole["trip"] else 30 if whole["month"] else _int(whole["days"])):
        yield make(text, *whole.span(), Nights(days - 1, days), 0.6)
    for pattern, read in readers:
        for match in pattern.finditer(text):
            found = None if _PAST.search(text, max(0, match.start() - 4), match.start()) else read(match)
            if found:
                readings, confidence = found
                yield make(text, *match.span(), readings[0], confidence, readings if len(readings) > 1 else ())


def _change(match: re.Match[str]) -> tuple[list[Nights], float]:
    count = _DAY_WORDS[match["word"]] if match["word"] else _int(match["count"])
    return [Nights(0, 0, count if match["more"] else -count)], 0.85


def _int(word: str | None) -> int:
    return int(parse_number(word or "") or 0)


def _full(match: re.Match[str]) -> tuple[list[Nights], float] | None:
    nights, days = 0 if match["nights"] == "무" else _int(match["nights"]), _int(match["days"] or match["bare"])
    if not nights <= days <= nights + 3 or days == 0:
        return None
    return [Nights(nights, days)], 0.99 if days == nights + 1 else 0.9


def _only(match: re.Match[str]) -> tuple[list[Nights], float] | None:
    nights = _int(match["nights"])
    if not match["nights"].isdigit() and match["nights"] in {"한", "두", "세", "네"} and "박" in match.group():
        return None
    if not match["low"]:
        return ([Nights(nights, nights + 1)], 0.97) if nights or match["nights"] == "0" else None
    low = int(match["low"])
    return ([Nights(low, low + 1), Nights(nights, nights + 1)], 0.6) if 0 < low < nights else None


def _word(match: re.Match[str]) -> tuple[list[Nights], float] | None:
    days = _DAY_WORDS[match["word"]]
    if match["sleep"]:
        return [Nights(days, days + 1)], 0.9
    return _days(days, 0.6 if days == 1 else 0.85)


def _days(days: int, confidence: float) -> tuple[list[Nights], float] | None:
    return ([Nights(days - 1, days)], confidence) if days else None


def _weeks(match: re.Match[str]) -> tuple[list[Nights], float] | None:
    days = 7 * (1 if match["one"] else _int(match["weeks"]))
    return ([Nights(days - 1, days), Nights(days, days + 1)], 0.75) if days else None


def _months(match: re.Match[str]) -> tuple[list[Nights], float] | None:
    days = 30 * (_int(match["months"]) if match["months"] else 1)
    return ([Nights(days - 1, days), Nights(days, days + 1)], 0.75) if days else None
