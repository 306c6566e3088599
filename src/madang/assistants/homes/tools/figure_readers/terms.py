"""Days: when to give notice, when a termination takes effect, when a lease is to be reported."""

import re

from madang.assistants.homes.tools.figure_facts import Facts
from madang.assistants.homes.tools.figure_request import FigureRequest, request

_WHEN = (
    r"언제|까지(?!\s?(?:올|받|인상|가능|될|되|내))|기한|기간|며칠|몇\s?(?:일|월|개월|달)|늦어도|날짜|마지막\s?날|시점"
)
_HOW_MUCH = r"얼마|최대|상한|한도|몇\s?(?:프로|퍼센트|%)"
_DEADLINE = r"기한|(?:언제|며칠)까지\s?(?:[가-힣]+\s){0,3}(?:통보|통지|말|알려|알리|얘기|해야)|늦어도"
_ENDS = re.compile(r"(?:이|에|가|자로)?\s?(?:만기|만료|종료|끝)")


def notice(facts: Facts) -> FigureRequest | None:
    end = facts.lease_end
    if facts.sums and (end is None or (facts.says(_HOW_MUCH) and not facts.says(_WHEN))):
        # A story that tells its end and asks for a sum.
        return None
    inputs = {"lease_end": end, "today": facts.today, "kind": "shop" if facts.is_shop else None}
    return request("notice", ("lease_end",), inputs)


def termination(facts: Facts) -> FigureRequest | None:
    """When a renewed lease ends; None where the day it ends anyway is told and the last day to say so is asked."""
    if facts.says(_DEADLINE) and any(_ENDS.match(facts.text, day.span[1]) for day in facts.days):
        return None
    inputs = {"notified": facts.told_day, "kind": "shop" if facts.is_shop else None}
    return request("termination", ("notified",), inputs)


def report(facts: Facts) -> FigureRequest:
    inputs = {"signed": facts.told_day, "deposit": facts.amount("deposit"), "monthly_rent": facts.amount("rent") or 0}
    return request("lease_report", ("signed", "deposit"), inputs)
