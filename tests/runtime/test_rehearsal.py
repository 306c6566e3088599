"""The turn that nobody sees: it loads what the first question needs, reaches nobody, and stores nothing."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from httpx import ASGITransport, AsyncClient

from bench._fan import assistant as fan
from madang.assistants.homes.services import HomesServices
from madang.assistants.homes.tools.providers import ProviderSettings
from madang.assistants.travel.services import TravelServices
from madang.assistants.works.services import WorksServices
from madang.graph import Deployment, build
from madang.llm import Models
from madang.llm.testing import ScriptedReply, ScriptedServer, answer, status
from madang.runtime import Runtime
from madang.runtime.assistant_graph import AssistantGraph
from madang.server.app import create_app
from madang.server.options import ServerOptions
from madang.store import SessionSaver
from madang.store.database import Database

AGENTS = ["search_team", "analysis_team", "document_team", "reporter"]


class Tools:
    """Services that note what is done with them; live ones may not be used in a rehearsal."""

    data_versions: Mapping[str, str] = {}

    def __init__(self, *, live: bool = True) -> None:
        self.live = live
        self.done: list[str] = []

    def rehearsal(self) -> "Tools":
        quiet = Tools(live=False)
        quiet.done = self.done
        return quiet

    def note(self, name: str) -> None:
        assert not self.live
        self.done.append(name)


async def runtime_with(url: str, tools: Any, models: Models | None = None) -> Runtime:
    db = await Database.open(url)
    saver = SessionSaver(db)
    assistant = replace(fan, examples=("first", "second"))
    served = AssistantGraph("fan", build(assistant, saver), assistant, tools)
    return Runtime(db, saver, {"fan": served}, today=lambda: date(2026, 1, 1), models=models)


async def rehearsed(runtime: Runtime) -> None:
    runtime.rehearse()
    assert runtime.rehearsing
    while runtime.rehearsing:
        await asyncio.sleep(0)


async def test_the_first_example_is_run_and_nothing_is_stored(sqlite_url: str) -> None:
    tools = Tools()
    runtime = await runtime_with(sqlite_url, tools)
    await rehearsed(runtime)
    assert tools.done == AGENTS
    async with runtime.db.reader() as reader:
        for table in ("chat_sessions", "runs", "run_events", "checkpoints", "memories"):
            assert await reader.fetch(f"SELECT * FROM {table}") == []
    await runtime.close()
    await runtime.db.close()


async def test_one_that_fails_is_logged_and_stops_nothing(sqlite_url: str, caplog: pytest.LogCaptureFixture) -> None:
    class Broken(Tools):
        def rehearsal(self) -> Tools:
            raise OSError("no index")

    runtime = await runtime_with(sqlite_url, Broken())
    await rehearsed(runtime)
    assert "the rehearsal failed" in caplog.text
    await runtime.close()
    await runtime.db.close()


async def test_ready_when_it_is_over(sqlite_url: str) -> None:
    runtime = await runtime_with(sqlite_url, Tools())
    app = create_app(lambda: _given(runtime), ServerOptions(rehearse=True))
    http = AsyncClient(transport=ASGITransport(app), base_url="http://127.0.0.1")
    async with app.router.lifespan_context(app), http:
        runtime.rehearsing = True
        answer = await http.get("/readyz")
        assert (answer.status_code, answer.json()) == (503, {"status": "loading"})
        assert (await http.get("/healthz")).status_code == 200
        runtime.rehearsing = False
        assert (await http.get("/readyz")).json() == {"status": "ready"}


@pytest.mark.parametrize(("reply", "found"), [(answer('{"ready": true}'), "answers"), (status(500), "fails")])
async def test_the_model_is_asked_once_at_the_start(sqlite_url: str, reply: ScriptedReply, found: str) -> None:
    with ScriptedServer([reply] * 3) as server:
        models = server.models()
        runtime = await runtime_with(sqlite_url, Tools(), models)
        app = create_app(lambda: _given(runtime), ServerOptions(rehearse=True))
        http = AsyncClient(transport=ASGITransport(app), base_url="http://127.0.0.1")
        async with app.router.lifespan_context(app), http:
            while runtime.rehearsing or runtime.model == "asked":
                await asyncio.sleep(0)
            assert (await http.get("/readyz")).json() == {"status": "ready", "model": found}
        await models.aclose()


@asynccontextmanager
async def _given(runtime: Runtime) -> AsyncIterator[Runtime]:
    yield runtime
    await runtime.close()
    await runtime.db.close()


def test_our_assistants_rehearse_without_their_live_services(tmp_path: Path) -> None:
    keyed = {"MADANG_TRAVEL_API_ID": "id", "MADANG_TRAVEL_API_SECRET": "secret", "MADANG_NAVER_CLIENT_ID": "id"}
    homes = HomesServices(
        tmp_path, embed=lambda _texts: None, providers={"law": ProviderSettings(base_url="http://127.0.0.1", key="key")}
    )
    assert homes.rehearsal().law_centre is None
    assert homes.rehearsal().embed is None
    assert TravelServices(keyed).rehearsal().flight_provider is None
    works = WorksServices(Deployment(data_dir=tmp_path, environ=keyed))
    assert works.rehearsal().deployment.environ == {}
    assert works.rehearsal().warehouse is works.warehouse
