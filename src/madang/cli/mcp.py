"""`madang mcp`."""

import asyncio
from typing import Annotated

import typer

from madang.cli.options import Db, settings_with
from madang.errors import needs_extra


def mcp(
    db: Db = None,
    app: Annotated[
        list[str] | None,
        typer.Option("--app", help="module:assistant, module:graph 또는 langgraph.json", metavar="MODULE:NAME"),
    ] = None,
    only_app: Annotated[bool, typer.Option("--only-app", help="--app으로 준 것만 엽니다")] = False,
) -> None:
    """도우미를 MCP 도구로, 표준 입출력으로 내놓습니다."""
    from madang.bootstrap import load_apps, open_runtime

    with needs_extra("server", "madang mcp"):
        from mcp.server.stdio import stdio_server

        from madang.server.identity import LOCAL
        from madang.server.mcp import mcp_server

    settings = settings_with(db)
    apps = load_apps(app or ())

    async def run() -> None:
        opening = open_runtime(settings, apps=apps, local_user=True, installed=not (only_app and apps))
        async with opening as runtime, stdio_server() as (reading, writing):
            server = mcp_server(lambda: runtime, lambda _ctx: LOCAL)
            await server.run(reading, writing, server.create_initialization_options())

    asyncio.run(run())
