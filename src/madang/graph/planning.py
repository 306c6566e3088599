"""From a message to a plan: it is heard and understood, steps are put in order, and those that are fresh are kept."""

import asyncio
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from madang.errors import InvalidState
from madang.graph.assistant import Answer, Assistant, Understanding, nest
from madang.graph.context import TurnContext
from madang.graph.inputs import TASK
from madang.graph.model.understand import in_language, record_of, settled, understand
from madang.graph.plan import Plan, StepRequest, build_plan
from madang.graph.reading import Heard, read_in_form, settle
from madang.graph.records import Update, combine, fresh_record, merge, refill
from madang.graph.state import PlanSummary
from madang.state.steps import ExecutionStepState, transition_step
from madang.state.validation import validate_update
from madang.threads import in_thread

State = Mapping[str, Any]


async def planned(assistant: Assistant, state: State, context: TurnContext) -> Update:
    """What a message leads to: a plan, or an answer that ends the turn."""
    update: Update = {}
    if context.memory is not None:
        loaded = await context.memory.load(state["session_id"], state.get("query", ""))
        update = {name: value for name, value in loaded.items() if name in assistant.specs}
    if state.get("rerun") and state.get("plan"):
        understanding = _same_again(state["plan"])
    else:
        update = combine(assistant, update, set_in_form(assistant, state))
        known = await context.whole(merge(assistant, state, update))
        heard = await hear(assistant, known, context)
        read = await understand(assistant, known, context, heard) if heard is not None else None
        heard = read.heard if read is not None else heard
        understanding = await understood(assistant, known, replace(context, heard=heard, read=read))
        if read is not None:
            understanding = _without_unfit(assistant, in_language(understanding, read))
            update["understood"] = record_of(read)
        if heard is not None:
            update["reading"] = settle(heard, understanding.claims, understanding.answered)
            if read is not None:
                update["reading"] = settled(update["reading"], read)
    update = combine(assistant, update, checked(assistant, understanding.update))
    if understanding.answer is not None or not understanding.steps:
        answer = understanding.answer or Answer(answer="", type="guidance")
        update |= {"plan": None, **nest(assistant.response_at, answer.as_dict())}
    else:
        update = _plan(assistant, state, update, understanding, context)
    return update


async def hear(assistant: Assistant, state: State, context: TurnContext) -> Heard | None:
    """The turn's message parsed and labelled, off the event loop; None for an assistant that reads in its own way."""
    if assistant.hear is None or not (state.get("query") or "").strip():
        return None
    return await in_thread(assistant.hear, state["query"], state, context)


async def understood(assistant: Assistant, state: State, context: TurnContext) -> Understanding:
    """What the assistant makes of the message. One that hears is run beside the event loop, on a loop of its own.

    Reading may take its time. `ctx.call` reaches models all the same; other clients must not belong to a loop.
    """
    if assistant.hear is None:
        return await _understand(assistant, state, context)
    beside = replace(context, loop=asyncio.get_running_loop())
    return await in_thread(lambda: asyncio.run(_understand(assistant, state, beside)))


async def _understand(assistant: Assistant, state: State, context: TurnContext) -> Understanding:
    if context.read is not None and assistant.model is not None:
        return await assistant.model.plan(state, context, context.read)
    return await assistant.understand(state, context)


def set_in_form(assistant: Assistant, state: State) -> Update:
    """What a turn without a message sets: fields by their paths. A question that waits for them is answered."""
    values: Mapping[str, Any] = state.get("form_input") or {}
    if not values:
        return {}
    update: Update = {"reading": read_in_form(values)}
    for path, value in values.items():
        if path != TASK:
            update = combine(assistant, update, checked(assistant, nest(path, value)))
    if (pending := state.get("pending")) and values.keys() >= set(pending.get("names") or ()):
        update["pending"] = None
    return update


def _same_again(plan: PlanSummary) -> Understanding:
    return Understanding(
        steps=[StepRequest(**request) for request in plan["requests"]],
        intent=plan["intent"],
        confidence=plan["confidence"],
    )


def _without_unfit(assistant: Assistant, understanding: Understanding) -> Understanding:
    """What a model took from a message and the state can't hold is left over: named, and no reason to fail."""
    good, problems = validate_update(assistant.state, dict(understanding.update))
    unfit = {problem.field.partition(".")[0] for problem in problems}
    claims = [claim for claim in understanding.claims if claim["field"].partition(".")[0] not in unfit]
    return replace(understanding, update=good, claims=claims) if unfit else understanding


def checked(assistant: Assistant, update: Mapping[str, Any]) -> Update:
    """An update that the state can hold. Raises `InvalidState`."""
    good, problems = validate_update(assistant.state, dict(update))
    if problems:
        raise InvalidState(problems)
    return good


def _plan(
    assistant: Assistant, state: State, update: Update, understanding: Understanding, context: TurnContext
) -> Update:
    plan = build_plan(assistant.by_name, understanding.steps, context.estimates, language=state.get("language"))
    steps, refilled = keep_fresh(assistant, merge(assistant, state, update), plan, context)
    summary = PlanSummary(
        request_id=state.get("request_id", ""),
        intent=understanding.intent,
        confidence=understanding.confidence,
        requests=[request.as_dict() for request in understanding.steps],
        strategy=plan.strategy,
        parallel_groups=plan.parallel_groups,
        estimated_total_time=plan.estimated_total_time,
        reused=[step["step_id"] for step in steps if step.get("reused")],
    )
    update = combine(assistant, {**update, "plan": summary}, refilled)
    if assistant.plan_fields is None:
        return combine(assistant, update, nest(assistant.steps_at, steps))
    return combine(assistant, update, assistant.plan_fields(merge(assistant, state, update), dict(summary), steps))


def keep_fresh(
    assistant: Assistant, state: State, plan: Plan, context: TurnContext
) -> tuple[list[ExecutionStepState], Update]:
    """The plan's steps with those skipped that need not run, and the update that puts their results back."""
    steps: list[ExecutionStepState] = []
    kept: set[str] = set()
    update: Update = {}
    for step in plan.steps:
        agent = assistant.by_name[step["agent"]]
        record = fresh_record(agent, step, merge(assistant, state, update), context)
        if record is not None and step["status"] == "pending" and kept.issuperset(step["depends_on"]):
            kept.add(step["step_id"])
            update = combine(assistant, update, refill(assistant, record))
            steps.append(reused(step))
        else:
            steps.append(step)
    return steps, update


def reused(step: ExecutionStepState) -> ExecutionStepState:
    """A step that need not run: what it gave before is kept."""
    return {**transition_step(step, "skipped", progress=100), "reused": True}
