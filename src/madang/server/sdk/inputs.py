"""What a client gives beside an input: a command, answers to what is asked, what nodes wrote."""

from collections.abc import Mapping, Sequence
from typing import Any

from langgraph.graph import END
from langgraph.types import StateUpdate

from madang.errors import InvalidInput
from madang.runtime.graph_run import command_of
from madang.runtime.served_graph import ServedGraph
from madang.server.sdk.bodies import Command, ThreadSuperstepUpdate


def read_command(served: ServedGraph, given: Command) -> dict[str, Any]:
    """A command as it is carried out. Our assistants can be answered, corrected and ended, not sent elsewhere.

    Raises `InvalidInput`, or `InvalidState` naming fields of an update that don't hold.
    """
    command = given.model_dump(exclude_none=True)
    for place in given.goto if isinstance(given.goto, list) else [given.goto]:
        if isinstance(place, dict) and not isinstance(place.get("node"), str):
            raise InvalidInput('command.goto: should be a node, or {"node": …, "input": …}', field="command.goto")
        if not served.steerable and place not in (None, END):
            raise InvalidInput(f"command.goto: an assistant can only be sent to {END!r}", field="command.goto")
    if given.update is not None:
        command["update"] = served.read_update(given.update)
    return command


def state_updates(superstep: ThreadSuperstepUpdate) -> list[StateUpdate]:
    """What the nodes of a superstep wrote, as LangGraph takes it."""
    return [StateUpdate(_written(update), update.as_node) for update in superstep.updates]


def _written(update: ThreadSuperstepUpdate.Update) -> Any:
    return command_of(update.command.model_dump()) if update.command is not None else update.values


def answers_of(resume: Any, pending: Sequence[str]) -> dict[str, Any]:
    """Answers by interrupt id. Raises `InvalidInput` if one value is given and several questions are open."""
    if isinstance(resume, Mapping) and resume and set(resume) <= set(pending):
        return dict(resume)
    if len(pending) > 1:
        raise InvalidInput(
            "command.resume: several interrupts are open; answer them as {interrupt_id: value}", field="command.resume"
        )
    return {pending[0]: resume}
