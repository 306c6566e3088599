"""What a tenant gets back: small deposits, the scope of the shop lease act, the share of a price already spoken for."""

from madang.assistants.homes.tools.figure_facts import Facts
from madang.assistants.homes.tools.figure_request import FigureRequest, request


def small_deposit(facts: Facts) -> FigureRequest:
    inputs = {
        "region": facts.region,
        "deposit": facts.amount("deposit", None),
        "monthly_rent": facts.amount("rent"),
        "house_price": facts.amount("price"),
        "kind": "shop" if facts.is_shop else None,
    }
    return request("small_deposit", ("region", "deposit"), inputs)


def at_auction(facts: Facts) -> FigureRequest | None:
    """What a tenant surely gets back at an auction; with the home's price or debts it is a question of risk."""
    if facts.amount("deposit", None) is None or facts.amount("price") or facts.amount("debt"):
        return None
    return small_deposit(facts)


def shop_scope(facts: Facts) -> FigureRequest | None:
    deposit, rent = facts.amount("deposit", None), facts.amount("rent")
    if not facts.says(r"환산\s?보증금|환보") and not (rent and facts.is_shop):
        return None
    if deposit is None and facts.says(r"보증금(?:은|이|도)?\s?(?:없|0\s?원)|무보증"):
        deposit = 0
    inputs = {"region": facts.region, "deposit": deposit, "monthly_rent": rent}
    # The converted deposit is the same everywhere; what it means depends on the region.
    needed = ("deposit", "monthly_rent") if facts.says("환산|환보") else ("region", "deposit", "monthly_rent")
    return request("shop_scope", needed, inputs)


def jeonse(facts: Facts) -> FigureRequest | None:
    price, deposits, rest = facts.amount("price"), facts.amounts("deposit"), facts.amounts(None)
    if price is None and rest:
        price = rest.pop(0)
    if price is None and len(deposits) > 1:
        price = max(deposits)
        deposits.remove(price)
    deposit = deposits[0] if deposits else rest.pop(0) if rest else None
    if price is None and deposit is None and not facts.says("전세가율"):
        return None
    debts, others = facts.amounts("debt", "loan"), facts.amounts("other_deposits")
    inputs = {
        "price": price,
        "deposit": deposit,
        "senior_debt": sum(debts) if debts else None,
        "other_deposits": sum(others) if others else None,
    }
    return request("jeonse_risk", ("price", "deposit"), inputs)
