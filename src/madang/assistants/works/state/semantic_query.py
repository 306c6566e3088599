"""What a question over sales data means, independent of its wording and of SQL."""

from typing import Literal

from typing_extensions import TypedDict

QueryKind = Literal["query", "clarify", "unsupported_forecast", "reject_write", "reject_access", "other_agent"]
Metric = Literal[
    "sales_amount", "quantity", "target_amount", "achievement_rate", "growth_rate", "sales_share", "visit_count",
    "last_visit_date", "new_customer_count", "avg_order_amount", "seminar_count", "attendee_count", "promo_cost",
    "seminar_cost", "cost_per_attendee",
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
    """`by` is a metric, a dimension, or of a comparison `<metric>_change`, `_change_rate`, `_difference` (its size)."""

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


class Asked(TypedDict, total=False):
    """The parts of the last question as the form shows them; `period` is "from ~ to"."""

    metrics: list[Metric] | None
    dimensions: list[Dimension] | None
    period: str | None
    compare: CompareType | None
    sort: Literal["asc", "desc"] | None
    limit: int | None
    condition: str | None
    region: list[str] | None
    branch: list[str] | None
    team: list[str] | None
    rep: list[str] | None
    customer: list[str] | None
    customer_type: list[str] | None
    grade: list[str] | None
    specialty: list[str] | None
    product: list[str] | None
    product_class: list[str] | None
