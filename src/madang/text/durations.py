"""How long: 2년, 4개월, 5시간, 한 시간 반, 사흘, 2년 1개월 21일, 2주 동안."""

import re
from dataclasses import dataclass, field, replace

from madang.text.data import load
from madang.text.money_words import Approx, approx_of
from madang.text.numbers import WRITTEN, plain
from madang.text.numerals import native_value, written_value
from madang.text.parsed import Parsed, make, on_folded


@dataclass(frozen=True)
class Duration:
    """A length of time by its parts as said; `approx` says about, under or over, `upper` the longer end of a range."""

    years: float = 0
    months: float = 0
    weeks: float = 0
    days: float = 0
    hours: float = 0
    minutes: float = 0
    seconds: float = 0
    approx: Approx | None = field(default=None, kw_only=True)
    upper: "Duration | None" = field(default=None, kw_only=True)

    @property
    def total_seconds(self) -> float:
        """A year counted as 365 days and a month as 30."""
        days = 365 * self.years + 30 * self.months + 7 * self.weeks + self.days
        return 86400 * days + 3600 * self.hours + 60 * self.minutes + self.seconds

    @property
    def total_months(self) -> float:
        """Years and months alone, in months: what a lease or a loan counts in."""
        return 12 * self.years + self.months


LONGEST = 100_000
_UNITS = {
    "년": "years", "개월": "months", "달": "months", "주일": "weeks", "주": "weeks", "일": "days",
    "시간": "hours", "분": "minutes", "초": "seconds",
}  # fmt: skip
_WORDS: dict[str, tuple[float, str]] = {
    word.replace(" ", ""): (count, _UNITS[unit]) for word, (count, unit) in load("date_words")["lengths"].items()
} | {"반년": (0.5, "years")}
_WORD = "|".join(sorted(_WORDS, key=len, reverse=True)).replace("한주", r"한\s?주")
# Letters that would begin another word: 년도, 3주택, 2일차, 5시간대, 10분의 1, 3분기, 초등학생, 일정.
_UNIT = (
    r"(?P<unit>년(?!도|대|생|차|식|산|형|월|\s?\d{1,2}\s?월)|개월|달(?!러|성|라)|주일"
    r"|주(?!택|년|소|말|인|식|차(?!\s?장)|변|거|민|의|요|당|세|점)|시간(?!대)"
    r"|일(?!정|차|인|본|반|요|당|단|부(?!터)|등|몫|수|출|몰|월|이\s?(?:없|있|많))"
    r"|분(?!의|기|양|당|위|야|식|들|리|할|이\s|께)|초(?!등|반|순|과|기|중|보|대|록|3|고))"
)
_HALF = r"\s?반(?![가-힣](?<![안내만정쯤에으후전]))"
_PART = rf"(?:(?P<count>{WRITTEN}|몇|수)\s?{_UNIT}(?P<half>{_HALF})?|(?P<word>{_WORD})(?P<half2>{_HALF})?)"
_FIRST = re.compile(rf"(?:(?<![가-힣\d.,:/])|(?<=약)){_PART}")
_NEXT = re.compile(rf"(?:\s?(?:,|그리고|하고)\s?|\s)?{_PART}")
_RANGE = re.compile(rf"(?P<low>{WRITTEN})\s?(?:~|-|에서)\s?$")
_DATE_BEFORE = re.compile(r"(?:월|달)\s?$")
_DAY_AFTER = re.compile(
    r"(?:에(?!\s?한\s?번)|부터|까지|날|생|자(?![가-힣])|\([월화수목금토일]\)|\s?[월화수목금토일]요일"
    r"|\s?(?:출발|도착|출국|귀국|오전|오후|저녁|아침|밤))"
)
_CLOCK_BEFORE = re.compile(r"(?:시|분)\s?$")
_VAGUE = {"몇": (3.0, 2.0), "수": (3.0, 2.0), "며칠": (3.0, 2.0), "몇일": (3.0, 2.0)}
_ORDER = ("years", "months", "weeks", "days", "hours", "minutes", "seconds")


def find_durations(text: str) -> list[Parsed[Duration]]:
    """Lengths of time in order of appearance; parts said together (1년 한 달 21일) are one.

    A year (2024년), a day of a month (3월 5일, 15일에) and a time of day (3시 20분) are none. 며칠 and 몇 시간 are
    three, or two.
    """
    return on_folded(text, _find)


def _find(text: str) -> list[Parsed[Duration]]:
    found: list[Parsed[Duration]] = []
    at = 0
    while match := _FIRST.search(text, at):
        end, parts, vague = _parts(text, match)
        at = max(end, match.start() + 1)
        if not parts or _is_date(text, match, end, parts):
            continue
        found.append(_made(text, match.start(), end, parts, vague))
    return found


def _parts(text: str, match: re.Match[str]) -> tuple[int, dict[str, float], str]:
    """The parts that follow one another in falling order, and where they end."""
    parts: dict[str, float] = {}
    vague, end = "", match.start()
    following: re.Match[str] | None = match
    while following:
        read = _read(following)
        if read is None or (parts and _ORDER.index(read[1]) <= _ORDER.index(list(parts)[-1])):
            break
        count, name = read
        parts[name] = count
        vague = vague or (following["count"] or following["word"] or "")
        end = following.end()
        if following["half"] or following["half2"]:
            parts[name] += 0.5
            break
        following = _NEXT.match(text, end)
    return end, parts, vague


def _read(match: re.Match[str]) -> tuple[float, str] | None:
    if match["word"]:
        return _WORDS[match["word"].replace(" ", "")]
    name = _UNITS[match["unit"]]
    if match["count"] in _VAGUE:
        return _VAGUE[match["count"]][0], name
    value = written_value(match["count"])
    # "3억1천 주겠다는": a sum before another word.
    if value is None or value >= LONGEST or (name == "years" and value >= 1000 and value < 3000):
        return None
    return float(plain(value)), name


def _is_date(text: str, match: re.Match[str], end: int, parts: dict[str, float]) -> bool:
    """3월 5일, 15일에, 21년 3월, 3시 20분, 두 분: a day, a year, a clock or people."""
    if list(parts) == ["days"] and match["unit"]:
        return bool(_DATE_BEFORE.search(text, max(0, match.start() - 3), match.start()) or _DAY_AFTER.match(text, end))
    if set(parts) <= {"minutes", "seconds"} and match["unit"]:
        native = native_value(match["count"]) is not None
        return native or _CLOCK_BEFORE.search(text, max(0, match.start() - 3), match.start()) is not None
    return (
        bool(_DATE_BEFORE.search(text, max(0, match.start() - 3), match.start()))
        and "days" in parts
        and match["unit"] == "일"
    )


def _made(text: str, start: int, end: int, parts: dict[str, float], vague: str) -> Parsed[Duration]:
    approx = approx_of(text[max(0, start - 6) : start], text[end : end + 10])
    value = _duration(parts, approx)
    low = _RANGE.search(text, max(0, start - 12), start)
    if low and len(parts) == 1 and (count := written_value(low["low"])):
        name = next(iter(parts))
        lower = replace(_duration({name: float(plain(count))}, None), upper=replace(value, approx=None))
        if lower.total_seconds < value.total_seconds:
            return make(text, low.start(), end, lower, 0.85)
    if vague in _VAGUE:
        name = next(iter(parts))
        fewer = _duration({**parts, name: _VAGUE[vague][1]}, approx)
        return make(text, start, end, value, 0.5, (value, fewer))
    return make(text, start, end, value, 0.9)


def _duration(parts: dict[str, float], approx: Approx | None) -> Duration:
    return Duration(*(parts.get(name, 0) for name in _ORDER), approx=approx)
