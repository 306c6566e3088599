"""A declared, bounded loop: after each round of steps a model reads what was found and chooses more, or ends it.

Each choice is a step of the plan like any other: within the agent's walls, recorded, with its source, and open to skip.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel, Field, create_model

from madang.graph.model.prompt import plain, text_of
from madang.graph.model.understand import leads

if TYPE_CHECKING:
    from collections.abc import Callable

    from madang.graph.assistant import Assistant, Revision
    from madang.graph.context import TurnContext
    from madang.llm import CallPoint

State = Mapping[str, Any]
TOKENS = (24_000, 2_000)


@dataclass(frozen=True, kw_only=True)
class Loop:
    """Which questions it is for (kinds of acts), what one step of it says, how often it may go on.

    `step` is the type of a step; `more` makes steps of the plan of those a model chose, checked.
    """

    kinds: frozenset[str]
    step: type[BaseModel]
    more: "Callable[[Any, TurnContext[Any], list[Mapping[str, Any]]], Revision | None]"
    rounds: int = 4


def use_text(assistant: "Assistant") -> str:
    """What the assistant tells a model that goes on looking: its `prompts/explore.md`."""
    assert assistant.model is not None
    return text_of(assistant.model.package, "explore.md")


def explore_point(assistant: "Assistant", loop: Loop) -> "CallPoint[Any]":
    """The call point of a round. Without a model the loop ends."""
    from madang.llm import Budget, CallPoint, Prompt

    schema = create_model(
        "Round",
        enough=(bool, Field(description="이제 답할 수 있으면 true")),
        steps=(list[loop.step], Field(default_factory=list, max_length=4)),  # type: ignore[name-defined]
    )
    user = "오늘: {today}\n\n질문:\n<message>\n{message}\n</message>\n\n지금까지 찾은 것:\n<근거>\n{evidence}\n</근거>"
    return CallPoint(
        name=f"{assistant.name}.explore",
        prompt=Prompt(user=user, system=use_text(assistant), name=f"{assistant.name}.explore"),
        schema=schema,
        inputs=("today", "message", "evidence"),
        twin=lambda _inputs: schema(enough=True),
        budget=Budget(*TOKENS),
        timeout=30.0,
    )


async def explore(assistant: "Assistant", state: State, context: "TurnContext[Any]") -> "Revision | None":
    """The further steps that a model asks for, or None: enough was found, the rounds are used up, no model leads."""
    use = assistant.model
    loop = use.loop if use else None
    if use is None or loop is None or not leads(assistant, context) or context.budget.failed is not None:
        return None
    if state.get("rounds", 0) >= loop.rounds or not _wanted(loop, state):
        return None
    from madang.graph.assistant import Answer
    from madang.llm.sentences import as_evidence

    found = use.evidence(await context.whole(state), context, Answer(answer=""))
    inputs = {
        "today": context.today.isoformat(),
        "message": plain(state.get("query") or ""),
        "evidence": plain("\n".join(as_evidence(fact) for fact in found.facts)) or "(없음)",
    }
    outcome = await context.call(explore_point(assistant, loop), inputs)
    if outcome.source != "model" or outcome.value.enough or not outcome.value.steps:
        return None
    return loop.more(state, context, [step.model_dump(by_alias=True) for step in outcome.value.steps])


def _wanted(loop: Loop, state: State) -> bool:
    asked = (state.get("understood") or {}).get("asked") or ()
    return any(one["kind"] in loop.kinds or one["task"] in loop.kinds for one in asked)
