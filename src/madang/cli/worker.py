"""`madang worker`."""

from functools import partial
from typing import Annotated

import typer

from madang.cli.options import Db, settings_with
from madang.cli.serve import bind, noting, run_server
from madang.errors import ConfigurationError, MadangError, needs_extra


def worker(
    concurrency: Annotated[int | None, typer.Option(help="한 번에 돌릴 차례 수", min=1, max=1000)] = None,
    queue: Annotated[
        list[str] | None, typer.Option("--queue", help="이 도우미의 차례만 돌립니다 (여러 번 가능)", metavar="NAME")
    ] = None,
    db: Db = None,
    app: Annotated[
        list[str] | None,
        typer.Option("--app", help="module:assistant, module:graph 또는 langgraph.json", metavar="MODULE:NAME"),
    ] = None,
    only_app: Annotated[bool, typer.Option("--only-app", help="--app으로 준 것만 엽니다")] = False,
    host: Annotated[str, typer.Option(help="상태를 묻는 주소")] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="상태를 묻는 포트 (0: 빈 포트)", min=0, max=65535)] = 0,
) -> None:
    """서버들이 받은 차례를 돌립니다 (Postgres). /healthz, /readyz, /metrics에 답합니다."""
    from madang.bootstrap import load_apps_of, open_runtime
    from madang.state.redaction import redact_url

    with needs_extra("server", "madang worker"):
        import uvicorn  # noqa: F401 - found missing now rather than after the start

        from madang.server.logs import configure_logging
        from madang.server.worker import create_worker

    settings = settings_with(db)
    if settings.db_url.startswith("sqlite"):
        raise ConfigurationError("workers need Postgres: what an SQLite file has to run is run by its server")
    project = load_apps_of(app or ())
    configure_logging(settings.log_level, settings.log_format)
    failures: list[MadangError] = []
    opening = partial(
        open_runtime,
        settings,
        apps=project.graphs,
        installed=not (only_app and project.graphs),
        project=project,
        local_user=settings.auth == "auto",
        begins=False,
        queues=queue,
    )
    application = create_worker(
        lambda: noting(opening(), failures), concurrency or settings.concurrency, rehearse=settings.rehearse
    )
    bound = bind(host, port)
    line = f"마당 일꾼: http://{host}:{bound.getsockname()[1]}  db {redact_url(settings.db_url)}"
    run_server(application, settings.max_request_bytes, bound, line, failures, grace=settings.grace)
