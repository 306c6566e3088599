"""Where a model may help with an answer: summing up its figures."""

from functools import cache

from madang.assistants.works.services import WorksServices
from madang.graph import TurnContext
from madang.llm import Budget, CallPoint, read_prompt, sources_of


@cache
def summary_point() -> CallPoint[str]:
    """A sentence or two over the figures. Its twin adds nothing: the answer already says them."""
    return CallPoint(
        name="works.summary",
        prompt=read_prompt("madang.assistants.works", "prompts/summary.md"),
        schema=str,
        inputs=("query", "draft"),
        twin=lambda _inputs: "",
        budget=Budget(2000, 200),
        timeout=12.0,
    )


async def summary_of(ctx: TurnContext[WorksServices], query: str, draft: str) -> str:
    """A model's summary of an answer, or nothing. Figures that the answer doesn't have are dropped."""
    if not getattr(ctx.models, "configured", False):
        return ""
    outcome = await ctx.call(summary_point(), {"query": query, "draft": draft}, sources=sources_of(draft))
    return outcome.value.strip() if outcome.source == "model" else ""
