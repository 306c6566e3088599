"""An independent computation of a meaning, in plain Python over plain rows."""

from collections import defaultdict
from collections.abc import Mapping
from datetime import date
from typing import Any

Rows = Mapping[str, list[dict[str, Any]]]
SOURCES = {
    "sales_amount": ("sales", "date", "amount"),
    "quantity": ("sales", "date", "quantity"),
    "target_amount": ("targets", "date", "amount"),
    "visit_count": ("visits", "date", None),
    "new_customer_count": ("customers", "registered_on", None),
    "seminar_count": ("seminars", "date", None),
    "attendee_count": ("seminars", "date", "attendee_count"),
    "promo_cost": ("benefits", "date", "amount"),
}


def totals(
    rows: Rows, metric: str, dimensions: list[str], filters: list[dict[str, Any]], start: date, end: date
) -> dict[tuple[Any, ...], float]:
    """Sum of a metric by group over `start` to `end`."""
    table, when, what = SOURCES[metric]
    reps = {r["rep_id"]: r for r in rows["reps"]}
    customers = {c["customer_id"]: c for c in rows["customers"]}
    products = {p["product_id"]: p for p in rows["products"]}
    first = start.replace(day=1) if table == "targets" else start
    found: dict[tuple[Any, ...], float] = defaultdict(float)
    for row in rows[table]:
        if not first <= row[when] <= end:
            continue
        known = {**reps.get(row.get("rep_id"), {}), **products.get(row.get("product_id"), {})}
        known |= customers.get(row.get("customer_id"), {})
        known |= {"year": f"{row[when]:%Y}", "month": f"{row[when]:%Y-%m}", "date": row[when].isoformat()}
        known["quarter"] = f"{row[when]:%Y}-Q{(row[when].month + 2) // 3}"
        if all(_fits(known.get(f["field"]), f) for f in filters):
            key = tuple(known.get(d) if known.get(d) is not None else "미지정" for d in dimensions)
            found[key] += 1 if what is None else row[what]
    return dict(found)


def _fits(value: Any, one: dict[str, Any]) -> bool:
    value = "미지정" if value is None else value
    wanted = one["value"]
    if one["op"] == "in":
        return value in wanted
    return bool(value == wanted if one["op"] == "eq" else value != wanted)
