"""The composition root: the only place that sees every layer. Nothing is built at import."""

import asyncio
import logging
import os
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import replace
from datetime import date, datetime, timedelta, timezone
from pathlib import Path
from typing import TYPE_CHECKING, Any

from madang.errors import ConfigurationError, InvalidAssistant, MissingExtra
from madang.settings import Settings

if TYPE_CHECKING:
    from madang.graph import Deployment
    from madang.llm import Models
    from madang.runtime import Runtime
    from madang.runtime.environment import MemoryOf
    from madang.runtime.langgraph_json import Project
    from madang.runtime.served_graph import ServedGraph
    from madang.server.options import ServerOptions
    from madang.store import SessionSaver
    from madang.store.sessions import Session

logger = logging.getLogger(__name__)

SEOUL = timezone(timedelta(hours=9))


@asynccontextmanager
async def open_runtime(
    settings: Settings,
    *,
    apps: Mapping[str, Any] | None = None,
    only: str | None = None,
    today: date | None = None,
    local_user: bool = False,
    installed: bool = True,
    project: "Project | None" = None,
    begins: bool = True,
    queues: Sequence[str] | None = None,
    models: "Models | None" = None,
) -> AsyncIterator["Runtime"]:
    """A runtime over the configured database, with the installed assistants and the given graphs; closed in the end.

    With `only`, just that assistant is built: a command line asks one question of one assistant. With `local_user`,
    sessions without a user are remembered as those of the implicit local one. Without `installed`, only what is
    given. `project` says how the graphs of a `langgraph.json` are served; `models` stands in for the one of the
    settings. Without `begins`, turns are left to workers; `queues` names the assistants whose turns this process runs
    for others. An assistant whose extra isn't installed is logged and left out; if it is the only one wanted, its
    `MissingExtra` is raised.
    """
    from madang.runtime import Runtime
    from madang.store import SessionSaver
    from madang.store.database import Database
    from madang.store.memories import Memories

    prepare_folder(settings)
    keyring = keyring_of(settings)
    db = await Database.open(settings.db_url, pool_size=settings.pool_size, keyring=keyring)
    factories = AsyncExitStack()
    try:
        saver = SessionSaver(db)
        memories = Memories(db, index=project.store_index, ttl=project.store_ttl) if project else Memories(db)
        objects: dict[str, Any] = dict(apps or {})
        if installed:
            objects = {**load_installed(only), **objects}
        served = await _serve_all(objects, saver, memories, settings, factories)
        if project is not None:
            _describe(served, project, saver)
        models = models or models_of(settings)
        runtime = Runtime(
            db,
            saver,
            served,
            today=clock(today or settings.today),
            models=models,
            memory=_memory_of(memories, settings, local_user=local_user),
            tools=_tools_of(settings),
            lease=settings.lease,
            begins=begins,
            queues=queues,
        )
        if db.dialect == "postgres":
            runtime.connect(settings.db_direct or settings.db_url)
        _prune_now_and_then(runtime, settings)
        if project is not None:
            runtime.thread_ttl, runtime.assign_priority = project.thread_ttl, project.assign_priority
        try:
            yield runtime
        finally:
            await runtime.close(settings.grace)
            await models.aclose()
    finally:
        await factories.aclose()
        await db.close()


def models_of(settings: Settings) -> "Models":
    """The chat models of the settings: one, or others for single calls."""
    from madang.llm import Models, ModelSettings

    by_call = {"understand": settings.llm_understand, "answer": settings.llm_answer}
    return Models(
        ModelSettings(
            llm=settings.llm.strip(),
            base_url=settings.llm_base_url.strip(),
            api_key=settings.llm_api_key.get_secret_value(),
            temperature=settings.llm_temperature,
            timeout=settings.llm_timeout,
            turn_seconds=settings.llm_turn_seconds,
            reasoning_effort=settings.llm_reasoning_effort,
            by_call=by_call,
            price_file=settings.llm_prices,
        )
    )


def _prune_now_and_then(runtime: "Runtime", settings: Settings) -> None:
    """Retention as a periodic job, if a limit is set."""
    if not (settings.keep_last or settings.max_age_days):
        return
    from madang.store.retention import Retention, prune

    max_age = timedelta(days=settings.max_age_days) if settings.max_age_days else None
    rule = Retention(keep_last=settings.keep_last or None, max_age=max_age)
    runtime.periodic.add("retention", 3600.0, lambda: prune(runtime.db, runtime.saver, rule))


def serve(name: str, app: Any, saver: "SessionSaver", store: Any, settings: Settings) -> "ServedGraph":
    """An assistant, a graph or a graph builder, made ready to run. Raises `InvalidAssistant`."""
    from langgraph.graph import StateGraph
    from langgraph.pregel import Pregel

    from madang.graph import Assistant, build
    from madang.runtime.assistant_graph import AssistantGraph
    from madang.runtime.plain_graph import PlainGraph
    from madang.state.declared import graph_types

    served: ServedGraph
    if isinstance(app, Assistant):
        services = app.services(deployment(settings)) if app.services is not None else None
        served = AssistantGraph(name, build(app, saver, store), app, services)
    elif isinstance(app, Pregel):
        served = PlainGraph(name, app.copy({"checkpointer": saver, "store": store}))
    elif isinstance(app, StateGraph):
        served = PlainGraph(name, app.compile(checkpointer=saver, store=store, name=name))
    else:
        raise InvalidAssistant(f"{name!r} is a {type(app).__name__}, not an assistant or a graph")
    saver.with_allowlist(graph_types(served.graph))
    return served


def _describe(served: Mapping[str, "ServedGraph"], project: "Project", saver: "SessionSaver") -> None:
    """What a `langgraph.json` says of its graphs, and of the types that their states may hold."""
    for name, description in project.descriptions.items():
        if name in served:
            served[name].about = replace(served[name].about, description=description)
    if project.allowed:
        saver.with_allowlist(project.allowed)


async def _serve_all(
    objects: Mapping[str, Any], saver: "SessionSaver", store: Any, settings: Settings, factories: AsyncExitStack
) -> dict[str, "ServedGraph"]:
    """Each made ready. A factory that fails is logged by name and left out; the only one there is raises."""
    from langgraph.graph import StateGraph
    from langgraph.pregel import Pregel

    from madang.graph import Assistant

    served = {}
    for name, app in objects.items():
        try:
            served[name] = await serve_made(name, app, saver, store, settings, factories)
        except Exception:
            if len(objects) == 1 or isinstance(app, Assistant | Pregel | StateGraph) or not callable(app):
                raise
            logger.exception("graph %r can't be made; it is left out", name)
    return served


async def serve_made(
    name: str, app: Any, saver: "SessionSaver", store: Any, settings: Settings, factories: AsyncExitStack
) -> "ServedGraph":
    """`serve`, also for a factory: sync, async or a context manager, taking the run's config or nothing.

    One that takes a config makes a graph for each run; its graph for no config is what is inspected.
    """
    from langgraph.graph import StateGraph
    from langgraph.pregel import Pregel

    from madang.graph import Assistant
    from madang.runtime.factories import made, takes_config
    from madang.runtime.plain_graph import PlainGraph

    if isinstance(app, Assistant | Pregel | StateGraph) or not callable(app):
        return serve(name, app, saver, store, settings)
    given = await factories.enter_async_context(made(app, {"configurable": {}}))
    served = serve(name, given, saver, store, settings)
    if not isinstance(served, PlainGraph) or not takes_config(app):
        return served

    def prepare(graph: Any) -> Any:
        return serve(name, graph, saver, store, settings).graph

    return PlainGraph(name, served.graph, factory=app, prepare=prepare)


def deployment(settings: Settings) -> "Deployment":
    """What an assistant's services may use: a key in a `.env` file counts like one in the environment."""
    from madang.graph import Deployment

    environ = {**os.environ, **settings.services}
    return Deployment(data_dir=settings.data_dir, environ=environ, embed=_embedder(settings))


def _embedder(settings: Settings) -> Any:
    """The embedding model, or None."""
    if not settings.embeddings:
        return None
    from madang.llm import EmbeddingSettings, embedder

    key = settings.llm_api_key.get_secret_value()
    return embedder(EmbeddingSettings(embeddings=settings.embeddings, base_url=settings.llm_base_url, api_key=key))


def _in_thread(embed: Any) -> Any:
    """A blocking embedder as memory takes it, or None."""
    if embed is None:
        return None

    async def embedded(texts: Any) -> Any:
        return await asyncio.to_thread(embed, texts)

    return embedded


def _memory_of(memories: Any, settings: Settings, *, local_user: bool) -> "MemoryOf":
    """Whose memory a conversation has: its user's in its company; nobody's without a user, or the local one's."""
    from madang.memory import SessionMemory, owner_of

    embed = _in_thread(_embedder(settings))

    def memory(session: "Session") -> SessionMemory:
        known = local_user or session.user_id is not None
        return SessionMemory(memories, owner_of(session.user_id, session.company_id) if known else None, embed=embed)

    return memory


def server_options(settings: Settings, host: str) -> "ServerOptions":
    """How the server behaves when it serves on `host`. Raises `ConfigurationError` for settings that don't fit."""
    from madang.server.options import ServerOptions, TokenOptions, is_loopback

    named = (settings.auth_issuer, settings.auth_audience, settings.auth_jwks)
    if any(named) and not all(named):
        raise ConfigurationError("MADANG_AUTH_ISSUER, MADANG_AUTH_AUDIENCE and MADANG_AUTH_JWKS go together")
    tokens = TokenOptions(*named, settings.auth_user_claim, settings.auth_company_claim) if all(named) else None
    origins = tuple(origin.strip().rstrip("/") for origin in settings.cors_origins.split(",") if origin.strip())
    if "*" in origins:
        raise ConfigurationError("MADANG_CORS_ORIGINS: name the origins; * would open the server to every page")
    return ServerOptions(
        credentials_required=settings.auth == "required" or not is_loopback(host),
        tokens=tokens,
        origins=origins,
        hosts=(*ServerOptions.hosts, host.lower()),
        requests_per_minute=settings.rate_limit,
        max_request_bytes=settings.max_request_bytes,
        max_frame_bytes=settings.max_request_bytes,
        rehearse=settings.rehearse,
        concurrency=settings.concurrency,
        max_file_bytes=settings.max_file_bytes,
        webhook_hosts=tuple(host.strip().lower() for host in settings.webhook_hosts.split(",") if host.strip()),
        webhook_secret=settings.secret_key.get_secret_value(),
        undo_seconds=settings.undo_seconds,
        grace=settings.grace,
    )


def _tools_of(settings: Settings) -> Any:
    from madang.runtime.mcp_tools import McpTools, read_servers

    servers = read_servers(settings.mcp_servers.get_secret_value())
    return McpTools(servers) if servers else None


async def check_credentials(settings: Settings) -> None:
    """Raises `ConfigurationError` unless someone could be let in: a token issuer, or an API key that is valid."""
    if settings.auth_issuer:
        return
    from madang.store.database import Database
    from madang.store.users import Users

    prepare_folder(settings)
    db = await Database.open(settings.db_url, keyring=keyring_of(settings))
    try:
        users, cursor = Users(db), None
        while True:
            page = await users.list(cursor=cursor)
            for user in page.items:
                if not user.revoked_at and any(not key.revoked_at for key in await users.keys(user.id)):
                    return
            cursor = page.next_cursor
            if cursor is None:
                raise ConfigurationError(
                    "credentials are required here, and nobody has any: `madang users add NAME` gives an API key "
                    "(or set MADANG_AUTH_ISSUER, MADANG_AUTH_AUDIENCE and MADANG_AUTH_JWKS); "
                    "on 127.0.0.1 none are needed"
                )
    finally:
        await db.close()


def load_installed(only: str | None = None) -> dict[str, Any]:
    """The installed assistants by name, or just one.

    One whose extra is missing is logged and left out, or raises `MissingExtra` if it is the only one wanted.
    """
    from madang.runtime.loading import installed, load_entry

    found: dict[str, Any] = {}
    for entry in installed():
        if only in (None, entry.name):
            try:
                found[entry.name] = load_entry(entry)
            except MissingExtra as missing:
                if only is not None:
                    raise
                logger.warning("an assistant is left out: %s", missing)
    return found


def load_apps(places: Iterable[str]) -> dict[str, Any]:
    """What `--app` names, by name: `module:name`, `path/to/file.py:name`, or a `langgraph.json` with its graphs.

    Raises `ConfigurationError`.
    """
    return dict(load_apps_of(places).graphs)


def load_apps_of(places: Iterable[str]) -> "Project":
    """`load_apps`, with how a `langgraph.json` says that they are served. Raises `ConfigurationError`."""
    from madang.runtime.langgraph_json import Project, load_project
    from madang.runtime.loading import load_object

    apps: dict[str, Any] = {}
    project: Project | None = None
    for where in places:
        if where.endswith(".json"):
            if project is not None:
                raise ConfigurationError("--app: one langgraph.json at a time")
            project = load_project(Path(where))
            apps |= project.graphs
        else:
            found = load_object(where)
            own = getattr(found, "name", None)
            # A compiled graph that nobody named is called LangGraph.
            named = own if isinstance(own, str) and own not in ("", "LangGraph") else where.rpartition(":")[2]
            apps[named] = found
    return replace(project, graphs=apps) if project is not None else Project(graphs=apps)


def prepare_folder(settings: Settings) -> None:
    """Make sure of the data folder when the embedded database is used. Raises `ConfigurationError`."""
    if settings.db:
        return
    try:
        settings.data_dir.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ConfigurationError(f"the data folder {settings.data_dir} can't be made: {error}") from error


def keyring_of(settings: Settings) -> Any:
    """The encryption keys, or None; start-up says so when there are none."""
    text = settings.encryption_keys.get_secret_value()
    if not text:
        return None
    from madang.state.encryption import Keyring

    return Keyring.parse(text)


def clock(fixed: date | None) -> Callable[[], date]:
    """Today in Korea, or the date that is configured."""
    return (lambda: fixed) if fixed is not None else (lambda: datetime.now(SEOUL).date())


ProgressCallback = Callable[[str, dict[str, Any]], Awaitable[None]]


class TeamBasedSupervisor:
    """The seeds' entry point: opens the configured runtime when first used.

    supervisor = TeamBasedSupervisor()
    response = await supervisor.process_query_streaming("전세금 5% 인상 가능해?", "session-1", user_id=None)
    await supervisor.close()
    """

    def __init__(self, settings: Settings | None = None, assistant: str = "homes") -> None:
        self._settings = settings or Settings()
        self._assistant = assistant
        self._opened: Any = None
        self._supervisor: Any = None

    async def __aenter__(self) -> "TeamBasedSupervisor":
        from madang.runtime.supervisor import Supervisor

        if self._supervisor is None:
            self._opened = open_runtime(self._settings, only=self._assistant)
            self._supervisor = Supervisor(await self._opened.__aenter__(), self._assistant)
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def process_query_streaming(
        self,
        query: str,
        session_id: str,
        user_id: int | None = None,
        progress_callback: ProgressCallback | None = None,
    ) -> dict[str, Any]:
        """One turn of the assistant; see `madang.runtime.supervisor.Supervisor`."""
        await self.__aenter__()
        response: dict[str, Any] = await self._supervisor.process_query_streaming(
            query, session_id, user_id, progress_callback
        )
        return response

    async def close(self) -> None:
        """Let everything go. Closing twice is fine."""
        if self._opened is not None:
            opened, self._opened, self._supervisor = self._opened, None, None
            await opened.__aexit__(None, None, None)
