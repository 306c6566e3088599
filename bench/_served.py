"""Servers that the `server` suite measures, each in a process of its own: ours, and bare Starlette.

`python -m bench._served ours|profiled|bare URL` prints its port and serves until it is killed.
"""

import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, TypedDict

from starlette.requests import Request

BATCH = 10


class Echo(TypedDict, total=False):
    query: str
    answer: str


async def echo(state: Echo) -> Echo:
    return {"answer": state["query"]}


def echo_graph() -> Any:
    """The smallest graph: what is measured is the server and the saver around it."""
    from langgraph.graph import END, START, StateGraph

    graph: Any = StateGraph(Echo)
    graph.add_node("echo", echo)
    graph.add_edge(START, "echo")
    graph.add_edge("echo", END)
    return graph


def ours(url: str) -> Any:
    """`madang serve` with the benchmark's assistant and the echo graph."""
    from bench._fan import Diary, assistant
    from madang.bootstrap import clock, serve
    from madang.events import Token
    from madang.graph import build
    from madang.runtime import Runtime
    from madang.runtime.assistant_graph import AssistantGraph
    from madang.server.app import create_app
    from madang.settings import Settings
    from madang.store import SessionSaver
    from madang.store.database import Database

    settings = Settings(db=url)

    @asynccontextmanager
    async def opened() -> AsyncIterator[Runtime]:
        db = await Database.open(url, pool_size=20)
        saver = SessionSaver(db)
        fan = AssistantGraph("fan", build(assistant, saver), assistant, Diary())
        served = {"fan": fan, "echo": serve("echo", echo_graph(), saver, None, settings)}
        runtime = Runtime(db, saver, served, today=clock(None))
        try:
            yield runtime
        finally:
            await runtime.close()
            await db.close()

    app = create_app(opened)

    @app.post("/publish")
    async def publish(request: Request) -> dict[str, int]:
        """Events as the runtime makes them: in the log first, then to whoever listens."""
        given = await request.json()
        runtime: Runtime = app.state.runtime
        for _ in range(given["count"] // BATCH):
            tokens = [(None, Token(text="x" * given["size"])) for _ in range(BATCH)]
            runtime.hub.publish(await runtime.events.append(given["session_id"], None, None, tokens))
        return {}

    return app


def bare(url: str) -> Any:
    """Starlette alone: a route that runs the echo graph over LangGraph's own saver, and a socket that fans out."""
    from starlette.applications import Starlette
    from starlette.responses import JSONResponse
    from starlette.routing import Route, WebSocketRoute
    from starlette.websockets import WebSocket, WebSocketDisconnect

    listeners: set[WebSocket] = set()
    kept: dict[str, Any] = {}

    @asynccontextmanager
    async def lifespan(_app: Starlette) -> AsyncIterator[None]:
        async with stock_saver(url) as saver:
            kept["graph"] = echo_graph().compile(checkpointer=saver)
            yield

    async def run(request: Request) -> JSONResponse:
        given = await request.json()
        config = {"configurable": {"thread_id": request.path_params["thread_id"]}}
        return JSONResponse(await kept["graph"].ainvoke({"query": given["query"]}, config, durability="sync"))

    async def listen(websocket: WebSocket) -> None:
        await websocket.accept()
        listeners.add(websocket)
        await websocket.send_text("{}")
        try:
            while True:
                await websocket.receive_text()
        except WebSocketDisconnect:
            listeners.discard(websocket)

    async def publish(request: Request) -> JSONResponse:
        given = await request.json()
        for number in range(given["count"]):
            text = f'{{"seq":{number + 1},"text":"{"x" * given["size"]}"}}'
            for listener in list(listeners):
                await listener.send_text(text)
        return JSONResponse({})

    routes = [
        Route("/runs/{thread_id}", run, methods=["POST"]),
        Route("/publish", publish, methods=["POST"]),
        WebSocketRoute("/ws/{name}", listen),
    ]
    return Starlette(routes=routes, lifespan=lifespan)


@asynccontextmanager
async def stock_saver(url: str) -> AsyncIterator[Any]:
    """LangGraph's own saver for the same database."""
    if url.startswith("postgresql://"):
        from langgraph.checkpoint.postgres.aio import AsyncPostgresSaver
        from psycopg.rows import dict_row
        from psycopg_pool import AsyncConnectionPool

        options: dict[str, Any] = {"autocommit": True, "prepare_threshold": 0, "row_factory": dict_row}
        async with AsyncConnectionPool(url, kwargs=options, min_size=20, max_size=20, open=False) as pool:
            saver = AsyncPostgresSaver(pool)  # type: ignore[arg-type]
            await saver.setup()
            yield saver
        return
    from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver

    async with AsyncSqliteSaver.from_conn_string(url.removeprefix("sqlite:///") + ".stock") as lite:
        await lite.setup()
        yield lite


def main() -> None:
    """Serve one of them."""
    import logging

    from madang.cli.serve import bind, make_server

    which, url = sys.argv[1:3]
    logging.disable(logging.WARNING)
    bound = bind("127.0.0.1", 0)
    app = bare(url) if which == "bare" else ours(url)
    if which == "profiled":
        from bench._sampling import Samples

        samples = Samples()
        app.post("/profile")(samples.shares)
    server = make_server(app, 1 << 20)

    say_when_started(server, bound.getsockname()[1])
    server.run(sockets=[bound])


def say_when_started(server: Any, port: int) -> None:
    """Print the port once requests are answered."""
    begin = server.startup

    async def startup(*given: Any, **options: Any) -> None:
        await begin(*given, **options)
        os.write(1, f"{port}\n".encode())

    server.startup = startup


if __name__ == "__main__":
    main()
