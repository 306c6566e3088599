"""Who is asking, and what is theirs: the one place that decides, for every surface.

A caller is a user of the database, by API key or by token, or the one implicit local user (id None) where no
credentials are required. Everything a caller may touch hangs on a session, and `owns` says whose a session is.
What is foreign is answered exactly like what doesn't exist.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any

from fastapi import Depends
from starlette.requests import HTTPConnection

from madang.errors import AccessDenied, InvalidInput, InvalidName, NotFound, Unauthenticated
from madang.memory import owner_of
from madang.runtime import Runtime
from madang.server.handlers import authenticated
from madang.server.limits import Limits
from madang.server.tokens import Tokens
from madang.store.columns import check_id
from madang.store.documents import Document, Documents
from madang.store.runs import Run
from madang.store.sessions import Session
from madang.store.users import HOME_COMPANY, PREFIX, User, Users

COMPANY = "company_id"
LIFETIME = "madang_ttl"
PRIORITY = "madang_priority"
SERVER_ONLY = frozenset({COMPANY, LIFETIME, PRIORITY})
ADMIN = "admin"


@dataclass(frozen=True)
class Identity:
    """A caller. `user_id` None is the implicit local user; `key` is what rate limits count by."""

    user_id: int | None
    company_id: str
    role: str
    key: str

    @property
    def local(self) -> bool:
        return self.user_id is None

    @property
    def owner(self) -> str:
        """Under which label what is remembered and stored is kept."""
        return owner_of(self.user_id, self.company_id)


LOCAL = Identity(user_id=None, company_id=HOME_COMPANY, role=ADMIN, key="")


class Identities:
    """Finds the caller behind a credential."""

    def __init__(self, users: Users, *, required: bool = False, tokens: Tokens | None = None, auth: Any = None) -> None:
        self._users = users
        self._authenticate = None if auth is None else auth._authenticate_handler
        self._tokens = tokens
        self.required = required or auth is not None

    @property
    def foreign(self) -> bool:
        """Whether handlers of the user's own say who asks."""
        return self._authenticate is not None

    async def of_connection(self, connection: HTTPConnection) -> Identity:
        """The caller behind a request or a socket. Raises `Unauthenticated`."""
        if self._authenticate is None:
            return await self.of(credential_of(connection.headers, required=self.required))
        subject = await authenticated(self._authenticate, connection)
        user = await self._users.meet("langgraph.json", subject)
        if user.revoked_at:
            raise Unauthenticated("the user is revoked")
        return _identity(user, key=f"user:{user.id}", company=user.company_id)

    async def of(self, credential: str | None) -> Identity:
        """The caller. Raises `Unauthenticated` for a credential that isn't valid, or a missing one if required."""
        if credential is None:
            if self.required:
                raise Unauthenticated("credentials are required: an API key or a token")
            return LOCAL
        if credential.startswith(PREFIX + "_"):
            user = await self._users.authenticate(credential)
            if user is None:
                raise Unauthenticated("the API key is not valid")
            return _identity(user, key=credential.split("_")[1], company=user.company_id)
        return await self._by_token(credential)

    async def _by_token(self, token: str) -> Identity:
        if self._tokens is None:
            raise Unauthenticated("the credential is not an API key, and tokens are not configured")
        claims = await self._tokens.verify(token)
        user = await self._users.meet(claims.issuer, claims.subject, company_id=claims.company)
        if user.revoked_at:
            raise Unauthenticated("the user is revoked")
        # What an earlier token said of the company doesn't hold for this one.
        return _identity(user, key=f"user:{user.id}", company=claims.company or HOME_COMPANY)


def _identity(user: User, *, key: str, company: str) -> Identity:
    return Identity(user_id=user.id, company_id=company, role=user.role, key=key)


def credential_of(headers: Mapping[str, str], *, required: bool) -> str | None:
    """The credential in the headers of a request: `Authorization: Bearer …`, `X-Api-Key`, or a socket's subprotocol.

    A foreign `X-Api-Key` (the LangGraph SDK sends LangSmith's unasked) is no credential where none is required.
    Raises `Unauthenticated` for an authorization that isn't a bearer's.
    """
    if authorization := headers.get("authorization"):
        scheme, _, credential = authorization.partition(" ")
        if scheme.lower() != "bearer" or not credential.strip():
            raise Unauthenticated("the authorization should be `Bearer` and a key or a token")
        return credential.strip()
    key = headers.get("x-api-key")
    if key and (required or key.startswith(PREFIX + "_")):
        return key
    return _offered(headers.get("sec-websocket-protocol", ""))


SUBPROTOCOL = "madang"
OFFER = "madang.bearer."


def _offered(protocols: str) -> str | None:
    """A browser can't set headers on a socket; it offers `madang` and `madang.bearer.<credential>` instead."""
    for name in protocols.split(","):
        if name.strip().startswith(OFFER):
            return name.strip().removeprefix(OFFER)
    return None


def owns(identity: Identity, session: Session) -> bool:
    """Whether the session is the caller's: the one rule of isolation."""
    return session.user_id == identity.user_id and (identity.local or session.company_id == identity.company_id)


def owned_by(identity: Identity) -> dict[str, Any]:
    """`owns` as a search in the database asks it."""
    company = None if identity.local else identity.company_id
    return {"user_id": identity.user_id, "anonymous": identity.local, "company": company}


def _plausible(session_id: str) -> bool:
    """Whether it could be an id at all; a database needn't be asked about the others."""
    try:
        check_id(session_id)
    except InvalidName:
        return False
    return True


async def authorise(runtime: Runtime, identity: Identity, session_id: str) -> Session:
    """The caller's session. Raises `NotFound`, the same for one that doesn't exist and for another's."""
    session = await runtime.sessions.find(session_id) if _plausible(session_id) else None
    if session is None or not owns(identity, session):
        raise NotFound(f"no session {session_id!r}", session_id=session_id)
    return session


async def authorise_deleted(runtime: Runtime, identity: Identity, session_id: str, since: str) -> Session:
    """The caller's session that was deleted after a moment. Raises `NotFound` as `authorise` does."""
    session = await runtime.sessions.find_put_aside(session_id, since) if _plausible(session_id) else None
    if session is None or not owns(identity, session):
        raise NotFound(f"no session {session_id!r}", session_id=session_id)
    return session


async def authorise_run(runtime: Runtime, identity: Identity, run_id: str) -> Run:
    """The caller's run. Raises `NotFound`, the same for one that doesn't exist and for another's."""
    try:
        run = await runtime.runs.get(check_id(run_id, "run_id"))
        await authorise(runtime, identity, run.session_id)
    except (NotFound, InvalidName):
        raise NotFound(f"no run {run_id!r}", run_id=run_id) from None
    return run


async def authorise_document(
    runtime: Runtime, identity: Identity, document_id: str, version: int | None = None
) -> Document:
    """The caller's document. Raises `NotFound`, the same for one that doesn't exist and for another's."""
    try:
        document = await Documents(runtime.db).get(check_id(document_id, "document_id"), version)
        await authorise(runtime, identity, document.session_id)
    except (NotFound, InvalidName):
        named = f"no document {document_id!r}" + (f" version {version}" if version else "")
        raise NotFound(named, document_id=document_id) from None
    return document


def owned_metadata(identity: Identity, given: Mapping[str, Any] | None) -> dict[str, Any]:
    """Metadata for a new session of the caller: the company is the caller's, whatever the client says."""
    kept = {key: value for key, value in (given or {}).items() if key not in SERVER_ONLY}
    return kept if identity.local else {**kept, COMPANY: identity.company_id}


def check_metadata_changes(changes: Mapping[str, Any]) -> None:
    """Raises `InvalidInput` for a change of what only the server sets."""
    for name in sorted(SERVER_ONLY & set(changes)):
        raise InvalidInput(f"metadata.{name}: is set by the server", field=f"metadata.{name}")


def check_admin(identity: Identity) -> None:
    """Raises `AccessDenied` unless the caller runs this server."""
    if identity.role != ADMIN:
        raise AccessDenied("only an administrator may see this")


async def identify(connection: HTTPConnection) -> Identity:
    """Who makes a request or opens a socket, counted against their rate. Raises `Unauthenticated`, `RateLimited`."""
    identities: Identities = connection.app.state.identities
    limits: Limits = connection.app.state.limits
    address = connection.client.host if connection.client else ""
    try:
        identity = await identities.of_connection(connection)
    except Unauthenticated:
        # Guessing is counted by where it comes from.
        limits.take(f"address:{address}")
        raise
    if not identity.local:
        limits.take(identity.key)
    return identity


async def runtime_of(connection: HTTPConnection) -> Runtime:
    """The runtime behind the application."""
    # Async, though it waits for nothing: FastAPI would send it to a thread.
    runtime: Runtime = connection.app.state.runtime
    return runtime


Who = Annotated[Identity, Depends(identify)]
TheRuntime = Annotated[Runtime, Depends(runtime_of)]


async def own_session(session_id: str, who: Who, runtime: TheRuntime) -> Session:
    """The session named in the path, if it is the caller's."""
    return await authorise(runtime, who, session_id)


async def own_thread(thread_id: str, who: Who, runtime: TheRuntime) -> Session:
    """The session that the path calls a thread, if it is the caller's."""
    return await authorise(runtime, who, thread_id)


async def own_run(run_id: str, who: Who, runtime: TheRuntime) -> Run:
    """The run named in the path, if it is the caller's."""
    return await authorise_run(runtime, who, run_id)


OwnSession = Annotated[Session, Depends(own_session)]
OwnThread = Annotated[Session, Depends(own_thread)]
OwnRun = Annotated[Run, Depends(own_run)]
