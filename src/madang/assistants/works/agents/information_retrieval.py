"""InformationRetrieval: internal records, archived documents and rules that answer a question."""

import asyncio

from madang.assistants.works.services import WorksServices
from madang.assistants.works.state.agents import InformationRetrievalAgentState
from madang.assistants.works.tools import quality
from madang.assistants.works.tools.query_notes import noted_queries
from madang.assistants.works.tools.retrieval import merge
from madang.graph import Context, Reads, Writes, agent


class RetrievalRequest(Reads):
    search_request: str
    company_id: str


class RetrievalResult(Writes):
    information_retrieval: InformationRetrievalAgentState


@agent(
    name="InformationRetrievalAgent",
    task="내부 자료와 규정 검색",
    today=True,
    data=("archive", "rules", "sales"),
    timeout=30,
    retries=1,
)
async def information_retrieval(asked: RetrievalRequest, ctx: Context[WorksServices]) -> RetrievalResult:
    """Search every source that is set up. A second attempt takes weaker hits too."""
    library, query = ctx.services.library, asked.search_request
    wide = bool(ctx.step.get("attempts"))
    with noted_queries() as queries:
        found = await asyncio.to_thread(library.search, query, asked.company_id, ctx.today, wide=wide)
    merged = merge(found)
    checks = quality.of_search(merged)
    ctx.usage["db_queries"] = len(queries)
    if library.web is not None:
        ctx.usage["api_calls"] = {"naver": 1}
    ctx.source("information_retrieval", tool="hybrid_search", source=", ".join(library.sources))
    return {
        "information_retrieval": {
            "search_queries": [query],
            "search_sources": library.sources,
            "search_results": found,
            "relevance_scores": {hit["id"]: hit["score"] for hit in merged},
            "filtered_results": merged,
            "sources": [
                {"id": hit["id"], "title": hit["title"], "source": hit["source"], "as_of": hit["as_of"]}
                for hit in merged
            ],
            "citations": [hit["citation"] for hit in merged],
            "confidence_score": quality.score(checks),
            "quality_checks": checks,
            "resource_usage": {"rows_read": sum(map(len, found.values())), "db_queries": len(queries)},
        }
    }
