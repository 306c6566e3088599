"""DataAnalysis: a meaning computed over the company's sales data."""

import asyncio
from typing import Any

from madang.assistants.works.state.agents import DataAnalysisAgentState
from madang.assistants.works.state.semantic_query import Filter, SemanticQuery
from madang.assistants.works.tools import quality
from madang.assistants.works.tools.analysis import Analysis, analyse
from madang.assistants.works.tools.analysis_text import answer_words, heading, period_words, result_words
from madang.assistants.works.tools.charts import chart_of
from madang.graph import AgentContext, View, agent
from madang.graph.fingerprint import digest
from madang.graph.views import thaw

RAW_ROWS = 200


@agent(
    name="DataAnalysisAgent",
    team="DataAnalysisAgent",
    reads=("analysis_query", "company_id"),
    writes=("data_analysis",),
    task="판매 자료 분석",
    today=True,
    data=("sales", "archive"),
    timeout=60,
    retries=1,
)
async def data_analysis(work: View, ctx: AgentContext) -> dict[str, Any]:
    """Compute the question. On a second attempt names that aren't in the data are tried with the nearest ones."""
    query: SemanticQuery = thaw(work.analysis_query)
    warehouse, today = ctx.services.warehouse, ctx.today
    result = await asyncio.to_thread(analyse, query, warehouse, work.company_id, today)
    queries = 0 if result.cached else 1
    state = describe(result)
    if ctx.step.get("attempts") and (nearby := with_nearest(query, result)):
        other = await asyncio.to_thread(analyse, nearby, warehouse, work.company_id, today)
        queries += 1
        state["processed_data"]["alternative"] = {
            "heading": heading(other), "answer": result_words(other), "rows": other.rows[:20],
        }  # fmt: skip
    ctx.usage["db_queries"] = queries
    state["resource_usage"] = {"rows_read": len(result.rows), "db_queries": queries}
    ctx.source(
        "data_analysis",
        tool="semantic_layer",
        source=f"판매 자료 {result.data_version}",
        as_of=today.isoformat(),
        note="가상의 표본 회사" if result.sample else None,
    )
    return {"data_analysis": state}


def describe(result: Analysis) -> DataAnalysisAgentState:
    """The agent's state from a computed question."""
    chart = chart_of(result)
    asked = sum(len(f["value"]) if isinstance(f["value"], list) else 1 for f in result.query["filters"])
    in_data = any(
        v is not None and v != 0 for row in result.rows for k, v in row.items() if k in result.query["metrics"]
    )
    checks = quality.of_analysis(
        len(result.rows), asked, len(result.unknown), result.truncated, in_data or _asks_for_nothing(result.query)
    )
    return DataAnalysisAgentState(
        generated_queries=[result.compiled.sql],
        query_execution_plans=[result.plan] if result.plan else [],
        raw_data=result.rows[:RAW_ROWS],
        processed_data={
            "heading": heading(result),
            "answer": answer_words(result),
            "period": period_words(result.compiled.period),
            "compare_period": period_words(result.compiled.compare_period) if result.compiled.compare_period else None,
            "columns": [{"name": c.name, "label": c.label, "unit": c.unit} for c in result.columns],
            "row_count": len(result.rows),
            "truncated": result.truncated,
            "unknown": [{"field": u.field, "value": u.value, "nearest": u.nearest} for u in result.unknown],
            "notes": result.compiled.notes,
            "tables": tables_of(result),
            "data_version": result.data_version,
            "sample": result.sample,
        },
        statistics=result.statistics,
        visualizations=[chart] if chart else [],
        cache_key=digest([result.compiled.sql, result.compiled.parameters, result.data_version]),
        cache_hit=result.cached,
        confidence_score=quality.score(checks),
        quality_checks=checks,
    )


def tables_of(result: Analysis) -> list[str]:
    """The tables that were read."""
    names = ("sales", "targets", "visits", "customers", "reps", "products", "seminars", "benefits")
    return [name for name in names if f"FROM {name} " in result.compiled.sql]


def with_nearest(query: SemanticQuery, result: Analysis) -> SemanticQuery | None:
    """The question with each unknown name replaced by the nearest known one, if there is one for each."""
    nearest = {(u.field, u.value): u.nearest for u in result.unknown}
    if not nearest or any(v is None for v in nearest.values()):
        return None
    filters: list[Filter] = []
    for one in query["filters"]:
        value = one["value"]
        if isinstance(value, list):
            replaced: Any = [nearest.get((one["field"], str(v)), v) for v in value]
        else:
            replaced = nearest.get((one["field"], str(value)), value)
        filters.append({"field": one["field"], "op": one["op"], "value": replaced})
    changed = query.copy()
    changed["filters"] = filters
    return changed


def _asks_for_nothing(query: SemanticQuery) -> bool:
    return any(f["op"] in {"eq", "lt", "lte"} and f["value"] == 0 for f in query["filters"])
