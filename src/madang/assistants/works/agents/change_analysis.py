"""ChangeAnalysis: why a figure moved, as contributions of product, customer, rep and branch."""

import asyncio

from madang.assistants.works.services import WorksServices
from madang.assistants.works.state.agents import ChangeAnalysisAgentState, Contribution
from madang.assistants.works.state.documents import AnalysisView
from madang.assistants.works.state.semantic_query import SemanticQuery
from madang.assistants.works.tools import quality
from madang.assistants.works.tools.analysis_text import period_words
from madang.assistants.works.tools.decomposition import MOST, Decomposition, decompose
from madang.assistants.works.tools.decomposition_text import change_chart, change_heading, change_words
from madang.assistants.works.tools.query_notes import noted_queries
from madang.graph import Context, Reads, Writes, agent


class ChangeRequest(Reads):
    why_query: SemanticQuery
    analysis_view: AnalysisView | None
    company_id: str


class ChangeResult(Writes):
    change_analysis: ChangeAnalysisAgentState


@agent(name="ChangeAnalysisAgent", task="증감 분해", today=True, data=("sales", "archive"), timeout=60, retries=1)
async def change_analysis(asked: ChangeRequest, ctx: Context[WorksServices]) -> ChangeResult:
    """Split the change between two periods by each dimension that the data has for it."""
    with noted_queries() as queries:
        falls = bool((asked.analysis_view or {}).get("falls"))
        found = await asyncio.to_thread(
            decompose, asked.why_query, ctx.services.warehouse, asked.company_id, ctx.today, falls=falls
        )
    ctx.usage["db_queries"] = len(queries)
    ctx.source(
        "change_analysis",
        tool="decomposition",
        source=f"판매 자료 {found.whole.data_version}",
        as_of=ctx.today.isoformat(),
        note="가상의 표본 회사" if found.whole.sample else None,
    )
    state = describe(found)
    state["resource_usage"] = {"rows_read": sum(map(len, found.parts.values())), "db_queries": len(queries)}
    return {"change_analysis": state}


def describe(found: Decomposition) -> ChangeAnalysisAgentState:
    """The agent's state from a decomposition."""
    compiled, chart = found.whole.compiled, change_chart(found)
    checks = {**quality.of_analysis(found.whole), "explained": _explained(found)}
    return {
        "metric": found.metric,
        "heading": change_heading(found),
        "answer": change_words(found),
        "period": period_words(compiled.period),
        "compare_period": period_words(compiled.compare_period),
        "before": found.before,
        "after": found.after,
        "change": found.change,
        "effects": {"volume": found.effects.volume, "price": found.effects.price} if found.effects else None,
        "contributions": [one for parts in found.parts.values() for one in parts[:MOST]],
        "visualizations": [chart] if chart else [],
        "generated_queries": list(found.queries),
        "data_version": found.whole.data_version,
        "confidence_score": quality.score(checks),
        "quality_checks": checks,
    }


def _explained(found: Decomposition) -> float:
    """Whether the parts of each dimension sum up to the whole change."""
    if not found.parts:
        return 0.0

    def fits(parts: list[Contribution]) -> bool:
        return abs(sum(one["change"] for one in parts) - found.change) < 1

    return sum(map(fits, found.parts.values())) / len(found.parts)
