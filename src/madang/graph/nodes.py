"""The nodes of the turn graph. Each takes the assistant, the state and the context, and returns an update."""

from collections.abc import Sequence
from typing import Any

from langchain_core.messages import AIMessage
from langgraph.types import Overwrite, Send, interrupt

from madang.graph.assistant import Answer, Assistant, nest
from madang.graph.context import TurnContext
from madang.graph.dialogue import read_reply
from madang.graph.model.answer import worded
from madang.graph.model.loop import explore
from madang.graph.plan import StepRequest, build_plan, key_of, ready, step_for, step_key
from madang.graph.planning import State, checked, planned, reused
from madang.graph.questions import in_words
from madang.graph.reasons import excuse
from madang.graph.records import Update, combine, fresh_record, merge, park, reads_of, refill, set_aside, surplus
from madang.graph.remarks import closing, model_failed, opening, shown_reading, tools_lost
from madang.graph.state import Question
from madang.state.reducers import add_messages
from madang.state.steps import TERMINAL_STEPS, ExecutionStepState, transition_step
from madang.texts import say

PIECE = 80


async def initialize(assistant: Assistant, state: State, context: TurnContext) -> Update:
    """Reset the fields of one turn, park results that would be lost, bring an older state up to date."""
    context.budget.begin()
    update: Update = {}
    if state.get("schema_version") is None and len(state.get("messages") or ()) <= 1:
        update = {k: v for k, v in assistant.initial().items() if k == "messages" or state.get(k) is None}
        if "messages" in update:
            said = add_messages(update["messages"], state.get("messages") or [])
            update["messages"] = Overwrite(said) if state.get("messages") else said
    elif assistant.migrations is not None:
        upgraded = assistant.migrations.upgrade(dict(state))
        update = {k: v for k, v in upgraded.items() if k in assistant.specs and state.get(k) != v}
    if records := park(assistant, state):
        update["step_records"] = records
    if gone := surplus(assistant, state.get("step_records") or {}):
        kept = {**state["step_records"], **update.get("step_records", {})}
        update["step_records"] = Overwrite({key: record for key, record in kept.items() if key not in gone})
    update |= _left_open(state)
    for name, spec in assistant.specs.items():
        if spec.turn:
            update[name] = _reset_to(assistant, state, name, spec.default())
    after = {**state, **{k: v.value if isinstance(v, Overwrite) else v for k, v in update.items()}}
    tracked = assistant.track("initialize", await context.whole(after))
    return {**update, **{k: _reset_to(assistant, state, k, v) for k, v in tracked.items()}}


def _left_open(state: State) -> Update:
    """What was said for a turn that this message leaves at its question; to go on is to say all of it at once."""
    said = list(state.get("left_open") or ())
    human = [message.text for message in state.get("messages") or () if message.type == "human"]
    before = human[:-1] if (state.get("query") or "").strip() else human
    went_on = bool(before) and _asks_to_continue(before[-1])
    if open_questions(state):
        answers = [in_words(question["answer"]) for question in state["questions"] if question["answered"]]
        said = [*(said if went_on else before[-1:]), *answers]
    elif went_on:
        said = []
    update: Update = {"left_open": said} if said != (state.get("left_open") or []) else {}
    if said and _asks_to_continue(state.get("query") or ""):
        update["query"] = "\n".join(said)
    return update


def _asks_to_continue(text: str) -> bool:
    reply = read_reply(text)
    return reply is not None and reply.kind == "go_on"


def _reset_to(assistant: Assistant, state: State, name: str, value: Any) -> Any:
    """`value` past the reducer. An empty channel takes it as it is: LangGraph would store the `Overwrite` itself."""
    spec = assistant.specs[name]
    return Overwrite(value) if spec.turn and spec.reducer and name in state else value


async def planning(assistant: Assistant, state: State, context: TurnContext) -> Update:
    """Understand the message, then make the plan or end the turn with an answer."""
    update = await planned(assistant, state, context)
    return await _tracked(assistant, "planning", state, combine(assistant, update, _noted(context)), context)


async def dispatch(assistant: Assistant, state: State, context: TurnContext) -> Update:
    """Decide what happens to each step that is ready: skip it, refill it, or start it."""
    skips = await context.controls.skipped() if context.controls else frozenset()
    update: Update = {}
    now: State = state
    while waiting := ready(assistant.steps(now)):
        for step in waiting:
            changed, refilled = _decide(assistant, step, now, context, skips)
            update = combine(assistant, update, refilled)
            update = combine(assistant, update, nest(assistant.steps_at, [changed]))
        now = merge(assistant, state, update)
    return await _tracked(assistant, "dispatch", state, update, context)


def _decide(
    assistant: Assistant, step: ExecutionStepState, state: State, context: TurnContext, skips: frozenset[str]
) -> tuple[ExecutionStepState, Update]:
    agent = assistant.by_name[step["agent"]]
    if step["step_id"] in skips:
        return transition_step(step, "skipped", error=say("skipped_by_user", state.get("language"))), {}
    missing = lacking(assistant, step, state)
    if missing:
        return transition_step(
            step, "skipped", error=say("missing_results", state.get("language"), tasks=", ".join(missing))
        ), {}
    record = fresh_record(agent, step, state, context)
    if record is not None and step.get("attempts", 0) == 0:
        return reused(step), refill(assistant, record)
    return transition_step(step, "in_progress", progress=0), set_aside(assistant, step, state)


def lacking(assistant: Assistant, step: ExecutionStepState, state: State) -> list[str]:
    """The tasks this step needs results of that ended without one."""
    agent = assistant.by_name[step["agent"]]
    needed = [path for path in agent.reads if path not in agent.optional]
    awaited = [other for other in assistant.steps(state) if other["step_id"] in step["depends_on"]]
    delivered = {other["agent"] for other in awaited if other["status"] == "completed" or other.get("reused")}
    without: list[str] = []
    for other in awaited:
        writes = assistant.by_name[other["agent"]].writes
        if (
            other["agent"] not in delivered
            and other["status"] in TERMINAL_STEPS
            and any(path == written or path.startswith(written + ".") for path in needed for written in writes)
        ):
            without.append(other["task"])
    return without


def send_started(assistant: Assistant, state: State) -> list[Send] | str:
    """A task for each step in progress that isn't waiting for an answer; straight on to collect if there is none."""
    sends = [Send(step["agent"], task_input(assistant, step, state)) for step in started(assistant, state)]
    return sends or "collect"


def started(assistant: Assistant, state: State) -> list[ExecutionStepState]:
    """The steps in progress that don't wait for an answer."""
    steps = assistant.steps(state)
    return [s for s in steps if s["status"] == "in_progress" and not open_questions(state, s["step_id"])]


def task_input(assistant: Assistant, step: ExecutionStepState, state: State) -> dict[str, Any]:
    """All that a step's task gets: its step, what its agent reads, and the answers it asked for."""
    answers = {q["id"].split(":", 1)[1]: q["answer"] for q in _questions(state, step["step_id"]) if q["answered"]}
    return {
        "step": step,
        "reads": reads_of(assistant.by_name[step["agent"]], state),
        "answers": answers,
        "request_id": state.get("request_id", ""),
    }


def _questions(state: State, step_id: str) -> list[Question]:
    return [q for q in state.get("questions") or () if q["step_id"] == step_id]


def open_questions(state: State, step_id: str | None = None) -> list[Question]:
    """The questions not answered yet, of one step or of all."""
    return [
        q for q in state.get("questions") or () if not q["answered"] and (step_id is None or q["step_id"] == step_id)
    ]


async def collect(assistant: Assistant, state: State, context: TurnContext) -> Update:
    """After each round: fallbacks for what failed, a re-plan, and at once the start of what is ready."""
    update, now = await _collected(assistant, state, {}, context)
    while ready(assistant.steps(now)):
        update = combine(assistant, update, await dispatch(assistant, now, context))
        now = merge(assistant, state, update)
        if started(assistant, now):
            break
        update, now = await _collected(assistant, state, update, context)
    return combine(assistant, update, _noted(context))


async def _collected(
    assistant: Assistant, state: State, before: Update, context: TurnContext
) -> tuple[Update, dict[str, Any]]:
    now = merge(assistant, state, before)
    steps = assistant.steps(now)
    added = stand_ins(assistant, steps)
    update: Update = nest(assistant.steps_at, added) if added else {}
    done = all(step["status"] in TERMINAL_STEPS for step in steps) and not added
    revision, counted = None, "replans"
    if done and assistant.replan and now.get("replans", 0) < assistant.max_replans:
        revision = await assistant.replan(await context.whole(now), context)
    if done and revision is None and not open_questions(now):
        revision, counted = await explore(assistant, now, context), "rounds"
    if revision is not None:
        more = build_plan(
            assistant.by_name, revision.steps, context.estimates, before=steps, language=now.get("language")
        )
        update = {**checked(assistant, revision.update), counted: now.get(counted, 0) + 1}
        update = combine(assistant, update, nest(assistant.steps_at, more.steps) if more.steps else {})
    update = combine(assistant, before, await _tracked(assistant, "collect", now, update, context))
    return update, merge(assistant, state, update)


def stand_ins(assistant: Assistant, steps: Sequence[ExecutionStepState]) -> list[ExecutionStepState]:
    """A step for each fallback that is due, and the waiting steps now waiting for it."""
    planned = {key_of(step) for step in steps}
    changed: dict[str, ExecutionStepState] = {}
    for step in steps:
        fallback = assistant.by_name[step["agent"]].fallback
        arguments = step.get("arguments") or {}
        if step["status"] != "failed" or fallback is None or step_key(fallback, arguments) in planned:
            continue
        planned.add(step_key(fallback, arguments))
        step_id = f"step_{len(steps) + sum(s not in {x['step_id'] for x in steps} for s in changed)}"
        request = StepRequest(fallback, description=step["description"], arguments=arguments)
        changed[step_id] = step_for(assistant.by_name[fallback], request, step_id, [])
        for other in steps:
            waiting = changed.get(other["step_id"], other)
            if other["status"] == "pending" and step["step_id"] in other["depends_on"]:
                others = [d for d in waiting["depends_on"] if d != step["step_id"]]
                changed[other["step_id"]] = {**waiting, "depends_on": [*others, step_id]}
    return list(changed.values())


def after_collect(assistant: Assistant, state: State) -> list[Send] | str:
    """The tasks of what was started, something to ask, or the answer."""
    if started(assistant, state):
        return send_started(assistant, state)
    if questions := open_questions(state):
        return [Send("ask_user", question) for question in questions]
    return "aggregate"


async def ask_user(state: Any) -> Update:
    """Wait for the answer to one question, which is all this task gets for its state. Each question is a task of
    its own, so each has an interrupt id of its own."""
    shown = ("kind", "question", "choices", "draft", "form", "step_id", "field", "id")
    # A question that was asked before there were forms has none.
    answer = interrupt({key: state[key] for key in shown if key in state})
    return {"questions": [{**state, "answered": True, "answer": answer}]}


async def aggregate(assistant: Assistant, state: State, context: TurnContext) -> Update:
    """All steps are terminal: let the assistant put its results together."""
    return await _tracked(assistant, "aggregate", state, {}, context)


async def respond(assistant: Assistant, state: State, context: TurnContext) -> Update:
    """Compose the answer, or give the one that planning ended the turn with."""
    update: Update = {}
    state = await context.whole(state)
    given = assistant.response(state)
    first = opening(state)
    context.token(first)
    if given is None:
        composed = await assistant.respond(state, context)
        answer, extra = composed if isinstance(composed, tuple) else (composed, {})
        given = with_failures(assistant, state, await worded(assistant, state, context, answer))
        update = checked(assistant, extra)
    last = closing(assistant, state, given) + tools_lost(state) + model_failed(state, context.fallbacks)
    unsaid = last if given["data"].get("streamed") else given["answer"] + last
    for start in range(0, len(unsaid), PIECE):
        context.token(unsaid[start : start + PIECE])
    text = f"{first}{given['answer']}{last}"
    structured = {**given["structured_data"], **shown_reading(assistant, state)}
    update |= nest(assistant.response_at, {**given, "answer": text, "structured_data": structured})
    answer_id = context.answer_id or f"{state.get('request_id', '')}:answer"
    update["messages"] = [AIMessage(content=text, id=answer_id)]
    update = await _tracked(assistant, "respond", state, combine(assistant, update, _noted(context)), context)
    if context.memory is not None:
        await context.memory.remember(state["session_id"], _to_remember(assistant, state, text))
    return update


def _noted(context: TurnContext) -> Update:
    """What calls of models have left to be written down."""
    notes: Update = {}
    if context.fallbacks:
        notes["fallbacks"] = list(context.fallbacks)
    if context.usage:
        notes["usage"] = dict(context.usage)
    return notes


def _to_remember(assistant: Assistant, state: State, answer: str) -> dict[str, Any]:
    plan = state.get("plan")
    return {
        "request_id": state.get("request_id", ""),
        "assistant": assistant.name,
        "query": state.get("query", ""),
        "answer": answer,
        "intent": plan["intent"] if plan else "",
        "preferences": assistant.preferences(state),
    }


def with_failures(assistant: Assistant, state: State, answer: Answer) -> dict[str, Any]:
    """The answer as stored: with the teams that worked on it, and what failed and why."""
    response = answer.as_dict()
    steps = assistant.steps(state)
    if answer.teams_used is None:
        used = [s["team"] for s in steps if s["status"] == "completed" or s.get("reused")]
        response["teams_used"] = list(dict.fromkeys(used))
    lost = [s for s in steps if s["status"] in ("failed", "skipped") and not s.get("reused")]
    stood_in = {assistant.by_name[s["agent"]].fallback for s in lost} & {
        s["agent"] for s in steps if s["status"] == "completed"
    }
    lost = [s for s in lost if assistant.by_name[s["agent"]].fallback not in stood_in or s["status"] == "skipped"]
    if lost:
        response["structured_data"]["failures"] = [
            {"step_id": s["step_id"], "task": s["task"], "error": s["error"], "status": s["status"]} for s in lost
        ]
        # What was left out for want of another's result is one line: whose, the lines above it say.
        wanting = say("missing_results", state.get("language"), tasks="").rstrip(": ")
        told: dict[str, list[str]] = {}
        for step in lost:
            error = excuse(step, state)
            told.setdefault(wanting if error.startswith(wanting) else error, []).append(step["task"])
        lines = "\n".join(f"- {', '.join(tasks)}: {error}" for error, tasks in told.items())
        response["answer"] = f"{response['answer']}\n\n{say('not_checked', state.get('language'))}\n{lines}".strip()
    return response


async def _tracked(assistant: Assistant, phase: str, state: State, update: Update, context: TurnContext) -> Update:
    """With what the assistant keeps about the turn. It sees large values too, and is to keep no second copy of one."""
    now = await context.whole(merge(assistant, state, update))
    return combine(assistant, update, assistant.track(phase, now))
