"""Accepting a client's turn: a request that was sent twice is one turn."""

from madang.errors import Conflict, NotFound
from madang.runtime import Runtime, TurnRequest
from madang.runtime.served_graph import ServedGraph
from madang.server.identity import Identity, authorise, owned_metadata
from madang.store.runs import Run
from madang.store.sessions import Session


async def known_run(runtime: Runtime, session: Session, turn: TurnRequest) -> Run | None:
    """The run that the turn's request has made already. Raises `Conflict` if that was another message."""
    if turn.request_id is None:
        return None
    known = await runtime.runs.of_request(session.session_id, turn.request_id)
    asked = turn.input["query"] if isinstance(turn.input, dict) and "query" in turn.input else turn.text
    if known is not None and not (isinstance(known.input, dict) and known.input.get("query") == asked):
        raise Conflict("this request_id was used for another message", request_id=turn.request_id)
    return known


async def accept(runtime: Runtime, session: Session, turn: TurnRequest) -> Run:
    """The turn's run; the one there is if its request is known already, as after a connection that was lost.

    Raises what `Runtime.start` raises, and `Conflict` if the request's id was used for another message.
    """
    known = await known_run(runtime, session, turn)
    return known or await runtime.start(session.session_id, turn, session=session)


async def before(runtime: Runtime, session: Session, run: Run) -> int:
    """The number after which a turn's events come, also if it was accepted earlier than `session` was read."""
    told = await runtime.events.of_run(session.session_id, run.run_id, limit=1)
    return told[0]["seq"] - 1 if told else session.last_seq


async def client_session(runtime: Runtime, who: Identity, served: ServedGraph, session_id: str, *, by: str) -> Session:
    """The session that a client of another protocol names, made if there is none.

    Raises `Conflict` if it is of another assistant, or somebody else's.
    """
    try:
        session = await authorise(runtime, who, session_id)
    except NotFound:
        metadata = owned_metadata(who, {"by": by})
        try:
            return await runtime.sessions.create(
                session_id, assistant=served.name, user_id=who.user_id, metadata=metadata
            )
        except Conflict:
            # The same words whoever has the id.
            raise Conflict("this thread id can't be used: it exists", thread_id=session_id) from None
    if session.assistant != served.name:
        raise Conflict(f"thread {session_id!r} belongs to {session.assistant!r}", thread_id=session_id)
    return session
