"""The FastAPI application over one runtime."""

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from functools import partial
from importlib.metadata import version
from typing import Any

from fastapi import FastAPI

from madang.runtime import Runtime
from madang.runtime.webhook_policy import WebhookPolicy
from madang.server import ag_ui, documentation, pages, problems, rest, sdk, socket
from madang.server.a2a import routes as a2a
from madang.server.compression import Compression
from madang.server.edge import Edge
from madang.server.identity import Identities
from madang.server.limits import Limits
from madang.server.mcp import http as mcp
from madang.server.mcp.http import mcp_requests
from madang.server.observe import Observer
from madang.server.options import ServerOptions
from madang.server.rechecking import Rechecks
from madang.server.sdk import crons, webhooks
from madang.server.sdk.sweeping import Sweeper
from madang.server.sockets import Sockets
from madang.server.tokens import Tokens
from madang.store.users import Users

OpenRuntime = Callable[[], AbstractAsyncContextManager[Runtime]]


def create_app(open_runtime: OpenRuntime, options: ServerOptions | None = None) -> FastAPI:
    """The application; the runtime is opened when it starts and closed when it stops.

    Every surface finds what it needs in `app.state`: `runtime`, `options`, `identities`, `limits`, `sockets`,
    `rechecks`, `observer`. Who is asking comes from `server.identity` only.
    """
    chosen = options or ServerOptions()

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        async with open_runtime() as runtime, own_lifespan(chosen.http_app), mcp_requests(app):
            _prepare(app, runtime, chosen)
            runtime.periodic.add("crons", crons.EVERY, partial(crons.start_due, runtime))
            runtime.periodic.add("webhooks", webhooks.EVERY, webhooks.Caller(runtime, runtime.webhooks).call_due)
            await begin_work(runtime, chosen.concurrency)
            runtime.in_background(app.state.rechecks.keep_on())
            runtime.in_background(Sweeper(runtime, app.state.sockets, chosen.undo_seconds).keep_on())
            if chosen.rehearse:
                runtime.rehearse()
            try:
                yield
            finally:
                await app.state.sockets.close()
                app.state.observer.close()

    app = FastAPI(
        title="Madang",
        version=version("madang"),
        description=documentation.DESCRIPTION,
        lifespan=lifespan,
        docs_url=None,
        redoc_url=None,
        responses=problems.DOCUMENTED,
    )
    app.add_middleware(Compression)
    app.add_middleware(Edge, options=chosen)
    problems.install(app)
    app.include_router(pages.router)
    rest.install(app)
    app.include_router(socket.router)
    sdk.install(app)
    app.include_router(mcp.router)
    app.include_router(ag_ui.router)
    app.include_router(a2a.router)
    if chosen.http_app is not None:
        app.mount("/", chosen.http_app)
    return app


async def begin_work(runtime: Runtime, concurrency: int) -> None:
    """Take over what nobody runs any more, then run what others accept, so many turns at once, and what is periodic."""
    await runtime.recovery.begin()
    if concurrency and runtime.db.dialect == "postgres":
        runtime.in_background(runtime.work(concurrency))
    if concurrency or runtime.queue.here:
        runtime.in_background(runtime.periodic.run())


@asynccontextmanager
async def own_lifespan(http_app: Any) -> AsyncIterator[None]:
    """A mounted application's own beginning and end."""
    lifespan = getattr(getattr(http_app, "router", None), "lifespan_context", None)
    if lifespan is None:
        yield
        return
    async with lifespan(http_app):
        yield


def _prepare(app: FastAPI, runtime: Runtime, options: ServerOptions) -> None:
    tokens = Tokens(options.tokens) if options.tokens is not None else None
    app.state.runtime = runtime
    app.state.options = options
    runtime.webhooks = WebhookPolicy(frozenset(options.webhook_hosts), options.webhook_secret)
    app.state.identities = Identities(
        Users(runtime.db), required=options.credentials_required, tokens=tokens, auth=options.auth
    )
    app.state.limits = Limits(options.requests_per_minute)
    app.state.sockets = Sockets()
    app.state.rechecks = Rechecks(app.state.identities, options.recheck)
    app.state.observer = Observer(runtime)
    if runtime.link is not None:
        sockets: Sockets = app.state.sockets
        runtime.link.deleted.append(lambda session_id: runtime.in_background(sockets.end(session_id)))
