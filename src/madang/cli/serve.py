"""`madang serve`."""

import asyncio
import gc
import logging
import math
import socket
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Annotated

import typer

from madang.cli.options import Db, settings_with
from madang.errors import ConfigurationError, MadangError, needs_extra

if TYPE_CHECKING:
    import uvicorn
    from starlette.applications import Starlette

    from madang.runtime import Runtime

PING = 20.0
LARGEST_FRAME = 16
LAST_ANSWERS = 5


def serve(
    host: Annotated[str | None, typer.Option(help="주소")] = None,
    port: Annotated[int | None, typer.Option(help="포트 (0: 빈 포트)", min=0, max=65535)] = None,
    db: Db = None,
    app: Annotated[
        list[str] | None,
        typer.Option("--app", help="module:assistant, module:graph 또는 langgraph.json", metavar="MODULE:NAME"),
    ] = None,
    only_app: Annotated[bool, typer.Option("--only-app", help="--app으로 준 것만 엽니다")] = False,
    work: Annotated[bool, typer.Option("--work/--no-work", help="차례를 이 프로세스에서 돌립니다")] = True,
) -> None:
    """서버를 켭니다. --no-work이면 받은 차례를 `madang worker`가 돌립니다 (Postgres)."""
    from madang.bootstrap import check_credentials, load_apps_of, open_runtime, server_options
    from madang.state.redaction import redact_url

    settings = settings_with(db)
    if not work and settings.db_url.startswith("sqlite"):
        raise ConfigurationError("--no-work needs Postgres: what an SQLite file has to run is run by its server")
    address, number = host or settings.host, settings.port if port is None else port
    # Settings that don't fit are refused before seconds of imports.
    fitting = server_options(settings, address)
    with needs_extra("server", "madang serve"):
        import uvicorn  # noqa: F401 - found missing now rather than after the start

        from madang.server.app import create_app
        from madang.server.logs import configure_logging
        from madang.server.pages import app_is_built

    project = load_apps_of(app or ())
    apps = project.graphs
    options = replace(fitting, auth=project.auth, http_app=project.http_app)
    if not work:
        # Nothing of the assistants runs here.
        options = replace(options, concurrency=0, rehearse=False)
    if options.credentials_required and project.auth is None:
        asyncio.run(check_credentials(settings))
    configure_logging(settings.log_level, settings.log_format)
    local = not options.credentials_required
    installed = not (only_app and apps)
    failures: list[MadangError] = []
    opening = partial(
        open_runtime, settings, apps=apps, local_user=local, installed=installed, project=project, begins=work
    )
    opened = lambda: noting(opening(), failures)  # noqa: E731
    application = create_app(opened, options)
    bound = bind(address, number)
    encrypted = "" if settings.encryption_keys.get_secret_value() else " (not encrypted)"
    shown = f"[{address}]" if ":" in address else address
    line = f"마당: http://{shown}:{bound.getsockname()[1]}  db {redact_url(settings.db_url)}{encrypted}"
    if not app_is_built():
        line += "\n웹 앱이 없습니다 (make setup이 만듭니다). API와 명령줄은 그대로 됩니다."
    run_server(application, options.max_frame_bytes, bound, line, failures, grace=options.grace)


def run_server(
    application: "Starlette",
    max_frame_bytes: int,
    bound: socket.socket,
    line: str,
    failures: list[MadangError],
    *,
    grace: float,
) -> None:
    """Serve until told to stop; `line` is said once it answers. Raises the first of `failures`."""

    def say() -> None:
        sys.stderr.write(line + "\n")
        sys.stderr.flush()

    # What keeps it from starting is said in one line, as by any other command.
    logging.getLogger("uvicorn.error").addFilter(lambda _record: not failures)
    try:
        make_server(application, max_frame_bytes, say, grace=grace).run(sockets=[bound])
    finally:
        if failures:
            raise failures[0]


@asynccontextmanager
async def noting(
    opening: AbstractAsyncContextManager["Runtime"], failures: list[MadangError]
) -> AsyncIterator["Runtime"]:
    """The same, with what kept it from opening noted down."""
    async with AsyncExitStack() as stack:
        try:
            runtime = await stack.enter_async_context(opening)
        except MadangError as error:
            failures.append(error)
            raise
        yield runtime


def bind(address: str, port: int) -> socket.socket:
    """A socket to serve on. Raises `ConfigurationError`."""
    try:
        family = socket.getaddrinfo(address, port, type=socket.SOCK_STREAM)[0][0]
        bound = socket.socket(family, socket.SOCK_STREAM)
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        bound.bind((address, port))
        # Who connects from now on waits for the start-up instead of being refused.
        bound.listen(4096)
    except OSError as error:
        raise ConfigurationError(f"can't serve on {address}:{port}: {error}") from error
    return bound


def spare_the_collector() -> None:
    """Let the garbage collector pass over what the server will keep anyway, and come less often to the rest.

    A turn leaves thousands of objects that are in use while it runs; looking through those of hundreds of turns
    again and again took a fifth of the time.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 10)


def make_server(
    application: "Starlette", max_frame_bytes: int, started: Callable[[], None] = lambda: None, *, grace: float = 5.0
) -> "uvicorn.Server":
    """The server: half-open sockets are found by pings, frames are bounded.

    `started` is called once it answers. When it stops, who only listens is let go at once, and who waits for a turn
    after `grace` seconds.
    """
    import uvicorn
    from sse_starlette.sse import AppStatus

    from madang.server.http_protocol import PatientProtocol

    # With it the answers of MCP and A2A are cut off at the signal, before their turns had their grace.
    AppStatus.enable_automatic_graceful_drain = False

    class Server(uvicorn.Server):
        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            await super().startup(sockets)
            if self.started:
                spare_the_collector()
                started()

        async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
            runtime: Runtime | None = getattr(application.state, "runtime", None)
            letting_go = runtime.stop(grace) if runtime is not None else None
            await super().shutdown(sockets)
            if letting_go is not None:
                letting_go.cancel()

    config = uvicorn.Config(
        application,
        http=PatientProtocol,
        log_config=None,
        access_log=False,
        server_header=False,
        ws_max_size=LARGEST_FRAME * max_frame_bytes,
        ws_ping_interval=PING,
        ws_ping_timeout=PING,
        ws_per_message_deflate=False,
        timeout_keep_alive=30,
        # What is let go has a moment to be answered.
        timeout_graceful_shutdown=math.ceil(grace) + LAST_ANSWERS,
        backlog=4096,
    )
    return Server(config)
