"""Links to a conversation: read-only, unguessable, revocable, redacted on request."""

from typing import Annotated, Any

from fastapi import APIRouter, Query, Request, Response

from madang.errors import NotFound
from madang.runtime.transcript import shared_transcript
from madang.server.identity import OwnSession, TheRuntime, Who, authorise
from madang.server.limits import Limits
from madang.server.rest.models import Id, NewShare, SharedShown, ShareShown, json_response
from madang.store.shares import Share, Shares

router = APIRouter(tags=["shares"])


@router.post("/sessions/{session_id}/share", status_code=201, response_model=ShareShown)
async def share_session(session: OwnSession, given: NewShare, runtime: TheRuntime) -> dict[str, Any]:
    """A link to what has been said until now. With `redacted`, personal numbers and sensitive values are masked."""
    return _shown(await Shares(runtime.db).add(session.session_id, redacted=given.redacted))


@router.get("/sessions/{session_id}/shares", response_model=list[ShareShown])
async def list_shares(session: OwnSession, runtime: TheRuntime) -> list[dict[str, Any]]:
    """The links to a conversation, newest first."""
    return [_shown(share) for share in await Shares(runtime.db).of_session(session.session_id)]


@router.get("/shares/{share_id}", response_model=SharedShown)
async def get_share(
    share_id: Id,
    runtime: TheRuntime,
    request: Request,
    before: Annotated[Id | None, Query(description="as in a conversation")] = None,
    limit: Annotated[int, Query(ge=1, le=200)] = 50,
) -> Response:
    """The conversation behind a link, for whoever has it."""
    limits: Limits = request.app.state.limits
    limits.take(f"share:{request.client.host if request.client else ''}")
    share = await Shares(runtime.db).get(share_id)
    session = await runtime.sessions.get(share.session_id)
    return json_response(await shared_transcript(runtime, session, share, before=before, limit=limit))


@router.delete("/shares/{share_id}", status_code=204)
async def revoke_share(share_id: Id, runtime: TheRuntime, who: Who) -> None:
    """From now on the link opens nothing."""
    shares = Shares(runtime.db)
    try:
        await authorise(runtime, who, (await shares.get(share_id)).session_id)
    except NotFound:
        raise NotFound(f"no share {share_id!r}", share_id=share_id) from None
    await shares.revoke(share_id)


def _shown(share: Share) -> dict[str, Any]:
    return {
        "share_id": share.share_id,
        "url": f"/#/shared/{share.share_id}",
        "redacted": share.redacted,
        "created_at": share.created_at,
    }
