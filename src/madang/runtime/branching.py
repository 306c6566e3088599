"""Asking again: from the state before a question, or after a turn of an earlier branch. What was is kept beside it."""

from dataclasses import replace

from madang.errors import Conflict, InvalidInput
from madang.runtime import Runtime, TurnRequest
from madang.store.branches import FIRST, TurnPlace
from madang.store.run_options import RunOptions
from madang.store.sessions import Session
from madang.store.transcripts import Transcripts


async def edited(runtime: Runtime, session: Session, message_id: int, turn: TurnRequest) -> TurnRequest:
    """`turn` in the place of the question with that id, in a branch of its own.

    Raises `NotFound`, `InvalidInput` if it isn't a question, `Conflict` if the state before it isn't kept.
    """
    transcripts = Transcripts(runtime.db)
    message = await transcripts.message(session.session_id, message_id)
    if message.role != "user":
        raise InvalidInput("edit_of: is not a question of yours", field="edit_of")
    place = await _place_of(transcripts, session, message.run_id)
    return await _instead(runtime, session, place, turn)


async def again(
    runtime: Runtime, session: Session, message_id: int | None = None, request_id: str | None = None
) -> TurnRequest:
    """The turn of a message, or the last one, once more in a branch of its own: the same question, another answer.

    Raises `NotFound`, `Conflict` if there is none, or the state before it isn't kept.
    """
    transcripts = Transcripts(runtime.db)
    if message_id is not None:
        message = await transcripts.message(session.session_id, message_id)
        place = await _place_of(transcripts, session, message.run_id)
    else:
        path = (await transcripts.branches(session.session_id)).path()
        if not path:
            raise Conflict("nothing has been asked here yet", session_id=session.session_id)
        place = path[-1]
    first = await runtime.runs.get(place.name, session.session_id)
    said = await transcripts.question(session.session_id, place)
    turn = TurnRequest(
        said.content if said is not None else "",
        input=first.input,
        request_id=request_id,
        options=RunOptions(
            config=first.options.config, context=first.options.context, assistant_id=first.options.assistant_id
        ),
        message_data=said.structured_data if said is not None else None,
    )
    return await _instead(runtime, session, place, turn)


async def after(runtime: Runtime, session: Session, run_id: str, turn: TurnRequest) -> TurnRequest:
    """`turn` as what follows a turn of any branch. Raises `NotFound`, `Conflict` if its state isn't kept."""
    transcripts = Transcripts(runtime.db)
    branches = await transcripts.branches(session.session_id)
    place = branches.turn(run_id)
    if branches.path()[-1].name == place.name:
        return turn
    checkpoint = await transcripts.end(session.session_id, place)
    return _from(turn, checkpoint, place.name)


async def _place_of(transcripts: Transcripts, session: Session, run_id: str | None) -> TurnPlace:
    if run_id is None:
        raise Conflict("this message came with the conversation that this one was made of: branch off there")
    return (await transcripts.branches(session.session_id)).turn(run_id)


async def _instead(runtime: Runtime, session: Session, place: TurnPlace, turn: TurnRequest) -> TurnRequest:
    checkpoint = await Transcripts(runtime.db).before(session.session_id, place)
    return _from(turn, checkpoint, place.after or FIRST)


def _from(turn: TurnRequest, checkpoint_id: str, branch_of: str) -> TurnRequest:
    options = turn.options or RunOptions()
    configurable = {**options.configurable, "checkpoint_id": checkpoint_id, "checkpoint_ns": ""}
    config = {**options.config, "configurable": configurable}
    return replace(turn, options=replace(options, config=config), branch_of=branch_of, policy="reject")
