"""A worker: it runs turns that servers have accepted, and answers only what machines ask of it."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from madang.server.app import OpenRuntime, begin_work
from madang.server.observe import Observer
from madang.server.pages import healthz, readyz


def create_worker(open_runtime: OpenRuntime, concurrency: int, *, rehearse: bool = False) -> Starlette:
    """The application of a worker; the runtime is opened when it starts, and when it stops hands back what runs."""

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        async with open_runtime() as runtime:
            app.state.runtime, app.state.observer = runtime, Observer(runtime)
            await begin_work(runtime, concurrency)
            if rehearse:
                runtime.rehearse()
            yield
            app.state.observer.close()

    async def alive(_request: Request) -> Response:
        return JSONResponse(await healthz())

    async def metrics(request: Request) -> Response:
        observer: Observer = request.app.state.observer
        return Response(await observer.exposition(0), media_type=observer.media_type)

    routes = [Route("/healthz", alive), Route("/readyz", readyz), Route("/metrics", metrics)]
    return Starlette(routes=routes, lifespan=lifespan)
