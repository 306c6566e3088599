"""Customers as people ask for them: who is served by whom, what they buy, when they were last seen."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from madang.assistants.works.state.documents import AccountRequest
from madang.assistants.works.state.semantic_query import Filter
from madang.assistants.works.tools.warehouse import Warehouse
from madang.text.calendars import add_months

RECENT_MONTHS = 3
MONTHLY = 6
MOST = 50_000
_COLUMNS = {
    "customer": "c.customer", "customer_type": "c.customer_type", "region": "c.region", "specialty": "c.specialty",
    "grade": "c.grade", "rep": "r.rep", "team": "r.team", "branch": "r.branch",
}  # fmt: skip
_OWN = "company_id = $company"
_BOUGHT = (
    f"SELECT customer_id, SUM(amount) AS amount FROM sales WHERE {_OWN} AND date >= ${{start}} AND date <= ${{end}} "
    "GROUP BY customer_id"
)
_PRODUCTS = (
    "SELECT q.customer_id, STRING_AGG(q.product, ', ' ORDER BY q.amount DESC) AS products FROM "
    "(SELECT s.customer_id, p.product, SUM(s.amount) AS amount, "
    "ROW_NUMBER() OVER (PARTITION BY s.customer_id ORDER BY SUM(s.amount) DESC) AS place FROM "
    f"(SELECT customer_id, product_id, amount FROM sales WHERE {_OWN} AND date >= $start AND date <= $end) AS s "
    f"JOIN (SELECT product_id, product FROM products WHERE {_OWN}) AS p ON p.product_id = s.product_id "
    "GROUP BY s.customer_id, p.product) AS q WHERE q.place <= 3 GROUP BY q.customer_id"
)
_OF_PRODUCT = (
    "SELECT s.customer_id, SUM(s.amount) AS amount, SUM(s.quantity) AS quantity FROM "
    f"(SELECT customer_id, product_id, amount, quantity FROM sales WHERE {_OWN} AND date >= $start AND date <= $end) "
    f"AS s JOIN (SELECT product_id, product FROM products WHERE {_OWN}) AS p ON p.product_id = s.product_id "
    "WHERE p.product IN ({names}) GROUP BY s.customer_id"
)


@dataclass(frozen=True)
class Account:
    """One customer with what was asked about it."""

    customer: str
    customer_type: str
    region: str
    specialty: str | None
    grade: str | None
    rep: str | None
    team: str | None
    branch: str | None
    sales: int
    before: int
    last_visit: date | None
    visits: int
    products: str
    of_product: int

    @property
    def change(self) -> float | None:
        return (self.sales - self.before) / self.before if self.before else None


@dataclass(frozen=True)
class Span:
    """The days that figures are of, and those they are compared with."""

    start: date
    end: date

    @property
    def year_before(self) -> "Span":
        return Span(add_months(self.start, -12), add_months(self.end, -12))

    @property
    def before(self) -> "Span":
        days = (self.end - self.start).days + 1
        return Span(self.start - timedelta(days=days), self.start - timedelta(days=1))

    @property
    def words(self) -> str:
        return f"{self.start} ~ {self.end}"


def span_of(request: AccountRequest, today: date) -> Span:
    """The period that was said, else the last three months up to today."""
    period = request.get("period")
    if period:
        return Span(date.fromisoformat(period["from"]), min(date.fromisoformat(period["to"]), today))
    return Span(add_months(today, -RECENT_MONTHS) + timedelta(days=1), today)


def accounts(request: AccountRequest, warehouse: Warehouse, company_id: str, today: date) -> list[Account]:
    """The customers that the request is about, those that buy most first."""
    span = span_of(request, today)
    other = span.year_before if request.get("yearly") and request["kind"] == "falling" else span.before
    values: dict[str, Any] = {
        "start": span.start, "end": span.end, "before_start": other.start, "before_end": other.end,
    }  # fmt: skip
    visits = " UNION ALL ".join(
        f"SELECT customer_id, date FROM {table} WHERE {_OWN}" for table in warehouse.archive.tables("visits")
    )
    wheres = [condition(one, values) for one in request.get("filters") or ()]
    if part := request.get("name_part"):
        values["part"] = part
        wheres.append("CONTAINS(c.customer, $part)")
    used, unused = request.get("uses") or [], request.get("uses_not") or []
    joins = ""
    for alias, names in (("u", used), ("x", unused)):
        if names:
            for number, name in enumerate(names):
                values[f"{alias}{number}"] = name
            listed = ", ".join(f"${alias}{number}" for number in range(len(names)))
            joins += (
                f" LEFT JOIN ({_OF_PRODUCT.format(names=listed)}) AS {alias} ON {alias}.customer_id = c.customer_id"
            )
    wheres += ["u.quantity > $least"] if used else []
    values |= {"least": request.get("least") or 0} if used else {}
    wheres += ["COALESCE(x.amount, 0) <= 0"] if unused else []
    sql = (
        "SELECT c.customer, c.customer_type, c.region, c.specialty, c.grade, r.rep, r.team, r.branch, "
        "COALESCE(n.amount, 0), COALESCE(b.amount, 0), v.last, COALESCE(v.visits, 0), COALESCE(p.products, ''), "
        f"{'COALESCE(u.amount, 0)' if used else '0'} "
        "FROM (SELECT customer_id, customer, customer_type, region, specialty, grade, rep_id FROM customers "
        f"WHERE {_OWN}) AS c "
        f"LEFT JOIN (SELECT rep_id, rep, team, branch FROM reps WHERE {_OWN}) AS r ON r.rep_id = c.rep_id "
        f"LEFT JOIN ({_BOUGHT.format(start='start', end='end')}) AS n ON n.customer_id = c.customer_id "
        f"LEFT JOIN ({_BOUGHT.format(start='before_start', end='before_end')}) AS b ON b.customer_id = c.customer_id "
        "LEFT JOIN (SELECT w.customer_id, MAX(w.date) AS last, "
        "COUNT(*) FILTER (WHERE w.date >= $start AND w.date <= $end) AS visits "
        f"FROM ({visits}) AS w GROUP BY w.customer_id) AS v ON v.customer_id = c.customer_id "
        f"LEFT JOIN ({_PRODUCTS}) AS p ON p.customer_id = c.customer_id{joins}"
        f"{' WHERE ' + ' AND '.join(wheres) if wheres else ''} "
        f"ORDER BY {'u.amount' if used else 'n.amount'} DESC NULLS LAST, c.customer"
    )
    rows = warehouse.run(company_id, today, sql, values, most=MOST).rows
    found = [Account(*row) for row in rows]
    lacking = request.get("lacking") or []
    if lacking:
        found = [one for one in found if any(getattr(one, name) in (None, "", "미지정") for name in lacking)]
    if request.get("unvisited"):
        found = [one for one in found if not one.visits]
    return found


def condition(one: Filter, values: dict[str, Any]) -> str:
    """A filter on a column of the customer or the rep, its values as parameters."""
    column = _COLUMNS[one["field"]]
    many = one["value"] if isinstance(one["value"], list) else [one["value"]]
    names = []
    for value in many:
        names.append(f"f{len(values)}")
        values[names[-1]] = value
    listed = ", ".join(f"${name}" for name in names)
    return f"COALESCE({column}, '') {'NOT IN' if one['op'] == 'ne' else 'IN'} ({listed})"


def monthly_sales(warehouse: Warehouse, company_id: str, customer: str, today: date) -> list[tuple[str, int]]:
    """What a customer bought in each of the last months, the running one among them."""
    first = add_months(today.replace(day=1), 1 - MONTHLY)
    sql = (
        "SELECT STRFTIME(s.date, '%Y-%m'), SUM(s.amount) FROM (SELECT customer_id, date, amount FROM sales "
        f"WHERE {_OWN} AND date >= $start AND date <= $end) AS s "
        f"JOIN (SELECT customer_id, customer FROM customers WHERE {_OWN}) AS c ON c.customer_id = s.customer_id "
        "WHERE c.customer = $customer GROUP BY 1 ORDER BY 1"
    )
    rows = warehouse.run(company_id, today, sql, {"start": first, "end": today, "customer": customer}).rows
    known = {str(month): int(amount) for month, amount in rows}
    months = [add_months(first, number).strftime("%Y-%m") for number in range(MONTHLY)]
    return [(month, known.get(month, 0)) for month in months]


def product_sales(warehouse: Warehouse, company_id: str, customer: str, span: Span) -> list[tuple[str, int, int]]:
    """What a customer bought of each product, and before."""
    sql = (
        "SELECT p.product, SUM(CASE WHEN s.date >= $start THEN s.amount ELSE 0 END) AS now, "
        "SUM(CASE WHEN s.date < $start THEN s.amount ELSE 0 END) AS before FROM "
        f"(SELECT customer_id, product_id, date, amount FROM sales WHERE {_OWN} AND date >= $first AND date <= $end) "
        f"AS s JOIN (SELECT customer_id, customer FROM customers WHERE {_OWN}) AS c ON c.customer_id = s.customer_id "
        f"JOIN (SELECT product_id, product FROM products WHERE {_OWN}) AS p ON p.product_id = s.product_id "
        "WHERE c.customer = $customer GROUP BY p.product ORDER BY now DESC, before DESC"
    )
    values = {"start": span.start, "end": span.end, "first": span.before.start, "customer": customer}
    return [(str(a), int(b), int(c)) for a, b, c in warehouse.run(company_id, span.end, sql, values).rows]


def last_visits(warehouse: Warehouse, company_id: str, customer: str, today: date) -> list[tuple[date, str, str]]:
    """The last visits to a customer: day, who, what for."""
    source = " UNION ALL ".join(
        f"SELECT customer_id, rep_id, date, purpose FROM {table} WHERE {_OWN}"
        for table in warehouse.archive.tables("visits")
    )
    sql = (
        f"SELECT v.date, COALESCE(r.rep, ''), COALESCE(v.purpose, '') FROM ({source}) AS v "
        f"JOIN (SELECT customer_id, customer FROM customers WHERE {_OWN}) AS c ON c.customer_id = v.customer_id "
        f"LEFT JOIN (SELECT rep_id, rep FROM reps WHERE {_OWN}) AS r ON r.rep_id = v.rep_id "
        "WHERE c.customer = $customer ORDER BY v.date DESC LIMIT 3"
    )
    return [(a, str(b), str(c)) for a, b, c in warehouse.run(company_id, today, sql, {"customer": customer}).rows]


def covered(found: Sequence[Account]) -> list[tuple[str, int, int]]:
    """Of each rep's customers how many were visited in the period; most customers first."""
    reps: dict[str, list[Account]] = {}
    for one in found:
        reps.setdefault(one.rep or "담당자 없음", []).append(one)
    rows = [(name, len(many), sum(bool(one.visits) for one in many)) for name, many in reps.items()]
    return sorted(rows, key=lambda row: -row[1])


def ranked(found: Sequence[Account], today: date) -> list[tuple[Account, list[str]]]:
    """Customers by how much speaks for going there, with the reasons as figures."""
    order = sorted(found, key=lambda one: -one.sales)
    top = {one.customer: place for place, one in enumerate(order, 1)}
    scored = []
    for one in found:
        reasons, score = [f"최근 매출 {one.sales:,}원({top[one.customer]}위)"], 3.0 / top[one.customer]
        if one.grade == "A":
            reasons.append("A등급")
            score += 0.6
        if one.change is not None and one.change <= _FALL and one.before > _MATTERS:
            reasons.append(f"직전 같은 기간보다 {one.change:.0%}")
            score += min(1.0, (one.before - one.sales) / (order[0].sales or 1) + 0.3)
        days = (today - one.last_visit).days if one.last_visit else None
        if days is None:
            reasons.append("방문 기록 없음")
            score += 0.6
        elif days >= _LONG:
            reasons.append(f"마지막 방문 {one.last_visit}({days}일 전)")
            score += min(0.8, days / 120)
        scored.append((score, one, reasons))
    return [(one, reasons) for _, one, reasons in sorted(scored, key=lambda item: -item[0])]


_FALL, _MATTERS, _LONG = -0.2, 300_000, 30
