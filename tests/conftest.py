"""Fixtures for every test: databases on both backends, one Postgres server a run."""

import asyncio
import os
import shutil
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, settings

from tests.support import entry_points, postgres

if TYPE_CHECKING:
    from madang.store.database import Database

RUN_FOLDER = "MADANG_TEST_RUN_FOLDER"

# The same examples in every run: a red run is about what was changed. `make search` draws new ones.
settings.register_profile(
    "madang",
    deadline=None,
    max_examples=40,
    derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
settings.register_profile("search", settings.get_profile("madang"), derandomize=False, max_examples=400)
settings.load_profile("madang")


def pytest_configure(config: pytest.Config) -> None:
    """The first process makes the run's folder; xdist workers inherit its name."""
    if RUN_FOLDER not in os.environ:
        os.environ[RUN_FOLDER] = str(postgres.make_run_folder())
        config.stash[_owned] = True
        entry_points.make_current(Path(os.environ[RUN_FOLDER]))


def pytest_unconfigure(config: pytest.Config) -> None:
    if not config.stash.get(_owned, False):
        return
    folder = Path(os.environ.pop(RUN_FOLDER))
    given, template = os.environ.get("MADANG_TEST_POSTGRES"), folder / "template"
    if given and template.exists():
        postgres.drop_database(postgres.database_url(given, template.read_text()))
    postgres.remove_run_folder(folder)


_owned = pytest.StashKey[bool]()


@pytest.fixture(scope="session")
def run_folder() -> Path:
    """A folder that all processes of this test run share."""
    return Path(os.environ[RUN_FOLDER])


@pytest.fixture(scope="session")
def postgres_server_url(run_folder: Path) -> str:
    """The maintenance database of the shared server, or of the one that MADANG_TEST_POSTGRES names."""
    given = os.environ.get("MADANG_TEST_POSTGRES")
    if given:
        return given
    try:
        return postgres.shared_server_url(run_folder)
    except postgres.PostgresUnavailable as problem:
        pytest.fail(f"no PostgreSQL: {problem}")


@pytest.fixture(scope="session")
def postgres_template(postgres_server_url: str, run_folder: Path) -> str:
    """The name of a migrated, empty database to copy."""
    with postgres.locked(run_folder, "template"):
        noted = run_folder / "template"
        if not noted.exists():
            url = postgres.create_database(postgres_server_url)
            _migrate(url)
            noted.write_text(url.rsplit("/", 1)[-1].split("?")[0])
        return noted.read_text()


@pytest.fixture(scope="session")
def sqlite_template(run_folder: Path) -> Path:
    """A migrated, empty SQLite file to copy."""
    with postgres.locked(run_folder, "sqlite"):
        made = run_folder / "template.db"
        if not made.exists():
            _migrate(f"sqlite:///{made}")
        return made


def _migrate(url: str) -> None:
    from madang.store.database import Database

    async def open_once() -> None:
        await (await Database.open(url)).close()

    asyncio.run(open_once())


@pytest.fixture
def empty_postgres_url(postgres_server_url: str) -> Iterator[str]:
    """A fresh database without any table."""
    url = postgres.create_database(postgres_server_url)
    yield url
    postgres.drop_database(url)


@pytest.fixture
def postgres_url(postgres_server_url: str, postgres_template: str) -> Iterator[str]:
    """A fresh database with Madang's tables."""
    url = postgres.create_database(postgres_server_url, postgres_template)
    yield url
    postgres.drop_database(url)


@pytest.fixture
def sqlite_url(sqlite_template: Path, tmp_path: Path) -> str:
    """A fresh SQLite file with Madang's tables."""
    copy = tmp_path / "madang.db"
    shutil.copyfile(sqlite_template, copy)
    return f"sqlite:///{copy}"


@pytest.fixture(params=["sqlite", "postgres"])
def db_url(request: pytest.FixtureRequest) -> str:
    """A fresh database on each backend."""
    return str(request.getfixturevalue(f"{request.param}_url"))


@pytest.fixture(params=["sqlite", "postgres"])
def empty_db_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """A database that doesn't exist yet, or has no tables, on each backend."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'empty.db'}"
    return str(request.getfixturevalue("empty_postgres_url"))


@pytest.fixture
async def db(db_url: str) -> AsyncIterator["Database"]:
    """An open database on each backend."""
    from madang.store.database import Database

    opened = await Database.open(db_url)
    try:
        yield opened
    finally:
        await opened.close()


@pytest.fixture
def postgres_server(run_folder: Path, tmp_path: Path) -> Iterator[postgres.PostgresServer]:
    """A server of the test's own, to stop and start."""
    try:
        server = postgres.PostgresServer.create(run_folder / f"own-{tmp_path.name}-{os.getpid()}")
    except postgres.PostgresUnavailable as problem:
        pytest.fail(f"no PostgreSQL: {problem}")
    yield server
    server.remove()
