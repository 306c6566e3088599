"""DataAnalysis: a meaning computed over the company's sales data."""

import asyncio

from madang.assistants.works.services import WorksServices
from madang.assistants.works.state.agents import DataAnalysisAgentState, FurtherResult
from madang.assistants.works.state.documents import AnalysisView
from madang.assistants.works.state.semantic_query import Filter, SemanticQuery
from madang.assistants.works.tools import quality
from madang.assistants.works.tools.analysis import Analysis, analyse
from madang.assistants.works.tools.analysis_text import (
    answer_words,
    finding_words,
    heading,
    period_words,
    result_words,
    table_words,
)
from madang.assistants.works.tools.charts import chart_of
from madang.assistants.works.tools.query_notes import noted_queries
from madang.graph import Context, Reads, Writes, agent
from madang.graph.fingerprint import digest
from madang.text.normalise import jamo_distance

RAW_ROWS = 200
OTHER_ROWS = 200
LETTER = 1
"""Letters that a misspelling may differ by."""
TABLES = ("sales", "targets", "visits", "customers", "reps", "products", "seminars", "benefits")


class AnalysisRequest(Reads):
    analysis_query: SemanticQuery
    further_queries: list[SemanticQuery] | None
    analysis_view: AnalysisView | None
    company_id: str


class AnalysisResult(Writes):
    data_analysis: DataAnalysisAgentState


@agent(name="DataAnalysisAgent", task="판매 자료 분석", today=True, data=("sales", "archive"), timeout=60, retries=1)
async def data_analysis(asked: AnalysisRequest, ctx: Context[WorksServices]) -> AnalysisResult:
    """Compute the question. On a second attempt names that aren't in the data are tried with the nearest ones."""
    query, company = asked.analysis_query, asked.company_id
    warehouse, today = ctx.services.warehouse, ctx.today
    with noted_queries() as queries:
        result = await asyncio.to_thread(analyse, query, warehouse, company, today)
        state = describe(result, asked.analysis_view or {})
        further = [
            await asyncio.to_thread(analyse, other, warehouse, company, today) for other in asked.further_queries or ()
        ]
        state["processed_data"]["further"] = [beside(other) for other in further]
        if ctx.step.get("attempts") and (nearby := with_nearest(query, result)):
            other = await asyncio.to_thread(analyse, nearby, warehouse, company, today)
            state["processed_data"]["alternative"] = {
                "heading": heading(other),
                "answer": result_words(other),
                "rows": other.rows[:OTHER_ROWS],
            }
    ctx.usage["db_queries"] = len(queries)
    state["resource_usage"] = {"rows_read": len(result.rows), "db_queries": len(queries)}
    ctx.source(
        "data_analysis",
        tool="semantic_layer",
        source=f"판매 자료 {result.data_version}",
        as_of=today.isoformat(),
        note="가상의 표본 회사" if result.sample else None,
    )
    return {"data_analysis": state}


def beside(result: Analysis) -> FurtherResult:
    """The answer to another question of the same message."""
    return {
        "heading": heading(result), "answer": answer_words(result), "columns": result.columns,
        "rows": result.rows[:OTHER_ROWS],
    }  # fmt: skip


def describe(result: Analysis, view: AnalysisView) -> DataAnalysisAgentState:
    """The agent's state from a computed question."""
    chart = chart_of(result)
    checks = quality.of_analysis(result)
    return {
        "generated_queries": [result.compiled.sql],
        "query_execution_plans": [result.plan] if result.plan else [],
        "raw_data": result.rows[:RAW_ROWS],
        "processed_data": {
            "heading": heading(result),
            "answer": answer_words(result, view),
            "sentence": finding_words(result, view),
            "table": table_words(result.columns, result.rows, 12) if result.query["dimensions"] else "",
            "period": period_words(result.compiled.period),
            "compare_period": period_words(result.compiled.compare_period) if result.compiled.compare_period else None,
            "columns": result.columns,
            "row_count": len(result.rows),
            "truncated": result.truncated,
            "unknown": result.unknown,
            "notes": result.compiled.notes,
            "tables": [name for name in TABLES if f"FROM {name} " in result.compiled.sql],
            "data_version": result.data_version,
            "sample": result.sample,
        },
        "statistics": result.statistics,
        "visualizations": [chart] if chart else [],
        "cache_key": digest([result.compiled.sql, result.compiled.parameters, result.data_version]),
        "cache_hit": result.cached,
        "confidence_score": quality.score(checks),
        "quality_checks": checks,
    }


def _is_misspelt(name: str, known: str) -> bool:
    same_digits = [c for c in name if c.isdecimal()] == [c for c in known if c.isdecimal()]
    return same_digits and jamo_distance(name, known, LETTER) <= LETTER


def with_nearest(query: SemanticQuery, result: Analysis) -> SemanticQuery | None:
    """The question with each unknown name replaced by the one it is a misspelling of, if there is one for each: figures
    of another branch that merely sounds alike answer another question."""
    nearest = {(one["field"], one["value"]): one["nearest"] for one in result.unknown}
    if not nearest or any(v is None or not _is_misspelt(name, v) for (_, name), v in nearest.items()):
        return None
    filters: list[Filter] = []
    for one in query["filters"]:
        field, value = one["field"], one["value"]
        if isinstance(value, list):
            filters.append({**one, "value": [nearest.get((field, str(v)), v) for v in value]})
        else:
            filters.append({**one, "value": nearest.get((field, str(value)), value)})
    return {**query, "filters": filters}
