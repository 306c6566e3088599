"""What a whole contract says that its clauses are judged by: shop or home, and the sums it begins with."""

import re
from dataclasses import dataclass

from madang.text.money import find_money

RENT = r"월\s?차임|차임|월세|임대료"


@dataclass(frozen=True)
class Terms:
    """What the whole contract says: whether it lets a shop, and the sums agreed on."""

    shop: bool = False
    rent: int | None = None
    deposit: int | None = None


def read_terms(contract: str, shop: bool) -> Terms:
    """The sums a contract begins with, as far as it names them."""
    return Terms(shop, _first_sum(rf"(?:{RENT})", contract), _first_sum("보증금|전세금", contract))


def _first_sum(name: str, contract: str) -> int | None:
    match = re.search(rf"(?:{name})[은는이가]?\s?:?\s?(?:금\s?)?(?=\d|[일이삼사오육칠팔구]?[천백십])", contract)
    found = find_money(contract[match.start() : match.end() + 24], "housing") if match else []
    return found[0].value.won or None if found else None
