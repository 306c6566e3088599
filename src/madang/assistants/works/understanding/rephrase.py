"""Where a model may help with a question: saying an unclear one plainly, for the same rules to read."""

from functools import cache

from pydantic import BaseModel, Field

from madang.assistants.works.data.semantics import semantics
from madang.assistants.works.services import WorksServices
from madang.assistants.works.state import GlobalSessionState
from madang.assistants.works.tools.lexicon import Lexicon
from madang.assistants.works.understanding.question import Understood, read_question
from madang.graph import TurnContext
from madang.llm import Budget, CallPoint, read_prompt
from madang.text.numbers import find_numbers

UNSURE = 0.5


class PlainQuestion(BaseModel):
    """The question in words that the rules read."""

    question: str = Field(max_length=300)


@cache
def rephrase_point() -> CallPoint[PlainQuestion]:
    """Says an unclear message plainly. Its twin leaves it as it is."""
    return CallPoint(
        name="works.rephrase",
        prompt=read_prompt("madang.assistants.works", "prompts/rephrase.md"),
        schema=PlainQuestion,
        inputs=("metrics", "dimensions", "today", "previous", "message"),
        twin=lambda inputs: PlainQuestion(question=str(inputs["message"])[:300]),
        budget=Budget(1500, 200),
        timeout=10.0,
    )


async def read_again(
    ctx: TurnContext[WorksServices], text: str, ours: Understood, lexicon: Lexicon, state: GlobalSessionState
) -> Understood:
    """A model's plainer wording, read by the same rules; ours when it is sure, or when the model's doesn't hold.

    Refusals are never read again, and a number that the user didn't say is not accepted.
    """
    if not getattr(ctx.models, "configured", False) or not _unsure(ours):
        return ours
    layer = semantics()
    inputs = {
        "metrics": ", ".join(m.label for m in layer.metrics.values()),
        "dimensions": ", ".join(d.label for d in layer.dimensions.values()),
        "today": ctx.today.isoformat(),
        "previous": str((state.get("query_analyzer_state") or {}).get("raw_query") or ""),
        "message": text,
    }
    outcome = await ctx.call(rephrase_point(), inputs)
    said = outcome.value.question
    if outcome.source != "model" or not _only_said_numbers(said, text):
        return ours
    again = read_question(said, lexicon, ctx.today, state.get("last_query"))
    return again if again.query["kind"] == "query" and (again.confidence or 0) >= (ours.confidence or 0) else ours


def _unsure(reading: Understood) -> bool:
    kind, sure = reading.query["kind"], reading.confidence
    return kind == "clarify" or (kind == "other_agent" and not reading.wishes) or (sure is not None and sure < UNSURE)


def _only_said_numbers(said: str, text: str) -> bool:
    return {n.value for n in find_numbers(said)} <= {n.value for n in find_numbers(text)}
