"""A declared, bounded loop: after each round of steps a model reads what was found and chooses more, or ends it.

Each choice is a step of the plan like any other: within the agent's walls, recorded, with its source, and open to skip.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from madang.graph.model.outside import offered_to, outside_line, outside_step, with_outside
from madang.graph.model.prompt import as_json, evidence_text, filled, known_inputs, numbered, plain, text_of, tool_line
from madang.graph.model.reading import as_number, numbers_in
from madang.graph.model.schema import AT_ONCE, round_of
from madang.graph.model.understand import leads
from madang.graph.model.use import Tool
from madang.graph.plan import StepRequest
from madang.graph.reasons import excuse
from madang.text.message import Message
from madang.threads import in_thread

if TYPE_CHECKING:
    from madang.graph.assistant import Assistant, Revision
    from madang.graph.context import Offered, TurnContext
    from madang.llm import CallPoint
    from madang.llm.evidence import Evidence

State = Mapping[str, Any]
TOKENS = (24_000, 2_000)


@dataclass(frozen=True, kw_only=True)
class Choice:
    """What a model chose, with what it may be held against."""

    agent: str
    arguments: Mapping[str, Any]
    state: Any
    context: Any
    numbers: frozenset[Fraction]
    """Every number that the user said, that is known or that was found."""

    def knows(self, value: Any) -> bool:
        """Whether a number is one of these, as it is or as a share; what is no number passes."""
        number = as_number(value)
        return number is None or bool(self.numbers & {number, number * 100, number / 100, number * 10_000})


@dataclass(frozen=True, kw_only=True)
class Loop:
    """Which turns it is for, the agents that are its tools, how often it may go on.

    `when` looks at the state once the steps of the plan have ended. `step` makes a step of what a model chose, and None
    of what doesn't hold: a number that nobody said, a name that doesn't exist. `reference` is what arguments may name.
    """

    when: Callable[[Any], bool]
    tools: tuple[Tool, ...]
    step: Callable[[Choice], StepRequest | None]
    rounds: int = 4
    reference: Callable[[Any], str] = lambda _services: ""


def asked_for(state: State) -> set[str]:
    """The kinds and tasks of what the message asks."""
    asked = (state.get("understood") or {}).get("asked") or ()
    return {one[name] for one in asked for name in ("kind", "task")}


def explore_point(assistant: "Assistant", loop: Loop, services: Any, offered: "Offered") -> "CallPoint[Any]":
    """The call point of a round. Without a model the loop ends."""
    from madang.llm import Budget, CallPoint

    assert assistant.model is not None
    lines = [tool_line(assistant, tool.agent, tool.use) for tool in loop.tools]
    lines += [outside_line(tool) for tool in offered.tools]
    stable = {
        "title": assistant.title,
        "about": text_of(assistant.model.package, "explore.md"),
        "tools": "\n".join(lines),
        "reference": f"\n{loop.reference(services)}\n",
    }
    prompt = filled("explore.md", f"{assistant.name}.explore", stable)
    schema = round_of([*((t.agent, t.arguments) for t in loop.tools), *((t.name, t.arguments) for t in offered.tools)])
    return CallPoint(
        name=f"{assistant.name}.explore",
        prompt=prompt,
        schema=schema,
        inputs=tuple(sorted(prompt.placeholders)),
        twin=lambda _inputs: schema(enough=True, steps=[]),
        budget=Budget(*TOKENS),
        timeout=30.0,
    )


def explore_inputs(
    assistant: "Assistant", loop: Loop, state: State, context: "TurnContext[Any]", found: "Evidence"
) -> dict[str, Any]:
    """What a round says of this turn."""
    understood = state.get("understood") or {}
    lost = [s for s in assistant.steps(state) if s["status"] in ("failed", "skipped") and not s.get("reused")]
    not_done = [f"{s['task']}: {excuse(s, state)}" for s in lost] + list(understood.get("not_chosen") or ())
    return {
        "today": context.today.isoformat(),
        "left": str(loop.rounds - state.get("rounds", 0)),
        "message": plain(state.get("query") or ""),
        "asked": plain(numbered([one["restated"] for one in understood.get("asked") or ()])),
        "known": plain(as_json(known_inputs(assistant, state))),
        "failed": plain(as_json(not_done)),
        "evidence": evidence_text(found),
    }


async def explore(assistant: "Assistant", state: State, context: "TurnContext[Any]") -> "Revision | None":
    """The further steps that a model asks for, or None: enough was found, the rounds are used up, no model leads."""
    use = assistant.model
    loop = use.loop if use else None
    if use is None or loop is None or not leads(assistant, context) or context.budget.failed is not None:
        return None
    if state.get("rounds", 0) >= loop.rounds or not loop.when(state):
        return None
    from madang.graph.assistant import Answer, Revision

    whole = await context.whole(state)
    found = with_outside(use.evidence(whole, context, Answer(answer="")), whole)
    if not found.worded:
        return None
    offered = await offered_to(assistant, context)
    lost = [name for name in offered.lost if name not in (state.get("tools_lost") or ())]
    update: dict[str, Any] = {"tools_lost": lost} if lost else {}
    point = explore_point(assistant, loop, context.services, offered)
    outcome = await context.call(point, explore_inputs(assistant, loop, state, context, found))
    chosen = [] if outcome.source != "model" or outcome.value.enough else outcome.value.steps
    steps: list[StepRequest] = []
    if chosen:
        numbers = await in_thread(_numbers, assistant, state, context, found)
        steps, not_chosen = _steps(loop, chosen[:AT_ONCE], offered, Choice(
            agent="", arguments={}, state=whole, context=context, numbers=numbers
        ))  # fmt: skip
        if not_chosen:
            understood = state.get("understood") or {}
            said = [*(understood.get("not_chosen") or ()), *not_chosen]
            update["understood"] = {**understood, "not_chosen": said}
    return Revision(steps=steps, update=update) if steps or update else None


def _steps(loop: Loop, chosen: Iterable[Any], offered: "Offered", blank: Choice) -> tuple[list[StepRequest], list[str]]:
    """The steps that hold, and what was chosen and doesn't."""
    steps: list[StepRequest] = []
    refused: list[str] = []
    for one in chosen:
        given = one.model_dump(by_alias=True)
        name, arguments = given["agent"], given.get("arguments") or {}
        tool = offered.named(name)
        if tool is not None:
            step = outside_step(tool, arguments)
        else:
            choice = Choice(
                agent=name, arguments=arguments, state=blank.state, context=blank.context, numbers=blank.numbers
            )
            step = loop.step(choice)
        if step is None:
            refused.append(f"{name} {as_json(arguments)}"[:300])
        else:
            steps.append(step)
    return steps, refused


def _numbers(
    assistant: "Assistant", state: State, context: "TurnContext[Any]", found: "Evidence"
) -> frozenset[Fraction]:
    """Every number that the user said in this conversation, that is known, or that a fact states."""
    from madang.llm.figures import find_figures

    said = [str(one.text) for one in state.get("messages") or () if one.type == "human"]
    numbers = {n for text in said for n in numbers_in(Message.read(text, context.today))}
    numbers |= {n for value in known_inputs(assistant, state).values() if (n := as_number(value)) is not None}
    stated = (value for fact in found.facts for one in find_figures(fact.text) for value in one.values)
    return frozenset({*numbers, *stated})
