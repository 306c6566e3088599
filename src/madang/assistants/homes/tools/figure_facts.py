"""What a question says in figures: sums with their roles, rates, years, a region, a date."""

import re
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from functools import cached_property

from madang.text.areas import find_areas
from madang.text.dates import find_dates
from madang.text.money import Money, find_money
from madang.text.parsed import Parsed
from madang.text.places import find_regions
from madang.text.rates import find_rates

# "4억인데" counts people to a parser of money and "4억에서 1억" is a range to it: a comma says neither.
_JOINED = re.compile(r"(?<=[억천만원\d])(?:인데|에서)")
# "3000에 120" is how a lease is named: deposit and rent in 만원.
_PAIR = re.compile(
    r"(?<![\d.,년월일억천만])(\d{3,5})\s?에\s?(\d{2,3})(?=\s?(?:[^\s\d%년월일개평㎡.억천만시분회명]|$|\s))"
)
# "금리 4.5 30년" leaves the sign out.
_BARE_RATE = re.compile(r"((?:금리|이율|이자율|연리)(?:가|는|이)?\s?\d{1,2}(?:\.\d{1,2})?)(?=[\s,]+\d)")
_YEARS = re.compile(r"(?<!\d)(\d{1,2})\s?년(?!\s?(?:전|생|차|월))(?!\s?\d{1,2}\s?월)")
_MONTHS = re.compile(r"(\d{1,3})\s?개월")
_SHOP = re.compile(r"상가|가게|점포|매장|상업용|사무실")
_HOME_PRICE = 10_000_000
_ARROW = re.compile(r"(?:→|⇒|->|=>|>)\s*(?:보증금\s*)?$")
_MOVED = re.compile(r"\s?(?:원)?\s?(?:만큼|어치|만|을|를)?\s?월세로")
_TARGET = re.compile(r"\s?(?:원)?\s?(?:으로|로|까지|만\s?남)")


@dataclass(frozen=True)
class Facts:
    """The figures of one question, read lazily; `today` is needed for dates only."""

    question: str
    today: date

    @cached_property
    def text(self) -> str:
        pairs = _PAIR.sub(r"보증금 \1만원에 월세 \2만원", self.question)
        return _JOINED.sub(", ", _BARE_RATE.sub(r"\1%", pairs))

    @cached_property
    def sums(self) -> list[Parsed[Money]]:
        return [item for item in find_money(self.text, "housing") if item.value.currency == "KRW" and item.value.won]

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

    @cached_property
    def rates(self) -> list[tuple[Decimal, str, int]]:
        """Each rate as a share of one, the words before it, and where it stands."""
        return [
            (Decimal(str(item.value.percent)) / 100, self.text[max(0, item.span[0] - 10) : item.span[0]], item.span[0])
            for item in find_rates(self.text)
            if item.value.unit == "%"
        ]

    def rate(self, near: str) -> Decimal | None:
        """The rate whose nearest word before it matches `near`."""
        pattern = re.compile(rf"(?:{near})[^\d%,]*$", re.IGNORECASE)
        return next((value for value, before, _ in self.rates if pattern.search(before)), None)

    def other_rate(self, not_near: str) -> Decimal | None:
        """The first rate that is not one of those."""
        pattern = re.compile(rf"(?:{not_near})[^\d%,]*$", re.IGNORECASE)
        return next((value for value, before, _ in self.rates if not pattern.search(before)), None)

    @property
    def years(self) -> int | None:
        match = _YEARS.search(self.text)
        return int(match[1]) if match else None

    @property
    def months(self) -> int | None:
        match = _MONTHS.search(self.text)
        return int(match[1]) if match else None

    @property
    def region(self) -> str | None:
        """The first region named, province first; `None` if none is or the name alone doesn't tell."""
        # "전주 보증금" names a place as surely as "전주 전세" does, which is what the parser listens for.
        found = find_regions(self.text) or find_regions(self.text.replace("보증금", "전세"))
        if not found:
            return None
        place = found[-1].value if found[-1].value.sigungu else found[0].value
        if place.sido == "경기도" and place.sigungu is None:
            # 경기 광주 is read as the metropolis; the province alone doesn't settle which rules apply.
            return "경기도 광주시" if "광주" in self.text else None
        return f"{place.sido} {place.sigungu}" if place.sigungu else place.sido

    @property
    def area(self) -> float | None:
        found = find_areas(self.text)
        return found[0].value.sqm if found else None

    @property
    def day(self) -> date | None:
        found = [item for item in find_dates(self.text, self.today) if item.value.start == item.value.end]
        return found[-1].value.end if found else None

    @property
    def is_shop(self) -> bool:
        return bool(_SHOP.search(self.text))

    def says(self, pattern: str) -> bool:
        return bool(re.search(pattern, self.text, re.IGNORECASE))

    def becomes_rent(self, item: Parsed[Money]) -> bool:
        """Whether a sum is the part that turns into rent (2억만 월세로)."""
        return bool(_MOVED.match(self.text, item.span[1]))

    def is_deposit(self, item: Parsed[Money]) -> bool:
        """Whether a sum is called the deposit right before it (보증금 4천 월세로)."""
        return self.text[: item.span[0]].rstrip().endswith("보증금")

    def is_reached(self, item: Parsed[Money]) -> bool:
        """Whether an arrow leads to a sum (1억5천→1억)."""
        return bool(_ARROW.search(self.text, 0, item.span[0]))

    def is_target(self, item: Parsed[Money]) -> bool:
        """Whether a sum is what something becomes (3억으로), not by how much it changes (1억 내리면)."""
        return bool(_TARGET.match(self.text, item.span[1]))
