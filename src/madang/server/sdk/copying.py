"""A copy of a thread: every checkpoint and every message, under an id of its own."""

from madang.runtime.run_config import thread_config
from madang.runtime.service import Runtime
from madang.store.sessions import Session

PAGE = 1000


async def copy_session(runtime: Runtime, session: Session) -> Session:
    """The copy; it names the thread it was copied from as its parent."""
    copy = await runtime.sessions.create(
        assistant=session.assistant,
        user_id=session.user_id,
        title=session.title,
        parent_session_id=session.session_id,
        metadata=session.metadata,
    )
    try:
        await runtime.saver.acopy_thread(session.session_id, copy.session_id)
        await _copy_messages(runtime, session, copy)
        await _rename_inside(runtime, copy)
    except BaseException:
        await runtime.sessions.delete(copy.session_id)
        raise
    return await runtime.sessions.get(copy.session_id)


async def _copy_messages(runtime: Runtime, session: Session, copy: Session) -> None:
    cursor: str | None = None
    while True:
        page = await runtime.messages.list(session.session_id, limit=PAGE, cursor=cursor)
        for message in page.items:
            await runtime.messages.append(
                copy.session_id,
                message.role,
                message.content,
                structured_data=message.structured_data,
                request_id=message.request_id,
            )
        cursor = page.next_cursor
        if cursor is None:
            return


async def _rename_inside(runtime: Runtime, copy: Session) -> None:
    """An assistant's state names its session; a copy that waits for an answer is left as it is until it goes on."""
    served = runtime.served.get(copy.assistant or "")
    update = served.renamed(copy.session_id) if served is not None else None
    if served is None or not update:
        return
    snapshot = await served.snapshot(copy.session_id)
    if snapshot.values and not snapshot.next:
        await served.graph.aupdate_state(thread_config(copy.session_id), update, as_node=served.edit_node)
