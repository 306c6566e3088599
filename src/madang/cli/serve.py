"""`madang serve`."""

import sys
from typing import Annotated, Any

import typer

from madang.cli.options import Db, settings_with
from madang.errors import ConfigurationError


def serve(
    host: Annotated[str | None, typer.Option(help="주소")] = None,
    port: Annotated[int | None, typer.Option(help="포트")] = None,
    db: Db = None,
    app: Annotated[
        list[str] | None, typer.Option("--app", help="module:assistant 또는 module:graph", metavar="MODULE:NAME")
    ] = None,
) -> None:
    """서버를 켭니다."""
    import uvicorn

    from madang.bootstrap import load, open_runtime
    from madang.server import create_app
    from madang.settings import redact_url

    settings = settings_with(db)
    apps: dict[str, Any] = {}
    for where in app or ():
        found = load(where)
        apps[getattr(found, "name", None) or where.partition(":")[2]] = found
    address, number = host or settings.host, settings.port if port is None else port
    application = create_app(lambda: open_runtime(settings, apps=apps))
    encrypted = "" if settings.encryption_keys.get_secret_value() else " (not encrypted)"
    sys.stderr.write(f"마당: http://{address}:{number}  db {redact_url(settings.db_url)}{encrypted}\n")
    config = uvicorn.Config(application, host=address, port=number, log_level=settings.log_level.lower())
    try:
        uvicorn.Server(config).run()
    except OSError as error:
        raise ConfigurationError(f"can't serve on {address}:{number}: {error}") from error
