"""DataQuery: one more question over the sales data, asked while a change is looked into; its results accumulate."""

import asyncio

from madang.assistants.works.agents.data_analysis import beside
from madang.assistants.works.services import WorksServices
from madang.assistants.works.state.agents import FurtherResult
from madang.assistants.works.state.semantic_query import SemanticQuery
from madang.assistants.works.tools.analysis import analyse
from madang.assistants.works.tools.query_notes import noted_queries
from madang.graph import Argument, Context, Reads, Writes, agent


class QueryRequest(Reads):
    query: Argument[SemanticQuery]
    company_id: str


class QueryResult(Writes):
    query_results: list[FurtherResult]


@agent(
    name="DataQueryAgent",
    task="판매 자료 더 보기",
    today=True,
    data=("sales", "archive"),
    timeout=60,
    retries=1,
    runs=12,
)
async def data_query(asked: QueryRequest, ctx: Context[WorksServices]) -> QueryResult:
    """Compute one question beside the others."""
    with noted_queries() as queries:
        result = await asyncio.to_thread(analyse, asked.query, ctx.services.warehouse, asked.company_id, ctx.today)
    ctx.usage["db_queries"] = len(queries)
    ctx.source(
        "query_results",
        tool="semantic_layer",
        source=f"판매 자료 {result.data_version}",
        as_of=ctx.today.isoformat(),
        note="가상의 표본 회사" if result.sample else None,
    )
    return {"query_results": [beside(result)]}
