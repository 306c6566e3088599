"""Days: when to give notice, when a termination takes effect, when a lease is to be reported."""

from madang.assistants.homes.tools.figure_facts import Facts
from madang.assistants.homes.tools.figure_request import FigureRequest, request


def notice(facts: Facts) -> FigureRequest | None:
    end = facts.lease_end
    if end is None and facts.sums:
        return None
    inputs = {"lease_end": end, "today": facts.today, "kind": "shop" if facts.is_shop else None}
    return request("notice", ("lease_end",), inputs)


def termination(facts: Facts) -> FigureRequest:
    inputs = {"notified": facts.told_day, "kind": "shop" if facts.is_shop else None}
    return request("termination", ("notified",), inputs)


def report(facts: Facts) -> FigureRequest:
    inputs = {"signed": facts.told_day, "deposit": facts.amount("deposit"), "monthly_rent": facts.amount("rent") or 0}
    return request("lease_report", ("signed", "deposit"), inputs)
