"""What A2A's requests do here: for one caller and one assistant."""

from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import Any

from a2a.server.context import ServerCallContext
from a2a.server.events.event_queue import Event
from a2a.server.request_handlers.request_handler import RequestHandler, validate_request_params
from a2a.types import a2a_pb2 as wire
from a2a.utils.errors import (
    ContentTypeNotSupportedError,
    InvalidParamsError,
    PushNotificationNotSupportedError,
    TaskNotCancelableError,
    TaskNotFoundError,
    UnsupportedOperationError,
)
from typing_extensions import override

from madang.errors import InvalidInput, MadangError, NotFound
from madang.events import TERMINAL, of_turn
from madang.runtime import Runtime, TurnRequest
from madang.runtime.attaching import with_files
from madang.runtime.file_text import FileText, read_file
from madang.runtime.served_graph import ServedGraph
from madang.server.a2a.tasks import LAST, piece, status_update, task_of, whole
from madang.server.identity import Identity, authorise_run
from madang.server.turns import accept, before, client_session
from madang.state.steps import TERMINAL_RUNS
from madang.store.columns import new_id
from madang.store.runs import Run
from madang.store.sessions import Session
from madang.store.transcripts import Transcripts

OPEN = ("queued", "running")


class Handler(RequestHandler):
    """The requests of one caller to one assistant."""

    def __init__(self, runtime: Runtime, who: Identity, served: ServedGraph) -> None:
        self._runtime, self._who, self._served = runtime, who, served

    @override
    @validate_request_params
    async def on_message_send(self, params: wire.SendMessageRequest, context: ServerCallContext) -> wire.Task:
        """A turn, to its end unless the client wants to come back for it."""
        run, _ = await self._start(params.message)
        if not params.configuration.return_immediately:
            # Where the server ends before the turn does the task is still at work, and to be asked for again.
            over = await self._runtime.leaving.before(self._runtime.wait(run.run_id))
            run = over or await self._run(run.run_id)
        return await self._task(run)

    @override
    @validate_request_params
    async def on_message_send_stream(
        self, params: wire.SendMessageRequest, context: ServerCallContext
    ) -> AsyncGenerator[Event]:
        """A turn, told as it goes."""
        run, session = await self._start(params.message)
        yield await self._task(run)
        if run.status in OPEN:
            async for event in self._followed(run, await before(self._runtime, session, run)):
                yield event

    @override
    @validate_request_params
    async def on_get_task(self, params: wire.GetTaskRequest, context: ServerCallContext) -> wire.Task:
        return await self._task(await self._run(params.id))

    @override
    @validate_request_params
    async def on_cancel_task(self, params: wire.CancelTaskRequest, context: ServerCallContext) -> wire.Task:
        run = await self._run(params.id)
        if run.status in TERMINAL_RUNS:
            raise TaskNotCancelableError
        return await self._task(await self._runtime.cancel(run.run_id))

    @override
    @validate_request_params
    async def on_subscribe_to_task(
        self, params: wire.SubscribeToTaskRequest, context: ServerCallContext
    ) -> AsyncGenerator[Event]:
        """A turn that runs, from where it stands."""
        run = await self._run(params.id)
        if run.status in TERMINAL_RUNS:
            raise UnsupportedOperationError(message="the task is over")
        seen = await self._runtime.events.last_seq(run.session_id)
        run = await self._run(params.id)
        yield await self._task(run)
        if run.status in OPEN:
            async for event in self._followed(run, seen):
                yield event

    async def _start(self, message: wire.Message) -> tuple[Run, Session]:
        text, files = await _read(message)
        try:
            if message.task_id:
                earlier = await self._run(message.task_id)
                if earlier.status != "interrupted" or message.context_id not in ("", earlier.session_id):
                    raise UnsupportedOperationError(message="the task doesn't wait for an answer")
                message.context_id = earlier.session_id
            session = await client_session(
                self._runtime, self._who, self._served, message.context_id or new_id(), by="a2a"
            )
            turn = TurnRequest(text=text, request_id=message.message_id)
            turn.check()
            return await accept(self._runtime, session, with_files(turn, files) if files else turn), session
        except InvalidInput as error:
            raise InvalidParamsError(message=error.message) from error
        except MadangError as error:
            raise UnsupportedOperationError(message=error.message, data={"code": error.code}) from error

    async def _followed(self, run: Run, after: int) -> AsyncGenerator[Event]:
        frames: Any = self._runtime.hub.follow(run.session_id, after)
        spoken = begun = False
        async with aclosing(frames):
            async for frame in frames:
                if frame["request_id"] != run.request_id or not of_turn([frame]):
                    continue
                if not begun:
                    begun = True
                    yield status_update(run, "running")
                if frame["type"] == "token":
                    yield piece(run, frame["text"], append=spoken and not frame["restart"])
                    spoken = True
                elif frame["type"] == "response":
                    yield whole(run, frame)
                if frame["type"] in TERMINAL:
                    yield status_update(run, LAST[frame["type"]], frame)
                    return

    async def _run(self, task_id: str) -> Run:
        try:
            run = await authorise_run(self._runtime, self._who, task_id)
        except NotFound:
            raise TaskNotFoundError from None
        if run.assistant != self._served.name:
            raise TaskNotFoundError
        return run

    async def _task(self, run: Run) -> wire.Task:
        return task_of(run, await Transcripts(self._runtime.db).last_frames(run))

    @override
    async def on_list_tasks(self, params: wire.ListTasksRequest, context: ServerCallContext) -> wire.ListTasksResponse:
        raise UnsupportedOperationError

    @override
    async def on_get_extended_agent_card(
        self, params: wire.GetExtendedAgentCardRequest, context: ServerCallContext
    ) -> wire.AgentCard:
        raise UnsupportedOperationError

    @override
    async def on_create_task_push_notification_config(
        self, params: wire.TaskPushNotificationConfig, context: ServerCallContext
    ) -> wire.TaskPushNotificationConfig:
        raise PushNotificationNotSupportedError

    @override
    async def on_get_task_push_notification_config(
        self, params: wire.GetTaskPushNotificationConfigRequest, context: ServerCallContext
    ) -> wire.TaskPushNotificationConfig:
        raise PushNotificationNotSupportedError

    @override
    async def on_list_task_push_notification_configs(
        self, params: wire.ListTaskPushNotificationConfigsRequest, context: ServerCallContext
    ) -> wire.ListTaskPushNotificationConfigsResponse:
        raise PushNotificationNotSupportedError

    @override
    async def on_delete_task_push_notification_config(
        self, params: wire.DeleteTaskPushNotificationConfigRequest, context: ServerCallContext
    ) -> None:
        raise PushNotificationNotSupportedError


async def _read(message: wire.Message) -> tuple[str, list[FileText]]:
    """What a message says, and the files in it; anything else is refused, not left out."""
    texts: list[str] = []
    files: list[FileText] = []
    for part in message.parts:
        kind = part.WhichOneof("content")
        if kind == "text":
            texts.append(part.text)
        elif kind == "raw":
            try:
                files.append(await read_file(part.filename, part.raw))
            except InvalidInput as error:
                raise ContentTypeNotSupportedError(message=error.message) from error
        else:
            raise ContentTypeNotSupportedError(message=f"a part of kind {kind} is not read")
    return "\n".join(texts), files
