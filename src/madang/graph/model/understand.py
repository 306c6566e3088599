"""The first call of a turn: what a model makes of the message, merged with what rules read."""

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from madang.graph.dialogue import read_reply
from madang.graph.model.prompt import history_of, understand_inputs, understand_prompt
from madang.graph.model.reading import ModelReading, read_by_model
from madang.graph.model.schema import SaidReading
from madang.graph.questions import choose
from madang.graph.reading import Heard, Reading

if TYPE_CHECKING:
    from madang.graph.assistant import Assistant, Understanding
    from madang.graph.context import TurnContext
    from madang.llm import CallPoint

State = Mapping[str, Any]
TOKENS = (30_000, 3_000)


def leads(assistant: "Assistant", context: "TurnContext[Any]") -> bool:
    """Whether a model takes part at all."""
    return assistant.model is not None and bool(getattr(context.models, "configured", False))


def needs_no_call(state: State) -> bool:
    """A button, or an exact answer to what was asked: nothing is left to be understood."""
    pending, query = state.get("pending") or {}, (state.get("query") or "").strip()
    if not query:
        return True
    if not pending:
        return False
    choices = list(pending.get("choices") or ())
    if choices and choose(choices, query) is not None and len(query) <= max(map(len, choices)) + 4:
        return True
    reply = read_reply(query, ())
    return reply is not None and reply.kind in {"yes", "no"} and bool(pending.get("then"))


def understand_point(assistant: "Assistant", services: Any) -> "CallPoint[SaidReading]":
    """The call point of an assistant's understanding. It has no answer of its own: without a model rules read."""
    from madang.llm import Budget, CallPoint

    prompt = understand_prompt(assistant, services)
    return CallPoint(
        name=f"{assistant.name}.understand",
        prompt=prompt,
        schema=assistant.reading_schema,
        inputs=tuple(sorted(prompt.placeholders)),
        twin=_nothing,
        budget=Budget(*TOKENS),
        timeout=30.0,
    )


def _nothing(_inputs: Mapping[str, Any]) -> SaidReading:
    return SaidReading(
        language="", intent="", acts=[], claims=[], cleared=[], steps=[], queries=[], keywords=[], ask=None
    )


async def understand(
    assistant: "Assistant", state: State, context: "TurnContext[Any]", heard: Heard
) -> ModelReading | None:
    """The reading that a model leads; None when rules read alone (nothing to ask, or the model failed)."""
    if not leads(assistant, context) or needs_no_call(state):
        return None
    point = understand_point(assistant, context.services)
    outcome = await context.call(point, understand_inputs(assistant, state, context, heard))
    if outcome.source != "model":
        return None
    said, _ = history_of(state)
    earlier = {name: replace_text(heard, text, context) for name, who, text in said if who == "사용자"}
    return read_by_model(assistant, heard, outcome.value, earlier)


def replace_text(heard: Heard, text: str, context: "TurnContext[Any]") -> Any:
    """An earlier message of the user, parsed like the present one."""
    return type(heard.message).read(text, context.today)


def settled(reading: Reading, read: ModelReading) -> Reading:
    """The reading of the turn: words inside what the model answers for are read, the rest is left over."""
    spans = [act["span"] for act in read.heard.acts]
    left = [
        item
        for item in reading["left"]
        if not any(span[0] <= item["span"][0] and item["span"][1] <= span[1] for span in spans)
    ]
    return Reading(acts=reading["acts"], claims=reading["claims"], left=left)


def in_language(understanding: "Understanding", read: ModelReading) -> "Understanding":
    """The understanding with the language of the message and every claim that holds."""
    made = list(understanding.claims)
    made += [claim for claim in read.claims if not any(claim["field"] == one["field"] for one in made)]
    return replace(understanding, update={"language": read.language, **understanding.update}, claims=made)


def record_of(read: ModelReading) -> dict[str, Any]:
    """What the state keeps of a model's reading beside acts and claims."""
    return {
        "intent": read.intent,
        "asked": [
            {"act": one.act, "kind": one.kind, "task": one.task, "restated": one.restated} for one in read.asked()
        ],
        "queries": list(read.queries),
        "keywords": list(read.keywords),
        "steps": [{"agent": agent, "arguments": dict(arguments)} for agent, arguments in read.steps],
        "dropped": list(read.dropped),
    }
