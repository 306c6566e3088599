"""Running one step: the agent's function behind its walls."""

import time
from collections.abc import Mapping
from typing import Any

from langgraph.errors import NodeTimeoutError
from langgraph.types import Command

from madang.errors import AgentError, FieldProblem, InvalidInput, InvalidState
from madang.graph.agent import Agent, NeedsInput
from madang.graph.assistant import Assistant, nest
from madang.graph.context import Context, TurnContext
from madang.graph.fingerprint import fingerprint
from madang.graph.frozen import thaw
from madang.graph.plan import key_of
from madang.graph.records import Update, combine, new_record
from madang.graph.state import Failure, Question, Source
from madang.state.steps import summarise, transition_step
from madang.state.validation import validate_update
from madang.texts import say

Task = Mapping[str, Any]


async def run_step(assistant: Assistant, agent: Agent, task: Task, context: TurnContext) -> Update:
    """Run the agent on what it declared to read and return what it declared to write.

    Raises `UndeclaredRead` or `UndeclaredWrite`, naming agent and field, and whatever the function raises.
    """
    began = time.perf_counter()
    arguments = task["step"].get("arguments") or {}
    request = agent.request_from(await context.whole(task["reads"]), arguments)
    beside = Context(turn=context, step=task["step"], answers=task["answers"])
    returned = await agent.function(request, beside)
    if isinstance(returned, NeedsInput):
        return _asking(assistant, task, returned, _spent(task, began))
    written = _checked(assistant, agent, thaw(agent.written(returned)))
    writes = await context.small(written)
    summary = summarise({name: written[path] for name, path in agent.write_names.items() if path in written})
    step = transition_step(task["step"], "completed", progress=100, result=summary)
    step["execution_time"] = _spent(task, began)
    sources = _sources(agent, beside, writes, task)
    print_ = fingerprint(agent, task["reads"], arguments, context)
    record = new_record(agent, step, writes, sources, print_=print_, request_id=task["request_id"])
    update: Update = {"step_records": {key_of(step): record}, "provenance": sources}
    if beside.fallbacks:
        update["fallbacks"] = list(beside.fallbacks)
    if beside.usage:
        update["usage"] = beside.usage
    for path, value in writes.items():
        update = combine(assistant, update, nest(path, value))
    return combine(assistant, update, nest(assistant.steps_at, [step]))


def _checked(assistant: Assistant, agent: Agent, writes: dict[str, Any]) -> dict[str, Any]:
    for path, value in writes.items():
        _good, problems = validate_update(assistant.state, nest(path, value))
        if problems:
            raise InvalidState(
                [FieldProblem(f"{agent.name} → {p.field}", p.reason, p.allowed) for p in problems],
            )
    return writes


def _sources(agent: Agent, beside: Context, writes: Mapping[str, Any], task: Task) -> dict[str, Source]:
    step: Source = {"step_id": task["step"]["step_id"], "agent": agent.name, "request_id": task["request_id"]}
    paths = agent.write_names
    named: dict[str, Source] = dict.fromkeys(writes, step)
    for name, source in beside.sources.items():
        root = name.split(".", 1)[0]
        path = paths.get(root, root) + name[len(root) :]
        named[path] = {**step, **source}
    return named


def _spent(task: Task, began: float) -> float:
    """Seconds of work on a step, also before it asked; the time it waited for an answer doesn't count."""
    return round((task["step"].get("execution_time") or 0.0) + time.perf_counter() - began, 6)


def _asking(assistant: Assistant, task: Task, needs: NeedsInput, spent: float) -> Update:
    step = transition_step(task["step"], "in_progress")
    step["execution_time"] = spent
    questions = [
        Question(
            id=f"{step['step_id']}:{ask.id}",
            kind=ask.kind,
            question=ask.question,
            choices=list(ask.choices),
            draft=ask.draft,
            form=dict(ask.form) if ask.form is not None else None,
            step_id=step["step_id"],
            field=ask.field,
            answered=False,
            answer=None,
        )
        for ask in needs.questions
    ]
    return {"questions": questions, **nest(assistant.steps_at, [step])}


def step_failed(assistant: Assistant, agent: Agent, task: Task, error: BaseException) -> Command[str]:
    """A failed step does not fail the turn: its failure is written down and the others go on."""
    said = _say(agent, error)
    step = transition_step(task["step"], "failed", error=said)
    failure = Failure(
        step_id=step["step_id"], agent=agent.name, task=step["task"], error=said, error_type=type(error).__name__
    )
    return Command(update={"failures": [failure], **nest(assistant.steps_at, [step])}, goto="collect")


def _say(agent: Agent, error: BaseException) -> str:
    if isinstance(error, NodeTimeoutError):
        return say("step_timed_out", seconds=agent.timeout)
    return str(error) or type(error).__name__


def worth_retrying(error: Exception) -> bool:
    """Whether the same call may go better: a breach of the declaration or a bug won't."""
    return not isinstance(error, AgentError | InvalidInput | TypeError | AttributeError | NameError | KeyError)
