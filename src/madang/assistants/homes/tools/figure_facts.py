"""What a question says in figures: sums with their roles, rates, terms, a region, an area, dates."""

import re
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal
from functools import cached_property

from madang.assistants.homes.tools.figure_changes import Change, change_of
from madang.assistants.homes.tools.figure_roles import with_roles
from madang.assistants.homes.tools.regions import place_name
from madang.text.areas import Area, find_areas
from madang.text.calendars import add_months
from madang.text.dates import find_dates
from madang.text.money import Money, find_money
from madang.text.numbers import parse_number
from madang.text.parsed import Parsed, outside
from madang.text.places import Region, find_regions
from madang.text.rates import Rate, find_rates
from madang.text.spans import DateSpan

# To a parser of money "4억인데" counts people and "4억에서 1억" is a range: a comma of the same length says neither.
_JOINED = re.compile(r"(?<=[억천만원\d])(?:인데|에서)|(?<=[억천백만원])인(?=\s)")
# "3000에 120" is how a lease is named: deposit and rent in 만원.
_PAIR = re.compile(
    r"(?<![\d.,년월일억천만])(?:(?<![가-힣])보\s?)?(\d{3,5})\s?(?:에\s?(?:월세?\s?)?|(?<=\d)[/,\s]{1,3}월세?\s?)(\d{2,3})(?=\s?(?:[^\s\d%년월일개평㎡제.,억천만시분회명]|$|\s|,))"
)
# "2억에 60", "1억 5천에 40", "5천에 80": the second number counts 만원 a month.
_SPOKEN_PAIR = re.compile(
    r"((?:(?<!\d)\d{1,6}억\s?)?(?:(?<!\d)\d{1,6}(?:천|백|억)\s?){1,6}(?:만\s?원?)?에\s?)(?:월세?\s?)?(\d{2,3})(?=\s?(?:[^\s\d%년월일개평㎡제.,억천만시분회명프퍼]|$|\s(?!년|%)))"
)
# "보증금 천에 월 38", "오백에 35": the same in words.
_WORD_PAIR = re.compile(
    r"(?<![가-힣\d])([일이삼사오육칠팔구]?천(?:[일이삼사오육칠팔구]?백)?|[일이삼사오육칠팔구]?백)\s?에\s?(?:월세?\s?)?(\d{2,3})(?=\s?(?:만|짜리|인|이|내|으|로|,|$|\s))(?!\s?(?:년|월|일|%|평|㎡|개))"
)
# In a talk of rent a bare number that is asked for or reached counts 만원: "70에서 40으로", "75 달래".
_OF_RENT = re.compile(r"월세|달세|차임|(?<![\d가-힣])월\s?\d")
_BARE = re.compile(
    r"(?<![\d.,/%~\-A-Za-z])(?<!전용\s)(\d{2,3})(?!\d)(?=\s?(?:에서|으로|로|을|를|까지|이나|씩|만)?\s?(?:\d{2,3}(?:으로|로)"
    r"|달래|달라|내라|내래|내자|내고|올려|올리|올렸|올랐|내려|내리|인상|부르|요구|낮|줄|깎|받고|받자))"
)
_NOW = re.compile(
    r"((?:지금|현재|원래|기존)(?:은|에|이|엔)?\s?)(\d{2,3})(?=\s?(?:이|인|내|,|$|만(?!\s?원)))(?!\s?(?:년|개|평|만\s?원))"
)
_YEARS = re.compile(
    r"(?<![\d.])(\d{1,2}|[이삼사]?십오?)\s?(?:년|y(?![a-z]))(?!월|\s?(?:전|생|차|뒤|후|이내))(?!\s?\d{1,2}\s?월)"
)
_BARE_RATE = re.compile(r"(?<![\d.,])(\d{1,2}\.\d{1,2})(?![\d.]|\s?(?:억|만|천|%|㎡|평|배|년|m))")
_REACHED = re.compile(r"(?:으로|로)\s?(?:올|오르|내리|내려|내렸|떨어|낮|인상|인하|바뀌|바뀐|변|갈아|됐|되)")
_MONTHS = re.compile(r"(\d{1,3})\s?(?:개월|회(?:차)?(?=\s?(?:분할|납|상환)))")
_NOT_REPAID = re.compile(r"\s?(?:거치|고정|살|계약|동안\s?살|째|근무)")
_SHOP = re.compile(
    r"(?<![인이])상가|가게|점포|매장|상업용|(?<!중개)(?<!중개\s)(?<!부동산)(?<!부동산\s)사무실"
    r"|(?:식당|카페|미용실|학원|편의점|음식점|치킨집|분식집|빵집|술집|옷가게|꽃집|헬스장|공방|피시방)"
    r"(?!\s?(?:근처|옆|앞|위|가까|건너))"
)
_NOT_FLAT = re.compile(r"빌라|단독|다가구|다세대|연립|원룸|투룸|오피스텔|상가|가게|전원\s?주택|토지|땅|사무실")
_REAL_SIZE = re.compile(r"(?:전용|실\s?(?:평수?|면적|사용))[가-힣\s]{0,4}$")
# 34평 is sold as 84 ㎡: three quarters of what a flat is called is its exclusive area.
_EXCLUSIVE_SHARE = 0.75
_HOME_PRICE = 10_000_000
_LEASED_FOR = re.compile(
    r"(?:부터|에서|에|로)?[^.?!]{0,12}?(\d{1,2}|[일이삼])\s?년(?:간|짜리|으로)?[^.?!]{0,4}(?:계약|임대|살기로|동안|했|맺|썼|체결)"
)

_BOUND = re.compile(r"원?\s?(?:초과|이하|미만|이상)(?!으로|로)")
_IN_THE_END = re.compile(r"(?:결국|최종|실제로?는?|마지막에?)\s?(?:[가-힣]{1,6}\s)?$")
_AGREED = re.compile(r"원?(?:에|으로|로)\s?(?:최종\s?)?(?:계약|거래|합의|도장|낙찰|잔금|팔았|팔기로|팔게|매도했)")
_DONE = re.compile(
    r"했|보냈|썼|맺었|드렸|받았|받은|보낸|왔|받음|알렸|도달|도착|통보함|통지함|해놨|말함|[가-힣]함(?=\s|$|[.?!,])"
)
_PLANNED = re.compile(r"하면|할\s?(?:건|거|예정|생각|려)|하려|할게|할건|보내면|드리면|말하면|얘기하면|통보할|통지할")
_AGO = re.compile(r"(?:년|개월|달)\s?전")
_ARRIVES = re.compile(r"에?\s?(?:집주인|임대인|주인)?(?:이|한테|에게|께서)?\s?(?:받|도달|도착)")


@dataclass(frozen=True)
class Facts:
    """The figures of one question, read lazily; `today` is needed for dates only.

    `of_rent` says that the talk is of rent even if the question doesn't: bare numbers then count 만원.
    """

    question: str
    today: date
    of_rent: bool = False

    @cached_property
    def text(self) -> str:
        """The question with a lease's two numbers spelled out (3000에 120)."""
        named = _WORD_PAIR.sub(_in_digits, self.question)
        named = _PAIR.sub(r"보증금 \1만원에 월세 \2만원", named)
        named = _SPOKEN_PAIR.sub(r"\1월세 \2만원", named)
        if not self.of_rent and not _OF_RENT.search(named):
            return named
        return _NOW.sub(r"\1월세 \2만원", _BARE.sub(r"\1만원", named))

    @cached_property
    def sums(self) -> list[Parsed[Money]]:
        """Sums of won with their roles, in order of appearance."""
        found = find_money(_JOINED.sub(lambda match: ",".ljust(len(match[0])), self.text), "housing")
        taken = [item.span for item in find_regions(self.text, typos=False)]
        taken += [item.span for item in find_rates(self.text)]
        won = [item for item in found if item.value.currency == "KRW" and item.value.won]
        # "6억 초과 9억 이하 구간" quotes a rule, unless nothing else is said.
        won = [item for item in won if not _BOUND.match(self.text, item.span[1])] or won
        return with_roles(self.text, outside(won, _merged(taken)))

    def amounts(self, *roles: str | None) -> list[int]:
        """Sums with one of the roles, in order of appearance."""
        return [item.value.won for item in self.sums if item.value.role in roles]

    def amount(self, *roles: str | None) -> int | None:
        """The first sum whose role comes earliest in `roles`."""
        for role in roles:
            if found := self.amounts(role):
                return found[0]
        return None

    def large_amount(self, *roles: str | None) -> int | None:
        """As `amount`, among sums of the size of a home's price."""
        for role in roles:
            if found := [won for won in self.amounts(role) if won >= _HOME_PRICE]:
                return found[0]
        return None

    def settled_amount(self, *roles: str | None) -> int | None:
        """The sum a deal was made at in the end (내놨다가 … 결국 9억에 계약); None if nothing says so."""
        found = [
            item.value.won
            for item in self.sums
            if item.value.role in roles
            and (_IN_THE_END.search(self.text, 0, item.span[0]) or _AGREED.match(self.text, item.span[1]))
        ]
        return found[-1] if found else None

    def change(self, item: Parsed[Money]) -> Change | None:
        """What becomes of a sum: reached, cut, moved into rent, added, asked for."""
        return change_of(self.text, *item.span)

    @cached_property
    def rates(self) -> list[tuple[Decimal, str, int]]:
        """Each rate as a share of one, the words before it, and where it stands."""
        return [
            (self._share(item), self.text[max(0, item.span[0] - 10) : item.span[0]], item.span[0])
            for item in find_rates(self.text)
            if item.value.unit == "%"
        ]

    def _share(self, item: Parsed[Rate]) -> Decimal:
        """A rate as a share of one; of "4%에서 5%로 올랐" what it became."""
        reached = item.value.upper if _REACHED.match(self.text, item.span[1]) else None
        return Decimal(str(reached if reached is not None else item.value.percent)) / 100

    def rate(self, near: str) -> Decimal | None:
        """The rate whose nearest word before it matches `near`."""
        pattern = re.compile(rf"(?:{near})[^\d%,]*$", re.IGNORECASE)
        return next((value for value, before, _ in self.rates if pattern.search(before)), None)

    def other_rate(self, not_near: str) -> Decimal | None:
        """The first rate that is not one of those."""
        pattern = re.compile(rf"(?:{not_near})[^\d%,]*$", re.IGNORECASE)
        return next((value for value, before, _ in self.rates if not pattern.search(before)), None)

    @property
    def bare_rate(self) -> Decimal | None:
        """A decimal that names no unit, as people write a rate: "변동 3.75"."""
        match = _BARE_RATE.search(self.text)
        return Decimal(match[1]) / 100 if match else None

    @property
    def years(self) -> int | None:
        """The term of a loan: the longest that is told, as a fixed or grace period is part of it."""
        found = list(_YEARS.finditer(self.text))
        whole = [match for match in found if not _NOT_REPAID.match(self.text, match.end())]
        fixed = [match for match in found if self.text[match.end() :].lstrip().startswith("고정")]
        return max((int(parse_number(match[1]) or 0) for match in whole or fixed), default=0) or None

    @property
    def months(self) -> int | None:
        match = _MONTHS.search(self.text)
        return int(match[1]) if match else None

    @property
    def region(self) -> str | None:
        """The first region named, province first; `None` if none is or the name alone doesn't tell."""
        place = _place(self.text)
        if place is None:
            return None
        if place.sido == "경기도" and place.sigungu is None:
            # 경기 광주 is read as the metropolis; the province alone doesn't settle which rules apply.
            return "경기도 광주시" if "광주" in self.text else None
        return place_name(place.sido, place.sigungu)

    @cached_property
    def _area(self) -> Parsed[Area] | None:
        found = find_areas(self.text)
        return next((item for item in found if item.value.basis == "exclusive"), found[0] if found else None)

    @property
    def area(self) -> float | None:
        """The exclusive floor area; see `exclusive_area` for what 평 means."""
        return exclusive_area(self.text, self._area) if self._area else None

    @property
    def called_pyeong(self) -> float | None:
        """The size in 평 if the exclusive area was estimated from it."""
        return self._area.value.pyeong if self._area and self.area != self._area.value.sqm else None

    @cached_property
    def days(self) -> list[Parsed[DateSpan]]:
        """Single days and stretches with an exact end, in order of appearance."""
        return _single_days(find_dates(self.text, self.today))

    @property
    def day(self) -> date | None:
        """The last day that is named; of a stretch its end."""
        return self.days[-1].value.end if self.days else None

    @property
    def told_day(self) -> date | None:
        """The day a notice arrived or will: a past one if it is told as done, otherwise the nearer one."""
        past = _single_days(find_dates(self.text, self.today, "past"))
        if not past or not self.days:
            return self.day
        arrived = [item for item in past if _ARRIVES.match(self.text, item.span[1])]
        behind, ahead = (arrived or past)[-1].value.end, self.days[-1].value.end
        if abs(ahead - self.today) * 6 < abs(self.today - behind):
            # A day a few weeks ahead, told as done by a slip, is nearer than one of last year.
            return ahead
        if _DONE.search(self.text) and not _PLANNED.search(self.text):
            return behind
        if _PLANNED.search(self.text) and not _DONE.search(self.text):
            return ahead
        return behind if abs(self.today - behind) < abs(ahead - self.today) else ahead

    @property
    def lease_end(self) -> date | None:
        """The day a lease ends: named, or the last day of the years it was made for."""
        if len(self.days) == 1 and (day := self.days[0]).value.kind == "day":
            term = _LEASED_FOR.match(self.text, day.span[1])
            if term and (count := int(parse_number(term[1]) or {"일": 1, "이": 2, "삼": 3}.get(term[1], 0))):
                start = day.value.end
                if start > self.today and str(start.year) not in day.text:
                    start = add_months(start, -12)
                return add_months(start, 12 * count) - timedelta(days=1)
        ahead = [item for item in self.days if not _AGO.search(item.text)]
        return ahead[-1].value.end if ahead else None

    @property
    def is_shop(self) -> bool:
        return names_shop(self.text)

    def says(self, pattern: str) -> bool:
        return bool(re.search(pattern, self.text, re.IGNORECASE))


def names_shop(text: str) -> bool:
    """Whether a text speaks of a shop."""
    return bool(_SHOP.search(text))


def yearly(money: Money) -> int:
    """A sum as what it comes to in a year."""
    return money.won * (12 if money.per == "month" else 1)


def _in_digits(pair: re.Match[str]) -> str:
    return f"{int(parse_number(pair[1]) or 0)}에 {pair[2]}"


def _merged(spans: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """The spans without those inside another."""
    return [span for span in spans if not any(o != span and o[0] <= span[0] and span[1] <= o[1] for o in spans)]


def _place(text: str) -> Region | None:
    """The last place named; a neighbourhood elsewhere that bears the name of one in the city before it is that one."""
    found = find_regions(text)
    if not found or found[-1].value.sigungu is None:
        return found[0].value if found else None
    last = found[-1].value
    if len(found) > 1 and not text[found[-2].span[1] : found[-1].span[0]].strip():
        city = found[-2].value
        return city if city.sigungu and city.sido != last.sido else last
    return last


def _single_days(found: list[Parsed[DateSpan]]) -> list[Parsed[DateSpan]]:
    return [item for item in found if item.value.kind in ("day", "range")]


def exclusive_area(text: str, found: Parsed[Area]) -> float:
    """The exclusive area in ㎡. Flats are called by their supply area in 평, so that much of it is taken away."""
    area = found.value
    if area.pyeong is None or area.basis == "exclusive" or _REAL_SIZE.search(text, 0, found.span[0]):
        return area.sqm
    if area.basis is None and _NOT_FLAT.search(text):
        return area.sqm
    return round(area.sqm * _EXCLUSIVE_SHARE, 1)
