"""Korean numerals as they are written: 백오십, 3천5백, 1억 2,500만, 스물다섯."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

DIGITS = r"(?:\d{1,3}(?:,\d{3}){1,6}(?!\d)(?:\.\d{1,6})?|\d{1,15}(?:\.\d{1,6})?)"
SINO = "일이삼사오육륙칠팔구"
_SINO_VALUES = dict(zip("영공일이삼사오육칠팔구륙", (0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 6), strict=True))
_SMALL = {"십": 10, "백": 100, "천": 1000}
_LARGE = {"만": 10**4, "억": 10**8, "조": 10**12}

_NATIVE_TENS = {"열": 10, "스물": 20, "스무": 20, "서른": 30, "마흔": 40, "쉰": 50}
_NATIVE_TENS |= {"예순": 60, "일흔": 70, "여든": 80, "아흔": 90}
_NATIVE_ONES = {"하나": 1, "한": 1, "둘": 2, "두": 2, "셋": 3, "세": 3, "석": 3, "서": 3, "넷": 4, "네": 4, "넉": 4}
_NATIVE_ONES |= {"너": 4, "다섯": 5, "닷": 5, "여섯": 6, "엿": 6, "일곱": 7, "여덟": 8, "여덜": 8, "아홉": 9, "첫": 1}
_TENS = "|".join(_NATIVE_TENS)
_ONES = "|".join(sorted(_NATIVE_ONES, key=len, reverse=True))
NATIVE = rf"(?:(?:{_TENS})(?:{_ONES})?|{_ONES})"
_NATIVE_PARTS = re.compile(rf"({_TENS})?({_ONES})?")
# A group below 만: 2천5백, 이백오십, 3500. A trailing 이 or 일 (4천일 때) is mostly no digit: it needs a unit after it.
_UNIT_AFTER = r"(?=\s?(?:[만억조원명박년항호평%층세살건개]|일(?!\s?(?:때|경우))|월(?!세|급|차|임|납|상|소)))"
# 4천 820만, 1천 1백 70만, 2천 345 달러: after a blank, digits that end in a larger unit or a currency.
_AFTER_BLANK = r"[1-9]\d{1,2}\s?(?:[만억조]|달러|원|엔|프랑|톤|미터)"
_GROUP = (
    rf"(?:(?:(?:{DIGITS}|[{SINO}])?[천백십](?:\s(?=[\d{SINO}][백십]|{_AFTER_BLANK}))?){{1,4}}(?:\d{{1,3}}(?![\d,])"
    rf"|[삼사오육륙칠팔구](?![가-힣]{{2}}(?<!인데)(?<!이고)(?<!이면)(?<!이야))|[{SINO}]{_UNIT_AFTER})?"
    rf"|{DIGITS})"
)
# 1억 30년, 2억 4%: after a blank, digits with a unit of their own are another number.
ANOTHER = (
    r"(?:년|개월|달(?!러)|월(?!세|급|차|임|납|상|소)|일(?!\s?(?:때|경우))|주(?!택)|%|％|퍼센트|프로|박|시(?!세)|분(?!의)"
    r"|층|호|번|살|세(?![대입])|차)"
)
_ANOTHER = re.compile(ANOTHER)
_GROUP_RE = re.compile(_GROUP)
_LARGE_RE = re.compile(rf"({_GROUP}|[{SINO}])?\s?([만억조])")
_START = re.compile(rf"(?<![\d.,])\d|[{SINO}십백천만]")


@dataclass(frozen=True)
class Numeral:
    """A number as written: its groups (coefficient × scale) and whether Hangul or digits began it."""

    groups: tuple[tuple[Fraction, int], ...]
    start: int
    end: int
    hangul: bool
    small: int = 1

    @property
    def value(self) -> Fraction:
        return sum((count * scale for count, scale in self.groups), Fraction(0))

    @property
    def spoken(self) -> Fraction:
        """As said aloud: what follows 억 without a unit counts in 만 (4억 3천), a lone digit in 천만 (3억5)."""
        count = self.groups[-1][0]
        if len(self.groups) != 2 or self.top < 10**8 or self.bottom != 1 or count >= 10**4:
            return self.value
        implied = 10**7 if count < 10 and self.small == 1 else 10**4
        return self.value - count + count * implied

    @property
    def top(self) -> int:
        """The largest scale that was spelled out: 1, 10**4, 10**8 or 10**12."""
        return self.groups[0][1]

    @property
    def bottom(self) -> int:
        return self.groups[-1][1]


# "1억 천을" is a sum, "3억 천안" is not.
_NUMERAL_ENDS = re.compile(r"$|[^가-힣]|(?:을|를|은|이|에|으로|정도|쯤|까지|짜리)(?:$|[^가-힣])")


def read_numeral(text: str, at: int) -> Numeral | None:
    """The numeral that begins at `at`, as long as possible; `None` if there is none.

    A lone Hangul digit (이, 일, 오 …) is not a numeral: it is nearly always a particle or part of a word.
    """
    groups: list[tuple[Fraction, int]] = []
    end = at
    limit = 10**16
    while True:
        after = end + 1 if groups and text[end : end + 1] == " " else end
        match = _LARGE_RE.match(text, after)
        if not match or _LARGE[match[2]] >= limit or (after > end and not match[1]):
            break
        if groups and match[1] is None:
            break
        limit = _LARGE[match[2]]
        groups.append((_group_value(match[1]) if match[1] else Fraction(1), limit))
        end = match.end()
    # A lone 만 is a particle: in "월세만 48만원" no number spans the blank.
    lone = len(groups) == 1 and end == at + 1
    tail = None if lone and text[end : end + 1] == " " else _tail(text, end, bool(groups))
    if tail:
        groups.append((_group_value(tail[0]), 1))
        end = tail[1]
    if not groups:
        return None
    return Numeral(tuple(groups), at, end, not text[at].isdigit(), _last_small(tail[0]) if tail else 1)


def _tail(text: str, end: int, following: bool) -> tuple[str, int] | None:
    after = end + 1 if following and text[end : end + 1] == " " else end
    match = _GROUP_RE.match(text, after)
    if not match:
        return None
    if following and match.group()[0] in "십백천" and after > end and not _NUMERAL_ENDS.match(text, match.end()):
        return None
    if (
        following
        and after > end
        and (text[match.end() : match.end() + 1] in ("억", "조") or _ANOTHER.match(text, match.end()))
    ):
        return None
    return match.group(), match.end()


def _last_small(group: str) -> int:
    return _SMALL.get(group[-1], 1)


def _group_value(group: str) -> Fraction:
    total = Fraction(0)
    pending: Fraction | None = None
    for token in re.findall(rf"{DIGITS}|.", group):
        if token in _SMALL:
            total += (Fraction(1) if pending is None else pending) * _SMALL[token]
            pending = None
        elif token in _SINO_VALUES:
            pending = Fraction(_SINO_VALUES[token])
        elif not token.isspace():
            pending = Fraction(token.replace(",", ""))
    return total + (pending or 0)


def numerals(text: str, after: re.Pattern[str] | None = None) -> Iterator[Numeral]:
    """Every numeral of the text from left to right, Hangul ones only where a word begins or right `after` a match
    that ends there (보증금오천)."""
    at = 0
    while match := _START.search(text, at):
        start = match.start()
        inside_word = not match.group().isdigit() and start > 0 and "가" <= text[start - 1] <= "힣"
        if inside_word and after and after.search(text, max(0, start - 8), start):
            inside_word = False
        numeral = None if inside_word else read_numeral(text, start)
        if numeral:
            yield numeral
        at = numeral.end if numeral else start + 1


def native_value(word: str) -> int | None:
    """The value of a native numeral (스물다섯, 한, 넉), or `None`."""
    match = _NATIVE_PARTS.fullmatch(word)
    if not word or not match:
        return None
    return _NATIVE_TENS.get(match[1] or "", 0) + _NATIVE_ONES.get(match[2] or "", 0)


def sino_value(word: str) -> int | None:
    """The value of a pure Sino-Korean numeral (이십사, 칠, 백오), or `None`."""
    total = section = 0
    limit = 10**16
    pending: int | None = None
    if not word:
        return None
    for char in word:
        if char in _SINO_VALUES:
            if pending is not None:
                return None
            pending = _SINO_VALUES[char]
        elif char in _SMALL:
            section += (1 if pending is None else pending) * _SMALL[char]
            pending = None
        elif char in _LARGE:
            if _LARGE[char] >= limit:
                return None
            limit = _LARGE[char]
            total += max(section + (pending or 0), 1) * _LARGE[char]
            section, pending = 0, None
        else:
            return None
    return total + section + (pending or 0)


_TOKEN = re.compile(rf"{DIGITS}|{NATIVE}|[영공{SINO}십백천만억조]")


def written_value(words: str) -> Fraction | None:
    """The value of a numeral however it mixes digits, Sino-Korean and native words (4천3백21, 백스물다섯); or `None`.

    Read literally: each unit counts once and in falling order, blanks don't matter.
    """
    total = section = Fraction(0)
    pending: Fraction | None = None
    large, small, at = 10**16, 10**4, 0
    written = "".join(words.split())
    while at < len(written):
        match = _TOKEN.match(written, at)
        if not match:
            return None
        token, at = match.group(), match.end()
        if token in _LARGE:
            if _LARGE[token] >= large:
                return None
            large, small = _LARGE[token], 10**4
            total += ((section + (pending or 0)) or 1) * large
            section, pending = Fraction(0), None
        elif token in _SMALL:
            if _SMALL[token] >= small:
                return None
            small = _SMALL[token]
            section += (Fraction(1) if pending is None else pending) * small
            pending = None
        elif pending is not None:
            return None
        else:
            pending = _digit(token)
    return total + section + (pending or 0) if written else None


def _digit(token: str) -> Fraction:
    if token in _SINO_VALUES:
        return Fraction(_SINO_VALUES[token])
    native = native_value(token)
    return Fraction(token.replace(",", "") if native is None else native)
