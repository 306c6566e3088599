"""AccountReview: customers with what they buy and when they were seen, and where to go first."""

import asyncio
from datetime import date, timedelta
from typing import Any

from madang.assistants.works.services import WorksServices
from madang.assistants.works.state.agents import AccountReviewAgentState
from madang.assistants.works.state.documents import AccountRequest
from madang.assistants.works.state.semantic_query import Metric, SemanticQuery
from madang.assistants.works.tools import account_text, quality
from madang.assistants.works.tools.accounts import (
    Account,
    Span,
    accounts,
    last_visits,
    monthly_sales,
    product_sales,
    span_of,
)
from madang.assistants.works.tools.analysis import analyse
from madang.assistants.works.tools.given import given, given_text
from madang.assistants.works.tools.links import branches_of
from madang.assistants.works.tools.query_notes import noted_queries
from madang.assistants.works.tools.warehouse import Warehouse
from madang.graph import Context, Reads, Writes, agent
from madang.text.calendars import add_months, is_day_off, month_days

FIRST = 5


class AccountsAsked(Reads):
    account_request: AccountRequest
    company_id: str


class AccountsFound(Writes):
    account_review: AccountReviewAgentState


@agent(name="AccountReviewAgent", task="거래처 정리", today=True, data=("sales", "archive"), timeout=60, retries=1)
async def account_review(asked: AccountsAsked, ctx: Context[WorksServices]) -> AccountsFound:
    """Look the customers up and say what was asked about them."""
    warehouse, company = ctx.services.warehouse, asked.company_id
    with noted_queries() as queries:
        state = await asyncio.to_thread(reviewed, asked.account_request, warehouse, company, ctx.today)
    ctx.usage["db_queries"] = len(queries)
    state["data_version"] = warehouse.version(company, ctx.today)
    state["resource_usage"] = {"rows_read": state["row_count"], "db_queries": len(queries)}
    note = "가상의 표본 회사" if warehouse.is_sample(company, ctx.today) else None
    if note:
        state["answer"] += "\n\n- 가상의 표본 회사 자료입니다."
    ctx.source(
        "account_review",
        tool="accounts",
        source=f"판매 자료 {state['data_version']}",
        as_of=ctx.today.isoformat(),
        note=note,
    )
    return {"account_review": state}


def reviewed(request: AccountRequest, warehouse: Warehouse, company: str, today: date) -> AccountReviewAgentState:
    """The agent's state for a request."""
    span, kind = span_of(request, today), request["kind"]
    if kind == "review":
        rows = compared(request, warehouse, company, span, today)
        shown = account_text.review(rows, request.get("whose", ""))
        return _state(kind, f"{account_text.scope_words(request)} 담당자 비교", span, shown)
    if kind == "ledger":
        return _ledger(request, warehouse, company, span, today)
    if kind == "headcount":
        rows = compared({**request, "filters": []}, warehouse, company, span, today)
        return _state(
            kind, "지점별 1인당 매출", span, account_text.headcount(rows, branches_of(warehouse, company, today))
        )
    if kind == "pace":
        return _pace(request, warehouse, company, today)
    found = accounts(request, warehouse, company, today)
    scope = account_text.scope_words(request)
    if not found:
        told = f"조건에 맞는 거래처가 없습니다({scope})."
        return _state(kind, f"{scope} 거래처", span, (told, [], []))
    if kind == "profile":
        return _profile(found[0], warehouse, company, span, today)
    if kind == "falling":
        shown = account_text.falling(found, span, yearly=bool(request.get("yearly")))
        return _state(kind, f"{scope} 매출이 줄어든 거래처", span, shown)
    if kind == "coverage":
        return _state(kind, f"{scope} 방문 커버리지", span, account_text.coverage(found, span))
    if kind == "priority" and request.get("oldest"):
        found = sorted(found, key=lambda one: one.last_visit or date.min)
        _, titles, listed = account_text.listed({**request, "by_branch": False}, found, span)
        oldest = listed[: request.get("limit") or FIRST]
        return _state(
            kind, f"{scope} 오래 안 간 거래처", span, (f"마지막 방문이 오래된 {len(oldest)}곳입니다.", titles, oldest)
        )
    if kind == "priority":
        return _state(
            kind, f"{scope} 먼저 볼 거래처", span, account_text.priority(found, request.get("limit") or FIRST, today)
        )
    if kind == "plan":
        return _state(kind, f"{scope} 방문 일정", span, account_text.plan(found, request, today))
    shown = account_text.listed(request, found, span)
    if request.get("limit"):
        shown = (
            f"{shown[0]} 매출이 큰 {min(len(found), request['limit'] or 0)}곳을 보여드립니다.",
            shown[1],
            shown[2][: request["limit"]],
        )
    return _state(kind, f"{scope} 거래처", span, shown)


def _pace(request: AccountRequest, warehouse: Warehouse, company: str, today: date) -> AccountReviewAgentState:
    """This month so far, the goal, and the working days that are left; visits are held against last month's."""
    month, visits = today.replace(day=1), bool(request.get("visits"))
    whole = month_days(month.year, month.month)
    before = add_months(month, -1)
    last = month_days(before.year, before.month)

    def sum_of(metric: Metric, days: tuple[date, date]) -> int:
        query: SemanticQuery = {
            "kind": "query", "metrics": [metric], "dimensions": [], "filters": request.get("filters") or [],
            "period": {"from": days[0].isoformat(), "to": days[1].isoformat()}, "compare": None, "sort": None,
            "limit": None,
        }  # fmt: skip
        rows = analyse(query, warehouse, company, today).rows
        return int(_number(rows[0].get(metric))) if rows else 0

    now = sum_of("visit_count" if visits else "sales_amount", (month, today))
    goal = sum_of("visit_count", last) if visits else sum_of("target_amount", whole)
    ahead = [today + timedelta(days=number) for number in range(1, (whole[1] - today).days + 1)]
    days = [day for day in ahead if not is_day_off(day) and day.isoformat() not in (request.get("off") or ())]
    told = account_text.pace(now, goal, len(days), visits=visits, today=today)
    told += f" 남은 근무일: {', '.join(f'{day.month}/{day.day}' for day in days)}."
    return _state("pace", f"{account_text.scope_words(request)} 남은 목표", Span(month, today), (told, [], []))


def _ledger(
    request: AccountRequest, warehouse: Warehouse, company: str, span: Span, today: date
) -> AccountReviewAgentState:
    found = given(request, warehouse, company, span, today)
    told, titles, rows, beside = given_text(found, span)
    state = _state("ledger", f"{account_text.scope_words(request)} 제공 내역", span, (told, titles, rows))
    state["answer"] += f"\n\n{beside}"
    return state


def _state(kind: str, heading: str, span: Span, shown: account_text.Shown) -> AccountReviewAgentState:
    told, titles, rows = shown
    most = len(rows) if kind in {"coverage", "review", "plan", "headcount"} else account_text.SHOWN
    answer = f"**{heading}** — {span.words}\n\n{told}"
    answer += f"\n\n{account_text.table(titles, rows, max(most, 1))}" if rows else ""
    checks = {"found": 1.0 if rows else 0.5}
    return {
        "kind": kind, "heading": heading, "sentence": f"{heading}: {told}", "answer": answer, "columns": list(titles),
        "rows": rows, "row_count": len(rows), "period": span.words, "confidence_score": quality.score(checks),
        "quality_checks": checks,
    }  # fmt: skip


def _profile(one: Account, warehouse: Warehouse, company: str, span: Span, today: date) -> AccountReviewAgentState:
    months = monthly_sales(warehouse, company, one.customer, today)
    products = product_sales(warehouse, company, one.customer, span)
    visits = last_visits(warehouse, company, one.customer, today)
    first, lines = account_text.profile(one, months, products, visits, today)
    state = _state("profile", one.customer, span, (first, [], []))
    state |= {
        "answer": f"**{one.customer}**\n\n{first}\n\n{lines}", "columns": ["월", "매출"],
        "rows": [[month, str(amount)] for month, amount in months], "row_count": len(months), "confidence_score": 1.0,
        "quality_checks": {"found": 1.0},
    }  # fmt: skip
    return state


def compared(
    request: AccountRequest, warehouse: Warehouse, company: str, span: Span, today: date
) -> list[dict[str, Any]]:
    """Sales, target, visits and customers of each rep in the scope."""
    query: SemanticQuery = {
        "kind": "query", "metrics": ["sales_amount", "target_amount"], "dimensions": ["rep"],
        "filters": request.get("filters") or [], "period": {"from": span.start.isoformat(), "to": span.end.isoformat()},
        "compare": None, "sort": None, "limit": None,
    }  # fmt: skip
    sold = analyse(query, warehouse, company, today).rows
    seen = {
        str(row["rep"]): row for row in analyse({**query, "metrics": ["visit_count"]}, warehouse, company, today).rows
    }
    served: dict[str, list[Account]] = {}
    for one in accounts(request, warehouse, company, today):
        served.setdefault(one.rep or "", []).append(one)
    return [
        {
            "rep": str(row["rep"]), "sales": int(_number(row.get("sales_amount"))),
            "target": int(_number(row.get("target_amount"))),
            "visits": int(_number(seen.get(str(row["rep"]), {}).get("visit_count"))),
            "customers": len(served.get(str(row["rep"]), [])),
            "grade_a": sum(one.grade == "A" for one in served.get(str(row["rep"]), [])),
        }
        for row in sold
    ]  # fmt: skip


def _number(value: object) -> float:
    return float(value) if isinstance(value, int | float) else 0.0
