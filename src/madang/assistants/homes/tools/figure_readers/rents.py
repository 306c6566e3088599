"""Rent and deposit: how far they may rise, what one is worth as the other, damages for a false refusal."""

import re
from decimal import Decimal

from madang.assistants.homes.tools.figure_facts import Facts
from madang.assistants.homes.tools.figure_request import FigureRequest, request
from madang.text.money import Money
from madang.text.parsed import Parsed

_RISES = r"올리|올려|올릴|올린|인상|갱신|재계약|연장|증액"
_TURNS = r"전환|월세로|달세로|바꾸|바꿔|바꿀|돌리|돌려|돌릴|반전세로"
_WHOLE = r"전부|전액|모두|순수\s?월세|보증금\s?없이|보증금\s?0|다\s?월세|완전\s?월세|통째|환산|모조리"
# The deposit is what is asked for: 보증금을 얼마 더, 보증금으로 돌리면, 전세로 바꾸면.
_ASKS_DEPOSIT = (
    r"(?:월세|월|매달|내는|차임|그만큼)[^?]{0,20}(?:보증금|전세금?)(?:으로|로)(?!\s?(?:살|사는|들어))"
    r"|월세[^?.]{0,16}(?:없애|안\s?내)"
    r"|(?:보증금|전세금)(?:을|은|이|으로)?[^?월]{0,12}(?:얼마|올려|올리|더)"
)
_PART = re.compile(
    r"(?:(?P<below>\d)\s?분의\s?(?P<above>\d)|(?P<percent>\d{1,2})\s?(?:%|퍼센트|프로|퍼)|절반|반절|(?<![가-힣])반)(?:만큼|만|은|을|를|는|정도|으로)?(?:은|을|를)?\s?(?:월세|돌려|빼|내리|줄)"
)
_INTO_DEPOSIT = re.compile(r"원?(?:만큼|만|어치)?(?:을|를|은)?\s?(?:전부\s?|다\s?)?(?:보증금|전세금?)(?:으로|로)")
_RISE_MOVED = r"(?:올린|오른|올려\s?준|인상|증액|오르는)\s?(?:만큼|분|금액|돈|부분|거)[^?]{0,8}월세"
_WAS_RAISED = re.compile(
    r"원?(?:으로|로)\s?(?:한\s?번\s?)?(?:올렸|올려\s?(?:줬|주었|드렸)|인상했|인상됐|증액했|올랐|재계약했|갱신했)"
)
_RENT_FALLS = r"(?:월세|달세|차임)[^?]{0,14}(?:줄|내려가|내려\s?주|내릴|깎|낮|싸지|빠지|감소|덜)"
_MONTHLY_MOST = 10_000_000


def conversion(facts: Facts) -> FigureRequest | None:
    rents = [won for won in facts.amounts("rent") if won < _MONTHLY_MOST]
    deposits = _deposit_sums(facts)
    if facts.says(_ASKS_DEPOSIT) and (rents or not facts.sums) and not any(facts.change(item) for item in deposits):
        inputs = {
            "monthly_rent": _given_up(facts),
            "kind": "shop" if facts.is_shop else None,
            "base_rate": facts.rate("기준\\s?금리"),
        }
        return request("rent_to_deposit", ("monthly_rent",), inputs)
    before, after = _deposits(facts, deposits)
    if after is None and facts.says(_RISES) and not facts.says(_TURNS):
        return None
    inputs = {
        "deposit_before": before,
        "deposit_after": after,
        "base_rate": facts.rate("기준\\s?금리"),
        "kind": "shop" if facts.is_shop else None,
        "current_rent": _paid_rent(facts),
    }
    return request("conversion", ("deposit_before", "deposit_after"), inputs)


def _paid_rent(facts: Facts) -> int | None:
    """The rent paid now: the first monthly sum of the size of a rent that is not what the landlord wants."""
    rents = [item for item in facts.sums if item.value.role == "rent" and item.value.won < _MONTHLY_MOST]
    return next((item.value.won for item in rents if facts.change(item) not in ("asked", "rise")), None)


def _given_up(facts: Facts) -> int | None:
    """The rent that turns into deposit: the part named, how far it falls (also 80에서 50으로), otherwise all of it."""
    monthly = [item for item in facts.sums if item.value.role in ("rent", None) and item.value.won < _MONTHLY_MOST]
    if moved := [item.value.won for item in monthly if _INTO_DEPOSIT.match(facts.text, item.span[1])]:
        return moved[-1]
    if cut := [item.value.won for item in monthly if facts.change(item) == "cut"]:
        return cut[-1]
    rents = [item for item in monthly if item.value.role == "rent"]
    if len(rents) > 1 and facts.change(rents[1]) == "target" and rents[1].value.won < rents[0].value.won:
        return rents[0].value.won - rents[1].value.won
    return rents[0].value.won if rents else None


def _deposit_sums(facts: Facts) -> list[Parsed[Money]]:
    return [
        item
        for item in facts.sums
        if item.value.role in ("deposit", "price", "down_payment")
        or (item.value.role is None and item.value.won >= _MONTHLY_MOST)
    ]


def _deposits(facts: Facts, sums: list[Parsed[Money]]) -> tuple[int | None, int | None]:
    """The deposit before and after: "5억을 3억으로", "4억에서 1억 내리면", "보증금 1억을 월세로"."""
    if facts.says(_RENT_FALLS) and (raised := _raised(facts, sums)):
        return raised
    plain, moved, target = _by_change(facts, sums)
    if moved and target and plain and target[0] > plain[0]:
        # What was added is moved: "2억에서 2억2천으로 올리는데 오른 2천을 월세로".
        return moved[0], 0
    if moved and target and not plain:
        plain, moved = moved, []
    if plain and target:
        return plain[0], target[0]
    if plain and moved:
        return plain[0], plain[0] - moved[0]
    if len(plain) > 1:
        return max(plain), min(plain)
    if target:
        return (max(target), min(target)) if len(target) > 1 else (None, target[0])
    if len(moved) > 1 and moved[0] > moved[1]:
        return moved[0], moved[0] - moved[1]
    return _of_one(facts, next(iter(plain or moved), None), named=bool(plain))


def _raised(facts: Facts, sums: list[Parsed[Money]]) -> tuple[int, int] | None:
    """The deposit before and after it is raised for less rent."""
    now = next((item.value.won for item in sums if facts.change(item) is None), None)
    for item in sums:
        won, change = item.value.won, facts.change(item)
        if now and change == "rise":
            return now, now + won
        if now and change == "target" and won > now:
            return now, won
    return None


def _by_change(facts: Facts, sums: list[Parsed[Money]]) -> tuple[list[int], list[int], list[int]]:
    """The sums that are only named, those that leave the deposit, and those it becomes."""
    by_change: dict[str | None, list[int]] = {}
    for item in sums:
        change = facts.change(item)
        if change == "moved" and item.value.role == "deposit" and _is_named_deposit(facts, item):
            # "3억 전세를 보증금 1억 월세로": the deposit that stays.
            change = "target" if len(sums) > 1 else "moved"
        by_change.setdefault(change, []).append(item.value.won)
    moved, target = by_change.get("moved", []) + by_change.get("cut", []), by_change.get("target", [])
    plain = [won for won in by_change.get(None, []) + by_change.get("asked", []) if won not in moved]
    return plain, moved if plain or moved or target else by_change.get("rise", []), target


def _of_one(facts: Facts, won: int | None, *, named: bool) -> tuple[int | None, int | None]:
    """One sum alone: a part of it, all of it, or the whole jeonse of which something may stay."""
    if won is None:
        return None, None
    if named and facts.rates and facts.says(_RISE_MOVED):
        return int(won * facts.rates[0][0]), 0
    if named and (share := _PART.search(facts.text)):
        return won, won - _part(won, share)
    return won, None if _is_whole_lease(facts) else 0


def _part(won: int, share: re.Match[str]) -> int:
    if share["percent"]:
        return won * int(share["percent"]) // 100
    return won * int(share["above"] or 1) // int(share["below"] or 2)


def _is_whole_lease(facts: Facts) -> bool:
    """Whether the one sum is the whole jeonse, and nothing says how much of it stays or that all of it goes."""
    named = facts.says(r"전세(?!금|\s?보증금)") and not facts.says(r"빼|깎|내려\s?주|줄여\s?주|돌려\s?받|오른|올린")
    return named and not facts.says(_WHOLE)


def _is_named_deposit(facts: Facts, item: Parsed[Money]) -> bool:
    return facts.text[: item.span[0]].rstrip().endswith("보증금")


def increase(facts: Facts) -> FigureRequest | None:
    """How far a rent or deposit may rise; None where one rises because the other falls."""
    if any(facts.change(item) == "cut" for item in facts.sums):
        return None
    now = _present(facts)
    deposit = next((item.value.won for item in now if item.value.role == "deposit"), None)
    rent = next((item.value.won for item in now if item.value.role == "rent"), None)
    if deposit is None and rent is None:
        rest = [item.value for item in now if item.value.role in (None, "price")]
        deposit = next((money.won for money in rest if money.won >= _MONTHLY_MOST), None)
        rent = next((money.won for money in rest if money.won < _MONTHLY_MOST), None) if deposit is None else None
    kind = "shop" if facts.is_shop else "registered" if facts.says(r"임대\s?사업자|등록\s?임대|민간\s?임대") else None
    inputs = {
        "deposit": deposit,
        "monthly_rent": rent,
        "asked_rate": facts.rates[0][0] if facts.rates else _asked_rate(facts, deposit, rent),
        "kind": kind,
    }
    return request("increase_cap", () if deposit or rent else ("deposit",), inputs)


def _present(facts: Facts) -> list[Parsed[Money]]:
    """The sums that are paid now: not those asked for, and after a raise that was made only what it came to."""
    now = [item for item in facts.sums if facts.change(item) not in ("rise", "asked")]
    raised = [item for item in now if _WAS_RAISED.match(facts.text, item.span[1])]
    large = {item.value.won >= _MONTHLY_MOST for item in raised}
    return raised + [item for item in now if (item.value.won >= _MONTHLY_MOST) not in large and item not in raised]


def _asked_rate(facts: Facts, deposit: int | None, rent: int | None) -> Decimal | None:
    """By how much the landlord wants more, as a share of what is paid now; None if no sum says so."""
    for item in facts.sums:
        won, change = item.value.won, facts.change(item)
        now = deposit if deposit and (won >= _MONTHLY_MOST or not rent) else rent
        if not now or change not in ("asked", "target", "rise"):
            continue
        more = won if change == "rise" else won - now
        if more > 0:
            return (Decimal(more) / now).quantize(Decimal("0.0001"))
    return None


def implied_increase(facts: Facts) -> FigureRequest | None:
    """A rise without the word: a lease with a rate of 5 %, or a larger sum that is asked for."""
    leased = facts.amount("deposit") or facts.amount("rent")
    if facts.says(r"대출|이자|금리|갚|빌") or not leased:
        return None
    asked = any(facts.change(item) in ("asked", "rise") for item in facts.sums)
    larger = len(facts.sums) == 2 and facts.sums[1].value.won > facts.sums[0].value.won
    if asked or any(value == Decimal("0.05") for value, _, _ in facts.rates):
        return increase(facts)
    return increase(facts) if larger and facts.says(r"달라|달래|요구|부르|부른|내라|내래") else None


def refusal_damages(facts: Facts) -> FigureRequest:
    """What was paid at the refusal and what the next tenant pays; the next tenant's are named with him."""
    sums = [item for item in facts.sums if item.value.role in ("deposit", "rent", None, "price")]
    leases = _leases(sums)
    if len(leases) > 1 and facts.says(
        r"(?:새|다른|신규)[^?!]{0,40}(?<![가-힣])(?:저|나|우리|전|제가|내가|원래|기존)[는은가]?\s"
    ):
        leases.reverse()
    old = leases[0] if leases else None
    new = leases[1] if len(leases) > 1 else None
    inputs = {
        "deposit": old[0] if old else None,
        "monthly_rent": old[1] if old else None,
        "new_deposit": new[0] if new else None,
        "new_rent": new[1] if new else None,
    }
    return request("refusal_damages", ("deposit", "new_deposit"), inputs)


def _leases(sums: list[Parsed[Money]]) -> list[tuple[int, int]]:
    """Each deposit with the rent that follows it; a rent alone keeps the deposit before it."""
    found: list[tuple[int, int]] = []
    open_deposit = False
    for item in sums:
        won = item.value.won
        if won < _MONTHLY_MOST and item.value.role != "deposit":
            if open_deposit:
                found[-1] = (found[-1][0], won)
            else:
                found.append((found[-1][0] if found else 0, won))
            open_deposit = False
        else:
            found.append((won, 0))
            open_deposit = True
    return found
