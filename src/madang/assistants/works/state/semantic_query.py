"""What a question over sales data means, independent of its wording and of SQL."""

from typing import Literal

from typing_extensions import TypedDict

QueryKind = Literal["query", "clarify", "unsupported_forecast", "reject_write", "reject_access", "other_agent"]
Metric = Literal[
    "sales_amount", "quantity", "target_amount", "achievement_rate", "growth_rate", "sales_share", "visit_count",
    "last_visit_date", "new_customer_count", "avg_order_amount", "seminar_count", "attendee_count", "promo_cost",
]  # fmt: skip
Dimension = Literal[
    "date", "month", "quarter", "year", "region", "branch", "team", "rep", "customer", "customer_type", "grade",
    "specialty", "product", "product_class",
]  # fmt: skip
CompareType = Literal["yoy", "qoq", "mom", "wow", "vs_target", "period"]
FilterValue = str | int | float | bool | None

Period = TypedDict("Period", {"from": str, "to": str})
"""Dates, both included."""


class Filter(TypedDict):
    """Rates are fractions: 0.8 is 80 %."""

    field: str
    op: str
    value: FilterValue | list[FilterValue]


class Compare(TypedDict):
    """`period` is what is compared with, when the type doesn't say it."""

    type: CompareType
    period: Period | None


class Sort(TypedDict):
    by: str
    order: Literal["asc", "desc"]


class SemanticQuery(TypedDict):
    """One question. Null means that the question says nothing about it."""

    kind: QueryKind
    metrics: list[Metric]
    dimensions: list[Dimension]
    filters: list[Filter]
    period: Period | None
    compare: Compare | None
    sort: Sort | None
    limit: int | None
