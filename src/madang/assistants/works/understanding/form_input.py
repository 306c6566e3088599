"""The parts of a sales question as a form: what was read stands there, and a filled form is a question."""

from typing import Any, cast

from madang.assistants.works.state.semantic_query import Asked, SemanticQuery
from madang.graph.inputs import Input
from madang.state.fields import Range

TASKS = {
    "analysis": "판매 자료 질문", "why": "증감 원인", "show": "결과를 다른 모양으로", "document": "문서 작성",
    "edit": "문서 고치기", "check": "규정 검토", "search": "자료·규정 찾기", "store": "보관",
}  # fmt: skip
COMPARES = (
    ("yoy", "전년 동기 대비"), ("mom", "전월 대비"), ("qoq", "전분기 대비"), ("wow", "전주 대비"),
    ("vs_target", "목표 대비"),
)  # fmt: skip
ENTITIES = (
    "region",
    "branch",
    "team",
    "rep",
    "customer",
    "customer_type",
    "grade",
    "specialty",
    "product",
    "product_class",
)
SEPARATOR = " ~ "
# The labels of the semantic layer; a test holds them together. Importing an assistant reads no data.
METRICS = {
    "sales_amount": "매출", "quantity": "판매 수량", "target_amount": "목표", "achievement_rate": "달성률",
    "growth_rate": "증감률", "sales_share": "매출 비중", "visit_count": "방문 횟수", "last_visit_date": "마지막 방문일",
    "new_customer_count": "신규 거래처 수", "avg_order_amount": "평균 주문 금액", "seminar_count": "제품설명회 횟수",
    "attendee_count": "참석자 수", "promo_cost": "판촉비", "seminar_cost": "제품설명회 비용",
    "cost_per_attendee": "참석자 1인당 비용",
}  # fmt: skip
DIMENSIONS = {
    "date": "일자", "month": "월", "quarter": "분기", "year": "연도", "region": "지역", "branch": "지점", "team": "팀",
    "rep": "담당자", "customer": "거래처", "customer_type": "거래처 유형", "grade": "등급", "specialty": "진료과",
    "product": "제품", "product_class": "제품군",
}  # fmt: skip


def inputs() -> tuple[Input, ...]:
    """Everything that can be told in a sales question."""
    metrics, dimensions, serves = tuple(METRICS.items()), tuple(DIMENSIONS.items()), ("analysis", "why", "show")
    return (
        Input(path="asked.metrics", title="지표", kind="choice", choices=metrics, many=True, serves=serves),
        Input(path="asked.dimensions", title="나누기", kind="choice", choices=dimensions, many=True, serves=serves),
        Input(path="asked.period", title="기간", kind="dates", help="2026-10-01 ~ 2026-10-31", serves=serves),
        Input(path="asked.compare", title="비교", kind="choice", choices=COMPARES, serves=serves),
        *(Input(path=f"asked.{name}", title=DIMENSIONS[name], many=True, serves=serves) for name in ENTITIES),
        Input(
            path="asked.sort",
            title="정렬",
            kind="choice",
            choices=(("desc", "큰 순"), ("asc", "작은 순")),
            serves=serves,
        ),
        Input(path="asked.limit", title="개수", kind="count", limits=Range(1, 1000), serves=serves),
    )


def asked_of(query: SemanticQuery) -> Asked:
    """A meaning as the fields of the form."""
    period, compare, sort = query["period"], query["compare"], query["sort"]
    asked: dict[str, Any] = {
        "metrics": list(query["metrics"]), "dimensions": list(query["dimensions"]),
        "period": f"{period['from']}{SEPARATOR}{period['to']}" if period else None,
        "compare": compare["type"] if compare and compare["type"] != "period" else None,
        "sort": sort["order"] if sort else None, "limit": query["limit"],
    }  # fmt: skip
    for name in ENTITIES:
        named = [f["value"] for f in query["filters"] if f["field"] == name and f["op"] in {"eq", "in"}]
        values = [v for value in named for v in (value if isinstance(value, list) else [value])]
        asked[name] = [str(value) for value in values] or None
    return cast(Asked, asked)


def query_of(asked: Asked) -> SemanticQuery | None:
    """The question that a filled form asks; None when nothing is in it."""
    given = {name: value for name, value in asked.items() if value not in (None, [], "")}
    if not given:
        return None
    filters = [
        {"field": name, "op": "eq" if len(values) == 1 else "in", "value": values[0] if len(values) == 1 else values}
        for name in ENTITIES
        if (values := cast(list[str], given.get(name) or []))
    ]
    metrics = given.get("metrics") or ["sales_amount"]
    start, _, end = str(given.get("period") or "").partition(SEPARATOR)
    query = {
        "kind": "query", "metrics": metrics, "dimensions": given.get("dimensions") or [], "filters": filters,
        "period": {"from": start, "to": end or start} if start else None,
        "compare": {"type": given["compare"], "period": None} if "compare" in given else None,
        "sort": {"by": cast(list[str], metrics)[0], "order": given["sort"]} if "sort" in given else None,
        "limit": given.get("limit"),
    }  # fmt: skip
    return cast(SemanticQuery, query)
