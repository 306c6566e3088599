"""The context of a turn of an assistant: its services, and what the runtime puts around them."""

from functools import partial
from typing import Any

from madang.graph.context import TurnContext, Write
from madang.runtime.environment import Environment
from madang.store.documents import Documents
from madang.store.runs import Run, Runs
from madang.store.sessions import Session


async def turn_context(
    environment: Environment, services: Any, run: Run, session: Session, write: Write
) -> TurnContext:
    """The context of one run; `write` takes tokens and progress."""
    return TurnContext(
        today=environment.today(),
        services=services,
        models=environment.models,
        memory=environment.memory(session) if environment.memory is not None else None,
        tools=environment.tools,
        controls=SkippedSteps(environment.runs, run),
        user_id=session.user_id,
        company_id=session.company_id,
        estimates=await environment.estimates.of(run.assistant or ""),
        blobs=environment.blobs.of(session.session_id),
        save_document=partial(save_document, environment.documents, session, run.run_id),
        write=write,
        answer_id=run.answer_id,
    )


async def look_ahead_context(environment: Environment, services: Any, session: Session) -> TurnContext:
    """The context for planning a turn that is not going to run: no model, nothing written, nothing remembered."""
    return TurnContext(
        today=environment.today(),
        services=services,
        user_id=session.user_id,
        company_id=session.company_id,
        estimates=await environment.estimates.of(session.assistant or ""),
        blobs=environment.blobs.of(session.session_id),
    )


class SkippedSteps:
    """The steps that the user has asked a turn to skip."""

    def __init__(self, runs: Runs, run: Run) -> None:
        self._runs, self._run = runs, run

    async def skipped(self) -> frozenset[str]:
        ids, session_id = self._run.turn_run_ids, self._run.session_id
        controls = [control for run_id in ids for control in await self._runs.controls(run_id, session_id)]
        return frozenset(str(c.data.get("step_id")) for c in controls if c.kind == "todo_skip")


async def save_document(documents: Documents, session: Session, run_id: str, made: dict[str, Any]) -> str:
    """Keep a document that an agent has made; making it again after a crash is its next version."""
    saved = await documents.save(
        session.session_id,
        document_id=made.get("document_id"),
        kind=made.get("kind"),
        title=made.get("title"),
        content={"markdown": made.get("markdown", "")},
        metadata=made.get("metadata"),
        files=made.get("files"),
        run_id=run_id,
        step_id=made.get("step_id"),
        assistant=session.assistant,
    )
    return saved.document_id
