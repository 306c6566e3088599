"""InformationRetrieval: internal records, filed documents and rules that answer a question."""

import asyncio
from typing import Any

from madang.assistants.works.state.agents import InformationRetrievalAgentState
from madang.assistants.works.tools import quality
from madang.assistants.works.tools.retrieval import merge
from madang.graph import AgentContext, View, agent


@agent(
    name="InformationRetrievalAgent",
    team="InformationRetrievalAgent",
    reads=("search_request", "company_id"),
    writes=("information_retrieval",),
    task="내부 자료와 규정 검색",
    today=True,
    data=("archive", "rules", "sales"),
    timeout=30,
    retries=1,
)
async def information_retrieval(work: View, ctx: AgentContext) -> dict[str, Any]:
    """Search every source that is set up. A second attempt takes weaker hits too."""
    library, query = ctx.services.library, str(work.search_request["query"])
    wide = bool(ctx.step.get("attempts"))
    found = await asyncio.to_thread(library.search, query, work.company_id, ctx.today, wide=wide)
    merged = merge(found)
    checks = quality.of_search([one.score for one in merged], len(found), sum(bool(one.citation) for one in merged))
    ctx.usage["db_queries"] = 1
    if library.web is not None:
        ctx.usage["api_calls"] = {"naver": 1}
    ctx.source("information_retrieval", tool="hybrid_search", source=", ".join(library.sources))
    state = InformationRetrievalAgentState(
        search_queries=[query],
        search_sources=library.sources,
        search_results={name: [one.as_dict() for one in items] for name, items in found.items()},
        relevance_scores={one.id: one.score for one in merged},
        filtered_results=[one.as_dict() for one in merged],
        sources=[{"id": one.id, "title": one.title, "source": one.source, "as_of": one.as_of} for one in merged],
        citations=[one.citation for one in merged],
        confidence_score=quality.score(checks),
        quality_checks=checks,
        resource_usage={"rows_read": sum(map(len, found.values())), "db_queries": 1},
    )
    return {"information_retrieval": state}
