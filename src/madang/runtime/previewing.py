"""What a change would run again, and why, before it is made."""

from collections.abc import Mapping, Sequence
from typing import Any

from madang.graph.agent import overlaps
from madang.runtime import Runtime, conversations
from madang.runtime.served_graph import ServedGraph
from madang.store.sessions import Session
from madang.texts import say

Shown = dict[str, Any]


async def preview_inputs(
    runtime: Runtime, session: Session, values: Mapping[str, Any], language: str | None = None
) -> Shown:
    """The steps that setting these inputs would run or keep. Raises as `conversations.set_inputs` does."""
    await conversations.check_not_busy(runtime, session)
    served = conversations.graph_of(runtime, session)
    state = (await conversations.snapshot(runtime, session)).values
    context = await runtime.look_ahead(served, session)
    steps = await served.steps_if(state, served.read_form(values, language), context)
    shown = _shown(served, steps, list(values), context.estimates, language or state.get("language"))
    return await _with_cost(runtime, session, shown)


async def preview_edit(
    runtime: Runtime, session: Session, changes: Mapping[str, Any], language: str | None = None
) -> Shown:
    """The steps that an edit would run or keep. Raises as `conversations.edit` does."""
    await conversations.check_not_busy(runtime, session)
    served = conversations.graph_of(runtime, session)
    state = (await conversations.snapshot(runtime, session)).values
    context = await runtime.look_ahead(served, session)
    steps = await served.steps_if_edited(state, changes, context)
    shown = _shown(served, steps, list(changes), context.estimates, language or state.get("language"))
    return await _with_cost(runtime, session, shown)


async def _with_cost(runtime: Runtime, session: Session, shown: Shown) -> Shown:
    """Nothing to run costs nothing; otherwise what a turn has cost."""
    cost = await runtime.environment.estimates.cost_of(session.assistant or "") if shown["steps"] else 0.0
    return {**shown, "estimated_cost": cost}


def _shown(
    served: ServedGraph,
    steps: Sequence[Mapping[str, Any]],
    changed: Sequence[str],
    estimates: Mapping[str, float],
    language: str | None,
) -> Shown:
    reads = {agent["name"]: agent["reads"] for agent in served.agents()}
    titles = {one["field"]: one["title"] for one in served.form_values({}, language)}
    called = served.step_titles(language)
    tasks = {step["step_id"]: called.get(step["task"], step["task"]) for step in steps}
    kept = {step["step_id"] for step in steps if step.get("reused")}

    def reason(step: Mapping[str, Any]) -> str:
        if step["step_id"] in kept:
            return say("step_kept", language)
        own = [path for path in changed if any(overlaps(path, read) for read in reads.get(step["agent"], ()))]
        if own:
            return say("step_changed", language, fields=", ".join(titles.get(path, path) for path in own))
        earlier = [tasks[one] for one in step.get("depends_on") or () if one in tasks and one not in kept]
        return say("step_after", language, tasks=", ".join(earlier)) if earlier else say("step_new", language)

    def shown(step: Mapping[str, Any]) -> Shown:
        return {
            "step_id": step["step_id"],
            "agent": step["agent"],
            "task": tasks[step["step_id"]],
            "estimated_time": estimates.get(step["agent"]),
            "reason": reason(step),
        }

    return {
        "steps": [shown(step) for step in steps if step["step_id"] not in kept],
        "kept": [shown(step) for step in steps if step["step_id"] in kept],
    }
