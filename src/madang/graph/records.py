"""Step records: parking, refilling, and finding what is still fresh.

A result lives in its field while its turn lasts. When a turn begins, values in fields that are reset are parked in
the step's record; a step whose fingerprint is unchanged is refilled from there instead of running again.
"""

from collections.abc import Mapping
from typing import Any

from madang.graph.agent import Agent
from madang.graph.assistant import Assistant, dig, nest
from madang.graph.context import TurnContext
from madang.graph.fingerprint import digest, fingerprint
from madang.graph.plan import key_of, step_key
from madang.graph.state import Source, StepRecord
from madang.state.clock import now_iso
from madang.state.steps import ExecutionStepState

Update = dict[str, Any]
KEPT_RUNS = 3


def merge(assistant: Assistant, state: Mapping[str, Any], update: Mapping[str, Any]) -> dict[str, Any]:
    """The state as it will be once LangGraph has applied `update`."""
    merged = dict(state)
    for name, value in update.items():
        reducer = assistant.specs[name].reducer
        merged[name] = value if reducer is None else reducer(state.get(name), value)
    return merged


def combine(assistant: Assistant, first: Update, second: Mapping[str, Any]) -> Update:
    """Two updates as one: fields with a reducer are reduced, others take the later value."""
    combined = dict(first)
    for name, value in second.items():
        reducer = assistant.specs[name].reducer
        combined[name] = reducer(combined[name], value) if reducer and name in combined else value
    return combined


def park(assistant: Assistant, state: Mapping[str, Any]) -> dict[str, StepRecord]:
    """The records whose results lie in fields that are about to be reset, with those results in them."""
    parked: dict[str, StepRecord] = {}
    for key, record in (state.get("step_records") or {}).items():
        if _accumulates(assistant, record):
            continue
        values = {
            path: value
            for path in record["writes"]
            if assistant.specs[path.split(".", 1)[0]].turn and (value := dig(state, path)) is not None
        }
        if values:
            parked[key] = with_parked(record, {**record["parked"], **values})
    return parked


def surplus(assistant: Assistant, records: Mapping[str, StepRecord]) -> set[str]:
    """Keys of records that need not be kept: the oldest ones of agents that run with ever other arguments."""
    by_agent: dict[str, list[str]] = {}
    for key, record in records.items():
        if record.get("arguments"):
            by_agent.setdefault(record["agent"], []).append(key)
    gone: set[str] = set()
    for name, keys in by_agent.items():
        agent = assistant.by_name.get(name)
        most = KEPT_RUNS * (agent.runs if agent else 0)
        newest = sorted(keys, key=lambda key: records[key]["completed_at"])
        gone |= set(newest[: max(len(newest) - most, 0)])
    return gone


def _accumulates(assistant: Assistant, record: StepRecord) -> bool:
    agent = assistant.by_name.get(record["agent"])
    return agent is not None and agent.runs > 1


def with_parked(record: StepRecord, values: dict[str, Any]) -> StepRecord:
    """The record with these values parked in it."""
    changed = record.copy()
    changed["parked"] = values
    return changed


def record_of(step: ExecutionStepState, state: Mapping[str, Any]) -> StepRecord | None:
    """What is kept of the same work done before."""
    record: StepRecord | None = (state.get("step_records") or {}).get(key_of(step))
    return record


def set_aside(assistant: Assistant, step: ExecutionStepState, state: Mapping[str, Any]) -> Update:
    """An update that parks what a stale step wrote before, so that nobody takes it for a result of this turn."""
    record = record_of(step, state)
    if record is None:
        return {}
    values = {
        path: value
        for path in record["writes"]
        if "." not in path and assistant.specs[path].reducer is None and (value := state.get(path)) is not None
    }
    emptied: Update = {
        path: type(value)() if isinstance(value, list | dict) else None for path, value in values.items()
    }
    parked = with_parked(record, {**record["parked"], **values})
    return {**emptied, "step_records": {key_of(step): parked}} if values else {}


def refill(assistant: Assistant, record: StepRecord) -> Update:
    """An update that puts a record's parked results back into their fields and empties the record of them."""
    update: Update = {"provenance": dict(record["sources"])}
    for path, value in record["parked"].items():
        update = combine(assistant, update, nest(path, value))
    if record["parked"] and not _accumulates(assistant, record):
        key = step_key(record["agent"], record.get("arguments"))
        update["step_records"] = {key: with_parked(record, {})}
    return update


def reads_of(agent: Agent, state: Mapping[str, Any]) -> dict[str, Any]:
    """What the agent would be handed now, by path."""
    return {path: dig(state, path) for path in agent.reads}


def fresh_record(
    agent: Agent, step: ExecutionStepState, state: Mapping[str, Any], context: TurnContext
) -> StepRecord | None:
    """The step's record, if running it now would see nothing new and its results are still there."""
    record = record_of(step, state)
    if record is None:
        return None
    if record["fingerprint"] != fingerprint(agent, reads_of(agent, state), step.get("arguments"), context):
        return None
    kept = all(path in record["parked"] or dig(state, path) is not None for path in record["writes"])
    return record if kept else None


def new_record(
    agent: Agent,
    step: ExecutionStepState,
    writes: Mapping[str, Any],
    sources: Mapping[str, Source],
    *,
    print_: str,
    request_id: str,
) -> StepRecord:
    """The record of a step that has just finished."""
    record: StepRecord = {
        "agent": agent.name,
        "fingerprint": print_,
        "step_id": step["step_id"],
        "request_id": request_id,
        "completed_at": step["completed_at"] or now_iso(),
        "execution_time": step.get("execution_time") or 0.0,
        "writes": {path: digest(value) for path, value in writes.items() if value is not None},
        "sources": dict(sources),
        "parked": dict(writes) if agent.runs > 1 else {},
    }
    if arguments := step.get("arguments"):
        record["arguments"] = arguments
    return record
