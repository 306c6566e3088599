"""From a client's request to a run: whose thread, which graph, what input, and how it should stream."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from madang.errors import Conflict, NotFound
from madang.runtime import Runtime, TurnRequest, conversations
from madang.runtime.accepting import REMEMBERED
from madang.runtime.served_graph import ServedGraph
from madang.runtime.streams import RunStream
from madang.server.identity import Identity, authorise
from madang.server.sdk.assistants import with_assistant
from madang.server.sdk.bodies import RunCreateStateful
from madang.server.sdk.inputs import answers_of, read_command
from madang.server.sdk.priority import priority_of
from madang.server.sdk.run_options import Watched, check_input, check_nodes, check_offered, checkpoint_of, run_options
from madang.server.sdk.threads import create_thread
from madang.server.sdk.webhooks import check_webhook, owing
from madang.store.columns import new_id
from madang.store.runs import Run
from madang.store.sessions import Session

Position = tuple[int, int]


@dataclass(frozen=True)
class Started:
    """A run, and after which part of its stream, and which event of that, a client reads on."""

    run: Run
    stream: RunStream | None = None
    after: Position = (0, 0)


async def start_run(
    runtime: Runtime, who: Identity, thread_id: str, given: RunCreateStateful, *, watched: Watched = "later"
) -> Started:
    """Accept a run on a thread. If it is watched `now`, nothing of its stream is missed.

    Raises `NotFound`, `InvalidInput`, `Conflict` (another graph's thread), or `SessionBusy` under `reject`.
    """
    check_offered(given)
    check_webhook(given.webhook, runtime.webhooks)
    served, given, made = await with_assistant(runtime, who, given)
    check_input(served, given)
    check_nodes(served, given)
    session = await _thread(runtime, who, thread_id, given)
    if session.assistant not in (None, served.name):
        raise Conflict(
            f"thread {thread_id!r} belongs to {session.assistant!r}, not to {served.name!r}", thread_id=thread_id
        )
    given = given.model_copy(update={"priority": await priority_of(runtime, who, session, served, given, made)})
    heard = watched == "now" or runtime.streams.followed(session.session_id)
    listened = partial(_listened, runtime, new_id(), heard=heard, resumable=given.stream_resumable)
    if session.assistant is not None and given.command is not None and given.command.resume is not None:
        resumed = await _resume(runtime, served, session, given, watched, listened, made)
        if resumed is not None:
            return resumed
    turn = await _turn(runtime, served, session, given, watched, made)
    if session.assistant is None:
        session = await runtime.sessions.assign(session.session_id, served.name)
    if not turn.text:
        await runtime.sessions.touch(session.session_id)
    # Only our assistants may read a text as an answer to what they wait for.
    answers = heard and served.reads_answers and turn.text
    waiting = await runtime.runs.waiting(session.session_id) if answers else None

    async def start(run_id: str) -> Run:
        beginning = runtime.start(session.session_id, replace(turn, run_id=run_id), session=session)
        return await _calling(runtime, session, run_id, given, beginning)

    return await listened(start, waiting)


async def _calling(
    runtime: Runtime, session: Session, run_id: str, given: RunCreateStateful, start: Awaitable[Run]
) -> Run:
    if given.webhook is None:
        return await start
    return await owing(runtime, session.session_id, run_id, given.webhook, start)


async def _listened(
    runtime: Runtime,
    run_id: str,
    start: Callable[[str], Awaitable[Run]],
    waiting: Run | None = None,
    *,
    heard: bool,
    resumable: bool,
) -> Started:
    """Start a run under that id, with someone listening from its beginning if it is to be heard."""
    if not heard:
        return Started(await start(run_id))
    stream = runtime.runner.listen(run_id, resumable=resumable)
    earlier = await _listen(runtime, waiting) if waiting is not None else None
    try:
        run = await start(run_id)
    except BaseException:
        runtime.streams.end(run_id)
        raise
    started = Started(run, stream)
    if run.run_id != run_id:
        # The text was an answer to what the earlier run waits for: that one goes on.
        runtime.streams.end(run_id)
        started = Started(run, *(earlier or (None, (0, 0))))
    elif waiting is not None:
        runtime.streams.end(waiting.run_id)
    if run.run_id == run_id and run.status == "queued":
        await runtime.listen(run, joins=False)
    runtime.streams.tell(run.session_id, started)
    return started


async def _listen(runtime: Runtime, run: Run) -> tuple[RunStream, Position]:
    stream = await runtime.listen(run)
    return stream, end_of(stream)


def end_of(stream: RunStream) -> Position:
    """After everything that a stream holds so far."""
    return (stream.last + 1, 0)


async def _thread(runtime: Runtime, who: Identity, thread_id: str, given: RunCreateStateful) -> Session:
    try:
        return await authorise(runtime, who, thread_id)
    except NotFound:
        if given.if_not_exists != "create":
            raise
    return await create_thread(runtime, who, thread_id, None)


async def _resume(
    runtime: Runtime,
    served: ServedGraph,
    session: Session,
    given: RunCreateStateful,
    watched: Watched,
    listened: Callable[[Callable[[str], Awaitable[Run]]], Awaitable[Started]],
    made: str | None,
) -> Started | None:
    """A run that takes over from the one that waits; None if none does (a copied or edited thread).

    Raises `Conflict` for an answer that has been taken: the run that goes on with it may still have to begin.
    """
    waiting = await runtime.runs.waiting(session.session_id)
    pending = [item["interrupt_id"] for item in await conversations.questions(runtime, session)]
    if given.command is None:
        return None
    if waiting is not None and not pending:
        # Edited, or answered since we read that it waits.
        now = await runtime.runs.waiting(session.session_id)
        if now is None or now.run_id != waiting.run_id:
            raise Conflict("this has been answered already", run_id=waiting.run_id)
        return None
    if waiting is None:
        await _check_not_taken(runtime, session, given.command.resume, pending)
        return None
    answers = answers_of(given.command.resume, pending)
    further = {name: value for name, value in read_command(served, given.command).items() if name != "resume"}
    options = run_options(served, given, watched, session.user_id, command=further, assistant_id=made)
    turn = TurnRequest(options=options, metadata=given.metadata, policy=given.multitask_strategy)

    async def resume(run_id: str) -> Run:
        beginning = runtime.resume(session.session_id, answers, replace(turn, run_id=run_id))
        return await _calling(runtime, session, run_id, given, beginning)

    return await listened(resume)


async def _check_not_taken(runtime: Runtime, session: Session, resume: Any, pending: Sequence[str]) -> None:
    named = set(resume) if isinstance(resume, Mapping) else set(pending)
    for run in (await runtime.runs.list(session.session_id, limit=REMEMBERED)).items:
        if named and named <= run.options.answers.keys():
            raise Conflict("this has been answered already", run_id=run.run_id)


async def _turn(
    runtime: Runtime,
    served: ServedGraph,
    session: Session,
    given: RunCreateStateful,
    watched: Watched,
    made: str | None,
) -> TurnRequest:
    command = read_command(served, given.command) if given.command is not None else None
    text, taken = served.read_input(None if command is not None else given.input)
    request_id, place, earlier = None, None, None
    if not text:
        request_id, place = await served.turn_to_continue(
            session.session_id, checkpoint_of(given), commanded=command is not None
        )
        earlier = await runtime.runs.of_request(session.session_id, request_id) if request_id else None
    return TurnRequest(
        text=text,
        input=taken,
        request_id=request_id,
        continues=earlier.run_id if earlier is not None else None,
        policy=given.multitask_strategy,
        options=run_options(served, given, watched, session.user_id, command=command, place=place, assistant_id=made),
        metadata=given.metadata,
    )
