"""What a client gives a run to start with: a question, a graph's own input, a command, answers to what is asked."""

from collections.abc import Mapping, Sequence
from typing import Any

from langchain_core.messages import convert_to_messages
from langgraph.graph import END

from madang.errors import InvalidInput, InvalidState
from madang.graph.assistant import Assistant
from madang.runtime.served import Served
from madang.server.sdk.bodies import CommandBody
from madang.server.sdk.updating import PROTECTED, checked
from madang.state.validation import validate_update

ASKING = 'input: should be {"messages": […]} with a human message, or {"query": …}'
HUMAN = frozenset({"human", "user"})


def read_command(served: Served, given: CommandBody) -> dict[str, Any]:
    """A command as it is carried out. Our assistants can be answered, corrected and ended, not sent elsewhere.

    Raises `InvalidInput`, or `InvalidState` naming fields of an update that don't hold.
    """
    command = given.model_dump(exclude_none=True)
    places = given.goto if isinstance(given.goto, list) else [given.goto]
    for place in places:
        if isinstance(place, dict) and not isinstance(place.get("node"), str):
            raise InvalidInput('command.goto: should be a node, or {"node": …, "input": …}', field="command.goto")
        if served.assistant is not None and place not in (None, END):
            raise InvalidInput(f"command.goto: an assistant can only be sent to {END!r}", field="command.goto")
    if served.assistant is not None and given.update is not None:
        command["update"] = dict(checked(served, given.update))
    return command


def read_input(assistant: Assistant, given: Any) -> tuple[str, dict[str, Any] | None]:
    """The question in an input, and the input as the assistant takes it. Raises `InvalidInput`, `InvalidState`."""
    if given is None:
        return "", None
    if not isinstance(given, Mapping):
        raise InvalidInput("input: should be an object", field="input")
    query = given.get("query")
    if query is None:
        query = last_human(given.get("messages"))
    if not isinstance(query, str) or not query.strip():
        raise InvalidInput(ASKING, field="input")
    more = {k: v for k, v in given.items() if k not in ("messages", "query", *PROTECTED) and v is not None}
    fields, problems = validate_update(assistant.state, more, allow=assistant.inputs)
    if problems:
        raise InvalidState(problems)
    return query, {**fields, "query": query}


def check_messages(served: Served, given: Mapping[str, Any]) -> None:
    """Raises `InvalidInput` for messages that would leave the thread unreadable."""
    channel = getattr(served.graph, "channels", {}).get("messages")
    reducer = getattr(getattr(channel, "operator", None), "__name__", "")
    messages = given.get("messages")
    if messages is None or "add_messages" not in reducer:
        return
    try:
        convert_to_messages(messages if isinstance(messages, list) else [messages])
    except (ValueError, TypeError, NotImplementedError, KeyError, AttributeError) as error:
        said = str(error).partition("\n")[0]
        raise InvalidInput(f"input.messages: {said}", field="input.messages") from error


def last_human(messages: Any) -> str | None:
    """The text of the last message that a person wrote."""
    if isinstance(messages, str | Mapping):
        messages = [messages]
    for message in reversed(messages if isinstance(messages, list) else []):
        if isinstance(message, str):
            return message
        if isinstance(message, list) and len(message) == 2 and message[0] in HUMAN:
            return str(message[1])
        if isinstance(message, Mapping) and {message.get("type"), message.get("role")} & HUMAN:
            return text_of(message.get("content"))
    return None


def text_of(content: Any) -> str:
    """The text in a message's content, which may be a list of blocks."""
    if isinstance(content, list):
        blocks = [block.get("text") if isinstance(block, Mapping) else block for block in content]
        return "\n".join(block for block in blocks if isinstance(block, str))
    return content if isinstance(content, str) else ""


def answers_of(resume: Any, pending: Sequence[str]) -> dict[str, Any]:
    """Answers by interrupt id. Raises `InvalidInput` if one value is given and several questions are open."""
    if isinstance(resume, Mapping) and resume and set(resume) <= set(pending):
        return dict(resume)
    if len(pending) > 1:
        raise InvalidInput(
            "command.resume: several interrupts are open; answer them as {interrupt_id: value}", field="command.resume"
        )
    return {pending[0]: resume}
