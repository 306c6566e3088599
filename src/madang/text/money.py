"""Amounts of money as people write them: 4억 3천, 보증금 5천에 월 60, 두당 90, 이백 좀 안 되게, $1,200."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Literal

from madang.text.money_words import (
    CENTS,
    COUNTER,
    LARGE_COUNTER,
    MONEY_WORD_BEFORE,
    PREFIX_CURRENCY,
    SUFFIX_CURRENCY,
    Approx,
    Per,
    Role,
    approx_of,
    currency,
    per_of,
    role_of,
)
from madang.text.numbers import WRITTEN
from madang.text.numerals import Numeral, numerals, read_numeral, sino_value, written_value
from madang.text.parsed import Parsed, make, on_folded

Context = Literal["housing", "travel", "sales"]

_MAN = 10**4
_RANGE = re.compile(r"\s?(?:원|만원)?\s?(?:~|-|에서|부터)\s?$")
_PAIR = re.compile(r"\s?(?:에|/|,)?\s?(?:월세|월|차임)?\s?$")
_PAIR_LINK = re.compile(r"에|/|월")
CLAUSE_END = re.compile(r"[.!?\n;]|,\s|얼마[가-힣]{0,8}\s|[가-힣](?<![은는])(?:요|죠)\s")
_ALONE = re.compile(
    r"\s*(?:이요|요|이에요|예요|입니다|원|이면|으로|로|씩|이|만)?\s*(?:(?:돼|되|될|할|해|가능|괜찮|어때"
    r"|충분|생각|잡|있|갈|쓸)[가-힣]*)?\s?(?:까|요)?[\s.!?~]*"
)
_WON_BEFORE = re.compile(r"(?:원화?로|원으로|한국\s?돈으?로?)\s?$")
_HANGUL_WORD_AFTER = re.compile(
    r"$|[^가-힣]|원|이|은|을|를|에|선|대|좀|정도|쯤|안|밑|이하|으로|까지|넘|내|짜리|만\b|씩|요|도|면|가량"
    r"|언더|초반|중반|후반|전후|미만|이상|한도|아래|부터|인데|인가"
)
# A lone 백 or 천 needs more: 백 정도, 천에 오십, but not 천안, 백도.
_LETTER_AFTER = re.compile(
    r"$|[^가-힣]|원|에(?=\s?(?:월\s?)?(?:\d|[이삼사오육칠팔구]?십))|좀|정도|쯤|안\s?[되돼넘쪽으]|밑|이하"
    r"|이상|미만|으로|까지|넘|이면|이요|달러|불|엔|유로"
)
_IN_BRACKETS = re.compile(r"정?\s?[(\[]\s?(?:금\s?)?")
_LAST_DIGITS = re.compile(r"\s?[\d.]{1,24}$")
_COUNTS = re.compile(rf"\.\d|{COUNTER.pattern}")
_LUMP_SUMS = frozenset({"deposit", "price", "debt", "key_money", "down_payment", "interim_payment", "balance"})


@dataclass(frozen=True)
class Money:
    """An amount. `won` is whole won; for another `currency` it is 0 and `amount` holds the figure in that currency.

    `upper` is set for a range, whose lower end is `won` (or `amount`). `approx` says about, under or over.
    """

    won: int
    per: Per | None = None
    approx: Approx | None = None
    role: Role | None = None
    currency: str = "KRW"
    amount: float | None = None
    upper: int | None = None


@dataclass(frozen=True)
class _Sum:
    """A numeral that may be money, before the words around it are judged."""

    numeral: Numeral
    start: int
    end: int
    currency: str | None

    @property
    def value(self) -> Fraction:
        return self.numeral.spoken

    @property
    def plain(self) -> bool:
        """Written without 만 or 억 and without a currency: its scale must be guessed."""
        return self.currency is None and self.numeral.top == 1


# What `numerals` doesn't read: 1.5 million won, 일점이삼달러, 구파운드, 50센트, 470 펜스.
_SPOKEN = re.compile(
    r"(?P<sign>[$€£¥₩])?(?P<digits>(?<![\d.,])\d{1,9}(?:,\d{3}){0,3}(?:\.\d{1,4})?)\s?(?P<scale>thousand|million|billion|mil|k|m)(?![a-z])"
    r"(?:\s?(?P<unit>won|krw|dollars?|usd|euros?|eur|yen|jpy))?"
    rf"|(?P<number>{WRITTEN})(?:\s?[점쩜]\s?(?P<point>[영공일이삼사오육칠팔구]{{1,4}}))?\s?"
    r"(?:(?P<name>달러|불(?![가-힣](?<![이]))|유로|파운드|엔|위안)|(?P<small>센트|펜스|페니|cents?(?![a-z])))",
    re.IGNORECASE,
)
# 5 mil deposit, 450k a month: won, where English names what the money is for.
_ENGLISH_MONEY = re.compile(
    r"\b(?:deposit|rent|jeonse|wolse|budget|price|loan|fee|salary|income|savings|month|monthly|pay|paid|cost)s?\b",
    re.IGNORECASE,
)
_NEAR, _LEAST_WON = 24, 10**5
_SCALES = {"k": 10**3, "thousand": 10**3, "m": 10**6, "mil": 10**6, "million": 10**6, "billion": 10**9}


def find_money(text: str, context: Context | None = None) -> list[Parsed[Money]]:
    """Amounts in order of appearance; a deposit and its rent are two, a range is one.

    Without `context` only amounts that name 만, 억, 원 or a currency count. With it, bare numbers beside a word
    of money are read in 만원 (travel: 예산 200; housing: 보증금 5천에 월 60, 500/50; sales: 매출 5천 이상), surer
    the clearer the words are.
    """
    return on_folded(text, lambda folded: _find(folded, context))


def _find(text: str, context: Context | None) -> list[Parsed[Money]]:
    sums = _all_sums(text)
    found: list[Parsed[Money]] = []
    index = 0
    previous = 0
    while index < len(sums):
        pair = _pair(text, sums, index, context)
        if pair:
            found += pair
            index += 2
        else:
            low = _range_start(text, sums, index)
            taken = sums[index + 1] if low else sums[index]
            item = _single(text, taken, low, _Window(text, sums, index, previous, bool(low)), context)
            if item:
                found.append(item)
            index += 2 if low else 1
        previous = sums[index - 1].end
    return _said_once(text, found)


def _said_once(text: str, found: list[Parsed[Money]]) -> list[Parsed[Money]]:
    """오천만원정(₩50,000,000) is one amount, written twice as contracts do."""
    kept: list[Parsed[Money]] = []
    for item in found:
        between = text[kept[-1].span[1] : item.span[0]] if kept else None
        if between is None or item.value.won != kept[-1].value.won or not _IN_BRACKETS.fullmatch(between):
            kept.append(item)
    return kept


def _all_sums(text: str) -> list[_Sum]:
    """Sums in order; what only `_SPOKEN` reads wholly takes the place of the part that was read of it."""
    plain = list(_sums(text))
    spoken = [item for match in _SPOKEN.finditer(text) if (item := _spoken(text, match))]
    held = sorted([*plain, *spoken], key=lambda item: (item.start, item.start - item.end))
    kept: list[_Sum] = []
    for item in held:
        if not kept or item.start >= kept[-1].end:
            kept.append(item)
        elif item.end - item.start > kept[-1].end - kept[-1].start:
            kept[-1] = item
    return kept


def _spoken(text: str, match: re.Match[str]) -> _Sum | None:
    if match["digits"]:
        value = Fraction(match["digits"].replace(",", "")) * _SCALES[match["scale"].lower()]
        name = match["unit"] or match["sign"] or ("won" if value >= _LEAST_WON and _of_money(text, match) else None)
        if not name:
            return None
        return _Sum(Numeral(((value, 1),), match.start(), match.end(), False), *match.span(), currency(name))
    whole = written_value(match["number"])
    if whole is None or (not match["number"][0].isdigit() and match["number"] in "두세네한"):
        return None
    if match["point"]:
        digits = "".join(str(sino_value(digit)) for digit in match["point"])
        whole += Fraction(int(digits), 10 ** len(digits))
    if match["small"]:
        value, code = whole / 100, "USD" if match["small"][0] in "센c" else "GBP"
        return _Sum(Numeral(((value, 1),), match.start(), match.end(), False), *match.span(), code)
    end, value = _with_cents(text, match.end(), whole)
    numeral = Numeral(((value, 1),), match.start(), end, False)
    return _Sum(numeral, match.start(), end, currency(match["name"]))


def _of_money(text: str, match: re.Match[str]) -> bool:
    start, end = match.span()
    return any(_ENGLISH_MONEY.search(part) for part in (text[max(0, start - _NEAR) : start], text[end : end + _NEAR]))


def _with_cents(text: str, end: int, value: Fraction) -> tuple[int, Fraction]:
    """1달러 20센트 is one sum."""
    cents = CENTS.match(text, end)
    if not cents:
        return end, value
    count = int(cents["cents"]) if cents["cents"].isdigit() else sino_value(cents["cents"]) or 0
    return cents.end(), value + Fraction(count, 100)


def _sums(text: str) -> Iterator[_Sum]:
    for numeral in numerals(text, MONEY_WORD_BEFORE):
        whole = _shorten(text, numeral)
        if whole.groups and not _is_word(text, whole):
            prefix = PREFIX_CURRENCY.search(text, max(0, whole.start - 4), whole.start)
            suffix = SUFFIX_CURRENCY.match(text, whole.end)
            name = prefix[1] if prefix else suffix[1] if suffix else None
            if not name and whole.top >= _MAN and re.match(r"\s?동(?![가-힣])", text[whole.end : whole.end + 3]):
                name = "동"
            counter = COUNTER if whole.top == 1 else LARGE_COUNTER
            if not name and counter.match(text, whole.end):
                continue
            yield _Sum(
                whole,
                prefix.start() if prefix else whole.start,
                suffix.end() if suffix and not prefix else whole.end,
                currency(name) if name else None,
            )


def _shorten(text: str, numeral: Numeral) -> Numeral:
    """Drop last digits that count something else: 3억 5층 is 3억, 4억5천30년 is 4억5천, 2억7천3.75% is 2억7천."""
    digits = _LAST_DIGITS.search(text, numeral.start, numeral.end)
    if numeral.top == 1 or numeral.bottom > 1 or not digits or not _COUNTS.match(text, numeral.end):
        return numeral
    shorter = read_numeral(text[numeral.start : digits.start()], 0)
    if not shorter:
        return numeral
    return replace(shorter, start=numeral.start, end=numeral.start + shorter.end)


def _is_word(text: str, numeral: Numeral) -> bool:
    """Hangul that only looks like a numeral: 백화점, 이만 갈게, 만약, 10조 1항."""
    after = text[numeral.end : numeral.end + 4]
    if numeral.top == 10**12 and not after.lstrip().startswith("원") and len(numeral.groups) == 1:
        return True
    if not numeral.hangul:
        return False
    written = text[numeral.start : numeral.end]
    if written in {"만", "이만", "오만", "구만", "천만", "십", "일만"} and not SUFFIX_CURRENCY.match(after):
        return written != "천만" or not after
    if len(written) == 1 and not _LETTER_AFTER.match(after):
        return True
    return not _HANGUL_WORD_AFTER.match(after) and not SUFFIX_CURRENCY.match(text, numeral.end)


class _Window:
    """The words before and after one amount, up to its neighbours and the ends of its clause."""

    def __init__(self, text: str, sums: list[_Sum], index: int, previous: int, is_range: bool) -> None:
        first, last = sums[index], sums[index + 1] if is_range else sums[index]
        following = index + (2 if is_range else 1)
        limit = sums[following].start if following < len(sums) else len(text)
        before = text[max(previous, first.start - 16) : first.start]
        after = text[last.end : min(limit, last.end + 16)]
        self.before = CLAUSE_END.split(before)[-1]
        self.after = CLAUSE_END.split(after)[0]
        self.last = _ALONE.fullmatch(text, last.end) is not None
        self.lonely = self.last and not self.before.strip() and first.start < 4
        self.per = per_of(self.before, self.after)
        self.approx = approx_of(self.before, self.after)
        self.role = role_of(self.before, self.after)
        self.says_won = _WON_BEFORE.search(self.before) is not None


def _range_start(text: str, sums: list[_Sum], index: int) -> _Sum | None:
    if index + 1 >= len(sums):
        return None
    low, high = sums[index], sums[index + 1]
    if high.start - low.end > 6 or not _RANGE.fullmatch(text[low.end : high.start]):
        return None
    return low if low.currency in (None, high.currency) or high.currency is None else None


def _single(text: str, taken: _Sum, low: _Sum | None, words: _Window, context: Context | None) -> Parsed[Money] | None:
    first = low or taken
    scale, confidence = _scale(taken, words, context)
    if not scale:
        return None
    high = _amount(taken, scale)
    bottom = _low_end(low, taken, scale) if low else high
    per: Per | None = words.per
    role = words.role
    if context == "housing" and per == "month" and role is None:
        role = "rent"
    if per == "month" and role in _LUMP_SUMS:
        per = None
    money = Money(0, per, words.approx, role)
    if taken.currency not in (None, "KRW"):
        money = replace(money, currency=taken.currency or "", amount=float(bottom))
        if low and bottom <= high:
            money = replace(money, upper=int(high), approx=None)
        return make(text, first.start, taken.end, money, confidence)
    money = replace(money, won=int(bottom))
    if low and bottom <= high:
        money = replace(money, upper=int(high), approx=None)
    readings = _readings(money, taken, words, context)
    return make(text, first.start, taken.end, money, confidence, readings)


def _amount(taken: _Sum, scale: int) -> Fraction:
    return taken.value * scale


def _low_end(low: _Sum, high: _Sum, scale: int) -> Fraction:
    """The lower end; when it names no unit it borrows the upper end's (2~3억, 200~250만원)."""
    if low.numeral.top > 1 or low.currency:
        return low.value
    if high.plain:
        return low.value * scale
    return low.value * high.numeral.bottom if len(high.numeral.groups) == 1 else low.value * high.numeral.top


def _scale(taken: _Sum, words: _Window, context: Context | None) -> tuple[int, float]:
    """By what to multiply the number written, and how sure that is; 0 when it isn't money."""
    if taken.currency is not None:
        return 1, 0.98
    if not taken.plain:
        return 1, 0.95 if context or taken.numeral.top >= 10**8 else 0.8
    return _bare_scale(taken, words, context) if context else (0, 0.0)


def _bare_scale(taken: _Sum, words: _Window, context: Context | None) -> tuple[int, float]:
    value = taken.value
    cue = words.role or words.says_won or (words.per is not None)
    spoken = taken.numeral.hangul or taken.numeral.small >= 100
    if value >= _MAN:
        return (1, 0.7) if cue or value >= 100_000 else (0, 0.0)
    if value.denominator != 1 or value < 5:
        return (10**8, 0.5) if context == "housing" and words.role in {"deposit", "price"} and value >= 1 else (0, 0.0)
    if context == "sales":
        return (_MAN, 0.6) if taken.numeral.small >= 1000 and (cue or words.approx) else (0, 0.0)
    if cue:
        return _MAN, 0.8
    if words.lonely:
        return (_MAN, 0.5) if value >= 10 else (0, 0.0)
    if spoken and context == "housing":
        return (_MAN, 0.6) if taken.numeral.small >= 1000 else (0, 0.0)
    if words.approx and (spoken or value >= 20):
        return _MAN, 0.65
    if spoken and value >= 10:
        return _MAN, 0.6
    # 제주 3박4일 200: a round number at the very end of a travel request is its budget.
    return (_MAN, 0.45) if context == "travel" and words.last and value >= 30 and value % 5 == 0 else (0, 0.0)


def _readings(money: Money, taken: _Sum, words: _Window, context: Context | None) -> tuple[Money, ...]:
    """A bare travel budget may be for all or for each: both readings, as it was said first."""
    if context == "travel" and money.per is None and (taken.plain or words.role == "budget"):
        return money, replace(money, per="person")
    return ()


def _pair(text: str, sums: list[_Sum], index: int, context: Context | None) -> list[Parsed[Money]]:
    """A deposit and its monthly rent: 5천에 60, 500/50, 보증금 3천 월 85."""
    if index + 1 >= len(sums):
        return []
    deposit, rent = sums[index], sums[index + 1]
    between = text[deposit.end : rent.start]
    if len(between) > 6 or not _PAIR.fullmatch(between) or not _PAIR_LINK.search(between):
        return []
    named = "보증금" in text[max(0, deposit.start - 8) : deposit.start] or "월" in between
    if context != "housing" and not named:
        return []
    total, monthly = _in_man(deposit), _in_man(rent)
    slash = "/" in between
    if monthly > 3000 * _MAN or total < monthly or (slash and deposit.plain and total < 100 * _MAN):
        return []
    confidence = 0.97 if named else 0.9
    approx = approx_of("", text[rent.end : rent.end + 12])
    return [
        make(text, deposit.start, deposit.end, Money(int(total), role="deposit"), confidence),
        make(text, rent.start, rent.end, Money(int(monthly), "month", approx, "rent"), confidence),
    ]


def _in_man(taken: _Sum) -> Fraction:
    return taken.value * _MAN if taken.plain and taken.value < _MAN else taken.value
