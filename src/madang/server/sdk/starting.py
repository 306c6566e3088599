"""From a client's request to a run: whose thread, which graph, what input, and how it should stream."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from langchain_core.messages import convert_to_messages
from langgraph.graph import END

from madang.errors import Conflict, InvalidInput, InvalidState, NotFound
from madang.graph.assistant import Assistant
from madang.runtime.served import Served
from madang.runtime.service import Runtime, Turn
from madang.runtime.streams import RunStream
from madang.server.identity import Identity, authorise
from madang.server.sdk.assistants import find_assistant
from madang.server.sdk.bodies import CheckpointBody, CommandBody, RunBody
from madang.server.sdk.finding import snapshot
from madang.server.sdk.threads import create_thread
from madang.server.sdk.updating import PROTECTED, checked
from madang.state.validation import validate_update
from madang.store.columns import new_id
from madang.store.runs import Run
from madang.store.sessions import Session

ASKING = 'input: should be {"messages": […]} with a human message, or {"query": …}'
HUMAN = frozenset({"human", "user"})
USER = "langgraph_auth_user_id"
EVERY_MODE = ("values", "updates", "messages-tuple", "custom", "tasks", "checkpoints", "debug")

Position = tuple[int, int]
Watched = Literal["now", "later", "never"]


@dataclass(frozen=True)
class Started:
    """A run, and after which part of its stream, and which event of that, a client reads on."""

    run: Run
    stream: RunStream | None = None
    after: Position = (0, 0)


async def start_run(
    runtime: Runtime, who: Identity, thread_id: str, given: RunBody, *, watched: Watched = "later"
) -> Started:
    """Accept a run on a thread. If it is watched `now`, nothing of its stream is missed.

    Raises `NotFound`, `InvalidInput`, `Conflict` (another graph's thread), or `SessionBusy` under `reject`.
    """
    check_offered(given)
    served = find_assistant(runtime, given.assistant_id)
    session = await _thread(runtime, who, thread_id, given)
    if session.assistant is None:
        session = await runtime.sessions.assign(session.session_id, served.name)
    if session.assistant != served.name:
        raise Conflict(
            f"thread {thread_id!r} belongs to {session.assistant!r}, not to {served.name!r}", thread_id=thread_id
        )
    if given.command is not None and given.command.resume is not None:
        resumed = await _resume(runtime, served, session, given, watched)
        if resumed is not None:
            return resumed
    turn = await _turn(served, session, given, watched)
    if turn.run_id is None or watched != "now":
        return Started(await runtime.start(session.session_id, turn))
    stream = runtime.listen(turn.run_id, resumable=given.stream_resumable)
    waiting = await runtime.waiting_run(session.session_id)
    earlier = _listen(runtime, waiting) if waiting is not None else None
    try:
        run = await runtime.start(session.session_id, turn)
    except BaseException:
        runtime.streams.end(turn.run_id)
        raise
    if run.run_id != turn.run_id and earlier is not None:
        # The text was an answer to what the earlier run waits for: that one goes on.
        runtime.streams.end(turn.run_id)
        return Started(run, *earlier)
    return Started(run, stream)


def _listen(runtime: Runtime, run: Run) -> tuple[RunStream, Position]:
    stream = runtime.listen(run.run_id)
    return stream, end_of(stream)


def end_of(stream: RunStream) -> Position:
    """After everything that a stream holds so far."""
    return (stream.last + 1, 0)


def check_offered(given: RunBody) -> None:
    """Raises `InvalidInput` for what would silently not happen."""
    if given.webhook:
        raise InvalidInput("webhook: is not offered; join the run or follow the session's events", field="webhook")
    if given.after_seconds:
        raise InvalidInput("after_seconds: is not offered; create the run when it should start", field="after_seconds")
    if given.stream_mode and "events" in given.stream_mode:
        raise InvalidInput("stream_mode: events is not offered; use updates, messages-tuple or custom")
    if given.command is not None and given.input is not None:
        raise InvalidInput("command: can't be combined with input", field="command")


async def _thread(runtime: Runtime, who: Identity, thread_id: str, given: RunBody) -> Session:
    try:
        return await authorise(runtime, who, thread_id)
    except NotFound:
        if given.if_not_exists != "create":
            raise
    return await create_thread(runtime, who, thread_id, None)


async def _resume(
    runtime: Runtime, served: Served, session: Session, given: RunBody, watched: Watched
) -> Started | None:
    """A run that takes over from the one that waits; None if none does (a copied or edited thread)."""
    waiting = await runtime.waiting_run(session.session_id)
    pending = [item["interrupt_id"] for item in await runtime.interrupts(session.session_id)]
    if waiting is None or given.command is None or not pending:
        return None
    answers = answers_of(given.command.resume, pending)
    further = {name: value for name, value in read_command(served, given.command).items() if name != "resume"}
    kwargs = {**run_kwargs(served, given, watched, session.user_id), "command": further}
    turn = Turn(kwargs=kwargs, metadata=given.metadata, policy=given.multitask_strategy, run_id=new_id())
    if watched != "now" or turn.run_id is None:
        return Started(await runtime.resume(session.session_id, answers, turn))
    stream = runtime.listen(turn.run_id, resumable=given.stream_resumable)
    try:
        return Started(await runtime.resume(session.session_id, answers, turn), stream)
    except BaseException:
        runtime.streams.end(turn.run_id)
        raise


def answers_of(resume: Any, pending: Sequence[str]) -> dict[str, Any]:
    """Answers by interrupt id. Raises `InvalidInput` if one value is given and several questions are open."""
    if isinstance(resume, Mapping) and resume and set(resume) <= set(pending):
        return dict(resume)
    if len(pending) > 1:
        raise InvalidInput(
            "command.resume: several interrupts are open; answer them as {interrupt_id: value}", field="command.resume"
        )
    return {pending[0]: resume}


async def _turn(served: Served, session: Session, given: RunBody, watched: Watched) -> Turn:
    kwargs = run_kwargs(served, given, watched, session.user_id)
    text, request_id = "", None
    taken = given.input
    if given.command is not None:
        kwargs["command"] = read_command(served, given.command)
        taken = None
    if served.assistant is not None:
        text, taken = read_input(served.assistant, taken)
        if not text:
            request_id, place = await _turn_to_go_on(served, session, given)
            kwargs["config"]["configurable"] |= place
    elif taken is not None:
        if not isinstance(taken, Mapping):
            raise InvalidInput("input: should be an object", field="input")
        check_messages(served, taken)
        text = last_human(taken.get("messages")) or ""
    return Turn(
        text=text,
        input=taken,
        request_id=request_id,
        policy=given.multitask_strategy,
        kwargs=kwargs,
        metadata=given.metadata,
        run_id=new_id(),
    )


async def _turn_to_go_on(served: Served, session: Session, given: RunBody) -> tuple[str | None, dict[str, Any]]:
    """Without a question, a run of an assistant goes on with a turn: its id, and the checkpoint to go on from.

    Raises `InvalidInput` if there is nothing to go on with.
    """
    where = checkpoint_of(given)
    config = {"configurable": {**(where or {}), "thread_id": session.session_id}}
    found = await snapshot(served, config)
    request_id = (found.values or {}).get("request_id")
    if given.command is not None or where is not None:
        return request_id, where or {}
    if not found.next or found.interrupts:
        raise InvalidInput(ASKING, field="input")
    return request_id, {"checkpoint_id": found.config["configurable"]["checkpoint_id"], "checkpoint_ns": ""}


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


def run_kwargs(served: Served, given: RunBody, watched: Watched, user_id: int | None) -> dict[str, Any]:
    """How the run should go, as it is kept with it."""
    # Whoever joins a background run may ask for any mode; others are known beforehand.
    asked = {*(given.stream_mode or ("values",)), *(EVERY_MODE if watched == "later" else ())}
    modes = {"messages" if mode.startswith("messages") else mode for mode in asked}
    if served.assistant is not None:
        # Our assistants stream their answer themselves; what models say inside them is not for clients.
        modes.discard("messages")
    config = config_of(given)
    context = given.context
    if context is None and served.assistant is None and getattr(served.graph, "context_schema", None) is not None:
        context = {k: v for k, v in config["configurable"].items() if not k.startswith("checkpoint_")} or None
    if user_id is not None:
        config["configurable"][USER] = str(user_id)
    return {
        "stream_mode": sorted(modes | {"custom"}),
        "sdk_modes": list(given.stream_mode) if given.stream_mode else None,
        "stream_subgraphs": given.stream_subgraphs,
        "stream_resumable": given.stream_resumable,
        "config": config,
        "context": context,
        "interrupt_before": given.interrupt_before,
        "interrupt_after": given.interrupt_after,
    }


def config_of(given: RunBody) -> dict[str, Any]:
    """The client's config without what only the server sets, and with the checkpoint to start from."""
    config = given.config.model_dump(exclude_none=True) if given.config is not None else {}
    reserved = ("thread_id", "run_id", "fence", "checkpoint_id", "checkpoint_ns", "checkpoint_map")
    configurable = {
        name: value
        for name, value in (config.get("configurable") or {}).items()
        if not name.startswith(("__", "langgraph_auth")) and name not in reserved
    }
    return {**config, "configurable": {**configurable, **(checkpoint_of(given) or {})}}


def checkpoint_of(given: RunBody) -> dict[str, Any] | None:
    """The checkpoint to start from, if one is named."""
    where = given.checkpoint or CheckpointBody(checkpoint_id=given.checkpoint_id)
    if not where.checkpoint_id:
        return None
    return where.model_dump(include={"checkpoint_id", "checkpoint_ns", "checkpoint_map"}, exclude_none=True)
