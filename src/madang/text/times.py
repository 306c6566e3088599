"""Times of day: 오후 3시, 밤 10시 반, 15:20, 9am, 13~15시, 오전 9시부터 11시까지, 저녁에."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import time
from typing import Literal

from madang.text.numerals import native_value, sino_value
from madang.text.parsed import Parsed, make, on_folded, without_overlaps

Part = Literal["dawn", "morning", "noon", "afternoon", "evening", "night"]
_DAY = 24 * 3600


@dataclass(frozen=True)
class TimeOfDay:
    """A clock time, or with `end` a span of them (it ends the next day when `end` comes before `start`).

    `part` is set when only a part of the day was named (저녁에); `start` and `end` are its usual hours then. `exact` is
    false for 쯤 and for parts of the day.
    """

    start: time
    end: time | None = None
    part: Part | None = None
    exact: bool = True


_PARTS: dict[str, Part] = {
    "새벽": "dawn", "아침": "morning", "오전": "morning", "낮": "noon", "한낮": "noon", "대낮": "noon", "점심": "noon",
    "오후": "afternoon", "저녁": "evening", "밤": "night", "한밤중": "night", "한밤": "night", "심야": "night",
    "정오": "noon", "자정": "night",
}  # fmt: skip
_HOURS: dict[Part, tuple[int, int]] = {
    "dawn": (0, 6), "morning": (6, 12), "noon": (11, 14), "afternoon": (12, 18), "evening": (17, 21), "night": (20, 24),
}  # fmt: skip
_PART = "|".join(sorted(_PARTS, key=len, reverse=True))
_NATIVE = "열두|열한|열|한|두|세|네|다섯|여섯|일곱|여덟|아홉"
_HOUR = rf"(?:2[0-4]|1\d|0?\d|{_NATIVE}|영)"
_SIXTY = r"(?:[0-5]?\d|[이삼사오]?십[일이삼사오육칠팔구]?|[일이삼사오육칠팔구])"
_NOT_A_CLOCK = r"(?!간(?!대)|작|도|세|장|내|민|청|립|골|설|즌|키|판|험|계|공|골|절|인|사|스|리|댁|가\s?(?:총|표)|발)"
_CLOCK = (
    rf"(?:(?P<part>{_PART}|오전\s?오후)\s?)?(?:(?P<hour>(?<![\d가-힣.,])(?:{_HOUR})|(?<=[전후벽침녁밤낮심])(?:{_HOUR}))\s?시{_NOT_A_CLOCK}"
    rf"(?:\s?(?P<minute>{_SIXTY})\s?분(?!의|기)|\s?(?P<half>반(?![가-힣])|반(?=에|쯤|까지|부터|으로|이|입)))?(?:\s?(?P<second>{_SIXTY})\s?초(?!반|등))?"
    rf"(?P<before>\s?전(?=$|[^가-힣]|이|입|에))?"
    r"|(?<![\d:/.])(?P<h>2[0-4]|1\d|0?\d):(?P<m>[0-5]\d)(?::(?P<s>[0-5]\d))?(?![\d:])\s?(?P<ap>[ap]\.?m?\.?(?![A-Za-z]))?"
    r"|(?<![\dA-Za-z.,])(?P<eh>1[0-2]|0?[1-9])\s?(?P<eap>[ap]\.?m\.?)(?![A-Za-z]))"
    r"(?P<sharp>\s?정각|\s?정오)?"
)
_ONE = re.compile(_CLOCK, re.IGNORECASE)
_BARE = re.compile(
    r"(?:(?P<part>오전|오후|새벽|아침|저녁|밤)\s?)?(?<![\d.,:/])(?P<hour>2[0-4]|1\d|0?\d)\s?(?=~|-|에서|부터)"
)
_TO = re.compile(r"\s{0,2}(?:~|-|–|에서|부터|과|와)\s{0,2}")
_END = re.compile(r"\s?(?:까지|사이(?:에)?)")
_NAMED = re.compile(r"(?P<noon>정오)|(?P<midnight>자정)|(?P<high>한낮|대낮)(?=$|[^가-힣]|에)")
_ABOUT = re.compile(r"\s?(?:쯤|경(?![가-힣])|정도|즈음|무렵)")
_SPOKEN_PART = re.compile(
    r"(?:(?P<early>이른|늦은)\s)?(?P<part>새벽|아침|오전|오후|저녁|밤|점심)"
    r"(?=에(?!\s?먹)|엔|마다|까지|부터|쯤|나절|시간|\s?(?:비행|출발|도착|늦게|일찍|$))"
)
_DAY_BEFORE = re.compile(r"(?:오늘|내일|모레|어제|그제|요일|일|날|매일|이번|엊그제|\d)\s?$")
_PART_ALONE = re.compile(
    r"(?P<early>(?:이른|늦은)\s)?(?P<part>새벽|아침|오전|오후|저녁|밤|점심)(?![가-힣](?<![에엔까부쯤은이을]))"
)
_LAST_NIGHT = re.compile(r"(?:어젯|오늘|간)밤")


def find_times(text: str) -> list[Parsed[TimeOfDay]]:
    """Times of day in order of appearance; a span (13~15시, 오후 1시부터 3시까지) is one.

    An hour without 오전 or 오후 keeps both readings, the waking one first (3시: 15:00, then 03:00). A span's other end
    is the nearest that fits (오전 11시에서 3시: 15:00).
    """
    return on_folded(text, lambda folded: without_overlaps(_find(folded)))


def _find(text: str) -> Iterator[Parsed[TimeOfDay]]:
    clocks = list(_ONE.finditer(text))
    last = -1
    for index, match in enumerate(clocks):
        if match.start() < last:
            continue
        following = clocks[index + 1] if index + 1 < len(clocks) else None
        link = _TO.match(text, match.end())
        if following and link and link.end() == following.start():
            last = _ends(text, following.end())
            yield from _span(text, match.start(), last, _moments(match), _moments(following))
            continue
        bare = _bare_before(text, match)
        if bare:
            last = _ends(text, match.end())
            yield from _span(text, bare.start(), last, _moments(bare), _moments(match))
            continue
        yield from _single(text, match)
    yield from _words(text)


def _ends(text: str, end: int) -> int:
    match = _END.match(text, end)
    return match.end() if match else end


def _bare_before(text: str, match: re.Match[str]) -> re.Match[str] | None:
    """13~15시, 오전 11부터 11시 50분: the first hour borrows its 시."""
    for bare in _BARE.finditer(text, max(0, match.start() - 14), match.start()):
        link = _TO.match(text, bare.end())
        if link and link.end() == match.start():
            return bare
    return None


def _moments(match: re.Match[str]) -> list[int]:
    """The seconds of the day a clock can mean, the likelier first."""
    groups = match.groupdict()
    if groups.get("h") or groups.get("eh"):
        return _western(groups)
    hour = _number(groups["hour"])
    seconds = 60 * _number(groups.get("minute")) + _number(groups.get("second"))
    seconds += 1800 if groups.get("half") else 0
    if groups.get("before"):
        seconds = -seconds
    part = groups.get("part")
    sharp = (groups.get("sharp") or "").strip()
    hours = _hours(hour, "정오" if sharp == "정오" else part)
    return [(hour * 3600 + seconds) % _DAY for hour in hours]


def _western(groups: dict[str, str | None]) -> list[int]:
    hour = int(groups["h"] or groups["eh"] or 0)
    seconds = 60 * int(groups["m"] or 0) + int(groups["s"] or 0)
    letter = (groups["ap"] or groups["eap"] or "")[:1].lower()
    hours = [hour % 12 + (12 if letter == "p" else 0)] if letter else _hours(hour, groups["part"])
    return [(hour * 3600 + seconds) % _DAY for hour in hours]


def _number(word: str | None) -> int:
    if not word:
        return 0
    if word.isdigit():
        return int(word)
    native = native_value(word)
    return native if native is not None else sino_value(word) or 0


def _hours(hour: int, part: str | None) -> list[int]:
    if hour > 12 or hour == 0 or (part in {"오전 오후", "오전오후"} and hour > 12):
        return [hour % 24]
    if part in {"오전", "새벽"} or (part == "아침"):
        return [hour % 12]
    if part in {"오후", "저녁"}:
        return [hour % 12 + 12]
    if part in {"밤", "한밤중", "한밤", "심야", "자정"}:
        return [hour % 12 + (12 if 5 <= hour < 12 else 0)]
    if part in {"낮", "점심", "한낮", "대낮", "정오"}:
        return [hour if hour >= 9 else hour + 12]
    early, late = hour % 12, hour % 12 + 12
    return [late, early] if hour < 7 or hour == 12 else [early, late]


def _span(text: str, start: int, end: int, first: list[int], last: list[int]) -> Iterator[Parsed[TimeOfDay]]:
    """Each reading takes the nearest end after it, or the nearest beginning before it."""
    if len(first) == 1 or len(last) > 1:
        pairs = [(one, min(last, key=lambda two: (two - one - 1) % _DAY)) for one in first]
    else:
        pairs = [(min(first, key=lambda one: (last[0] - one - 1) % _DAY), last[0])]
    readings = [TimeOfDay(_clock(one), _clock(two)) for one, two in pairs]
    yield make(text, start, end, readings[0], 0.9, readings if len(readings) > 1 else ())


def _single(text: str, match: re.Match[str]) -> Iterator[Parsed[TimeOfDay]]:
    about = _ABOUT.match(text, match.end())
    exact = about is None
    readings = [TimeOfDay(_clock(moment), None, None, exact) for moment in _moments(match)]
    end = about.end() if about else match.end()
    yield make(text, match.start(), end, readings[0], 0.9, readings if len(readings) > 1 else ())


def _clock(moment: int) -> time:
    return time(moment // 3600 % 24, moment // 60 % 60, moment % 60)


def _words(text: str) -> Iterator[Parsed[TimeOfDay]]:
    for match in _NAMED.finditer(text):
        about = _ABOUT.match(text, match.end())
        moment = time(0) if match["midnight"] else time(12)
        yield make(text, match.start(), about.end() if about else match.end(), TimeOfDay(moment, exact=not about), 0.9)
    for match in _LAST_NIGHT.finditer(text):
        yield _part(text, match.end() - 1, match.end(), "night", None)
    for match in _SPOKEN_PART.finditer(text):
        if not _begins_word(text, match.start()):
            continue
        yield _part(text, *match.span(), _PARTS[match["part"]], match["early"])
    for match in _PART_ALONE.finditer(text):
        if _DAY_BEFORE.search(text, max(0, match.start() - 4), match.start()):
            yield _part(text, *match.span(), _PARTS[match["part"]], match["early"])


def _begins_word(text: str, start: int) -> bool:
    return start == 0 or not "가" <= text[start - 1] <= "힣"


def _part(text: str, start: int, end: int, part: Part, side: str | None) -> Parsed[TimeOfDay]:
    first, last = _HOURS[part]
    middle = (first + last) // 2
    if side:
        first, last = (first, middle) if side.startswith("이른") else (middle, last)
    return make(text, start, end, TimeOfDay(time(first), time(last % 24), part, False), 0.6)
