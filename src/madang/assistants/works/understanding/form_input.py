"""The parts of a sales question as a form: what was read stands there, and a filled form is a question."""

from typing import Any, cast

from madang.assistants.works.data.semantics import semantics
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


def inputs() -> tuple[Input, ...]:
    """Everything that can be told in a sales question."""
    layer = semantics()
    metrics = tuple((name, one.label) for name, one in layer.metrics.items())
    dimensions = tuple((name, one.label) for name, one in layer.dimensions.items())
    serves = ("analysis", "why", "show")
    return (
        Input(path="asked.metrics", title="지표", kind="choice", choices=metrics, many=True, serves=serves),
        Input(path="asked.dimensions", title="나누기", kind="choice", choices=dimensions, many=True, serves=serves),
        Input(path="asked.period", title="기간", kind="dates", help="2026-10-01 ~ 2026-10-31", serves=serves),
        Input(path="asked.compare", title="비교", kind="choice", choices=COMPARES, serves=serves),
        *(
            Input(path=f"asked.{name}", title=layer.dimensions[name].label, many=True, serves=serves)
            for name in ENTITIES
        ),
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
