"""The FastAPI application over one runtime."""

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager

from fastapi import FastAPI

from madang.runtime.service import Runtime
from madang.server import pages, problems, sessions

OpenRuntime = Callable[[], AbstractAsyncContextManager[Runtime]]


def create_app(open_runtime: OpenRuntime) -> FastAPI:
    """The application; the runtime is opened when it starts and closed when it stops."""

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        async with open_runtime() as runtime:
            await runtime.recover()
            app.state.runtime = runtime
            yield

    app = FastAPI(title="Madang", version="0.1.0", lifespan=lifespan)
    problems.install(app)
    app.include_router(pages.router)
    app.include_router(sessions.router, prefix="/api/v1")
    return app
