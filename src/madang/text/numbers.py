"""Numbers: 백오십, 3천5백, -1.5, 마이너스 오, 이백점 칠일, 3분의 2, 1e10, 셋, 첫째."""

import re
from collections.abc import Iterator
from fractions import Fraction

from madang.text.data import load
from madang.text.numerals import ANOTHER, DIGITS, NATIVE, SINO, native_value, read_numeral, sino_value, written_value
from madang.text.parsed import Parsed, make, on_folded

Number = int | float

_ORDINAL = re.compile(rf"^({NATIVE}|{DIGITS})\s?(?:번\s?째|째)$")
_LETTERS = rf"[영공{SINO}십백천만억조]"
_COUNTERS = "|".join(sorted(load("counters"), key=len, reverse=True))
_UNIT = r"[십백천만억조]"
# What a message writes as one number: digits with units among them, Sino-Korean letters, or native words.
WRITTEN = (
    rf"(?:{DIGITS}(?:\s?{_UNIT}(?:(?:\d|\s\d(?!\d{{0,3}}{ANOTHER}))\d{{0,3}}(?![\d,.])(?=\s?{_UNIT}|\D|$))?){{0,6}}"
    rf"|(?<![가-힣]){NATIVE}"
    rf"|(?<![가-힣]){_LETTERS}{{1,24}}(?:\s{{1,2}}[{SINO}]?{_UNIT}{_LETTERS}{{0,10}}){{0,3}}(?:{NATIVE}|\s[{SINO}](?=\s?개월)|\s\d{{1,4}}{_UNIT})?)"
)
_SIGN = r"(?:(?<![\w가-힣.\-/])[-−]\s?|(?:마이너스|마이나스|음수)\s?)"
_BEGIN = rf"(?:절반|반|{_LETTERS}|{NATIVE})"
_START = re.compile(rf"(?P<sign>{_SIGN})(?=\.?\d|{_BEGIN})|(?=(?P<digit>(?<![\d.,])\.?\d)|(?<![가-힣]){_BEGIN})")
_POWER = re.compile(r"(\d{1,9}(?:\.\d{1,9})?)(?:e([+-]?\d{1,2})|\^\+?(-{0,2}\d{1,3}))(?![A-Za-z\d.])", re.IGNORECASE)
_DOTTED = re.compile(r"\d{1,9}(?:\.\d{1,9}){2,9}")
_SPACED = re.compile(r"\d{1,3}(?: \d{3}){1,5}(?!\d| \d)(?:\.\d{1,6})?")
_PART = re.compile(r"\.\d{1,9}")
_LONG = re.compile(r"\d{1,15}\.\d{1,12}")
_SLASH = re.compile(r"(?:(\d{1,9})\s{1,2})?(\d{1,9})/(\d{1,9})(?![\d/.]|월)")
_GOES_ON = re.compile(r"\s?[십백천만억조]|\d")
_WRITTEN = re.compile(WRITTEN.replace("(?<![가-힣])", ""))
_TWO = re.compile(rf"\s?분의\s?(?P<sign>{_SIGN})?(?P<above>{WRITTEN})".replace("(?<![가-힣])", ""))
_MIXED = re.compile(rf"(?:과|와)\s(?P<below>{WRITTEN})(?=\s?분의)")
_POINT = re.compile(r"\s?[점쩜]\s?(?!사이)(?P<digits>[영공일이삼사오육칠팔구]{1,6})(?![가-힣](?<![이입은을점달불유]))")
_LAST = re.compile(rf"\s{{1,2}}[{SINO}]\s*$")
_AMONG = re.compile(
    r"(?P<below>[둘셋넷]|다섯|여섯|일곱|여덟|아홉|열)\s중(?:에|의)?\s(?P<above>하나|둘|셋|넷)(?=$|[^가-힣]|[은는이가만])"
)
_HALF = re.compile(r"(?<![가-힣])(?:절반|반)(?=$|[^가-힣\s]|(?:을|의|이|은|만|으로)(?![가-힣])|\s?이\s?넘)")
_HANGUL_AFTER = re.compile(
    rf"$|[^가-힣]|(?:이(?![가-힣])|은|는|을|를|이다|이고|이며|입니다|이에요|예요|이요|인|에|의|과|와|도|만|보다|으로|로|까지|부터|이상"
    rf"|이하|미만|초과|정도|쯤|분의|점|이가|가|달러|불|유로|유효|{_COUNTERS})"
)
_LONE = re.compile(r"(?:은|이다|입니다)(?=$|[\s.,!?])")
_FEW_WORDS = frozenset(
    {"만", "이만", "오만", "구만", "천만", "천", "백", "십", "조", "일조", "이조", "오조", "일백", "백만"}
)
_NATIVE_AFTER = re.compile(rf"$|[^가-힣\s]|\s?(?:{_COUNTERS})|\s|이|은|을|으로|째|까지|서|만|도|에|중|보다")
_MODIFIERS = frozenset({"한", "두", "세", "네", "서", "너", "석", "넉", "첫", "닷", "엿", "다섯", "열"})
_GLUED = re.compile(r"[A-Za-z]{1,3}(?![A-Za-z])|미터|\s?월\s?\d{1,2}\s?일")
_DAY = re.compile(r"월\s?$")
_SHORT = 60
_ONLY_MAN = re.compile(r"(?:\d{1,2}|[일이삼사오육칠팔구])만")  # 3분의 1만: a particle


def parse_number(text: str) -> Number | None:
    """The number that the whole of `text` spells, ordinals included; `None` if it spells none.

    Read as it is said: 4억 3천 is 430,000,000.
    """
    word = text.strip()
    if not word or len(word) > 60:
        return None
    ordinal = _ORDINAL.match(word)
    if ordinal:
        word = ordinal[1]
    native = native_value(word)
    if native is not None:
        return native
    numeral = read_numeral(word, 0)
    if numeral and numeral.end == len(word):
        return plain(numeral.spoken)
    return sino_value(word.replace(" ", ""))


def plain(value: Fraction) -> Number:
    """A whole number as an `int`, another as a `float`."""
    return int(value) if value.denominator == 1 else float(value)


def find_numbers(text: str) -> list[Parsed[Number]]:
    """Numbers in order of appearance, fractions, decimals and signs included, read literally.

    Where the words are also said of something larger (4억 3천 for 4억 3천만, 5천 for 5천만) that is the second reading.
    A lone Hangul digit (이, 일, 오 …) counts only as the whole text or after a sign: elsewhere it is a word.
    """
    return on_folded(text, lambda folded: list(_find(folded)))


def _find(text: str) -> Iterator[Parsed[Number]]:
    at = 0
    while match := _START.search(text, at):
        begin = match.end()
        found = _number_at(text, begin, bool(match["sign"])) if not _inside(text, match) else None
        if found is None:
            at = max(begin, match.start() + 1) if match["sign"] else begin + 1
            continue
        if isinstance(found, int):
            yield from _pieces(text, begin, found)
            at = found
            continue
        value, end, spoken = found
        sign = -1 if match["sign"] else 1
        confidence = 0.99 if text[begin].isdigit() else 0.7
        readings = [plain(sign * one) for one in (value, spoken)] if spoken not in (None, value) else []
        yield make(text, match.start(), end, plain(sign * value), confidence, readings)
        at = end


def _pieces(text: str, start: int, end: int) -> Iterator[Parsed[Number]]:
    """192.168.1.2 is four numbers."""
    for piece in re.finditer(r"\d{1,9}", text[start:end]):
        yield make(text, start + piece.start(), start + piece.end(), int(piece.group()), 0.5)


def _inside(text: str, match: re.Match[str]) -> bool:
    return match["digit"] is None and not match["sign"] and match.end() > 0 and "가" <= text[match.end() - 1] <= "힣"


Read = tuple[Fraction, int, Fraction | None]


def _number_at(text: str, at: int, signed: bool) -> Read | int | None:
    if text[at].isdigit() or text[at] == ".":
        if dotted := _DOTTED.match(text, at):
            return dotted.end()
        special = _digits_only(text, at, signed)
        if special:
            return None if _GLUED.match(text, special[1]) else special
    half = _HALF.match(text, at)
    if half:
        return Fraction(1, 2), half.end(), None
    among = _AMONG.match(text, at)
    if among:
        return Fraction(native_value(among["above"]) or 0, native_value(among["below"]) or 1), among.end(), None
    whole = _whole(text, at, signed)
    if not whole:
        return None
    value, end, _spoken = whole
    fraction = _fraction(text, value, end)
    if fraction:
        return fraction
    mixed = _MIXED.match(text, end)
    below = written_value(mixed["below"]) if mixed else None
    if mixed and below:
        rest = _fraction(text, below, mixed.end())
        return (value + rest[0], rest[1], None) if rest else whole
    return whole


def _digits_only(text: str, at: int, signed: bool) -> Read | None:
    """1e10, 1.1^23, 1 234 567, .25, 4.800 and 1 4/5."""
    if power := _POWER.match(text, at):
        base, exponent = Fraction(power[1]), int((power[2] or power[3]).replace("--", ""))
        value = base * Fraction(10) ** exponent if power[2] else Fraction(float(base) ** exponent)
        return value, power.end(), None
    if slash := _SLASH.match(text, at):
        before = text[max(0, at - 1) : at]
        if int(slash[3]) and (signed or before not in {"/", "-"}):
            return Fraction(int(slash[1] or 0)) + Fraction(int(slash[2]), int(slash[3])), slash.end(), None
    for pattern in (_SPACED, _PART, _LONG):
        match = pattern.match(text, at)
        if match and not (pattern is _LONG and _GOES_ON.match(text, match.end())):
            return Fraction(match.group().replace(" ", "")), match.end(), None
    return None


def _whole(text: str, at: int, signed: bool) -> Read | None:
    match = _WRITTEN.match(text, at)
    words = match.group() if match else ""
    hangul = not text[at].isdigit()
    while words:
        value = written_value(words)
        end = at + len(words)
        if value is not None and (not hangul or _stands(text, at, words, signed)):
            break
        words = words[:-1].rstrip() if hangul else re.sub(r"\s?\S$", "", words)
    else:
        return None
    if not hangul and (
        _GLUED.match(text, end) or (text[end : end + 1] == "일" and _DAY.search(text, max(0, at - 2), at))
    ):
        return None
    if hangul and (last := _LAST.match(text, end)):
        value, end = written_value(words + last.group()) or value, last.end()
    point = _POINT.match(text, end) if hangul else None
    if point:
        digits = "".join(str(sino_value(digit)) for digit in point["digits"])
        return value + Fraction(int(digits), 10 ** len(digits)), point.end(), None
    numeral = read_numeral(text, at)
    spoken = numeral.spoken if numeral and numeral.end == end else None
    if words.endswith("천") and value < 10**4:
        spoken = value * 10**4  # 5천 is said of 5천만 too
    return value, end, spoken


def _stands(text: str, at: int, words: str, signed: bool) -> bool:
    """Whether Hangul letters are a number here and not the beginning of a word."""
    end = at + len(words)
    if len(text) < _SHORT and text.strip() == words:
        return True
    if native_value(words) is not None:
        close = _NATIVE_AFTER.match(text, end)
        counted = re.match(rf"\s?(?:{_COUNTERS})", text[end : end + 6])
        return bool(counted) if words in _MODIFIERS else close is not None
    after = _HANGUL_AFTER.match(text, end) is not None or _TWO.match(text, end) is not None
    if signed or _TWO.match(text, end) or _POINT.match(text, end):
        return after
    if len(words) == 1 and words not in "십백천만억조":
        return (words in "삼칠팔육" and _LONE.match(text, end) is not None) or _mixed_after(text, end)
    if words in _FEW_WORDS:
        counted = re.match(
            rf"\s?(?:{_COUNTERS}|달러|불|유로)|은\s|과\s|에서\s|등|보다|\s?(?:이상|이하|미만|초과)", text[end : end + 6]
        )
        return counted is not None
    return after


def _mixed_after(text: str, end: int) -> bool:
    return _MIXED.match(text, end) is not None


def _fraction(text: str, below: Fraction, end: int) -> Read | None:
    two = _TWO.match(text, end)
    if not two or not below:
        return None
    words = two["above"]
    while words:
        above = written_value(words)
        stop = two.start("above") + len(words)
        # 삼분의 일조각: a fraction's upper figure ends before a word of more than one letter.
        if (
            above is not None
            and not _ONLY_MAN.fullmatch(words)
            and (len(words) == 1 or _HANGUL_AFTER.match(text, stop))
        ):
            return (-above if two["sign"] else above) / below, stop, None
        words = words[:-1].rstrip()
    return None
